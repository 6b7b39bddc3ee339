"""What a workspace keeps of each source: its text, the state of its last outcome, and what that gave.

An episode is registered as `waiting` before anything is asked about it, and an outcome replaces everything
that the one before it gave, in one transaction. So a source counts with what its last outcome said until the
next one is there. A withdrawn source keeps what it gave but no longer counts; a purged one keeps its name.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple

from pydantic_core import to_json

from schemacast.cast.outcome import Outcome
from schemacast.episode import Episode, without_surrogates
from schemacast.records import RecordGraph
from schemacast.workspace.file import WorkspaceFile

State = Literal["waiting", "ok", "empty", "partial", "failed"]
PRUNED = "pruned"
RECORDS_ONLY = "records"
"""The content of a source that came as a record graph, without its text."""
_FIELDS = (
    "id, source_id, content, state, cast_key, request, reason, message, attempt, replied, stale, withdrawn, pruned,"
    " purged"
)
_escaped = json.JSONEncoder(separators=(",", ":")).encode


def _encode(item: object) -> str:
    """JSON that is UTF-8. A lone surrogate that a model escaped in its reply stays escaped."""
    try:
        return to_json(item, inf_nan_mode="constants").decode()
    except ValueError:
        return _escaped(item)


class Row(NamedTuple):
    """One source. `cast_key`, `request` and `attempt` are those of its last outcome; `replied`: it had a reply."""

    id: int
    source_id: str
    content: str
    state: State
    cast_key: str | None
    request: str | None
    reason: str | None
    message: str | None
    attempt: int
    replied: int
    stale: int
    withdrawn: str | None
    pruned: int
    purged: int


@dataclass(frozen=True, slots=True)
class Ended:
    """What is kept of an outcome beside the outcome itself: by what it was decided."""

    cast_key: str
    request: str | None
    attempt: int
    replied: bool
    schema_sha: str
    model: str


def now() -> str:
    """The present moment as the workspace writes it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")[: -len("+00:00")] + "Z"


