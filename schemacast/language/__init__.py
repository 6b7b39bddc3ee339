"""How people write: tokens, sentences, numbers, units, dates and hedges in several languages."""
