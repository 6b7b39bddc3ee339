"""Numbers spelled out: `twenty-three`, `zweihundertfünf`, `quatre-vingt-dix-sept`, `two and a half`.

The library `text2num` gives the value of a cardinal or ordinal; what it is handed is decided here: a
whole run of number words, never a part of one. A run that is no number as a whole is parted at `and`
and commas, and a part that is none gives nothing, so that `nineteen eighty-four` is never 19. Dozens,
halves, fractions and decimals are added from the lexicon. An article that means one is a reading too;
a word counts only where a model claims its value, so recall comes before precision, and exactness before both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from schemacast.language.number_lexicon import LEXICONS, Lexicon
from schemacast.language.stretches import clear_of
from schemacast.language.units import fold_word
from schemacast.language.word_kinds import kind_of, own_value, singular
from schemacast.language.word_values import place_of, value_of

_WORD = re.compile(r"[^\W\d_]+")
_JOINTS = frozenset((" ", "-", "\u00a0", "\u2010", "\u2011", ", ", "\n"))
_LONGEST_RUN = 24
_SECONDS = frozenset(("second", "seconds", "seconde", "secondes", "segundo", "segundos"))
"""After a cardinal these are a unit of time: `thirty second delay` is not the 32nd delay."""
_COMPOUNDED = {
    "de": ("hundert", "tausend"),
    "nl": ("honderd", "duizend"),
}
_FALLBACK = ("en", "de", "fr", "es")


class WordNumber(NamedTuple):
    """A number in words at `[start, end)`."""

    start: int
    end: int
    values: tuple[Fraction, ...]
    ordinal: bool = False


class _Word(NamedTuple):
    start: int
    end: int
    text: str
    """Lower case, accents kept: the library needs them."""
    folded: str
    kind: str = ""
    """n cardinal, o ordinal, h half, g group, f fraction, p point, j join, a article, x by itself, v vague."""
    comma: bool = False
    """A comma stands before it."""


def number_words(text: str, language: str | None) -> list[WordNumber]:
    """Every number in words, in order.

    In a known language its own words come first, and those of English, German, French and Spanish
    where they are no everyday words of another; without one, all that are known.
    """
    names = (language,) if language in LEXICONS else () if language else tuple(LEXICONS)
    languages = (*names, *_FALLBACK) if language else names
    if not any(_may_begin(word, languages) for word in _WORD.findall(text)):
        return []
    words = [
        _Word(match.start(), match.end(), match.group().casefold(), fold_word(match.group()))
        for match in _WORD.finditer(text)
    ]
    found = _union(number for name in names for number in _read(text, words, name))
    for name in _FALLBACK:
        if name not in names and language is not None:
            strange = (number for number in _read(text, words, name) if not _everyday(text, number, LEXICONS[name]))
            found = _union((*found, *clear_of(found, strange)))
    return found


@lru_cache(maxsize=8192)
def _may_begin(word: str, languages: tuple[str, ...]) -> bool:
    """Whether a word begins a number in any of these languages; most words of a text begin none."""
    folded = fold_word(word)
    found = [name for name in languages if folded.startswith(LEXICONS[name].stems)]
    return bool(found) and any(kind_of(word.casefold(), folded, name) for name in found)


def half_after(text: str, pos: int, language: str | None) -> int | None:
    """The end of `and a half` right after `pos`, which adds a half to the number before it."""
    match = _halves(language if language in LEXICONS else None).match(text, pos)
    return match.end() if match else None


@cache
def _halves(language: str | None) -> re.Pattern[str]:
    patterns = [lexicon.half_after for name, lexicon in LEXICONS.items() if language in (None, name)]
    return re.compile(rf"(?:{'|'.join(filter(None, patterns))})(?!\w)|[个個]?半(?!分)", re.IGNORECASE)


def _everyday(text: str, number: WordNumber, lexicon: Lexicon) -> bool:
    word = fold_word(text[number.start : number.end])
    return len(word) < 4 or word in lexicon.everyday


def _union(numbers: Iterable[WordNumber]) -> list[WordNumber]:
    """The longest readings; one stretch that several languages read has all their values."""
    kept: list[WordNumber] = []
    for number in sorted(numbers, key=lambda number: (number.start, -number.end)):
        last = kept[-1] if kept else None
        if last and (last.start, last.end) == (number.start, number.end):
            kept[-1] = last._replace(values=tuple(dict.fromkeys(last.values + number.values)))
        elif last is None or number.start >= last.end:
            kept.append(number)
    return kept


def _read(text: str, words: list[_Word], language: str) -> Iterator[WordNumber]:
    """The numbers of one language."""
    lexicon = LEXICONS[language]
    index = 0
    while index < len(words):
        first = words[index]
        if not first.folded.startswith(lexicon.stems) or not kind_of(first.text, first.folded, language):
            index += 1
            continue
        stop = _run_end(text, words, index, language)
        run = [
            word._replace(
                kind=kind_of(word.text, word.folded, language),
                comma=at > 0 and "," in text[words[index + at - 1].end : word.start],
            )
            for at, word in enumerate(words[index:stop])
        ]
        before = words[index - 1] if index and text[words[index - 1].end : first.start] in _JOINTS else None
        if len(run) <= _LONGEST_RUN and not _goes_on(words, stop, language):
            yield from _run(text, run, before, words[stop : stop + 1], language)
        index = stop


def _run_end(text: str, words: list[_Word], index: int, language: str) -> int:
    """Where the run of number words that begins at `index` ends; it never ends with a join or an article."""
    stop = at = index + 1
    if kind_of(words[index].text, words[index].folded, language) == "o":
        return stop
    while at < len(words) and text[words[at - 1].end : words[at].start] in _JOINTS:
        kind = kind_of(words[at].text, words[at].folded, language)
        if not kind or words[at].folded in _SECONDS:
            break
        at += 1
        if kind not in "jap":
            stop = at
        if kind == "o":
            break
    return stop


def _goes_on(words: list[_Word], stop: int, language: str) -> bool:
    """Whether a compound that the library refuses follows the run: the number is then not known as a whole."""
    following = [word for word in words[stop : stop + 2] if word.folded not in LEXICONS[language].joins][:1]
    return any(part in word.folded for word in following for part in _COMPOUNDED.get(language, ()))


def _run(text: str, run: list[_Word], before: _Word | None, after: list[_Word], language: str) -> Iterator[WordNumber]:
    """The readings of one run: as a whole, or of its parts."""
    lexicon = LEXICONS[language]
    hinted = before is not None and before.folded in lexicon.vague and _is_multiple(run[0], language)
    if hinted or run[0].folded in lexicon.vague or any(word.kind == "v" for word in run):
        return
    if before and before.folded in lexicon.articles and (run[0].kind in "ghf" or _is_multiple(run[0], language)):
        run = [before._replace(kind="a"), *run]
        before = None
    for part in [run] if _value(run, language) else _parts(run, language):
        value = _value(part, language) or _year(part, language)
        if value is None:
            continue
        start, end = part[0].start, part[-1].end
        amount, ordinal = value
        if part[-1].kind == "h" and after and after[0].folded in lexicon.articles and text[end : after[0].start] == " ":
            end = after[0].end
        yield WordNumber(start, end, (amount,), ordinal)


def _parts(run: list[_Word], language: str) -> list[list[_Word]]:
    """The run parted at its joins and commas; nothing where a part may go on the one before it.

    `two million and, five hundred` is not listed as two numbers: the second would complete the first.
    """
    parts: list[list[_Word]] = [[]]
    for word in run:
        if word.kind == "j" or word.comma:
            parts.append([])
        if word.kind != "j":
            parts[-1].append(word._replace(comma=False))
    parts = [part for part in parts if part]
    values = [_cardinal(part, language) for part in parts]
    for first, second in pairwise(values):
        if first and second and first >= 1000 and second < _last_unit(int(first)):
            return []
    return parts


def _last_unit(value: int) -> int:
    """The thousand, million … that a round number counts; 1 for others."""
    unit = 1
    while value % (unit * 1000) == 0:
        unit *= 1000
    return unit


def _value(run: list[_Word], language: str) -> tuple[Fraction, bool] | None:
    """The value of the whole run and whether it is an ordinal, or None."""
    last, rest = run[-1], run[:-1]
    if last.kind == "x":
        return (own_value(last.text, last.folded, language) or Fraction(0), False) if not rest else None
    amount: Fraction | None = None
    if last.kind == "h":
        amount = _with_half(rest, language)
    elif last.kind == "g":
        amount = _grouped(rest, LEXICONS[language].groups[singular(last.folded, language)], language)
    elif last.kind == "f" and not rest:
        ordinal = place_of(last.text, language)
        return (Fraction(ordinal), True) if ordinal is not None else None
    elif last.kind == "f":
        amount = _fraction(rest, LEXICONS[language].fractions[last.folded], language)
    elif any(word.kind == "p" for word in rest):
        amount = _decimal(run, language)
    elif last.kind == "o":
        ordinal = place_of(" ".join(word.text for word in run), language) if not _listed(run, language) else None
        return (Fraction(ordinal), True) if ordinal is not None else None
    else:
        amount = _scaled(run, language) if any(word.kind in "hfx" for word in rest) else _cardinal(run, language)
    return (amount, False) if amount is not None else None


def _scaled(run: list[_Word], language: str) -> Fraction | None:
    """`half a million`, `two and a half thousand`, `eineinhalb Millionen`: a broken number of a round one."""
    size = value_of(run[-1].text, language)
    rest = run[:-1]
    while rest and rest[-1].kind == "a":
        rest = rest[:-1]
    if size is None or not _is_round(size) or not rest or rest[-1].kind not in "hfx":
        return None
    found = _value(rest, language)
    return found[0] * size if found and not found[1] and found[0].denominator > 1 else None


def half_more(whole: Fraction) -> tuple[Fraction, ...]:
    """A number in words with `and a half` behind it: of a million the half is half a million.

    Of a thousand it is not said which half is meant, so both stand.
    """
    unit = _last_unit(int(whole)) if whole.denominator == 1 and whole > 0 else 1
    more = {1: (Fraction(1, 2),), 1000: (Fraction(1, 2), Fraction(500))}.get(unit, (Fraction(unit, 2),))
    return tuple(whole + half for half in more)


def _with_half(rest: list[_Word], language: str) -> Fraction | None:
    """`half`, `a half`, `eine halbe`; `two and a half`, `deux et demi`."""
    if rest and rest[-1].kind == "a":
        rest = rest[:-1]
    if rest and rest[-1].kind == "j":
        whole = _cardinal(rest[:-1], language)
        halves = half_more(whole) if whole is not None else ()
        return halves[0] if len(halves) == 1 else None
    return Fraction(1, 2) if not rest or _cardinal(rest, language) == 1 else None


def _grouped(rest: list[_Word], size: int, language: str) -> Fraction | None:
    """`dozen`, `a dozen`, `three dozen`, `half a dozen`."""
    if not rest or rest[0].kind == "a":
        return Fraction(size) if len(rest) < 2 else None
    if rest[0].kind == "h":
        return Fraction(size, 2) if len(rest) == 1 or (len(rest) == 2 and rest[1].kind == "a") else None
    count = _cardinal(rest, language)
    if count is None and rest[-1].kind == "h" and _with_half(rest[:-1], language) == Fraction(1, 2):
        count = Fraction(1, 2)
    return count * size if count is not None else None


def _fraction(rest: list[_Word], size: int, language: str) -> Fraction | None:
    """`a third`, `two thirds`, `two and three quarters`; a bare `quarter` is no number."""
    if not rest:
        return None
    joins = [at for at, word in enumerate(rest) if word.kind == "j"]
    if joins:
        whole = _cardinal(rest[: joins[-1]], language)
        part = _fraction(rest[joins[-1] + 1 :], size, language)
        return whole + part if whole is not None and part is not None else None
    over = Fraction(1) if len(rest) == 1 and rest[0].kind == "a" else _cardinal(rest, language)
    return over / size if over is not None and over < size else None


def _decimal(run: list[_Word], language: str) -> Fraction | None:
    """`one point five`, `drei Komma zwei fünf`: digits one by one, or a number below a hundred."""
    at = next(index for index, word in enumerate(run) if word.kind == "p")
    whole = _cardinal(run[:at], language) if at else Fraction(0)
    digits = [_cardinal([word], language) for word in run[at + 1 :]]
    if whole is None or not digits or None in digits:
        return None
    numbers = [int(digit) for digit in digits if digit is not None]
    if (len(numbers) > 1 and max(numbers) > 9) or max(numbers) > 99:
        return None
    text = "".join(map(str, numbers))
    return whole + Fraction(int(text), 10 ** len(text))


def _year(run: list[_Word], language: str) -> tuple[Fraction, bool] | None:
    """`nineteen eighty-four`, the one way in which English says two numbers for one."""
    if language != "en" or not 2 <= len(run) <= 3:
        return None
    century, rest = _cardinal(run[:1], language), _cardinal(run[1:], language)
    if century is None or rest is None or not (11 <= century <= 20 and 10 <= rest <= 99):
        return None
    return century * 100 + rest, False


def _cardinal(run: list[_Word], language: str) -> Fraction | None:
    if not run:
        return None
    if run[0].kind == "a":
        if len(run) == 1:
            return None
        run = [run[0]._replace(text="one", kind="n"), *run[1:]]
    if any(word.kind not in "nj" for word in run) or _listed(run, language):
        return None
    value = value_of(" ".join(word.text for word in run), language)
    return Fraction(value) if value is not None else None


def _listed(run: list[_Word], language: str) -> bool:
    """Whether a join or comma inside the run lists two numbers (`twenty and five`) rather than makes one."""
    for at, word in enumerate(run):
        before = run[at - 1] if at else None
        if word.comma:
            size = value_of(before.text, language) if before else None
            rest = value_of(" ".join(other.text for other in run[at:]), language)
            if language != "en" or not size or not rest or not (size >= 1000 and 100 <= rest < size):
                return True
        if word.kind != "j" or language not in ("en", "de", "fr", "es"):
            continue
        following = run[at + 1] if at + 1 < len(run) else None
        if before is None or following is None:
            return True
        one, other = value_of(before.text, language) or 0, value_of(following.text, language) or 0
        if language in ("en", "de"):
            joined = one % 100 == 0 and one > 0
        elif language == "fr":
            joined = one in (20, 30, 40, 50, 60, 70, 80, 90) and (other in (1, 11) or following.kind == "o")
        else:
            joined = 30 <= one <= 90 and one % 10 == 0 and 1 <= other <= 9
        if not joined:
            return True
    return False


def _is_multiple(word: _Word, language: str) -> bool:
    """A hundred, a thousand, a million, a dozen: what an article or a vague word may count."""
    if word.kind == "g":
        return True
    value = value_of(word.text, language) if word.kind == "n" else None
    return value is not None and _is_round(value)


def _is_round(value: int) -> bool:
    return value >= 100 and set(str(value)[1:]) == {"0"} and str(value)[0] == "1"
