"""`qa verify`: whether the audit trail and the records are as they were written.

Every event's hash and place is computed again, and every record's hash, keys and run DAG; then the events are told
from the beginning, and what they leave must be what is stored: no record without its event, none missing, none in
another state. So any byte that was changed in either table shows. Where a source is still what it was, the
citations are compared with its characters too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from schemacast.corpus.index import source_root
from schemacast.errors import SchemaCastError
from schemacast.qa.audit import BURN, GENESIS, PURGE, RECORD, STATE, Event, event_at, events
from schemacast.qa.dag import verify_run_dag
from schemacast.qa.keys import cache_key, canonical_json, sha256_text
from schemacast.qa.store import Stored, tells_of
from schemacast.workspace.file import WorkspaceFile

KEY_PARTS = (
    "source_root",
    "question_hash",
    "model_profile_hash",
    "conversation_hash",
    "governance_policy_hash",
    "schema_version",
    "canonicalization_version",
    "chunking_version",
    "verifier_policy_hash",
)
"""The dimensions of a record's cache key, in their order."""


@dataclass(slots=True)
class Checked:
    """What a check found: `problems` in words, empty when all is well, and the last hash of each chain."""

    problems: list[str] = field(default_factory=list)
    heads: dict[str, str] = field(default_factory=dict)
    events: int = 0
    records: int = 0
    citations: int = 0

    @property
    def sound(self) -> bool:
        return not self.problems

    def to_json(self) -> dict[str, Any]:
        """The object that `qa verify --json` prints."""
        return {
            "sound": self.sound,
            "problems": self.problems,
            "heads": self.heads,
            "events": self.events,
            "records": self.records,
            "citations": self.citations,
        }


def check(file: WorkspaceFile, *, expect: str | None = None) -> Checked:
    """Check all of it; reads only. `expect`: the hash of an event that must be there, which shows a cut-off end."""
    found = Checked()
    told = _History(found)
    seen = False
    for event in events(file):
        found.events += 1
        if event is None:
            found.problems.append("audit trail: an event cannot be read")
        else:
            told.take(event)
            seen = seen or event.hash == expect
    if expect is not None and not seen:
        found.problems.append(
            f"audit trail: has no event with the hash {expect}; its end was cut off, or it is another"
        )
    _check_records(file, told, found)
    return found


def state_of(file: WorkspaceFile, stored: Stored) -> str:
    """A record's state; `stale` for a live one whose sources are no longer what they were, or no longer count, and
    `quarantined` for any that is not what the audit trail says was kept."""
    if was_changed(file, stored):
        return "quarantined"
    if stored.state != "live":
        return stored.state
    for source in stored.record["sources"]:
        if _text(file, source["source_id"], source["source_root"], counting=True) is None:
            return "stale"
    return "live"


def was_changed(file: WorkspaceFile, stored: Stored) -> bool:
    """Whether a record that was not erased is another than the one that its audit event tells of."""
    row = file.row("SELECT event, record FROM answers WHERE id = ? AND state <> 'purged'", (stored.id,))
    if row is None:
        return False
    event = event_at(file, stored.chain, row[0])
    return event is None or not tells_of(event, stored.id, row[1])


@dataclass(slots=True)
class _Told:
    """What the events say of one record."""

    chain: str
    seq: int
    cache_key: str
    record_hash: str
    run_dag_root: str
    state: str


