"""Recorded replies: addresses, bad files, size."""

from __future__ import annotations

import asyncio
import json
import os
import tracemalloc

import pytest

from schemacast.errors import InputError, RequestFailed
from schemacast.llm.open import open_model
from schemacast.llm.protocol import Completion, Tag, Usage
from schemacast.llm.replay import ReplayModel
from schemacast.llm.request_key import prompt_key


@pytest.fixture
def replay(tmp_path, said, reply_type):
    """A file of these lines, and what a model over it says to a tag."""

    def replay(*lines):
        path = tmp_path / "replies.jsonl"
        path.write_bytes(
            b"".join(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines)
        )
        model = open_model(f"replay:{path}")
        return lambda tag, text="a": asyncio.run(model.complete(said(text), reply_type, tag))

    return replay


def test_a_reply_is_found_by_source_and_round(replay) -> None:
    say = replay(
        {"source_id": "a", "reply": "zero"},
        {"source_id": "a", "round": 1, "reply": {"vertices": ["é", 1.5]}},
        {"source_id": "b", "round": 0, "reply": [1]},
    )
    assert say(Tag("a")) == Completion("zero", model="replay")
    assert json.loads(say(Tag("a", round=1)).text) == {"vertices": ["é", 1.5]}
    assert say(Tag("b")).text == "[1]"


def test_a_line_says_how_it_ended_what_it_cost_and_who_wrote_it(replay) -> None:
    usage = {"input_tokens": 5, "output_tokens": 2}
    say = replay({"source_id": "a", "reply": "x", "finish_reason": "length", "usage": usage, "model": "m-1"})
    assert say(Tag("a")) == Completion("x", "length", Usage(5, 2), "m-1", requests=0)


def test_a_reply_is_found_by_the_key_of_its_prompt(replay, said, reply_type) -> None:
    key = prompt_key(said("a"), reply_type)
    say = replay({"request": key.upper(), "reply": "x"}, {"source_id": "b", "request": key, "reply": "y"})
    assert say(Tag("anything")).text == "x"
    assert say(Tag("b")).text == "y"
    with pytest.raises(RequestFailed):
        say(Tag("anything"), "another text")


def test_a_reply_is_found_by_item_and_stage_with_or_without_its_source(replay) -> None:
    say = replay(
        {"item": "Who?", "stage": "answer", "reply": "x"},
        {"item": "C.", "stage": "relevance", "source_id": "s1", "round": 1, "reply": "y"},
    )
    assert say(Tag(item="Who?", stage="answer")).text == "x"
    assert say(Tag("s9", item="Who?", stage="answer")).text == "x"
    assert say(Tag("s1", 1, "C.", "relevance")).text == "y"
    for tag in (Tag(item="Who?", stage="claim"), Tag("s2", 1, "C.", "relevance"), Tag("s1", 0, "C.", "relevance")):
        with pytest.raises(RequestFailed):
            say(tag)


def test_a_missing_reply_names_source_and_round(replay) -> None:
    say = replay({"source_id": "a", "reply": "x"})
    with pytest.raises(
        RequestFailed, match=r"no reply for source_id 'b', round 2 \(request [0-9a-f]{12}…\); add the line"
    ):
        say(Tag("b", round=2))


def test_lone_surrogates_become_replacement_characters(replay) -> None:
    say = replay(b'{"source_id": "s\\ud800", "reply": {"quote": "a\\udfffb"}}\n')
    assert say(Tag("s\ufffd")).text == '{"quote": "a\ufffdb"}'


def test_byte_order_mark_line_ends_and_empty_lines_do_not_matter(replay) -> None:
    say = replay(
        b'\xef\xbb\xbf{"source_id": "a", "reply": "1"}\r\n\r\n   \n{"source_id": "b", "reply": "2\\u2028"}',
    )
    assert (say(Tag("a")).text, say(Tag("b")).text) == ("1", "2\u2028")


