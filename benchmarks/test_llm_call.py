"""CPU time of one call through the model layer, against a bare call of the `openai` client.

Both send the same messages to a server in another process that answers at once; ours also sends the reply's
schema. The ratio has to leave room for the prompt and the validation within 1.5 times the bare call.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from schemacast.llm.open import open_model
from schemacast.llm.protocol import Message, ReplyType, Tag

CALLS = 200
MESSAGES: list[Message] = [
    {"role": "system", "content": "Ticket: number, severity, status. Customer: account. " * 40},
    {"role": "user", "content": "Customer ACC-1 raised ticket HD-2: the printer on floor 3 is on fire again. " * 5},
]
PROPERTIES: dict[str, Any] = {
    f"property_{n}": {"type": "string", "enum": [f"Value{m}" for m in range(8)]} for n in range(12)
}
REPLY_TYPE = ReplyType(
    "reply",
    {"type": "object", "additionalProperties": False, "required": list(PROPERTIES), "properties": PROPERTIES},
)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    script = Path(__file__).with_name("instant_server.py")
    server = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    yield f"http://127.0.0.1:{int(server.stdout.readline())}/v1"
    server.kill()
    server.wait()


def bare(url: str) -> Callable[[], Awaitable[object]]:
    from openai import AsyncOpenAI

    client = AsyncOpenAI(api_key="none", base_url=url, max_retries=0)
    return lambda: client.chat.completions.create(model="m", messages=MESSAGES)  # type: ignore[arg-type]


def ours(url: str) -> Callable[[], Awaitable[object]]:
    model = open_model("openai/m", base_url=url)
    return lambda: model.complete(MESSAGES, REPLY_TYPE, Tag("e1"))


def cpu_seconds(make: Callable[[str], Callable[[], Awaitable[object]]], url: str) -> float:
    """The least CPU time of a call over three rounds."""

    async def measure() -> float:
        call = make(url)
        for _ in range(20):
            await call()
        rounds = []
        for _ in range(3):
            started = time.process_time()
            for _ in range(CALLS):
                await call()
            rounds.append((time.process_time() - started) / CALLS)
        return min(rounds)

    return asyncio.run(measure())


@pytest.mark.parametrize("make", [bare, ours])
def test_one_call(benchmark: Any, make: Callable[[str], Callable[[], Awaitable[object]]], url: str) -> None:
    seconds = benchmark.pedantic(cpu_seconds, (make, url), rounds=1)
    benchmark.extra_info["cpu_microseconds"] = round(seconds * 1e6)


def test_our_call_costs_little_beside_a_bare_one(benchmark: Any, url: str) -> None:
    def ratio() -> float:
        return cpu_seconds(ours, url) / cpu_seconds(bare, url)

    measured = benchmark.pedantic(ratio, rounds=1)
    benchmark.extra_info["ratio"] = round(measured, 2)
    assert measured < 1.15
