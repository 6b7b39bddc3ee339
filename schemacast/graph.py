"""The resolved graph: entities and edges with their ids, and what could not be placed.

A graph is what resolution gives and an adapter writes. It holds no evidence: groundings stay
alongside, keyed by episode and ref. Nothing staged is ever written to a store. Its JSON form is
`graph.json`, NetworkX's node-link form; `Graph.to_json` and `from_json` are the only writer and
reader of that form. A `Lookup` is how resolution asks a store what it knows already.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from schemacast.errors import UnknownNameError, nearest
from schemacast.schema.comparable import Equality
from schemacast.schema.model import EdgeId, Property, Schema
from schemacast.schema.stored import props_from_json, props_to_json, split_partial
from schemacast.schema.values import Json, Scalar, Value, to_json

StagedReason = Literal["partial_key", "no_key", "unmatched", "ambiguous", "keyless_reference", "held"]


@dataclass(frozen=True, slots=True)
class Entity:
    """One vertex of the graph. `aliases` are ids it had before a merge; look-ups follow them."""

    id: str
    type: str
    props: Mapping[str, Value] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    stance: str | None = None


@dataclass(frozen=True, slots=True)
class Edge:
    """One edge of the graph; `source` and `target` are entity ids."""

    id: str
    edge_id: EdgeId
    source: str
    target: str
    props: Mapping[str, Value] = field(default_factory=dict)
    stance: str | None = None


@dataclass(frozen=True, slots=True)
class Staged:
    """A record, or a relation between records, that could not be placed, and why.

    `held`: it waits for something staged: a relation for one of its ends, a record for its owner. For a
    relation `ref` is `<source ref>-><target ref>` and `type` its relation. `candidates` are ids of
    entities it may be, the likeliest first.
    """

    source_id: str
    ref: str
    type: str
    reason: StagedReason
    values: Mapping[str, Value] = field(default_factory=dict)
    candidates: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Json]:
        """The object that stands on a line of `staged.jsonl`."""
        return {
            "source_id": self.source_id,
            "ref": self.ref,
            "type": self.type,
            "reason": self.reason,
            "values": {name: to_json(value) for name, value in self.values.items()},
            "candidates": list(self.candidates),
        }


By = Literal["equal", "alternate", "likeness", "surname", "join", "person"]
"""By what records are one: equal keys, an equal alternate, likeness, a surname that its episode explains, a person's
`join`. `person`: a person placed the record on this very entity."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Records, each a (source id, ref), found to be one entity. `by` says how, `score` how surely."""

    records: tuple[tuple[str, str], ...]
    entity: str
    by: By
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class Revision:
    """What a run found to be otherwise than the runs before it.

    `merge`: `others` had been entities of their own and are aliases of `entity` from now on. `split`: some
    records of `entity` are of `others` now. `by` and `score` are those of what decided it; `when` is set when
    it is kept.
    """

    kind: Literal["merge", "split"]
    type: str
    entity: str
    others: tuple[str, ...]
    by: By
    score: float
    when: str = field(default="", compare=False)

    def to_json(self) -> dict[str, Json]:
        """The object that reports hold."""
        return {
            "kind": self.kind,
            "type": self.type,
            "entity": self.entity,
            "others": list(self.others),
            "by": self.by,
            "score": round(self.score, 6),
            "when": self.when or None,
        }


class Named(NamedTuple):
    """A record that a person spoke of. `key` is the digest of its key, so that it is found under another ref."""

    source_id: str
    ref: str
    key: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a person said about records of one type; it stands against every score until it is undone.

    `join`: all of them are one entity. `split`: those of each side are one, and not the entity of those of another.
    Of verdicts that contradict each other the one with the greatest `number`, the last, stands.
    """

    kind: Literal["join", "split"]
    type: str
    sides: tuple[tuple[Named, ...], ...]
    number: int = 0
    when: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity that a staged record may be, with the properties that agree and those that contradict.

    `score` is the share of what both state that agrees.
    """

    entity: str
    score: float
    agrees: tuple[str, ...] = ()
    contradicts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lookup:
    """A question to a store: the entities of `type` whose properties equal all of `values`.

    `equality` says what equal means (`schemacast.schema.comparable`): as parts of a key or alternate,
    or as parts of a `match` key.
    """

    type: str
    values: Mapping[str, Scalar]
    equality: Equality = "key"


