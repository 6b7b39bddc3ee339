"""Where texts are cut into passages."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemacast.corpus.passages import LONGEST, Passage, passages

SENTENCE = "The pump at Hald stopped on Monday."

texts = st.text(st.sampled_from("ab cd.!? \n\t\r。é́한\u1161東\u200d👩"), max_size=400) | st.text(max_size=200)


def test_a_short_text_is_one_passage_without_the_space_around_it() -> None:
    assert passages(f"  {SENTENCE}\n") == [Passage(2, 2 + len(SENTENCE))]


@pytest.mark.parametrize("text", ["", " \n\t", "\u2029"])
def test_a_text_of_whitespace_has_none(text: str) -> None:
    assert passages(text) == []


def test_sentences_are_put_together_up_to_the_bound() -> None:
    text = " ".join([SENTENCE] * 100)
    made = passages(text)
    assert all(text[start:end].startswith("The pump") and text[start:end].endswith("Monday.") for start, end in made)
    assert all(end - start <= LONGEST for start, end in made)
    assert all(end - start > LONGEST - 2 * len(SENTENCE) for start, end in made[:-1])


def test_a_paragraph_ends_a_passage_that_can_stand_alone_and_no_shorter_one() -> None:
    short, long = "Dear all,", " ".join([SENTENCE] * 12)
    text = f"{short}\n\n{long}\r\n\r\n{long}"
    assert [text[start:end] for start, end in passages(text)] == [f"{short}\n\n{long}", long]


def test_a_sentence_longer_than_the_bound_is_cut_at_a_space() -> None:
    text = "word " * 1000 + "end."
    made = passages(text)
    assert all(text[start:end].split() == text[start:end].split(" ") for start, end in made)
    assert "".join(text[start:end] for start, end in made).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize(
    "unit", ["東", "e\u0301", "한".replace("한", "\u1112\u1161\u11ab"), "👩\u200d🚀", "ก\u0e34\u0e48"]
)
def test_a_text_without_spaces_is_cut_between_what_a_reader_sees_as_characters(unit: str) -> None:
    text = unit * 1500
    made = passages(text)
    assert len(made) > 1
    assert all(start % len(unit) == 0 for start, _ in made)
    assert made[-1].end == len(text)


@given(texts, st.integers(8, 60), st.integers(0, 60))
@settings(max_examples=100)
def test_passages_hold_all_but_whitespace_in_order_and_are_never_too_long(
    text: str, longest: int, long_enough: int
) -> None:
    made = passages(text, longest=longest, long_enough=long_enough)
    position = 0
    for start, end in made:
        assert position <= start < end <= len(text)
        assert end - start <= longest
        assert text[position:start].strip() == ""
        assert text[start:end] == text[start:end].strip()
        position = end
    assert text[position:].strip() == ""


@given(st.text(st.sampled_from("ae\u0301\u0327"), min_size=1, max_size=300))
@settings(max_examples=50)
def test_no_mark_is_torn_from_its_letter(text: str) -> None:
    text = "x" + text
    runs = max((len(run) for run in text.replace("a", "e").split("e")), default=0)
    for start, _ in passages(text, longest=20, long_enough=5):
        assert start == 0 or runs > 10 or not unicodedata.combining(text[start])
