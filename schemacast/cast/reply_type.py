"""The shape a reply must have, as a JSON Schema that OpenAI, Anthropic, Gemini and Ollama all accept.

It stays inside their common strict subset: every key is required, no others are allowed, what may be
absent may be null, and nothing but types and enumerations narrows a value; lengths, patterns and
descriptions are not accepted everywhere and stand in the prompt instead. Types, relations and
property names are enumerations as long as all of them fit the smallest limit of these providers;
above it they are plain strings, and validation decides alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from schemacast.cast.per_schema import PerSchema
from schemacast.llm.protocol import ReplyType
from schemacast.schema.model import STANCES, Property, Schema
from schemacast.schema.values import Json

NAME = "graph"
MAX_ENUM_VALUES = 500
"""All enumerated values of a schema together: OpenAI takes 1,000, and models from before 2025 take 500."""
MAX_LARGE_ENUM = 250
"""Beyond so many values one enumeration has a limit of characters of its own."""
MAX_LARGE_ENUM_CHARACTERS = 7_500
"""The characters of such an enumeration: OpenAI takes 15,000, earlier models 7,500."""
MAX_CHARACTERS = 15_000
"""All names and enumerated values together, the smallest limit that has been in force."""


def reply_type(schema: Schema) -> ReplyType:
    """The reply type of a schema (or slice), built once for each schema object."""
    return _built(schema)


def build_reply_type(schema: Schema, *, plain: bool | None = None) -> ReplyType:
    """The reply type anew. `plain` forces names to be plain strings (or enumerations, when False)."""
    types = list(schema.vertices)
    relations = list(schema.relations)
    vertex_names = _names(vertex.properties for vertex in schema.vertices.values())
    edge_names = _names(edge.properties for edge in schema.edges.values())
    if plain is None:
        plain = not _within_limits([types, relations, vertex_names, edge_names, list(STANCES), list(STANCES)])
    text: Json = {"type": "string"}
    stance: Json = {"anyOf": [{"type": "string", "enum": list(STANCES)}, {"type": "null"}]}
    vertex: dict[str, Json] = {
        "ref": text,
        "type": _one_of(types, plain),
        "quote": text,
        "mention": {"type": "boolean"},
        "stance": stance,
    }
    if vertex_names:
        vertex["props"] = _list(_prop(vertex_names, plain))
    members: dict[str, Json] = {"vertices": _list(_object(vertex))}
    if relations:
        edge: dict[str, Json] = {
            "relation": _one_of(relations, plain),
            "from": text,
            "to": text,
            "quote": text,
            "stance": stance,
        }
        if edge_names:
            edge["props"] = _list(_prop(edge_names, plain))
        members["edges"] = _list(_object(edge))
    members["unmapped"] = _list(_object({"quote": text, "note": text}))
    return ReplyType(NAME, _object(members))


_built = PerSchema(build_reply_type)


def _names(groups: Iterable[Mapping[str, Property]]) -> list[str]:
    return list(dict.fromkeys(name for group in groups for name in group))


def _within_limits(enumerations: list[list[str]]) -> bool:
    if sum(map(len, enumerations)) > MAX_ENUM_VALUES:
        return False
    sizes = [sum(map(len, names)) for names in enumerations]
    large = any(
        len(names) > MAX_LARGE_ENUM and size > MAX_LARGE_ENUM_CHARACTERS
        for names, size in zip(enumerations, sizes, strict=True)
    )
    return not large and sum(sizes) <= MAX_CHARACTERS - 200


def _one_of(names: list[str], plain: bool) -> Json:
    return {"type": "string"} if plain else {"type": "string", "enum": list(names)}


def _list(items: Json) -> Json:
    return {"type": "array", "items": items}


def _object(members: dict[str, Json]) -> dict[str, Json]:
    return {
        "type": "object",
        "properties": members,
        "required": list(members),
        "additionalProperties": False,
    }


def _prop(names: list[str], plain: bool) -> Json:
    return _object({"name": _one_of(names, plain), "value": {"type": "string"}, "quote": {"type": ["string", "null"]}})
