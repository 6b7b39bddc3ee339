"""Where the CPU time of an ingest goes, as a sampling profiler counts it.

A model on loopback answers at once, so that nothing is waited for. What is spent outside the model's client, the
store's driver and SQLite is ours, and at most a third.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests" / "support"))
EPISODES = int(os.environ.get("INGEST_EPISODES", "2000"))
SAMPLE_SECONDS = 0.002
CLIENT = ("/openai/", "/httpx", "/httpcore", "/anyio/", "/h11/", "/instructor/", "/asyncio/", "/pydantic/")
DRIVER = ("/neo4j/",)
SQLITE = {"execute", "many", "rows", "row"}


def side_of(frame: FrameType | None) -> str:
    """Whose work a stack is: the innermost part of it that is one of those named, else ours."""
    while frame is not None:
        name = frame.f_code.co_filename
        if name.endswith("workspace/file.py") and frame.f_code.co_name in SQLITE:
            return "sqlite"
        if "/schemacast/" in name or "/schemacast_adapters/" in name:
            return "ours" if "/schemacast/llm/" not in name else "client"
        if any(part in name for part in CLIENT):
            return "client"
        if any(part in name for part in DRIVER) and "schemacast_adapters" not in name:
            return "driver"
        frame = frame.f_back
    return "ours"


@contextmanager
def sampled(counts: Counter[str]) -> Iterator[None]:
    """Count, each time that some CPU time has passed, whose work it was."""

    def sample(_: int, frame: FrameType | None) -> None:
        others = [each for each in sys._current_frames().values() if each is not frame]
        idle = frame is not None and frame.f_code.co_name == "select"
        busy = [
            each for each in others if "/schemacast" in each.f_code.co_filename or "json" in each.f_code.co_filename
        ]
        counts[side_of(busy[0] if idle and busy else frame)] += 1

    before = signal.signal(signal.SIGPROF, sample)
    signal.setitimer(signal.ITIMER_PROF, SAMPLE_SECONDS, SAMPLE_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@pytest.fixture
def endpoint() -> Iterator[str]:
    server = subprocess.Popen([sys.executable, HERE / "line_server.py"], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        yield f"http://127.0.0.1:{server.stdout.readline().strip()}/v1"
    finally:
        server.kill()
        server.wait()


def episodes(path: Path, count: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            text = (
                f"v1 Customer account=c{number}{' size=7' if number % 3 == 0 else ''} tier=gold\n"
                f"v2 Customer account=hub{number % 97}\n"
                f"v1 KNOWS v2\nv3 Company name=Big{number % 500} country=NO\nv1 WORKS_AT v3"
            )
            file.write(json.dumps({"source_id": f"s{number}", "text": text}) + "\n")


def test_at_most_a_third_of_an_ingest_is_our_own_work(tmp_path: Path, endpoint: str) -> None:
    from job_desk import lines_schema

    from schemacast import aingest, read_episodes

    file = tmp_path / "episodes.jsonl"
    episodes(file, EPISODES)
    counts: Counter[str] = Counter()
    began, cpu = time.monotonic(), time.process_time()
    with sampled(counts):
        # The coroutine, since the sync call has signals of its own.
        report = asyncio.run(
            aingest(
                lines_schema(),
                read_episodes(file),
                model="openai/lines",
                base_url=endpoint,
                to=f"networkx:{tmp_path / 'graph.json'}",
                workspace=tmp_path / "work.db",
            )
        )
    assert report.tally.statuses["ok"] == EPISODES
    shares = {side: round(count / counts.total(), 3) for side, count in counts.items()}
    seconds, spent = time.monotonic() - began, time.process_time() - cpu
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\n{EPISODES:,} episodes: {seconds:.1f} s, {spent:.1f} s CPU, {memory:.0f} MB, {shares}")
    assert shares["ours"] <= 1 / 3, shares
