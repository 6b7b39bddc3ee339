"""Whether a comparator or hedge stands beside a number, so that a plain number would say too much.

`p < 0.001` does not say that p is 0.001, `about 40` not that it is 40. Only what stands beside the
number counts, in its clause: directly before it or its currency, directly behind it or its unit, or
tying it to a second number. Words are compared whole and folded; in scripts without spaces what
touches the number. `qualifier_words` lists them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from schemacast.language.number_style import number_style
from schemacast.language.numbers import read_numbers
from schemacast.language.qualifier_words import (
    ABBREVIATIONS,
    DASHES,
    FILLERS,
    QUALIFIERS,
    SIGNS_AFTER,
    SIGNS_BEFORE,
    UNSPACED_AFTER,
    UNSPACED_BEFORE,
    UNSPACED_RANGES,
)
from schemacast.language.unit_beside import SPACES, unit_after, unit_before
from schemacast.language.units import fold_word

_GAPS = SPACES + "\n-"
_WINDOW = 64
_MOST_WORDS = 6
_TOKEN = re.compile(r"[^\W\d_]+(?:['’](?=[^\W\d_])|['’]$)?")
_CLAUSE_END = re.compile(r"[.,;:!?()\[\]\n。、，；：]")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>$")
_SPACED_RANGE_AFTER = frozenset(
    [
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
    ]
)


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of a language and the harmless ones of all others."""

    before: frozenset[str]
    after: frozenset[str]
    between: frozenset[str]
    between_join: frozenset[str]
    ranges: frozenset[str]
    alternatives: frozenset[str]
    changes: tuple[str, ...]
    topics: frozenset[str]
    topical: frozenset[str]
    itself: frozenset[str]
    joins: frozenset[str]


def qualifier_beside(text: str, start: int, end: int, *, locale: str | None) -> str | None:
    """The comparator, hedge or range sign beside the number at `[start, end)`, as the text writes it; else None.

    The span is that of a reading of `read_numbers`. Without a locale the words of all languages apply,
    with one its own and those that are no everyday words elsewhere.
    """
    style = number_style(locale)
    language = style.language if style else None
    words = _words(language if language in QUALIFIERS or language is None else "")
    money = unit_before(text, start)
    core = money[0] if money else start
    unit = unit_after(text, end, language=language)
    tail = unit[1] if unit else end
    own = next(
        (token for token in _TOKEN.findall(text[start:end]) if fold_word(token).removesuffix("s") in words.itself), None
    )
    return (
        own
        or _sign(text, core, tail, end)
        or _unspaced(text, core, end, tail)
        or _range(text, core, tail, end, words, locale)
        or _word_before(text, core, words)
        or _word_after(text, tail, words)
        or (_word_after(text, end, words) if tail != end else None)
    )


def _sign(text: str, core: int, tail: int, end: int) -> str | None:
    """A sign before the number (`<`, `~`, `±`) or behind it (`40+`)."""
    at = core
    while at and text[at - 1] in SPACES:
        at -= 1
    if at and not text[at - 1].isalnum():
        for sign in SIGNS_BEFORE:
            if text.endswith(sign, 0, at) and not _other_sense(text, at, sign):
                return sign
    for pos in (end, tail):
        for sign in SIGNS_AFTER:
            if text.startswith(sign, pos) and not _continues(text, pos + len(sign)):
                return sign
    if end < len(text) and text.startswith(("<= ", ">= ", "< ", "> "), tail + (text[tail : tail + 1] == " ")):
        return text[tail : tail + 3].strip().split()[0]
    return None


def _continues(text: str, pos: int) -> bool:
    """Whether a sum or a code goes on here: `40+5`, `40 + 5`, `5+b`."""
    return text[pos : pos + 1].isalnum() or text[pos : pos + 2].strip()[:1].isdecimal()


def _other_sense(text: str, at: int, sign: str) -> bool:
    """An arrow, a quoted line, the end of a tag, a tilde between two numbers."""
    before = text[: at - len(sign)][-_WINDOW:]
    if sign in (">", "＞"):
        return (
            before.endswith(("-", "=", ">"))
            or not before.rpartition("\n")[2].strip(" >")
            or bool(_TAG.search(text[max(0, at - _WINDOW) : at]))
        )
    return sign == "<" and before.endswith("<")


