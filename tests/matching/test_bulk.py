"""Many texts read at once are the words that each of them is read as by itself."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st

from schemacast.matching.bulk import codes_of, joined, name_words_of, skeletons_of, words_of
from schemacast.matching.words import LONGEST, code, name_words, skeleton, words

PIECES = ("a/s", "s.p.a.", "A", "c++", "#", ".net", "..x", "007", "XIV", "&", "'", "`", " ", "\n", "\t", "\x1c", "-",
    "gmbh", "Dr.", "ß", "İ", "ı", "北京", "🚀", "\ud800", "micro", "sd", "microsd", "b.v", "1.5", "/", "Inc.",
    "and/or", "12.")  # fmt: skip
texts = st.lists(st.lists(st.sampled_from(PIECES), max_size=6).map("".join), max_size=8)


@given(texts)
@settings(max_examples=100)
@example([])
@example([""])
@example(["a" * (LONGEST + 5) + " b", "c"])
def test_texts_read_at_once_have_the_words_they_have_alone(given: list[str]) -> None:
    assert words_of(given) == [words(text) for text in given]
    assert name_words_of(given) == [name_words(text) for text in given]
    assert codes_of(given) == [code(text) for text in given]


@given(texts)
@settings(max_examples=100)
def test_skeletons_found_at_once_are_those_of_each_word(given: list[str]) -> None:
    distinct = list(dict.fromkeys(word for text in given for word in words(text)))
    assert skeletons_of(distinct) == [skeleton(word) if word.isalpha() else word for word in distinct]


def test_words_that_another_value_writes_as_one_become_that_one() -> None:
    lists = [["micro", "sd", "card"], ["microsd"], ["010", "10979"], ["01010979"], ["sd"], ["1", "2"], ["12"], []]
    assert joined(lists) == [
        ["microsd", "card"],
        ["microsd"],
        ["01010979"],
        ["01010979"],
        ["sd"],
        ["1", "2"],
        ["12"],
        [],
    ]


def test_three_words_are_joined_though_two_of_them_are_no_word() -> None:
    assert joined([["mac", "book", "pro"], ["macbookpro"]]) == [["macbookpro"], ["macbookpro"]]
