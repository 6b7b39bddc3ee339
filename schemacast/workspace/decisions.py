"""Decisions about which records are one entity: one row a record, so that each can be undone alone.

Those of a run replace those of the run before, and one that stays the same keeps the time at which it was made;
a person's stay. When a source says something new, what was decided about its old records is dropped with them.
What a run found to be otherwise (merges and splits) is added and never removed: merged ids are aliases for good.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from schemacast.episode import without_surrogates
from schemacast.graph import By, Decision, Named, Revision, Verdict
from schemacast.matching.model import Weights
from schemacast.resolution.matches import Learned
from schemacast.workspace.episodes import now
from schemacast.workspace.file import WorkspaceFile

LEAST_ROWS = 1000
"""Weights that were learned from fewer rows are learned anew by each run, for few records teach little."""


class Decided(NamedTuple):
    """One row: a record, what it was found to be, and since when."""

    source_id: str
    ref: str
    entity: str
    by: By
    score: float
    when: str | None


class Decisions:
    """The decisions of a workspace."""

    def __init__(self, file: WorkspaceFile) -> None:
        self._file = file

    def all(self) -> list[Decision | Revision | Verdict]:
        """Everything that resolution is given: a person's placements last, so that they stand."""
        rows = self._file.rows(
            "SELECT decisions.source_id, ref, entity, by, score FROM decisions JOIN episodes USING (source_id)"
            " WHERE withdrawn IS NULL ORDER BY by = 'person', decisions.source_id, ref"
        )
        placed = [Decision(((source_id, ref),), entity, by, score) for source_id, ref, entity, by, score in rows]
        return [*placed, *self.revisions(), *(verdict for verdict, undone in self.verdicts() if undone is None)]

    def of(self, entity: str) -> Iterator[Decided]:
        """What was decided about the records of an entity."""
        query = (
            "SELECT decisions.source_id, ref, entity, by, score, decided FROM decisions JOIN episodes USING (source_id)"
            " WHERE entity = ? AND withdrawn IS NULL ORDER BY decisions.source_id, ref, by"
        )
        for row in self._file.rows(query, (entity,)):
            yield Decided(*row)

    def replace(self, decisions: Iterable[Decision]) -> None:
        """Keep these as the decisions of the last run; part of a transaction of the caller's."""
        self._file.execute(
            "CREATE TEMP TABLE IF NOT EXISTS made (source_id TEXT, ref TEXT, entity TEXT, by TEXT, score REAL,"
            " PRIMARY KEY (source_id, ref, by)) WITHOUT ROWID"
        )
        self._file.execute("DELETE FROM made")
        self._file.many(
            "INSERT OR REPLACE INTO made VALUES (?, ?, ?, ?, ?)",
            (
                (source_id, without_surrogates(ref), decision.entity, decision.by, decision.score)
                for decision in decisions
                for source_id, ref in decision.records
            ),
        )
        self._file.execute(
            "DELETE FROM decisions WHERE by <> 'person' AND source_id IN"
            " (SELECT source_id FROM episodes WHERE withdrawn IS NULL)"
            " AND NOT EXISTS (SELECT 1 FROM made WHERE made.source_id = decisions.source_id"
            " AND made.ref = decisions.ref AND made.by = decisions.by AND made.entity = decisions.entity)"
        )
        self._file.execute(
            "INSERT INTO decisions SELECT source_id, ref, entity, by, score, ? FROM made WHERE true"
            " ON CONFLICT (source_id, ref, by) DO UPDATE SET score = excluded.score"
            " WHERE score <> excluded.score",
            (now(),),
        )
        self._file.execute("DELETE FROM made")

    def place(self, source_id: str, ref: str, entity: str) -> None:
        """A person says which entity a record is."""
        self._file.execute(
            "INSERT OR REPLACE INTO decisions VALUES (?, ?, ?, 'person', 1.0, ?)", (source_id, ref, entity, now())
        )

    def take_back(self, source_id: str, ref: str) -> bool:
        """A person no longer says so; whether one had."""
        query = "DELETE FROM decisions WHERE source_id = ? AND ref = ? AND by = 'person'"
        return self._file.execute(query, (source_id, ref)) > 0

    def add_revisions(self, revisions: Iterable[Revision]) -> tuple[Revision, ...]:
        """Add what a run found to be otherwise, as made now."""
        made = tuple(replace(each, when=now()) for each in revisions)
        self._file.many(
            "INSERT INTO revisions (kind, type, entity, others, by, score, decided) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                (each.kind, each.type, each.entity, json.dumps(each.others), each.by, each.score, each.when)
                for each in made
            ),
        )
        return made

    def revisions(self) -> list[Revision]:
        """Every merge and split so far, in the order they were found."""
        rows = self._file.rows("SELECT kind, type, entity, others, by, score, decided FROM revisions ORDER BY id")
        return [
            Revision(kind, name, entity, tuple(json.loads(others)), by, score, when)
            for kind, name, entity, others, by, score, when in rows
        ]

    def say(self, verdict: Verdict) -> int:
        """Keep what a person said; its number."""
        sides = json.dumps(verdict.sides, ensure_ascii=False)
        self._file.execute(
            "INSERT INTO verdicts (kind, type, sides, said) VALUES (?, ?, ?, ?)",
            (verdict.kind, verdict.type, sides, now()),
        )
        return int(self._file.value("SELECT last_insert_rowid()"))

    def undo(self, number: int) -> bool:
        """Let a verdict stand no longer; False when there is none of that number that stands."""
        query = "UPDATE verdicts SET undone = ? WHERE number = ? AND undone IS NULL"
        return self._file.execute(query, (now(), number)) > 0

    def verdicts(self) -> list[tuple[Verdict, str | None]]:
        """Everything that people said, each with when it was undone."""
        rows = self._file.rows("SELECT number, kind, type, sides, said, undone FROM verdicts ORDER BY number")
        return [
            (Verdict(kind, name, _sides(sides), number, said), undone)
            for number, kind, name, sides, said, undone in rows
        ]

    def forget(self, source_id: str) -> None:
        """Erase what is kept about the records of a source, and weights, whose frequent words may be its words."""
        self._file.execute("DELETE FROM decisions WHERE source_id = ?", (source_id,))
        for verdict, _ in self.verdicts():
            rest = tuple(tuple(named for named in side if named.source_id != source_id) for side in verdict.sides)
            if rest != verdict.sides:
                text = json.dumps(rest, ensure_ascii=False)
                self._file.execute("UPDATE verdicts SET sides = ? WHERE number = ?", (text, verdict.number))
        self._file.execute("DELETE FROM weights")

    def weights(self) -> dict[str, Learned]:
        """What was learned of each type, and is used until it is learned anew; not what another release wrote."""
        held: dict[str, Learned] = {}
        for name, text, count, signature in self._file.rows("SELECT type, weights, rows, signature FROM weights"):
            with suppress(ValueError):
                held[name] = Learned(Weights.from_json(json.loads(text)), count, signature)
        return held

    def keep_weights(self, learned: Iterable[tuple[str, Learned]]) -> None:
        """Keep what a run learned from enough rows; part of a transaction of the caller's."""
        self._file.many(
            "INSERT OR REPLACE INTO weights VALUES (?, ?, ?, ?, ?)",
            (
                (name, each.signature, each.rows, json.dumps(each.weights.to_json(), ensure_ascii=False), now())
                for name, each in learned
                if each.rows >= LEAST_ROWS
            ),
        )


def _sides(text: str) -> tuple[tuple[Named, ...], ...]:
    return tuple(tuple(Named(*named) for named in side) for side in json.loads(text))
