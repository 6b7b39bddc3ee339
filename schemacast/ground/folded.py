"""A text folded once, with the way back from a place in the fold to the source.

The text is folded in pieces of about a thousand characters, cut before a letter, where the fold of what
follows does not depend on what stands before. Only the pieces' starts are kept; the offsets within a
piece are worked out when a hit falls into it. So folding is a handful of passes in C, and the way
back costs only what it is used for. After some look-ups that found nothing, the words of the fold are
indexed too: a quote with a word in its middle that the text lacks is then refused without a scan.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from typing import NamedTuple

from schemacast.ground.characters import EXTENDING, INVISIBLE, fold, fold_characters, uneven

_PIECE = 500
_LONG = 50_000
_MISSES_BEFORE_INDEX = 16
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_SAFE_CUT = re.compile(f"[^\\W_{EXTENDING}{INVISIBLE}]")
_HANGUL_TAIL = re.compile("[\u1160-\u11ff\ud7b0-\ud7ff]")


class Unit(NamedTuple):
    """Characters of the source that fold as one, and their place in the fold."""

    folded_start: int
    folded_end: int
    start: int
    end: int


class _Piece:
    """The units of one piece that are not one character for one, in order."""

    __slots__ = ("ends", "folded_ends", "folded_starts", "starts")

    def __init__(self) -> None:
        self.folded_starts: list[int] = []
        self.folded_ends: list[int] = []
        self.starts: list[int] = []
        self.ends: list[int] = []


class FoldedText:
    """The fold of a text. `folded` is a pure function of `text`; the rest are caches of it."""

    __slots__ = ("_folded_starts", "_misses", "_pieces", "_source_starts", "_words", "folded", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._source_starts, parts = [0], []
        while (start := self._source_starts[-1]) < len(text):
            cut = _SAFE_CUT.search(text, start + _PIECE)
            self._source_starts.append(cut.start() if cut else len(text))
            parts.append(fold(text[start : self._source_starts[-1]]))
        self._folded_starts = [0]
        for part in parts:
            self._folded_starts.append(self._folded_starts[-1] + len(part))
        self.folded = "".join(parts)
        self._pieces: dict[int, _Piece] = {}
        self._words: frozenset[str] | None = None
        self._misses = 0

    def unit(self, place: int) -> Unit:
        """The unit of the source that the character of the fold at `place` came from."""
        number = bisect_right(self._folded_starts, place) - 1
        piece = self._pieces.get(number)
        if piece is None:
            piece = self._pieces[number] = self._read(number)
        before = bisect_right(piece.folded_starts, place) - 1
        if before < 0:
            start = self._source_starts[number] + place - self._folded_starts[number]
        elif place < piece.folded_ends[before]:
            return Unit(
                piece.folded_starts[before], piece.folded_ends[before], piece.starts[before], piece.ends[before]
            )
        else:
            start = piece.ends[before] + place - piece.folded_ends[before]
        return Unit(place, place + 1, start, start + 1)

    def place_before(self, index: int) -> int:
        """A place in the fold that is not behind the source's character at `index`, and not far before it."""
        return self._folded_starts[max(bisect_right(self._source_starts, index) - 1, 0)]

    def missed(self) -> None:
        """Count a look-up that scanned the whole fold and found nothing."""
        self._misses += 1
        if self._misses == _MISSES_BEFORE_INDEX and len(self.folded) > _LONG:
            self._words = frozenset(self.folded.split(" "))

    def lacks(self, folded_quote: str) -> bool:
        """Whether the index says that a word inside the quote is nowhere in the text."""
        if self._words is None:
            return False
        return not self._words.issuperset(folded_quote.split(" ")[1:-1])

    def _read(self, number: int) -> _Piece:
        """Work out the units of a piece."""
        offset, piece_end = self._source_starts[number : number + 2]
        shift = self._folded_starts[number] - offset
        piece = _Piece()
        text = self.text[offset:piece_end]
        if text.isascii() and self._folded_starts[number + 1] - self._folded_starts[number] == len(text):
            return piece
        done = 0
        for match in uneven(astral=_ASTRAL.search(text) is not None).finditer(text):
            start, end = match.span()
            if text[start].isspace():
                layout: tuple[tuple[int, int], ...] = ((end - start, 1),)
            else:
                if match.lastindex is None and start > done and not text[start - 1].isspace():
                    start -= 1
                layout = _layout(text[start:end])
            for length, folded_length in layout:
                folded_start = offset + start + shift
                shift += folded_length - length
                piece.folded_starts.append(folded_start)
                piece.folded_ends.append(folded_start + folded_length)
                piece.starts.append(offset + start)
                start += length
                piece.ends.append(offset + start)
            done = end
        return piece


@lru_cache(maxsize=8192)
def _layout(run: str) -> tuple[tuple[int, int], ...]:
    """The lengths, in the source and in the fold, of the units in a character and what may continue it.

    A Hangul vowel or final continues only the syllable before it: where the fold of the whole is the fold of
    both sides one after the other, nothing is joined.
    """
    for match in _HANGUL_TAIL.finditer(run, 1):
        cut = match.start()
        head, tail = fold_characters(run[:cut]), fold_characters(run[cut:])
        if head + tail == fold_characters(run):
            return *_layout(run[:cut]), *_layout(run[cut:])
    return ((len(run), len(fold_characters(run))),)


_kept_short = lru_cache(maxsize=64)(FoldedText)
_kept_long = lru_cache(maxsize=4)(FoldedText)


def folded(text: str) -> FoldedText:
    """The fold of a text; those of the last few texts are kept."""
    return _kept_long(text) if len(text) > _LONG else _kept_short(text)
