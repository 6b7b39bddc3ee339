"""The real Neo4j that tests of the adapter write to."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from neo4j_server import Database, database, neo4j_server
from probe import SCHEMA
from schemacast_adapters.neo4j import Neo4jAdapter

from schemacast.adapters import open_adapter

pytest.register_assert_rewrite("schemacast.conformance")

__all__ = ["database", "neo4j_server"]


@pytest.fixture
def store(database: Database) -> Iterator[Neo4jAdapter]:
    """A store of the probe's schema, prepared and empty."""
    with open_adapter(database.address, SCHEMA) as store:
        assert isinstance(store, Neo4jAdapter)
        store.prepare()
        yield store
