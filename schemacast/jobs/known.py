"""What a store knew before this workspace, asked once for each thing.

Resolution asks a store which entity a key or an alternate means, and which entities records are to be compared
with. What this workspace wrote itself is not asked for: it follows from the workspace, and would otherwise
support itself for ever. What others wrote is taken as found when this workspace first joins it, and kept, so
that the graph stays a function of what is kept here.
Only what identifies an entity is taken, never its other values: these are others' to state and to withdraw.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

from schemacast.adapters import Adapter
from schemacast.graph import Edge, Entity, Graph, Lookup, entity_from_json, entity_to_json
from schemacast.resolution.match_keys import MatchKey
from schemacast.schema.model import Schema, VertexType
from schemacast.workspace.journal import Journal


class Foreign:
    """A store as resolution asks it: what is not from this workspace. Fulfils `resolution.known.Known`.

    Without an `adapter` it is what is kept of the store. `workspace` is this workspace's id.
    """

    def __init__(self, adapter: Adapter | None, journal: Journal, schema: Schema, workspace: str) -> None:
        self._adapter = adapter
        self._journal = journal
        self._schema = schema
        self._workspace = workspace
        self._met: dict[str, Entity] = {}
        self._identifying = {name: _identifying(kind) for name, kind in schema.vertices.items()}

    def entities(self, ids: Iterable[str]) -> dict[str, Entity]:
        """The entities with these ids; of those that this workspace wrote nothing but the id."""
        asked = list(ids)
        ours = self._journal.ours("entity", asked)
        found = {ident: Entity(ident, "") for ident in ours}
        found.update((ident, self._key_only(entity)) for ident, entity in self._kept(ours).items())
        others = [ident for ident in asked if ident not in ours]
        if others and self._adapter is not None:
            answers = self._adapter.entities(others)
            written = self._journal.ours("entity", [entity.id for entity in answers.values()])
            kept = self._kept(written)
            for ident, entity in answers.items():
                if entity.id in written:  # under an alias, which counts when it was there before us
                    mine = kept.get(entity.id)
                    mine = mine if mine is not None and ident in mine.aliases else None
                else:
                    mine = self._meet(entity)
                if mine is not None:
                    found[ident] = self._key_only(mine)
        return found

    def look_up(self, lookups: Sequence[Lookup]) -> list[list[Entity]]:
        """For each question the entities of others that answer it."""
        if self._adapter is None:
            return [[] for _ in lookups]
        answers = self._adapter.look_up(lookups)
        ours = self._journal.ours("entity", [entity.id for found in answers for entity in found])
        kept = self._kept(ours)
        known: list[list[Entity]] = []
        for found in answers:
            here = (kept.get(entity.id) if entity.id in ours else self._meet(entity) for entity in found)
            known.append([self._key_only(entity) for entity in here if entity is not None])
        return known

    def edges(self, ids: Iterable[str]) -> dict[str, Edge]:  # noqa: ARG002
        """None: an edge's id says all that identifies it."""
        return {}

    def of_type(self, type: str) -> Iterator[Entity]:
        """The entities of others, with all that they are compared by; of those joined before, as they were then."""
        others = [] if self._adapter is None else list(self._adapter.of_type(type, besides=self._workspace))
        ours = self._journal.ours("entity", [entity.id for entity in others])
        for entity in others:
            mine = None if entity.id in ours else self._meet(entity)
            if mine is not None:
                yield mine
        for item in self._journal.all_found("entity"):
            kept = self._read(item)
            if kept is not None and kept.type == type:
                yield kept

    def joined(self, graph: Graph) -> list[tuple[str, object]]:
        """What was found and is now in the graph, to be kept."""
        return [
            (ident, entity_to_json(entity, self._schema))
            for ident, entity in self._met.items()
            if ident in graph.entities
        ]

    def _kept(self, ids: Iterable[str]) -> dict[str, Entity]:
        read = ((ident, self._read(item)) for ident, item in self._journal.found("entity", sorted(ids)))
        return {ident: entity for ident, entity in read if entity is not None}

    def _read(self, item: object) -> Entity | None:
        """What was kept of an entity, as the present schema sees it."""
        node = cast("dict[str, Any]", item)
        declared = self._schema.vertices.get(node["type"])
        if declared is None:
            return None
        props = {name: value for name, value in node["props"].items() if name in declared.properties}
        return entity_from_json({**node, "props": props}, self._schema)

    def _meet(self, entity: Entity) -> Entity | None:
        parts = self._identifying.get(entity.type)
        if parts is None:
            return None
        mine = replace(entity, props={name: value for name, value in entity.props.items() if name in parts})
        self._met[entity.id] = mine
        return mine

    def _key_only(self, entity: Entity) -> Entity:
        """An entity with its key, which is all that is taken over of what others state."""
        parts = self._schema.vertices[entity.type].key.properties
        return replace(entity, props={name: value for name, value in entity.props.items() if name in parts})


def _identifying(kind: VertexType) -> frozenset[str]:
    """The properties by which records of a type are told from each other."""
    if kind.key.kind == "match":
        return frozenset(MatchKey(kind).names)
    return frozenset(kind.key.properties)
