"""The names of months and weekdays in some fifty languages, and what a locale decides.

The names, and the order in which a locale writes day, month and year, are CLDR's, kept in
`calendar.json` (written by scripts/generate_calendar.py) and read on first use. English is written
in both orders, so a bare `en` decides neither; a territory does. A name that several languages share
is looked up in the text's language first: a Croatian listopad is October, a Polish one November, and
where the language is not known it is both. Short forms of other languages than the text's and
English are not read, as too many are ordinary words elsewhere ("set", "out", "ago").
"""

from __future__ import annotations

import json
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from functools import cache, lru_cache
from pathlib import Path
from typing import TypedDict

CORE = ("en", "de", "fr", "es")
# In use, and not in CLDR: other short forms, and a second name for January and Saturday.
EXTRA_MONTHS = {
    "en": {"sept": 9},
    "de": {"jänner": 1, "feber": 2, "mrz": 3, "febr": 2},
    "fr": {"fév": 2, "sep": 9, "jan": 1},
    "es": {"setiembre": 9, "sep": 9, "set": 9},
}
EXTRA_WEEKDAYS = {
    "en": {"tues": 1, "thur": 3, "thurs": 3, "weds": 2},
    "de": {"sonnabend": 5},
}


@dataclass(frozen=True, slots=True)
class Setting:
    """What is known about a text beside its words.

    `order` is how it writes a numeric date (`dmy`, `mdy`, `ymd`; None: not known), `reference` the
    local wall clock of the reference time. `twelve_hour` says that "2:30" may be an afternoon.
    """

    language: str | None
    order: str | None
    twelve_hour: bool
    reference: datetime | None


@lru_cache(maxsize=256)
def locale_setting(locale: str | None) -> tuple[str | None, str | None, bool]:
    """Language, date order and whether clock times are of twelve hours, of a BCP 47 or POSIX locale."""
    if not locale:
        return None, None, True
    subtags = locale.split(".")[0].split("@")[0].replace("_", "-").split("-")
    language = subtags[0].lower()
    if not language.isalpha() or language in ("c", "posix", "und", "root"):
        return None, None, True
    language = {"no": "nb", "sh": "sr", "in": "id", "iw": "he"}.get(language, language)
    territory = next((tag.upper() for tag in subtags[1:] if len(tag) == 2 and tag.isalpha()), None)
    orders = calendar_data()["orders"]
    order = orders.get(f"{language}-{territory}") if territory else None
    if order is None and language != "en":
        order = orders.get(language)
    return language, order, language == "en"


class _Calendar(TypedDict):
    months: dict[str, list[list[list[str]]]]
    weekdays: dict[str, list[list[list[str]]]]
    orders: dict[str, str]
    zones: dict[str, list[int]]


@cache
def calendar_data() -> _Calendar:
    """The table, as it stands in the file: names by language, width and number; orders; zones."""
    loaded: _Calendar = json.loads(Path(__file__).with_name("calendar.json").read_text(encoding="utf-8"))
    return loaded


class _Fold(dict[int, str]):
    """Code point to the letter without its accent, filled as characters are met."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if 0xFF01 <= code <= 0xFF5E:
            folded = chr(code - 0xFEE0)
        else:
            parts = unicodedata.normalize("NFD", char)
            folded = parts[0] if all("\u0300" <= mark <= "\u036f" for mark in parts[1:]) else char
        self[code] = folded
        return folded


_FOLD = _Fold({0x3000: " ", 0xA0: " ", 0x202F: " ", 0x2212: "-", 0x2010: "-", 0x2011: "-", 0x2019: "'", 0x2BC: "'"})


def fold(text: str) -> str:
    """Lower case without accents, full-width forms plain, one character for one."""
    if text.isascii():
        return text.lower()
    return text.replace("\u0130", "I").lower().translate(_FOLD)


@dataclass(frozen=True, slots=True)
class _Names:
    """Folded name to its numbers by language, full names and short ones apart."""

    wide: dict[str, dict[str, int]]
    short: dict[str, dict[str, int]]


def _names(table: dict[str, list[list[list[str]]]], first: int, extra: dict[str, dict[str, int]]) -> _Names:
    wide: dict[str, dict[str, int]] = {}
    short: dict[str, dict[str, int]] = {}
    for language, widths in table.items():
        for target, rows in zip((wide, short), widths, strict=True):
            for number, forms in enumerate(rows, first):
                for form in forms:
                    target.setdefault(fold(form), {}).setdefault(language, number)
    for language, words in extra.items():
        for word, number in words.items():
            target = wide if len(word) > 5 else short
            target.setdefault(fold(word), {}).setdefault(language, number)
    return _Names(wide, short)


@cache
def month_names() -> _Names:
    """The months, from 1."""
    return _names(calendar_data()["months"], 1, EXTRA_MONTHS)


@cache
def weekday_names() -> _Names:
    """The weekdays, Monday 0."""
    return _names(calendar_data()["weekdays"], 0, EXTRA_WEEKDAYS)


@lru_cache(maxsize=4096)
def months(word: str, language: str | None) -> tuple[int, ...]:
    """The months a folded word may be in a text of that language; () when it is none."""
    if language is not None and not _find(word, language, month_names()) and _find(word, language, weekday_names()):
        return ()
    return _find(word, language, month_names()) or _find_elsewhere(word, language, month_names())


@lru_cache(maxsize=4096)
def weekdays(word: str, language: str | None) -> tuple[int, ...]:
    """The weekdays (Monday 0) a folded word may be; short forms as for months."""
    return _find(word, language, weekday_names()) or _find_elsewhere(word, language, weekday_names())


def is_full_name(word: str, language: str | None, names: _Names) -> bool:
    """Whether a word is an unshortened name in the text's language, or when that is unknown in a core one."""
    found = names.wide.get(word, {})
    return language in found if language is not None else any(core in found for core in CORE)


def _find(word: str, language: str | None, names: _Names) -> tuple[int, ...]:
    if language is None:
        return ()
    number = names.wide.get(word, {}).get(language)
    if number is None:
        number = names.short.get(word, {}).get(language)
    return () if number is None else (number,)


def _find_elsewhere(word: str, language: str | None, names: _Names) -> tuple[int, ...]:
    short = names.short.get(word, {})
    readable = CORE if language is None else ("en",)
    numbers = {short[other] for other in readable if other in short}
    numbers.update(names.wide.get(word, {}).values())
    return tuple(sorted(numbers))
