"""Calendar dates in digits and month names, as they stand in a folded text.

Each form is one anchored expression with bounded repeats, tried at a digit or at a month's name, so
that reading is linear. Whatever a form leaves open is kept as several `DateParts`: the order of
"03/04/2001" that no locale decides, the century of "02.03.26" that lies in no plausible window, a
month's name that two languages use differently. Dates that do not exist are no dates: a form whose
every order is impossible gives nothing, and is never shifted to a day that exists. A number that
belongs to something longer (a version, a code, a decade, a quarter's year) is not read at all.
"""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

from schemacast.language.calendar_words import Setting, is_full_name, month_names, months

# How far from the reference a two-digit year is looked for: births and contracts are mostly nearer.
YEARS_BACK = 60
YEARS_AHEAD = 5
FIRST_YEAR, LAST_YEAR = 1000, 2199


class DateParts(NamedTuple):
    """The parts of a date that stand there; `relative` when the reference time gave some."""

    year: int | None
    month: int | None = None
    day: int | None = None
    relative: bool = False


class Dates(NamedTuple):
    """What stands at a place in the text, as every date it can be."""

    start: int
    end: int
    values: tuple[DateParts, ...]


_YMD = re.compile(r"(\d{4})([-/.]) ?(\d{1,2})\2 ?(\d{1,2})(?!\d)")
_NUMERIC = re.compile(r"(\d{1,2})([-/.]) ?(\d{1,2})\2 ?(\d{4}|'?\d{2}|\d)(?!\d)")
_YEAR_MONTH = re.compile(r"(\d{4})([-/])(\d{1,2})(?![\d/-])")
_MONTH_YEAR = re.compile(r"(\d{1,2})([-/.])(\d{4})(?!\d)")
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})(?!\d)")
_YEARS = re.compile(r"(\d{4})\s?[-/\u2013]\s?(\d{4})(?![\d/-])")
_YEAR = re.compile(r"\d{4}(?![\d%\u2030\u20ac$\u00a3\u00a5\u00b0]|\s[%\u2030\u20ac$\u00a3\u00a5])")
_DAY_MONTH = re.compile(r"(\d{1,2})([./-])(\d{1,2})(?![\d/-]|\.\d)(\.?)")
_WORD = r"(?P<month>[^\W\d_]{2,20})"
_YEAR_AFTER = r"(?P<year>\d{4}|'?\d{2}(?![:.,]?\d|\s?(?:uhr|h\d|h\b|[ap]\.?m\b)))(?!\d)"
_ORDINAL = r"(?:\.|\u00ba|\u00aa|(?:st|nd|rd|th|ere?|e|o)(?=\s))?"
_DAY_NAMED = re.compile(
    r"(?P<day>\d{1,2})(?P<sep>[-/]|" + _ORDINAL + r"(?:\s{1,3}(?:(?:of|de|di|du|den|da|av|the)\s{1,2}|d')?)?)" + _WORD
    + r"\.?(?:(?P<glue>[-/]|,?\s{0,3}(?:(?:of|de|del|di|do|du|von|des)\s{1,2})?)" + _YEAR_AFTER + r")?"
)  # fmt: skip
_NAMED_DAY = re.compile(
    _WORD + r"\.?(?P<sep>\s{1,3}(?:the\s)?|[-/])(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?(?![^\W_]|[:.]\d)"
    r"(?:(?P<glue>,\s{0,3}|\s{1,3}(?:of\s)?|[-/])" + _YEAR_AFTER + r")?"
)  # fmt: skip
_NAMED_YEAR = re.compile(
    _WORD + r"\.?(?:,?\s{1,3}(?:(?:of|de|del|di|do|du|des jahres)\s{1,2})?|[-/]?)(?P<year>\d{4}|'\d{2})(?!\d)"
)
_RANGE = r"\s?(?:[-\u2013/]|\s(?:to|and|or|bis|und|oder|au|et|ou|al|y|o|a)\s)\s?"
_FIRST_DAY = re.compile(r"(\d{1,2})" + _ORDINAL + _RANGE + r"(?=\d)")
_NAMED_DAYS = re.compile(
    _WORD + r"\.?\s{1,3}(?P<first>\d{1,2})(?:st|nd|rd|th)?" + _RANGE + r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
    r"(?![^\W_]|[:.]\d)(?:,?\s{1,3}(?P<year>\d{4}))?(?!\d)"
)  # fmt: skip

