"""The schema as the rest of the project sees it: vertex types, edge types, properties and keys.

These are plain frozen values without any reading or checking of files: `load` builds them from
YAML and is the only place that knows the short forms. An edge type is identified by its `EdgeId`,
the source type, the target type and the relation together; one relation may join several pairs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple

from schemacast.schema.values import Scalar

if TYPE_CHECKING:
    from schemacast.schema.names import Names

PropertyType = Literal["string", "integer", "number", "boolean", "date", "datetime", "time"]
MatchKind = Literal["exact", "code", "name", "text", "number", "date", "auto"]
Keep = Literal["latest", "first", "all"]
KeyKind = Literal["plain", "match", "minted"]
Stance = Literal["negated", "planned", "hedged"]

PROPERTY_TYPES: tuple[PropertyType, ...] = ("string", "integer", "number", "boolean", "date", "datetime", "time")
MATCH_KINDS: tuple[MatchKind, ...] = ("exact", "code", "name", "text", "number", "date", "auto")
KEEPS: tuple[Keep, ...] = ("latest", "first", "all")
STANCES: tuple[Stance, ...] = ("negated", "planned", "hedged")


class EdgeId(NamedTuple):
    """What identifies an edge type."""

    source: str
    target: str
    relation: str

    def __str__(self) -> str:
        return f"{self.source}-{self.relation}->{self.target}"


class KeyPart(NamedTuple):
    """One property of a key; an optional part may be absent, and absence is a value of its own."""

    property: str
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Key:
    """How a vertex type is identified: by its parts, by their likeness, or not at all (minted).

    `threshold`, of a `match` key: how sure it must be, between 0 and 1, that two records are one;
    None leaves it to matching.
    """

    kind: KeyKind
    parts: tuple[KeyPart, ...] = ()
    threshold: float | None = None

    @property
    def properties(self) -> tuple[str, ...]:
        return tuple(part.property for part in self.parts)


@dataclass(frozen=True, slots=True)
class EnumValue:
    """A value a property may take, and the other forms a text uses for it."""

    value: Scalar
    forms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Property:
    """A property of a vertex type or an edge type. `many` makes its value a list."""

    name: str
    type: PropertyType = "string"
    many: bool = False
    description: str = ""
    synonyms: tuple[str, ...] = ()
    enum: tuple[EnumValue, ...] = ()
    pattern: str | None = None
    minimum: Scalar | None = None
    maximum: Scalar | None = None
    unit: str | None = None
    required: bool = False
    verbatim: bool = True
    bound: bool = False
    match: MatchKind | None = None
    veto: bool | None = None
    keep: Keep = "latest"


@dataclass(frozen=True, slots=True)
class VertexType:
    """A type of vertex. `within` names relations whose other end owns a vertex of this type."""

    name: str
    key: Key
    description: str = ""
    synonyms: tuple[str, ...] = ()
    alternates: tuple[tuple[str, ...], ...] = ()
    within: tuple[str, ...] = ()
    stances: tuple[Stance, ...] = ()
    properties: Mapping[str, Property] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def identifying(self) -> tuple[str, ...]:
        """Every property of the key and of the alternates, each once, in that order."""
        names = [*self.key.properties, *(name for alternate in self.alternates for name in alternate)]
        return tuple(dict.fromkeys(names))


@dataclass(frozen=True, slots=True)
class EdgeType:
    """A type of edge. Edges of one type between one pair stay apart when their `key` values differ."""

    id: EdgeId
    description: str = ""
    synonyms: tuple[str, ...] = ()
    inverse: tuple[str, ...] = ()
    symmetric: bool = False
    key: tuple[KeyPart, ...] = ()
    stances: tuple[Stance, ...] = ()
    properties: Mapping[str, Property] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Defaults:
    """What holds where neither the episode nor the command says otherwise. `timezone` is an IANA name."""

    locale: str | None = None
    timezone: str = "UTC"


@dataclass(frozen=True, slots=True)
class Example:
    """A worked reply shown to the model. `reply` is the reply object as in `spec`: vertices, edges."""

    text: str
    reply: Mapping[str, object]
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Schema:
    """A whole schema. `vertices` and `edges` keep the order of the file."""

    name: str
    version: str = "1.0.0"
    description: str = ""
    instructions: str = ""
    defaults: Defaults = Defaults()
    examples: tuple[Example, ...] = ()
    vertices: Mapping[str, VertexType] = field(default_factory=lambda: MappingProxyType({}))
    edges: Mapping[EdgeId, EdgeType] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def ref(self) -> str:
        """`<name>@<version>`, as groundings and record graphs carry it."""
        return f"{self.name}@{self.version}"

    @cached_property
    def relations(self) -> Mapping[str, tuple[EdgeType, ...]]:
        """The edge types of each relation, in file order."""
        found: dict[str, list[EdgeType]] = {}
        for edge in self.edges.values():
            found.setdefault(edge.id.relation, []).append(edge)
        return MappingProxyType({relation: tuple(edges) for relation, edges in found.items()})

    @cached_property
    def names(self) -> Names:
        """What names mean in this schema: exactly, by case and separators, or as synonyms."""
        from schemacast.schema.names import Names

        return Names(self)

    def owners(self, vertex_type: str) -> tuple[EdgeType, ...]:
        """The edge types through which a vertex of this type is identified (its `within`), in order.

        Of each, the end that is not `vertex_type` is the owner; of a self-relation it is the source.
        """
        within = self.vertices[vertex_type].within
        return tuple(
            edge for relation in within for edge in self.relations.get(relation, ()) if vertex_type in edge.id[:2]
        )

    def to_yaml(self) -> str:
        """The schema as YAML that loads back equal."""
        from schemacast.schema.dump import dump_schema

        return dump_schema(self)
