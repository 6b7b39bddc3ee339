"""From what episodes state to which entities there are.

`resolve` is the whole of it: a function of the schema, the record graphs, what is known and people's
decisions, without a model call and without regard to the order of episodes. `Resolver` is the same in
steps, for a caller that streams: record graphs go in one by one and are not kept; afterwards it tells
for any of them which entity each record became.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from schemacast.errors import UnknownNameError, UsageError, nearest
from schemacast.graph import Decision, Graph, Revision, Verdict
from schemacast.records import Record, RecordGraph
from schemacast.resolution.clusters import Matched
from schemacast.resolution.fold import EdgeKeys, Folder
from schemacast.resolution.ids import edge_hash
from schemacast.resolution.keys import plain_values
from schemacast.resolution.known import Known, KnownGraph
from schemacast.resolution.matches import Learned, Matches
from schemacast.resolution.settle import Settler
from schemacast.resolution.slots import Slot
from schemacast.resolution.verdicts import Earlier, key_digest
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
    decisions: Iterable[Decision | Revision | Verdict] | None = None,
    weights: Mapping[str, Learned] | None = None,
    distinct_within: str | None = None,
) -> Graph:
    """The graph that `record_graphs` state.

    `known` is a store or an earlier graph: its entities are found by id, key, alternate and likeness, their
    values count as stated before all others, and what is not touched is not in the result. `decisions`
    are earlier ones and people's: they keep the ids of entities without a key, and place, join and split
    records. `weights` are those of an earlier run, by type (`Resolver.learned`); without them they are learned
    from the records. `distinct_within` is a property, or `source_id`: two records with one value of it are two
    things. Raises UnknownNameError for a record whose type or property the schema lacks, UsageError for what holds
    no record graphs.
    """
    if not isinstance(record_graphs, Iterable):
        raise UsageError(f"give resolve the record graphs (result.graphs), not a {type(record_graphs).__name__}")
    resolver = Resolver(schema, known=known, decisions=decisions, weights=weights, distinct_within=distinct_within)
    for record_graph in record_graphs:
        resolver.add(record_graph)
    return resolver.graph()


class Resolver:
    """Resolution in steps: `add` every record graph, then `graph` once, then `place` as often as wanted.

    The options are those of `resolve`. With `every_decision` the graph's decisions also hold records that are alone
    in their entity, so that a later run, which is given them, keeps every id. With `explain` what was compared is
    kept, and `matched` has it by type.
    """

    def __init__(
        self,
        schema: Schema,
        *,
        known: Known | Graph | None = None,
        decisions: Iterable[Decision | Revision | Verdict] | None = None,
        every_decision: bool = False,
        weights: Mapping[str, Learned] | None = None,
        distinct_within: str | None = None,
        explain: bool = False,
    ) -> None:
        self._schema = schema
        self._known = KnownGraph(known, schema) if isinstance(known, Graph) else known
        check_distinct(schema, distinct_within)
        earlier = Earlier(decisions or ())
        self._folder = Folder(schema, earlier, distinct_within)
        self._matches = Matches(schema.name, self._known, earlier, weights or {}, every_decision, explain)
        self._graph: Graph | None = None

    @property
    def learned(self) -> Mapping[str, Learned]:
        """What the graph was made with, by `match` type: the weights that were given, or those learned."""
        self.graph()
        return self._matches.learned

    @property
    def outgrown(self) -> Mapping[str, int]:
        """The `match` types that have many times more rows than their weights were learned from, and how many."""
        self.graph()
        return self._matches.outgrown

    @property
    def matched(self) -> Mapping[str, Matched]:
        """What was compared, by `match` type; nothing without `explain`."""
        self.graph()
        return self._matches.matched

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
            self._graph = Settler(self._folder, self._known, self._matches).graph()
        return self._graph

    def stating(self, type: str, values: Mapping[str, str]) -> list[str]:
        """The entities of a type of which some record states these values of its key, compared as resolution does.

        `values` are texts as a person types them.
        """
        self.graph()
        slots = self._folder.types[type]
        wanted = slots.keys.typed(values)
        found: dict[str, None] = {}
        for slot in slots.slots.values():
            same = all(text is None or text == held for text, held in zip(wanted, slot.values, strict=False))
            if slot.id is not None and slot.kind in ("key", "match", "surname") and same:
                found[slot.id] = None
        return list(found)

    def digest(self, record: Record) -> str:
        """What a record's key is told again by, for a verdict."""
        return key_digest(self._folder.types[record.type].keys.key.read(plain_values(record.props)))

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


def check_distinct(schema: Schema, name: str | None) -> None:
    """Raises UnknownNameError for a `distinct_within` that no record can have."""
    declared = {each for kind in schema.vertices.values() if kind.key.kind == "match" for each in kind.properties}
    if name is not None and name != "source_id" and name not in declared:
        near = nearest(name, [*declared, "source_id"])
        raise UnknownNameError(f"distinct_within: no type with a `match` key has a property {name!r}{near}")
