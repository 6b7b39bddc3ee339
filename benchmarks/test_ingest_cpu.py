"""Where the CPU time of an ingest goes, as a sampling profiler counts it.

A model on loopback answers at once, so that nothing is waited for. The profiler (py-spy) looks from outside, a few
hundred times a second, at what each thread does that is running. What it finds outside the model's client, the
store's driver and SQLite is ours, and at most a third. Stores are a file, and the database that NEO4J_URI names.

    pytest -s benchmarks/test_ingest_cpu.py
    INGEST_EPISODES=2000 pytest -s benchmarks/test_ingest_cpu.py
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
EPISODES = int(os.environ.get("INGEST_EPISODES", "20000"))
SAMPLES_A_SECOND = 200
CLIENT = ("openai/", "httpx", "httpcore", "anyio/", "sniffio/", "h11/", "instructor/", "asyncio/")
WAITING = ("concurrent/futures/thread.py", "threading.py", "queue.py", "selectors.py")
FRAME = re.compile(r"(?P<name>[^;]*) \((?P<file>[^;()]*):\d+\)")


def side_of(stack: str) -> str | None:
    """Whose work a stack is: the innermost part of it that is one of those named, else ours; None for a wait."""
    frames = [(found["name"], found["file"]) for found in FRAME.finditer(stack)]
    if not frames or frames[-1][1].endswith(WAITING):
        return None
    for name, file in reversed(frames):
        if file.endswith("schemacast/workspace/file.py") and name.startswith("WorkspaceFile."):
            return "sqlite"
        if "schemacast_adapters/" in file or "schemacast/" in file:
            return "client" if "schemacast/llm/" in file else "ours"
        if file.startswith("neo4j/"):
            return "driver"
        if file.startswith(CLIENT):
            return "client"
    return "ours"


@pytest.fixture
def endpoint() -> Iterator[str]:
    server = subprocess.Popen([sys.executable, HERE / "line_server.py"], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        yield f"http://127.0.0.1:{server.stdout.readline().strip()}/v1"
    finally:
        server.kill()
        server.wait()


@pytest.fixture(params=["networkx", "neo4j"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a store of each kind; of a database what the run wrote is deleted."""
    if request.param == "networkx":
        yield f"networkx:{tmp_path / 'graph.json'}"
        return
    if "NEO4J_URI" not in os.environ:
        pytest.skip('no database; eval "$(scripts/neo4j start)" begins one')
    from neo4j import GraphDatabase
    from schemacast_adapters.neo4j.address import credentials

    uri = os.environ["NEO4J_URI"]
    delete = "MATCH (n) WHERE any(label IN labels(n) WHERE label STARTS WITH 'Probe') CALL (n) { DETACH DELETE n }"
    with GraphDatabase.driver(uri, auth=credentials()) as driver, driver.session() as session:
        session.run(f"{delete} IN TRANSACTIONS").consume()
        yield uri
        session.run(f"{delete} IN TRANSACTIONS").consume()


def test_at_most_a_third_of_an_ingest_is_our_own_work(tmp_path: Path, endpoint: str, store: str) -> None:
    profiler = shutil.which("py-spy", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if profiler is None:
        pytest.skip("py-spy is not installed")
    samples = tmp_path / "samples.txt"
    record = [profiler, "record", "--rate", str(SAMPLES_A_SECOND), "--format", "raw", "--output", samples, "--"]
    command = [*record, sys.executable, HERE / "ingest_lines.py", tmp_path, store, endpoint, str(EPISODES)]
    environment = {**os.environ, "OPENAI_API_KEY": "none"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    took = next(json.loads(line) for line in done.stdout.splitlines() if line.startswith("{"))
    assert took["ok"] == EPISODES
    counts: Counter[str] = Counter()
    for line in samples.read_text("utf-8").splitlines():
        stack, _, number = line.rpartition(" ")
        side = side_of(stack)
        if side is not None:
            counts[side] += int(number)
    shares = {side: round(count / counts.total(), 3) for side, count in counts.most_common()}
    print(f"\n{store.partition(':')[0]}: {EPISODES:,} episodes, {took}, {counts.total():,} samples: {shares}")
    assert shares["ours"] <= 1 / 3, shares
