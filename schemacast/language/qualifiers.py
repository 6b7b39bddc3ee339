"""Whether a comparator or hedge stands beside a number, so that a plain number would say too much.

`p < 0.001` does not say that p is 0.001, `about 40` not that it is 40. Only what stands beside the
number counts, in its clause: directly before it or its currency, directly behind it or its unit, or
tying it to a second number. Words are compared whole and folded; in scripts without spaces what
touches the number. `qualifier_words` lists them.
"""

from __future__ import annotations

import re

from schemacast.language.number_style import number_style
from schemacast.language.number_ties import CLAUSE_END, TOKEN, tie_beside
from schemacast.language.qualifier_words import (
    ABBREVIATIONS,
    FILLERS,
    SIGNS_AFTER,
    SIGNS_BEFORE,
    UNSPACED_AFTER,
    UNSPACED_BEFORE,
    Words,
    words_of,
)
from schemacast.language.unit_beside import SPACES, unit_after, unit_before
from schemacast.language.units import fold_word

_GAPS = SPACES + "\n-"
_WINDOW = 64
_MOST_WORDS = 6
_ASIDE = re.compile(
    r"[ \u00a0]?(?:, ?([^\W\d_]+(?: [^\W\d_]+){0,3})(?=[,;)!?]|\.?\s*$|\.\s+[^\W\d_])"
    r"|\( ?([^\W\d_]+(?: [^\W\d_]+){0,3})\.? ?\))"
)
_PLUS_MINUS = re.compile(r"[ \u00a0]?(±|∓|\+/[-−–])")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>$")


def qualifier_beside(text: str, start: int, end: int, *, locale: str | None) -> str | None:
    """The comparator, hedge or range sign beside the number at `[start, end)`, as the text writes it; else None.

    The span is that of a reading of `read_numbers`. Without a locale the words of all languages apply,
    with one its own and those that are no everyday words elsewhere.
    """
    style = number_style(locale)
    language = style.language if style else None
    words = words_of(language)
    money = unit_before(text, start)
    core = money[0] if money else start
    unit = unit_after(text, end, language=language)
    tail = unit[1] if unit else end
    own = next(
        (token for token in TOKEN.findall(text[start:end]) if fold_word(token).removesuffix("s") in words.itself), None
    )
    return (
        own
        or _sign(text, core, tail, end)
        or _unspaced(text, core, end, tail)
        or tie_beside(text, core, tail, end, words, locale)
        or _word_before(text, core, words)
        or _word_after(text, tail, words)
        or (_word_after(text, end, words) if tail != end else None)
        or _aside(text, tail, words)
    )


def _sign(text: str, core: int, tail: int, end: int) -> str | None:
    """A sign before the number (`<`, `~`, `±`) or behind it (`40+`)."""
    at = core
    while at and text[at - 1] in SPACES:
        at -= 1
    if at and text.endswith(SIGNS_BEFORE, 0, at):
        for sign in SIGNS_BEFORE:
            if text.endswith(sign, 0, at) and not _other_sense(text, at, sign):
                return sign
    for pos in (end, tail):
        if (plus_minus := _PLUS_MINUS.match(text, pos)) is not None:
            return plus_minus[1]
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
            or (not before.rpartition("\n")[2].strip(" >") and _is_quoted(text, at))
            or bool(_TAG.search(text[max(0, at - _WINDOW) : at]))
        )
    return sign == "<" and before.endswith("<")


def _is_quoted(text: str, at: int) -> bool:
    """Whether a `>` that begins its line quotes it: a line beside it has one too, or the one above ends in a colon."""
    start = text.rfind("\n", 0, at) + 1
    above = text[text.rfind("\n", 0, max(0, start - 1)) + 1 : max(0, start - 1)].strip()
    end = text.find("\n", at)
    below = text[end + 1 : end + 16].lstrip() if end >= 0 else ""
    return above.startswith(">") or above.endswith(":") or below.startswith(">")


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
        following = CLAUSE_END.split(text[pos : pos + 8])[0].lstrip(SPACES)
        for skip in range(min(4, len(following))):
            if skip and not (following[skip - 1].isalpha() and not following[skip - 1].isascii()):
                break
            gap = skip + (following[skip : skip + 1] == " ")
            for word in UNSPACED_AFTER:
                if following.startswith(word, gap) and _closes(following, gap, word):
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


def _word_before(text: str, core: int, words: Words) -> str | None:
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
            if phrase in words.harmless:
                return None
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
    tokens = list(TOKEN.finditer(window))
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


def _word_after(text: str, tail: int, words: Words) -> str | None:
    """A phrase that begins right behind the number or its unit; one with a join after at most two words."""
    window = text[tail : tail + _WINDOW]
    clause = CLAUSE_END.split(window)[0]
    tokens = list(TOKEN.finditer(clause))[: _MOST_WORDS + 2]
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


def _aside(text: str, tail: int, words: Words) -> str | None:
    """A phrase that stands behind the number between commas or in brackets: `5 (approx.)`, `5, give or take`."""
    match = _ASIDE.match(text, tail)
    if match is None:
        return None
    phrase = match[1] or match[2]
    return phrase if fold_word(phrase) in words.aside else None


def _belongs_to_next(clause: str, end: int, phrase: str, first: int) -> bool:
    """`5 approximately 3 m apart`: the word goes with the next number. `40 plus VAT` adds something."""
    rest = clause[end:].lstrip(" .")
    if phrase == "plus":
        return first > 0 or (bool(rest) and unit_after(rest, 0, language=None) is None)
    if phrase in ("odd", "something", "ish"):
        return first > 0 or clause[:1] not in " -"
    return rest[:1].isdecimal()
