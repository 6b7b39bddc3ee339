"""Times of day and zones, as they stand in a folded text.

A time is read from digits ("14:02", "2:30 pm", "14 Uhr", "14h30") or from noon and midnight, with the
zone that follows it. What decides between morning and afternoon must stand there: an unpadded hour up
to 9 without any mark is two times in English, and one in languages that write the day in 24 hours.
An hour alone ("14h", which may be a duration) needs a word like "at" before it. Abbreviated zones are
read as every offset they have stood for since 1990, the summer one of their place included, since
people write "CET" in July; UTC, GMT, numeric offsets and names like Europe/Oslo are certain.
24:00 and a second of 60 are not read: no value here can hold them unchanged.
"""

from __future__ import annotations

import re
from datetime import timedelta
from functools import cache
from typing import NamedTuple

from schemacast.language.calendar_words import Setting, calendar_data
from schemacast.language.moments import named_zone


class TimeParts(NamedTuple):
    """A time of day with the parts that stand there."""

    hour: int
    minute: int
    second: int | None = None
    microsecond: int | None = None
    offset: timedelta | None = None
    zone: str | None = None


class Clock(NamedTuple):
    """A time of day at a place in the text; `midnight` when a word for it names no side of the day."""

    start: int
    end: int
    values: tuple[TimeParts, ...]
    midnight: bool = False


# Offsets that are written with an abbreviation beside those it has by law.
USAGE = {
    "CET": (120,), "EET": (180,), "WET": (60,), "MET": (120,), "MEZ": (60, 120), "MESZ": (120,),
    "EST": (-240, 600), "PST": (-420,), "MST": (-360,), "AKST": (-480,), "AST": (-180, 180), "BST": (360,),
    "GST": (240,), "SST": (480,), "ET": (-300, -240), "CT": (-360, -300), "MT": (-420, -360), "PT": (-480, -420),
    "AEST": (660,), "ACST": (630,), "NZST": (780,), "NST": (-150,), "HST": (-540,),
    "BRT": (-180,), "BRST": (-120,), "ART": (-180,), "CLT": (-240,), "CLST": (-180,), "COT": (-300,), "VET": (-240,),
    "BOT": (-240,), "ICT": (420,), "SGT": (480,), "PHT": (480,), "MYT": (480,), "NPT": (345,), "IRST": (210,),
}  # fmt: skip

_DIGITS = re.compile(
    r"(\d{1,2})(?::(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?|\.(\d{2})(?=\s?(?:uhr\b|[ap]\.?\s?m\b)))(?!\d)"
    r"(?:\s?(uhr|hrs|[ap]\.?\s?m\b\.?))?"
)
_HOUR = re.compile(
    r"(\d{1,2})\s?(?:(uhr)(?:\s(\d{2})(?![\d.:,/-]))?|([ap]\.?\s?m\b\.?)|(h|heures?|horas|o'clock)"
    r"(?:\s?(\d{2})(?!\d))?)(?![^\W_])"
)
_COMPACT = re.compile(r"(\d{2})(\d{2})(\d{2})?(?!\d)")  # after the T of 20260302T140200Z
_BARE_HOUR = re.compile(r"\d{1,2}(?=,?\s)")
# Before an hour alone; looked for in the unfolded text, as the French "à" tells it from "a 14 h wait".
_AT = re.compile(r"\b(?:at|um|[aà] las|à|às|alle|dès|vers|avant|après|klo?\.?)\s{1,3}$", re.IGNORECASE)
_PART_AFTER = re.compile(
    r",?\s(?:(?P<early>in the morning|(?:du|de la|por la|da) (?:matin|manana)|morgens|vormittags|fruh)"
    r"|(?P<late>in the (?:afternoon|evening)|du soir|de l'apres-midi|(?:de|por) la tarde|nachmittags|abends)"
    r"|(?P<night>at night|nachts|(?:de|por) la noche|de la nuit))\b"
)
PART_OF_DAY = (
    r"(?:(?:in the |por la |de la |en la |am )?(?:morning|afternoon|evening|night|morgen|vormittag|nachmittag|abend"
    r"|nacht|fruh|matin|apres-midi|soir|manana|tarde|noche))"
)
_LATER = re.compile(r"\b(?:afternoon|evening|nachmittag|abend|apres-midi|soir|tarde)\b")
_EARLIER = re.compile(r"\b(?:morning|morgen|vormittag|fruh|matin)\b|今朝")
_NIGHT = re.compile(r"\b(?:night|tonight|nacht|nuit|noche|anoche)\b|今晩|今夜|昨夜|昨晩|ゆうべ")
_WORDS = {
    "noon": 12, "midday": 12, "midi": 12, "mediodia": 12,
    "midnight": 0, "mitternacht": 0, "minuit": 0, "medianoche": 0,
}  # fmt: skip
CLOCK_WORDS = frozenset(_WORDS)
_BEFORE_MIDI = re.compile(r"\b(?:a|avant|apres|des|vers|entre|et)\s$")
_ZONE = re.compile(
    r"\s?(?P<open>\()?(?:(?P<utc>z|utc|gmt)(?![^\W_])(?:\s?(?P<usign>[+-])(?P<uh>\d{1,2})(?::?(?P<um>\d{2}))?(?!\d))?"
    r"|(?P<sign>[+-])(?P<h>\d{2})(?::?(?P<m>\d{2}))?(?![:\d.])"
    r"|(?P<iana>[a-z]{2,12}/[a-z_]{2,20}(?:/[a-z_]{2,20})?)"
    r"|(?P<name>[a-z]{2,5})(?![^\W_]))(?(open)\))"
)


