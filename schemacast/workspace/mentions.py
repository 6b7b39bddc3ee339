"""Which episodes speak of which entity, so that its groundings are found without resolving anything.

Rows are compared with what stood there, by a hash for each episode, so that a run writes only what changed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping

from schemacast.workspace.file import WorkspaceFile

BATCH = 500
_encode = json.JSONEncoder(sort_keys=True).encode


class Mentions:
    """The mentions of a workspace; `take` every counting episode, then `finish`."""

    def __init__(self, file: WorkspaceFile) -> None:
        self._file = file
        self._changed: list[tuple[int, bytes, Mapping[str, str]]] = []
        self._held: dict[int, bytes | None] | None = None

    def take(self, episode: int, entities: Mapping[str, str]) -> None:
        """What the records of an episode are: entity ids by ref."""
        if self._held is None:
            self._held = dict(self._file.rows("SELECT id, placed FROM episodes"))
        digest = hashlib.blake2b(_encode(entities).encode(), digest_size=8).digest()
        if self._held.get(episode) != digest:
            self._changed.append((episode, digest, entities))
            if len(self._changed) >= BATCH:
                self.finish()

    def finish(self) -> None:
        """Write what has been taken."""
        rows: list[tuple[str, int, str]] = []
        for episode, _, entities in self._changed:
            refs: dict[str, list[str]] = {}
            for ref, entity in entities.items():
                refs.setdefault(entity, []).append(ref)
            rows += [(entity, episode, _encode(names)) for entity, names in refs.items()]
        with self._file.transaction():
            self._file.many("DELETE FROM mentions WHERE episode = ?", [(each[0],) for each in self._changed])
            self._file.many("INSERT INTO mentions VALUES (?, ?, ?)", rows)
            self._file.many(
                "UPDATE episodes SET placed = ? WHERE id = ?", [(each[1], each[0]) for each in self._changed]
            )
        self._changed = []

    def entities(self, episode: int) -> dict[str, str]:
        """The entities that the records of an episode are, by ref."""
        rows = self._file.rows("SELECT entity, refs FROM mentions WHERE episode = ?", (episode,))
        return {ref: entity for entity, refs in rows for ref in json.loads(refs)}

    def of(self, entity: str) -> Iterator[tuple[int, list[str]]]:
        """The counting episodes that speak of an entity, with the refs of its records there."""
        for episode, refs in self._file.rows(
            "SELECT episode, refs FROM mentions JOIN episodes ON episodes.id = episode"
            " WHERE entity = ? AND withdrawn IS NULL ORDER BY episode",
            (entity,),
        ):
            yield episode, json.loads(refs)
