"""Casts text into a graph and points at the characters each part was read from."""