def clock_at(text: str, source: str, start: int, setting: Setting) -> Clock | None:
    """The time of day that begins at the digit or word at `start`; `source` is the unfolded text."""
    match = _DIGITS.match(text, start)
    if match:
        return _written_out(match, text, source, setting)
    match = _HOUR.match(text, start)
    if match:
        return _hour_only(match, text, source, setting)
    match = _COMPACT.match(text, start) if text[start - 1 : start] == "t" else None
    if match:
        return _compact(match, text, source)
    match = _BARE_HOUR.match(text, start)
    if match:
        hours, end = _hours(int(match[0]), match[0], "", text, match.end(), setting)
        return Clock(start, end, tuple(TimeParts(hour, 0) for hour in hours)) if end > match.end() else None
    return None


def clock_word_at(text: str, source: str, start: int, word: str, setting: Setting) -> Clock | None:
    """Noon or midnight, at the word that begins at `start`."""
    if word == "midi" and setting.language != "fr" and not _BEFORE_MIDI.search(text[max(0, start - 8) : start]):
        return None
    hour = _WORDS[word]
    end = start + len(word)
    values, end = _with_zone([TimeParts(hour, 0)], text, source, end, strict=True)
    return Clock(start, end, values, midnight=hour == 0)


def in_part_of_day(times: tuple[TimeParts, ...], words: str) -> tuple[TimeParts, ...]:
    """The times that fit a part of the day named in the words before: "yesterday evening at 9:15" is 21:15."""
    if _LATER.search(words):
        return _shifted(times, 1)
    if _NIGHT.search(words):
        return _shifted(times, 6)
    if _EARLIER.search(words):
        return tuple(time for time in times if time.hour < 12) or times
    return times


def _shifted(times: tuple[TimeParts, ...], first: int) -> tuple[TimeParts, ...]:
    """The times with the hours from `first` to 11 moved to after noon."""
    return tuple(
        dict.fromkeys(time._replace(hour=time.hour + 12) if first <= time.hour < 12 else time for time in times)
    )


def _written_out(match: re.Match[str], text: str, source: str, setting: Setting) -> Clock | None:
    hour, minute = int(match[1]), int(match[2] or match[5])
    second = int(match[3]) if match[3] else None
    end = match.end()
    if text[end : end + 1] in (":", "%") or (text[end : end + 1] in (".", ",") and text[end + 1 : end + 2].isdigit()):
        return None
    if minute > 59 or (second is not None and second > 59):
        return None
    micro = int(match[4][:6].ljust(6, "0")) if match[4] else None
    mark = (match[6] or "").replace(".", "").replace(" ", "")
    hours, end = _hours(hour, match[1], mark, text, end, setting)
    if hours and second is not None:
        hours = hours[:1]
    parts = [TimeParts(value, minute, second, micro) for value in hours]
    if not parts:
        return None
    iso = text[match.start() - 1 : match.start()] == "t"
    values, end = _with_zone(parts, text, source, end, strict=second is None and not iso)
    if text[end : end + 1].isalnum() and text[end : end + 1] < "\u2e80" and end == match.end():
        return None
    return Clock(match.start(), end, values)


