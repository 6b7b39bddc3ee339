"""Decisions about which records are one entity, one row a record, so that each can be undone alone.

Those of a run replace those of the run before; a person's stay. When a source says something new, what was
decided about its old records is dropped with them.
"""

from __future__ import annotations

from collections.abc import Iterable

from schemacast.episode import without_surrogates
from schemacast.graph import Decision
from schemacast.workspace.file import WorkspaceFile


class Decisions:
    """The decisions of a workspace."""

    def __init__(self, file: WorkspaceFile) -> None:
        self._file = file

    def all(self) -> list[Decision]:
        """Every decision about a source that counts; a person's last, so that it stands."""
        rows = self._file.rows(
            "SELECT decisions.source_id, ref, entity, by, score FROM decisions JOIN episodes USING (source_id)"
            " WHERE withdrawn IS NULL ORDER BY by = 'person', decisions.source_id, ref"
        )
        return [Decision(((source_id, ref),), entity, by, score) for source_id, ref, entity, by, score in rows]

    def replace(self, decisions: Iterable[Decision]) -> None:
        """Keep these as the decisions of the last run."""
        self._file.execute(
            "DELETE FROM decisions WHERE by <> 'person' AND source_id IN"
            " (SELECT source_id FROM episodes WHERE withdrawn IS NULL)"
        )
        self._file.many(
            "INSERT OR REPLACE INTO decisions VALUES (?, ?, ?, ?, ?)",
            (
                (source_id, without_surrogates(ref), decision.entity, decision.by, decision.score)
                for decision in decisions
                for source_id, ref in decision.records
            ),
        )
