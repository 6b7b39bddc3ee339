"""What of a text goes into the full-text index, and a question as an expression that the index understands.

Words are indexed as their fold, the same by which `locate` compares. Scripts that write without spaces are
indexed as overlapping pairs of characters, written as hexadecimal words, in a column of their own. A question
becomes a list of such words and pairs, each quoted, so that nothing in it is ever read as an operator; what is
no letter or digit is left out. Frequent words are left out too, unless a question has no other, and a very
long question keeps its longest words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from schemacast.corpus.frequent_words import is_frequent
from schemacast.episode import without_surrogates
from schemacast.ground.characters import fold
from schemacast.language.scripts import UNSPACED

MOST_WORDS = 48
MOST_PAIRS = 96
"""How many words and pairs of a question are looked for."""

LONGEST_PHRASE = 8
"""Words of one chunk between spaces up to which it is looked for as a phrase too."""

_UNSPACED_RUN = re.compile(f"[{UNSPACED}]+")
_NOT_ALL_UNSPACED = re.compile(f"[^{UNSPACED}]")
_WORD = re.compile(r"[^\W_]+")
_CHUNK = re.compile(r"[^\W_](?:\S*[^\W_])?")


@dataclass(frozen=True, slots=True)
class Terms:
    """What is looked for: words (a phrase where a word has signs within), and pairs as the index writes them."""

    words: tuple[str, ...] = ()
    pairs: tuple[str, ...] = ()

    @property
    def expression(self) -> str:
        """The query in the language of FTS5; empty when there is nothing to look for."""
        parts = []
        if self.words:
            parts.append(f"{{title body}} : ({' OR '.join(map(_quoted, self.words))})")
        if self.pairs:
            parts.append(f"pairs : ({' OR '.join(self.pairs)})")
        return " OR ".join(parts)

    def share_in(self, title: Terms) -> float:
        """How many of these a title has, as a share."""
        wanted = {*self.words, *self.pairs}
        return len(wanted & {*title.words, *title.pairs}) / len(wanted) if wanted else 0.0


def columns(text: str) -> tuple[str, str]:
    """A text as the index takes it: its folded words, and its pairs of characters."""
    folded = fold(text)
    if folded.isascii():
        return folded, ""
    pairs = " ".join(pair for run in _UNSPACED_RUN.findall(folded) for pair in _pairs(run))
    return folded, pairs


def words_of(text: str) -> list[str]:
    """The folded words of a text, in order."""
    return _WORD.findall(fold(text))


def terms(text: str, *, keywords: str | None = None) -> Terms:
    """What a question looks for. `keywords` are looked for besides, frequent words among them too."""
    words, pairs = _collect(_plain(text))
    rare = [word for word in words if not is_frequent(word)] or words
    more_words, more_pairs = _collect(_plain(keywords)) if keywords else ([], [])
    return Terms(_longest([*rare, *more_words], MOST_WORDS), tuple(dict.fromkeys([*pairs, *more_pairs]))[:MOST_PAIRS])


def title_terms(title: str) -> Terms:
    """All words and pairs of a title."""
    words, pairs = _collect(fold(title))
    return Terms(tuple(words), tuple(pairs))


def _plain(text: str) -> str:
    """A question in folded form, without what SQLite cannot be told."""
    return fold(without_surrogates(text)).replace("\0", " ")


def _collect(folded: str) -> tuple[list[str], list[str]]:
    words: dict[str, None] = {}
    pairs: dict[str, None] = {}
    for chunk in _CHUNK.findall(folded):
        for run in _UNSPACED_RUN.findall(chunk):
            pairs.update(dict.fromkeys(_sought_pairs(run)))
        spaced = _UNSPACED_RUN.sub(" ", chunk) if not chunk.isascii() else chunk
        parts = [part for part in _WORD.findall(spaced) if _NOT_ALL_UNSPACED.search(part)]
        if 1 < len(parts) <= LONGEST_PHRASE and spaced == chunk:
            words[chunk] = None  # as a phrase it is worth more than its parts
        words.update(dict.fromkeys(part for part in parts if len(parts) == 1 or len(part) > 1 or part.isdigit()))
    return list(words), list(pairs)


def _pairs(run: str) -> Iterable[str]:
    """The pairs of a run of characters, and its last character alone, so that one character finds it too."""
    codes = [f"{ord(char):x}x" for char in run]
    for first, second in pairwise(codes):
        yield first + second
    yield codes[-1]


def _sought_pairs(run: str) -> list[str]:
    """The pairs of a question's run, quoted; one character alone is the beginning of any pair."""
    codes = [f"{ord(char):x}x" for char in run]
    if len(codes) == 1:
        return [f'"{codes[0]}"*']
    return [f'"{first}{second}"' for first, second in pairwise(codes)]


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'


def _longest(words: list[str], most: int) -> tuple[str, ...]:
    """The longest of the words, in their order."""
    distinct = list(dict.fromkeys(words))
    if len(distinct) <= most:
        return tuple(distinct)
    kept = set(sorted(distinct, key=len, reverse=True)[:most])
    return tuple(word for word in distinct if word in kept)[:most]
