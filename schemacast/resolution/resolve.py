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
from schemacast.resolution.fold import Folder
from schemacast.resolution.ids import edge_hash
from schemacast.resolution.keys import plain_values
from schemacast.resolution.known import Known, KnownGraph
from schemacast.resolution.matches import Learned, Matches
from schemacast.resolution.settle import Settler
from schemacast.resolution.verdicts import Earlier, key_digest
from schemacast.schema.model import Schema


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

    def add(self, graph: RecordGraph) -> None:
        """Take what one episode states; nothing of it is kept but what it adds."""
        if self._graph is not None:
            raise UsageError("the graph is made already; use a new Resolver")
        self._folder.add(graph)

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
        edges: list[str | None] = []
        for relation in graph.relations:
            source, target = entities.get(relation.source), entities.get(relation.target)
            ident = None
            if source is not None and target is not None:
                keys = self._folder.edge_types[relation.edge_id]
                ends = keys.ends(source, target)
                read = keys.key.read(plain_values(relation.props)) if keys.type.key else ()
                ident = edge_hash(self._schema.name, relation.edge_id, *ends, read, relation.stance)
            edges.append(ident if ident in resolved.edges else None)
        return Placement(entities, tuple(edges))


def check_distinct(schema: Schema, name: str | None) -> None:
    """Raises UnknownNameError for a `distinct_within` that no record can have."""
    declared = {each for kind in schema.vertices.values() if kind.key.kind == "match" for each in kind.properties}
    if name is not None and name != "source_id" and name not in declared:
        near = nearest(name, [*declared, "source_id"])
        raise UnknownNameError(f"distinct_within: no type with a `match` key has a property {name!r}{near}")
