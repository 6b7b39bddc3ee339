"""Which dates, times and datetimes a text states, part by part, and where.

The parts are found first (dates, weekdays, times, relative words), in one pass, by anchored
expressions; then those that stand together are joined: a weekday to the date it names, a time to its
day. What the text leaves open stays open, as several moments of one reading. Only the reference time
may decide more, by two rules: a day and month without a year is the one nearest to it, when the next
nearest is clearly further (152 days at most from the nearest; a birthday half a year away is two
days), and two digits are a year when only one century lies between 60 years before and 5 after. A
weekday beside such a date decides too. No general library is used: those at hand guess where this
module must not ("03/04/2001", "Monday", "Q1 2024") and take milliseconds.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from datetime import date, datetime
from functools import lru_cache
from typing import NamedTuple

from schemacast.language.calendar_words import (
    Setting,
    fold,
    is_full_name,
    locale_setting,
    months,
    weekday_names,
    weekdays,
)
from schemacast.language.cjk_dates import CJK, cjk_parts
from schemacast.language.clock import (
    CLOCK_WORDS,
    PART_OF_DAY,
    Clock,
    TimeParts,
    clock_at,
    clock_word_at,
    in_part_of_day,
)
from schemacast.language.date_forms import DateParts, dates_at_digit, dates_at_month, exists
from schemacast.language.moments import Moment, MomentReading, matches
from schemacast.language.relative import is_repeated, near_weekdays, relative_at, relative_words

__all__ = ["Moment", "MomentReading", "matches", "read_moments"]

NEAR_DAYS = 152  # a date this near the reference is the one meant; its next occurrence is 60 days further
LONGEST_GAP = 32
_ISO = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?(Z|z|[+-]\d\d:\d\d)?)?", re.ASCII
)
_CANDIDATE = re.compile(r"\d+|[^\W\d_\u2e80-\ud7ff\uf900-\ufaff\uff66-\uffdc]+")
# A letter with its accents written apart; bounded, as sorting many marks takes quadratic time.
_ACCENTED = re.compile(r"[^\W\d_][\u0300-\u036f\u3099\u309a]{1,4}")
_DATE_TO_TIME = re.compile(
    r"\)?(?:\s" + PART_OF_DAY + r")?(?:t|:|\s{0,3}[,;|@\u2013\u2014(-]?\s{0,3}"
    r"(?:(?:at|um|a las|a la|a|as|alle ore|alle|ore|kl\.?|klo\.?|o|om|the|de|des)\s{1,2})?|の)"
)
_TIME_TO_DATE = re.compile(
    r"(?:\s?uhr)?\s{0,3}[,;|@(\u2013\u2014-]?\s{0,3}"
    r"(?:(?:on the|on|am|le|el dia|el|del|vom|den|of|il|em|op)\s{1,2})?(?:the\s{1,2})?"
)
_WEEKDAY_TO_DATE = re.compile(r"\.?,?\s{0,3}(?:(?:the|den|dem|le|el|der|dia)\s{1,2})?[(]?|の")
_DATE_TO_WEEKDAY = re.compile(r"\s{0,2}[,(]?\s{0,2}")
_BETWEEN_DATES = re.compile(
    r"\s{0,2}(?:[-\u2013\u2014/,~\u301c&]|to|until|till|through|and|or|bis|bis zum|und|und am|oder|au|et|et le|ou|al|y"
    r"|y el|o|hasta|から|と)?\s{0,2}(?:the\s|le\s|el\s)?"
)
_YEAR_LINK = re.compile(r"[,\s]{1,3}(?:of|in|im|des|de|del|de l'|l')?\s{0,2}")


class _Part(NamedTuple):
    """One part of a moment: any of dates, weekdays and times, at a place."""

    start: int
    end: int
    dates: tuple[DateParts, ...] | None = None
    weekdays: tuple[int, ...] = ()
    times: tuple[TimeParts, ...] | None = None
    full: bool = True  # a weekday in full; a short one only goes with a date
    midnight: bool = False


def read_moments(text: str, *, locale: str | None, reference: datetime | None) -> list[MomentReading]:
    """Every date, time and datetime that a text states, in order, without overlap.

    `locale` is BCP 47 (a bare `en` does not decide between 3 April and 4 March; None decides
    nothing). `reference` is what relative dates are counted from, by its own wall clock; without it
    they give no reading. Offsets are code points of `text`. Never raises on any text.
    """
    whole = _ISO.fullmatch(text)
    moment = _iso(whole) if whole else None
    if moment:
        return [MomentReading(0, len(text), (moment,))]
    local = reference.replace(tzinfo=None) if reference is not None else None
    return list((_read_cached if len(text) <= 500 else _read)(text, locale, local))


def _iso(match: re.Match[str]) -> Moment | None:
    """The moment of a text that is one ISO date or datetime, or None when there is no such moment."""
    year, month, day, hour, minute, second = (int(group) if group else None for group in match.groups()[:6])
    zone = match[8]
    try:
        stamp = datetime.fromisoformat(match[0].upper().replace(" ", "T"))
    except ValueError:
        return None
    if hour is not None and int(match[4]) > 23:
        return None
    micro = stamp.microsecond if match[7] else None
    return Moment(year, month, day, hour, minute, second, micro, stamp.utcoffset() if zone else None)


def _read(text: str, locale: str | None, reference: datetime | None) -> tuple[MomentReading, ...]:
    language, order, twelve_hour = locale_setting(locale)
    setting = Setting(language, order, twelve_hour, reference)
    composed, origins = _composed(text)
    folded = fold(composed)
    parts = _share_years(_join(_parts(folded, composed, setting), folded, _joined_days), folded)
    readings = []
    for part in _join(parts, folded, _joined_times):
        values = _moments(part, setting, parts)
        if values:
            start, end = (origins[part.start], origins[part.end]) if origins else (part.start, part.end)
            readings.append(MomentReading(start, end, values))
    return tuple(readings)


_read_cached = lru_cache(maxsize=512)(_read)


def _composed(text: str) -> tuple[str, list[int] | None]:
    """The text with accents composed, and for each of its offsets the original one (None: the same)."""
    if text.isascii() or not _ACCENTED.search(text):
        return text, None
    pieces: list[str] = []
    origins: list[int] = []
    done = 0
    for match in _ACCENTED.finditer(text):
        composed = unicodedata.normalize("NFC", match[0])
        pieces += text[done : match.start()], composed
        origins += [*range(done, match.start()), *[match.start()] * len(composed)]
        done = match.end()
    return "".join(pieces) + text[done:], [*origins, *range(done, len(text) + 1)]


def _parts(text: str, source: str, setting: Setting) -> list[_Part]:
    """Dates, weekdays and times in order of place, none overlapping another."""
    wide = _cjk(text, setting) if CJK.search(text) else []
    taken = iter([*wide, _Part(len(text) + 1, len(text) + 1)])
    barrier = next(taken)
    found: list[_Part] = []
    done = 0
    for candidate in _CANDIDATE.finditer(text):
        start = candidate.start()
        while barrier.end <= start:
            done = max(done, barrier.end)
            barrier = next(taken)
        if start < done or start >= barrier.start:
            continue
        for part in _at(candidate[0], start, text, source, setting):
            if part.end > barrier.start:
                break
            found.append(part)
            done = part.end
    return sorted(found + wide, key=lambda part: part.start) if wide else found


def _at(word: str, start: int, text: str, source: str, setting: Setting) -> list[_Part]:
    if word[0].isdecimal():
        if len(word) > 8:
            return []
        return _at_digit(word, start, text, source, setting)
    before = text[start - 1 : start]
    if before.isdecimal() or before == "_":
        return []
    return _at_word(word, start, text, source, setting)


def _at_digit(word: str, start: int, text: str, source: str, setting: Setting) -> list[_Part]:
    dates = dates_at_digit(text, start, setting)
    if (
        dates
        and text[dates[-1].end : dates[-1].end + 1] == "t"
        and not clock_at(text, source, dates[-1].end + 1, setting)
    ):
        return []
    if dates:
        return [_Part(found.start, found.end, found.values) for found in dates]
    if len(word) <= 6 and _may_be_clock(text, start):
        clock = clock_at(text, source, start, setting)
        if clock:
            return [_time_part(clock)]
    relative = relative_at(text, start, word, setting)
    return [_Part(relative.start, relative.end, relative.values)] if relative else []


def _may_be_clock(text: str, start: int) -> bool:
    before = text[start - 1 : start]
    if before == ":":  # 02/Mar/2026:14:02:00
        return bool(re.search(r"/\d{4}:$", text[max(0, start - 6) : start]))
    if before == "t":
        return text[start - 2 : start - 1].isdecimal()
    return not (before and (before.isalnum() and before < "\u2e80")) and before not in ("_", ".", "#", "$")


def _at_word(word: str, start: int, text: str, source: str, setting: Setting) -> list[_Part]:
    if word in relative_words():
        relative = relative_at(text, start, word, setting)
        if relative:
            return [_Part(relative.start, relative.end, relative.values)]
    if months(word, setting.language):
        dates = dates_at_month(text, start, word, setting)
        if dates:
            return [_Part(found.start, found.end, found.values) for found in dates]
    numbers = weekdays(word, setting.language)
    if numbers and not is_repeated(text, start):
        full = is_full_name(word, setting.language, weekday_names())
        return [_Part(start, start + len(word), weekdays=numbers, full=full)]
    if word in CLOCK_WORDS:
        clock = clock_word_at(text, source, start, word, setting)
        if clock:
            return [_time_part(clock)]
    return []


def _cjk(text: str, setting: Setting) -> list[_Part]:
    found = cjk_parts(text, setting)
    parts = [_Part(dates.start, dates.end, dates.values) for dates in found.dates]
    parts += [_Part(start, end, weekdays=(number,)) for start, end, number in found.weekdays]
    parts += [_time_part(clock) for clock in found.clocks]
    parts.sort(key=lambda part: part.start)
    kept: list[_Part] = []
    for part in parts:
        if not kept or part.start >= kept[-1].end:
            kept.append(part)
    return kept


def _time_part(clock: Clock) -> _Part:
    return _Part(clock.start, clock.end, times=clock.values, midnight=clock.midnight)


def _join(parts: list[_Part], text: str, joined: Callable[[_Part, _Part, str], _Part | None]) -> list[_Part]:
    """The parts with those made one that stand together, by what is between them."""
    found: list[_Part] = []
    for part in parts:
        if found and part.start - found[-1].end <= LONGEST_GAP:
            one = joined(found[-1], part, text)
            if one:
                found[-1] = one
                continue
        found.append(part)
    return found


def _joined_days(first: _Part, second: _Part, text: str) -> _Part | None:
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


def _joined_times(first: _Part, second: _Part, text: str) -> _Part | None:
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


def _is_yearless(part: _Part) -> bool:
    return bool(part.dates) and all(parts.year is None for parts in part.dates or ())


def _in_year(dates: tuple[DateParts, ...], year: int, *, relative: bool = False) -> tuple[DateParts, ...]:
    return tuple(
        DateParts(year, parts.month, parts.day, relative)
        for parts in dates
        if parts.month is not None and exists(year, parts.month, parts.day or 1)
    )


def _share_years(parts: list[_Part], text: str) -> list[_Part]:
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
            found += _in_year(dates, last.year - 1)
        parts[index] = first._replace(dates=found)
    return parts


def _moments(part: _Part, setting: Setting, parts: list[_Part]) -> tuple[Moment, ...]:
    """Every moment that a part may be, each once; () when the text states none."""
    dates = _dates(part, setting, _years_named(parts) if _is_yearless(part) else [])
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


def _years_named(parts: list[_Part]) -> list[int]:
    """The years that the text names anywhere: a day and month may be in any of them."""
    years = {found.year for other in parts for found in other.dates or () if not found.relative}
    return sorted(year for year in years if year is not None)


def _dates(part: _Part, setting: Setting, years: list[int]) -> tuple[DateParts, ...]:
    reference = setting.reference.date() if setting.reference is not None else None
    if part.dates is None:
        if reference is None or not part.full:
            return ()
        return tuple(day for weekday in part.weekdays for day in near_weekdays(weekday, reference))
    found = [day for parts in part.dates for day in _with_year(parts, reference, part.weekdays, years)]
    if part.weekdays:
        found = [day for day in found if _falls_on(day, part.weekdays)] or found
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
