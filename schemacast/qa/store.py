"""The record store: answers kept with all that decided them, found again by their cache key while they are live.

A record is one canonical JSON text; its hash stands in the audit event that tells of it. Two askers that miss at
the same time both ask, and the first to come back is kept, so that a question has one live record. A record whose
text does not have its hash is never reused: it is quarantined. Erasing a source erases every record that it was
among the sources of, cited or only shown, and leaves the audit trail whole.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from schemacast.episode import without_surrogates
from schemacast.errors import InputError, UnknownNameError, UsageError
from schemacast.qa.audit import BURN, PURGE, RECORD, STATE, Event, append, event_at, next_place
from schemacast.qa.keys import canonical_json, sha256_text
from schemacast.workspace.file import WorkspaceFile

State = Literal["live", "failed", "stale", "quarantined", "purged"]
SETTABLE: tuple[State, ...] = ("live", "stale", "quarantined")
"""The states that a person may give a record; `failed` and `purged` follow from what happened to it."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A record as it is kept. `event` is the hash of the audit event that told of it; `fresh`: kept just now."""

    id: int
    chain: str
    state: str
    record: Mapping[str, Any]
    event: str
    fresh: bool = False


def find_live(file: WorkspaceFile, chain: str, cache_key: str) -> Stored | None:
    """The live record under a key; one that was tampered with is quarantined and not given out."""
    row = file.row(
        "SELECT id, event, record FROM answers WHERE chain = ? AND cache_key = ? AND state = 'live'", (chain, cache_key)
    )
    if row is None:
        return None
    ident, seq, text = row
    event = event_at(file, chain, seq)
    if event is None or not tells_of(event, ident, text):
        set_state(file, ident, "quarantined", reason="its record does not have the hash that the audit trail tells")
        return None
    return Stored(ident, chain, "live", json.loads(text), event.hash)


def save(file: WorkspaceFile, record: Mapping[str, Any], *, state: Literal["live", "failed"] = "live") -> Stored:
    """Keep a record with its audit event. When its key has a live record already, that one, and nothing is kept."""
    chain, key = record["chain"], record["cache_key"]
    with file.transaction(durable=True):
        if state == "live":
            held = find_live(file, chain, key)
            if held is not None:
                return held
        text = without_surrogates(canonical_json(dict(record)))
        file.execute(
            "INSERT INTO answers (chain, cache_key, state, event, record) VALUES (?, ?, ?, ?, ?)",
            (chain, key, state, next_place(file, chain)[0], text),
        )
        ident: int = file.value("SELECT last_insert_rowid()")
        told = {
            "answer": ident,
            "cache_key": key,
            "record_hash": sha256_text(text),
            "run_dag_root": record["run_dag_root"],
            "audit_mode": record["audit_mode"],
            "state": state,
        }
        return Stored(ident, chain, state, json.loads(text), append(file, chain, RECORD, told), fresh=True)


def burn(file: WorkspaceFile, chain: str, cache_key: str) -> int:
    """Delete the live record under a key, with an audit event; how many there were, 0 or 1."""
    with file.transaction(durable=True):
        row = file.row(
            "SELECT id, record FROM answers WHERE chain = ? AND cache_key = ? AND state = 'live'", (chain, cache_key)
        )
        if row is None:
            return 0
        file.execute("DELETE FROM answers WHERE id = ?", (row[0],))
        append(file, chain, BURN, {"answer": row[0], "cache_key": cache_key, "record_hash": sha256_text(row[1])})
    return 1


def set_state(file: WorkspaceFile, ident: int, state: State, *, reason: str | None = None) -> None:
    """Give a record another state, with an audit event. Raises UnknownNameError, and UsageError for a state that is
    not given by hand, or a second live record under one key."""
    if state not in SETTABLE:
        raise UsageError(f"a record cannot be made {state!r}; known: {', '.join(SETTABLE)}")
    with file.transaction(durable=True):
        row = file.row("SELECT chain, cache_key, state FROM answers WHERE id = ?", (ident,))
        if row is None:
            raise UnknownNameError(f"{file.path}: has no answer {ident}")
        chain, key, before = row
        if before == "purged":
            raise UsageError(f"answer {ident} was erased with one of its sources; ask again")
        taken = file.value("SELECT id FROM answers WHERE chain = ? AND cache_key = ? AND state = 'live'", (chain, key))
        if state == "live" and taken not in (None, ident):
            raise UsageError(f"answer {taken} is the live one to this question; burn it or make it stale first")
        file.execute("UPDATE answers SET state = ? WHERE id = ?", (state, ident))
        append(file, chain, STATE, {"answer": ident, "from": before, "to": state, "reason": reason})


def get(file: WorkspaceFile, ident: int) -> Stored:
    """A record by its id. Raises UnknownNameError."""
    row = file.row("SELECT chain, state, event, record FROM answers WHERE id = ?", (ident,))
    if row is None:
        raise UnknownNameError(f"{file.path}: has no answer {ident}; `schemacast qa list` shows what there is")
    chain, state, seq, text = row
    event = event_at(file, chain, seq)
    return Stored(ident, chain, state, _read(file, ident, text), event.hash if event else "")


def every(file: WorkspaceFile) -> Iterator[Stored]:
    """All records, in the order they were made."""
    for ident, chain, state, text in file.rows("SELECT id, chain, state, record FROM answers ORDER BY id"):
        yield Stored(ident, chain, state, _read(file, ident, text), "")


def erase_answers(file: WorkspaceFile, source_id: str) -> int:
    """Erase the records that a purged source is among the sources of; part of a transaction of the caller's.

    A record that cannot be read any more may be one of them, and goes too.
    """
    erased = 0
    suspects = list(
        file.rows(
            "SELECT id FROM answers WHERE state <> 'purged' AND (instr(record, ?) OR NOT json_valid(record))",
            (json.dumps(source_id, ensure_ascii=False),),
        )
    )
    for (ident,) in suspects:
        chain, text = file.row("SELECT chain, record FROM answers WHERE id = ?", (ident,)) or ("", "")
        if _may_hold(text, source_id):
            file.execute("UPDATE answers SET state = 'purged', cache_key = '', record = '' WHERE id = ?", (ident,))
            append(file, chain, PURGE, {"answer": ident, "record_hash": sha256_text(text)})
            erased += 1
    return erased


def tells_of(event: Event, ident: int, text: str) -> bool:
    """Whether an event is the one by which this record, with this text, was stored, and is itself whole."""
    if event.kind != RECORD or event.hash != event.expected_hash:
        return False
    told = json.loads(event.payload)
    return bool(told.get("answer") == ident and told.get("record_hash") == sha256_text(text))


def _may_hold(text: str, source_id: str) -> bool:
    """Whether a record names a source; one that cannot be read may."""
    try:
        return any(source["source_id"] == source_id for source in json.loads(text)["sources"])
    except (ValueError, LookupError, TypeError):
        return True


def _read(file: WorkspaceFile, ident: int, text: str) -> dict[str, Any]:
    """A record's text as an object, empty when it was erased."""
    try:
        read = json.loads(text or "{}")
    except ValueError:
        read = None
    if not isinstance(read, dict):
        raise InputError(f"{file.path}: answer {ident} is damaged; `schemacast qa verify` tells what is")
    return read
