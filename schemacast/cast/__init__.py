"""Cast one episode: select, prompt, ask, validate, repair."""
