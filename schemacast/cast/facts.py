"""What validation needs to know of a schema, worked out once for each schema object.

Names, identifying properties, stances, compiled patterns and enum forms do not change from reply to
reply, and looking them up is most of what reading an item costs. A schema has no hash, so its facts
are kept under its identity for as long as the schema lives. Facts of a type are built when a reply
first uses it: a large schema costs nothing for the types that a text does not speak of.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from schemacast.cast.listed import Listed
from schemacast.schema.model import EdgeType, Property, Schema, VertexType
from schemacast.schema.names import Names, RelationMatch
from schemacast.schema.patterns import compile_pattern


@dataclass(frozen=True, slots=True)
class PropertyFacts:
    """One property with its compiled pattern and enum forms."""

    prop: Property
    matches: Callable[[str], bool] | None
    listed: Listed | None

    @property
    def name(self) -> str:
        return self.prop.name


class OwnerFacts:
    """What a vertex type and an edge type have in common here: properties by any name, and stances."""

    __slots__ = ("_by_name", "_names", "name", "names", "owner", "stances")

    def __init__(self, owner: VertexType | EdgeType, name: str, names: Names) -> None:
        self.owner = owner
        self.name = name
        self.stances = frozenset(owner.stances)
        self._names = names
        self._by_name: dict[str, PropertyFacts] = {}
        self.names: Mapping[str, Property] = owner.properties

    def property(self, name: str) -> PropertyFacts | None:
        """The property of this name, exactly or by case, separators or synonym."""
        found = self._by_name.get(name)
        if found is None and (prop := self._names.property(self.owner, name)) is not None:
            found = self._by_name.get(prop.name) or _property_facts(prop)
            self._by_name[prop.name] = found
        return found


class VertexFacts(OwnerFacts):
    """A vertex type: also what identifies it."""

    __slots__ = ("identifying", "key", "minted", "needs_value", "required", "type")

    def __init__(self, type: VertexType, names: Names) -> None:
        super().__init__(type, type.name, names)
        self.type = type
        self.minted = type.key.kind == "minted"
        self.key = frozenset(type.key.properties)
        self.identifying = type.identifying
        optional = all(part.optional for part in type.key.parts)
        self.needs_value = bool(self.identifying) and not self.minted and not (optional and type.within)
        self.required = tuple(
            name for name, prop in type.properties.items() if prop.required and name not in self.identifying
        )


class EdgeFacts(OwnerFacts):
    """An edge type."""

    __slots__ = ("required", "type")

    def __init__(self, type: EdgeType, names: Names) -> None:
        super().__init__(type, type.id.relation, names)
        self.type = type
        self.required = tuple(name for name, prop in type.properties.items() if prop.required)


class SchemaFacts:
    """One schema's types by any name a reply may use."""

    __slots__ = ("_edges", "_names", "_vertices", "relations", "vertex_types")

    def __init__(self, schema: Schema) -> None:
        self._names = Names(schema)
        self._vertices: dict[str, VertexFacts] = {}
        self._edges: dict[int, EdgeFacts] = {}
        self.vertex_types = tuple(schema.vertices)
        self.relations = tuple(dict.fromkeys(edge.relation for edge in schema.edges))

    def vertex(self, name: str) -> VertexFacts | None:
        """The facts of the vertex type of this name, exactly or by case, separators or synonym."""
        found = self._vertices.get(name)
        if found is None and (vertex := self._names.vertex_type(name)) is not None:
            found = self._vertices.get(vertex.name) or VertexFacts(vertex, self._names)
            self._vertices[vertex.name] = found
        return found

    def relation(self, name: str) -> tuple[RelationMatch, ...]:
        """The edge types that a relation name may mean, with the direction it reads in."""
        return self._names.relation(name)

    def edge(self, type: EdgeType) -> EdgeFacts:
        """The facts of an edge type of this schema."""
        found = self._edges.get(id(type))
        if found is None:
            found = self._edges[id(type)] = EdgeFacts(type, self._names)
        return found


def _property_facts(prop: Property) -> PropertyFacts:
    return PropertyFacts(
        prop=prop,
        matches=compile_pattern(prop.pattern) if prop.pattern is not None else None,
        listed=Listed(prop.enum) if prop.enum else None,
    )


_facts: dict[int, tuple[weakref.ref[Schema], SchemaFacts]] = {}


def facts_of(schema: Schema) -> SchemaFacts:
    """The facts of a schema; built on the first call and kept while the schema is alive."""
    place = id(schema)
    entry = _facts.get(place)
    if entry is not None and entry[0]() is schema:
        return entry[1]
    facts = SchemaFacts(schema)
    _facts[place] = (weakref.ref(schema, lambda _: _facts.pop(place, None)), facts)
    return facts
