"""From what episodes state to which entities there are.

`resolve` is the whole of it: a function of the schema, the record graphs, what is known and people's
decisions, without a model call and without regard to the order of episodes. `Resolver` is the same in
steps, for a caller that streams: record graphs go in one by one and are not kept; afterwards it tells
for any of them which entity each record became.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from schemacast.errors import UsageError
from schemacast.graph import Decision, Graph
from schemacast.records import RecordGraph
from schemacast.resolution.fold import EdgeKeys, Folder
from schemacast.resolution.ids import edge_hash
from schemacast.resolution.keys import plain_values
from schemacast.resolution.known import Known, KnownGraph
from schemacast.resolution.settle import Settler
from schemacast.resolution.slots import Slot
from schemacast.schema.model import EdgeId, Schema


@dataclass(frozen=True, slots=True)
class Placement:
    """Where an episode's statements went: entity ids by ref, and edge ids by position of the relation.

    A staged record has no entry; a relation that is held has None.
    """

    entities: Mapping[str, str]
    edges: tuple[str | None, ...]


def resolve(
    schema: Schema,
    record_graphs: Iterable[RecordGraph],
    *,
    known: Known | Graph | None = None,
    decisions: Iterable[Decision] | None = None,
) -> Graph:
    """The graph that `record_graphs` state.

    `known` is a store or an earlier graph: its entities are found by id, key and alternate, their
    values count as stated before all others, and what is not touched is not in the result. `decisions`
    are earlier ones and people's: they keep the ids of entities without a key, and place records.
    Raises UnknownNameError for a record whose type or property the schema lacks, UsageError for what holds
    no record graphs.
    """
    if not isinstance(record_graphs, Iterable):
        raise UsageError(f"give resolve the record graphs (result.graphs), not a {type(record_graphs).__name__}")
    resolver = Resolver(schema, known=known, decisions=decisions)
    for record_graph in record_graphs:
        resolver.add(record_graph)
    return resolver.graph()


class Resolver:
    """Resolution in steps: `add` every record graph, then `graph` once, then `place` as often as wanted.

    With `every_decision` the graph's decisions also hold records that are alone in their entity, so that a later
    run, which is given them, keeps every id.
    """

    def __init__(
        self,
        schema: Schema,
        *,
        known: Known | Graph | None = None,
        decisions: Iterable[Decision] | None = None,
        every_decision: bool = False,
    ) -> None:
        self._schema = schema
        self._known = KnownGraph(known, schema) if isinstance(known, Graph) else known
        decided = {
            record: (decision.entity, decision.by == "person")
            for decision in decisions or ()
            for record in decision.records
        }
        self._folder = Folder(schema, decided)
        self._every_decision = every_decision
        self._graph: Graph | None = None

    def add(self, graph: RecordGraph) -> Mapping[str, Slot]:
        """Take what one episode states; nothing of it is kept but what it adds.

        Gives the slots of its records by ref; once the graph is made, each one's `id` is that of its entity, None
        when its records are staged. A record that can never be placed has no slot.
        """
        if self._graph is not None:
            raise UsageError("the graph is made already; use a new Resolver")
        return self._folder.add(graph)

    def graph(self) -> Graph:
        """The graph of all that was added."""
        if self._graph is None:
            self._graph = Settler(self._folder, self._known, self._every_decision).graph()
        return self._graph

    def place(self, graph: RecordGraph) -> Placement:
        """Which entity each record of an episode became, which edge each relation. Needs a graph made by `graph`.

        `graph` must be one that was added; it is read again, so that nothing has to be kept for it.
        """
        resolved = self.graph()
        slots = self._folder.slots_of(graph)
        entities = {ref: slot.id for ref, slot in slots.items() if slot.id is not None}
        edges = edge_ids(self._schema, graph, entities, self._folder.edge_types)
        return Placement(entities, tuple(ident if ident in resolved.edges else None for ident in edges))


def edge_ids(
    schema: Schema, graph: RecordGraph, entities: Mapping[str, str], known: Mapping[EdgeId, EdgeKeys] | None = None
) -> list[str | None]:
    """The ids of the edges that an episode's relations are, its records being these `entities`, by ref.

    None where an end is no entity. `known` are the keys of edge types that have been made already.
    """
    ids: list[str | None] = []
    for relation in graph.relations:
        source, target = entities.get(relation.source), entities.get(relation.target)
        if source is None or target is None:
            ids.append(None)
            continue
        keys = known[relation.edge_id] if known else EdgeKeys(schema.edges[relation.edge_id])
        read = keys.key.read(plain_values(relation.props)) if keys.type.key else ()
        ids.append(edge_hash(schema.name, relation.edge_id, *keys.ends(source, target), read, relation.stance))
    return ids
