"""The audit trail: every change of the stored answers as an event that carries the hash of the one before.

An event's hash covers its chain, place, time, kind, payload and predecessor, so that one that is changed, left out
or moved breaks the chain from there on. Payloads hold hashes and numbers, never text, so that erasing a source
leaves its chain whole. What a chain cannot tell by itself is whether its end was cut off: who wants to know keeps
the hash of its last event elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from schemacast.qa.keys import canonical_json, hash_json
from schemacast.workspace.episodes import now
from schemacast.workspace.file import WorkspaceFile

GENESIS = "0" * 64
"""What stands for the predecessor of a chain's first event."""

RECORD, BURN, STATE, PURGE = "providence_record", "providence_burn", "providence_state", "providence_purge"
KINDS = (RECORD, BURN, STATE, PURGE)
"""An answer was stored; deleted to be asked anew; given another state; erased with a source."""

_VERSION = 1
_COLUMNS = ("chain", "seq", "at", "kind", "payload", "prev", "hash")


@dataclass(frozen=True, slots=True)
class Event:
    """One event as it is stored; `payload` is JSON text."""

    chain: str
    seq: int
    at: str
    kind: str
    payload: str
    prev: str
    hash: str

    @property
    def expected_hash(self) -> str:
        """The hash that follows from the rest."""
        return event_hash(self.chain, self.seq, self.at, self.kind, self.payload, self.prev)


def event_hash(chain: str, seq: int, at: str, kind: str, payload: str, prev: str) -> str:
    """SHA-256, as hex, of the canonical JSON of a list: version 1, chain, place, time, kind, payload, predecessor."""
    return hash_json([_VERSION, chain, seq, at, kind, payload, prev])


def append(file: WorkspaceFile, chain: str, kind: str, payload: Mapping[str, object]) -> str:
    """Add an event to a chain, as part of the transaction that changes what it tells of; its hash."""
    assert kind in KINDS
    seq, prev = next_place(file, chain)
    at, text = now(), canonical_json(dict(payload))
    made = event_hash(chain, seq, at, kind, text, prev)
    file.execute("INSERT INTO audit_events VALUES (?, ?, ?, ?, ?, ?, ?)", (chain, seq, at, kind, text, prev, made))
    return made


def next_place(file: WorkspaceFile, chain: str) -> tuple[int, str]:
    """Where the next event of a chain stands, and the hash of the one before."""
    last = file.row("SELECT seq, hash FROM audit_events WHERE chain = ? ORDER BY seq DESC LIMIT 1", (chain,))
    return (last[0] + 1, last[1]) if last else (0, GENESIS)


def event_at(file: WorkspaceFile, chain: str, seq: int) -> Event | None:
    """An event by its place."""
    row = file.row(f"SELECT {', '.join(_COLUMNS)} FROM audit_events WHERE chain = ? AND seq = ?", (chain, seq))
    return Event(*row) if row else None


def events(file: WorkspaceFile) -> Iterator[Event | None]:
    """Every event, chain by chain in order; None in place of one that is no event at all.

    Columns are read as bytes: SQLite keeps whatever it is given, and a damaged text must not end the reading.
    """
    columns = ", ".join(f"CAST({name} AS BLOB)" for name in _COLUMNS)
    for row in file.rows(f"SELECT {columns} FROM audit_events ORDER BY chain, seq"):
        try:
            chain, seq, *rest = (bytes(value).decode() for value in row)
            yield Event(chain, int(seq), *rest)
        except (UnicodeDecodeError, ValueError, TypeError):
            yield None
