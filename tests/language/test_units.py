"""Conversions are exact, or there is none."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from schemacast.language.unit_table import unit_lines
from schemacast.language.units import Unit, convert, fold_word, is_unit, meanings

CASES = yaml.safe_load((Path(__file__).parent / "tables" / "units.yaml").read_text(encoding="utf-8"))
NAMES = sorted({symbol for line in unit_lines() for symbol in line.symbols.split()})


@pytest.mark.parametrize(("value", "source", "target", "expected"), CASES, ids=lambda part: str(part))
def test_the_table_of_conversions_holds(value: float, source: str, target: str, expected: str | None) -> None:
    assert convert(Fraction(str(value)), source, target) == (Fraction(expected) if expected else None)


@given(st.fractions(), st.sampled_from(NAMES), st.sampled_from(NAMES))
@settings(max_examples=100, deadline=None)
def test_a_conversion_there_and_back_gives_the_same_value(value: Fraction, source: str, target: str) -> None:
    there = convert(value, source, target)
    if there is not None:
        assert convert(there, target, source) == value


@given(st.text(max_size=60), st.text(max_size=60), st.integers())
@settings(max_examples=100, deadline=None)
def test_any_text_is_a_unit_or_none_without_an_error(source: str, target: str, value: int) -> None:
    result = convert(Fraction(value), source, target)
    assert result is None or isinstance(result, Fraction)


def test_every_line_of_the_table_is_read_and_every_name_is_known() -> None:
    for line in unit_lines():
        assert line.symbols or line.words
        for name in (*line.symbols.split(), *line.words.split()):
            assert is_unit(name.replace("_", " ")), name


def test_prefixed_names_have_no_meaning_they_are_not_meant_to_have() -> None:
    assert not is_unit("am")
    assert not is_unit("pm")
    assert not is_unit("TV")
    assert not is_unit("EV")
    assert is_unit("kW")
    assert is_unit("Kilowatt")


def test_case_and_accents_count_in_symbols_only() -> None:
    assert meanings("KILOMÈTRES") == meanings("kilometres")
    assert meanings("mW") != meanings("MW")
    assert fold_word("ガ") != fold_word("カ")


def test_a_product_of_many_units_is_refused_quickly() -> None:
    assert meanings("·".join(["m"] * 15)) == ()
    assert meanings("m/" * 5000) == ()


def test_sizes_agree_with_the_definitions_they_come_from() -> None:
    (psi,) = meanings("psi")
    inch, pound_force = Fraction("0.0254"), Fraction("0.45359237") * Fraction("9.80665")
    assert psi.factor == pound_force / inch**2
    (horsepower,) = meanings("hp")
    assert horsepower.factor == 550 * Fraction("0.3048") * pound_force
    (foot_pound,) = meanings("ft·lb")
    assert foot_pound.factor == Fraction("0.3048") * pound_force
    assert meanings("rev")[0] == Unit(Fraction(1), Fraction(0), (("turn", 1),))
    assert math.isclose(meanings("mph")[0].factor, 0.44704)
