"""What counts as a reply, how its items are sorted, and what is refused as none."""

from __future__ import annotations

import json

import pytest

from schemacast.cast.reply import Reply, SchemaEcho, UnreadableReply, read_reply
from schemacast.cast.reply_type import reply_type
from schemacast.schema.load import parse_schema
from schemacast.schema.values import Json

V: dict[str, Json] = {"ref": "v1", "type": "Town", "quote": "Hald", "props": [{"name": "name", "value": "Hald"}]}
E: dict[str, Json] = {"relation": "NEAR", "from": "v1", "to": "v2", "quote": "near Hald"}
U: dict[str, Json] = {"quote": "it rains", "note": "weather"}


def test_a_whole_reply_is_sorted_into_its_lists() -> None:
    reply = read_reply(json.dumps({"vertices": [V], "edges": [E], "unmapped": [U]}))
    assert reply == Reply([V], [E], [U], [], (), False)


@pytest.mark.parametrize("text", ["{}", "[]", '{"vertices": null}', '{"vertices": [], "edges": null}', "```\n{}\n```"])
def test_absent_and_null_lists_are_empty(text: str) -> None:
    reply = read_reply(text)
    assert reply.empty
    assert not reply.cut


def test_empty_brackets_in_running_text_are_no_reply() -> None:
    for text in ("I found {} nothing", "nothing []", "null", "", "{}{}", "The text {names no towns}."):
        with pytest.raises(UnreadableReply):
            read_reply(text)


def test_in_a_bare_list_a_relation_makes_an_edge_and_a_type_a_vertex() -> None:
    reply = read_reply(json.dumps([V, E, U, "x", 3, None, {"relation": "NEAR", "type": "x"}]))
    assert reply.vertices == [V]
    assert reply.edges == [E, {"relation": "NEAR", "type": "x"}]
    assert reply.malformed == [U, "x", 3, None]
    assert "bare_list" in reply.repaired


def test_one_wrapper_is_taken_off_when_it_is_the_only_key() -> None:
    inner: dict[str, Json] = {"vertices": [V], "edges": [E]}
    for wrapped in ({"result": inner}, {"reply": inner}, [inner]):
        reply = read_reply(json.dumps(wrapped))
        assert (reply.vertices, reply.edges) == ([V], [E])
    assert read_reply(json.dumps({"records": [V]})).vertices == [V]
    for refused in ({"a": {"b": inner}}, {"result": inner, "ok": True}):
        with pytest.raises(UnreadableReply):
            read_reply(json.dumps(refused))


def test_what_is_no_object_is_malformed_and_costs_nothing_else() -> None:
    reply = read_reply(json.dumps({"vertices": [V, "Hald", None, [1]], "edges": {"relation": "NEAR"}, "unmapped": [3]}))
    assert reply.vertices == [V]
    assert reply.malformed == ["Hald", None, [1], {"edges": {"relation": "NEAR"}}, 3]


def test_a_remark_beside_the_lists_is_no_item_but_a_list_of_things_is() -> None:
    reply = read_reply(json.dumps({"reasoning": "two towns", "vertices": [V], "more": [], "others": [V]}))
    assert reply.vertices == [V]
    assert reply.malformed == [{"others": [V]}]


def test_a_recorded_object_is_read_like_its_text() -> None:
    assert read_reply({"vertices": [V], "edges": [E]}) == read_reply(json.dumps({"vertices": [V], "edges": [E]}))
    assert read_reply({"vertices": [{"ref": "\ud800"}]}).vertices == [{"ref": "\ufffd"}]
    with pytest.raises(UnreadableReply):
        read_reply({"answer": "none"})


SCHEMA = parse_schema("name: t\nvertices: {Town: {key: name, properties: {name: string}}}\n")


@pytest.mark.parametrize(
    "echo",
    [
        {"properties": {"records": {"type": "array", "title": "Records"}}, "required": ["records"], "type": "object"},
        dict(reply_type(SCHEMA).schema),
        {"name": "graph", "schema": dict(reply_type(SCHEMA).schema)},
        {"type": "json_schema", "json_schema": {"name": "graph", "schema": dict(reply_type(SCHEMA).schema)}},
        {"$defs": {"Town": {"type": "object"}}, "type": "object"},
        {"vertices": {"type": "array", "items": {"type": "object"}}},
        {"vertices": {"type": "array", "items": {"type": "object"}}, "edges": []},
    ],
)
@pytest.mark.parametrize("dress", ["%s", "```json\n%s\n```", "The schema is:\n%s"])
def test_a_reply_that_repeats_the_schema_holds_no_data(echo: dict[str, Json], dress: str) -> None:
    with pytest.raises(SchemaEcho):
        read_reply(dress % json.dumps(echo))
    with pytest.raises(SchemaEcho):
        read_reply(echo)


def test_an_answer_after_an_echo_is_the_answer() -> None:
    text = json.dumps(dict(reply_type(SCHEMA).schema)) + "\n" + json.dumps({"vertices": [V], "edges": []})
    assert read_reply(text).vertices == [V]


def test_of_a_cut_reply_the_finished_items_are_kept() -> None:
    text = json.dumps({"vertices": [V, V], "edges": [E]})
    cut = read_reply(text[: text.index('"edges"') + 15], finish_reason="length")
    assert (cut.vertices, cut.edges, cut.cut) == ([V, V], [], True)
    half = read_reply(text[:120], finish_reason="length")
    assert (half.vertices, half.cut) == ([V], True)
    bare = read_reply(json.dumps([V, E])[:-5], finish_reason="length")
    assert (bare.vertices, bare.edges, bare.cut) == ([V], [], True)
    wrapped = read_reply(json.dumps({"result": {"vertices": [V, V]}})[:120], finish_reason="length")
    assert (wrapped.vertices, wrapped.cut) == ([V], True)
    listed = read_reply(json.dumps([{"vertices": [V, V]}])[:120], finish_reason="length")
    assert (listed.vertices, listed.cut) == ([V], True)


@pytest.mark.parametrize("text", ["", "Here", "<think>the towns {a", '{"vert', '{"vertices": [{"ref": "v', "["])
def test_a_reply_cut_before_its_first_item_is_cut_and_not_unreadable(text: str) -> None:
    reply = read_reply(text, finish_reason="length")
    assert reply.cut
    assert reply.empty


def test_a_whole_reply_with_the_length_reason_is_not_cut() -> None:
    assert not read_reply(json.dumps({"vertices": [V]}), finish_reason="length").cut


def test_a_reply_that_breaks_off_in_the_middle_keeps_what_came_before() -> None:
    text = json.dumps({"vertices": [V, {"ref": "v2", "quote": "X"}, V], "edges": [E]})
    broken = read_reply(text.replace('"X"', '"he said "X" once"'))
    assert broken.vertices == [V]
    assert broken.cut


def test_the_last_reply_stands_and_an_object_goes_before_a_list() -> None:
    first, last = {"vertices": [{**V, "ref": "example"}]}, {"vertices": [V], "edges": []}
    assert read_reply(f"Like {json.dumps(first)}. Now:\n{json.dumps(last)}").vertices == [V]
    assert read_reply(f"{json.dumps(last)}\nof type {json.dumps([{'type': 'Town'}])}").vertices == [V]


def test_an_item_nested_too_deep_to_be_written_is_malformed() -> None:
    deep = '{"ref": "v2", "x": ' + "[" * 500 + "]" * 500 + "}"
    reply = read_reply(f'{{"vertices": [{json.dumps(V)}, {deep}]}}')
    assert reply.vertices == [V]
    assert reply.malformed == ["(nested too deeply)"]
