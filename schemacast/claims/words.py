"""The words of a claim or quote: where they stand, what they fold to, and which of them carry meaning.

Comparison is lexical: words are equal when their stems are, and a stem only loses the inflection of the
five languages (`ships`, `Schiffe`, `navires`, `barcos`), never a derivation (`buyer` is not `buy`). Articles,
pronouns, auxiliaries and prepositions are function words and say nothing about what a sentence is about. Scripts
without spaces have no words: runs of one kind of character stand for them, long runs as overlapping pairs.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from schemacast.claims.function_words import AUXILIARIES, FUNCTION_WORDS, IRREGULAR
from schemacast.claims.negation_words import NEGATIONS
from schemacast.language.scripts import is_unspaced
from schemacast.language.units import fold_word

_APOSTROPHES = "'’ʼ＇`´‘"
_WORD = re.compile(
    rf"[^\W\d_]+(?=n[{_APOSTROPHES}]t(?![^\W_]))|n[{_APOSTROPHES}]t(?![^\W_])"
    rf"|[{_APOSTROPHES}](?:s|re|ve|ll|d|m)(?![^\W_])|[^\W_]+(?:[\u0300-\u036f]+[^\W_]*)*",
    re.IGNORECASE,
)
_PLAIN_APOSTROPHE = str.maketrans(dict.fromkeys(_APOSTROPHES, "'"))
_RUN = re.compile(
    "[\u30a0-\u30ff\uff66-\uff9f]+|[\u3040-\u309f]+|[\u3005\u3400-\u9fff\uf900-\ufaff]+|[\uac00-\ud7af]+|[^\\W_]"
)
_HIRAGANA = re.compile("[\u3040-\u309f]")
_HAN = re.compile("[\u4e00-\u9fff]")
_KATAKANA = re.compile("[\u30a0-\u30ff\uff66-\uff9f]")
_ENDINGS = ("ing", "ies", "ied", "ed", "es", "en", "em", "s", "e", "n", "x")
_SHORTEST_STEM = 3


class Word(NamedTuple):
    """A word at `[start, end)`: folded, its stem, and whether it begins with a capital or holds a digit."""

    start: int
    end: int
    folded: str
    stem: str
    capital: bool = False
    unspaced: bool = False

    @property
    def numeric(self) -> bool:
        return self.folded[0].isdecimal()


@lru_cache(maxsize=512)
def words(text: str) -> tuple[Word, ...]:
    """Every word of a text, in order. In scripts without spaces: runs of one kind, long ones as pairs that overlap."""
    found: list[Word] = []
    plain = text.isascii()
    for match in _WORD.finditer(text):
        word = match.group()
        if not plain and any(map(is_unspaced, word)):
            found += _unspaced(word, match.start())
            continue
        found.append(Word(match.start(), match.end(), *_read(word)))
    return tuple(found)


@lru_cache(maxsize=8192)
def _read(word: str) -> tuple[str, str, bool]:
    """The fold of a word, its stem, and whether it begins with a capital."""
    folded = fold_word(word.translate(_PLAIN_APOSTROPHE))
    return folded, stem(folded), word[0].isupper()


def _unspaced(run: str, offset: int) -> list[Word]:
    found: list[Word] = []
    spaced = ""
    at = 0
    for match in _RUN.finditer(run):
        piece = match.group()
        if not is_unspaced(piece[0]):
            if not spaced:
                at = match.start()
            spaced += piece
            continue
        if spaced:
            found.append(_plain(spaced, offset + at))
            spaced = ""
        found += _pieces(piece, offset + match.start())
    if spaced:
        found.append(_plain(spaced, offset + at))
    return found


def _plain(piece: str, start: int) -> Word:
    folded = fold_word(piece)
    return Word(start, start + len(piece), folded, stem(folded), capital=piece[0].isupper())


def _pieces(piece: str, start: int) -> list[Word]:
    """One run of a script without spaces: hiragana say how words hang together, and are none."""
    if _HIRAGANA.match(piece):
        return []
    if _KATAKANA.match(piece) or len(piece) <= 2:
        return [Word(start, start + len(piece), piece, piece, unspaced=True)]
    return [
        Word(start + at, start + at + 2, piece[at : at + 2], piece[at : at + 2], unspaced=True)
        for at in range(len(piece) - 1)
    ]


@lru_cache(maxsize=8192)
def stem(folded: str) -> str:
    """A folded word without the endings of inflection."""
    if folded in IRREGULAR:
        return IRREGULAR[folded]
    if folded[:1].isdecimal() or len(folded) <= _SHORTEST_STEM:
        return folded
    for ending in _ENDINGS:
        if folded.endswith(ending) and len(folded) - len(ending) >= _SHORTEST_STEM:
            bare = folded[: -len(ending)]
            return _undoubled(bare + "y" if ending in ("ies", "ied") else bare, ending)
    return folded


def _undoubled(bare: str, ending: str) -> str:
    """`shipped` is of `ship`, `stopping` of `stop`; `fall` and `miss` keep their two."""
    if ending in ("ed", "ing") and len(bare) > _SHORTEST_STEM and bare[-1] == bare[-2] and bare[-1] not in "lsz":
        return bare[:-1]
    return bare


def language_of(text: str, locale: str | None = None) -> str | None:
    """The language of a text among those with word lists: the locale's, else the one whose function words it has most.

    None when it has none of any.
    """
    if locale:
        language = re.split("[-_]", locale)[0].lower()
        if language in FUNCTION_WORDS:
            return language
    return _counted(text)


@cache
def telling_words() -> dict[str, frozenset[str]]:
    """The words that tell a language: its function words, auxiliaries and denials."""
    return {
        name: listed
        | AUXILIARIES[name]
        | (NEGATIONS[name].plain | NEGATIONS[name].concord if name in NEGATIONS else frozenset())
        for name, listed in FUNCTION_WORDS.items()
    }


@lru_cache(maxsize=512)
def _counted(text: str) -> str | None:
    if not text.isascii() and _HIRAGANA.search(text):
        return "ja"
    present = [word.folded for word in words(text)]
    counts = {name: sum(word in listed for word in present) for name, listed in telling_words().items()}
    best = max(counts, key=lambda name: counts[name])
    if not counts[best] and not text.isascii() and _HAN.search(text):
        return "zh"
    return best if counts[best] else None


def is_function_word(word: Word, language: str | None) -> bool:
    """Whether a word says only how others hang together, in its language; of None: in any."""
    if language is None:
        return any(word.folded in listed for listed in FUNCTION_WORDS.values())
    return word.folded in FUNCTION_WORDS.get(language, ()) or word.folded in AUXILIARIES.get(language, ())


def content_words(text: str, language: str | None) -> list[Word]:
    """The words of a text that are no function words, numbers in digits among them."""
    return [word for word in words(text) if not is_function_word(word, language)]


@lru_cache(maxsize=1024)
def content_stems(text: str, language: str | None) -> frozenset[str]:
    """The stems of the content words."""
    return frozenset(word.stem for word in content_words(text, language))