@dataclass(frozen=True, slots=True)
class Graph:
    """Entities and edges by id, in the order of their first statement, and what stayed out.

    `schema` is the schema its values are of; without it partial dates in rows are not told apart. `candidates`
    has, by (source id, ref) of a staged record, what it may be, best first. `names` has, by id, the forms of the
    name of an entity that is stated in several. `loops` counts by relation the edges that a merge would have
    turned into loops and that are left out.
    """

    schema_ref: str
    entities: Mapping[str, Entity] = field(default_factory=dict)
    edges: Mapping[str, Edge] = field(default_factory=dict)
    staged: tuple[Staged, ...] = ()
    decisions: tuple[Decision, ...] = ()
    revisions: tuple[Revision, ...] = ()
    candidates: Mapping[tuple[str, str], tuple[Candidate, ...]] = field(default_factory=dict)
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    loops: Mapping[str, int] = field(default_factory=dict)
    schema: Schema | None = field(default=None, compare=False, repr=False)

    def rows(self, type: str) -> list[dict[str, object]]:
        """The entities of one type as flat dicts: `_id`, `_type` and the properties.

        A date known only in part stands as text under `<name>_partial`, so that no column has two types.
        Raises UnknownNameError for a type that neither the graph nor its schema has.
        """
        declared = self.schema.vertices[type].properties if self.schema and type in self.schema.vertices else {}
        rows = [
            {"_id": entity.id, "_type": type, **_flat(entity.props, declared), **_stance(entity.stance)}
            for entity in self.of_type(type)
        ]
        if not rows and self.schema is not None and type not in self.schema.vertices:
            raise UnknownNameError(f"no vertex type {type!r}{nearest(type, self.schema.vertices)}")
        return rows

    def edge_rows(self, relation: str) -> list[dict[str, object]]:
        """The edges of one relation as flat dicts: `_id`, `_type`, `_source`, `_target` and the properties.

        Raises UnknownNameError for a relation that neither the graph nor its schema has.
        """
        rows = [
            {
                "_id": edge.id,
                "_type": relation,
                "_source": edge.source,
                "_target": edge.target,
                **_flat(edge.props, _edge_properties(self.schema, edge.edge_id)),
                **_stance(edge.stance),
            }
            for edge in self.edges.values()
            if edge.edge_id.relation == relation
        ]
        if not rows and self.schema is not None and relation not in self.schema.relations:
            raise UnknownNameError(f"no relation {relation!r}{nearest(relation, self.schema.relations)}")
        return rows

    def of_type(self, type: str) -> Iterator[Entity]:
        """The entities of one type."""
        return (entity for entity in self.entities.values() if entity.type == type)

    def to_json(self) -> dict[str, Json]:
        """The object of `graph.json`: node-link form, nodes and edges by id; what is staged is not in it."""
        schema = self.schema
        return {
            "directed": True,
            "multigraph": True,
            "graph": {"schema_ref": self.schema_ref},
            "nodes": [entity_to_json(self.entities[key], schema) for key in sorted(self.entities)],
            "edges": [edge_to_json(self.edges[key], schema) for key in sorted(self.edges)],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], schema: Schema) -> Graph:
        """Read back what `to_json` gave; values take the types that `schema` declares.

        Raises ValueError when it is no such object, or its types and properties are not of `schema`.
        """
        try:
            if not (data["directed"] and data["multigraph"]):
                raise ValueError("the graph is no directed multigraph")
            entities = [entity_from_json(node, schema) for node in data["nodes"]]
            edges = [edge_from_json(edge, schema) for edge in data["edges"]]
            schema_ref = data["graph"]["schema_ref"]
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"not a graph file of this kind ({type(error).__name__}: {error})") from error
        return cls(
            schema_ref=schema_ref,
            entities={entity.id: entity for entity in entities},
            edges={edge.id: edge for edge in edges},
            schema=schema,
        )


def entity_to_json(entity: Entity, schema: Schema | None) -> dict[str, Json]:
    """A node of `graph.json`."""
    declared = schema.vertices[entity.type].properties if schema and entity.type in schema.vertices else {}
    return {
        "id": entity.id,
        "type": entity.type,
        "props": props_to_json(entity.props, declared),
        "aliases": list(entity.aliases),
        "stance": entity.stance,
    }


def entity_from_json(node: Mapping[str, Any], schema: Schema) -> Entity:
    """Read back a node. Raises ValueError for what is not of `schema`, KeyError for what is no node."""
    if node["type"] not in schema.vertices:
        raise ValueError(f"the schema has no vertex type {node['type']!r}")
    return Entity(
        id=_text(node["id"]),
        type=node["type"],
        props=props_from_json(node["props"], schema.vertices[node["type"]].properties),
        aliases=tuple(_text(alias) for alias in node["aliases"]),
        stance=None if node["stance"] is None else _text(node["stance"]),
    )


def edge_to_json(edge: Edge, schema: Schema | None) -> dict[str, Json]:
    """An edge of `graph.json`; its `key`, which keeps parallel edges apart, is its id."""
    return {
        "source": edge.source,
        "target": edge.target,
        "key": edge.id,
        "edge_id": list(edge.edge_id),
        "props": props_to_json(edge.props, _edge_properties(schema, edge.edge_id)),
        "stance": edge.stance,
    }


def edge_from_json(item: Mapping[str, Any], schema: Schema) -> Edge:
    """Read back an edge. Raises like `entity_from_json`."""
    edge_id = EdgeId(*item["edge_id"])
    if edge_id not in schema.edges:
        raise ValueError(f"the schema has no edge type {edge_id}")
    return Edge(
        id=_text(item["key"]),
        edge_id=edge_id,
        source=_text(item["source"]),
        target=_text(item["target"]),
        props=props_from_json(item["props"], schema.edges[edge_id].properties),
        stance=None if item["stance"] is None else _text(item["stance"]),
    )


def _text(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError(f"{value!r} stands where an id or a stance belongs")
    return value


def _edge_properties(schema: Schema | None, edge_id: EdgeId) -> Mapping[str, Property]:
    return schema.edges[edge_id].properties if schema and edge_id in schema.edges else {}


def _flat(props: Mapping[str, Value], declared: Mapping[str, Property]) -> dict[str, object]:
    split = split_partial(props, declared)
    return {name: list(value) if isinstance(value, tuple) else value for name, value in split.items()}


def _stance(stance: str | None) -> dict[str, object]:
    return {"stance": stance} if stance else {}