class _History:
    """The events of all chains, one after the other."""

    def __init__(self, found: Checked) -> None:
        self.records: dict[int, _Told] = {}
        self._found = found
        self._next: dict[str, int] = {}

    def take(self, event: Event) -> None:
        problems, heads = self._found.problems, self._found.heads
        where = f"audit trail {event.chain!r}, event {event.seq}"
        if event.seq != self._next.get(event.chain, 0):
            problems.append(f"{where}: stands where event {self._next.get(event.chain, 0)} should")
        if event.prev != heads.get(event.chain, GENESIS):
            problems.append(f"{where}: does not follow the event before it")
        if event.hash != event.expected_hash:
            problems.append(f"{where}: was changed")
        heads[event.chain], self._next[event.chain] = event.hash, event.seq + 1
        try:
            self._apply(event, json.loads(event.payload))
        except (ValueError, LookupError, TypeError, AttributeError):
            problems.append(f"{where}: does not say what it should")

    def _apply(self, event: Event, payload: Mapping[str, Any]) -> None:
        ident = payload["answer"]
        if event.kind == RECORD:
            self.records[ident] = _Told(
                event.chain,
                event.seq,
                payload["cache_key"],
                payload["record_hash"],
                payload["run_dag_root"],
                payload["state"],
            )
        elif event.kind == BURN:
            del self.records[ident]
        elif event.kind == PURGE:
            self.records[ident].state = "purged"
        elif event.kind == STATE:
            self.records[ident].state = payload["to"]
        else:
            raise ValueError(event.kind)


def _check_records(file: WorkspaceFile, told: _History, found: Checked) -> None:
    left = dict(told.records)
    columns = ("id", "chain", "cache_key", "state", "event", "record")
    query = f"SELECT {', '.join(f'CAST({name} AS BLOB)' for name in columns)} FROM answers ORDER BY id"
    for row in file.rows(query):
        found.records += 1
        try:
            ident, chain, key, state, event, text = (bytes(value).decode() for value in row)
            said = left.pop(int(ident), None)
            number = int(event)
        except (UnicodeDecodeError, ValueError, TypeError):
            found.problems.append("answers: a record cannot be read")
            continue
        if said is None:
            found.problems.append(f"answer {ident}: no event tells of it")
            continue
        if (chain, number, state) != (said.chain, said.seq, said.state):
            found.problems.append(f"answer {ident}: its chain, event or state is not what the audit trail tells")
        found.problems += [f"answer {ident}: {problem}" for problem in _problems(file, key, state, text, said, found)]
    found.problems += [f"answer {ident}: is missing" for ident in left]


def _problems(file: WorkspaceFile, key: str, state: str, text: str, said: _Told, found: Checked) -> Iterator[str]:
    """What is wrong with one record."""
    if state == "purged":
        if key or text:
            yield "holds something, though it was erased"
        return
    if key != said.cache_key:
        yield "its cache key is not what the audit trail tells"
    if sha256_text(text) != said.record_hash:
        yield "its record was changed"
        return
    record = json.loads(text)
    if canonical_json(record) != text:
        yield "its record is not in canonical form"
    parts = record["keys"]
    if cache_key(*(parts[name] for name in KEY_PARTS)) != key or record["cache_key"] != key:
        yield "its cache key does not follow from its parts"
    if not verify_run_dag(record["run_dag"]) or record["run_dag"]["root"] != said.run_dag_root:
        yield "its run DAG does not hold"
    yield from _wrong_citations(file, record, found)


def _wrong_citations(file: WorkspaceFile, record: Mapping[str, Any], found: Checked) -> Iterator[str]:
    """Citations that are not what their source has there, of sources that are still what they were."""
    roots = {source["source_id"]: source["source_root"] for source in record["sources"]}
    texts: dict[str, str | None] = {}
    for citation in record["citations"]:
        name = citation["source_id"]
        if name not in texts:
            texts[name] = _text(file, name, roots.get(name))
        text = texts[name]
        if text is not None:
            found.citations += 1
            if text[citation["char_start"] : citation["char_end"]] != citation["quote"]:
                yield f"its citation of {name!r} is not what the source says"


def _text(file: WorkspaceFile, source_id: str, root: str | None, *, counting: bool = False) -> str | None:
    """The text of a source that has this fingerprint; None when it is not here, or no longer so."""
    query = "SELECT body FROM texts JOIN episodes ON id = episode WHERE source_id = ?"
    try:
        body = file.value(query + (" AND withdrawn IS NULL" if counting else ""), (source_id,))
        text = None if body is None else json.loads(body)["text"]
    except (SchemaCastError, ValueError, LookupError):
        return None
    return text if text is not None and source_root(source_id, text) == root else None
