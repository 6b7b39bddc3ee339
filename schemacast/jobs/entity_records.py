"""The entities of a resolved workspace as a person names them, and the records that they are made of."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import islice

from schemacast.errors import UnknownNameError, UsageError, nearest
from schemacast.graph import Named
from schemacast.jobs.stored_resolution import StoredResolution
from schemacast.records import Record
from schemacast.schema.model import Schema, VertexType

SHOWN = 5
MOST_NAMES, LONGEST = 20_000, 100
"""Among how many names, of how many characters at most, the nearest one is looked for."""


@dataclass(frozen=True, slots=True)
class Held:
    """A record of the workspace, and the entity that it is; None when it is staged.

    `follows`: it is a surname alone, which is whoever has the full name in its text.
    """

    source_id: str
    record: Record
    entity: str | None
    named: Named
    follows: bool = False


class EntityRecords:
    """A resolved workspace, asked for entities by type and key, or for single records."""

    def __init__(self, resolved: StoredResolution, schema: Schema, where: str) -> None:
        self.resolved = resolved
        self._schema = schema
        self._where = where

    def type(self, name: str) -> VertexType:
        """A vertex type. Raises UnknownNameError for one that the schema lacks."""
        kind = self._schema.vertices.get(name)
        if kind is None:
            raise UnknownNameError(f"the schema has no vertex type {name!r}{nearest(name, self._schema.vertices)}")
        return kind

    def find(self, kind: VertexType, key: str) -> list[str]:
        """The entities that have a key: an id, an id that was merged, or the parts of the key joined by `|`.

        Parts may be left out at the end or left empty. Raises UnknownNameError when there are none.
        """
        graph = self.resolved.graph
        found = [entity.id for entity in graph.of_type(kind.name) if key == entity.id or key in entity.aliases]
        names = kind.key.properties
        if not found and names:
            parts = [key] if len(names) == 1 else key.split("|")
            if not any(part.strip() for part in parts):
                raise UsageError(f"an empty key names no {kind.name}; give its {'|'.join(names)}, or an id")
            if len(parts) > len(names):
                raise UsageError(f"the key of a {kind.name} has {len(names)} parts, joined by |: {'|'.join(names)}")
            found = self.resolved.resolver.stating(kind.name, dict(zip(names, parts, strict=False)))
        if not found:
            near = self._near(kind, key)
            raise UnknownNameError(f"{self._where}: no {kind.name} in the graph has the key {key!r}{near}")
        return found

    def _near(self, kind: VertexType, key: str) -> str:
        """The nearest of the names that there are, as the end of a message."""
        name = kind.key.properties[0] if kind.key.properties else None
        stated = (entity.props.get(name) for entity in self.resolved.graph.of_type(kind.name)) if name else ()
        names = [value for value in islice(stated, MOST_NAMES) if isinstance(value, str) and len(value) <= LONGEST]
        near = nearest(key.split("|")[0], names)
        return near if "did you mean" in near else ""

    def only(self, kind: VertexType, key: str) -> str:
        """The one entity with a key. Raises UsageError, naming them, when there are several."""
        found = self.find(kind, key)
        if len(found) > 1:
            shown = ", ".join(found[:SHOWN]) + (" …" if len(found) > SHOWN else "")
            raise UsageError(f"{len(found)} {kind.name} entities have the key {key!r}: {shown}; give one of these ids")
        return found[0]

    def of(self, kind: VertexType, ids: Collection[str]) -> list[Held]:
        """The records of some entities, in the order of their sources."""
        return [each for each in self._all(kind) if each.entity in ids]

    def at(self, kind: VertexType, name: str) -> list[Held]:
        """The records of a type that `SOURCE_ID` or `SOURCE_ID#REF` names, staged ones too."""
        here = list(self._all(kind))
        exact = [each for each in here if f"{each.source_id}#{each.record.ref}" == name]
        return exact or [each for each in here if each.source_id == name]

    def _all(self, kind: VertexType) -> list[Held]:
        resolver = self.resolved.resolver
        made = self.resolved.graph.decisions
        follow = {record for decision in made if decision.by == "surname" for record in decision.records}
        held: list[Held] = []
        for graph in self.resolved.graphs:
            records = [record for record in graph.records if record.type == kind.name]
            placed = resolver.place(graph).entities if records else {}
            for record in records:
                named = Named(graph.source_id, record.ref, resolver.digest(record))
                follows = (graph.source_id, record.ref) in follow
                held.append(Held(graph.source_id, record, placed.get(record.ref), named, follows))
        return held