_SEASON = (
    r"(?:q[1-4]|[1-4]q|t[1-4]|[1-4]t|h[12]|[12]h|s[12]|kw\s?\d{1,2}|week\s\d{1,2}|semaine\s\d{1,2}|semana\s\d{1,2}|quarter|half|quartals?"
    r"|halbjahrs?|semestre|trimestre|spring|summer|autumn|fall|winter|fruhjahr|fruhling|sommer|herbst|printemps|ete"
    r"|automne|hiver|primavera|verano|otono|invierno|fy|gj|decade|ws|ss|wise|sose)"
)
_AFTER_SEASON = re.compile(
    r"(?:\b" + _SEASON + r"[\s,/-]{1,3}(?:of\s|the\s|de\s|del\s|des jahres\s|von\s)?'?|\bannees\s|\banos\s)$"
)
_BEFORE_SEASON = re.compile(r"[\s/-]{1,2}(?:(?:q[1-4]|[1-4]q|t[1-4]|h[12]|s[12]|w\d{2})\b|kw|week)")
_ERA = re.compile(r"\s(?:bce?\b|v\.?\s?chr|av\.?\s?j|a\.\s?c\b|antes de cristo)")
_COUNT = re.compile(
    r"\s(?:(?:day|hour|minute|week|month|year)s?|tagen?|stunden?|jahren?|jours?|heures?|ans|dias?|horas?)\b"
)
_LATIN_LIMIT = "\u2e80"


def dates_at_digit(text: str, start: int, setting: Setting) -> list[Dates]:
    """The date that begins with the digit at `start`; two for a range that shares its month; [] for none."""
    if not _stands_free(text, start):
        return []
    match = _YMD.match(text, start)
    if match and (_ends(text, match.end()) or _ISO_INTERVAL.match(text, match.end())):
        if match[2] == "." and _VERSION.search(text[max(0, start - 10) : start]):
            return _one(match, [])
        return _one(match, [_parts(int(match[1]), int(match[3]), int(match[4]))])
    match = _NUMERIC.match(text, start)
    if match and _ends(text, match.end()):
        return _one(match, [] if _is_version(match, text, setting) else _numeric(match, setting))
    for form in (_named, _year_month, _month_year, _compact, _year_pair, _day_month):
        pair = form(text, start, setting)
        if pair:
            return pair
    return _year(text, start)


def dates_at_month(text: str, start: int, word: str, setting: Setting) -> list[Dates]:
    """The date that begins with a month's name at `start`; [] when none does."""
    numbers = months(word, setting.language)
    match = _NAMED_DAYS.match(text, start)
    if match and match["month"] == word and _ends(text, match.end()):
        years = _years(match["year"], setting)
        last = _one(match, [_parts(year, month, int(match["day"])) for month in numbers for year in years])[0]
        first = _days_of_one_month(match, int(match["first"]), last._replace(start=match.start("day")))
        return [first[0]._replace(end=match.end("first")), first[1]] if first else []
    match = _NAMED_DAY.match(text, start)
    if match and match["month"] == word and (match["year"] or not _IN.search(text[max(0, start - 5) : start])):
        return _named_day(match, numbers, text, setting)
    match = _NAMED_YEAR.match(text, start)
    full = is_full_name(word, setting.language, month_names())
    if match and match["month"] == word and _ends(text, match.end()) and (full or _is_own_short(word, setting)):
        years = tuple(year for year in _years(match["year"], setting) if year and FIRST_YEAR <= year <= LAST_YEAR)
        return _one(match, [_parts(year, month) for month in numbers for year in years])
    if full and (_is_alone(text, start, start + len(word)) or _MONTH_LEAD.search(text[max(0, start - 12) : start])):
        return [Dates(start, start + len(word), tuple(DateParts(None, month) for month in numbers))]
    return []


