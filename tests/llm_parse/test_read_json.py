"""Reading the JSON out of a model's reply: each dress it comes in, and what is never guessed."""

from __future__ import annotations

import json
import time
from contextlib import suppress

import pytest

from schemacast.llm.parse import JsonReading, UnreadableReply, read_json
from schemacast.schema.values import Json

TOWN = {"records": [{"type": "Town", "name": "Hald", "quote": "Hald"}]}


def accept(value: Json) -> int:
    return int(isinstance(value, dict) and "records" in value)


def read(text: str) -> JsonReading:
    return read_json(text, accept)


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        (json.dumps(TOWN), ()),
        (f"```json\n{json.dumps(TOWN)}\n```", ("fence",)),
        (f"```\n{json.dumps(TOWN)}", ("fence",)),
        (
            f"Sure, here is the result:\n```json\n{json.dumps(TOWN)}\n```\nHope this helps!",
            ("fence", "preamble", "epilogue"),
        ),
        (f"\ufeff{json.dumps(TOWN)}", ()),
        (f"<think>towns {{like this}} or [that]</think>\n{json.dumps(TOWN)}", ("reasoning",)),
        (f"the user wants {{towns}}</think>{json.dumps(TOWN)}", ("reasoning",)),
        (f"<think>the user wants towns {{like this}}\n{json.dumps(TOWN)}", ("reasoning", "preamble")),
        ('{"records":[{"type":"Town","name":"Hald","quote":"Hald"},]}', ("trailing_comma",)),
        ('{"records":[{"type":"Town","name":"Hald","quote":"Hald",},],}', ("trailing_comma",)),
        (repr(TOWN), ("python_literal",)),
        ('{records:[{type:"Town",name:"Hald",quote:"Hald"}]}', ("bare_key",)),
        ('{"records":[{"type":"Town","name":"Hald","quote":"Hald"}]]}', ("stray_bracket",)),
        ('{"records":[{"type":"Town","name":"Hald","quote":"Hald"}}]}', ("stray_bracket",)),
        ('{"records":[{"type":"Town"},"name":"Hald","quote":"Hald"}]}', ("stray_bracket",)),
        ('{"records":[{"type":"Town","name":"Hald","quote":"Hald"}}', ("missing_bracket",)),
        ('"records":[{"type":"Town","name":"Hald","quote":"Hald"}]}', ("stray_bracket",)),
        ('{"records":[{"type":"Town","name":"Hald","quote":"Hald"}] // one town\n}', ()),
    ],
)
def test_each_dress_of_a_reply_is_taken_off(text: str, repaired: tuple[str, ...]) -> None:
    reading = read(text)
    assert reading.value == TOWN
    assert reading.repaired == repaired
    assert not reading.cut


def test_a_raw_line_break_in_a_string_stays() -> None:
    reading = read('{"records":[{"type":"Note","quote":"line one\nline\ttwo"}]}')
    assert reading.value == {"records": [{"type": "Note", "quote": "line one\nline\ttwo"}]}
    assert reading.repaired == ("raw_line_break",)


def test_python_constants_and_quotes_are_read() -> None:
    text = """{'records': [{'a': None, 'b': True, 'c': False, 'd': "it's", 'e': 'say "x"', 'f': 'it\\'s \\x41'}]}"""
    assert read(text).value == {
        "records": [{"a": None, "b": True, "c": False, "d": "it's", "e": 'say "x"', "f": "it's A"}]
    }


def test_constants_without_a_value_are_null() -> None:
    assert read('{"records": [NaN, Infinity, -Infinity, undefined, nan]}').value == {"records": [None] * 5}


def test_numbers_are_kept_as_text_when_a_number_would_change_them() -> None:
    digits = "7" * 5000
    reading = read(f'{{"records": [1.10, 1.5, 1e999, 12, -0.5, {digits}, 1E5]}}')
    assert reading.value == {"records": ["1.10", 1.5, "1e999", 12, -0.5, digits, "1E5"]}
    assert reading.repaired == ()


