"""The ids of entities and edges: a hash of what identifies a thing, the same in every run and store.

An id is the first 32 hex digits of SHA-256 over the compact JSON of its parts. The schema's name is
among them and its version is not, so that a new version keeps the graph. Key values are canonical
texts, an absent part is null; owners stand before a type's own key values. What has no key is
identified by the place that first stated it: source id, start of its evidence, and a count.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from functools import lru_cache
from json.encoder import encode_basestring as _quoted
from typing import Literal

from schemacast.schema.model import EdgeId

RECIPE = 1
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _hash(parts: list[object]) -> str:
    return _hash_of(_encode(parts))


def _hash_of(text: str) -> str:
    # A lone surrogate has no UTF-8 form; it is dealt with at reading, and must not stop a run here.
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def entity_id(schema_name: str, type: str, values: Sequence[str | None], *, stance: str | None = None) -> str:
    """The id of an entity with a key. `values` are canonical texts, ids of its owners first."""
    parts: list[object] = [RECIPE, schema_name, type, list(values)]
    if stance:
        parts.append(stance)
    return _hash(parts)


def founded_id(
    schema_name: str, type: str, kind: Literal["minted", "match"], source_id: str, start: int | None, n: int
) -> str:
    """The id of an entity without a key, from the record that founded it.

    `start` is where its evidence begins, None when the source itself states it; `n` counts from 0 the
    records of one type, source and start.
    """
    return _hash([RECIPE, schema_name, type, kind, source_id, start, n])


def edge_hash(
    schema_name: str, edge_id: EdgeId, source: str, target: str, values: Sequence[str | None], stance: str | None
) -> str:
    """The id of an edge between two entity ids. `values` are the canonical texts of its key parts."""
    # The JSON of [recipe, schema, edge type, source, target, values, stance], whose beginning many edges share.
    ends = f"{_beginning(schema_name, edge_id)},{_quoted(source)},{_quoted(target)}"
    return _hash_of(f"{ends},{_encode(values) if values else '[]'},{_quoted(stance) if stance else 'null'}]")


@lru_cache(maxsize=256)
def _beginning(schema_name: str, edge_id: EdgeId) -> str:
    return _encode([RECIPE, schema_name, edge_id])[:-1]
