"""The unit that a text writes beside a number: right after it, or a currency right before.

Only names that are known count, and the longest one (`km/h`, not `km`); what follows a number is
else just the next word. A unit may touch the number, stand one space away or behind a hyphen. `in`
and `y` are units only where no sentence goes on after them, and a straight quotation mark only where none is open.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from schemacast.language.unit_table import CURRENCIES, ONLY_IN
from schemacast.language.units import LONGEST_NAME, fold_word, meanings

SPACES = " \u00a0\u202f\u2009"
_HYPHENS = "-\u2010\u2011"
_TOKEN = re.compile(
    r"[A-Za-zµ\u00c0-\u024f\u0370-\u03ff\u0400-\u04ff]+|[^\W\d_²³¹]+"
    r"|[°º] ?[CFcf](?![^\W\d_])|[%％٪‰°ºΩ℃℉″′$€£¥￥₽₴₺₹₩₪₫฿₦₱₿]|\^-?[1-9]|[²³⁻¹]+|[23](?!\d)|[/·⋅*-]| (?! )"
)
_QUOTED = 400
"""How far back an open quotation mark is looked for."""
_MOST_TOKENS = 9
_CLOSERS = re.compile(r"[/·⋅* -]")


def unit_after(
    text: str, pos: int, *, language: str | None, extra: frozenset[str] = frozenset()
) -> tuple[int, int] | None:
    """The span of the unit right after `pos`, where a number ends; None when no known unit stands there.

    `extra` are further names that count, such as the units a schema declares.
    """
    start = pos
    before = text[start : start + 1]
    if (before and before in SPACES) or (before and before in _HYPHENS and text[start + 1 : start + 2].isalpha()):
        start += 1
    if start >= len(text) or text[start].isdecimal() or text[start].isspace():
        return None
    length = _longest(text[start : start + LONGEST_NAME], language, start == pos)
    for name in extra:
        if (
            len(name) > length
            and text.startswith(name, start)
            and not text[start + len(name) : start + len(name) + 1].isalnum()
        ):
            length = len(name)
    if not length and text[start] == '"' and start == pos and text.count('"', max(0, pos - _QUOTED), pos) % 2 == 0:
        length = 1
    return (start, start + length) if length else None


def unit_before(text: str, pos: int) -> tuple[int, int] | None:
    """The span of the currency right before `pos`, where a number begins."""
    if pos == 0:
        return None
    last = text[pos - 2 : pos - 1] if text[pos - 1] in SPACES else text[pos - 1]
    if last not in _last_signs():
        return None
    start = max(0, pos - 8)
    match = _currency_ending().search(text[start:pos])
    return (start + match.start(1), start + match.end(1)) if match else None


@lru_cache(maxsize=2048)
def _longest(chunk: str, language: str | None, attached: bool) -> int:
    """How many characters of the chunk, from its start, are a known unit."""
    if not chunk[0].isascii() and _caseless(chunk[0]):
        return next((size for size in range(min(6, len(chunk)), 0, -1) if _fits_unspaced(chunk, size)), 0)
    ends: list[int] = []
    end = 0
    while len(ends) < _MOST_TOKENS and (match := _TOKEN.match(chunk, end)):
        end = match.end()
        ends.append(end)
    for end in reversed(ends):
        if _stands(chunk, end) and _counts(chunk, end, language, attached) and meanings(chunk[:end]):
            return end
    return 0


def _fits_unspaced(chunk: str, size: int) -> bool:
    return bool(meanings(chunk[:size])) and not chunk.startswith("の", size)


def _stands(chunk: str, end: int) -> bool:
    """Whether a name that ends here is whole: no letter or digit goes on, no apostrophe elides it."""
    last, after = chunk[end - 1], chunk[end : end + 1]
    if _CLOSERS.match(last) or not after:
        return not _CLOSERS.match(last)
    if after in "'’" and chunk[end + 1 : end + 2].isalpha() and last.isalpha():
        return False
    if last.isalpha() and not last.isascii() and _caseless(last):
        return True
    return after != "_" and not after.isdecimal() and not (after.isalpha() and not _caseless(after) and last.isalpha())


def _counts(chunk: str, end: int, language: str | None, attached: bool) -> bool:
    """Whether a name that is also an everyday word means the unit here."""
    name = fold_word(chunk[:end])
    if name in ONLY_IN:
        return language in ONLY_IN[name] or (language is None and bool(ONLY_IN[name]))
    return name not in ("in", "y") or attached or not re.match(r"[ \w]", chunk[end:])


def _caseless(char: str) -> bool:
    """A letter of a script without case, where words need no spaces around them."""
    return char.isalpha() and char.lower() == char.upper() and char not in "ªº"


@cache
def _last_signs() -> frozenset[str]:
    """The characters a currency before a number may end with; most numbers have none of them."""
    return frozenset(name[-1] for code, listed in CURRENCIES.items() for name in (code, *listed.split()))


@cache
def _currency_ending() -> re.Pattern[str]:
    """A currency at the end of a text: a code or letters as a whole word, or a sign. `won 52` is what somebody won."""
    names = {name for code, listed in CURRENCIES.items() for name in (code, *listed.split())}
    letters = {name for name in names if name[0].isascii() and name[0].isalpha() and (len(name) < 4 or "$" in name)}
    worded = "|".join(re.escape(name) for name in sorted(letters - {"R", "won"}, key=len, reverse=True))
    signs = "".join(sorted(re.escape(name) for name in names if len(name) == 1 and not name.isalnum()))
    return re.compile(rf"((?<![^\W_])(?:{worded})|[{signs}])[{SPACES}]?$")
