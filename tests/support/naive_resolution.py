"""Resolution as one would write it without a thought for time or memory, to check the real one against.

Every rule is applied to the list of all records, over and over, from the words of the rules: nothing is
folded, nothing is indexed. It shares no code with `schemacast.resolution`; what is alike is left to `matching`.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from schemacast.matching.match import match
from schemacast.matching.model import Field, Row
from schemacast.records import Record, RecordGraph, Relation, Stated
from schemacast.schema.model import Schema, VertexType


def hashed(*parts: object) -> str:
    """The id recipe."""
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def trimmed(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime | date):
        return value.isoformat().replace("+00:00", "Z")
    return unicodedata.normalize("NFC", str(value)).strip()


def as_code(value: Any) -> str:
    return "".join(char for char in trimmed(value).casefold() if char.isalnum())


@dataclass(eq=False)
class Item:
    """One record with its episode, and what became of it."""

    graph: RecordGraph
    position: int
    record: Record
    start: int | None
    n: int = 0
    id: str | None = None
    level: int = 0
    reason: str | None = None
    candidates: tuple[str, ...] = ()

    def value(self, name: str) -> Any:
        stated = self.record.props.get(name)
        return stated.value if isinstance(stated, Stated) else None


class NaiveResolution:
    """The entities, edges and staged records of some record graphs, as plain dicts and sets."""

    def __init__(self, schema: Schema, graphs: list[RecordGraph], types: list[str]) -> None:
        self.schema = schema
        self.items = [
            Item(graph, position, record, (record.evidence.get("span") or {}).get("start"))
            for graph in graphs
            for position, record in enumerate(graph.records)
        ]
        self.relations = [
            (graph, len(graph.records) + position, relation)
            for graph in graphs
            for position, relation in enumerate(graph.relations)
        ]
        for item in self.items:
            item.n = sum(
                other.graph is item.graph
                and other.record.type == item.record.type
                and other.start == item.start
                and other.position < item.position
                and self._counts(other)
                for other in self.items
            )
        for name in types:
            self._place_type(schema.vertices[name])

    def _counts(self, item: Item) -> bool:
        kind = self.schema.vertices[item.record.type].key.kind
        return kind == "match" or (kind == "minted" and item.record.may_create)

    def _place_type(self, vertex_type: VertexType) -> None:
        items = [item for item in self.items if item.record.type == vertex_type.name]
        for item in items:
            self._place_by_key(item, vertex_type)
        if vertex_type.key.kind == "match":
            self._place_by_likeness([item for item in items if item.id == "alike"], vertex_type)
        level = 0
        while True:
            level += 1
            waiting = [item for item in items if item.id is None and item.reason != "ambiguous"]
            found = [(item, self._found(item, vertex_type, items)) for item in waiting]
            for item, ids in found:
                if len(ids) == 1:
                    item.id, item.level, item.reason = min(ids), level, None
                elif ids:
                    item.reason, item.candidates = "ambiguous", tuple(sorted(ids))
            if not any(len(ids) == 1 for _, ids in found):
                break
        for item in items:
            if item.id is None and item.reason is None:
                item.reason = "unmatched"

    def key(self, item: Item, vertex_type: VertexType) -> list[str | None]:
        texts: list[str | None] = []
        for part in vertex_type.key.parts:
            value, declared = item.value(part.property), vertex_type.properties[part.property]
            if value is None:
                texts.append(None)
            elif vertex_type.key.kind == "match":
                texts.append(" ".join(trimmed(value).casefold().split()) or None)
            else:
                texts.append((as_code if declared.match == "code" else trimmed)(value) or None)
        return texts

    def _alternates(self, item: Item, vertex_type: VertexType) -> set[tuple[Any, ...]]:
        found = set()
        for names in vertex_type.alternates:
            values = [item.value(name) for name in names]
            texts = [
                (as_code if vertex_type.properties[name].match == "code" else trimmed)(value)
                for name, value in zip(names, values, strict=True)
                if value is not None
            ]
            if len(texts) == len(names) and all(texts):
                found.add((item.record.stance, names, tuple(texts)))
        return found

    def _place_by_key(self, item: Item, vertex_type: VertexType) -> None:
        kind, record = vertex_type.key.kind, item.record
        key = self.key(item, vertex_type)
        missing = any(text is None and not part.optional for text, part in zip(key, vertex_type.key.parts, strict=True))
        if kind == "match":
            named = [vertex_type.properties[part.property].match == "name" for part in vertex_type.key.parts]
            missing = not any(text is not None and name for text, name in zip(key, named, strict=True))
        alternates = self._alternates(item, vertex_type)
        if kind == "minted":
            if record.may_create:
                source = item.graph.source_id
                item.id = hashed(1, self.schema.name, record.type, "minted", source, item.start, item.n)
            elif not alternates:
                item.reason = "keyless_reference"
            return
        owners = self._owners(item, vertex_type) if vertex_type.within else []
        lacking = [each for each in owners if not each]
        if missing or lacking or not (owners or any(key)):
            if not alternates:
                item.reason = "partial_key" if any(key) or any(owners) else "no_key"
            return
        ids = [{owner.id for owner in each} for each in owners]
        if any(None in each for each in ids):
            item.reason = None if alternates else "held"
        elif any(len(each) > 1 for each in ids):
            item.reason = "ambiguous" if not alternates else "several owners"
        elif kind == "plain":
            parts = [1, self.schema.name, record.type, [*(min(each) for each in ids if each), *key]]
            item.id = hashed(*parts, *([record.stance] if record.stance else []))
        else:
            item.id = "alike"

    def _place_by_likeness(self, items: list[Item], vertex_type: VertexType) -> None:
        """Matching is taken as given: every distinct key is a row, in the form that was stated first."""
        rows: dict[tuple[str | None, ...], list[Item]] = {}
        for item in items:
            rows.setdefault(tuple(self.key(item, vertex_type)), []).append(item)
        fields = [Field(part.property, vertex_type.properties[part.property].match or "auto")
                  for part in vertex_type.key.parts]  # fmt: skip
        forms = []
        for alike in rows.values():
            first = min(alike, key=lambda one: (_when(one.graph), one.graph.source_id, one.position))
            values = [first.value(part.property) for part in vertex_type.key.parts]
            forms.append(Row(tuple(None if value is None else trimmed(value) for value in values)))
        grouped = list(rows.values())
        for cluster in match(fields, forms).clusters:
            members = [item for row in cluster for item in grouped[row]]
            founder = min(members, key=lambda one: (one.graph.source_id, -1 if one.start is None else one.start, one.n))
            place = (founder.graph.source_id, founder.start, founder.n)
            for item in members:
                item.id = hashed(1, self.schema.name, vertex_type.name, "match", *place)

    def _owners(self, item: Item, vertex_type: VertexType) -> list[list[Item]]:
        return [
            [
                owner
                for graph, _, relation in self.relations
                if graph is item.graph and relation.edge_id.relation == name and relation.target == item.record.ref
                for owner in self.items
                if owner.graph is graph and owner.record.ref == relation.source
            ]
            for name in vertex_type.within
        ]

    def _found(self, item: Item, vertex_type: VertexType, items: list[Item]) -> set[str]:
        found = set()
        for alternate in self._alternates(item, vertex_type):
            placed = [
                other for other in items if other.id is not None and alternate in self._alternates(other, vertex_type)
            ]
            lowest = min((other.level for other in placed), default=0)
            found |= {other.id for other in placed if other.level == lowest and other.id}
        return {ident for ident in found if not self._contradicts(item, ident, vertex_type, items)}

    def _contradicts(self, item: Item, ident: str, vertex_type: VertexType, items: list[Item]) -> bool:
        mine = self.key(item, vertex_type)
        keyed = [self.key(other, vertex_type) for other in items if other.id == ident and other.level == 0]
        return vertex_type.key.kind == "plain" and any(
            one is not None and one != other for key in keyed for one, other in zip(mine, key, strict=True)
        )

    def entities(self) -> dict[str, dict[str, Any]]:
        """Properties by entity id."""
        result = {}
        for ident in {item.id for item in self.items if item.id}:
            members = [item for item in self.items if item.id == ident]
            vertex_type = self.schema.vertices[members[0].record.type]
            statements = [(item.graph, item.position, item.record.props) for item in members]
            result[ident] = _standing(vertex_type.properties, vertex_type.key.properties, statements)
        return result

    def edges(self) -> dict[str, tuple[str, str, dict[str, Any]]]:
        """Source, target and properties by edge id."""
        result: dict[str, tuple[str, str, list[Any], Relation]] = {}
        for graph, position, relation in self.relations:
            source, target = self._end(graph, relation.source), self._end(graph, relation.target)
            if source is None or target is None or self.is_dropped(graph, relation):
                continue
            declared = self.schema.edges[relation.edge_id]
            if declared.symmetric and target < source:
                source, target = target, source
            key = [
                trimmed(stated.value) if isinstance(stated := relation.props.get(part.property), Stated) else None
                for part in declared.key
            ]
            ident = hashed(1, self.schema.name, list(relation.edge_id), source, target, key, relation.stance)
            held = result.setdefault(ident, (source, target, [], relation))
            held[2].append((graph, position, relation.props))
        return {
            ident: (
                source,
                target,
                _standing(
                    self.schema.edges[relation.edge_id].properties,
                    tuple(part.property for part in self.schema.edges[relation.edge_id].key),
                    statements,
                ),
            )
            for ident, (source, target, statements, relation) in result.items()
        }

    def is_dropped(self, graph: RecordGraph, relation: Relation) -> bool:
        """Whether likeness made an edge between two records a loop."""
        ends = [
            item
            for ref in (relation.source, relation.target)
            for item in self.items
            if item.graph is graph and item.record.ref == ref
        ]
        kind = self.schema.vertices[ends[0].record.type]
        if kind.key.kind != "match" or ends[0].id is None or ends[0].id != ends[1].id:
            return False
        return self.key(ends[0], kind) != self.key(ends[1], kind)

    def _end(self, graph: RecordGraph, ref: str) -> str | None:
        return next(item.id for item in self.items if item.graph is graph and item.record.ref == ref)

    def staged(self) -> set[tuple[str, str, str]]:
        """Source id, ref and reason of what is staged."""
        records = {(item.graph.source_id, item.record.ref, item.reason) for item in self.items if item.id is None}
        held = {
            (graph.source_id, f"{relation.source}->{relation.target}", "held")
            for graph, _, relation in self.relations
            if self._end(graph, relation.source) is None or self._end(graph, relation.target) is None
        }
        return {(source, ref, reason or "") for source, ref, reason in records} | held


def _standing(properties: Any, key: tuple[str, ...], statements: list[tuple[RecordGraph, int, Any]]) -> dict[str, Any]:
    """The value of every property that stands, from everything that was stated."""
    result = {}
    for name, declared in properties.items():
        stated = sorted(
            (_when(graph), graph.source_id, position, index, one.value)
            for graph, position, props in statements
            if name in props
            for index, one in enumerate(props[name] if isinstance(props[name], tuple) else (props[name],))
        )
        if not stated:
            continue
        values = [each[-1] for each in stated]
        if name in key:
            result[name] = trimmed(values[0])
        elif declared.keep == "all":
            result[name] = tuple(dict.fromkeys(values))
        elif declared.many:
            episode = stated[0 if declared.keep == "first" else -1][:2]
            result[name] = tuple(dict.fromkeys(each[-1] for each in stated if each[:2] == episode))
        elif declared.keep == "first":
            result[name] = values[0]
        else:
            result[name] = _most_precise(values)
    return result


def _most_precise(values: list[Any]) -> Any:
    last = values[-1]
    while isinstance(last, str):
        finer = [value for value in values if str(value) != last and str(value).startswith(f"{last}-")]
        if not finer:
            break
        last = finer[-1]
    return last


def _when(graph: RecordGraph) -> datetime:
    return graph.reference_time or datetime.min.replace(tzinfo=UTC)
