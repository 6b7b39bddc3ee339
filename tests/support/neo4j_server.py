"""A real Neo4j for tests: the one that NEO4J_URI names, else one that scripts/neo4j starts.

There is one server for a run, whatever the number of workers, and it ends with the run. Tests take turns at
its database. They use labels that begin as `TEST_LABELS` do and delete only those: everything else in the
database is counted before and after each test. Where there is no server and none can be started the tests
are skipped with the reason; never under CI.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import neo4j
import pytest
from schemacast_adapters.neo4j.names import quoted

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "neo4j"
TEST_LABELS = ("Conformance", "Probe")
"""What the labels of all tests begin with, and the types of relationships that only join such nodes."""


@dataclass(frozen=True)
class Server:
    """Where a server is and how one logs in."""

    uri: str
    username: str
    password: str


@dataclass(frozen=True)
class Database:
    """The database of a server, for a test to look into past the adapter."""

    address: str
    driver: neo4j.Driver

    def run(self, query: str, **parameters: Any) -> list[dict[str, Any]]:
        """The rows that a query gives."""
        return [record.data() for record in self.driver.execute_query(query, parameters).records]

    def clear(self) -> None:
        """Delete what has a label of the tests."""
        self.run(f"MATCH (n) WHERE {_is_of_tests('n')} DETACH DELETE n")

    def drop_definitions(self) -> None:
        """Drop the constraints and indexes on labels of the tests, and on relationship types that they name."""
        for what, query in (("CONSTRAINT", "SHOW CONSTRAINTS YIELD *"), ("INDEX", "SHOW INDEXES YIELD *")):
            for each in self.run(query):
                of = (each["labelsOrTypes"] or [""])[0]
                if of.casefold().startswith(tuple(start.casefold() for start in TEST_LABELS)):
                    self.run(f"DROP {what} {quoted(each['name'])} IF EXISTS")

    def others(self) -> tuple[int, int]:
        """How many nodes and relationships there are that no test made."""
        nodes = self.run(f"MATCH (n) WHERE NOT {_is_of_tests('n')} RETURN count(n) AS number")
        between = f"MATCH (a)-[r]->(b) WHERE NOT {_is_of_tests('a')} AND NOT {_is_of_tests('b')}"
        return nodes[0]["number"], self.run(f"{between} RETURN count(r) AS number")[0]["number"]


def _is_of_tests(node: str) -> str:
    starts = " OR ".join(f"label STARTS WITH '{start}'" for start in TEST_LABELS)
    return f"any(label IN labels({node}) WHERE {starts})"


def start_server(home: Path, *, port: int = 0, owner: int | None = None) -> Server:
    """Start a server on a home folder, which ends with this process at the latest; also after it was killed."""
    command = [sys.executable, SCRIPT, "start", "--home", home, "--port", str(port)]
    command += ["--owner", str(owner or os.getpid())]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(done.stderr.strip() or f"scripts/neo4j ended with {done.returncode}")
    said = dict(line.removeprefix("export ").split("=", 1) for line in done.stdout.splitlines())
    return Server(said["NEO4J_URI"], said["NEO4J_USERNAME"], said["NEO4J_PASSWORD"])


def stop_server(home: Path, *, kill: bool = False) -> None:
    """Stop the server of a home folder, or kill it."""
    subprocess.run([sys.executable, SCRIPT, "stop", "--home", home, *(["--kill"] if kill else [])], check=True)


@pytest.fixture(scope="session")
def neo4j_server(tmp_path_factory: pytest.TempPathFactory) -> Server:
    """The server of this run."""
    given = os.environ.get("NEO4J_URI")
    if given:
        return Server(given, os.environ.get("NEO4J_USERNAME") or "neo4j", os.environ.get("NEO4J_PASSWORD") or "")
    in_worker = "PYTEST_XDIST_WORKER" in os.environ
    try:
        return start_server(_shared(tmp_path_factory) / "neo4j", owner=os.getppid() if in_worker else os.getpid())
    except OSError as error:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"no Neo4j server: {error}")


@pytest.fixture
def database(
    neo4j_server: Server, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Database]:
    """The database, held for one test, without anything that a test left; credentials are in the environment."""
    monkeypatch.setenv("NEO4J_USERNAME", neo4j_server.username)
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_server.password)
    auth = (neo4j_server.username, neo4j_server.password)
    with (_shared(tmp_path_factory) / "neo4j.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with neo4j.GraphDatabase.driver(neo4j_server.uri, auth=auth, notifications_min_severity="OFF") as driver:
            held = Database(neo4j_server.uri, driver)
            held.clear()
            before = held.others()
            yield held
            held.clear()
            assert held.others() == before


def _shared(factory: pytest.TempPathFactory) -> Path:
    """The folder that all workers of a run share."""
    base = factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
