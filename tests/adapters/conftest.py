"""The real Neo4j that tests of the adapter write to."""

import pytest
from neo4j_server import database, neo4j_server

pytest.register_assert_rewrite("schemacast.conformance")

__all__ = ["database", "neo4j_server"]
