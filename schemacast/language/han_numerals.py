"""Numbers written with Han numerals, alone or mixed with digits: `二十三`, `1万2千`, `二〇二六`, `三分の一`.

A numeral is read by its grammar (digits before units, units falling, myriads as blocks) or, when it has no
units, by position. Chinese drops the last unit in speech (`三万五` is 35,000) where Japanese does not
(30,005): the language decides, and without one both values stand. A mixed run that fits no grammar
has no value, and neither have the digits in it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from schemacast.language.digits import numerals
from schemacast.language.number_style import NumberStyle

_DIGITS = {
    "〇": 0, "零": 0, "○": 0, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9,
    "两": 2, "兩": 2, "壱": 1, "弐": 2, "参": 3, "壹": 1, "贰": 2, "貳": 2, "叁": 3, "參": 3, "肆": 4, "伍": 5,
    "陆": 6, "柒": 7, "捌": 8, "玖": 9,
}  # fmt: skip
_SMALL = {"十": 10, "百": 100, "千": 1000, "拾": 10, "佰": 100, "仟": 1000, "廿": 20, "卅": 30}
_LARGE = {"万": 10**4, "萬": 10**4, "億": 10**8, "亿": 10**8, "兆": 10**12, "京": 10**16}
_TENS = ("廿", "卅")
_HAN = "".join((*_DIGITS, *_SMALL, *_LARGE)).replace("○", "")
_RUN = re.compile(rf"(?:\d+(?:[.,，．]\d+)*|[{_HAN}])+")
_TOKEN = re.compile(rf"\d+(?:[.,，．]\d+)*|[{_HAN}]")
_HAS_HAN = re.compile(f"[{_HAN}]")
_FRACTION = re.compile(r"分[の之]")
_LONGEST = 60
_IN_WORDS = re.compile(
    "一[緒般旦応应斉貫贯概向定些直样樣致切律]|一起(?![床訴诉])|一[方体](?!向)|十分(?=[なにだ])|三[菱井]|四[国國川季]|九州|千葉"
    "|八王子|八百屋|六本木|五[輪轮]|七夕|二酸化|百[貨货科]|万[一能全博]|千代田|一覧|一括|一流|一環|一因"
)
"""Words that begin with a numeral and state no number."""
_KANA = {
    "ひとつ": 1, "ふたつ": 2, "みっつ": 3, "よっつ": 4, "いつつ": 5, "むっつ": 6, "ななつ": 7, "やっつ": 8,
    "ここのつ": 9, "ひとり": 1, "ふたり": 2,
}  # fmt: skip
_KANA_RUN = re.compile("|".join(_KANA) + "|半分|半数|一半")


@dataclass(frozen=True, slots=True)
class HanNumber:
    """A number with Han numerals. No values: a run that holds digits but is no number."""

    start: int
    end: int
    values: tuple[Fraction, ...]
    ordinal: bool = False


def han_numbers(text: str, style: NumberStyle | None) -> list[HanNumber]:
    """Every number in the text that has a Han numeral or is counted in kana, in order."""
    language = style.language if style else None
    found: list[HanNumber] = []
    for match in _RUN.finditer(text):
        start, end = match.span()
        if found and start < found[-1].end:
            continue
        if not (_HAS_HAN.search(match.group()) or _FRACTION.match(text, end)):
            continue
        if len(match.group()) == 1 and text[start - 1 : start] != "第" and _IN_WORDS.match(text, start):
            continue
        values = _values(match.group(), language)
        parts = _FRACTION.match(text, end)
        if parts and len(values) == 1:
            over = _RUN.match(text, parts.end())
            tops = _values(over.group(), language) if over else ()
            if over and len(tops) == 1 and values[0]:
                found.append(HanNumber(start, over.end(), (tops[0] / values[0],)))
                continue
        if values or not match.group().isalpha():
            found.append(HanNumber(start, end, values, ordinal=text[start - 1 : start] == "第"))
    found += (
        HanNumber(match.start(), match.end(), (Fraction(_KANA.get(match.group(), 0)) or Fraction(1, 2),))
        for match in _KANA_RUN.finditer(text)
    )
    return _apart(sorted(found, key=lambda number: (number.start, -number.end)))


def _apart(numbers: list[HanNumber]) -> list[HanNumber]:
    """Without those that begin inside an earlier one (`一半` holds `一`)."""
    kept: list[HanNumber] = []
    for number in numbers:
        if not kept or number.start >= kept[-1].end:
            kept.append(number)
    return kept


def _values(run: str, language: str | None) -> tuple[Fraction, ...]:
    if len(run) > _LONGEST:
        return ()
    tokens: list[str] = _TOKEN.findall(run)
    if len(tokens) > 1 and all(token in _DIGITS for token in tokens):
        value = Fraction(int("".join(str(_DIGITS[token]) for token in tokens)))
        # `二三日` is two or three days, and may be twenty-three.
        loose = len(tokens) == 2 and "〇" not in run and "零" not in run
        return (value, *(Fraction(_DIGITS[token]) for token in tokens)) if loose else (value,)
    if len(tokens) == 1 and tokens[0] not in _DIGITS and tokens[0] not in _SMALL and tokens[0] not in _LARGE:
        return numerals(run, NumberStyle(".", ",", "ja"))[0].values
    literal = _literal(tokens)
    spoken = _spoken(tokens)
    if literal is None or spoken is None or language in ("ja", "ko"):
        return () if literal is None else (literal,)
    return (spoken,) if language in ("zh", "yue") else (literal, spoken)


def _spoken(tokens: list[str]) -> Fraction | None:
    """The Chinese reading of a last digit without its unit: a tenth of the unit before it."""
    if len(tokens) < 3 or tokens[-1] not in _DIGITS:
        return None
    unit = _SMALL.get(tokens[-2]) or _LARGE.get(tokens[-2]) or 0
    rest = _literal(tokens[:-1])
    return rest + Fraction(_DIGITS[tokens[-1]] * unit, 10) if unit >= 100 and rest is not None else None


def _literal(tokens: list[str]) -> Fraction | None:
    """The value by the grammar, or None."""
    total, block, digit = Fraction(0), Fraction(0), None
    last_large, last_small = 10**20, 10**4
    for index, token in enumerate(tokens):
        if token in _SMALL:
            unit = _SMALL[token]
            if unit >= last_small or (token in _TENS and digit is not None) or (digit is not None and digit >= 10):
                return None
            block += unit * (1 if digit is None else digit)
            digit, last_small = None, 10 if token in _TENS else unit
        elif token in _LARGE:
            amount = block + (digit or 0)
            raised = _raised(total, amount, _LARGE[token], last_large, tokens[index - 1])
            if raised is None:
                return None
            total, last_large = raised, _LARGE[token]
            block, digit, last_small = Fraction(0), None, 10**4
        else:
            number = _digit(token, tokens[index + 1 : index + 2], alone=not block)
            if number is None or (digit is not None and digit != 0):
                return None
            digit = number
    return total + block + (digit or 0)


def _raised(total: Fraction, amount: Fraction, unit: int, last: int, before: str) -> Fraction | None:
    """The sum after a block `amount` of a large unit; `万亿` multiplies what stands before it."""
    if before in _LARGE and unit > last:
        return total * unit
    if not amount or unit >= last or (amount >= 10**4 and total):
        return None
    return total + amount * unit


def _digit(token: str, following: list[str], *, alone: bool) -> Fraction | None:
    """A Han digit, or digits: whole ones up to four places inside a numeral, a decimal before its only unit."""
    if token in _DIGITS:
        return Fraction(_DIGITS[token])
    values = numerals(token, NumberStyle(".", ",", "ja"))[0].values
    if len(values) != 1 or not (alone or (values[0] < 10**4 and values[0].denominator == 1)):
        return None
    if values[0].denominator != 1 and not following:
        return None
    return values[0]
