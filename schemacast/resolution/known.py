"""What was known before a run: a store, or a graph from an earlier run, asked the same questions.

Resolution needs no more of a store than this protocol, which every adapter fulfils. A graph in memory
answers look-ups from indexes that are built when first asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from schemacast.graph import Edge, Entity, Graph, Lookup
from schemacast.schema.comparable import Equality, comparable_values
from schemacast.schema.model import Schema


class Known(Protocol):
    """What resolution asks of a store."""

    def look_up(self, lookups: Sequence[Lookup]) -> list[list[Entity]]:
        """For each question, in order, the entities that answer it, by id."""
        ...

    def entities(self, ids: Iterable[str]) -> dict[str, Entity]:
        """The entities with these ids, aliases followed; ids that are not known are left out."""
        ...

    def edges(self, ids: Iterable[str]) -> dict[str, Edge]:
        """The edges with these ids; ids that are not known are left out."""
        ...

    def of_type(self, type: str) -> Iterable[Entity]:
        """The entities of a type, which records of a `match` type are compared with."""
        ...


class KnownGraph:
    """A graph as a store to look things up in."""

    def __init__(self, graph: Graph, schema: Schema) -> None:
        self._graph = graph
        self._schema = schema
        self._aliases = {alias: entity for entity in graph.entities.values() for alias in entity.aliases}
        self._indexes: dict[tuple[str, tuple[str, ...], Equality], dict[tuple[str, ...], list[Entity]]] = {}

    def entities(self, ids: Iterable[str]) -> dict[str, Entity]:
        """The entities with these ids, aliases followed."""
        found = ((ident, self._graph.entities.get(ident) or self._aliases.get(ident)) for ident in ids)
        return {ident: entity for ident, entity in found if entity is not None}

    def edges(self, ids: Iterable[str]) -> dict[str, Edge]:
        """The edges with these ids."""
        return {ident: self._graph.edges[ident] for ident in ids if ident in self._graph.edges}

    def of_type(self, type: str) -> Iterable[Entity]:
        """The entities of a type."""
        return self._graph.of_type(type)

    def look_up(self, lookups: Sequence[Lookup]) -> list[list[Entity]]:
        """For each question the entities that answer it, by id."""
        answers = []
        for lookup in lookups:
            names = tuple(lookup.values)
            declared = self._schema.vertices[lookup.type].properties
            texts = comparable_values(declared, names, lookup.values, lookup.equality)
            index = self._index(lookup.type, names, lookup.equality)
            answers.append(index.get(texts, []) if texts is not None else [])
        return answers

    def _index(self, type: str, names: tuple[str, ...], equality: Equality) -> dict[tuple[str, ...], list[Entity]]:
        index = self._indexes.get((type, names, equality))
        if index is None:
            index = self._indexes[type, names, equality] = {}
            declared = self._schema.vertices[type].properties
            for ident in sorted(self._graph.entities):
                entity = self._graph.entities[ident]
                if entity.type == type:
                    texts = comparable_values(declared, names, entity.props, equality)
                    if texts is not None:
                        index.setdefault(texts, []).append(entity)
        return index
