"""Models: providers, replay, cache, and the tolerant reading of what they return."""
