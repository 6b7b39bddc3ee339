"""What has been written where: the journal of one store.

Before a change leaves for the store, the ids that it touches are in doubt, and that is on the disk; after the
store has taken it, their hashes say what it holds. A job that dies in between leaves the doubt, and the next
one writes those again, which changes nothing where they had arrived. What was removed stays listed, so that
a store restored from an older copy can be rid of it again.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from schemacast.workspace.file import WorkspaceFile

Kind = Literal["entity", "edge"]
DOUBT = b""
_NUMBER: Mapping[Kind, int] = {"entity": 0, "edge": 1}
UNKNOWN = 0
"""The number that no store has."""
ADDRESS = "address of "
"""What the name of a setting begins with that holds the address by which a store was last reached."""


class Journal:
    """The journal of the store at `place`. `address` is how it is reached now; without one it is only looked at.

    A store that is only looked at is not noted: one that the workspace does not know reads as a new one.
    """

    def __init__(self, file: WorkspaceFile, place: str, address: str | None = None) -> None:
        self._file = file
        if address is not None:
            if file.meta(ADDRESS + place) != address:
                file.set_meta(ADDRESS + place, address)
            if self._noted(place) is None:
                file.execute("INSERT OR IGNORE INTO stores (place) VALUES (?)", (place,))
        self._store: int = self._noted(place) or UNKNOWN

    def _noted(self, place: str) -> int | None:
        ident: int | None = self._file.value("SELECT id FROM stores WHERE place = ?", (place,))
        return ident

    @property
    def version(self) -> int:
        """The version of the workspace that the store has in full; -1 before the first."""
        version = self._file.value("SELECT version FROM stores WHERE id = ?", (self._store,))
        return -1 if version is None else int(version)

    @property
    def has_doubts(self) -> bool:
        """Whether something was begun whose end is not known, or refused."""
        query = "SELECT 1 FROM written WHERE store = ? AND hash = x'' LIMIT 1"
        return self._file.value(query, (self._store,)) is not None

    def held(self, kind: Kind) -> Iterator[tuple[str, bytes]]:
        """Id and hash of all that the store holds or may hold, by id."""
        yield from self._file.rows(
            "SELECT id, hash FROM written WHERE store = ? AND kind = ? AND hash NOT NULL ORDER BY id",
            (self._store, _NUMBER[kind]),
        )

    def removed(self, kind: Kind) -> Iterator[str]:
        """Ids that were removed from the store."""
        query = "SELECT id FROM written WHERE store = ? AND kind = ? AND hash IS NULL ORDER BY id"
        yield from (row[0] for row in self._file.rows(query, (self._store, _NUMBER[kind])))

    def ever(self, kind: Kind) -> Iterator[str]:
        """Every id that was ever written to the store, by id."""
        query = "SELECT id FROM written WHERE store = ? AND kind = ? ORDER BY id"
        yield from (row[0] for row in self._file.rows(query, (self._store, _NUMBER[kind])))

    @property
    def is_new(self) -> bool:
        """Whether nothing was ever written to this store, as far as the workspace knows."""
        return self._file.value("SELECT 1 FROM written WHERE store = ? LIMIT 1", (self._store,)) is None

    def elsewhere(self, kind: Kind) -> Iterator[str]:
        """Every id that was ever written to any other store. A new one may be a copy of it, or the same, moved."""
        query = "SELECT DISTINCT id FROM written WHERE store <> ? AND kind = ? ORDER BY id"
        yield from (row[0] for row in self._file.rows(query, (self._store, _NUMBER[kind])))

    def ours(self, kind: Kind, ids: Sequence[str]) -> set[str]:
        """Those of `ids` that this workspace wrote, or may have written."""
        found: set[str] = set()
        for start in range(0, len(ids), 500):
            some = ids[start : start + 500]
            marks = ",".join("?" * len(some))
            found.update(
                row[0]
                for row in self._file.rows(
                    f"SELECT id FROM written WHERE store = ? AND kind = ? AND hash NOT NULL AND id IN ({marks})",
                    (self._store, _NUMBER[kind], *some),
                )
            )
        return found

    def sample(self, kind: Kind, count: int) -> list[str]:
        """Some of the ids that the store is known to hold: the first, and as many from anywhere."""
        query = "SELECT id FROM written WHERE store = ? AND kind = ? AND id >= ? AND length(hash) > 0 LIMIT ?"
        starts = ("", f"{random.getrandbits(128):032x}")
        found = (self._file.rows(query, (self._store, _NUMBER[kind], start, count)) for start in starts)
        return sorted({row[0] for rows in found for row in rows})

    def doubt(self, kind: Kind, ids: Iterable[str]) -> None:
        """A change of these is about to leave for the store."""
        self._put(kind, ((ident, DOUBT) for ident in ids))

    def doubt_all(self) -> None:
        """Nothing is known any more about what the store holds."""
        with self._file.transaction(durable=True):
            self._file.execute("UPDATE written SET hash = x'' WHERE store = ? AND hash NOT NULL", (self._store,))
            self._file.execute("UPDATE stores SET version = -1 WHERE id = ?", (self._store,))

    def arrived(self, kind: Kind, hashes: Iterable[tuple[str, bytes]]) -> None:
        """The store holds these."""
        self._put(kind, hashes)

    def gone(self, kind: Kind, ids: Iterable[str]) -> None:
        """The store has removed these."""
        self._put(kind, ((ident, None) for ident in ids))
        self._file.many(
            "DELETE FROM found WHERE store = ? AND kind = ? AND id = ?",
            ((self._store, _NUMBER[kind], ident) for ident in ids),
        )

    def complete(self, version: int) -> None:
        """The store has all that the workspace said at `version`."""
        self._file.execute("UPDATE stores SET version = ? WHERE id = ?", (version, self._store))

    def keep_found(self, kind: Kind, items: Iterable[tuple[str, object]]) -> None:
        """Keep what the store held before this workspace wrote to it, as JSON objects."""
        self._file.many(
            "INSERT OR IGNORE INTO found VALUES (?, ?, ?, ?)",
            (
                (self._store, _NUMBER[kind], ident, json.dumps(item, ensure_ascii=False, sort_keys=True))
                for ident, item in items
            ),
        )

    def found(self, kind: Kind, ids: Iterable[str]) -> Iterator[tuple[str, object]]:
        """What was kept so, of these ids."""
        if self._file.value("SELECT 1 FROM found WHERE store = ? LIMIT 1", (self._store,)) is None:
            return
        for ident in ids:
            query = "SELECT item FROM found WHERE store = ? AND kind = ? AND id = ?"
            item = self._file.value(query, (self._store, _NUMBER[kind], ident))
            if item is not None:
                yield ident, json.loads(item)

    def all_found(self, kind: Kind) -> Iterator[object]:
        """Everything that was kept so and is still written, by id."""
        query = (
            "SELECT item FROM found JOIN written USING (store, kind, id)"
            " WHERE found.store = ? AND found.kind = ? AND hash NOT NULL ORDER BY found.id"
        )
        yield from (json.loads(row[0]) for row in self._file.rows(query, (self._store, _NUMBER[kind])))

    def _put(self, kind: Kind, rows: Iterable[tuple[str, bytes | None]]) -> None:
        self._file.many(
            "INSERT INTO written VALUES (?, ?, ?, ?) ON CONFLICT (store, kind, id) DO UPDATE SET hash = excluded.hash",
            ((self._store, _NUMBER[kind], ident, value) for ident, value in rows),
        )
