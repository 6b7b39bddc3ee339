"""CPU time of casting an episode, against a bare call of the `openai` client with the same messages.

Twelve support tickets of the prompt-size benchmark, each made a text of its own, are sent to a server in
another process that answers at once with a whole reply. Everything of ours is counted: prompt, request, reading,
validation, groundings. `cast and resolve` also writes every output file and the graph.

    pytest benchmarks/test_cast_cpu.py
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from schemacast import Caster, Episode, load_schema
from schemacast.run import cast_to_files

HERE = Path(__file__).parent
DATA = HERE / "prompt_size"
COPIES = 25
ROUNDS = 3


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    command = [sys.executable, str(HERE / "instant_server.py"), str(DATA)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    yield f"http://127.0.0.1:{int(server.stdout.readline())}/v1"
    server.kill()
    server.wait()


def episodes(run: int) -> list[Episode]:
    """The tickets again and again, no text twice."""
    lines = [json.loads(line) for line in (DATA / "episodes.jsonl").read_text("utf-8").splitlines()]
    return [
        Episode.model_validate(
            {**line, "source_id": f"{run}-{copy}-{line['source_id']}", "text": f"{line['text']}\n({run}.{copy})"}
        )
        for copy in range(COPIES)
        for line in lines
    ]


def bare_async(url: str, run: int, _: Path) -> int:
    """One call after the other with the asynchronous client."""
    from openai import AsyncOpenAI

    caster = Caster(load_schema(DATA / "schema.yaml"), model="openai/m", base_url=url)
    requests = [caster.request(episode).messages for episode in episodes(run)]

    async def call() -> None:
        client = AsyncOpenAI(api_key="none", base_url=url, max_retries=0)
        for messages in requests:
            await client.chat.completions.create(model="m", messages=messages)  # type: ignore[arg-type]

    started = time.process_time_ns()
    asyncio.run(call())
    return (time.process_time_ns() - started) // len(requests)


def bare_sync(url: str, run: int, _: Path) -> int:
    """One call after the other with the synchronous client."""
    from openai import OpenAI

    caster = Caster(load_schema(DATA / "schema.yaml"), model="openai/m", base_url=url)
    requests = [caster.request(episode).messages for episode in episodes(run)]
    client = OpenAI(api_key="none", base_url=url, max_retries=0)
    started = time.process_time_ns()
    for messages in requests:
        client.chat.completions.create(model="m", messages=messages)  # type: ignore[arg-type]
    return (time.process_time_ns() - started) // len(requests)


def cast(url: str, run: int, _: Path) -> int:
    caster = Caster(load_schema(DATA / "schema.yaml"), model="openai/m", base_url=url)
    texts = episodes(run)
    started = time.process_time_ns()
    result = caster.cast(texts)
    spent = time.process_time_ns() - started
    assert all(outcome.status == "ok" for outcome in result.outcomes)
    return spent // len(texts)


def cast_and_resolve(url: str, run: int, folder: Path) -> int:
    caster = Caster(load_schema(DATA / "schema.yaml"), model="openai/m", base_url=url)
    texts = episodes(run)
    started = time.process_time_ns()
    cast_to_files(caster, texts, out=folder)
    return (time.process_time_ns() - started) // len(texts)


WAYS: dict[str, Callable[[str, int, Path], int]] = {
    "bare async": bare_async,
    "bare sync": bare_sync,
    "cast": cast,
    "cast and resolve": cast_and_resolve,
}


def test_cpu_time_of_an_episode(benchmark: Any, url: str, tmp_path: Path) -> None:
    # The ways take turns, so that a slow moment of the machine meets them all.
    for number, way in enumerate(WAYS.values()):
        way(url, 1000 + number, tmp_path)
    spent: dict[str, list[int]] = {name: [] for name in WAYS}

    def rounds() -> None:
        for number in range(ROUNDS):
            for name, way in WAYS.items():
                spent[name].append(way(url, number * len(WAYS) + len(spent[name]), tmp_path))

    benchmark.pedantic(rounds, rounds=1)
    least = {name: min(times) / 1000 for name, times in spent.items()}
    for name, microseconds in least.items():
        ratios = f"{microseconds / least['bare async']:.2f} / {microseconds / least['bare sync']:.2f}"
        benchmark.extra_info[name] = f"{microseconds:.0f} µs CPU; {ratios} times a bare call (async / sync)"
        print(f"{name:<18}{benchmark.extra_info[name]}")
