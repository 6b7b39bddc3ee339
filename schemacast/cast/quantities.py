"""Numbers as a quote states them: read by the locale, converted exactly, and plain or not at all.

The model's value says which number of the quote is meant, in the quote's own unit or in the property's;
the stored value is always computed from the quote. A number that may be read in two ways, that a
comparator or hedge qualifies, or whose unit cannot be converted, is refused.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from schemacast.cast.items import Plain, plain_text
from schemacast.cast.ledger import Refusal, shown
from schemacast.cast.outcome import FixName
from schemacast.cast.place import neighbourhood, standing, stands_cut
from schemacast.language.numbers import NumberReading, read_numbers
from schemacast.language.qualifiers import qualifier_beside
from schemacast.language.tokens import cuts_token
from schemacast.language.units import convert, is_unit
from schemacast.schema.model import Property
from schemacast.schema.values import Scalar

PLAIN = re.compile(r"[+-]?\d{1,30}(?:\.(\d{1,30}))?")
CODE = re.compile(r"(?<=[^\W\d_][-\u2010\u2011_.])(\d{1,4})(?![-\u2010-\u2015./:,_]?\w)")
LONGEST_IN_CODE = 4
NO_UNITS: frozenset[str] = frozenset()
PER_CENT = {"%": 100, "‰": 1000, "percent": 100, "per cent": 100, "prozent": 100, "pour cent": 100, "por ciento": 100}


class QuantityRead(NamedTuple):
    """A number's value and where it stands in the text."""

    value: Scalar
    start: int
    end: int
    fix: tuple[FixName, str] | None


class Claim(NamedTuple):
    """What the model's value may mean: the numbers it may be, its decimals, and its unit if it names one."""

    values: frozenset[Fraction]
    decimals: int | None
    unit: str | None


def read_quantity(
    prop: Property, given: Plain, text: str, start: int, end: int, locale: str | None
) -> QuantityRead | Refusal:
    """The number that the quote `text[start:end]` states and `given` means, in the property's unit."""
    words = plain_text(given).strip()
    claim = _claim(words, locale)
    if claim is None:
        return Refusal("value_type", f"{shown(words)} is no {prop.type}")
    first, last = neighbourhood(text, start, end)
    own = prop.unit is not None and not is_unit(prop.unit)  # a unit of the schema's own, such as `pallets`
    units = frozenset((prop.unit,)) if own and prop.unit else NO_UNITS
    readings = _readings(text[first:last], locale, units)
    inside = [each for each in readings if start <= first + each.start and first + each.end <= end]
    ranked = [(rank, each) for each in inside if (rank := _rank(each, claim, prop.unit))]
    if not ranked and (coded := _in_code(prop, words, text, start, end)) is not None:
        return coded
    if not ranked:
        numbers = [(first + each.start, first + each.end) for each in readings]
        return _absent(words, numbers, text, start, end)
    refusal: Refusal | None = None
    for _, reading in sorted(ranked, key=lambda each: each[0]):
        read = _value(prop, reading, text, first, words, start, end, locale)
        if not isinstance(read, Refusal):
            return read
        refusal = refusal or read
    assert refusal is not None
    return refusal


def _value(
    prop: Property, reading: NumberReading, text: str, first: int, words: str, start: int, end: int, locale: str | None
) -> QuantityRead | Refusal:
    """One reading as the property's value, or why it is none."""
    at, until = first + reading.start, first + reading.end
    where = shown(text[at:until])
    values = set(reading.values)
    fix: tuple[FixName, str] | None = None
    if prop.unit is not None and reading.unit is not None and not _same_unit(reading.unit, prop.unit):
        converted = {convert(value, reading.unit, prop.unit) for value in values}
        if None in converted:
            return Refusal("value_type", f"{where} is in {reading.unit}, which is not {prop.unit}")
        read, values = values, {value for value in converted if value is not None}
        if values != read:
            fix = "unit_converted", f"{where} {reading.unit} is {_plain(min(values))} {prop.unit}"
    if len(values) > 1:
        if standing(words, text, start, end) is None and stands_cut(words, text, start, end):
            return Refusal("quote_cuts_token", f"{shown(words)} is only a part of the number {where}")
        several = " or ".join(_plain(value) for value in sorted(values)[:4])
        return Refusal("value_ambiguous", f"{where} may be {several}, and nothing says which")
    value = values.pop()
    if not prop.bound and (qualifier := qualifier_beside(text, at, until, locale=locale)) is not None:
        return Refusal("value_qualified", f"{where} is qualified by {shown(qualifier)}, which a number would lose")
    if prop.type == "integer":
        if value.denominator != 1:
            return Refusal("value_type", f"{where} is no whole number")
        return QuantityRead(int(value), at, until, fix)
    try:
        return QuantityRead(float(value), at, until, fix)
    except OverflowError:
        return Refusal("value_type", f"{where} is too large for a number")


