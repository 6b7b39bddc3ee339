"""Tokens: the words and numbers of a text that a quote or a value may not cut.

A token is a run of letters, marks and digits, or a number with its sign, separators and exponent. Dots
join any groups of digits (`3.1.4`), a comma only what can be one number, so that `1,2,3` stays a list;
no-break and thin spaces and apostrophes join groups of three. A sign counts only where no number or
word stands right before it. A lone `v` before a digit and a unit right after the digits are outside the
number; other letters there make an identifier of it (`1.0.2k`). Scripts without spaces have no word
tokens, only numbers.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cache, lru_cache

from schemacast.language.scripts import UNSPACED, is_unspaced, word_marks

_SUPERSCRIPTS = "\u00b2\u00b3\u00b9\u2070\u2074-\u2079"
_SIGNS = "+\\-\u2010-\u2013\u2212\u00b1\ufe63\uff0b\uff0d"
_GROUP_JOINERS = "\u00a0\u2007\u2009\u202f'\u2019_\u066c"
_MONEY = "$\u20a0-\u20cf\u00a3\u00a5"
_WORD_JOINERS = "\u00ad\u200c\u200d\u2060"

_SEAMS = re.compile(f"[\\d{_SIGNS}{_GROUP_JOINERS}{_MONEY}{_WORD_JOINERS}{_SUPERSCRIPTS}.,:^×*·\u207a\u207b\u066b]")
"""What may stand at a cut inside a token, letters and marks aside."""

_BREAKS = frozenset(' \n\r\t!"#%&()/;<=>?@[\\]`{|}~')
"""Characters that no token holds, so that one beside a place settles it without reading the text."""

_WINDOW = 128

_WITH_PREFIX = "W Wh V VA A Ah Hz Pa bar g m l L J N s bit eV mol Ω cal bps"
_WITHOUT_PREFIX = (
    "Nm h hr hrs min mins sec secs d yr yrs t lb lbs oz ft in inch yd mi mph kn psi rpm dpi px pt ppm ppb dB dBm ha "
    "kB KB MB GB TB kb Mb Gb KiB MiB GiB TiB EUR USD GBP CHF JPY SEK NOK DKK PLN CZK CNY INR x am pm AM PM Uhr "
    "st nd rd th er ère e ème º ª"
)
_UNITS = "|".join(
    [
        *(f"[kMGTPmµμnhdc]?{unit}" for unit in _WITH_PREFIX.split()),
        "[kcmdµμ]?m[²³23]",
        *_WITHOUT_PREFIX.split(),
    ]
)


def _pattern(letter: str, word: str, run: str) -> re.Pattern[str]:
    """The pattern of one token, from what a letter, a letter or digit, and a run of them with marks is.

    The search goes from left to right over whole tokens, so no match begins inside a word. A large class
    takes two milliseconds to compile: each stands only once or twice.
    """
    exponent = rf"(?:\^[+\-\u2212]?\d+|[\u207a\u207b]?[{_SUPERSCRIPTS}]+)"
    sign = rf"(?<![{_SIGNS}%‰°)\]}}\"”{_MONEY}])[{_SIGNS}][{_MONEY}]?(?=\.?\d)"
    free = rf"(?P<free>(?<!{word})(?:{sign}|(?<![.,)\]])(?=\.\d)))?"
    time = r"(?<![\d:])\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?![\d:])"
    grouped = rf"\d{{1,3}}(?:[{_GROUP_JOINERS}]\d{{3}}){{1,8}}(?!\d)(?:[.,\u066b]\d+)?"
    thousands = r"(?<!\d,)\d{1,3}(?:,\d{2,3}){0,8},\d{3}(?!\d|,\d)(?:\.\d+)?"
    version = r"(?P<version>\d+(?:\.\d+){2,}(?![\d,]))"
    dotted = r"\d+(?:\.\d+)+(?:,\d+(?!\d|[.,]\d))?"
    decimal_comma = r"(?<!\d,)\d+[,\u066b]\d+(?!\d|,\d)"
    leading_point = r"(?(free)\.\d+|(?!))"
    core = f"{time}|{grouped}|{thousands}|{version}|{dotted}|{decimal_comma}|\\d+|{leading_point}"
    power = rf"(?:[eE][+\-\u2212]?\d+(?![^\W_])|{exponent}|[x×*·]10{exponent})?"
    coded = f"(?P<coded>(?<={letter}[-\u2010\u2011_]))?"
    number = f"(?=[\\d.{_SIGNS}]){coded}(?>{free}(?:{core}){power})"
    # A unit right after the digits is outside, but `1.1.1d` is another version than `1.1.1`, and `P-101A` a code.
    closed = f"(?P<closed>(?=(?(version)|(?(coded)|(?:{_UNITS})?))(?!{word})))?"
    rest = rf"(?(closed)|(?:{run})*+(?:(?<=\d)\.\d(?:{run})*+)*)"
    return re.compile(f"[vV](?=\\d)|(?:{letter}|{number}{closed}){rest}")


@cache
def _ascii_pattern() -> re.Pattern[str]:
    return _pattern("[A-Za-z]", "[A-Za-z0-9]", "[A-Za-z0-9]+")


@cache
def _unicode_pattern() -> re.Pattern[str]:
    word = f"[^\\W_{UNSPACED}]"
    return _pattern(f"[^\\W\\d_{UNSPACED}]", word, f"{word}+|[{word_marks()}]+|[{_WORD_JOINERS}]+(?=[^\\W_])")


def _spans(text: str) -> list[tuple[int, int]]:
    pattern = _ascii_pattern() if text.isascii() else _unicode_pattern()
    return [match.span() for match in pattern.finditer(text)]


@lru_cache(maxsize=64)
def _bounds(text: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The starts and the ends of the tokens; kept for the last texts."""
    spans = _spans(text)
    return tuple(start for start, _ in spans), tuple(end for _, end in spans)


