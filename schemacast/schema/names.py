"""Names as people and models write them, and what they mean in a schema.

`WORKS_AT`, `worksAt` and `works at` are one name: case and the separators between words do not count,
except a separator between two digits (`step_1_1` is not `step_11`). A schema in which two names or
synonyms fold together is refused at load, so one dictionary look-up decides what a name means. A
relation is looked up with the direction it is meant in, because an `inverse` synonym names the same
edge read from its target.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from schemacast.errors import nearest
from schemacast.schema.model import EdgeId, EdgeType, Property, Schema, VertexType

Named = TypeVar("Named", VertexType, Property)
SEPARATORS = re.compile(r"(?:(?<=\d)([_\-\s\u00ad\u2010-\u2015]+)(?=\d))|[_\-\s\u00ad\u2010-\u2015]+")


def fold_name(name: str) -> str:
    """The name without case and separators; equal for names that mean the same."""
    if name.isascii():
        folded = name.casefold()
    else:  # caseless as Unicode defines it, so that folding is stable
        folded = unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())
    return SEPARATORS.sub(_between_digits, folded)


def _between_digits(found: re.Match[str]) -> str:
    return "_" if found[1] else ""


@dataclass(frozen=True, slots=True)
class RelationMatch:
    """An edge type that a name may mean; `reversed` when the name reads from target to source."""

    edge: EdgeType
    reversed: bool


class Names:
    """What names mean in one schema. A name needed mending when it is not the name of what was found."""

    def __init__(self, schema: Schema) -> None:
        self._vertices = _index(schema.vertices)
        self._owners: dict[str | EdgeId, dict[str, Property]] = {}
        for vertex in schema.vertices.values():
            self._owners[vertex.name] = _index(vertex.properties)
        for edge in schema.edges.values():
            self._owners[edge.id] = _index(edge.properties)
        self._relations = _relations(schema)
        self._types = tuple(schema.vertices)
        self._relation_names = tuple(schema.relations)

    def vertex_type(self, name: str) -> VertexType | None:
        """The vertex type of this name: exactly, by case and separators, or as a synonym."""
        return self._vertices.get(name) or self._vertices.get(fold_name(name))

    def property(self, owner: VertexType | EdgeType, name: str) -> Property | None:
        """The property of a vertex or edge type, found the same way; the owner must be of this schema."""
        index = self._owners[owner.name if isinstance(owner, VertexType) else owner.id]
        return index.get(name) or index.get(fold_name(name))

    def relation(self, name: str) -> tuple[RelationMatch, ...]:
        """Every edge type that the name may mean, those of that relation first; the ends decide."""
        found = self._relations.get(name)
        return self._relations.get(fold_name(name), ()) if found is None else found

    def unknown(self, types: Iterable[str], relations: Iterable[str]) -> str | None:
        """What is to be said of the first vertex type, else relation, that no name means; None when all mean one."""
        for name in types:
            if self.vertex_type(name) is None:
                return f"the schema has no vertex type {name!r}{nearest(name, self._types)}"
        for name in relations:
            if not self.relation(name):
                return f"the schema has no relation {name!r}{nearest(name, self._relation_names)}"
        return None


def _index(named: Mapping[str, Named]) -> dict[str, Named]:
    """Names first, then their folded forms, then synonyms: the earlier reading stands."""
    index = dict(named)
    for name, thing in named.items():
        index.setdefault(fold_name(name), thing)
    for thing in named.values():
        for synonym in thing.synonyms:
            index.setdefault(synonym, thing)
            index.setdefault(fold_name(synonym), thing)
    return index


def _relations(schema: Schema) -> dict[str, tuple[RelationMatch, ...]]:
    forward = [RelationMatch(edge, reversed=False) for edge in schema.edges.values()]
    backward = [RelationMatch(edge, reversed=not edge.symmetric) for edge in schema.edges.values()]
    terms = [
        *((match.edge.id.relation, match) for match in forward),
        *((synonym, match) for match in forward for synonym in match.edge.synonyms),
        *((inverse, match) for match in backward for inverse in match.edge.inverse),
    ]
    by_fold: dict[str, list[RelationMatch]] = {}
    seen: set[tuple[str, EdgeId, bool]] = set()
    for term, match in terms:
        place = (fold_name(term), match.edge.id, match.reversed)
        if place not in seen:
            seen.add(place)
            by_fold.setdefault(place[0], []).append(match)
    index = {folded: tuple(matches) for folded, matches in by_fold.items()}
    return index | {term: index[fold_name(term)] for term, _ in terms}
