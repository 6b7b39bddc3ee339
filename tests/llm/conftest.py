"""What the tests of models share."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from loopback_model import loopback  # noqa: F401 - a fixture

from schemacast.llm.open import open_model
from schemacast.llm.protocol import Completion, ReplyType, Tag
from schemacast.llm.throttle import Patience

QUICK = Patience(attempts=3, first_wait=0.01, longest_wait=0.05, longest_retry_after=5.0)
REPLY_TYPE = ReplyType(
    "reply",
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["name"],
        "properties": {"name": {"type": ["string", "null"]}},
    },
)


def said(text: str = "HD-2 is open.") -> list[Any]:
    return [{"role": "system", "content": "Read the ticket."}, {"role": "user", "content": text}]


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OLLAMA_API_KEY", "GROQ_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def ask() -> Callable[..., Any]:
    """Opens a model, asks for all texts at once, closes it; replies and errors in order, and the model."""

    def ask(name: str, texts: int | list[str] = 1, **options: Any) -> tuple[list[Completion | BaseException], Any]:
        async def run() -> tuple[list[Completion | BaseException], Any]:
            model = open_model(name, **{"patience": QUICK, **options})
            try:
                given = [f"text {n}" for n in range(texts)] if isinstance(texts, int) else texts
                calls = (model.complete(said(text), REPLY_TYPE, Tag(f"e{n}")) for n, text in enumerate(given))
                return await asyncio.gather(*calls, return_exceptions=True), model
            finally:
                await model.aclose()

        return asyncio.run(run())

    return ask


@pytest.fixture
def ask_one(ask: Callable[..., Any]) -> Callable[..., Completion]:
    """One completion, or its error raised."""

    def ask_one(name: str, text: str = "text 0", **options: Any) -> Completion:
        (result,), _ = ask(name, [text], **options)
        if isinstance(result, BaseException):
            raise result
        return result

    return ask_one


@pytest.fixture(name="said")
def _said() -> Callable[[str], list[Any]]:
    return said


@pytest.fixture
def reply_type() -> ReplyType:
    return REPLY_TYPE