def _named_day(match: re.Match[str], numbers: tuple[int, ...], text: str, setting: Setting) -> list[Dates]:
    day, year_text, end = int(match["day"]), match["year"], match.end()
    if year_text and (not _ends(text, end) or (len(year_text) == 2 and match["glue"] not in ("-", "/"))):
        if len(year_text) == 4:
            return []
        year_text, end = None, match.end("day")
    if not _ends(text, end):
        return []
    values = [_parts(year, month, day) for month in numbers for year in _years(year_text, setting)]
    if match["sep"] == "-" and year_text is None and len(match["day"]) == 2:
        # "Mar-24" is the 24th, or the month in 2024.
        values += [_parts(year, month) for month in numbers for year in _years(match["day"], setting)]
    return [Dates(match.start(), end, tuple(parts for parts in values if parts))]


_IN = re.compile(r"\bin\s{1,3}$")  # "in March 3 pumps failed"
_MONTH_LEAD = re.compile(r"\b(?:in|im|en|since|seit|depuis|desde|until|till|bis|by|during)\s{1,2}$")


def _is_own_short(word: str, setting: Setting) -> bool:
    short = month_names().short.get(word, {})
    return setting.language in short or "en" in short if setting.language else bool(short)


def _days_of_one_month(match: re.Match[str], first: int, last: Dates) -> list[Dates]:
    """Both ends of "2-5 March 2026": the first has the month and year of the last."""
    values = tuple(_parts(known.year, known.month or 1, first) for known in last.values)
    if not last.values or None in values or any(first >= (known.day or 0) for known in last.values):
        return []
    return [Dates(match.start(1), match.end(1), tuple(parts for parts in values if parts)), last]


def exists(year: int | None, month: int, day: int) -> bool:
    """Whether there is such a day, in some year when none is given."""
    try:
        date(2000 if year is None else year, month, day)
    except ValueError:
        return False
    return True


def _parts(year: int | None, month: int, day: int | None = None) -> DateParts | None:
    return DateParts(year, month, day) if exists(year, month, 1 if day is None else day) else None


def _one(match: re.Match[str], values: list[DateParts | None]) -> list[Dates]:
    kept = tuple(dict.fromkeys(parts for parts in values if parts is not None))
    return [Dates(match.start(), match.end(), kept)]


def _years(text: str | None, setting: Setting) -> tuple[int | None, ...]:
    """The years a written year may be; two digits are a year near the reference, or two."""
    if text is None:
        return (None,)
    digits = text.lstrip("'")
    if len(digits) == 4:
        return (int(digits),)
    short = int(digits)
    if setting.reference is None:
        return (1900 + short, 2000 + short)
    now = setting.reference.year
    century = now // 100 * 100
    years = [century + shift + short for shift in (-100, 0, 100)]
    near = [year for year in years if now - YEARS_BACK <= year <= now + YEARS_AHEAD]
    return tuple(near) if near else tuple(year for year in years if abs(year - now) < 100)


def _is_version(match: re.Match[str], text: str, setting: Setting) -> bool:
    """Whether digits with dots are a version: after that word, or "2.1.16" where dates have no dots."""
    if match[2] != ".":
        return False
    if _VERSION.search(text[max(0, match.start() - 10) : match.start()]):
        return True
    padded = len(match[1]) == len(match[3]) == 2
    return len(match[4]) < 4 and not padded and (setting.language in (None, "en") or setting.order is None)


_VERSION = re.compile(r"\b(?:versions?|release|rev|ver|build|v)\.?\s?$")


