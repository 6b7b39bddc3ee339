"""Which dates, times and datetimes a text states, part by part, and where.

The parts are found first (dates, weekdays, times, relative words), in one pass, by anchored
expressions; `date_joining` then makes one of those that stand together. What the text leaves open
stays open, as several moments of one reading, and what cannot be (31 February, 25:61) is no reading. A
text that is one ISO date is read at once. No general library is used: those at hand guess where this
module must not ("03/04/2001", "Monday", "Q1 2024") and take milliseconds for what takes microseconds.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime
from functools import lru_cache

from schemacast.language.calendar_words import (
    Setting,
    fold,
    is_full_name,
    locale_setting,
    months,
    weekday_names,
    weekdays,
)
from schemacast.language.clock import (
    CLOCK_WORDS,
    Clock,
    clock_at,
    clock_word_at,
)
from schemacast.language.date_forms import dates_at_digit, dates_at_month
from schemacast.language.date_joining import Part, join, joined_days, joined_times, moments_of, share_years, years_named
from schemacast.language.moments import Moment, MomentReading, matches
from schemacast.language.relative import is_repeated, relative_at, relative_words

__all__ = ["Moment", "MomentReading", "matches", "read_moments"]

_CJK = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_ISO = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?(Z|z|[+-]\d\d:\d\d)?)?", re.ASCII
)
_CANDIDATE = re.compile(r"\d+|[^\W\d_\u2e80-\ud7ff\uf900-\ufaff\uff66-\uffdc]+")
# A letter with its accents written apart; bounded, as sorting many marks takes quadratic time.
_MARKS = "".join(map(chr, range(0x300, 0x370)))
_ACCENTED = re.compile(r"[^\W\d_][\u0300-\u036f\u3099\u309a]{1,4}")


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
    parts = share_years(join(_parts(folded, composed, setting), folded, joined_days), folded)
    years = years_named(parts)
    readings = []
    for part in join(parts, folded, joined_times):
        values = moments_of(part, setting, years)
        if values:
            start, end = (origins[part.start], origins[part.end]) if origins else (part.start, part.end)
            readings.append(MomentReading(start, end, values, part.midnight))
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
        composed = unicodedata.normalize("NFC", match[0]).rstrip(_MARKS)
        pieces += text[done : match.start()], composed
        origins += [*range(done, match.start()), *[match.start()] * len(composed)]
        done = match.end()
    return "".join(pieces) + text[done:], [*origins, *range(done, len(text) + 1)]


def _parts(text: str, source: str, setting: Setting) -> list[Part]:
    """Dates, weekdays and times in order of place, none overlapping another."""
    wide = _cjk(text, setting) if _CJK.search(text) else []
    taken = iter([*wide, Part(len(text) + 1, len(text) + 1)])
    barrier = next(taken)
    found: list[Part] = []
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


def _at(word: str, start: int, text: str, source: str, setting: Setting) -> list[Part]:
    if word[0].isdecimal():
        if len(word) > 8:
            return []
        return _at_digit(word, start, text, source, setting)
    before = text[start - 1 : start]
    if not _may_begin(word, setting.language) or before.isdecimal() or before == "_":
        return []
    return _at_word(word, start, text, source, setting)


@lru_cache(maxsize=4096)
def _may_begin(word: str, language: str | None) -> bool:
    """Whether a date or time may begin with this word: most words of a text are asked nothing more."""
    return bool(word in relative_words() or months(word, language) or weekdays(word, language) or word in CLOCK_WORDS)


def _at_digit(word: str, start: int, text: str, source: str, setting: Setting) -> list[Part]:
    relative = relative_at(text, start, word, setting)
    if relative:
        return [Part(relative.start, relative.end, relative.values)]
    dates = dates_at_digit(text, start, setting)
    if dates:
        end = dates[-1].end
        if text[end : end + 1] == "t" and not clock_at(text, source, end + 1, setting):
            return []
        return [Part(found.start, found.end, found.values) for found in dates]
    if len(word) <= 6 and _may_be_clock(text, start):
        clock = clock_at(text, source, start, setting)
        if clock:
            return [_time_part(clock)]
    return []


def _may_be_clock(text: str, start: int) -> bool:
    before = text[start - 1 : start]
    if before == ":":  # 02/Mar/2026:14:02:00
        return bool(re.search(r"/\d{4}:$", text[max(0, start - 6) : start]))
    if before == "t":
        return text[start - 2 : start - 1].isdecimal()
    return not (before and (before.isalnum() and before < "\u2e80")) and before not in ("_", ".", "#", "$")


def _at_word(word: str, start: int, text: str, source: str, setting: Setting) -> list[Part]:
    if word in relative_words():
        relative = relative_at(text, start, word, setting)
        if relative:
            return [Part(relative.start, relative.end, relative.values)]
    if months(word, setting.language):
        dates = dates_at_month(text, start, word, setting)
        if dates:
            return [Part(found.start, found.end, found.values) for found in dates]
    numbers = weekdays(word, setting.language)
    if numbers and not is_repeated(text, start):
        full = is_full_name(word, setting.language, weekday_names())
        return [Part(start, start + len(word), weekdays=numbers, full=full)]
    if word in CLOCK_WORDS:
        clock = clock_word_at(text, source, start, word, setting)
        if clock:
            return [_time_part(clock)]
    return []


def _cjk(text: str, setting: Setting) -> list[Part]:
    from schemacast.language.cjk_dates import cjk_parts  # only here: its expressions take milliseconds to compile

    found = cjk_parts(text, setting)
    parts = [Part(dates.start, dates.end, dates.values) for dates in found.dates]
    parts += [Part(start, end, weekdays=(number,)) for start, end, number in found.weekdays]
    parts += [_time_part(clock) for clock in found.clocks]
    parts.sort(key=lambda part: part.start)
    kept: list[Part] = []
    for part in parts:
        if not kept or part.start >= kept[-1].end:
            kept.append(part)
    return kept


def _time_part(clock: Clock) -> Part:
    return Part(clock.start, clock.end, times=clock.values, midnight=clock.midnight)