def tokens(text: str) -> list[tuple[int, int]]:
    """The tokens of a text, in order, as (start, end) in characters, end exclusive."""
    return list(zip(*_bounds(text), strict=True))


def cuts_token(text: str, start: int, end: int) -> bool:
    """Whether the span begins or ends inside a token of `text`."""
    if _is_apart(text, start) and _is_apart(text, end):
        return False
    return widen(text, start, end) != (start, end)


def widen(text: str, start: int, end: int) -> tuple[int, int]:
    """The span with every token whole that it begins or ends inside."""
    if _is_apart(text, start) and _is_apart(text, end):
        return start, end
    starts, ends = _bounds(text)
    first = bisect_left(starts, start) - 1
    if first >= 0 and ends[first] > start:
        start = starts[first]
    last = bisect_right(ends, end)
    if last < len(starts) and starts[last] < end:
        end = ends[last]
    return start, end


def _is_apart(text: str, index: int) -> bool:
    """Whether it is plain at a glance that no token goes on across `index`."""
    return not 0 < index < len(text) or text[index - 1] in _BREAKS or text[index] in _BREAKS


def inside_token(text: str, index: int) -> bool:
    """Whether a token of `text` goes on across `index`, looking only at what stands around it.

    For texts too long to be read whole; beyond 128 characters on either side nothing is looked at.
    """
    if _is_apart(text, index):
        return False
    before, after = text[index - 1], text[index]
    if before.isalpha() and after.isalpha():
        # Two letters of one run; only a script without spaces, or a unit, begins between letters.
        return not (is_unspaced(before) or is_unspaced(after))
    if before.isascii() and after.isascii() and not (_SEAMS.match(before) or _SEAMS.match(after)):
        return False
    # No token holds a plain space or a line feed, so reading can start behind one.
    first = max(0, index - _WINDOW)
    first = max(text.rfind(" ", first, index), text.rfind("\n", first, index), first - 1) + 1
    last = text.find(" ", index, index + _WINDOW)
    window = text[first : last if last >= 0 else index + _WINDOW]
    at = index - first
    return any(start < at < end for start, end in _spans(window))
