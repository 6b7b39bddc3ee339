"""What a staged record may be: entities that share a value which identifies, the likeliest first.

What resolution already found in question (the holders of an alternate, the bearers of a surname) is ranked; a
record that states only a part of what it is found by gets the entities that state the same part. How likely is
told by what both state: the share of it that agrees.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from schemacast.graph import Candidate, Entity, Staged
from schemacast.resolution.surnames import surnames
from schemacast.schema.comparable import comparable
from schemacast.schema.model import Property, Schema, VertexType
from schemacast.schema.values import Value

MOST = 100
MOST_SEARCHED = 20
"""Candidates of a record that only shares something with them."""

Ranked = dict[tuple[str, str], tuple[Candidate, ...]]


def rank_candidates(
    staged: Iterable[Staged], entities: Mapping[str, Entity], schema: Schema
) -> tuple[tuple[Staged, ...], Ranked]:
    """The staged records with their candidates in order, and by (source id, ref) what speaks for and against each."""
    sharing = _Sharing(entities, schema)
    made: list[Staged] = []
    ranked: Ranked = {}
    for item in staged:
        kind = schema.vertices.get(item.type) if "->" not in item.ref or item.type in schema.vertices else None
        if kind is None or item.reason == "held":
            made.append(item)
            continue
        found = item.candidates or sharing.ids(kind, item)
        judged = sorted((_judge(kind, item, ident, entities.get(ident)) for ident in found), key=_rank)[:MOST]
        if judged:
            ranked[item.source_id, item.ref] = tuple(judged)
            item = replace(item, candidates=tuple(each.entity for each in judged))
        made.append(item)
    return tuple(made), ranked


def _rank(candidate: Candidate) -> tuple[float, int, str]:
    return -candidate.score, -len(candidate.agrees), candidate.entity


def _judge(kind: VertexType, item: Staged, ident: str, entity: Entity | None) -> Candidate:
    agrees: list[str] = []
    contradicts: list[str] = []
    for name, value in item.values.items() if entity is not None else ():
        theirs = entity.props.get(name) if entity is not None else None
        declared = kind.properties.get(name)
        if theirs is not None and declared is not None:
            (agrees if _agree(declared, value, theirs) else contradicts).append(name)
    both = len(agrees) + len(contradicts)
    return Candidate(ident, len(agrees) / both if both else 0.0, tuple(agrees), tuple(contradicts))


def _agree(declared: Property, one: Value, other: Value) -> bool:
    mine, theirs = _texts(declared, one), _texts(declared, other)
    if mine & theirs:
        return True
    names = isinstance(one, str) and isinstance(other, str) and declared.match in ("name", "auto", None)
    return bool(names and surnames({"short": str(one), "full": str(other)}, people=True))


def _texts(declared: Property, value: Value) -> set[str]:
    items = value if isinstance(value, tuple) else (value,)
    return {comparable(declared, item, "match") for item in items}


class _Sharing:
    """The entities by what they state of a key or alternate; read when a staged record first asks."""

    def __init__(self, entities: Mapping[str, Entity], schema: Schema) -> None:
        self._entities = entities
        self._schema = schema
        self._index: dict[tuple[str, str, str], list[str]] | None = None

    def ids(self, kind: VertexType, item: Staged) -> Sequence[str]:
        """The entities of a type that share an identifying value with a record; none when very many do."""
        found: dict[str, None] = {}
        for name in kind.identifying:
            value = item.values.get(name)
            for text in _texts(kind.properties[name], value) if value is not None else ():
                sharing = self._read().get((kind.name, name, text), [])
                if len(sharing) <= MOST:
                    found.update(dict.fromkeys(sharing))
        return sorted(found)[:MOST_SEARCHED] if len(found) > MOST_SEARCHED else list(found)

    def _read(self) -> dict[tuple[str, str, str], list[str]]:
        if self._index is None:
            self._index = {}
            for entity in self._entities.values():
                kind = self._schema.vertices[entity.type]
                for name in kind.identifying:
                    value = entity.props.get(name)
                    for text in _texts(kind.properties[name], value) if value is not None else ():
                        self._index.setdefault((kind.name, name, text), []).append(entity.id)
        return self._index
