"""Where the jobs of these tests write: every kind of store that is tried."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_desk import run  # noqa: F401 - a fixture
from job_desk import StoreAt
from loopback_model import loopback as loopback
from neo4j_server import Database
from neo4j_server import database as database
from neo4j_server import neo4j_server as neo4j_server


@pytest.fixture(params=["networkx", pytest.param("neo4j", marks=pytest.mark.neo4j)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> StoreAt:
    """A store of each kind; another kind is one more parameter."""
    if request.param == "networkx":
        return StoreAt(tmp_path)
    held: Database = request.getfixturevalue("database")
    return StoreAt(tmp_path, held.address)


@pytest.fixture
def file_store(tmp_path: Path) -> StoreAt:
    """A store that is a file, for tests that look into it or hold it."""
    return StoreAt(tmp_path)
