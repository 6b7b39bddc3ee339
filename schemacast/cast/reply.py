"""A model's reply as items: vertices, edges and unmapped texts, whatever dress the reply came in.

This module only sorts; whether an item is right is for validation to say. It knows the reply's three
lists, a bare list of items, and one wrapper around either; anything else is `malformed` and is kept to
be reported, so that counts add up. A reply that repeats the reply's JSON Schema holds no data at all,
whatever names stand in it, and is told apart from one that cannot be read.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from schemacast.errors import ModelError
from schemacast.llm.parse import JsonReading, UnreadableReply, read_json
from schemacast.llm.protocol import FinishReason
from schemacast.llm.scan import MAX_DEPTH
from schemacast.schema.values import Json

__all__ = ["Reply", "SchemaEcho", "UnreadableReply", "read_reply"]

LISTS = ("vertices", "edges", "unmapped")
_SCHEMA_WORDS = frozenset(
    ("$schema", "$defs", "definitions", "properties", "required", "type", "additionalProperties", "items", "anyOf")
)


class SchemaEcho(ModelError):
    """The reply is the reply's JSON Schema, not an answer."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The items of a reply, each as the model gave it.

    `vertices`, `edges` and `unmapped` hold objects; whatever is none stands in `malformed`. `repaired`
    names what was mended in reading. `cut`: the JSON breaks off, and only what was finished is here.
    """

    vertices: list[Json] = field(default_factory=list)
    edges: list[Json] = field(default_factory=list)
    unmapped: list[Json] = field(default_factory=list)
    malformed: list[Json] = field(default_factory=list)
    repaired: tuple[str, ...] = ()
    cut: bool = False

    @property
    def empty(self) -> bool:
        """Whether there is no item at all."""
        return not (self.vertices or self.edges or self.unmapped or self.malformed)


def read_reply(text: str | Mapping[str, Json], *, finish_reason: FinishReason = "stop") -> Reply:
    """Read a raw reply, or the object of a recorded one.

    Raises SchemaEcho when it repeats the schema, UnreadableReply when it holds no reply at all. A
    reply cut by the output limit (`finish_reason` is `length`) before its JSON began is a cut reply
    without items, not an unreadable one.
    """
    raw = text if isinstance(text, str) else json.dumps(text, ensure_ascii=False)
    try:
        reading = read_json(raw, _rank)
    except UnreadableReply:
        reading = None
    if reading is not None and (reading.value or reading.blank):
        return _sort(reading)
    if _echoes(raw):
        raise SchemaEcho(_ECHO)
    if finish_reason == "length":
        return Reply(cut=True)
    raise UnreadableReply(_UNREADABLE)


_ECHO = "the reply repeats the JSON Schema instead of filling it"
_UNREADABLE = "the reply holds no JSON object with vertices and edges"


def _rank(value: Json) -> int:
    """How far a value has the shape of a reply: 3 an object, 2 a bare list, 1 empty brackets, 0 not."""
    if isinstance(value, dict):
        if _has_lists(value):
            return 3
        if not value:
            return 1
        if len(value) == 1:
            inner = next(iter(value.values()))
            return 3 if _has_lists(inner) else 2 if _is_bare(inner) else 0
        return 0
    if isinstance(value, list):
        if len(value) == 1 and _has_lists(value[0]):
            return 3
        return 1 if not value else 2 if _is_bare(value) else 0
    return 0


def _has_lists(value: Json) -> bool:
    if not isinstance(value, dict):
        return False
    found = [value[name] for name in LISTS if name in value]
    if not found or any(isinstance(entry, dict) and _SCHEMA_WORDS.issuperset(entry) for entry in found):
        return False
    return any(entry is None or isinstance(entry, list) for entry in found)


def _is_bare(value: Json) -> bool:
    return isinstance(value, list) and any(
        isinstance(item, dict) and ("type" in item or "relation" in item) for item in value
    )


def _is_echo(value: Json) -> bool:
    """Whether an object is a JSON Schema, bare or as a provider's envelope holds it."""
    for _ in range(4):
        if not isinstance(value, dict):
            return False
        if isinstance(value.get("properties"), dict) or isinstance(value.get("$defs"), dict):
            return True
        if any(isinstance(value.get(name), dict) for name in LISTS):
            return True
        value = next((inner for inner in value.values() if isinstance(inner, dict)), None)
    return False


def _echoes(text: str) -> bool:
    if not any(word in text for word in ("properties", "$defs", '"array"')):
        return False
    try:
        read_json(text, lambda value: int(isinstance(value, dict) and _is_echo(value)))
    except UnreadableReply:
        return False
    return True


def _sort(reading: JsonReading) -> Reply:
    value = reading.value
    marks = list(reading.repaired)
    if isinstance(value, list) and len(value) == 1 and _has_lists(value[0]):
        value = value[0]
        marks.append("stray_bracket")
    elif isinstance(value, dict) and len(value) == 1 and not _has_lists(value):
        value = next(iter(value.values()))
        marks.append("wrapper")
    reply = Reply(repaired=tuple(marks), cut=reading.cut)
    if isinstance(value, list):
        if value:
            reply = Reply(repaired=(*marks, "bare_list"), cut=reading.cut)
        for item in value:
            _sort_bare(item, reply)
        return reply
    for name, entry in cast(dict[str, Json], value).items():
        if name not in LISTS:
            if isinstance(entry, (dict, list)) and entry:  # a remark beside the lists is no item
                reply.malformed.append({name: _bounded(entry)})
        elif isinstance(entry, list):
            place: list[Json] = getattr(reply, name)
            for item in entry:
                _place(item, place, reply)
        elif entry is not None:
            reply.malformed.append({name: _bounded(entry)})
    return reply


def _sort_bare(item: Json, reply: Reply) -> None:
    if isinstance(item, dict) and "relation" in item:
        _place(item, reply.edges, reply)
    elif isinstance(item, dict) and "type" in item:
        _place(item, reply.vertices, reply)
    else:
        reply.malformed.append(_bounded(item))


def _place(item: Json, place: list[Json], reply: Reply) -> None:
    if isinstance(item, dict) and _shallow(item):
        place.append(item)
    else:
        reply.malformed.append(_bounded(item))


def _shallow(item: dict[str, Json]) -> bool:
    """Whether an item nests no deeper than later steps may walk. Ordinary items are told at a glance."""
    for value in item.values():
        if isinstance(value, (dict, list)) and value and _bounded(value) is not value:
            return False
    return True


def _bounded(value: Json) -> Json:
    """The value itself, or a note in its stead when it nests too deep to be written anywhere."""
    level: list[Json] = [value]
    for _ in range(MAX_DEPTH):
        level = [
            inner
            for entry in level
            if isinstance(entry, (dict, list))
            for inner in (entry.values() if isinstance(entry, dict) else entry)
            if isinstance(inner, (dict, list))
        ]
        if not level:
            return value
    return "(nested too deeply)"
