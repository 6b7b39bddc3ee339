"""Numbers in a text: where they stand, which exact values they may have, and in which unit.

Figures are read by the locale, words and Han numerals by their grammar; a reading with one value is
certain, one with several is ambiguous and for the caller to refuse or decide. What is no number
(a code, a version, a date, a time) has no reading. Readings are in order and do not overlap. A plain
text with digits only costs some microseconds and loads no library.
"""

from __future__ import annotations

import re
from collections import deque
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from schemacast.language.compound_quantities import in_hours, joined
from schemacast.language.figures import figures
from schemacast.language.han_numerals import HanNumber, han_numbers
from schemacast.language.minus import below_zero_after, minus_before
from schemacast.language.multipliers import multiplier_after
from schemacast.language.number_style import NumberStyle, number_style
from schemacast.language.number_words import half_after, half_more, number_words
from schemacast.language.stretches import clear_of
from schemacast.language.unit_beside import unit_after, unit_before
from schemacast.language.units import is_unit

_SHORT = 200
"""Quotes up to this length are read once: a value, its unit and its neighbours ask for the same one."""
_ONE_OF_TIME = re.compile(r"(?<!\w)[Aa]n? (?=(?:hour|minute|day|week|fortnight|month|year|decade|century)(?!\w))")
_RATED = re.compile(
    r"(?:[\d%]|(?<!\w)(?:once|twice|thrice|times|half|many|what|such|per|x|quarter of|third of))\W{0,3}$", re.IGNORECASE
)
HALF = Fraction(1, 2)
_OF = re.compile(r" (?:of (?:an?|one|the) |d['’](?:une? )?|de (?:une? |una? )?|einer |eines )", re.IGNORECASE)
_LETTERS_OF_WORDS = re.compile(r"[^\W\d_]{2}")


class NumberReading(NamedTuple):
    """A number at `[start, end)` of its text.

    `unit` is the text of the unit beside it, with its place: after the number, or a currency before
    it. `word`: spelled out, in words or Han numerals only; `ordinal`: a place in an order (`3rd`). A number
    that goes on behind its unit (`2 h 30 min`, `two hours and a half`) ends behind it.
    """

    start: int
    end: int
    values: tuple[Fraction, ...]
    unit: str | None = None
    unit_start: int | None = None
    unit_end: int | None = None
    ordinal: bool = False
    word: bool = False


def read_numbers(text: str, *, locale: str | None, units: frozenset[str] = frozenset()) -> list[NumberReading]:
    """Every number in the text, in order.

    `locale` (BCP 47) decides between `1.250` as 1250 and as 1.25; without one such a reading has both
    values. `units` are names that count as units beside those which are known. Numerals of more than
    300 digits have no reading.
    """
    return list((_read_once if len(text) <= _SHORT else _read)(text, locale, units))


def _read(text: str, locale: str | None, units: frozenset[str]) -> tuple[NumberReading, ...]:
    style = number_style(locale)
    language = style.language if style else None
    readings: list[NumberReading] = []
    free = 0
    for item in _items(text, style):
        if item.start >= free:
            reading = _negated(text, _with_unit(text, item, language, units), free, language)
            if readings and reading.start < readings[-1].end:
                readings.pop()  # the zero of `零下` is part of the sign
            readings.append(reading)
            free = max(reading.end, reading.unit_end or 0)
    found = joined(text, readings) if len(readings) > 1 else readings
    clocked = in_hours(text, language)
    if clocked:
        found = sorted([*clocked, *clear_of(clocked, found)], key=lambda reading: reading.start)
    return tuple(found)


_read_once = lru_cache(maxsize=1024)(_read)


class _Item(NamedTuple):
    """A number before its unit is looked for; `core` is where it begins behind its sign."""

    start: int
    end: int
    values: tuple[Fraction, ...]
    core: int
    ordinal: bool = False
    word: bool = False


def _items(text: str, style: NumberStyle | None) -> list[_Item]:
    """Figures, Han numerals and words, in order; of two that overlap the one that holds more of the text's digits."""
    found = [
        _Item(figure.start, figure.end, figure.values, max(figure.start, figure.digits), figure.ordinal)
        for figure in figures(text, style)
    ]
    if not text.isascii():
        found = _with_han(text, found, han_numbers(text, style))
    if _LETTERS_OF_WORDS.search(text):
        spelled = [
            _Item(word.start, word.end, word.values, word.start, word.ordinal, word=True)
            for word in number_words(text, style.language if style else None)
        ]
        if spelled:
            found = _in_order(found, clear_of(found, spelled))
        if style is None or style.language == "en":
            found = _in_order(found, clear_of(found, _articles(text)))
    return found


