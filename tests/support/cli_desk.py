"""A small desk to cast, as files, and how a command ended: what the tests of commands share."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from schemacast.cli.main import main

SCHEMA = r"""name: desk
version: 2.1.0
vertices:
  Customer: {key: account, properties: {account: string, name: string}}
  Ticket:
    key: number
    properties:
      number: {type: string, pattern: 'HD-\d+'}
      severity: {type: integer, minimum: 1, maximum: 5}
edges:
  RAISED: {source: Customer, target: Ticket}
"""


@dataclass(frozen=True)
class Desk:
    """The files of a small job, and what its replies say."""

    folder: Path
    schema: Path
    episodes: Path
    replies: Path

    @property
    def job(self) -> list[str]:
        return [
            "--schema",
            str(self.schema),
            "--episodes",
            str(self.episodes),
            "--model",
            f"replay:{self.replies}",
        ]

    def write_episodes(self, *episodes: dict[str, Any]) -> None:
        self.episodes.write_text("".join(json.dumps(one) + "\n" for one in episodes), encoding="utf-8")

    def write_replies(self, *replies: dict[str, Any]) -> None:
        self.replies.write_text("".join(json.dumps(one) + "\n" for one in replies), encoding="utf-8")


def prop(name: str, value: Any, quote: str | None = None) -> dict[str, Any]:
    return {"name": name, "value": value, "quote": quote}


def vertex(ref: str, type_: str, quote: str, *props: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"ref": ref, "type": type_, "quote": quote, "props": list(props), **more}


def raised(quote: str, source: str = "c", target: str = "t") -> dict[str, Any]:
    return {"relation": "RAISED", "from": source, "to": target, "quote": quote, "props": []}


@dataclass(frozen=True)
class Ran:
    """How a command ended."""

    code: int
    out: str
    err: str


def lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Run a command in this process."""

    def run(*arguments: object) -> Ran:
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 1
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run
