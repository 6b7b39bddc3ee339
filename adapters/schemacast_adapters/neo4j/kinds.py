"""A vertex type or edge type as the store sees it: its names in Cypher, what is indexed, what is compared.

Made once per adapter, so that writing an item looks nothing up. Look-ups compare folded texts; where an
item's values differ from their folded form, that form is kept beside them in a property of its own (a
`Fold`), which has an index like the values themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from schemacast.errors import UsageError
from schemacast.schema.comparable import Equality
from schemacast.schema.model import EdgeId, EdgeType, Property, Schema, VertexType
from schemacast.schema.stored import PARTIAL_SUFFIX
from schemacast_adapters.neo4j.names import ALIASES, HAS_ALIASES, RESERVED, STANCE, fold_name, kind_prefix, quoted

_PLAIN: dict[str, type] = {"string": str, "integer": int, "number": float, "boolean": bool}


@dataclass(frozen=True, slots=True)
class Fold:
    """Properties that are looked up together, and the property that keeps their folded form."""

    names: tuple[str, ...]
    equality: Equality
    stored_as: str

    @classmethod
    def of(cls, names: tuple[str, ...], equality: Equality) -> Fold:
        ordered = tuple(sorted(names))
        return cls(ordered, equality, fold_name(ordered, equality))


@dataclass(frozen=True, slots=True)
class Columns:
    """The declared properties of a type, and how they stand in the store."""

    declared: Mapping[str, Property]
    stored: frozenset[str]
    """Every name under which one of them may stand."""
    plain: Mapping[str, type]
    """Of those with one value of a type that needs no conversion, the type in Python."""
    converted: bool
    """Whether one has a type whose values stand in the store otherwise than in memory."""
    dated: bool
    """Whether one has dates, of which those known in part stand apart."""

    @classmethod
    def of(cls, declared: Mapping[str, Property]) -> Columns:
        dated = [each.name for each in declared.values() if each.type in ("date", "datetime")]
        stored = frozenset((*declared, *(name + PARTIAL_SUFFIX for name in dated)))
        for name in stored:
            if name.startswith(RESERVED):
                raise UsageError(f"{name!r} cannot be a property in Neo4j: names that begin with {RESERVED!r} are ours")
            quoted(name)
        plain = {each.name: _PLAIN[each.type] for each in declared.values() if each.type in _PLAIN and not each.many}
        converted = bool(dated) or any(each.type == "number" for each in declared.values())
        return cls(declared, stored, plain, converted, bool(dated))


@dataclass(frozen=True, slots=True)
class Kind:
    """What vertex types and edge types have in common. `prefix` begins the content hash of every item."""

    name: str
    quoted: str
    prefix: str
    columns: Columns

    @property
    def content(self) -> list[str]:
        """Every name that the content of an item may have, in the order of a row that creates one."""
        return [*sorted(self.columns.stored), STANCE]


@dataclass(frozen=True, slots=True)
class VertexKind(Kind):
    """A vertex type. `key` is what a node of someone else is recognized by; empty when nothing does."""

    type: VertexType
    key: tuple[str, ...]
    unique_key: bool
    indexed: tuple[tuple[str, ...], ...]
    folds: tuple[Fold, ...]

    @property
    def content(self) -> list[str]:
        """Every name that the content of a node may have, in the order of a row that creates one."""
        folded = [fold.stored_as for fold in self.folds]
        return [*sorted(self.columns.stored), STANCE, ALIASES, HAS_ALIASES, *folded]


@dataclass(frozen=True, slots=True)
class EdgeKind(Kind):
    """An edge type, and the vertex types at its ends."""

    edge_id: EdgeId
    source: VertexKind
    target: VertexKind


@dataclass(frozen=True, slots=True)
class Kinds:
    """The types of a schema."""

    vertices: Mapping[str, VertexKind]
    edges: Mapping[EdgeId, EdgeKind]

    @classmethod
    def of(cls, schema: Schema) -> Kinds:
        """Raises UsageError for a name that Neo4j cannot hold."""
        vertices = {name: _vertex_kind(schema, each) for name, each in schema.vertices.items()}
        edges = {edge_id: _edge_kind(schema, each, vertices) for edge_id, each in schema.edges.items()}
        return cls(vertices, edges)

    def relations(self) -> list[EdgeKind]:
        """One edge type of each relationship type."""
        return list({kind.quoted: kind for kind in self.edges.values()}.values())


def _vertex_kind(schema: Schema, vertex: VertexType) -> VertexKind:
    key = vertex.key.properties
    recognized = key if vertex.key.kind == "plain" and not vertex.within else ()
    equality: Equality = "match" if vertex.key.kind == "match" else "key"
    tuples = [(key, equality)] if key else []
    tuples += [(names, "key") for names in vertex.alternates]
    folds = {fold.stored_as: fold for fold in (Fold.of(names, how) for names, how in tuples)}
    return VertexKind(
        vertex.name,
        quoted(vertex.name),
        kind_prefix(schema.name, vertex.name),
        Columns.of(vertex.properties),
        type=vertex,
        key=recognized,
        unique_key=len(recognized) == 1 and not vertex.stances,
        indexed=tuple(dict.fromkeys(names for names in (key, *vertex.alternates) if names)),
        folds=tuple(folds.values()),
    )


def _edge_kind(schema: Schema, edge: EdgeType, vertices: Mapping[str, VertexKind]) -> EdgeKind:
    return EdgeKind(
        edge.id.relation,
        quoted(edge.id.relation),
        kind_prefix(schema.name, *edge.id),
        Columns.of(edge.properties),
        edge_id=edge.id,
        source=vertices[edge.id.source],
        target=vertices[edge.id.target],
    )
