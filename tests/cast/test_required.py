"""A required property that is missing is reported; the item stands, since what it states is true all the same."""

from __future__ import annotations

from typing import Any

from schemacast.cast.reply import read_reply
from schemacast.cast.validate import Validated, validate
from schemacast.episode import Episode
from schemacast.schema.load import parse_schema

SCHEMA = parse_schema(
    """
name: desk
vertices:
  Ticket: {key: number, properties: {number: {type: string, required: true}, status: {type: string, required: true}}}
  Agent: {key: handle, properties: {handle: string}}
edges:
  HANDLES: {source: Agent, target: Ticket, properties: {since: {type: date, required: true}}}
"""
)
TEXT = "kari handles HD-2, which is open."


def read(*props: dict[str, Any], mention: bool = False, edge_props: tuple[dict[str, Any], ...] = ()) -> Validated:
    reply = {
        "vertices": [
            {"ref": "a", "type": "Agent", "quote": "kari", "props": [{"name": "handle", "value": "kari"}]},
            {"ref": "t", "type": "Ticket", "quote": TEXT, "mention": mention, "props": list(props)},
        ],
        "edges": [{"relation": "HANDLES", "from": "a", "to": "t", "quote": TEXT, "props": list(edge_props)}],
    }
    return validate(read_reply(reply), SCHEMA, Episode(source_id="e", text=TEXT), locale="en", timezone="UTC")


NUMBER = {"name": "number", "value": "HD-2"}
STATUS = {"name": "status", "value": "open"}


def test_a_vertex_and_an_edge_without_it_are_reported_and_kept() -> None:
    result = read(NUMBER)
    assert [(one.finding, one.kind, one.kept) for one in result.findings] == [
        ("value_constraint", "vertex", True),
        ("value_constraint", "edge", True),
    ]
    assert "t Ticket: status is required" in result.findings[0].message
    assert (result.kept.vertices, result.kept.edges, result.kept.properties) == (2, 1, 2)


def test_a_vertex_that_has_it_is_not_reported() -> None:
    assert [one.kind for one in read(NUMBER, STATUS).findings] == ["edge"]


def test_a_mention_need_not_repeat_it() -> None:
    assert [one.kind for one in read(NUMBER, mention=True).findings] == ["edge"]


def test_a_missing_key_is_reported_once_as_that() -> None:
    assert [one.finding for one in read(STATUS).findings] == ["key_insufficient", "value_constraint"]
    assert [one.kind for one in read(STATUS).findings] == ["vertex", "edge"]


def test_a_required_property_that_was_removed_is_reported_too() -> None:
    result = read(NUMBER, {"name": "status", "value": "closed"})
    assert [one.finding for one in result.findings] == ["value_not_in_quote", "value_constraint", "value_constraint"]