class Episodes:
    """The sources of a workspace."""

    def __init__(self, file: WorkspaceFile) -> None:
        self._file = file

    @property
    def file(self) -> WorkspaceFile:
        """Where they are."""
        return self._file

    def find(self, source_id: str) -> Row | None:
        """The row of a source."""
        found = self._file.row(f"SELECT {_FIELDS} FROM episodes WHERE source_id = ?", (source_id,))
        return Row(*found) if found else None

    def row(self, ident: int) -> Row:
        """The row with an id."""
        found = self._file.row(f"SELECT {_FIELDS} FROM episodes WHERE id = ?", (ident,))
        assert found is not None
        return Row(*found)

    def register(self, episode: Episode, content: str) -> int:
        """A new source, or new content of one: it waits to be cast. Its id."""
        self._file.execute(
            "INSERT INTO episodes (source_id, content, state) VALUES (?, ?, 'waiting') ON CONFLICT (source_id) DO"
            " UPDATE SET content = excluded.content, state = 'waiting', stale = 0, attempt = 0, withdrawn = NULL,"
            " why = NULL, pruned = 0, purged = 0",
            (episode.source_id, content),
        )
        ident: int = self._file.value("SELECT id FROM episodes WHERE source_id = ?", (episode.source_id,))
        self.set_text(ident, episode)
        return ident

    def set_text(self, ident: int, episode: Episode) -> None:
        """Keep the episode itself, and which other sources it has copies of."""
        body = episode.model_dump_json(by_alias=True, exclude_defaults=True)
        self._file.execute("INSERT OR REPLACE INTO texts VALUES (?, ?)", (ident, body))
        self._file.execute("DELETE FROM contexts WHERE episode = ?", (ident,))
        named = {item.source_id for item in episode.context}
        self._file.many("INSERT INTO contexts VALUES (?, ?)", ((name, ident) for name in sorted(named)))

    def wait_again(self, ident: int, *, attempt: int) -> None:
        """Let a source be asked about again; what it gave before stands until then."""
        self._file.execute("UPDATE episodes SET state = 'waiting', attempt = ? WHERE id = ?", (attempt, ident))

    def set_stale(self, ident: int, stale: bool) -> None:
        self._file.execute("UPDATE episodes SET stale = ? WHERE id = ?", (stale, ident))

    def episode(self, ident: int) -> Episode:
        """The episode as it was given last."""
        return Episode.model_validate_json(self._file.value("SELECT body FROM texts WHERE episode = ?", (ident,)))

    def commit(self, ident: int, outcome: Outcome, ended: Ended) -> None:
        """Replace what a source gave by an outcome."""
        file = self._file
        with file.transaction():
            file.execute(
                "UPDATE episodes SET state = ?, cast_key = ?, request = ?, reason = ?, message = ?, attempt = ?,"
                " replied = ?, stale = 0, schema = ?, model = ?, ended = ?, placed = NULL WHERE id = ?",
                (
                    outcome.status,
                    ended.cast_key,
                    ended.request,
                    outcome.reason,
                    outcome.message and without_surrogates(outcome.message),
                    ended.attempt,
                    ended.replied,
                    ended.schema_sha,
                    ended.model,
                    now(),
                    ident,
                ),
            )
            graph = None if outcome.graph is None else _encode(outcome.graph.to_json())
            if graph != file.value("SELECT graph FROM records WHERE episode = ?", (ident,)):
                file.execute("DELETE FROM decisions WHERE by <> 'person' AND source_id = ?", (outcome.source_id,))
                file.execute("DELETE FROM mentions WHERE episode = ?", (ident,))
                file.execute("DELETE FROM records WHERE episode = ?", (ident,))
                if graph is not None:
                    file.execute("INSERT INTO records VALUES (?, ?)", (ident, graph))
                file.touched()
            file.execute(
                "INSERT OR REPLACE INTO outcomes VALUES (?, ?, ?, ?, ?)",
                (
                    ident,
                    _encode(outcome.to_json()),
                    _encode(list(outcome.groundings)),
                    _encode([finding.to_json(outcome.source_id) for finding in outcome.findings]),
                    _encode([item.model_dump(mode="json") for item in outcome.unmapped]),
                ),
            )

    def put_records(self, graph: RecordGraph, schema_sha: str) -> bool:
        """Keep what a source says without its text; whether that is new. A withdrawn source stays as it is.

        An ingest that brings the text later casts it, since its content is another.
        """
        text = _encode(graph.to_json())
        row = self.find(graph.source_id)
        if row is not None and row.withdrawn:
            return False
        if row is not None and self._file.value("SELECT graph FROM records WHERE episode = ?", (row.id,)) == text:
            return False
        with self._file.transaction():
            self._file.execute(
                "INSERT INTO episodes (source_id, content, state) VALUES (?, ?, 'ok') ON CONFLICT (source_id) DO"
                " UPDATE SET content = excluded.content, state = 'ok', cast_key = NULL, request = NULL",
                (graph.source_id, RECORDS_ONLY),
            )
            ident = self._file.value("SELECT id FROM episodes WHERE source_id = ?", (graph.source_id,))
            self._file.execute("DELETE FROM decisions WHERE by <> 'person' AND source_id = ?", (graph.source_id,))
            for table in ("mentions", "outcomes"):
                self._file.execute(f"DELETE FROM {table} WHERE episode = ?", (ident,))
            self._file.execute("INSERT OR REPLACE INTO records VALUES (?, ?)", (ident, text))
            self._file.execute(
                "UPDATE episodes SET schema = ?, ended = ?, placed = NULL WHERE id = ?", (schema_sha, now(), ident)
            )
            self._file.touched()
        return True

    def counting(self) -> Iterator[tuple[int, str, str | None]]:
        """The record graphs that make the graph: id of the source, the graph's JSON, the schema it was cast with.

        In the order of their registration, so that a graph written twice has the same order.
        """
        yield from self._file.rows(
            "SELECT episodes.id, records.graph, episodes.schema FROM episodes JOIN records ON records.episode ="
            " episodes.id WHERE episodes.withdrawn IS NULL ORDER BY episodes.id"
        )

    def counted(self, ident: int) -> tuple[str, str | None] | None:
        """The record graph of one source, as JSON, and the schema it was cast with; None: it has none that counts."""
        return self._file.row(
            "SELECT records.graph, episodes.schema FROM episodes JOIN records ON records.episode = episodes.id"
            " WHERE episodes.id = ? AND episodes.withdrawn IS NULL",
            (ident,),
        )

    def unknown(self, source_ids: Iterable[str]) -> list[str]:
        """Those of `source_ids` that the workspace has never seen."""
        return [name for name in source_ids if self.find(name) is None]

    def withdraw(self, source_id: str, reason: str | None, *, pruned: bool = False) -> bool:
        """Let a source no longer count; whether it did until now."""
        changed = self._file.execute(
            "UPDATE episodes SET withdrawn = ?, why = ?, pruned = ? WHERE source_id = ? AND withdrawn IS NULL",
            (now(), reason and without_surrogates(reason), pruned, source_id),
        )
        if changed:
            self._file.touched()
        elif not pruned:
            # Said by a person now: it no longer comes back by itself when its file holds it again.
            self._file.execute(
                "UPDATE episodes SET pruned = 0, why = coalesce(?, why) WHERE source_id = ?",
                (reason and without_surrogates(reason), source_id),
            )
        return bool(changed)

    def reinstate(self, source_id: str) -> bool:
        """Let a withdrawn source count again; whether it was withdrawn. A purged one is as if never seen."""
        purged = self._file.execute("DELETE FROM episodes WHERE source_id = ? AND purged", (source_id,))
        changed = purged or self._file.execute(
            "UPDATE episodes SET withdrawn = NULL, why = NULL, pruned = 0 WHERE source_id = ? AND withdrawn NOT NULL",
            (source_id,),
        )
        if changed:
            self._file.touched()
        return bool(changed)

    def outcome(self, ident: int) -> Mapping[str, Any] | None:
        """What was kept of the last outcome, as JSON objects by name of their table."""
        found = self._file.row(
            "SELECT summary, groundings, quarantine, unmapped FROM outcomes WHERE episode = ?", (ident,)
        )
        if found is None:
            return None
        names = ("summary", "groundings", "quarantine", "unmapped")
        return {name: json.loads(text) for name, text in zip(names, found, strict=True)}
