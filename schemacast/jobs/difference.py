"""The difference between a graph and what was last written of it: ids by their content's hash.

Both sides are in the order of their ids, so that comparing streams through the journal and keeps nothing but
what differs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from pydantic_core import to_json

from schemacast.graph import Edge, Entity, Graph, edge_to_json, entity_to_json
from schemacast.schema.model import Schema
from schemacast.workspace.journal import Journal, Kind

Item = TypeVar("Item", Entity, Edge)
_encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


@dataclass(slots=True)
class Changes:
    """Of one kind: hashes of what is to be written, ids of what is to be removed, and how many stay as they are."""

    write: dict[str, bytes] = field(default_factory=dict)
    remove: list[str] = field(default_factory=list)
    unchanged: int = 0

    def __bool__(self) -> bool:
        return bool(self.write or self.remove)


def entity_changes(graph: Graph, journal: Journal, schema: Schema) -> Changes:
    """What has to be done to the store's entities."""
    return _changes(graph.entities, "entity", journal, lambda entity: content_hash(entity_to_json(entity, schema)))


def edge_changes(graph: Graph, journal: Journal, schema: Schema) -> Changes:
    """What has to be done to the store's edges."""
    return _changes(graph.edges, "edge", journal, lambda edge: content_hash(edge_to_json(edge, schema)))


def content_hash(item: Mapping[str, object]) -> bytes:
    """Sixteen bytes that differ when anything about an entity or edge does."""
    try:
        content = to_json(item, inf_nan_mode="constants")
    except ValueError:  # a lone surrogate is refused by the adapter; it must not stop a run here
        content = _encode(item).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(content, digest_size=16).digest()


def _changes(items: Mapping[str, Item], kind: Kind, journal: Journal, hashed: Callable[[Item], bytes]) -> Changes:
    changes = Changes()
    held: Iterator[tuple[str, bytes]] = journal.held(kind)
    there = next(held, None)
    for ident in sorted(items):
        while there is not None and there[0] < ident:
            changes.remove.append(there[0])
            there = next(held, None)
        digest = hashed(items[ident])
        if there is not None and there[0] == ident:
            if there[1] == digest:
                changes.unchanged += 1
            else:
                changes.write[ident] = digest
            there = next(held, None)
        else:
            changes.write[ident] = digest
    while there is not None:
        changes.remove.append(there[0])
        there = next(held, None)
    return changes
