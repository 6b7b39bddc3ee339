"""Which rows of a table are one thing: normalizing, blocking, scoring, weights learned from the data, clusters."""
