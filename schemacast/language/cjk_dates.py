"""Dates and times in Japanese, and in the same form in Chinese and Korean.

These texts have no spaces between words, and each part carries its unit (2026年3月2日, 14時30分), so one
expression finds them wherever they stand. Japanese eras are read for the years they lasted; numbers
may be digits or kanji. A fiscal year (年度), a decade (年代) or a length of time (3年間, 3か月) is no
date. Of relative words those for days, months and years are read, and weekdays in last, this or the
next week.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from schemacast.language.calendar_words import Setting
from schemacast.language.clock import Clock, TimeParts
from schemacast.language.date_forms import DateParts, Dates, exists
from schemacast.language.relative import counted, in_week, near_weekdays

# First year, and the last one that has some of the era.
ERAS = {"令和": (2019, 9999), "平成": (1989, 2019), "昭和": (1926, 1989), "大正": (1912, 1926), "明治": (1868, 1912)}
DAYS = {
    "今日": 0, "本日": 0, "きょう": 0, "昨日": -1, "きのう": -1, "一昨日": -2, "おととい": -2, "明日": 1, "あした": 1,
    "明後日": 2, "あさって": 2, "今朝": 0, "今晩": 0, "今夜": 0, "昨夜": -1, "昨晩": -1, "ゆうべ": -1,
    "今天": 0, "昨天": -1, "前天": -2, "明天": 1, "后天": 2, "後天": 2, "오늘": 0, "어제": -1, "그저께": -2, "내일": 1,
    "모레": 2,
}  # fmt: skip
MONTHS = {
    "先月": -1,
    "今月": 0,
    "来月": 1,
    "先々月": -2,
    "上个月": -1,
    "这个月": 0,
    "下个月": 1,
    "지난달": -1,
    "이번달": 0,
}
YEARS = {
    "去年": -1,
    "昨年": -1,
    "今年": 0,
    "本年": 0,
    "来年": 1,
    "一昨年": -2,
    "明年": 1,
    "작년": -1,
    "올해": 0,
    "내년": 1,
}
WEEKS = {"先週": -1, "今週": 0, "来週": 1, "先々週": -2, "上周": -1, "本周": 0, "下周": 1}
WEEKDAYS = {char: number for number, char in enumerate("月火水木金土日")}
UNITS = {"日": "day", "週間": "week", "か月": "month", "年": "year", "時間": "hour", "分": "minute"}
_KANJI = {char: number for number, char in enumerate("〇一二三四五六七八九")} | {"零": 0, "元": 1}

_N = r"\d{1,4}|[〇零一二三四五六七八九十元]{1,4}"
_S = r"\s{0,2}"


def _any(words: dict[str, int]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_DATE = re.compile(
    rf"(?:(?:(?P<era>{'|'.join(ERAS)}){_S})?(?P<year>(?<![\d.,]){_N}){_S}[年년](?![度代間间生]|前|後|后|以上|以内){_S}"
    rf"|(?P<yearword>{_any(YEARS)})の?{_S})"
    rf"(?:(?P<month>{_N}){_S}[月월]{_S}(?:(?P<day>{_N}){_S}[日号號일](?![前間后後]))?)?"
    rf"|(?:(?P<monthword>{_any(MONTHS)})の?{_S}|(?P<month2>(?<![\d.,]){_N}){_S}[月월]{_S})"
    rf"(?P<day2>(?<![.,]){_N}){_S}[日号號일](?![前間后後])"
    rf"|(?P<month3>(?<![\d.,]){_N}){_S}[月월](?![分号期曜])"
    rf"|(?P<monthonly>{_any(MONTHS)})"
    rf"|(?P<dayword>{_any(DAYS)})"
    rf"|(?P<n>(?<![\d.,〜~\-]){_N}){_S}(?P<unit>日|週間|[かヶケカ箇個]月|年|時間|分){_S}前"
    rf"|(?P<weekword>{_any(WEEKS)})の?(?P<weekday>[月火水木金土日])曜日?"
    rf"|(?P<last>この前の|前の|先の)(?P<lastday>[月火水木金土日])曜日?|(?<![第\d一二三四五])(?P<bare>[月火水木金土日])曜日?|\((?P<short>[月火水木金土日])\)"
)
_SEASON = re.compile(r"\s?の?(?:第[\d一二三四]四半期|春|夏|秋|冬|上半期|下半期|上期|下期)")
_COUNTED = re.compile(r"(?:約|およそ|ほぼ|以上|数|毎週?|毎)$")
_TIME = re.compile(
    rf"(?:(?P<half>午前|午後|上午|下午|오전|오후|(?<!今)朝|(?<![今昨])夜|夕方|早朝|深夜|晚上|早上){_S})?"
    rf"(?:(?P<hour>(?<![\d.,:]){_N}){_S}[時时点點시](?![間间代])(?:{_S}(?P<minute>{_N}){_S}[分분](?:{_S}(?P<second>{_N}){_S}[秒초])?|(?P<halfpast>半))?"
    r"|(?P<clock>\d{1,2}):(?P<past>\d{2})(?![\d:]))|(?P<noon>正午)"
)


class CjkParts(NamedTuple):
    """What was found: dates, weekdays that stand alone, and times, in order of place."""

    dates: list[Dates]
    weekdays: list[tuple[int, int, int]]
    clocks: list[Clock]


def cjk_parts(text: str, setting: Setting) -> CjkParts:
    """Every date, weekday and time of a text in the forms of this module; offsets into the text."""
    found = CjkParts([], [], [])
    for match in _DATE.finditer(text):
        if _COUNTED.search(text[max(0, match.start() - 3) : match.start()]) or _SEASON.match(text, match.end()):
            continue
        if match["bare"] or match["short"]:
            found.weekdays.append((match.start(), match.end(), WEEKDAYS[match["bare"] or match["short"]]))
            continue
        found.dates.append(Dates(match.start(), match.start() + len(match[0].rstrip()), _date(match, setting)))
    for match in _TIME.finditer(text):
        clock = _clock(match)
        if clock:
            found.clocks.append(clock)
    return found


def _date(match: re.Match[str], setting: Setting) -> tuple[DateParts, ...]:
    if match["year"]:
        return _absolute(match)
    if match["month2"]:
        return _checked(None, match["month2"], match["day2"])
    if match["month3"]:
        return _checked(None, match["month3"], None)
    today = setting.reference
    if today is None:
        return ()
    if match["yearword"]:
        year = today.year + YEARS[match["yearword"]]
        if match["month"] is None:
            return (DateParts(year, relative=True),)
        return _related(_checked(year, match["month"], match["day"]))
    if match["monthword"] or match["monthonly"]:
        shift = MONTHS[match["monthword"] or match["monthonly"]]
        found = counted(abs(shift), "month", -1 if shift < 0 else 1, setting)
        if match["monthonly"] or not found:
            return found
        return _related(_checked(found[0].year, str(found[0].month), match["day2"]))
    if match["dayword"]:
        shift = DAYS[match["dayword"]]
        return counted(abs(shift), "day", -1 if shift < 0 else 1, setting)
    if match["n"]:
        number = _number(match["n"])
        unit = UNITS.get(match["unit"], "month")
        return () if number is None else counted(number, unit, -1, setting)
    if match["weekword"]:
        return in_week(today.date(), WEEKDAYS[match["weekday"]], WEEKS[match["weekword"]], setting)
    past = near_weekdays(WEEKDAYS[match["lastday"]], today.date())
    return past[:1]


def _absolute(match: re.Match[str]) -> tuple[DateParts, ...]:
    year = _number(match["year"])
    if year is None:
        return ()
    if match["era"]:
        first, last = ERAS[match["era"]]
        year = first + year - 1
        if not first <= year <= last:
            return ()
    elif year < 1000:
        return ()
    return _checked(year, match["month"], match["day"])


def _checked(year: int | None, month_text: str | None, day_text: str | None) -> tuple[DateParts, ...]:
    month = None if month_text is None else _number(month_text)
    day = None if day_text is None else _number(day_text)
    if (month_text and month is None) or (day_text and day is None):
        return ()
    if month is not None and not exists(year, month, 1 if day is None else day):
        return ()
    return (DateParts(year, month, day),)


def _related(values: tuple[DateParts, ...]) -> tuple[DateParts, ...]:
    return tuple(parts._replace(relative=True) for parts in values)


def _clock(match: re.Match[str]) -> Clock | None:
    if match["noon"]:
        return Clock(match.start(), match.end(), (TimeParts(12, 0),))
    if match["clock"] and not match["half"]:
        return None  # plain digits: read elsewhere
    hour = _number(match["hour"] or match["clock"])
    minute = 30 if match["halfpast"] else _number(match["minute"] or match["past"] or "0")
    second = _number(match["second"]) if match["second"] else None
    if hour is None or minute is None or hour > 23 or minute > 59 or (second or 0) > 59:
        return None
    half = match["half"]
    if half in ("午後", "下午", "오후") and hour <= 12:
        hour = hour % 12 + 12
    elif half in ("午前", "上午", "오전", "朝", "早朝", "早上"):
        if hour > 12:
            return None
        hour %= 12
    elif half in ("夜", "深夜", "晚上") and hour == 12:
        return None  # a midnight, of a day that is not said
    elif half in ("夜", "夕方", "晚上") and 4 <= hour < 12:
        hour += 12
    return Clock(match.start(), match.end(), (TimeParts(hour, minute, second),))


def _number(text: str) -> int | None:
    """Digits, kanji digits in positions (二〇二六), or kanji up to 99 (二十三); None when it is none."""
    if text[0].isdecimal():
        return int(text)
    if "十" not in text:
        return int("".join(str(_KANJI[char]) for char in text))
    tens, _, ones = text.partition("十")
    if len(tens) > 1 or len(ones) > 1 or "元" in text:
        return None
    return (_KANJI[tens] if tens else 1) * 10 + (_KANJI[ones] if ones else 0)
