"""What ties a number to a second one, so that neither of them is what the text states.

`3-5 bar`, `3 to 5`, `between 3 and 5`, `3 or 5`, `5台または6台`. A dash with spaces around it rather parts
than ties, `from 3 to 5` behind a word of change names both, and a tie needs a number on both sides.
"""

from __future__ import annotations

import re
from itertools import pairwise

from schemacast.language.numbers import read_numbers
from schemacast.language.qualifier_words import DASHES, UNSPACED_RANGES, Words
from schemacast.language.unit_beside import SPACES
from schemacast.language.units import fold_word

_WINDOW = 64
TOKEN = re.compile(r"[^\W\d_]+(?:['’](?=[^\W\d_])|['’]$)?")
CLAUSE_END = re.compile(r"[.,;:!?()\[\]\n。、，；：]")
_NAMED_BY_NUMBER = frozenset("号號番階章節条條項巻卷期版位室")
"""Counters of things that a number names: `1、2号` are two of them."""
_SIGNS = (*DASHES, *UNSPACED_RANGES)
_ACCENTED_RANGES = frozenset(("à", "até"))
_SPACED_RANGE_AFTER = frozenset(
    (
        "of",
        "at",
        "with",
        "for",
        "every",
        "within",
        "in",
        "takes",
        "mit",
        "von",
        "alle",
        "de",
        "avec",
        "con",
        "du",
        "des",
    )
)


def tie_beside(text: str, core: int, tail: int, end: int, words: Words, locale: str | None) -> str | None:
    """What ties the number to a second one: a dash, `to`, `or`, `between … and`."""
    return (
        _tied_right(text, core, tail, words, locale)
        or (_tied_right(text, core, end, words, locale) if end != tail else None)
        or _tied_left(text, core, words, locale)
        or (None if text.isascii() else _tied_with_counter(text, core, end, locale))
        or _enumerated(text, core, end, locale)
    )


def _tied_with_counter(text: str, core: int, end: int, locale: str | None) -> str | None:
    """`5台または6台`: a counter stands between the number and what ties it to the next."""
    for tie in UNSPACED_RANGES:
        if (
            text.startswith(tie, end + 1)
            and _is_counter(text[end])
            and _begins_number(text[end + 1 + len(tie) :][:_WINDOW], locale)
        ):
            return tie
        at = core - len(tie)
        if at > 1 and text.startswith(tie, at) and _is_counter(text[at - 1]):
            left = text[max(0, at - 1 - _WINDOW) : at - 1]
            readings = read_numbers(left, locale=locale)
            if readings and readings[-1].end == len(left):
                return tie
    return None


def _is_counter(char: str) -> bool:
    return char.isalpha() and not char.isascii() and char.lower() == char.upper()


def _enumerated(text: str, core: int, end: int, locale: str | None) -> str | None:
    """`5、6台`: five or six of them, which is how Japanese says it; `第1、2号` names both."""
    if "、" not in (text[end : end + 1], text[core - 1 : core]):
        return None
    for first, second in pairwise(read_numbers(text[max(0, core - _WINDOW) : end + _WINDOW], locale=locale)):
        offset = max(0, core - _WINDOW)
        if (
            core in (offset + first.start, offset + second.start)
            and text[offset + first.end : offset + second.start] == "、"
            and second.values == tuple(value + 1 for value in first.values)
            and not (first.ordinal or second.ordinal)
            and text[offset + second.end : offset + second.end + 1].isalpha()
            and text[offset + second.end] not in _NAMED_BY_NUMBER
        ):
            return "、"
    return None


def _tied_right(text: str, core: int, tail: int, words: Words, locale: str | None) -> str | None:
    tie = _tie_at(text, tail, words)
    if tie is None:
        return None
    at = tail + len(text[tail:]) - len(text[tail:].lstrip(SPACES)) + len(tie)
    rest = text[at : at + _WINDOW]
    spaced = text[tail : tail + 1] in SPACES if tail < len(text) else False
    following = rest.lstrip(SPACES)
    if not following or not (following[0].isdecimal() or following[0] in "€$£¥" or _begins_number(following, locale)):
        return None
    return tie if _ties(text, core, tie, words, spaced=spaced) else None


def _tied_left(text: str, core: int, words: Words, locale: str | None) -> str | None:
    window = text[max(0, core - _WINDOW) : core]
    bare = window.rstrip(SPACES)
    tie = next((sign for sign in _SIGNS if bare.endswith(sign)), None) if bare.endswith(_SIGNS) else None
    if tie is None:
        word = re.search(r"(?<![^\W_])[^\W\d_]+(?:['’][^\W\d_]+)?$", bare)
        if not word or not _may_tie(word.group(), words):
            return None
        tie = word.group()
    left = bare[: len(bare) - len(tie)]
    spaced = left != left.rstrip(SPACES)
    left = left.rstrip(SPACES)
    if not left or not (left[-1].isalnum() or left[-1] in "%°€$£¥.)"):
        return None
    readings = read_numbers(left, locale=locale)
    if not readings or max(readings[-1].end, readings[-1].unit_end or 0) != len(left):
        return None
    begin = core - len(window) + readings[-1].start
    return tie if _ties(text, begin, tie, words, spaced=spaced) else None


def _tie_at(text: str, tail: int, words: Words) -> str | None:
    """The sign or word that may tie the number before `tail` to the next."""
    window = text[tail : tail + 16].lstrip(SPACES)
    if window.startswith(_SIGNS):
        return next(sign for sign in _SIGNS if window.startswith(sign))
    word = re.match(r"[^\W\d_]+(?:['’][^\W\d_]+)?(?![^\W_])", window)
    if word is None or text[tail : tail + 1] not in SPACES:
        return None
    return word.group() if _may_tie(word.group(), words) else None


def _may_tie(word: str, words: Words) -> bool:
    folded = _folded(word)
    return folded in _ACCENTED_RANGES or folded in words.ranges | words.alternatives | words.between_join


def _folded(word: str) -> str:
    """The word folded, but for the accent that tells the French `à` from an English `a`."""
    return word if word in _ACCENTED_RANGES else fold_word(word).replace("’", "'")


def _ties(text: str, begin: int, tie: str, words: Words, *, spaced: bool) -> bool:
    """Whether a tie after the first number, which begins at `begin`, makes a range of the two."""
    before = [fold_word(token) for token in TOKEN.findall(CLAUSE_END.split(text[max(0, begin - _WINDOW) : begin])[-1])]
    last = before[-1] if before and text[:begin].rstrip()[-1:].isalpha() else ""
    folded = _folded(tie)
    if tie in DASHES:
        # `Pump 3 - 5 bar`: a dash with spaces around it rather parts than ties.
        return not spaced or not last or last in _SPACED_RANGE_AFTER
    if tie in UNSPACED_RANGES or folded in words.alternatives:
        return True
    if folded in words.between_join and last in words.between:
        return True
    if folded not in words.ranges and folded not in _ACCENTED_RANGES:
        return False
    return not any(word.startswith(words.changes) for word in before) if words.changes else True


def _begins_number(text: str, locale: str | None) -> bool:
    readings = read_numbers(text, locale=locale)
    return bool(readings) and readings[0].start == 0
