"""Which parts of dates and times stand together, and what the reference time may decide of them.

A weekday is joined to the date it names, a time to its day, a year to the day and month before it, by
the few words and marks that may stand between. What is still open is decided by two rules or stays
open: a day and month without a year is the one nearest to the reference time when that is at most 152
days away (the next nearest is then 60 days further), else it is two; and every other year that the
text names is possible too. A weekday beside a date chooses among these; a full date that contradicts
its weekday stands as written.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import NamedTuple

from schemacast.language.calendar_words import Setting
from schemacast.language.clock import PART_OF_DAY, TimeParts, in_part_of_day
from schemacast.language.date_forms import DateParts, exists
from schemacast.language.moments import Moment
from schemacast.language.relative import near_weekdays

NEAR_DAYS = 152  # a date this near the reference is the one meant; its next occurrence is 60 days further
LONGEST_GAP = 32
MOST_YEARS = 8  # more would not decide anything
_DATE_TO_TIME = re.compile(
    r"\)?(?:\s" + PART_OF_DAY + r")?(?:t|:|\s{0,3}[,;|@\u2013\u2014(-]?\s{0,3}"
    r"(?:(?:at|um|a las|a la|a|as|alle ore|alle|ore|kl\.?|klo\.?|o|om|the|de|des)\s{1,2})?|の)"
)
_TIME_TO_DATE = re.compile(
    r"(?:\s?uhr)?\s{0,3}[,;|@(\u2013\u2014-]?\s{0,3}"
    r"(?:(?:on the|on|am|le|el dia|el|del|vom|den|of|il|em|op)\s{1,2})?(?:the\s{1,2})?"
)
_WEEKDAY_TO_DATE = re.compile(r"\.?,?\s{0,3}(?:(?:the|den|dem|le|el|der|dia)\s{1,2})?[(]?|の")
_DATE_TO_WEEKDAY = re.compile(r"\s{0,2}[,(]?\s{0,2}(?:(?:on|am|le|el)\s)?")
_BETWEEN_DATES = re.compile(
    r"\s{0,2}(?:[-\u2013\u2014/,~\u301c&]|to|until|till|through|and|or|bis|bis zum|und|und am|oder|au|et|et le|ou|al|y"
    r"|y el|o|hasta|から|と)?\s{0,2}(?:the\s|le\s|el\s)?"
)
_RANGE = re.compile(r"[-\u2013\u2014~\u301c]|\b(?:to|until|till|through|bis|au|al|hasta)\b|から")
_YEAR_LINK = re.compile(r"[,\s]{1,3}(?:of|in|im|des|de|del|de l'|l')?\s{0,2}")


class Part(NamedTuple):
    """One part of a moment: any of dates, weekdays and times, at a place."""

    start: int
    end: int
    dates: tuple[DateParts, ...] | None = None
    weekdays: tuple[int, ...] = ()
    times: tuple[TimeParts, ...] | None = None
    full: bool = True  # a weekday in full; a short one only goes with a date
    midnight: bool = False


def join(parts: list[Part], text: str, joined: Callable[[Part, Part, str], Part | None]) -> list[Part]:
    """The parts with those made one that stand together, by what is between them."""
    found: list[Part] = []
    for part in parts:
        if found and part.start - found[-1].end <= LONGEST_GAP:
            one = joined(found[-1], part, text)
            if one:
                found[-1] = one
                continue
        found.append(part)
    return found


def joined_days(first: Part, second: Part, text: str) -> Part | None:
    """A weekday with its date, or a day and month with "last year"."""
    gap = text[first.end : second.start]
    if first.times is not None or second.times is not None:
        return None
    if first.dates is None:
        if second.dates and second.dates[0].day and _WEEKDAY_TO_DATE.fullmatch(gap):
            return second._replace(start=first.start, weekdays=first.weekdays)
        return None
    if second.dates is None:
        if first.dates and first.dates[0].day and not first.weekdays and _DATE_TO_WEEKDAY.fullmatch(gap):
            return first._replace(end=second.end, weekdays=second.weekdays)
        return None
    if _is_yearless(first) and len(second.dates) == 1 and second.dates[0].relative and _YEAR_LINK.fullmatch(gap):
        year, month, *_ = second.dates[0]
        if month is None and year is not None:
            return first._replace(end=second.end, dates=_in_year(first.dates, year, relative=True))
    return None


def joined_times(first: Part, second: Part, text: str) -> Part | None:
    """A day with its time, whichever stands first; a year that stands after the time.

    Midnight is joined to no day: whether it begins or ends that day is not said.
    """
    if first.midnight or second.midnight:
        return None
    gap = text[first.end : second.start]
    if first.times is None:
        if second.dates is not None or second.times is None or not _DATE_TO_TIME.fullmatch(gap):
            return None
        times = in_part_of_day(second.times, text[first.start : second.start])
        return first._replace(end=second.end, times=times)
    if second.times is not None or second.dates == ():
        return None
    if first.dates is None and not first.weekdays:
        if _TIME_TO_DATE.fullmatch(gap) and (second.dates is None or second.dates[0].day):
            return second._replace(start=first.start, times=first.times)
        return None
    if _is_yearless(first) and second.dates and second.dates[0].month is None and gap.isspace():
        year = second.dates[0].year
        assert year is not None
        return first._replace(end=second.end, dates=_in_year(first.dates or (), year))
    return None


def _is_yearless(part: Part) -> bool:
    return bool(part.dates) and all(parts.year is None for parts in part.dates or ())


def _in_year(dates: tuple[DateParts, ...], year: int, *, relative: bool = False) -> tuple[DateParts, ...]:
    return tuple(
        DateParts(year, parts.month, parts.day, relative)
        for parts in dates
        if parts.month is not None and exists(year, parts.month, parts.day or 1)
    )


def share_years(parts: list[Part], text: str) -> list[Part]:
    """In "2 March to 5 April 2026" the first day is in the year of the second, or ends the year before."""
    for index in range(len(parts) - 2, -1, -1):
        first, second = parts[index], parts[index + 1]
        if not _is_yearless(first) or not second.dates or second.start - first.end > LONGEST_GAP:
            continue
        last = second.dates[0]
        if last.year is None or last.month is None or last.relative or len(second.dates) > 1:
            continue
        if not _BETWEEN_DATES.fullmatch(text[first.end : second.start]):
            continue
        dates = first.dates or ()
        found = _in_year(dates, last.year)
        if any((parts.month or 0, parts.day or 0) > (last.month, last.day or 31) for parts in dates):
            before = _in_year(dates, last.year - 1)
            found = before if _RANGE.search(text, first.end, second.start) else found + before
        parts[index] = first._replace(dates=found)
    return parts


def moments_of(part: Part, setting: Setting, years: list[int]) -> tuple[Moment, ...]:
    """Every moment that a part may be, each once; () when the text states none."""
    dates = _dates(part, setting, years)
    if not part.times:
        return tuple(Moment(day.year, day.month, day.day, relative=day.relative) for day in dates)
    days = dates or (DateParts(None),)
    moments = [
        Moment(
            day.year, day.month, day.day, clock.hour, clock.minute, clock.second, clock.microsecond, clock.offset,
            clock.zone, day.relative,
        )
        for day in days
        for clock in part.times
    ]  # fmt: skip
    return tuple(dict.fromkeys(moments))


def years_named(parts: list[Part]) -> list[int]:
    """The first years that the text names anywhere: a day and month may be in any of them."""
    years = dict.fromkeys(found.year for part in parts for found in part.dates or () if not found.relative)
    return [year for year in years if year is not None][:MOST_YEARS]


def _dates(part: Part, setting: Setting, years: list[int]) -> tuple[DateParts, ...]:
    reference = setting.reference.date() if setting.reference is not None else None
    if part.dates is None:
        if reference is None or not part.full:
            return ()
        return tuple(day for weekday in part.weekdays for day in near_weekdays(weekday, reference))
    own = {parts.year for parts in part.dates}  # "Mar-24" names no year for its own 24 March
    others = [year for year in years if year not in own]
    found = [day for parts in part.dates for day in _with_year(parts, reference, part.weekdays, others)]
    if part.weekdays and not _is_yearless(part):
        named = [day for day in found if _falls_on(day, part.weekdays)]
        # A written date stands against a weekday that contradicts it; "two weeks ago on Monday" is no day counted.
        found = named or [day for day in found if not day.relative]
    return tuple(dict.fromkeys(found))


def _with_year(
    parts: DateParts, reference: date | None, weekdays: tuple[int, ...], years: list[int]
) -> list[DateParts]:
    """The years a day and month may be in: the nearest to the reference, and any that the text names."""
    if parts.year is not None or parts.month is None or reference is None:
        return [parts]
    month, day = parts.month, parts.day or 15
    around = range(max(1, reference.year - 4), min(9999, reference.year + 4) + 1)
    days = [date(year, month, day) for year in around if exists(year, month, day)]
    days.sort(key=lambda found: abs(found - reference))
    chosen = days[:1] if days and abs(days[0] - reference).days <= NEAR_DAYS else days[:2]
    if weekdays and parts.day:
        named = [found for found in days if found.weekday() in weekdays and abs(found.year - reference.year) < 2]
        if len(named) == 1 and named[0] in days[:2] and (named[0] in chosen or len(chosen) > 1):
            return [DateParts(named[0].year, month, parts.day, relative=True)]
        chosen += [found for found in named if found not in chosen]
    wanted = [*dict.fromkeys([found.year for found in chosen] + [year for year in years if exists(year, month, day)])]
    return [DateParts(year, month, parts.day, relative=True) for year in wanted]


def _falls_on(parts: DateParts, weekdays: tuple[int, ...]) -> bool:
    if parts.year is None or parts.month is None or parts.day is None:
        return False
    return date(parts.year, parts.month, parts.day).weekday() in weekdays
