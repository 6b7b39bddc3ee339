"""Where a workspace's texts state an entity or edge of the graph: sources with their quotes.

Entities are found through the mentions that the last write noted, edges through those of their source.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from schemacast.graph import Edge, Entity
from schemacast.refusals import StatedAt, stated_at
from schemacast.resolution.resolve import edge_ids
from schemacast.schema.model import Schema
from schemacast.workspace.episodes import Episodes
from schemacast.workspace.file import WorkspaceFile
from schemacast.workspace.mentions import Mentions
from schemacast.workspace.reread import StoredGraphs


class StatedPlaces:
    """The places of a workspace whose present schema is `schema`; called as `refusals.Places`."""

    def __init__(self, file: WorkspaceFile, schema: Schema, sha: str) -> None:
        self._file = file
        self._schema = schema
        self._graphs = StoredGraphs(Episodes(file), schema, sha)
        self._mentions = Mentions(file)

    def __call__(self, item: Entity | Edge, property: str | None) -> Iterator[StatedAt]:
        """The places of an entity or edge, or of one of its properties."""
        if isinstance(item, Entity):
            for episode, refs in self._mentions.of(item.id):
                yield from self._stated(episode, property, refs=refs)
            return
        for episode, _ in self._mentions.of(item.source):
            graph = self._graphs.of(episode)
            if graph is not None:
                ids = edge_ids(self._schema, graph, self._mentions.entities(episode))
                items = [position for position, ident in enumerate(ids) if ident == item.id]
                if items:
                    yield from self._stated(episode, property, items=items)

    def _stated(
        self, episode: int, property: str | None, *, refs: Sequence[str] = (), items: Sequence[int] = ()
    ) -> Iterator[StatedAt]:
        text = self._file.value("SELECT groundings FROM outcomes WHERE episode = ?", (episode,))
        found = list(stated_at(json.loads(text or "[]"), refs=refs, items=items, property=property))
        if found:
            yield from found
        else:
            yield StatedAt(self._file.value("SELECT source_id FROM episodes WHERE id = ?", (episode,)))