def _compact(match: re.Match[str], text: str, source: str) -> Clock | None:
    hour, minute, second = int(match[1]), int(match[2]), int(match[3]) if match[3] else None
    if hour > 23 or minute > 59 or (second or 0) > 59:
        return None
    values, end = _with_zone([TimeParts(hour, minute, second)], text, source, match.end(), strict=False)
    return Clock(match.start(), end, values)


def _hour_only(match: re.Match[str], text: str, source: str, setting: Setting) -> Clock | None:
    hour = int(match[1])
    minutes = match[3] or match[6]
    if (
        match[5]
        and match[5] != "o'clock"
        and minutes is None
        and not _AT.search(source[max(0, match.start() - 10) : match.start()])
    ):
        return None
    if minutes and int(minutes) > 59:
        return None
    mark = (match[2] or match[4] or match[5]).replace(".", "").replace(" ", "")
    hours, end = _hours(hour, match[1], mark, text, match.end(), setting)
    parts = [TimeParts(value, int(minutes or 0)) for value in hours]
    if not parts:
        return None
    values, end = _with_zone(parts, text, source, end, strict=True)
    return Clock(match.start(), end, values)


def _hours(hour: int, digits: str, mark: str, text: str, end: int, setting: Setting) -> tuple[list[int], int]:
    """The hours of 24 that a written hour may be, and where the words that decide it end."""
    if mark in ("am", "pm"):
        return ([hour % 12 + (12 if mark == "pm" else 0)] if 1 <= hour <= 12 else []), end
    if hour > 23:
        return [], end
    part = _PART_AFTER.match(text, end)
    if part and 1 <= hour <= 12:
        if part["night"]:  # "12 at night" is a midnight, of a day that is not said
            return ([hour + 12] if 6 <= hour < 12 else [hour] if hour < 6 else []), part.end()
        return [hour % 12 + (12 if part["late"] else 0)], part.end()
    if (setting.twelve_hour and not mark and len(digits) == 1 and hour > 0) or (mark == "o'clock" and 0 < hour < 12):
        return [hour, hour + 12], end
    return [hour], end


def _with_zone(
    parts: list[TimeParts], text: str, source: str, end: int, *, strict: bool
) -> tuple[tuple[TimeParts, ...], int]:
    """The times with the zone that follows at `end`, and where it ends.

    With `strict` a minus does not begin an offset: "10:00-12:00" is a range.
    """
    match = _ZONE.match(text, end)
    if not match:
        return tuple(parts), end
    if match["iana"]:
        name = source[match.start("iana") : match.end("iana")]
        if named_zone(name) is None:
            return tuple(parts), end
        return tuple(part._replace(zone=name) for part in parts), match.end()
    offsets = _offsets(match, source, strict=strict)
    if not offsets:
        return tuple(parts), end
    return tuple(part._replace(offset=offset) for part in parts for offset in offsets), match.end()


def _offsets(match: re.Match[str], source: str, *, strict: bool) -> list[timedelta]:
    if match["utc"]:
        if match["usign"]:
            return _numeric(match["usign"], match["uh"], match["um"])
        return [timedelta()] if source[match.start("utc")].isupper() or match["utc"] != "z" else []
    if match["sign"]:
        return [] if strict and match["sign"] == "-" else _numeric(match["sign"], match["h"], match["m"])
    name = source[match.start("name") : match.end("name")]
    if not name.isupper():
        return []
    minutes = {*_abbreviations().get(name, ()), *USAGE.get(name, ())}
    return [timedelta(minutes=value) for value in sorted(minutes)]


def _numeric(sign: str, hours: str, minutes: str | None) -> list[timedelta]:
    offset = timedelta(hours=int(hours), minutes=int(minutes or 0))
    if offset > timedelta(hours=14) or int(minutes or 0) not in (0, 15, 30, 45):
        return []
    return [-offset if sign == "-" else offset]


@cache
def _abbreviations() -> dict[str, list[int]]:
    return calendar_data()["zones"]
