"""Enum values: which one a model means, and where its quote states it.

A value stands for itself or for a form that the schema lists, by whole tokens. The tokens of a form
may be inflected in the text in the simplest ways of English, plural, -s, -ed and -ing (which finds
many French and Spanish plurals too); other inflections are for the schema to list, because folding
them would join words that differ. Signs count: `C++` is not `C`, nor does `-` join what a comma parts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from schemacast.cast.place import cuts
from schemacast.ground import locate_all
from schemacast.language.tokens import tokens
from schemacast.records import Support
from schemacast.schema.model import EnumValue
from schemacast.schema.values import Scalar, canonical_text

_Stems = tuple[int, int, frozenset[str]]
"""A token of a quote: its place, and what it may be an inflection of."""

SHORTEST_STEM = 3
APART = re.compile(r"[\s_\-‐-―/]+")
WORDS_APART = re.compile(r"[\s_\-‐-―]*")
VOWELS = "aeiou"


class Form(NamedTuple):
    """One way of writing an enum value; `words` are the stems of its tokens, empty if signs matter."""

    text: str
    support: Support
    words: tuple[frozenset[str], ...]


class Mention(NamedTuple):
    """Where a form stands in a quote."""

    start: int
    end: int
    support: Support


@dataclass(frozen=True, slots=True)
class Choice:
    """One enum value with all its forms, the value's own text first."""

    value: Scalar
    forms: tuple[Form, ...]


class Listed:
    """The values of one enum."""

    __slots__ = ("_by_fold", "choices")

    def __init__(self, values: tuple[EnumValue, ...]) -> None:
        self.choices = tuple(
            Choice(
                item.value,
                (
                    _form(canonical_text(item.value), "stated"),
                    *(_form(text, "listed") for text in item.forms),
                ),
            )
            for item in values
        )
        self._by_fold: dict[str, Choice] = {}
        for rank in (0, 1):  # a value's own text before any other value's form
            for choice in self.choices:
                for form in choice.forms[:1] if rank == 0 else choice.forms[1:]:
                    self._by_fold.setdefault(_fold(form.text), choice)

    def choose(self, word: str) -> Choice | None:
        """The enum value that a word names: a value or form, whatever its case, separators or inflection."""
        found = self._by_fold.get(_fold(word))
        if found is None and (stems := _stems_of(word)):
            for choice in self.choices:
                if any(_same(form.words, stems) for form in choice.forms):
                    return choice
        return found

    def stated(self, quote: str) -> list[Choice]:
        """The values of which the quote holds a form, in the schema's order."""
        return [choice for choice in self.choices if isinstance(mention(choice, quote, self.choices), Mention)]


def mention(choice: Choice, quote: str, others: Sequence[Choice] = ()) -> Mention | bool:
    """Where the quote states the value; else whether a form stands in it that cuts a token.

    A form inside a longer one of another value is that value's: `very high` does not state `high`.
    """
    cut = False
    taken: list[Mention] | None = None
    words: list[_Stems] = []
    for form in choice.forms:
        for found in _mentions(form, quote, words):
            if found is None:
                cut = True
                continue
            if taken is None:
                taken = [
                    each
                    for other in others
                    if other.value != choice.value
                    for each in _all_mentions(other, quote, words)
                ]
            if not any(_holds(each, found) for each in taken):
                return found
    return cut


def _holds(longer: Mention, shorter: Mention) -> bool:
    return (
        longer.start <= shorter.start
        and shorter.end <= longer.end
        and longer.end - longer.start > shorter.end - shorter.start
    )


def _all_mentions(choice: Choice, quote: str, words: list[_Stems]) -> list[Mention]:
    return [found for form in choice.forms for found in _mentions(form, quote, words) if found is not None]


def _mentions(form: Form, quote: str, words: list[_Stems]) -> Iterator[Mention | None]:
    """Where a form stands in the quote, exact places first; None for a place that cuts a token.

    `words` are the tokens of the quote with their stems, filled in when they are first needed.
    """
    if not form.text:
        return
    at = quote.find(form.text)
    while at >= 0:
        end = at + len(form.text)
        yield None if _is_part(quote, at, end) else Mention(at, end, form.support)
        at = quote.find(form.text, at + 1)
    if form.words:
        if not words:
            words += [(start, end, stems(quote[start:end])) for start, end in tokens(quote)]
        yield from _in_words(form, words, quote)
    for span in locate_all(form.text, quote):
        yield None if _is_part(quote, span.start, span.end) else Mention(span.start, span.end, form.support)


@lru_cache(maxsize=8192)
def stems(word: str) -> frozenset[str]:
    """The word folded, and what it may be an inflection of."""
    word = _fold_word(word)
    found = {word}
    if word.endswith("ies"):
        found.add(word[:-3] + "y")
    if word.endswith("s") and not word.endswith("ss"):
        found |= {word[:-1], word[:-2]} if word.endswith("es") else {word[:-1]}
    for ending in ("ed", "ing"):
        if word.endswith(ending):
            stem = word[: -len(ending)]
            if any(vowel in stem for vowel in VOWELS + "y"):
                found |= {stem, stem + "e"}
                if len(stem) > SHORTEST_STEM and stem[-1] == stem[-2] and stem[-1] not in VOWELS:
                    found.add(stem[:-1])
                if ending == "ed" and stem.endswith("i"):
                    found.add(stem[:-1] + "y")
    return frozenset(stem for stem in found if stem == word or len(stem) >= SHORTEST_STEM)


def _is_part(quote: str, start: int, end: int) -> bool:
    """Whether a span is only a part of a word or name: it cuts a token, or a sign goes on (`C` in `C++`)."""
    return cuts(quote, start, end) or (quote[end - 1].isalnum() and _is_signed(quote, end))


def _is_signed(quote: str, end: int) -> bool:
    return quote[end : end + 1] in ("+", "#") and not quote[end + 1 : end + 2].isalnum()


def _in_words(form: Form, words: list[_Stems], quote: str) -> Iterator[Mention]:
    count = len(form.words)
    for first in range(len(words) - count + 1):
        window = words[first : first + count]
        if (
            not _is_signed(quote, window[-1][1])
            and all(wanted & found[2] for wanted, found in zip(form.words, window, strict=True))
            and all(WORDS_APART.fullmatch(quote, left[1], right[0]) for left, right in pairwise(window))
        ):
            yield Mention(window[0][0], window[-1][1], form.support)


def _form(text: str, support: Support) -> Form:
    return Form(text, support, _stems_of(text))


def _stems_of(text: str) -> tuple[frozenset[str], ...]:
    """The stems of each token of a text that is nothing but tokens, spaces and hyphens; else empty."""
    parts = tokens(text)
    rest = len(text) - sum(end - start for start, end in parts)
    if not parts or rest != sum(1 for char in text if APART.fullmatch(char)):
        return ()
    return tuple(stems(text[start:end]) for start, end in parts)


def _same(left: tuple[frozenset[str], ...], right: tuple[frozenset[str], ...]) -> bool:
    return len(left) == len(right) and all(a & b for a, b in zip(left, right, strict=True))


def _fold(text: str) -> str:
    return APART.sub(" ", _fold_word(text.strip()))


def _fold_word(word: str) -> str:
    word = word.casefold()
    if word.isascii():
        return word
    parts = unicodedata.normalize("NFD", word)
    return unicodedata.normalize("NFC", "".join(char for char in parts if not "\u0300" <= char <= "\u036f"))
