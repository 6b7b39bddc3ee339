"""Weekdays, decades and quarters: dates that name no moment, but differ all the same.

A weekday without a date tells no day, `the 1990s` no year and `Q1` no month, so the reader of dates gives nothing for
them. Two statements that name different ones still contradict each other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from schemacast.language.calendar_words import is_full_name, weekday_names, weekdays
from schemacast.language.units import fold_word

_WORD = re.compile(r"[^\W\d_]{5,}")
_DECADE = re.compile(
    r"(?<!\d)(1[0-9]|20)(\d)0(?:s|['’]s|er(?:n|-Jahre[n]?)?)(?![^\W_])|(?:années|años) (1[0-9]|20)(\d)0(?!\d)"
)
_QUARTER = re.compile(
    r"(?<![^\W_])[QT]([1-4])(?![^\W_])|(?<![^\W_])([1-4])(?:\.|er|e|º|º) ?(?:quartal|trimestre)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class CalendarName:
    """A weekday (Monday 0), a decade (by its first year) or a quarter (1 to 4) at `[start, end)`."""

    start: int
    end: int
    name: tuple[str, int]


def calendar_names(text: str, language: str | None) -> list[CalendarName]:
    """Every weekday, decade and quarter of a text, in order."""
    found = [CalendarName(*match.span(), ("quarter", int(match[1] or match[2]))) for match in _QUARTER.finditer(text)]
    for match in _DECADE.finditer(text):
        century, decade = match[1] or match[3], match[2] or match[4]
        found.append(CalendarName(*match.span(), ("decade", int(century) * 100 + int(decade) * 10)))
    for match in _WORD.finditer(text):
        folded = fold_word(match.group())
        numbers = weekdays(folded, language)
        if len(numbers) == 1 and is_full_name(folded.removesuffix("s"), language, weekday_names()):
            found.append(CalendarName(*match.span(), ("weekday", numbers[0])))
    return sorted(found, key=lambda each: each.start)