def _rank(reading: NumberReading, claim: Claim, unit: str | None) -> int:
    """How well a reading fits what the model means: 1 in the property's unit, 2 in its own, 0 not at all."""
    converted: list[Fraction] = []
    for to in dict.fromkeys((unit, claim.unit)):
        if to is not None and reading.unit is not None and not _same_unit(reading.unit, to):
            converted += [each for value in reading.values if (each := convert(value, reading.unit, to)) is not None]
    if any(value in claim.values for value in converted):
        return 1
    if any(value in claim.values for value in reading.values):
        return 2 if converted else 1
    if claim.decimals and any(round(value, claim.decimals) in claim.values for value in converted):
        return 3
    parts = PER_CENT.get((reading.unit or "").casefold())
    if parts is not None and unit is None and any(value / parts in claim.values for value in reading.values):
        return 3
    return 0


def _in_code(prop: Property, words: str, text: str, start: int, end: int) -> QuantityRead | None:
    """A whole number at the end of a code (`2` of `SEV-2`), which is no number to read but states this one."""
    if prop.type != "integer" or not words.isascii() or not words.isdecimal() or len(words) > LONGEST_IN_CODE:
        return None
    for found in CODE.finditer(text, start, end):
        if found[1] == words and not cuts_token(text, *found.span(1)):
            return QuantityRead(int(words), *found.span(1), None)
    return None


def _absent(words: str, numbers: list[tuple[int, int]], text: str, start: int, end: int) -> Refusal:
    """Why no number of the quote is the one that is meant; `numbers` are the spans of those around it."""
    quote = shown(text[start:end])
    found = standing(words, text, start, end)
    if found is None:
        cut = stands_cut(words, text, start, end)
    else:  # `250` stands whole in `1 250` as words go, but not as numbers go
        cut = any(low < found[1] and found[0] < high and (low, high) != found for low, high in numbers)
    if cut:
        return Refusal("quote_cuts_token", f"{shown(words)} is only a part of a word or number in {quote}")
    if found is not None and not any(start <= low and high <= end for low, high in numbers):
        return Refusal("value_type", f"{shown(words)} in the quote {quote} is not read as a number")
    return Refusal("value_not_in_quote", f"{shown(words)} is not what the quote {quote} says")


@lru_cache(maxsize=1024)
def _claim(words: str, locale: str | None) -> Claim | None:
    """The numbers that a model's value may be: as JSON writes them, or as a text would; None for no number."""
    values: set[Fraction] = set()
    decimals: int | None = None
    unit: str | None = None
    if (plain := PLAIN.fullmatch(words)) is not None:
        values.add(Fraction(words))
        decimals = len(plain[1] or "")
    elif (small := _exponent(words)) is not None:
        values.add(small)
    readings = read_numbers(words, locale=locale) if plain is None or "." in words else []
    if len(readings) == 1:
        values.update(readings[0].values)
        unit = readings[0].unit
    return Claim(frozenset(values), decimals, unit) if values else None


def _exponent(words: str) -> Fraction | None:
    """A number as JSON writes it with an exponent, within the range of a double."""
    if not re.fullmatch(r"[+-]?\d{1,30}(?:\.\d{1,30})?[eE][+-]?\d{1,3}", words):
        return None
    return Fraction(words)


@lru_cache(maxsize=128)
def _readings(text: str, locale: str | None, units: frozenset[str]) -> tuple[NumberReading, ...]:
    return tuple(read_numbers(text, locale=locale, units=units))


def _same_unit(left: str, right: str) -> bool:
    return left == right


def _plain(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value.numerator)
    try:
        return repr(float(value))
    except OverflowError:
        return "a number too large"
