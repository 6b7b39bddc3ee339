"""Quantities written in two units: `2 h 30 min`, `1時間30分`, `5 ft 11 in`, `1h30`.

Two readings side by side are one quantity when the second unit is a whole part of the first and its
number stays below one of them. Only durations and the customary units of length and weight are
written so; `3 m 50 mm` is rather a length and a width.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from schemacast.language.units import convert, meanings

if TYPE_CHECKING:
    from schemacast.language.numbers import NumberReading

_AT = re.compile(r"(?<!\w)(?:à|vers|dès|avant|après|jusqu['’]à|las|at|um)\s$", re.IGNORECASE)
"""What stands before a time of day."""
_IN_HOURS = re.compile(
    r"(?<![\w.,:])(?P<h>\d{1,4})(?:(?P<gap> ?)(?P<unit>h) ?(?P<m>[0-5]\d)(?: ?m(?:in|n)?)?(?![\w:])(?![.,]\d)"
    r"|:(?P<mm>[0-5]\d) ?(?P<word>h|hrs?|hours?|Std|Stunden|heures?|horas?)(?!\w))"
)
_BETWEEN = frozenset(("", " ", ", ", " and ", " und ", " et ", " y ", " e ", " en ", "\u00a0"))
_CUSTOMARY = frozenset(map(Fraction, ("0.3048", "0.9144", "0.45359237", "6.35029318")))


def in_hours(text: str, language: str | None) -> list[NumberReading]:
    """Durations in hours and minutes whose minutes have no unit of their own: `1h30`, `1:30 h`.

    Behind a word such as `à` it is a time of day. Minutes stand apart (`1 h 30`) in French and Spanish only.
    """
    from schemacast.language.numbers import NumberReading

    found = []
    for match in _IN_HOURS.finditer(text) if "h" in text or ":" in text else ():
        if match["gap"] and language not in (None, "fr", "es"):
            continue
        if _AT.search(text, max(0, match.start() - 12), match.start()):
            continue
        value = int(match["h"]) + Fraction(int(match["m"] or match["mm"]), 60)
        unit = match.span("unit") if match["unit"] else match.span("word")
        found.append(NumberReading(match.start(), match.end(), (value,), text[slice(*unit)], *unit))
    return found


def joined(text: str, readings: list[NumberReading]) -> list[NumberReading]:
    """The readings, with neighbours that are one quantity made one reading in the unit of the first."""
    kept: list[NumberReading] = []
    for reading in readings:
        whole = _together(text, kept[-1], reading) if kept else None
        if whole is None:
            kept.append(reading)
        else:
            kept[-1] = whole
    return kept


def _together(text: str, first: NumberReading, second: NumberReading) -> NumberReading | None:
    if first.unit is None or second.unit is None or first.unit_end is None or second.unit_end is None:
        return None
    if text[max(first.unit_end, first.end) : second.start] not in _BETWEEN or second.unit_end < second.end:
        return None
    if len(first.values) != 1 or len(second.values) != 1 or first.ordinal or second.ordinal:
        return None
    ratio = _ratio(first.unit, second.unit)
    if ratio is None or not 0 <= second.values[0] < ratio or first.values[0] < 0:
        return None
    value = first.values[0] + second.values[0] / ratio
    # A third part (`1 h 30 min 15 s`) is measured against the first unit too.
    return first._replace(end=second.unit_end, values=(value,))


@lru_cache(maxsize=256)
def _ratio(first: str, second: str) -> Fraction | None:
    """How many of the second unit make one of the first, where quantities are written in both."""
    ratio = convert(Fraction(1), first, second)
    if ratio is None or ratio <= 1 or ratio.denominator != 1:
        return None
    if any(unit.dimension in ((("s", 1),), (("month", 1),)) for unit in meanings(second)):
        return ratio
    return ratio if any(unit.factor in _CUSTOMARY for unit in meanings(first)) else None