def _unspaced(text: str, core: int, end: int, tail: int) -> str | None:
    """Words of scripts without spaces: before the number, or behind it, its unit and its counter."""
    if text.isascii():
        return None
    before = text[max(0, core - 8) : core].rstrip(SPACES)
    for word, excluded in UNSPACED_BEFORE.items():
        if before.endswith(word) and not (
            excluded and before[: -len(word)][-1:] and before[: -len(word)][-1] in excluded
        ):
            return word
    for pos in dict.fromkeys((end, tail)):
        following = _CLAUSE_END.split(text[pos : pos + 8])[0].lstrip(SPACES)
        for skip in range(min(4, len(following))):
            if skip and not (following[skip - 1].isalpha() and not following[skip - 1].isascii()):
                break
            for word in UNSPACED_AFTER:
                if following.startswith(word, skip) and _closes(following, skip, word):
                    return word
    return None


def _closes(following: str, skip: int, word: str) -> bool:
    """Whether a one-letter word stands where it qualifies: `40人弱`, `40多人`, not `3強化`."""
    if len(word) > 1:
        return True
    rest = following[skip + len(word) :]
    if word in "多余":
        return skip == 0
    return (
        skip > 0 and not rest[:1].isalpha()
        if word in "強弱"
        else not rest[:1] or not rest[0].isascii() or not rest[0].isalnum()
    )


def _word_before(text: str, core: int, words: _Words) -> str | None:
    """A phrase that ends right before the number, in its clause."""
    window = text[max(0, core - _WINDOW) : core]
    tokens = _unbroken(window, cut=core > _WINDOW)
    folded = [fold_word(token.group()).replace("’", "'") for token in tokens]
    if not tokens or (window[tokens[-1].end() :].startswith(".") and folded[-1] not in ABBREVIATIONS):
        return None
    stop = len(tokens)
    while stop:
        for first in range(max(0, stop - _MOST_WORDS), stop):
            phrase = " ".join(folded[first:stop]).replace("' ", "'")
            if phrase in words.before and not (phrase in words.topical and first and folded[first - 1] in words.topics):
                return (
                    None if _is_minutes(text, core, phrase) else window[tokens[first].start() : tokens[stop - 1].end()]
                )
        if folded[stop - 1] not in FILLERS:
            return None
        stop -= 1
    return None


def _unbroken(window: str, *, cut: bool) -> list[re.Match[str]]:
    """The last words of the window with nothing but spaces and hyphens between them and behind them.

    Behind the last one a dot may stand, for the caller to judge; the first may be `cut` by the window.
    """
    tokens = list(_TOKEN.finditer(window))
    if cut and tokens and tokens[0].start() == 0:
        del tokens[0]
    follows = len(window)
    kept: list[re.Match[str]] = []
    for token in reversed(tokens[-_MOST_WORDS - 1 :]):
        gap = window[token.end() : follows]
        if (gap if kept else gap.removeprefix(".")).strip(_GAPS):
            break
        kept.append(token)
        follows = token.start()
    return kept[::-1]


def _is_minutes(text: str, core: int, phrase: str) -> bool:
    """`10 min 5 s`: minutes, and no minimum."""
    return phrase == "min" and bool(re.search(r"\d\W?min\W*$", text[max(0, core - 12) : core], re.IGNORECASE))


def _word_after(text: str, tail: int, words: _Words) -> str | None:
    """A phrase that begins right behind the number or its unit; one with a join after at most two words."""
    window = text[tail : tail + _WINDOW]
    clause = _CLAUSE_END.split(window)[0]
    tokens = list(_TOKEN.finditer(clause))[: _MOST_WORDS + 2]
    folded = [fold_word(token.group()) for token in tokens]
    for first in range(min(3, len(tokens))):
        if first and (
            any(char.isdecimal() for char in clause[: tokens[first].start()]) or folded[first] not in words.joins
        ):
            continue
        for stop in range(min(len(tokens), first + 4), first, -1):
            phrase = " ".join(folded[first:stop])
            if phrase in words.after and not _belongs_to_next(clause, tokens[stop - 1].end(), phrase, first):
                return clause[tokens[first].start() : tokens[stop - 1].end()]
    return None