def _in_order(found: list[_Item], more: list[_Item]) -> list[_Item]:
    return sorted(found + more, key=lambda item: item.start) if more else found


def _articles(text: str) -> list[_Item]:
    """`an hour` is one hour, unless a number or a rate stands before it (`60 km an hour`, `twice a day`)."""
    ones = []
    for match in _ONE_OF_TIME.finditer(text):
        start, end = match.start(), match.end() - 1
        before = text[max(0, start - 24) : start]
        words = before.split()
        if not _RATED.search(before) and not (words and is_unit(words[-1])):
            ones.append(_Item(start, end, (Fraction(1),), start, word=True))
    return ones


def _with_han(text: str, found: list[_Item], numbers: list[HanNumber]) -> list[_Item]:
    """The items with each Han numeral in the place of what it overlaps; a sign before its first digit is kept."""
    kept: list[_Item] = []
    items = deque(found)
    for number in numbers:
        while items and items[0].end <= number.start:
            kept.append(items.popleft())
        start, negative = number.start, False
        while items and items[0].start < number.end:
            item = items.popleft()
            if item.start < start:
                start, negative = item.start, max(item.values) < 0
        if number.values:
            values = tuple(-value for value in number.values) if negative else number.values
            spelled = not any(char.isdecimal() for char in text[number.start : number.end])
            kept.append(_Item(start, number.end, values, number.start, number.ordinal, word=spelled))
    return [*kept, *items]


def _with_unit(text: str, item: _Item, language: str | None, units: frozenset[str]) -> NumberReading:
    """The reading with the unit beside it, and the half that may follow either."""
    end, values = item.end, item.values
    if not item.ordinal:
        end, values = _and_a_half(text, end, values, language)
    unit = None if item.ordinal else unit_after(text, end, language=language, extra=units)
    if unit is None and item.word and any(value.denominator > 1 for value in values):
        end, unit, values = _part_of(text, end, values, language)
    if unit is None or text[unit[0]] not in "€$£¥":
        unit = unit_before(text, item.core) or unit
    reading = NumberReading(item.start, end, values, ordinal=item.ordinal, word=item.word)
    if unit is None:
        return reading
    if unit[1] > end and end == item.end:
        after, values = _and_a_half(text, unit[1], values, language)
        end = after if after > unit[1] else end
    return reading._replace(end=end, values=values, unit=text[slice(*unit)], unit_start=unit[0], unit_end=unit[1])


def _part_of(
    text: str, end: int, values: tuple[Fraction, ...], language: str | None
) -> tuple[int, tuple[int, int] | None, tuple[Fraction, ...]]:
    """A fraction in words with what it is a part of: a unit (`three quarters of an hour`) or a million."""
    match = _OF.match(text, end)
    if match is None:
        return end, None, values
    size = multiplier_after(text, match.end(), language=language)
    if size is None:
        return end, unit_after(text, match.end(), language=language), values
    return size[0], None, tuple(value * each for value in values for each in size[1])


def _negated(text: str, reading: NumberReading, after: int, language: str | None) -> NumberReading:
    """The reading with the words that make it negative; `after` is where the one before it ended."""
    if reading.ordinal:
        return reading
    for value in reading.values:
        if value.numerator < 0:
            return reading
    before = reading.start if reading.unit_start is None else min(reading.start, reading.unit_start)
    start = minus_before(text, before, after, unit=reading.unit, language=language)
    end = below_zero_after(text, max(reading.end, reading.unit_end or 0)) if start is None else None
    if start is None and end is None:
        return reading
    values = tuple(-value for value in reading.values)
    return reading._replace(start=reading.start if start is None else start, end=end or reading.end, values=values)


def _and_a_half(
    text: str, pos: int, values: tuple[Fraction, ...], language: str | None
) -> tuple[int, tuple[Fraction, ...]]:
    """Where `and a half` after `pos` ends, and the values with it; only whole numbers take one."""
    if text[pos : pos + 1] not in " ,半个個":
        return pos, values
    half = half_after(text, pos, language)
    if not half or any(value.denominator != 1 for value in values):
        return pos, values
    in_words = text[pos - 1].isalpha()  # `1 million and a half`, not `1000000 and a half`
    return half, tuple(more for value in values for more in (half_more(value) if in_words else (value + HALF,)))
