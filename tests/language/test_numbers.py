"""Numbers are read exactly, or not at all."""

from __future__ import annotations

import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from schemacast.language.number_style import number_style
from schemacast.language.numbers import NumberReading, read_numbers

TABLE = yaml.safe_load((Path(__file__).parent / "tables" / "numbers.yaml").read_text(encoding="utf-8"))
CASES = [
    pytest.param(None if locale == "any" else locale, row["text"], row["reads"], id=f"{locale}: {row['text']}")
    for locale, rows in TABLE.items()
    for row in rows
]
LOCALES = (
    None,
    "en",
    "de",
    "de-CH",
    "fr",
    "fr-CH",
    "es",
    "es-MX",
    "ja",
    "zh",
    "hi",
    "ar-EG",
    "en-ZA",
    "pl",
    "pt-BR",
    "it",
    "nl",
)


def value(text: str | int | float) -> Fraction:
    """A value as the tables write it: a decimal, a fraction, a power of ten."""
    first, _, rest = str(text).partition("*")
    return Fraction(first) * Fraction(rest or 1)


def slices(text: str, readings: list[NumberReading]) -> list[list[Any]]:
    return [[text[reading.start : reading.end], set(reading.values), reading.unit] for reading in readings]


@pytest.mark.parametrize(("locale", "text", "reads"), CASES)
def test_the_table_of_numbers_holds(locale: str | None, text: str, reads: list[list[Any]]) -> None:
    expected = [
        [written, {value(one) for one in (values if isinstance(values, list) else [values])}, unit]
        for written, values, unit in reads
    ]
    assert slices(text, read_numbers(text, locale=locale)) == expected


def test_the_price_without_a_locale_is_read_where_its_signs_decide_and_ambiguous_where_not() -> None:
    (sure,) = read_numbers("1.250,00 EUR", locale=None)
    assert sure.values == (Fraction(1250),)
    (unsure,) = read_numbers("1.250", locale=None)
    assert set(unsure.values) == {1250, Fraction(5, 4)}
    assert read_numbers("1.250", locale="de")[0].values == (Fraction(1250),)


def test_a_spelled_out_age_is_its_number_and_a_word_that_is_none_has_no_reading() -> None:
    (reading,) = read_numbers("forty", locale="en")
    assert (reading.values, reading.word) == ((Fraction(40),), True)
    assert read_numbers("elderly", locale="en") == []


def test_ordinals_that_show_it_are_marked() -> None:
    for text, locale in (
        ("3rd", "en"),
        ("3e", "fr"),
        ("3º", "es"),
        ("第3", "ja"),
        ("第三", "ja"),
        ("third", "en"),
        ("dritte", "de"),
    ):
        (reading,) = read_numbers(text, locale=locale)
        assert (reading.ordinal, reading.values) == (True, (Fraction(3),)), text


@pytest.mark.parametrize("locale", [None, "en"])
def test_what_somebody_won_is_no_currency(locale: str | None) -> None:
    [share] = read_numbers("The mayor won 52 percent of the vote", locale=locale)
    assert share.unit == "percent"
    [plain] = read_numbers("Orvik won 3 contracts", locale=locale)
    assert plain.unit is None
    [korean] = read_numbers("It costs 5,000 won", locale=None)
    assert korean.unit == "won"


def test_units_that_a_schema_declares_count_beside_the_known_ones() -> None:
    text = "5 pallets of 3 tickets/day"
    readings = read_numbers(text, locale="en", units=frozenset(("pallets", "tickets/day")))
    assert [reading.unit for reading in readings] == ["pallets", "tickets/day"]


def formatted(number: Fraction, places: int, locale: str | None, space: str, *, group: bool) -> str:
    """The number as its locale writes it."""
    style = number_style(locale)
    decimal, sign = (style.decimal, style.group) if style else (".", "\u00a0")
    sign = space if sign == " " else sign
    whole, rest = divmod(abs(number) * 10**places, 10**places)
    digits = f"{int(whole):,}".replace(",", sign if group else "")
    return ("-" if number < 0 else "") + digits + (decimal + f"{int(rest):0{places}}" if places else "")


