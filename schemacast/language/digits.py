"""Numerals written in digits: what value a run of digits and separators has.

A run is read by the locale where it could mean two things (`1.250`), and without asking where it
could not (`1.250,00`, `12,5`). What is no number gives nothing: versions, addresses, dates, times and
codes share the digits of numbers but not their meaning. What stays unclear gives every value it may
have. Digits of any script count, but not of two scripts in one run.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from schemacast.language.number_style import NumberStyle

MOST_DIGITS = 300
"""Longer numerals, and exponents beyond it, are no values anyone states; no property could hold one."""

VULGAR = {
    "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5), "⅗": (3, 5),
    "⅘": (4, 5), "⅙": (1, 6), "⅚": (5, 6), "⅐": (1, 7), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8),
    "⅞": (7, 8), "⅑": (1, 9), "⅒": (1, 10),
}  # fmt: skip
_WIDE = str.maketrans({"．": ".", "，": ",", "’": "'", "\u00a0": " ", "\u202f": " ", "\u2009": " ", "\u2007": " "})
_RUN = re.compile(r"\d+(?:[.,'’٫٬．，\u00a0\u202f\u2009\u2007]\d+)*")
_SPACED = re.compile(r"\d{1,3}(?: \d{3})+(?:[.,]\d+)?(?![.,]?\d)")
_SPACED_OFTEN = re.compile(r"\d{1,3}(?: \d{3}){2,}(?:[.,]\d+)?(?![.,]?\d)")
_ONCE = re.compile(f"{_SPACED.pattern}|{_RUN.pattern}")
_OFTEN = re.compile(f"{_SPACED_OFTEN.pattern}|{_RUN.pattern}")
_PART = re.compile(r"\d+")


@lru_cache(maxsize=4096)
def whole_number(digits: str) -> Fraction:
    """The value of a run of digits; kept, since texts say the same small numbers over and over."""
    return Fraction(int(digits))


class Numeral(NamedTuple):
    """A stretch of digits and its values, unsigned; `plain` when it is digits only."""

    start: int
    end: int
    values: tuple[Fraction, ...]
    plain: bool


def numerals(text: str, style: NumberStyle | None) -> list[Numeral]:
    """Every numeral in the text, in order; one without values is digits that are no number."""
    found: list[Numeral] = []
    # A plain space groups digits where the language writes so; elsewhere one space parts two numbers,
    # and only a longer row of threes (`1 250 000`) is one.
    spaced = style is None or style.group == " "
    for match in (_ONCE if spaced else _OFTEN).finditer(text):
        start, end = match.span()
        run = match.group()
        if run.isdecimal():
            values = () if end - start > MOST_DIGITS or not _one_script(run) else (whole_number(run),)
            found.append(Numeral(start, end, values, plain=True))
        elif end - start > MOST_DIGITS:
            found.append(Numeral(start, end, (), plain=False))
        else:
            found += _compound(run, start, style)
    return found


def _compound(run: str, start: int, style: NumberStyle | None) -> list[Numeral]:
    """A run with separators: one numeral, or several where the separators only list them."""
    end = start + len(run)
    if not _one_script(run):
        return [Numeral(start, end, (), plain=False)]
    parts = _PART.findall(run)
    separators = _PART.sub("", run).translate(_WIDE)
    if " " in run and style is None:
        whole = _values(parts, separators, style)
        alone = tuple(Fraction(int(part)) for part in parts) if separators == " " and run[len(parts[0])] == " " else ()
        return [Numeral(start, end, tuple(dict.fromkeys(whole + alone)), plain=False)]
    values = _values(parts, separators, style)
    if values or not ((set(separators) == {","} and len(separators) > 1) or set(separators) <= {" ", "'"}):
        return [Numeral(start, end, values, plain=False)]
    return [
        Numeral(start + part.start(), start + part.end(), (Fraction(int(part.group())),), plain=True)
        for part in _PART.finditer(run)
    ]


def _values(parts: list[str], separators: str, style: NumberStyle | None) -> tuple[Fraction, ...]:
    """The values that digits with these separators may have: none, one, or two."""
    last = separators[-1]
    if len(separators) == 1:
        return _one_separator(parts[0], last, parts[1], style)
    if separators.count(last) == len(separators):
        return (Fraction(int("".join(parts))),) if last not in "٫" and _grouped(parts, last) else ()
    if last in ".,٫" and separators[0] != last and separators.count(separators[0]) == len(separators) - 1:
        # Two kinds of sign: the last one, standing once, can only be the decimal.
        return (_decimal("".join(parts[:-1]), parts[-1]),) if _grouped(parts[:-1], separators[0]) else ()
    return ()


def _one_separator(whole: str, sign: str, rest: str, style: NumberStyle | None) -> tuple[Fraction, ...]:
    groups = _grouped([whole, rest], sign)
    if sign in "'٬ ":
        return (Fraction(int(whole + rest)),) if groups else ()
    decimal = _decimal(whole, rest)
    if sign == "٫" or not groups or (style is not None and sign == style.decimal):
        return (decimal,)
    joined = Fraction(int(whole + rest))
    if style is not None and sign == style.group:
        return (joined,)
    return (joined, decimal)


def _grouped(parts: list[str], sign: str) -> bool:
    """Whether the parts are groups of thousands; with commas also Indian ones (`12,34,567`)."""
    if not 1 <= len(parts[0]) <= 3 or int(parts[0][0]) == 0 or len(parts[-1]) != 3:
        return False
    middle = {len(part) for part in parts[1:-1]}
    return middle <= {3} or (sign == "," and middle == {2} and len(parts[0]) <= 2)


def _decimal(whole: str, rest: str) -> Fraction:
    return Fraction(int(whole + rest), 10 ** len(rest))


def _one_script(run: str) -> bool:
    """Whether all digits are of one script: `1٢` is no number that anyone writes."""
    if run.isascii():
        return True
    return len({ord(char) - int(char) for char in run if char.isdecimal()}) == 1
