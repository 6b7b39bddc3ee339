"""The resolved graph: entities and edges with their ids, and what could not be placed.

A graph is what resolution gives and an adapter writes. It holds no evidence: groundings stay
alongside, keyed by episode and ref. Nothing staged is ever written to a store.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from schemacast.schema.model import EdgeId
from schemacast.schema.values import Json, Value, to_json

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

    For a relation (`held`) `ref` is `<source ref>-><target ref>` and `type` its relation. `candidates`
    are ids of entities it may be, best first.
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


@dataclass(frozen=True, slots=True)
class Decision:
    """Two records, or a record and an entity, found to be one. `by` says how, `score` how surely."""

    records: tuple[tuple[str, str], ...]
    entity: str
    by: Literal["equal", "likeness", "person"]
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class Graph:
    """Entities and edges by id, in the order of their first statement, and what stayed out."""

    schema_ref: str
    entities: Mapping[str, Entity] = field(default_factory=dict)
    edges: Mapping[str, Edge] = field(default_factory=dict)
    staged: tuple[Staged, ...] = ()
    decisions: tuple[Decision, ...] = ()

    def rows(self, type: str) -> list[dict[str, object]]:
        """The entities of one type as flat dicts: `_id`, `_type` and the properties."""
        return [
            {"_id": entity.id, "_type": entity.type, **_flat(entity.props), **_stance(entity.stance)}
            for entity in self.entities.values()
            if entity.type == type
        ]

    def edge_rows(self, relation: str) -> list[dict[str, object]]:
        """The edges of one relation as flat dicts: `_id`, `_type`, `_source`, `_target` and the properties."""
        return [
            {
                "_id": edge.id,
                "_type": relation,
                "_source": edge.source,
                "_target": edge.target,
                **_flat(edge.props),
                **_stance(edge.stance),
            }
            for edge in self.edges.values()
            if edge.edge_id.relation == relation
        ]

    def of_type(self, type: str) -> Iterator[Entity]:
        """The entities of one type."""
        return (entity for entity in self.entities.values() if entity.type == type)


def _flat(props: Mapping[str, Value]) -> dict[str, object]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in props.items()}


def _stance(stance: str | None) -> dict[str, object]:
    return {"stance": stance} if stance else {}