@pytest.mark.parametrize("bare", ["007", "2024-01-01", "1_000", "+5", ".5", "HD-2", "12kg"])
def test_a_bare_value_that_is_no_json_ends_the_reading(bare: str) -> None:
    reading = read(f'{{"records": [{{"n": 1}}, {{"n": {bare}}}, {{"n": 3}}]}}')
    assert reading.value == {"records": [{"n": 1}]}
    assert reading.cut


def test_lone_surrogates_become_replacement_characters_and_pairs_stay() -> None:
    value = {"records": [{"a\ufffd": "x\ufffdy", "b": "\U0001f600", "c": "\ufffd"}]}
    plain = '{"records": [{"a\\ud800": "x\\ud83dy", "b": "\\ud83d\\ude00", "c": "\\uDE00"}]}'
    assert read(plain).value == value
    assert read(f"Here: {plain[:-1]},}}").value == value
    assert read('{"records": ["\ud800"]}').value == {"records": ["\ufffd"]}
    assert read('so: {"records": ["\ud800"]}').value == {"records": ["\ufffd"]}


def test_of_a_doubled_key_lists_are_joined_and_else_the_first_stands() -> None:
    text = '{"records": [1], "n": "a", "n": "b", "m": 1, "m": 1, "records": [2], "records": [2]}'
    assert read(text).value == {"records": [1, 2, 2], "n": "a", "m": 1}
    assert read(f"x {text[:-1]},}}").value == read(text).value
    assert "doubled_key" in read(f"x {text[:-1]},}}").repaired


def test_unknown_escapes_stay_as_they_are_written() -> None:
    assert read(r'{"records": ["HD-\d+", "\u12", "a\/b"]}').value == {"records": ["HD-\\d+", "\\u12", "a/b"]}


def test_the_last_value_of_the_right_shape_is_the_answer() -> None:
    example, answer = {"records": ["example"]}, {"records": ["answer"]}
    text = f"An entry looks like {json.dumps(example)}. So: {json.dumps(answer)} (see [1] and {{2}})"
    assert read(text).value == answer


def test_what_stands_in_closed_reasoning_is_no_answer() -> None:
    with pytest.raises(UnreadableReply):
        read(f"<think>maybe {json.dumps(TOWN)}</think> I cannot tell.")


def test_a_reasoning_tag_inside_a_string_is_text() -> None:
    text = '{"records": [{"quote": "he wrote </think> and {braces}"},]}'
    assert read(text).value == {"records": [{"quote": "he wrote </think> and {braces}"}]}


@pytest.mark.parametrize("text", ["", " ", "no towns", "null", '"records"', "[]", "{}", "{'a': 1}", "\x00", "{[}]"])
def test_without_the_shape_there_is_nothing_to_read(text: str) -> None:
    with pytest.raises(UnreadableReply):
        read(text)


@pytest.mark.parametrize(
    "unit",
    ["[", "{", '"', "'", "[{", '{"', '["', "['", '{"a":', "[1,", '{"records":[', "\\", "<think>", "</think>", "```"]  # noqa: RUF005
    + ['["\\', '{"records":[{"a":[', "{}", "[]", "[],", "{a:", "//", "[//\n", '{"a":"', "9", "[9", "]", "}", "[null "],
)
def test_hostile_repetition_costs_linear_time_and_no_recursion(unit: str) -> None:
    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        begin = time.process_time()
        with suppress(UnreadableReply):
            read(text)
        return time.process_time() - begin

    assert seconds(60_000) < 1.0


def test_deep_nesting_in_plain_json_is_no_error() -> None:
    text = '{"records": ' + "[" * 900 + "]" * 900 + "}"
    assert isinstance(read(text).value, dict)
    with pytest.raises(UnreadableReply):
        read('{"x": ' + "[" * 200_000 + "]" * 200_000 + "}")
