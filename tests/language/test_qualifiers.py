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


HEDGED = {
    "de": ("etwa 5 Pumpen", "rund 5 Pumpen", "unter 5 Pumpen", "5 bis 6 Pumpen", "zwischen 5 und 6", "5 oder mehr"),
    "fr": ("plus de 5 pompes", "environ 5", "5 ou 6", "5 à 6 pompes", "entre 5 et 6", "quelque 5 pompes"),
    "es": ("casi 5", "unos 5", "5 o 6", "entre 5 y 6", "más de 5"),
    "en": ("about 5", "over 5 pumps", "some 5 pumps", "under 5", "5 to 6", "5 or 6", "between 5 and 6"),
    "ja": ("約5台", "5台以上", "5〜6台"),
}


@pytest.mark.parametrize("locale", ["en", "de", "fr", "es", "ja", "sv", "nl", None])
@pytest.mark.parametrize("text", [text for texts in HEDGED.values() for text in texts])
def test_a_hedge_is_heard_in_a_text_of_another_language_than_the_locale(text: str, locale: str | None) -> None:
    start = text.index("5")
    assert qualifier_beside(text, start, start + 1, locale=locale)


@pytest.mark.parametrize("locale", ["en", "de", "fr", "es", "ja", "sv", None])
@pytest.mark.parametrize(
    "text",
    ["5 of 40 seats", "5 pumps and 6 fans", "5 Pumpen und 6 Ventile", "5 pompes et 6 vannes", "5 bombas y 6 válvulas"],
)
def test_what_is_everyday_in_one_language_qualifies_nothing_in_another(text: str, locale: str | None) -> None:
    assert qualifier_beside(text, 0, 1, locale=locale) is None


@pytest.mark.parametrize("locale", ["en", "de", "ja"])
def test_an_english_article_is_no_range(locale: str) -> None:
    assert qualifier_beside("Pump 3 a 5 bar unit", 5, 6, locale=locale) is None
