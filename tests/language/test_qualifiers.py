"""A comparator or hedge counts when it stands beside the number, and only then."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from schemacast.language.numbers import read_numbers
from schemacast.language.qualifier_words import QUALIFIERS
from schemacast.language.qualifiers import qualifier_beside
from schemacast.language.units import fold_word

TABLE = yaml.safe_load((Path(__file__).parent / "tables" / "qualifiers.yaml").read_text(encoding="utf-8"))
CASES = [
    pytest.param(locale, row, id=f"{locale}: {row['text']} ({row['number']})")
    for language, rows in TABLE.items()
    for row in rows
    for locale in (language, "any")
]


@pytest.mark.parametrize(("locale", "row"), CASES)
def test_the_table_of_qualifiers_holds(locale: str, row: dict[str, str]) -> None:
    start = row["text"].index(row["number"])
    found = qualifier_beside(row["text"], start, start + len(row["number"]), locale=None if locale == "any" else locale)
    assert found == row["qualifier"]


@pytest.mark.parametrize("language", sorted(QUALIFIERS))
def test_every_listed_word_before_a_number_is_found_in_its_language(language: str) -> None:
    for phrase in QUALIFIERS[language].before.split("|"):
        text = f"{phrase}{'' if phrase.endswith(chr(39)) else ' '}40"
        assert qualifier_beside(text, len(text) - 2, len(text), locale=language), phrase
        assert phrase == fold_word(phrase), phrase


@pytest.mark.parametrize("language", sorted(QUALIFIERS))
def test_every_listed_word_in_brackets_is_found_in_its_language(language: str) -> None:
    for phrase in filter(None, QUALIFIERS[language].aside.split("|")):
        assert qualifier_beside(f"40 ({phrase})", 0, 2, locale=language) == phrase
        assert phrase == fold_word(phrase), phrase


@pytest.mark.parametrize("language", sorted(QUALIFIERS))
def test_every_listed_word_after_a_number_is_found_in_its_language(language: str) -> None:
    for phrase in QUALIFIERS[language].after.split("|"):
        assert qualifier_beside(f"40 {phrase}", 0, 2, locale=language), phrase
        assert phrase == fold_word(phrase), phrase


@given(
    st.text(alphabet="ab 5-<>~.,+\n約以上〜", max_size=40)
    | st.lists(
        st.sampled_from(["about", "5", "to", "3", "or more", "between", "and", "kW", "-", "以上", "<"]), max_size=8
    ).map(" ".join)
)
@settings(max_examples=100, deadline=None)
def test_any_text_has_a_qualifier_or_none_and_it_stands_in_the_text(text: str) -> None:
    for reading in read_numbers(text, locale=None):
        found = qualifier_beside(text, reading.start, reading.end, locale=None)
        assert found is None or found in text


@pytest.mark.parametrize(
    "before", ["internationalizationxyzzy" * 3, "a b c d e f g h i j k l m n o p q r s t u v w x y z! ", "a-" * 40]
)
def test_a_long_word_before_a_number_takes_no_time(before: str) -> None:
    text = f"the ({before}@ 40 pumps"
    start = text.index("40")
    began = time.process_time()
    for _ in range(100):
        assert qualifier_beside(text, start, start + 2, locale=None) is None
    assert time.process_time() - began < 1


def test_a_number_in_a_long_text_is_looked_at_in_its_neighbourhood_only() -> None:
    text = "about " * 20_000 + "40" + " or more" * 20_000
    start = text.index("40")
    began = time.process_time()
    for _ in range(20):
        assert qualifier_beside(text, start, start + 2, locale=None) == "about"
    assert time.process_time() - began < 2
