"""Numbers written in figures: numerals with what belongs to them, and without what only looks like them.

Sign, exponent, fraction and multiplying word make a number of a numeral. The neighbours decide what
is no number: letters of a cased script that touch it make a code (`HD2`, `5.x`), a hyphen after a letter too
(`HD-2`), a chain of three by hyphens or slashes a date or a telephone number, a colon between digits a
time or a ratio. A hyphen between two numbers is no sign. Ordinals that show it (`3rd`, `3e`, `第3`) are
readings marked so; a German `3.` is not told from the end of a sentence and is a plain 3.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from schemacast.language.digits import MOST_DIGITS, VULGAR, Numeral, numerals
from schemacast.language.multipliers import letter_after, multiplier_after
from schemacast.language.number_style import NumberStyle
from schemacast.language.stretches import clear_of
from schemacast.language.unit_beside import SPACES, unit_after, unit_before


class Figure(NamedTuple):
    """A number in figures: where it stands, the values it may have, and whether it shows that it is an ordinal.

    `digits` is where its digits begin, behind the sign and what stands between (`-$5`).
    """

    start: int
    end: int
    values: tuple[Fraction, ...]
    ordinal: bool = False
    multiplied: bool = False
    digits: int = -1


_MINUS = "-\u2212\uff0d\ufe63"
_DASHES = "\u2013\u2010\u2011\u2012"
_PLUS = "+\uff0b"
_EXPONENT = re.compile(r"([eE])([+\u2212-]?)(\d{1,4})(?![^\W_])")
_TIMES_TEN = re.compile(r" ?[×x*·⋅] ?10(?:(?:\^|\*\*)\(?([+\u2212-]?\d{1,4})(?![\d.,])\)?|([⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4}))")
_POWER_OF_TEN = re.compile(r"(?:\^|\*\*)\(?([+\u2212-]?\d{1,4})(?![\d.,])\)?|([⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4})")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻\u2212", "0123456789+--")
_ORDINAL = re.compile(
    r"(?:st|nd|rd|th|ST|ND|RD|TH|er|re|ère|e|ème|eme|nde?|[ºª]|º|ro|do|ra|da|to|ta|vo|va|mo|ma|no|na)(?![^\W_])|\.?[ºª]"
)
_ENGLISH = ("st", "nd", "rd", "th")
_MARKS = {"fr": ("er", "re", "ère", "e", "ème", "eme", "nd", "nde"), "nl": ("e", "de", "ste"),
          "es": ("er", "ro", "do", "ra", "da", "to", "ta", "vo", "va", "mo", "ma", "no", "na")}  # fmt: skip
_AFTER_WHOLE = re.compile(r"([1-9]\d?)[/⁄]([1-9]\d?)(?![/.,]?\d|/)")
_VULGAR = re.compile(f"[{''.join(VULGAR)}]")
_FRACTION_PARTS = frozenset((2, 3, 4, 5, 6, 8, 10, 12, 16, 32, 64, 100))
_TELEPHONE = re.compile(
    r"(?<![\w.,])"
    r"(?:\+\d{1,3}(?:[ /().-]{1,2}\d{1,10}){1,6}|\(?0\d{1,5}\)?(?:[ /-]\d{2,10}){1,5}|\(\d{3}\) ?\d{3}-\d{4})"
)
_CLOSING = frozenset('\n\r\t,;:!?)]}"')
"""What ends a number where it stands: nothing behind it makes another number of it, or none."""
_SIGN_AFTER = frozenset("([{<>=≤≥≈~±:;,|/*×€$£¥\"'“„«‘")


def figures(text: str, style: NumberStyle | None) -> list[Figure]:
    """Every number written in figures, in order, without overlaps."""
    found: list[Figure] = []
    language = style.language if style else None
    free = 0
    for first, last, values in _units_of_reading(text, numerals(text, style)):
        if first.start < free or not values:
            continue
        figure = _figure(text, first.start, last.end, values, first, language)
        if figure is not None:
            found.append(figure)
            free = figure.end
    if not text.isascii():
        found += _lone_fractions(text, found)
        found.sort(key=lambda figure: figure.start)
    return _sums(text, found) if any(figure.multiplied for figure in found) else found


def _units_of_reading(text: str, runs: list[Numeral]) -> Iterator[tuple[Numeral, Numeral, tuple[Fraction, ...]]]:
    """The numerals, with fractions joined and dates, times and telephone numbers left out."""
    index = 0
    telephones = _telephones(text) if len(runs) > 1 else []
    if telephones:
        runs = clear_of(telephones, runs)
    while index < len(runs):
        stop = index + 1
        if stop == len(runs) or runs[stop].start - runs[index].end != 1:
            yield runs[index], runs[index], runs[index].values
            index = stop
            continue
        while (
            stop < len(runs)
            and runs[stop].start - runs[stop - 1].end == 1
            and text[runs[stop - 1].end] in "-/:⁄\u2010\u2011"
        ):
            stop += 1
        chain = runs[index:stop]
        signs = {text[run.end] for run in chain[:-1]}
        index = stop
        if len(chain) == 1:
            yield chain[0], chain[0], chain[0].values
        elif len(chain) == 2 and not (":" in signs or _dated(text, chain)):
            yield from _pair(text, chain, signs)


def _pair(text: str, chain: list[Numeral], signs: set[str]) -> Iterator[tuple[Numeral, Numeral, tuple[Fraction, ...]]]:
    """Two numerals joined by a sign: a fraction, what may be one, or two numbers."""
    over, under = chain
    slashed = bool(signs & {"/", "⁄"})
    if slashed and over.plain and under.plain and over.values and under.values:
        top, bottom = over.values[0], under.values[0]
        if bottom and (signs == {"⁄"} or (top < bottom and bottom in _FRACTION_PARTS)):
            value = top / bottom
            sure = signs == {"⁄"} or unit_after(text, under.end, language=None) or _whole_before(text, over.start)
            yield over, under, (value,) if sure else tuple(dict.fromkeys((value, top, bottom)))
            return
    for run in chain:
        yield run, run, run.values


def _dated(text: str, chain: list[Numeral]) -> bool:
    """Whether two numerals read like the parts of a date or a code: `2024-03`, `03/04`, `08-15`."""
    texts = [text[run.start : run.end] for run in chain]
    if any(len(part) > 1 and part[0] == "0" and part.isdecimal() for part in texts):
        return True
    if text[chain[0].end] == "/" or not all(run.plain for run in chain):
        return False
    return len(texts[0]) == 4 and texts[0][:2] in ("19", "20") and len(texts[1]) == 2


def _telephones(text: str) -> list[Numeral]:
    """Where telephone numbers stand: `+49 30 1234567`, `030 1234567`, `(555) 123-4567`."""
    return [
        Numeral(match.start(), match.end(), (), plain=False)
        for match in _TELEPHONE.finditer(text)
        if sum(char.isdecimal() for char in match.group()) >= (7 if match.group()[0] == "+" else 8)
    ]


def _whole_before(text: str, start: int) -> bool:
    return start > 1 and text[start - 1] in SPACES and text[start - 2].isdecimal()


def _figure(
    text: str, start: int, end: int, values: tuple[Fraction, ...], first: Numeral, language: str | None
) -> Figure | None:
    """The number around a numeral, or None when its neighbours say that it is none."""
    if (
        start
        and text[start - 1] in ".．"
        and first.plain
        and (start == 1 or not (text[start - 2].isalnum() or text[start - 2] in "._)"))
    ):
        values = (values[0] / 10 ** (first.end - first.start),)
        start -= 1
    if start and not _may_begin(text, start):
        return None
    closed = end == len(text) or text[end] in _CLOSING
    if not closed:
        end, values = _mixed(text, end, values, first)
        end, values = _scaled(text, start, end, values)
    sign_start, values = _signed(text, start, values)
    ordinal = None if closed else _ordinal_end(text, end, language)
    if ordinal and first.plain:
        return Figure(start, ordinal, tuple(abs(value) for value in values), ordinal=True)
    if start and text[start - 1] == "第":
        return Figure(start - 1, end, values, ordinal=True)
    figure = Figure(start, end, values) if closed else _multiplied(text, start, end, values, language)
    return figure._replace(start=sign_start, digits=start) if figure and sign_start != start else figure


def _multiplied(text: str, start: int, end: int, values: tuple[Fraction, ...], language: str | None) -> Figure | None:
    """The number with the word that multiplies it, if what follows lets it be a number at all."""
    word = multiplier_after(text, end, language=language)
    if word is not None:
        return Figure(
            start, word[0], tuple(sorted({value * size for value in values for size in word[1]})), multiplied=True
        )
    if end < len(text):
        money = unit_before(text, start) is not None
        letter = letter_after(text, end, money=money)
        if letter is not None:
            return Figure(start, letter[0], tuple(value * letter[1] for value in values))
        after = text[end : end + 2]
        if after[0] in "KB" and not after[1:].isalnum():
            size = 10**3 if after[0] == "K" else 10**9
            return Figure(
                start, end, tuple(dict.fromkeys(other for value in values for other in (value, value * size)))
            )
        if not _may_end(text, end, language):
            return None
    return Figure(start, end, values)


def _may_begin(text: str, start: int) -> bool:
    """Whether a number may begin here, after the character before."""
    before = text[start - 1]
    if before.isalpha():
        if before.lower() == before.upper() and before not in "ªº":
            return True
        alone = start == 1 or not (
            text[start - 2].isalpha() or text[start - 2] in "-_" or _hexadecimal(text, start - 1)
        )
        return (before in "vVxX" and alone) or unit_before(text, start) is not None
    if before in "_\\@" or before.isdecimal():
        return False
    if before in _MINUS or before in _DASHES:
        # After a letter or a bracket a hyphen makes a code; after a digit it joins two numbers.
        return start == 1 or not (text[start - 2].isalpha() or text[start - 2] in "_)]-#") or text[start - 2] in SPACES
    return before not in VULGAR


def _may_end(text: str, end: int, language: str | None) -> bool:
    """Whether a number may end here, before the character after."""
    after, rest = text[end], text[end + 1 : end + 4]
    if after.isalpha():
        if after.lower() == after.upper() or (after in "xX" and not rest[:1].isalpha() and not _hexadecimal(text, end)):
            return True
        unit = unit_after(text, end, language=language)
        return unit is not None and not (text[end] == "s" and _decade(text, end))
    if after in "_\\@" or (after in "⁰¹²³⁴⁵⁶⁷⁸⁹"):
        return False
    if after in "-\u2010\u2011" and rest[:1].isalpha():
        # `3-phase`, `24-V-Pumpe`, `3-Wege-Ventil`; but `2-HD` is a code.
        return (
            rest[:2].islower()
            or (rest[0].isupper() and rest[1:3].islower())
            or unit_after(text, end, language=language) is not None
        )
    if after == "." and rest[:1].isalpha():
        return rest[0].isupper() and rest[1:2].islower()
    return True


def _hexadecimal(text: str, end: int) -> bool:
    """Whether a lone 0 ends here, as in `0x1F`."""
    return text[end - 1] == "0" and not text[max(0, end - 2) : end - 1].isdecimal()


def _decade(text: str, end: int) -> bool:
    """`1990s` and `her 40s` are no 1990 or 40 of anything."""
    return text[end - 1] == "0" and (end < 2 or text[end - 2].isdecimal()) and not text[end + 1 : end + 2].isalnum()


def _mixed(text: str, end: int, values: tuple[Fraction, ...], first: Numeral) -> tuple[int, tuple[Fraction, ...]]:
    """`3½`, `3 ½`, `3 1/2`: the fraction that follows a whole number."""
    if not first.plain or first.end != end:
        return end, values
    at = end + 1 if text[end : end + 1] in SPACES else end
    vulgar = VULGAR.get(text[at : at + 1])
    if vulgar:
        return at + 1, tuple(value + Fraction(*vulgar) for value in values)
    match = _AFTER_WHOLE.match(text, at) if at > end else None
    if match and int(match[1]) < int(match[2]) and int(match[2]) in _FRACTION_PARTS:
        return match.end(), tuple(value + Fraction(int(match[1]), int(match[2])) for value in values)
    return end, values


def _scaled(text: str, start: int, end: int, values: tuple[Fraction, ...]) -> tuple[int, tuple[Fraction, ...]]:
    """The number with its power of ten: `1e5`, `1.5×10^3`, `10⁵`."""
    match = _TIMES_TEN.match(text, end)
    if match is None and len(values) == 1 and values[0] == 10:
        match = _POWER_OF_TEN.match(text, end)
        values = (Fraction(1),) if match else values
    if match:
        power = int((match[1] or match[2]).translate(_SUPERSCRIPTS))
    else:
        match = _EXPONENT.match(text, end)
        # `5E3` may be a room; a sign, a decimal or a leading one shows an exponent.
        if not match or (match[1] == "E" and not match[2] and text[start:end] != "1" and text[start:end].isdecimal()):
            return end, values
        power = int(match[2].translate(_SUPERSCRIPTS) + match[3])
    if abs(power) > MOST_DIGITS:
        return end, ()
    return match.end(), tuple(value * Fraction(10) ** power for value in values)


def _signed(text: str, start: int, values: tuple[Fraction, ...]) -> tuple[int, tuple[Fraction, ...]]:
    """Where the number begins with its sign, and its values; a currency may stand between."""
    at = start
    if at and text[at - 1] not in _MINUS + _DASHES + _PLUS:
        money = unit_before(text, at)
        if money is None or money[0] == 0:
            return start, values
        at = money[0]
    sign = text[at - 1] if at else ""
    if not sign or sign not in _MINUS + _DASHES + _PLUS:
        return start, values
    earlier = text[at - 2] if at > 1 else " "
    if earlier.isalnum() or not (earlier.isspace() or earlier in _SIGN_AFTER):
        return start, values
    if sign in _PLUS:
        return at - 1, values
    negative = tuple(-value for value in values)
    if sign == "\u2212":
        return at - 1, negative
    before = text[max(0, at - 6) : at - 1].rstrip()
    if sign in _DASHES or before[-1:].isdecimal():
        return at - 1, tuple(dict.fromkeys(negative + values))
    return at - 1, negative


def _ordinal_end(text: str, end: int, language: str | None) -> int | None:
    """The end of an ordinal's mark that touches the number."""
    match = _ORDINAL.match(text, end)
    if match is None:
        return None
    mark = match.group().lower()
    if mark in _ENGLISH or mark[-1] in "ºª":
        return None if mark == "º" and text[match.end() : match.end() + 1] in ("C", "F") else match.end()
    if mark in ("e", "er", "re", "ère", "ème", "eme") and language not in (None, "fr", "es", "nl", "ca"):
        return None
    languages = (language,) if language in _MARKS else tuple(_MARKS)
    return match.end() if any(mark in _MARKS[name] for name in languages) else None


def _lone_fractions(text: str, found: list[Figure]) -> list[Figure]:
    """`½` and its like, where no whole number stands before them."""
    lone = [
        Figure(match.start(), match.end(), (Fraction(*VULGAR[match.group()]),))
        for match in _VULGAR.finditer(text)
        if not text[max(0, match.start() - 1) : match.start()].isalnum()
    ]
    return clear_of(found, lone)


def _sums(text: str, found: list[Figure]) -> list[Figure]:
    """`2 million 300 thousand` is one number; `2 million 300` may be."""
    summed: list[Figure] = []
    for figure in found:
        last = summed[-1] if summed else None
        if (
            last
            and last.multiplied
            and text[last.end : figure.start] == " "
            and 0 < max(figure.values) < min(last.values)
        ):
            together = tuple(one + other for one in last.values for other in figure.values)
            values = together if figure.multiplied else tuple(dict.fromkeys(together + last.values + figure.values))
            summed[-1] = Figure(last.start, figure.end, values, multiplied=True)
        else:
            summed.append(figure)
    return summed
