"""Weekdays, decades, quarters and halves: dates that name no moment, but differ all the same.

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
_ORDINALS = (
    ("first", "1st", "erste", "premier", "primer", "1er"),
    ("second", "2nd", "zweite", "deuxième", "deuxieme", "segundo"),
    ("third", "3rd", "dritte", "troisième", "troisieme", "tercer"),
    ("fourth", "4th", "vierte", "quatrième", "quatrieme", "cuarto"),
)
_NUMBER_OF = {word: number for number, listed in enumerate(_ORDINALS, 1) for word in listed}
_PART = re.compile(
    rf"(?<![^\W_])({'|'.join(_NUMBER_OF)})[nrsm]?[ -](?:fiscal |calendar )?"
    r"(quart(?:er|al)|trimest(?:er|re)|hal(?:f|bjahr)|semest(?:er|re))(?![^\W_])",
    re.IGNORECASE,
)
"""`the third quarter`, `im zweiten Halbjahr`."""


@dataclass(frozen=True, slots=True)
class CalendarName:
    """A weekday (Monday 0), a decade (by its first year), a quarter (1 to 4) or a half (1 or 2) at `[start, end)`."""

    start: int
    end: int
    name: tuple[str, int]


def calendar_names(text: str, language: str | None) -> list[CalendarName]:
    """Every weekday, decade, quarter and half of a text, in order."""
    found = [CalendarName(*match.span(), ("quarter", int(match[1] or match[2]))) for match in _QUARTER.finditer(text)]
    for match in _PART.finditer(text):
        kind = "quarter" if match[2].lower().startswith(("quart", "trimestre")) else match[2].lower()[:4]
        found.append(CalendarName(*match.span(), (kind, _NUMBER_OF[match[1].lower()])))
    for match in _DECADE.finditer(text):
        century, decade = match[1] or match[3], match[2] or match[4]
        found.append(CalendarName(*match.span(), ("decade", int(century) * 100 + int(decade) * 10)))
    for match in _WORD.finditer(text):
        folded = fold_word(match.group())
        numbers = weekdays(folded, language)
        if len(numbers) == 1 and is_full_name(folded.removesuffix("s"), language, weekday_names()):
            found.append(CalendarName(*match.span(), ("weekday", numbers[0])))
    return sorted(found, key=lambda each: each.start)