@given(
    st.integers(-(10**12), 10**12),
    st.sampled_from((0, 1, 2, 4, 6)),
    st.sampled_from(LOCALES[1:]),
    st.sampled_from(("\u00a0", "\u202f", " ")),
    st.booleans(),
)
@settings(max_examples=200, deadline=None)
def test_a_number_formatted_by_its_locale_is_read_back(
    unscaled: int, places: int, locale: str, space: str, group: bool
) -> None:
    number = Fraction(unscaled, 10**places)
    text = formatted(number, places, locale, space, group=group)
    (reading,) = read_numbers(f"x: {text}.", locale=locale)
    assert reading.values == (number,)
    assert (reading.start, reading.end) == (3, 3 + len(text))


WORDS = [
    "1", "3-5", "1.250", "HD-2", "½", "−", "5kW", "€", "二十三", "1万2千", "forty", "two and a half", "a",
    "and", "half", "hundred", "dreiundzwanzig", "et demie", "半", "分の", "%", "km/h", "h", "30 min", "3/4", "1e5",
    "10³", "x", "to",
    "million", "第", "٣", "１", " ", ",", ".", "\n", "'", "st", "k", "quatre-vingt", "veintitrés", "1 250",
    "minus",
]  # fmt: skip


@given(
    st.text(max_size=60)
    | st.lists(st.sampled_from(WORDS), max_size=10).map(" ".join)
    | st.lists(st.sampled_from(WORDS), max_size=10).map("".join),
    st.sampled_from(LOCALES),
)
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_in_order_without_overlaps(text: str, locale: str | None) -> None:
    free = 0
    for reading in read_numbers(text, locale=locale):
        assert free <= reading.start < reading.end <= len(text)
        assert reading.values
        assert len(set(reading.values)) == len(reading.values)
        if reading.unit is not None:
            assert reading.unit_start is not None
            assert text[reading.unit_start : reading.unit_end] == reading.unit
        free = reading.end


@given(st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join), st.sampled_from(LOCALES))
@settings(max_examples=200, deadline=None)
def test_the_slice_of_a_reading_is_the_same_number_alone(text: str, locale: str | None) -> None:
    for reading in read_numbers(text, locale=locale):
        (alone,) = read_numbers(text[reading.start : reading.end], locale=locale)
        assert set(reading.values) & set(alone.values)


@pytest.mark.parametrize(
    "text",
    [
        "9" * 10_000, "1." * 5_000 + "1", "1 " * 33_000, "1 000 " * 13_000, "1-" * 33_000, "1/" * 33_000,
        "½" * 9_000, "one " * 16_000, "one hundred twenty and pump " * 4_000, "hundert" * 10_000,
        "thousand " * 8_000, "a half and " * 9_000, "一" * 66_000, "一万" * 33_000, "1万" * 33_000, "分の" * 33_000,
        "5 m/m/m/" * 8_000, "-" * 66_000, "€" * 66_000, "5 million " * 10_000, "1e9999", "1e" * 33_000,
        "x10^9" * 13_000, " " * 66_000, "1h 1min " * 8_000, "un " * 22_000, "+49 " * 16_000, '"5" ' * 16_000,
        "5 " + "a" * 66_000, "zwei" * 16_000, "0 " * 33_000, "1 one " * 9_000, "1万 " * 13_000, "½ " * 20_000,
        "one forty-two " * 4_000, "1" + ",11" * 22_000,
    ],
    ids=lambda text: text[:12],
)  # fmt: skip
def test_hostile_text_takes_a_time_that_grows_with_its_length(text: str) -> None:
    began = time.process_time()
    read_numbers(text, locale=None)
    assert time.process_time() - began < 5


def test_a_numeral_beyond_any_property_has_no_reading() -> None:
    assert read_numbers("9" * 10_000, locale="en") == []
    assert read_numbers("1e999", locale="en") == []
    assert read_numbers("9" * 300, locale="en")[0].values == (Fraction(10**300 - 1),)


def test_text_with_digits_only_loads_no_library() -> None:
    code = (
        "import sys; from schemacast.language.numbers import read_numbers;"
        "assert read_numbers('The pump ran at 45 rpm, HD-2', locale='en')[0].values == (45,);"
        "assert 'text_to_num' not in sys.modules;"
        "assert read_numbers('forty', locale='en'); assert 'text_to_num' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
