"""Find a quote in a text: exactly, else folded, else folded and without the punctuation around it.

The first level with a hit decides, so that an exact occurrence always wins over a folded one. Within a
level an occurrence on the boundaries of words and numbers wins over one inside them, then the one
nearest to `near`, then the first. A quote is in the text or it is not: nothing here measures
likeness. A folded hit counts only where characters of the source begin and end, since half a ligature
or a syllable without its final consonant is not what the text says.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator

from schemacast.ground.characters import INVISIBLE, INVISIBLE_CONTROLS, fold, is_blank
from schemacast.ground.folded import FoldedText, folded
from schemacast.ground.graphemes import is_boundary
from schemacast.ground.model import TextSpan
from schemacast.language.scripts import marks
from schemacast.language.tokens import inside_token

_Place = tuple[int, int]
_SpanAt = Callable[[int], "_Place | None"]

_SHORT = 5_000
"""Texts up to this length are searched to their end for a second occurrence before the first is looked at."""

_PATIENCE = 200
"""Hits inside words that are looked at one by one before a pattern skips them."""

_WRAPPING_SYMBOLS = frozenset("`*_|~")
_SIGNS = frozenset("-\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d")
_PERCENTS = frozenset("%\u2030\uff05\ufe6a\u066a")
_IGNORED = re.compile(f"[\\s{INVISIBLE}]")
_CONTROL = re.compile(f"[{INVISIBLE_CONTROLS}]")
_LETTERS = "A-Za-zÀ-ÖØ-öø-ɏͰ-ҁҊ-ԯԱ-Ֆա-ևא-תؠ-ي"
_LETTER = re.compile(f"[{_LETTERS}]")


def locate(quote: str, text: str, *, near: TextSpan | None = None) -> TextSpan | None:
    """The span of `quote` in `text`, in characters, or None when the text does not hold it.

    Of several occurrences the one nearest to `near` is given (the gap between the spans; of equally near
    ones the earlier), without `near` the first. Where `near` is itself an exact occurrence, it is given.
    """
    found = locate_place(quote, text, None if near is None else (near.start, near.end))
    return None if found is None else TextSpan(start=found[0], end=found[1])


def locate_place(quote: str, text: str, near: tuple[int, int] | None) -> tuple[int, int] | None:
    """`locate` in plain pairs of start and end, for a cast, which locates every quote of every reply."""
    if is_blank(quote):
        return None
    found = _exactly(quote, text, near)
    return found if found is not None else _in_fold(quote, text, near)


def locate_all(quote: str, text: str) -> list[TextSpan]:
    """Every occurrence of `quote` at the level that decides, in order; overlapping ones too."""
    if is_blank(quote):
        return []
    length = len(quote)
    places = [(place, place + length) for place in _finds(text, quote, 0)]
    if not places:
        source = folded(text)
        for needle in _needles(quote):
            at = _span_in(source, len(needle))
            places = [span for place in _finds(source.folded, needle, 0) if (span := at(place))]
            if places:
                break
    whole = [place for place in places if _is_whole(text, place)]
    return [TextSpan(start=start, end=end) for start, end in whole or places]


def _exactly(quote: str, text: str, near: _Place | None) -> _Place | None:
    """The deciding occurrence at level 1."""
    length = len(quote)
    if near is not None and near[1] - near[0] == length and text.startswith(quote, near[0]):
        return near
    first = text.find(quote)
    if first < 0:
        return None
    if len(text) <= _SHORT and text.find(quote, first + 1) < 0:
        return first, first + length  # there is nothing to choose from
    if near is None:
        if _is_whole(text, (first, first + length)):
            return first, first + length
        return _first(text, quote, first, lambda place: (place, place + length), text)
    return _nearest(text, quote, lambda place: (place, place + length), text, near, max(near[0] - length, 0))


def _in_fold(quote: str, text: str, near: _Place | None) -> _Place | None:
    """The deciding occurrence at levels 2 and 3."""
    needles = _needles(quote)
    source = folded(text)
    if not needles or source.lacks(needles[-1]):
        return None
    # What level 3 looks for is part of what level 2 looks for, so its absence settles both with one scan.
    begin = source.folded.find(needles[-1])
    if begin < 0:
        source.missed()
        return None
    for needle in needles:
        at = _span_in(source, len(needle))
        if near is None:
            start = begin if needle is needles[-1] else max(begin - len(needle), 0)
            found = _first(source.folded, needle, start, at, text)
        else:
            start = max(source.place_before(near[0]) - len(needle) - 1, 0)
            found = _nearest(source.folded, needle, at, text, near, start)
        if found is not None:
            return found
    return None


def _needles(quote: str) -> list[str]:
    """What levels 2 and 3 look for; one when they are the same, none when nothing is left."""
    whole = fold(quote).strip()
    bare = fold(_without_punctuation(quote)).strip()
    if not whole:
        return []
    return [whole] if bare == whole or not bare else [whole, bare]


def _is_punctuation(char: str) -> bool:
    return char in _WRAPPING_SYMBOLS or unicodedata.category(char)[0] == "P" or _IGNORED.match(char) is not None


def _without_punctuation(quote: str) -> str:
    """The quote without the punctuation around it; the sign and the percent of a number stay."""
    start, end = 0, len(quote)
    while start < end and _is_punctuation(quote[start]):
        if quote[start] in _SIGNS and quote[start + 1 : start + 2].isdigit():
            break
        start += 1
    while end > start and _is_punctuation(quote[end - 1]):
        if quote[end - 1] in _PERCENTS and quote[end - 2 : end - 1].isdigit():
            break
        end -= 1
    return quote[start:end]


def _is_whole(text: str, span: _Place) -> bool:
    """Whether a span begins and ends outside of words, numbers and clusters."""
    start, end = span
    if inside_token(text, start) or inside_token(text, end):
        return False
    return is_boundary(text, start) and is_boundary(text, end)


def _span_in(source: FoldedText, length: int) -> _SpanAt:
    """How a hit of `length` characters in the fold is taken back to the source: None if it cuts a character."""
    text = source.text

    def span_at(place: int) -> _Place | None:
        first = source.unit(place)
        last = source.unit(place + length - 1)
        if first.folded_start != place or last.folded_end != place + length:
            return None
        start, end = first.start, last.end
        while start < end - 1 and _CONTROL.match(text[start]):
            start += 1
        while start < end - 1 and _CONTROL.match(text[end - 1]):
            end -= 1
        if is_boundary(text, start) and is_boundary(text, end):
            return start, end
        return None

    return span_at


def _finds(hay: str, needle: str, start: int) -> Iterator[int]:
    """The places of a needle from `start` on, overlapping ones too."""
    place = hay.find(needle, start)
    while place >= 0:
        yield place
        place = hay.find(needle, place + 1)


def _candidates(hay: str, needle: str, start: int) -> Iterator[int]:
    """Like `_finds`, but after many hits it leaves out most that cut a word, a number or a character."""
    place = start
    for count, place in enumerate(_finds(hay, needle, start)):
        yield place
        if count == _PATIENCE:
            break
    else:
        return
    before = f"(?<![{_LETTERS}])" if _LETTER.match(needle[0]) else ""
    before += r"(?<!\d)" if needle[0].isdecimal() else ""
    after = f"(?![{_LETTERS}])" if _LETTER.match(needle[-1]) else ""
    after += r"(?!\d)" if needle[-1].isdecimal() else ""
    after += "" if hay.isascii() else f"(?![{marks(astral=False)}])"
    pattern = re.compile(f"{before}(?={re.escape(needle)}{after})")
    yield from (match.start() for match in pattern.finditer(hay, place + 1))


def _first(hay: str, needle: str, start: int, span_at: _SpanAt, text: str) -> _Place | None:
    """The first whole occurrence, else the first."""
    first = None
    for place in _candidates(hay, needle, start):
        span = span_at(place)
        if span is None:
            continue
        if _is_whole(text, span):
            return span
        first = first or span
    return first


def _nearest(hay: str, needle: str, span_at: _SpanAt, text: str, near: _Place, start: int) -> _Place | None:
    """The whole occurrence nearest to `near`, else the nearest.

    `start` is a place in `hay` such that whatever begins before it ends before `near` begins.
    """
    left: dict[bool, _Place] = {}
    right: dict[bool, _Place] = {}
    for place in _candidates(hay, needle, start):
        span = span_at(place)
        if span is None:
            continue
        whole = _is_whole(text, span)
        if span[1] < near[0]:
            left[whole] = span
            continue
        right.setdefault(whole, span)
        if whole:
            break
    if True not in left and not (True in right and right[True][0] <= near[1]):
        _look_left(hay, needle, start, span_at, text, left)
    for whole in (True, False):
        spans = [side[whole] for side in (left, right) if whole in side]
        if spans:
            return min(spans, key=lambda span: max(near[0] - span[1], span[0] - near[1], 0))
    return None


def _look_left(hay: str, needle: str, start: int, span_at: _SpanAt, text: str, left: dict[bool, _Place]) -> None:
    """Add to `left` the last whole occurrence that begins before `start`, and the last of any kind."""
    end = start + len(needle) - 1
    for _ in range(_PATIENCE):
        place = hay.rfind(needle, 0, end)
        if place < 0:
            return
        end = place + len(needle) - 1
        span = span_at(place)
        if span is None:
            continue
        whole = _is_whole(text, span)
        left.setdefault(whole, span)
        if whole:
            return
    for place in reversed(list(_candidates(hay[:end], needle, 0))):
        span = span_at(place)
        if span is not None and _is_whole(text, span):
            left[True] = span
            return