def _numeric(match: re.Match[str], setting: Setting) -> list[DateParts | None]:
    """Every order that the locale leaves open; the other one when the locale's own is impossible."""
    first, sep, second, last = int(match[1]), match[2], int(match[3]), match[4]
    years = _years(last, setting) if len(last) > 1 else ()
    orders = {
        "dmy": [_parts(year, second, first) for year in years],
        "mdy": [_parts(year, first, second) for year in years],
    }
    if last.isdigit() and len(match[1]) == 2 and (len(last) == 2 or (len(last) == 1 and setting.order == "ymd")):
        orders["ymd"] = [_parts(year, second, int(last)) for year in _years(match[1], setting)]
    wanted = [setting.order] if setting.order in orders else list(orders)
    if sep == "-" and "ymd" in orders and "ymd" not in wanted:
        wanted.append("ymd")
    chosen = [parts for order in wanted for parts in orders[order] if parts]
    return list(chosen) or [parts for order in ("dmy", "mdy") for parts in orders[order]]


def _day_named(match: re.Match[str], text: str, setting: Setting) -> Dates | None:
    numbers = months(match["month"], setting.language)
    if not numbers:
        return None
    year_text, end = match["year"], match.end()
    if year_text and not _ends(text, end):
        if len(year_text) == 4:
            return None
        year_text = None
    if year_text and len(year_text) == 2 and match["sep"] not in ("-", "/", "."):
        # "2 March 26" has a year; "2 March 26 pumps" may count pumps: certain only at the end of a clause.
        open_years = () if re.match(r"\s*(?:$|[,.;)\n])", text[end : end + 4]) else (None,)
    else:
        open_years = ()
    if year_text is None:
        end = match.end("month")
        if not _ends(text, end):
            return None
    years = open_years + _years(year_text, setting)
    values = [_parts(year, month, int(match["day"])) for month in numbers for year in years]
    return Dates(match.start(), end, tuple(parts for parts in values if parts))


def _named(text: str, start: int, setting: Setting) -> list[Dates]:
    match = _DAY_NAMED.match(text, start)
    found = _day_named(match, text, setting) if match else None
    if found:
        return [found]
    pair = _FIRST_DAY.match(text, start)
    match = _DAY_NAMED.match(text, pair.end()) if pair else None
    found = _day_named(match, text, setting) if match else None
    return _days_of_one_month(pair, int(pair[1]), found) if pair and found else []


def _year_month(text: str, start: int, setting: Setting) -> list[Dates]:
    match = _YEAR_MONTH.match(text, start)
    if not match or not _ends(text, match.end()):
        return []
    if match[2] == "/" and setting.order != "ymd":
        return _one(match, [])  # "2023/24" and "2010/11" are mostly seasons
    return _one(match, [_parts(int(match[1]), int(match[3]))] if len(match[3]) == 2 or match[2] == "/" else [])


def _month_year(text: str, start: int, setting: Setting) -> list[Dates]:
    match = _MONTH_YEAR.match(text, start)
    if not match or not _ends(text, match.end()) or not FIRST_YEAR <= int(match[3]) <= LAST_YEAR:
        return []
    if match[2] == "." and (setting.order != "dmy" or setting.language == "en"):
        return _one(match, [])  # a decimal number as well
    return _one(match, [_parts(int(match[3]), int(match[1]))])


def _compact(text: str, start: int, _: Setting) -> list[Dates]:
    match = _COMPACT.match(text, start)
    if not match or not 1900 <= int(match[1]) < 2100:
        return []
    end = match.end(3)
    if text[end : end + 1].isdigit() or not (_ends(text, end) or re.match(r"t\d{4}", text[end : end + 5])):
        return []
    return [Dates(start, end, tuple(p for p in (_parts(int(match[1]), int(match[2]), int(match[3])),) if p))]


def _year_pair(text: str, start: int, _: Setting) -> list[Dates]:
    match = _YEARS.match(text, start)
    if not match or not _ends(text, match.end()):
        return []
    years = int(match[1]), int(match[2])
    if not all(FIRST_YEAR <= year <= LAST_YEAR for year in years) or _AFTER_SEASON.search(
        text[max(0, start - 24) : start]
    ):
        return _one(match, [])
    return [Dates(match.start(group), match.end(group), (DateParts(int(match[group])),)) for group in (1, 2)]