def _belongs_to_next(clause: str, end: int, phrase: str, first: int) -> bool:
    """`5 approximately 3 m apart`: the word goes with the next number. `40 plus VAT` adds something."""
    rest = clause[end:].lstrip(" .")
    if phrase == "plus":
        return first > 0 or (bool(rest) and unit_after(rest, 0, language=None) is None)
    if phrase in ("odd", "something", "ish"):
        return first > 0 or clause[:1] not in " -"
    return rest[:1].isdecimal()


def _range(text: str, core: int, tail: int, end: int, words: _Words, locale: str | None) -> str | None:
    """What ties the number to a second one: a dash, `to`, `or`, `between … and`."""
    return (
        _tied_right(text, core, tail, words, locale)
        or (_tied_right(text, core, end, words, locale) if end != tail else None)
        or _tied_left(text, core, words, locale)
    )


def _tied_right(text: str, core: int, tail: int, words: _Words, locale: str | None) -> str | None:
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


def _tied_left(text: str, core: int, words: _Words, locale: str | None) -> str | None:
    window = text[max(0, core - _WINDOW) : core]
    bare = window.rstrip(SPACES)
    tie = next((sign for sign in DASHES if bare.endswith(sign)), None) or next(
        (word for word in UNSPACED_RANGES if bare.endswith(word)), None
    )
    if tie is None:
        word = re.search(r"(?<![^\W_])[^\W\d_]+(?:['’][^\W\d_]+)?$", bare)
        folded = fold_word(word.group()).replace("’", "'") if word else ""
        if not word or folded not in words.ranges | words.alternatives | words.between_join:
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


def _tie_at(text: str, tail: int, words: _Words) -> str | None:
    """The sign or word that may tie the number before `tail` to the next."""
    window = text[tail : tail + 16].lstrip(SPACES)
    for sign in (*DASHES, *UNSPACED_RANGES):
        if window.startswith(sign):
            return sign
    word = re.match(r"[^\W\d_]+(?:['’][^\W\d_]+)?(?![^\W_])", window)
    if word is None or text[tail : tail + 1] not in SPACES:
        return None
    folded = fold_word(word.group()).replace("’", "'")
    return word.group() if folded in words.ranges | words.alternatives | words.between_join else None


def _ties(text: str, begin: int, tie: str, words: _Words, *, spaced: bool) -> bool:
    """Whether a tie after the first number, which begins at `begin`, makes a range of the two."""
    before = [
        fold_word(token) for token in _TOKEN.findall(_CLAUSE_END.split(text[max(0, begin - _WINDOW) : begin])[-1])
    ]
    last = before[-1] if before and text[:begin].rstrip()[-1:].isalpha() else ""
    folded = fold_word(tie).replace("’", "'")
    if tie in DASHES:
        # `Pump 3 - 5 bar`: a dash with spaces around it rather parts than ties.
        return not spaced or not last or last in _SPACED_RANGE_AFTER
    if tie in UNSPACED_RANGES or folded in words.alternatives:
        return True
    if folded in words.between_join and last in words.between:
        return True
    if folded not in words.ranges:
        return False
    return not any(word.startswith(words.changes) for word in before) if words.changes else True


def _begins_number(text: str, locale: str | None) -> bool:
    readings = read_numbers(text, locale=locale)
    return bool(readings) and readings[0].start == 0


_EVERYWHERE = ("before", "after", "itself", "changes", "topics", "topical")
_AT_HOME = ("between", "between_join", "ranges", "alternatives")


@cache
def _words(language: str | None) -> _Words:
    """The words that apply in a language; None: all, empty: the ones that are safe in any."""
    chosen: dict[str, set[str]] = {field: set() for field in _EVERYWHERE + _AT_HOME}
    joins: set[str] = set()
    for name, listed in QUALIFIERS.items():
        own = language in (None, name)
        hidden = {"", *(() if own else listed.own_only.split("|"))}
        for field in _EVERYWHERE + (_AT_HOME if own else ()):
            chosen[field] |= set(getattr(listed, field).split("|")) - hidden
        joins |= {*listed.between_join.split("|"), *listed.alternatives.split("|")}
    changes = tuple(sorted(chosen.pop("changes")))
    return _Words(
        changes=changes, joins=frozenset(joins), **{field: frozenset(found) for field, found in chosen.items()}
    )
