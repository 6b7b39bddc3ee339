"""Short ways to write record graphs in tests."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from schemacast.records import EvidenceDict, Record, RecordGraph, Relation, Stated
from schemacast.schema.model import EdgeId


def evidence(start: int | None) -> EvidenceDict:
    """Evidence at a place; None for what the source itself states."""
    return {"known": True} if start is None else {"quote": "x", "span": {"start": start, "end": start + 1}}


def stated(value: Any, start: int | None = 0) -> Stated | tuple[Stated, ...]:
    """A stated value, or list of values."""
    if isinstance(value, tuple):
        return tuple(Stated(item, evidence(start)) for item in value)
    return Stated(value, evidence(start))


def record(
    ref: str, type: str, *, start: int | None = 0, may_create: bool = True, stance: str | None = None, **props: Any
) -> Record:
    """A record whose properties are all stated where it is."""
    return Record(ref, type, evidence(start), _props(props, start), may_create, stance)


def relation(edge_id: EdgeId, source: str, target: str, stance: str | None = None, **props: Any) -> Relation:
    """A relation between two refs."""
    return Relation(edge_id, source, target, evidence(0), _props(props, 0), stance)


def _props(props: Mapping[str, Any], start: int | None) -> dict[str, Any]:
    return {name: stated(value, start) for name, value in props.items()}


def episode(source_id: str, *items: Record | Relation, at: datetime | None = None) -> RecordGraph:
    """A record graph of some records and relations."""
    return RecordGraph(
        source_id,
        "test@1.0.0",
        at,
        tuple(item for item in items if isinstance(item, Record)),
        tuple(item for item in items if isinstance(item, Relation)),
    )
