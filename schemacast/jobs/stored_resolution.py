"""The graph that a workspace says: its record graphs resolved with the decisions and weights that it keeps.

Everything is resolved anew each time, with what was decided before: ids stand, what people said stands, and what
was learned is used until someone asks to learn it anew. What comes out is kept only by the caller's `keep`, in
the transaction that also says what leaves for a store.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from schemacast.graph import Graph, Revision
from schemacast.resolution.known import Known
from schemacast.resolution.resolve import Resolver
from schemacast.resolution.slots import Slot
from schemacast.schema.model import Schema
from schemacast.uncollected import uncollected
from schemacast.workspace.decisions import Decisions
from schemacast.workspace.episodes import Episodes
from schemacast.workspace.file import WorkspaceFile
from schemacast.workspace.mentions import Mentions
from schemacast.workspace.reread import StoredGraphs

DISTINCT_WITHIN = "distinct_within"
"""The setting of a workspace that says what two records of one thing cannot have in common."""


class Places:
    """Where the records of each source stand while the graph is made: small, for there may be very many."""

    def __init__(self) -> None:
        self._kept: list[tuple[int, tuple[str, ...], tuple[Slot, ...]]] = []
        self._shared: dict[tuple[str, ...], tuple[str, ...]] = {}

    def keep(self, ident: int, slots: Mapping[str, Slot]) -> None:
        """Keep the slots of a source's records, by ref. Most sources call their records v1, v2, …"""
        refs = tuple(slots)
        self._kept.append((ident, self._shared.setdefault(refs, refs), tuple(slots.values())))

    def __iter__(self) -> Iterator[tuple[int, dict[str, str]]]:
        """Once the graph is made: each source with the ids of its records' entities, by ref."""
        for ident, refs, slots in self._kept:
            placed = zip(refs, slots, strict=True)
            yield ident, {ref: slot.id for ref, slot in placed if slot.id is not None}


class StoredResolution:
    """A workspace, resolved. Made by `resolve_stored`."""

    def __init__(self, file: WorkspaceFile, graphs: StoredGraphs, resolver: Resolver, places: Places) -> None:
        self._file = file
        self._places = places
        self.graphs = graphs
        self.resolver = resolver
        self.graph: Graph = resolver.graph()
        self.left_out: Mapping[str, int] = dict(graphs.left_out)

    def place(self) -> None:
        """Note which episodes speak of which entity, if it was resolved so that this can be told."""
        mentions = Mentions(self._file)
        for ident, entities in self._places:
            mentions.take(ident, entities)
        mentions.finish()

    def keep(self) -> tuple[Revision, ...]:
        """Keep decisions, revisions and weights; part of a transaction of the caller's."""
        decisions = Decisions(self._file)
        decisions.replace(each for each in self.graph.decisions if each.by != "person")
        decisions.keep_weights(self.resolver.learned.items())
        return decisions.add_revisions(self.graph.revisions)


def resolve_stored(
    file: WorkspaceFile,
    schema: Schema,
    sha: str,
    known: Known | None,
    *,
    place: bool = False,
    relearn: bool = False,
    explain: bool = False,
) -> StoredResolution:
    """Resolve what a workspace keeps. `sha` is the hash of `schema`, which is its present one.

    `place`: so that it can be noted which episodes speak of which entity.
    """
    decisions = Decisions(file)
    graphs = StoredGraphs(Episodes(file), schema, sha)
    resolver = Resolver(
        schema,
        known=known,
        decisions=decisions.all(),
        every_decision=True,
        weights={} if relearn else decisions.weights(),
        distinct_within=file.meta(DISTINCT_WITHIN),
        explain=explain,
    )
    places = Places()
    with uncollected():
        for ident, graph in graphs.numbered():
            slots = resolver.add(graph)
            if place:
                places.keep(ident, slots)
        resolver.graph()
    return StoredResolution(file, graphs, resolver, places)
