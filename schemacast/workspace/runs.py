"""One row for each job: what it was to do, how far it is, what it cost and how it ended.

A run writes how far it is once a second at most, so that `status` can tell the pace of a job that goes on.
One that was killed keeps no end.
"""

from __future__ import annotations

import time
from types import TracebackType
from typing import Self

from schemacast.cast.output import Tally
from schemacast.episode import without_surrogates
from schemacast.workspace.episodes import now
from schemacast.workspace.file import WorkspaceFile

SECONDS_BETWEEN = 1.0

ASK = "ask"
"""The command of rows that are no job: what asking took is counted beside what casting took."""


class Run:
    """The row of a job that runs now. A context manager: an exception becomes its end."""

    def __init__(self, file: WorkspaceFile, command: str, *, model: str | None, store: str, planned: int = 0) -> None:
        self._file = file
        self._begun = time.monotonic()
        self._last = 0.0
        file.execute(
            "INSERT INTO runs (command, started, model, store, planned) VALUES (?, ?, ?, ?, ?)",
            (command, now(), model, without_surrogates(store), planned),
        )
        self._id: int = file.value("SELECT last_insert_rowid()")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None and issubclass(kind, Exception):
            why = without_surrogates(f"{kind.__name__}: {error}")
            self._file.execute("UPDATE runs SET ended = ?, stopped = ? WHERE id = ?", (now(), why, self._id))

    def progress(self, tally: Tally, cost: float | None) -> None:
        """Note how far it is, now and then."""
        if time.monotonic() - self._last >= SECONDS_BETWEEN:
            self._write(tally, cost)

    def end(self, stopped: str | None, tally: Tally | None = None, cost: float | None = None) -> None:
        """Note that it is over, and why it was before its time."""
        if tally is not None:
            self._write(tally, cost)
        self._file.execute(
            "UPDATE runs SET ended = ?, stopped = ?, seconds = ?, done = CASE WHEN ? THEN planned ELSE done END"
            " WHERE id = ?",
            (now(), stopped, time.monotonic() - self._begun, tally is None, self._id),
        )

    def _write(self, tally: Tally, cost: float | None) -> None:
        self._last = time.monotonic()
        self._file.execute(
            "UPDATE runs SET done = ?, requests = ?, input_tokens = ?, output_tokens = ?, cost = ?, seconds = ?"
            " WHERE id = ?",
            (
                tally.read,
                tally.requests,
                tally.usage.input_tokens,
                tally.usage.output_tokens,
                cost,
                self._last - self._begun,
                self._id,
            ),
        )
