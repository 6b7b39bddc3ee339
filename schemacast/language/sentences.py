"""Where sentences begin and end.

A sentence ends at an end mark that is followed by a space, or directly at one of the full-width marks,
and at an empty line; a line break alone ends nothing, so lines without end marks are one block. A
point ends no sentence after an abbreviation, an initial, an ordinal or a list number. In doubt nothing is split: a
sentence too long is lenient, one too short tears a quote from what it proves.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import lru_cache

from schemacast.language.abbreviations import (
    AFTER_ORDINAL,
    BEFORE_NUMBER,
    BEFORE_ORDINAL,
    MAYBE_LAST,
    NEVER_LAST,
    STARTERS,
)

_CLOSERS = "\"'”’»›)\\]}」』）】〉》*_"
_OPENERS = "\"'“‘„‚«‹(\\[{「『（【¿¡*_#>–—•·\\-"
_LINE_END = "(?:\\r\\n|[\\n\\r\\x0b\\x0c\\x1c-\\x1e\\x85\\u2028\\u2029])"
_EMPTY_LINE = re.compile(f"{_LINE_END}[^\\S\\n\\r\\x0b\\x0c\\x1c-\\x1e\\x85\\u2028\\u2029]*{_LINE_END}\\s*|\\u2029\\s*")
_MARKS = ".!?…‽⁇⁈⁉؟۔।॥።"
# Only from the first mark of a run, and never back: a page of points is read once.
_END = re.compile(
    f"[{_MARKS}](?<![{_MARKS}][{_MARKS}])[{_MARKS}]*+[{_CLOSERS}]*+(?:[ \u00a0\u202f]»)?(?=\\s)"
    f"|[。！？｡]++[{_CLOSERS}]*+|．(?![\\d０-９])"
)
_MAY_END = re.compile(f"[{_MARKS}。！？｡．\u2029]|{_LINE_END}\\s*{_LINE_END}")
"""What stands wherever a sentence ends."""
_SPACES = re.compile(r"\s+")
_FIRST_WORD = re.compile(f"[{_OPENERS}]*\\s?([\\w']{{1,24}})")
_OPENING = re.compile(r"[(\[{\"'“„«‘/]")
_HIRAGANA = re.compile("[ぁ-ゟ]")
_DOTTED = re.compile(r"(?:[^\W\d_]{1,3}\.)+[^\W\d_]{1,3}")


@lru_cache(maxsize=64)
def _bounds(text: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The starts and the ends of the sentences; kept for the last texts."""
    starts: list[int] = []
    ends: list[int] = []
    block = 0
    for gap in [*(match.span() for match in _EMPTY_LINE.finditer(text)), (len(text), len(text))]:
        _split_block(text, block, gap[0], starts, ends)
        block = gap[1]
    return tuple(starts), tuple(ends)


def sentences(text: str) -> list[tuple[int, int]]:
    """The sentences of a text, in order, as (start, end) in characters, end exclusive.

    They do not overlap, and only whitespace is outside of them.
    """
    return list(zip(*_bounds(text), strict=True))


def sentence_range(text: str, start: int, end: int) -> tuple[int, int]:
    """The indexes of the first and the last sentence that a span touches.

    A span of whitespace between two sentences gives the one before it. A text of whitespace has no
    sentence: then the last index is -1.
    """
    starts, ends = _bounds(text)
    if len(starts) == 1:
        return 0, 0
    last = bisect_left(starts, max(end, start + 1)) - 1
    first = min(bisect_right(ends, start), max(last, 0))
    return first, max(last, first) if starts else -1


def goes_on(text: str, start: int, end: int) -> bool:
    """Whether it is plain at a glance that the sentence of the character at `start` goes on to the one at `end`.

    Only from a letter or digit, where no end mark or closing sign may stand before, and not to a space.
    """
    begins = text[start : start + 1].isalnum() and not text[end : end + 1].isspace()
    return begins and _MAY_END.search(text, start + 1, end) is None


def _split_block(text: str, block: int, block_end: int, starts: list[int], ends: list[int]) -> None:
    """Add the sentences between two empty lines."""
    start = _skip_space(text, block, block_end)
    for match in _END.finditer(text, start, block_end):
        end = match.end()
        following = _skip_space(text, end, block_end)
        if following < block_end and _ends_sentence(text, start, match, following):
            starts.append(start)
            ends.append(end)
            start = following
    if start < block_end:
        starts.append(start)
        ends.append(start + len(text[start:block_end].rstrip()))


def _skip_space(text: str, start: int, end: int) -> int:
    match = _SPACES.match(text, start, end)
    return match.end() if match else start


def _ends_sentence(text: str, start: int, end: re.Match[str], following: int) -> bool:
    """Whether the end mark at `end` closes the sentence that began at `start`."""
    mark = end[0]
    after = text[following]
    if mark[0] in "。！？｡．":
        return not (len(mark) > 1 and mark[-1] in "」』）】〉》" and _HIRAGANA.match(after))
    if mark[0] in "؟۔।॥።":
        return True
    if mark[0] != "." or mark.startswith(".."):
        return not after.islower()
    before = _OPENING.split(text[max(start, end.start() - 48) : end.start()])[-1].split()
    if not before:
        return not after.islower()
    previous = before[-2].casefold() if len(before) > 1 else ""
    at_start = end.start() - start == len(before[-1])
    return _point_ends_sentence(before[-1], _next_word(text, following), previous, at_start=at_start)


def _next_word(text: str, start: int) -> str:
    """The first word from `start` on, opening punctuation skipped."""
    match = _FIRST_WORD.match(text, start)
    return match[1] if match else ""


def _point_ends_sentence(word: str, next_word: str, previous: str, *, at_start: bool) -> bool:
    """Whether a point between two words ends a sentence. `at_start`: the first word begins its sentence."""
    key = word.casefold()
    following = next_word.casefold()
    if key.isdigit():
        dated = next_word[:4].isdigit() and previous.removesuffix(".").isdigit()  # `3. 4. 2026`
        ordinal = len(key) <= 2 and (dated or following in AFTER_ORDINAL or previous in BEFORE_ORDINAL)
        return not (at_start or ordinal or next_word[:1].islower())
    if key in NEVER_LAST:
        return False
    if key in BEFORE_NUMBER and next_word[:1].isdigit():
        return False
    if key in MAYBE_LAST or (len(word) == 1 and word.isalpha()) or _DOTTED.fullmatch(word):
        return next_word[:1].isupper() and following in STARTERS
    if next_word[:1].islower():
        # A text that never writes capitals still ends its sentences; a shorter word may be an abbreviation.
        return len(word) >= 4 and word.islower() and key not in BEFORE_NUMBER
    return True
