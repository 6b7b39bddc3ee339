"""What a store knew before this workspace, asked once for each thing.

Resolution asks a store which entity a key or an alternate means. What this workspace wrote itself is not asked
for: it follows from the workspace, and would otherwise support itself for ever. What others wrote is taken as
found when this workspace first joins it, and kept, so that the graph stays a function of what is kept here.
Only what identifies an entity is taken, never its other values: these are others' to state and to withdraw.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, cast

from schemacast.adapters import Adapter
from schemacast.graph import Edge, Entity, Graph, Lookup, entity_from_json, entity_to_json
from schemacast.schema.model import Schema
from schemacast.workspace.journal import Journal


class Foreign:
    """A store as resolution asks it: what is not from this workspace. Fulfils `resolution.known.Known`."""

    def __init__(self, adapter: Adapter, journal: Journal, schema: Schema) -> None:
        self._adapter = adapter
        self._journal = journal
        self._schema = schema
        self._met: dict[str, Entity] = {}

    def entities(self, ids: Iterable[str]) -> dict[str, Entity]:
        """The entities with these ids; of those that this workspace wrote nothing but the id."""
        asked = list(ids)
        ours = self._journal.ours("entity", asked)
        found = {ident: Entity(ident, "") for ident in ours}
        found.update(self._kept(ours))
        others = [ident for ident in asked if ident not in ours]
        if others:
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
                    found[ident] = mine
        return found

    def look_up(self, lookups: Sequence[Lookup]) -> list[list[Entity]]:
        """For each question the entities of others that answer it."""
        answers = self._adapter.look_up(lookups)
        ours = self._journal.ours("entity", [entity.id for found in answers for entity in found])
        kept = self._kept(ours)
        known: list[list[Entity]] = []
        for found in answers:
            here = (kept.get(entity.id) if entity.id in ours else self._meet(entity) for entity in found)
            known.append([entity for entity in here if entity is not None])
        return known

    def edges(self, ids: Iterable[str]) -> dict[str, Edge]:  # noqa: ARG002
        """None: an edge's id says all that identifies it."""
        return {}

    def joined(self, graph: Graph) -> list[tuple[str, object]]:
        """What was found and is now in the graph, to be kept."""
        return [
            (ident, entity_to_json(entity, self._schema))
            for ident, entity in self._met.items()
            if ident in graph.entities
        ]

    def _kept(self, ids: Iterable[str]) -> dict[str, Entity]:
        kept = {}
        for ident, item in self._journal.found("entity", sorted(ids)):
            node = cast("dict[str, Any]", item)
            declared = self._schema.vertices.get(node["type"])
            if declared is not None:
                props = {name: value for name, value in node["props"].items() if name in declared.properties}
                kept[ident] = entity_from_json({**node, "props": props}, self._schema)
        return kept

    def _meet(self, entity: Entity) -> Entity | None:
        kind = self._schema.vertices.get(entity.type)
        if kind is None:
            return None
        parts = kind.key.properties
        mine = replace(entity, props={name: value for name, value in entity.props.items() if name in parts})
        self._met[entity.id] = mine
        return mine
