"""Dates counted from the reference time: "yesterday", "vor drei Tagen", "lundi dernier".

A phrase is found through its first word and matched by one anchored expression a language. The day is
counted from the local date of the reference time; without a reference the phrase is found and gives
no date, so that nothing inside it is read instead. Months and years are counted as months and years:
"three months ago" is a month, not a day. A weekday alone may be the last one or the next one and is
both; words like "last" decide, and "next Friday" within the same week is again two days.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import cache
from typing import NamedTuple

from schemacast.language.calendar_words import Setting, weekday_names
from schemacast.language.date_forms import DateParts, Dates
from schemacast.language.relative_words import FALSE_FRIENDS, LANGUAGES, MORNING, RelativeWords

_LIMIT = {"day": 36600, "week": 5200, "month": 1200, "year": 1000, "hour": 1000, "minute": 60000}


class _Rule(NamedTuple):
    """A kind of phrase of one language: its expression, and what it counts."""

    kind: str
    pattern: re.Pattern[str]
    language: str
    values: dict[str, tuple[int, ...]]


def relative_at(text: str, start: int, word: str, setting: Setting) -> Dates | None:
    """The relative date that begins with the word or number at `start`; its values are empty without a reference."""
    key = "0" if word[0].isdigit() else word
    for rule in _starts().get(key, ()):
        if (word, setting.language) in FALSE_FRIENDS and rule.language != setting.language:
            continue
        match = rule.pattern.match(text, start)
        if not match or _is_other(match, rule, text, word):
            continue
        if setting.reference is None:
            return Dates(start, match.end(), ())
        return Dates(start, match.end(), _values(rule, match, setting))
    return None


def near_weekdays(weekday: int, today: date) -> tuple[DateParts, ...]:
    """A bare weekday: the last one, today's when it is that day, and the next one."""
    back = (today.weekday() - weekday) % 7
    shifts = (-7, 0, 7) if back == 0 else (-back, 7 - back)
    return _days(today, shifts)


def is_repeated(text: str, start: int) -> bool:
    """Whether a weekday at `start` stands for all of them: "every Monday"."""
    return bool(_every().search(text, max(0, start - 14), start))


@cache
def _every() -> re.Pattern[str]:
    words = "|".join(re.escape(word) for words in LANGUAGES.values() for word in words.every)
    return re.compile(r"\b(?:" + words + r")\s{1,3}$")


def _is_other(match: re.Match[str], rule: _Rule, text: str, word: str) -> bool:
    """Whether the words around a phrase make it another one."""
    start, end = match.span()
    if text[end : end + 1].isalnum():
        return True
    before = text[max(0, start - 24) : start]
    if match[0] in MORNING:
        return bool(re.search(r"\b(?:" + "|".join(MORNING[match[0]]) + r")\s{1,3}$", before))
    if rule.kind not in ("ago", "ahead"):
        return False
    vague = "|".join(re.escape(phrase) for phrase in LANGUAGES[rule.language].vague)
    inside = match[0][: match.start("n") - start]
    return bool(re.search(r"(?:^|[^\w])(?:" + vague + r")\s{1,3}$", before + inside)) or (
        word[0].isdigit() and bool(re.search(r"[\d.,-]\s?$", before))
    )


def _values(rule: _Rule, match: re.Match[str], setting: Setting) -> tuple[DateParts, ...]:
    assert setting.reference is not None
    today = setting.reference.date()
    if rule.kind in ("ago", "ahead"):
        return _counted(rule, match, setting)
    if rule.kind == "days":
        return _days(today, rule.values[_spaced(match[0])])
    if rule.kind == "months":
        return _month(today, rule.values[_spaced(match[0])][0])
    if rule.kind == "years":
        return _year(today, rule.values[_spaced(match[0])][0])
    weekday = weekday_names().wide[match["day"]][rule.language]
    if rule.kind == "weeks":
        phrase = _spaced(match[0]).replace(match["day"], "{day}", 1)
        return in_week(today, weekday, rule.values[phrase][0], setting)
    back = (today.weekday() - weekday) % 7 or 7
    ahead = (weekday - today.weekday()) % 7 or 7
    if rule.kind == "last":
        return _days(today, (-back,))
    if rule.kind == "following" and today.weekday() + ahead < 7:
        return _days(today, (ahead, ahead + 7))
    return _days(today, (ahead,))


def in_week(today: date, weekday: int, weeks: int, setting: Setting) -> tuple[DateParts, ...]:
    """A weekday of last, this or the next week; a Sunday is two where weeks may begin with it."""
    shift = weekday - today.weekday() + 7 * weeks
    if setting.language in ("de", "fr", "es"):
        return _days(today, (shift,))
    if today.weekday() == 6:  # today's week has begun today, or ends today
        return _days(today, (shift, shift + 7) if weekday != 6 else (shift,))
    return _days(today, (shift, shift - 7) if weekday == 6 else (shift,))


