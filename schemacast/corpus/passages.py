"""Where a text is cut into passages: at the ends of paragraphs and sentences, never longer than a bound.

A passage is what a question finds and a model is shown, so it must be short enough that many fit, and whole
enough to be understood. Sentences are put together up to `LONGEST` characters; a paragraph ends a passage that
is long enough to stand alone. A sentence longer than the bound is cut at a space, else between two characters
as a reader sees them. Offsets count characters of the text, and only whitespace is outside of every passage.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from schemacast.ground.characters import EXTENDING, INVISIBLE
from schemacast.language.sentences import sentences

LONGEST = 1_000
"""Characters of a passage at most."""
LONG_ENOUGH = 300
"""Characters from which a passage ends with its paragraph."""
PASSAGES_VERSION = f"paragraphs-1:{LONGEST}:{LONG_ENOUGH}"
"""Names how passages are cut; a change of it makes every index and every kept answer anew."""

_CONTINUES = re.compile(f"[{EXTENDING}{INVISIBLE}]")
_LOOK_BACK = 64


class Passage(NamedTuple):
    """Characters `start` to `end` (exclusive) of a text."""

    start: int
    end: int


def passages(text: str, *, longest: int = LONGEST, long_enough: int = LONG_ENOUGH) -> list[Passage]:
    """The passages of a text, in order, without overlaps; none for a text of whitespace."""
    made: list[Passage] = []
    start = end = -1
    for first, last in sentences(text):
        for piece_start, piece_end in _pieces(text, first, last, longest):
            if start < 0:
                start, end = piece_start, piece_end
                continue
            new_paragraph = end - start >= long_enough and text.count("\n", end, piece_start) > 1
            if new_paragraph or piece_end - start > longest:
                made.append(Passage(start, end))
                start = piece_start
            end = piece_end
    if start >= 0:
        made.append(Passage(start, end))
    return made


def _pieces(text: str, start: int, end: int, longest: int) -> list[tuple[int, int]]:
    """A sentence in pieces that are not too long: most often itself."""
    pieces = []
    while end - start > longest:
        cut = _cut(text, start, start + longest)
        stop = cut
        while text[stop - 1].isspace():
            stop -= 1
        pieces.append((start, stop))
        start = cut
        while text[start].isspace():
            start += 1
    pieces.append((start, end))
    return pieces


def _cut(text: str, start: int, limit: int) -> int:
    """Where a piece that begins at `start` ends, at `limit` at the latest: behind its last space, else before a
    character that begins one."""
    for index in range(limit, start + (limit - start) // 2, -1):
        if text[index].isspace():
            return index
    for index in range(limit, max(start, limit - _LOOK_BACK), -1):
        if not _continues(text, index):
            return index
    return limit


def _continues(text: str, index: int) -> bool:
    """Whether the character at `index` is read as a part of the one before."""
    char = text[index]
    if char.isascii():
        return char == "\n" and text[index - 1] == "\r"
    return (
        unicodedata.category(char)[0] == "M"
        or _CONTINUES.match(char) is not None
        or text[index - 1] == "\N{ZERO WIDTH JOINER}"
    )
