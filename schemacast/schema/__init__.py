"""The schema: vertex types, edge types, properties, and the YAML files they are written in."""