def test_every_bad_line_is_reported_at_once_with_its_number(replay) -> None:
    bad = [
        b"{not json\n",
        b'"text"\n',
        b'{"source_id": "a", "reply": "\xff"}\n',
        {"source_id": "a"},
        {"reply": "x"},
        {"source_id": "", "reply": "x"},
        {"source_id": 7, "reply": "x"},
        {"source_id": "a", "reply": 7},
        {"source_id": "a", "reply": None},
        {"source_id": "a", "round": -1, "reply": "x"},
        {"source_id": "a", "round": True, "reply": "x"},
        {"source_id": "a", "round": "1", "reply": "x"},
        {"item": "q", "reply": "x"},
        {"source_id": "a", "reply": "x", "finish_reason": "bored"},
        {"source_id": "a", "reply": "x", "usage": {"input_tokens": "many"}},
        {"source_id": "a", "reply": "x", "usage": 5},
        {"source_id": "a", "reply": "x", "model": 5},
        b'{"source_id": "a", "reply": ' + b"[" * 100_000 + b"\n",
        b'{"source_id": "a", "reply": {"n": ' + b"9" * 5000 + b"}}\n",
    ]
    with pytest.raises(InputError) as raised:
        replay({"source_id": "good", "reply": "x"}, *bad)
    assert [problem.line for problem in raised.value.problems] == list(range(2, len(bad) + 2))
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 1000


def test_two_lines_with_one_address_are_an_error(replay) -> None:
    with pytest.raises(InputError, match="line 3: the same address as line 1"):
        replay(
            {"source_id": "a", "reply": "x"},
            {"source_id": "a", "round": 1, "reply": "x"},
            {"source_id": "a", "round": 0, "reply": "y"},
        )
    with pytest.raises(InputError, match="same address"):
        replay({"request": "ab", "reply": "x"}, {"request": "AB", "reply": "x"})


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\x00\xff\xfe" * 50])
def test_an_empty_or_binary_file_is_an_input_error(content, tmp_path) -> None:
    path = tmp_path / "replies.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"replies\.jsonl") as raised:
        open_model(f"replay:{path}")
    assert "\n" not in str(raised.value)


def test_what_is_no_readable_file_is_an_input_error(tmp_path) -> None:
    for path in (tmp_path, tmp_path / "absent", "", "a\x00b"):
        with pytest.raises(InputError):
            open_model(f"replay:{path}")
    closed = tmp_path / "closed.jsonl"
    closed.write_text("{}")
    closed.chmod(0)
    if not os.access(closed, os.R_OK):
        with pytest.raises(InputError, match="Permission"):
            open_model(f"replay:{closed}")


def test_a_large_file_is_not_held_in_memory(tmp_path, said, reply_type) -> None:
    path = tmp_path / "replies.jsonl"
    with path.open("w") as file:
        for n in range(5_000):
            file.write(json.dumps({"source_id": f"episode-{n}", "reply": f"{n} " + "x" * 2000}) + "\n")
    tracemalloc.start()
    model = ReplayModel(path)
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert len(model) == 5_000
    assert held < 2_500_000  # of 10 MB
    for n in (4_999, 0, 2_345):
        assert asyncio.run(model.complete(said("a"), reply_type, Tag(f"episode-{n}"))).text.startswith(f"{n} x")
    asyncio.run(model.aclose())


def test_a_model_may_be_closed_and_used_again_until_its_file_changes(replay, tmp_path, said, reply_type) -> None:
    say = replay({"source_id": "a", "reply": "x"})
    model = ReplayModel(tmp_path / "replies.jsonl")
    asyncio.run(model.aclose())
    assert asyncio.run(model.complete(said("a"), reply_type, Tag("a"))).text == say(Tag("a")).text == "x"
    asyncio.run(model.aclose())
    (tmp_path / "replies.jsonl").unlink()
    with pytest.raises(RequestFailed, match="changed while it was in use"):
        asyncio.run(model.complete(said("a"), reply_type, Tag("a")))


def test_it_can_be_told_beforehand_which_replies_are_there(tmp_path, said, reply_type) -> None:
    path = tmp_path / "replies.jsonl"
    path.write_text('{"source_id": "a", "reply": "x"}\n')
    model = ReplayModel(path)
    assert model.holds(said("anything"), reply_type, Tag("a"))
    assert not model.holds(said("anything"), reply_type, Tag("b"))
    assert not model.holds(said("anything"), reply_type, Tag())
