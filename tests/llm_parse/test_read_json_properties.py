"""Any value dressed in any way reads back equal; a value cut anywhere keeps what was finished."""

from __future__ import annotations

import json
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from schemacast.llm.parse import UnreadableReply, read_json
from schemacast.schema.values import Json

texts = st.text(max_size=12) | st.sampled_from(
    ["a\nb", 'say "x"', "it's", "```json", "</think>", "{x}", "[1]", "\\", "\\n", "//x", "None", "\u2028", "😀", ",]"]
)
scalars: st.SearchStrategy[Json] = texts | st.none() | st.booleans() | st.integers(-(10**6), 10**6)
names = st.sampled_from(["ref", "type", "quote", "value", "from"])
items = st.dictionaries(names, scalars | st.lists(st.dictionaries(names, scalars, min_size=1), max_size=2), min_size=1)
replies = st.fixed_dictionaries({"vertices": st.lists(items, max_size=4), "edges": st.lists(items, max_size=3)})


def accept(value: Json) -> int:
    return int(isinstance(value, dict) and "vertices" in value and isinstance(value["vertices"], list))


def with_trailing_commas(value: Json) -> str:
    if isinstance(value, dict):
        return "{" + "".join(f"{json.dumps(key)}: {with_trailing_commas(item)}, " for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + "".join(f"{with_trailing_commas(item)}," for item in value) + "]"
    return json.dumps(value)


def with_raw_strings(value: Json) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(key)}:{with_raw_strings(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(with_raw_strings, value)) + "]"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return json.dumps(value)


WRITERS: list[Callable[[Json], str]] = [
    json.dumps,
    lambda value: json.dumps(value, ensure_ascii=False, indent=2),
    repr,
    with_trailing_commas,
    with_raw_strings,
]
DRESSES = [
    "{}",
    "```json\n{}\n```",
    "Here you are [as asked]:\n{}",
    "{}\nThat is all, {{see}} [2].",
    "<think>one {{like this}} or {{'that': [1, 2]}}</think>{}",
    "<thinking>one {{like this}}\n{}",
    "Two {{brackets}} first.\n```\n{}\n``` Done.",
    "[{}]",
]


@settings(max_examples=150, deadline=None)
@given(replies, st.sampled_from(WRITERS), st.sampled_from(DRESSES))
def test_a_reply_in_any_dress_reads_back_equal(reply: Json, write: Callable[[Json], str], dress: str) -> None:
    if dress == "[{}]":
        reading = read_json(dress.format(write(reply)), lambda value: int(isinstance(value, list) and len(value) == 1))
        assert reading.value == [reply]
    else:
        reading = read_json(dress.format(write(reply)), accept)
        assert reading.value == reply
    assert not reading.cut


def pieces(reply: dict[str, list[Json]]) -> tuple[str, list[tuple[str, int]], dict[str, int]]:
    """The reply as JSON, where each item ends in it, and where each list begins."""
    text, ends, begins = "{", [], {}
    for number, (name, entries) in enumerate(reply.items()):
        text += ("," if number else "") + json.dumps(name) + ":["
        begins[name] = len(text)
        for place, entry in enumerate(entries):
            text += ("," if place else "") + json.dumps(entry, ensure_ascii=place % 2 == 0)
            ends.append((name, len(text)))
        text += "]"
    return text + "}", ends, begins


@settings(max_examples=25, deadline=None)
@given(replies, st.sampled_from(["", "Sure {x}:\n", "<think>hm [1]</think>", "```json\n"]))
def test_a_reply_cut_anywhere_keeps_exactly_its_finished_items(reply: dict[str, list[Json]], before: str) -> None:
    text, ends, begins = pieces(reply)
    for cut in range(1, len(text)):
        expected: dict[str, list[Json]] = {name: [] for name, begin in begins.items() if begin <= cut}
        counts = dict.fromkeys(reply, 0)
        for name, end in ends:
            if end <= cut:
                expected[name].append(reply[name][counts[name]])
                counts[name] += 1
        try:
            reading = read_json(before + text[:cut], accept)
        except UnreadableReply:
            assert "vertices" not in expected
        else:
            assert reading.value == expected
            assert reading.cut


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="{}[]\",:'\\ abtn1.-/`<>\n", max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    try:
        reading = read_json(text, lambda value: int(isinstance(value, (dict, list))))
    except UnreadableReply:
        return
    json.dumps(reading.value)
