"""The Neo4j store passes the suite that every adapter passes, against a real server."""

from __future__ import annotations

import pytest
from neo4j_server import Database

from schemacast.conformance import AdapterConformance


@pytest.mark.neo4j
class TestNeo4j(AdapterConformance):
    @pytest.fixture
    def address(self, database: Database) -> str:
        return database.address
