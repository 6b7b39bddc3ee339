"""The adapter for Neo4j, over Bolt with the official driver."""

from schemacast_adapters.neo4j.adapter import Neo4jAdapter

__all__ = ["Neo4jAdapter"]