def _counted(rule: _Rule, match: re.Match[str], setting: Setting) -> tuple[DateParts, ...]:
    assert setting.reference is not None
    words = LANGUAGES[rule.language]
    number = int(match["n"]) if match["n"].isdigit() else words.numbers[match["n"]]
    unit = words.units[match["unit"]]
    sign = -1 if rule.kind == "ago" else 1
    idiom = words.idioms.get(number) if unit == "day" else None
    return counted(number, unit, sign, setting, also=idiom)


def counted(number: int, unit: str, sign: int, setting: Setting, *, also: int | None = None) -> tuple[DateParts, ...]:
    """The date so many units before (`sign` -1) or after the reference time, as precise as the unit."""
    assert setting.reference is not None
    today = setting.reference.date()
    if number > _LIMIT[unit]:
        return ()
    if unit == "day":
        return _days(today, [sign * count for count in (number, also) if count is not None])
    if unit == "week":
        return _days(today, (sign * number * 7,))
    if unit == "month":
        return _month(today, sign * number)
    if unit == "year":
        return _year(today, sign * number)
    if setting.reference.time() == setting.reference.time().min:
        return ()  # most likely a date alone: hours cannot be counted from it
    moment = setting.reference + sign * timedelta(**{unit + "s": number})
    return (DateParts(moment.year, moment.month, moment.day, relative=True),)


def _days(today: date, shifts: tuple[int, ...] | list[int]) -> tuple[DateParts, ...]:
    found = []
    for shift in shifts:
        ordinal = today.toordinal() + shift
        if 1 <= ordinal <= date.max.toordinal():
            day = date.fromordinal(ordinal)
            found.append(DateParts(day.year, day.month, day.day, relative=True))
    return tuple(found)


def _month(today: date, shift: int) -> tuple[DateParts, ...]:
    year, month = divmod(today.year * 12 + today.month - 1 + shift, 12)
    return (DateParts(year, month + 1, relative=True),) if 1 <= year <= 9999 else ()


def _year(today: date, shift: int) -> tuple[DateParts, ...]:
    year = today.year + shift
    return (DateParts(year, relative=True),) if 1 <= year <= 9999 else ()


def _spaced(text: str) -> str:
    return " ".join(text.split())


@cache
def relative_words() -> frozenset[str]:
    """Every word that a relative date may begin with."""
    return frozenset(_starts())


@cache
def _starts() -> dict[str, tuple[_Rule, ...]]:
    """First word to the rules that may match there, longest phrases first within a rule."""
    starts: dict[str, list[_Rule]] = {}
    for language, words in LANGUAGES.items():
        for rule, phrases in _rules(language, words):
            for phrase in phrases:
                for first in _first_words(phrase, language, words):
                    rules = starts.setdefault(first, [])
                    if rule not in rules:
                        rules.append(rule)
    return {first: tuple(rules) for first, rules in starts.items()}


def _rules(language: str, words: RelativeWords) -> list[tuple[_Rule, list[str]]]:
    single: dict[str, dict[str, tuple[int, ...]]] = {
        "weeks": {phrase: (shift,) for phrase, shift in words.weeks.items()},
        "last": dict.fromkeys(words.last, (0,)),
        "coming": dict.fromkeys(words.coming, (0,)),
        "following": dict.fromkeys(words.following, (0,)),
        "ago": dict.fromkeys(words.ago, (0,)),
        "ahead": dict.fromkeys(words.ahead, (0,)),
        "days": words.days,
        "months": {phrase: (shift,) for phrase, shift in words.months.items()},
        "years": {phrase: (shift,) for phrase, shift in words.years.items()},
    }
    found = []
    for kind, values in single.items():
        phrases = sorted(values, key=len, reverse=True)
        for group in _groups(phrases):
            pattern = "|".join(_expression(phrase, language, words) for phrase in group)
            found.append((_Rule(kind, re.compile(pattern), language, values), group))
    return found


def _groups(phrases: list[str]) -> list[list[str]]:
    """Phrases with a slot stand alone, as a slot has one name in an expression."""
    plain = [phrase for phrase in phrases if "{" not in phrase]
    return [[phrase] for phrase in phrases if "{" in phrase] + ([plain] if plain else [])


def _expression(phrase: str, language: str, words: RelativeWords) -> str:
    slots = {
        "{n}": r"(?P<n>\d{1,5}|" + _any(words.numbers) + ")",
        "{unit}": f"(?P<unit>{_any(words.units)})",
        "{day}": f"(?P<day>{_any(_weekday_names(language))})",
    }
    parts = [slots.get(part, re.escape(part)) for part in re.split(r"(\{\w+\}| )", phrase) if part]
    return "".join(r"\s{1,3}" if part == re.escape(" ") else part for part in parts) + r"(?![^\W_])"


def _any(words: dict[str, int] | dict[str, str] | list[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


def _weekday_names(language: str) -> list[str]:
    return [word for word, languages in weekday_names().wide.items() if language in languages]


def _first_words(phrase: str, language: str, words: RelativeWords) -> list[str]:
    if phrase.startswith("{n}"):
        return ["0", *words.numbers]
    if phrase.startswith("{day}"):
        return _weekday_names(language)
    return [re.split(r"[^\w]", phrase, maxsplit=1)[0]]
