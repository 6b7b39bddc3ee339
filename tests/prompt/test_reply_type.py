"""The reply type stays inside what every provider accepts, and small."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping

import pytest

from schemacast.cast.per_schema import PerSchema
from schemacast.cast.reply_type import build_reply_type, reply_type
from schemacast.schema.load import parse_schema
from schemacast.schema.model import Schema
from schemacast.schema.values import Json

DESK = """
name: desk
vertices:
  Customer: {key: account, properties: {account: string, email: string}}
  Ticket: {key: number, properties: {number: string, status: {type: string, enum: [open, closed]}}}
edges:
  RAISED: {source: Customer, target: Ticket}
  MERGED: {source: Ticket, target: Ticket, properties: {since: date}}
"""


def nodes(schema: Json) -> Iterator[Mapping[str, Json]]:
    """Every schema inside a JSON Schema."""
    if isinstance(schema, Mapping):
        yield schema
        for inner in (schema.get("properties") or {}).values():
            yield from nodes(inner)
        yield from nodes(schema.get("items"))
        for inner in schema.get("anyOf") or []:
            yield from nodes(inner)


def enumerations(schema: Schema) -> list[list[Json]]:
    return [list(node["enum"]) for node in nodes(dict(reply_type(schema).schema)) if "enum" in node]


def wide(types: int, characters: int = 8) -> Schema:
    entries = "".join(f"  T{n}{'x' * characters}: {{key: k{n}, properties: {{k{n}: string}}}}\n" for n in range(types))
    return parse_schema(f"name: wide\nvertices:\n{entries}")


def test_every_object_requires_every_key_and_allows_no_other() -> None:
    for node in nodes(dict(reply_type(parse_schema(DESK)).schema)):
        assert set(node) <= {"type", "properties", "required", "additionalProperties", "items", "enum", "anyOf"}
        if node.get("type") == "object":
            assert node["required"] == list(node["properties"])
            assert node["additionalProperties"] is False


def test_types_relations_and_names_are_enumerated() -> None:
    assert enumerations(parse_schema(DESK)) == [
        ["Customer", "Ticket"],
        ["negated", "planned", "hedged"],
        ["account", "email", "number", "status"],
        ["RAISED", "MERGED"],
        ["negated", "planned", "hedged"],
        ["since"],
    ]


def test_a_schema_without_edges_or_edge_properties_asks_for_none() -> None:
    lone = parse_schema("name: t\nvertices: {Town: {key: name, properties: {name: string}}}\n")
    assert list(reply_type(lone).schema["properties"]) == ["vertices", "unmapped"]
    plain = parse_schema(DESK.replace(", properties: {since: date}", ""))
    edge = reply_type(plain).schema["properties"]["edges"]["items"]
    assert list(edge["properties"]) == ["relation", "from", "to", "quote", "stance"]


@pytest.mark.parametrize(("types", "characters", "plain"), [(120, 8, False), (260, 8, True), (100, 160, True)])
def test_beyond_the_limits_of_providers_names_are_plain_strings(types: int, characters: int, plain: bool) -> None:
    names = [values for values in enumerations(wide(types, characters)) if "negated" not in values]
    assert (names == []) is plain


def test_plain_names_can_be_asked_for() -> None:
    found = build_reply_type(parse_schema(DESK), plain=True)
    assert [node["enum"] for node in nodes(dict(found.schema)) if "enum" in node] == [
        ["negated", "planned", "hedged"],
        ["negated", "planned", "hedged"],
    ]


def test_it_is_built_once_for_a_schema_and_goes_with_it() -> None:
    schema = parse_schema(DESK)
    built = PerSchema(build_reply_type)
    assert reply_type(schema) is reply_type(schema)
    assert built(schema) is built(schema)
    assert built(parse_schema(DESK)).text == reply_type(schema).text
    gc.collect()
    assert len(built) == 1
    del schema
    gc.collect()
    assert len(built) == 0
