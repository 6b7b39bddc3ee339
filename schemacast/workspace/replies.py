"""Replies under their request key, kept the moment they arrive and before anything looks into them.

A reply is also kept under an attempt: asking again about a source that failed does not lose what it answered
first, and a job killed in between does not ask a third time. Which source a reply was used for is kept too,
so that erasing a source erases its replies and no other's.
"""

from __future__ import annotations

from schemacast.llm.protocol import Completion, Usage
from schemacast.workspace.episodes import now
from schemacast.workspace.file import WorkspaceFile


class Replies:
    """The replies of a workspace."""

    def __init__(self, file: WorkspaceFile) -> None:
        self._file = file

    def read(self, key: str, attempt: int) -> Completion | None:
        """A kept reply, which costs nothing; None when there is none."""
        found = self._file.row(
            "SELECT reply, finish_reason, model FROM replies WHERE request = ? AND attempt = ?", (key, attempt)
        )
        return Completion(found[0], found[1], Usage(), found[2], requests=0, cached=True) if found else None

    def holds(self, key: str, attempt: int) -> bool:
        """Whether there is one."""
        return self._file.value("SELECT 1 FROM replies WHERE request = ? AND attempt = ?", (key, attempt)) is not None

    def keep(self, key: str, attempt: int, completion: Completion, source_id: str | None) -> None:
        """Keep a reply, for a source. Raises OutputError when the disk is full."""
        with self._file.transaction():
            self._file.execute(
                "INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    key,
                    attempt,
                    completion.text,
                    completion.finish_reason,
                    completion.model,
                    completion.usage.input_tokens,
                    completion.usage.output_tokens,
                    completion.requests,
                    now(),
                ),
            )
            self.use(key, attempt, source_id)

    def use(self, key: str, attempt: int, source_id: str | None) -> None:
        """Remember that a reply was used for a source."""
        self._file.execute(
            "INSERT OR IGNORE INTO uses SELECT id, ?, ? FROM episodes WHERE source_id = ?", (key, attempt, source_id)
        )

    def any(self) -> bool:
        """Whether a reply has ever been kept."""
        return self._file.value("SELECT 1 FROM replies LIMIT 1") is not None

    def output_tokens_each(self) -> float | None:
        """How many tokens a reply has on average; None before the first."""
        mean: float | None = self._file.value("SELECT avg(output_tokens) FROM replies WHERE output_tokens > 0")
        return mean