def _day_month(text: str, start: int, setting: Setting) -> list[Dates]:
    """ "2.3." and, where a word or the whole text says that it is a date, "3/4"."""
    match = _DAY_MONTH.match(text, start)
    if not match:
        return []
    dotted = match[2] == "." and bool(match[4]) and setting.order == "dmy"
    end = match.end() if dotted else match.end(3)
    marked = _is_alone(text, start, end) or bool(_DATE_LEAD.search(text[max(0, start - 12) : start]))
    if dotted:
        marked = marked or len(match[1] + match[3]) == 4 or bool(_DASH_DIGIT.match(text, end))
    elif match[2] == "." or not _ends(text, end):
        return []
    if not marked:
        return []
    first, second = int(match[1]), int(match[3])
    orders = {"dmy": _parts(None, second, first), "mdy": _parts(None, first, second)}
    wanted = {"dmy": ["dmy"], "mdy": ["mdy"], "ymd": ["mdy"]}.get(setting.order or "", ["dmy", "mdy"])
    values = [orders[order] for order in wanted if orders[order]] or [parts for parts in orders.values() if parts]
    return [Dates(start, end, tuple(dict.fromkeys(parts for parts in values if parts)))]


def _is_alone(text: str, start: int, end: int) -> bool:
    """Whether the text is nothing but what stands there."""
    return start < 4 and len(text) < end + 4 and not text[:start].strip() and not text[end:].strip()


_DASH_DIGIT = re.compile(r"\s?[-\u2013]\s?\d")
_DATE_LEAD = re.compile(
    r"\b(?:on|by|since|until|due|am|ab|bis|seit|vom|zum|le|du|au|depuis|el|del|desde|hasta)\s{1,2}$"
)


def _year(text: str, start: int) -> list[Dates]:
    match = _YEAR.match(text, start)
    if not match or not FIRST_YEAR <= int(match[0]) <= LAST_YEAR:
        return []
    end = match.end()
    after = text[end : end + 1]
    if after.isalnum() and (after < "\u3040" or after > "\u30ff" or after in "\u304b\u30f6\u30ab\u30b1"):
        return []
    further = text[end + 1 : end + 2]
    if (after in (".", ",", ":") and further.isdigit()) or (after in ("-", "_", "/", "+") and further.isalnum()):
        return []
    if (
        _ERA.match(text, end)
        or _COUNT.match(text, end)
        or _BEFORE_SEASON.match(text, end)
        or _AFTER_SEASON.search(text[max(0, start - 24) : start])
    ):
        return []
    return [Dates(start, end, (DateParts(int(match[0])),))]


_ISO_INTERVAL = re.compile(r"/\d{4}-\d{2}-\d{2}(?!\d)")
_ISO_AFTER = re.compile(r"\d{4}-\d{2}-\d{2}[,/]$")


def _stands_free(text: str, start: int) -> bool:
    """Whether nothing before the digit makes it a piece of a longer number, word or code."""
    if start == 0:
        return True
    before = text[start - 1]
    if (before.isalnum() and before < _LATIN_LIMIT) or before in "_#$\u20ac\u00a3\u00a5@":
        return False
    if before in ".,:/-" and start > 1:
        further = text[start - 2]
        if before in ",/" and _ISO_AFTER.search(text[max(0, start - 11) : start]):
            return True
        return not (further.isdigit() or (before in "-/" and further.isalnum() and further < _LATIN_LIMIT))
    return True


def _ends(text: str, end: int) -> bool:
    """Whether a date may end here: no letter, digit or further part follows, a time's T apart."""
    after = text[end : end + 1]
    if not after:
        return True
    further = text[end + 1 : end + 2]
    if after == "t":
        return further.isdigit()
    if after.isalnum():
        return after >= _LATIN_LIMIT
    return not (after in "-/._" and further.isalnum() and not (after == "." and further.isalpha()))
