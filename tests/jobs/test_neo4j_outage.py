"""A database that is stopped in the middle of a job, and jobs that are killed while they write to one."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from job_desk import StoreAt, lines_schema, plain
from job_process import JobFiles
from line_model import answer, many
from loopback_model import Answer, Loopback
from neo4j_server import Database, Server, start_server, stop_server

SCHEMA = lines_schema()


@pytest.fixture
def server_home(tmp_path: Path) -> Iterator[Path]:
    """The home of a server of this test's own, which it may stop."""
    home = tmp_path / "neo4j"
    yield home
    stop_server(home)


def started(home: Path, monkeypatch: pytest.MonkeyPatch, port: int = 0) -> Server:
    try:
        server = start_server(home, port=port)
    except OSError as error:
        pytest.skip(f"no Neo4j server: {error}")
    monkeypatch.setenv("NEO4J_USERNAME", server.username)
    monkeypatch.setenv("NEO4J_PASSWORD", server.password)
    return server


@pytest.mark.slow
@pytest.mark.neo4j
def test_a_database_that_is_stopped_for_twenty_seconds_is_waited_for(
    server_home: Path, tmp_path: Path, loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = started(server_home, monkeypatch)
    loopback.respond = lambda seen: Answer(answer(seen).reply, delay=0.1)
    files = JobFiles(tmp_path, server.uri, loopback)
    files.write(many(150))
    process = files.start(files.ingest("--concurrency", 2, "--wait", 200))
    assert process.stderr is not None
    while len(loopback.requests) < 10 and process.poll() is None:
        time.sleep(0.01)
    stop_server(server_home)
    stopped = time.monotonic()
    # When the cast is over the store is asked for, and found to be away: at once, not after the driver's own patience.
    said = [process.stderr.readline()]
    while "the store is away" not in said[-1]:
        assert said[-1], said
        said.append(process.stderr.readline())
    time.sleep(max(0.0, 20 - (time.monotonic() - stopped)))
    started(server_home, monkeypatch, port=int(server.uri.rpartition(":")[2]))
    _, err = process.communicate(timeout=300)
    said += err.splitlines()
    assert process.returncode == 0, said
    assert said[-1].startswith("schemacast: the store is back after ")
    # Nothing else is said, least of all what the driver logs.
    assert [
        line for line in said if not line.startswith("schemacast: the store is") and " episodes: " not in line
    ] == []
    store = StoreAt(tmp_path, server.uri)
    assert len(store.read(SCHEMA).entities) == 150 + 7 + 5
    assert "nothing to do" in files.run(files.ingest()).stdout


@pytest.mark.slow
@pytest.mark.neo4j
def test_a_job_killed_while_it_writes_to_a_database_is_completed_by_the_next(
    database: Database, tmp_path: Path, loopback: Loopback
) -> None:
    loopback.respond = answer
    file = JobFiles(tmp_path, StoreAt(tmp_path).address(), loopback)
    file.write(many(400))
    assert file.run(file.ingest()).returncode == 0
    asked = len(loopback.requests)
    # The same workspace, a second store: all that is left to do is to write.
    files = JobFiles(tmp_path, database.address, loopback)
    chance = random.Random(3)
    for _ in range(8):
        process = files.start(files.ingest())
        time.sleep(chance.uniform(0.5, 3.0))
        process.kill()
        process.communicate()
    done = files.run(files.ingest())
    assert done.returncode == 0, done.stderr
    assert len(loopback.requests) == asked
    store = StoreAt(tmp_path, database.address)
    assert plain(store.read(SCHEMA), SCHEMA) == plain(StoreAt(tmp_path).read(SCHEMA), SCHEMA)
