"""A small desk to cast, and the command run as a person would."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli_desk import SCHEMA, Desk, Ran, prop, raised, run, vertex  # noqa: F401 - a fixture


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = Desk(tmp_path, tmp_path / "desk.yaml", tmp_path / "episodes.jsonl", tmp_path / "replies.jsonl")
    made.schema.write_text(SCHEMA, encoding="utf-8")
    made.write_episodes(
        {"source_id": "m-1", "text": "Customer ACC-1 raised HD-2, severity 3."},
        {"source_id": "m-2", "text": "ACC-1 also raised HD-3. About 40 people wait."},
        {"source_id": "m-3", "text": "Thank you!"},
    )
    made.write_replies(
        {
            "source_id": "m-1",
            "round": 0,
            "reply": {
                "vertices": [
                    vertex("c", "Customer", "Customer ACC-1", prop("account", "ACC-1")),
                    vertex("t", "Ticket", "HD-2, severity 3", prop("number", "HD-2"), prop("severity", 3)),
                ],
                "edges": [raised("ACC-1 raised HD-2")],
            },
        },
        {
            "source_id": "m-2",
            "round": 0,
            "reply": {
                "vertices": [
                    vertex("c", "Customer", "ACC-1", prop("account", "ACC-1")),
                    vertex("t", "Ticket", "HD-3", prop("number", "HD-3")),
                    vertex("x", "Ticket", "HD-9", prop("number", "HD-9")),
                ],
                "edges": [raised("ACC-1 also raised HD-3")],
                "unmapped": [{"quote": "About 40 people wait", "note": "how many wait"}],
            },
        },
        {"source_id": "m-3", "round": 0, "reply": {"vertices": [], "edges": []}},
    )
    return made


@pytest.fixture
def shell() -> Callable[..., Ran]:
    """Run a command in a process of its own."""

    def shell(*arguments: object, **options: Any) -> Ran:
        command = [sys.executable, "-m", "schemacast.cli.main", *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, **options)
        return Ran(done.returncode, done.stdout, done.stderr)

    return shell
