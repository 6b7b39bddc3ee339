"""Numbers in a text: where they stand, which exact values they may have, and in which unit.

Figures are read by the locale, words and Han numerals by their grammar; a reading with one value is
certain, one with several is ambiguous and for the caller to refuse or decide. What is no number
(a code, a version, a date, a time) has no reading. Readings are in order, do not overlap, and end
before their unit. A plain text with digits only costs some microseconds and loads no library.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from schemacast.language.figures import figures
from schemacast.language.number_style import number_style
from schemacast.language.unit_beside import unit_after, unit_before


@dataclass(frozen=True, slots=True)
class NumberReading:
    """A number at `[start, end)` of its text. `word`: spelled out; `ordinal`: a place in an order (`3rd`)."""

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
    values. `units` are names that count as units beside those which are known.
    """
    style = number_style(locale)
    language = style.language if style else None
    readings = []
    for figure in figures(text, style):
        unit = None if figure.ordinal else unit_after(text, figure.end, language=language, extra=units)
        if unit is None or not _is_money(text, unit):
            unit = unit_before(text, max(figure.start, figure.digits)) or unit
        if unit is None:
            readings.append(NumberReading(figure.start, figure.end, figure.values, ordinal=figure.ordinal))
        else:
            start, end = unit
            readings.append(
                NumberReading(figure.start, figure.end, figure.values, text[start:end], start, end, figure.ordinal)
            )
    return readings


def _is_money(text: str, unit: tuple[int, int]) -> bool:
    return text[unit[0]] in "€$£¥"
