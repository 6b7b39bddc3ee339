"""Commands in processes of their own, against a model on loopback, as a person or a scheduler runs them."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from job_desk import lines_schema
from loopback_model import Loopback

from schemacast.cli.main import main

COMMAND = [sys.executable, "-m", "schemacast.cli.main"]


@dataclass(frozen=True)
class JobFiles:
    """The files of a job and where its model is."""

    folder: Path
    store: str
    model: Loopback

    @property
    def workspace(self) -> Path:
        return self.folder / "work.db"

    def write(self, texts: Mapping[str, str]) -> None:
        (self.folder / "schema.yaml").write_text(lines_schema().to_yaml(), encoding="utf-8")
        lines = [json.dumps({"source_id": name, "text": text}) for name, text in texts.items()]
        (self.folder / "episodes.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def ingest(self, *more: object) -> list[str]:
        """The command line of the job."""
        arguments = {
            "--schema": self.folder / "schema.yaml",
            "--episodes": self.folder / "episodes.jsonl",
            "--model": "openai/lines",
            "--base-url": self.model.v1,
            "--to": self.store,
            "--workspace": self.workspace,
        }
        pairs = [str(part) for pair in arguments.items() for part in pair]
        return [*COMMAND, "ingest", *pairs, *map(str, more)]

    def start(self, command: Sequence[str], **options: object) -> subprocess.Popen[str]:
        """Begin a command without waiting for it."""
        environment = {**os.environ, "OPENAI_API_KEY": "none"}
        return subprocess.Popen(
            list(command),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            **options,  # type: ignore[call-overload]
        )

    def run(self, command: Sequence[str], **options: object) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        process = self.start(command, **options)
        out, err = process.communicate(timeout=120)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def run_here(self, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
        """Run a command in this process, where all it imports is loaded: what comes after a job that was disturbed."""
        out, err = io.StringIO(), io.StringIO()
        key = mock.patch.dict(os.environ, OPENAI_API_KEY="none")
        with key, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(command[len(COMMAND) :])
        return subprocess.CompletedProcess(command, code, out.getvalue(), err.getvalue())
