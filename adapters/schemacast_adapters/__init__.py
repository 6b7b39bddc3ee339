"""Stores for schemacast graphs, found through the entry-point group `schemacast.adapters`."""
