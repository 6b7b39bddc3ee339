"""The same story in several places is one source: found by how much of two texts is word for word the same.

Two texts are copies when four fifths of the five-word sequences of the shorter one stand in the other, and neither is
more than two and a half times as long: what surrounds a story on a page differs, and a page that only cites it is
much longer. Very short texts have to be equal. This decides only what is asked once: a copy counts as one only if the
quote stands in it too, word for word.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from schemacast.attribution.models import SearchResult
from schemacast.attribution.pages import word_list

__all__ = ["are_copies", "stories"]

SEQUENCE = 5
FEWEST_SEQUENCES = 20
SHARED = 0.8
RELATIVE_LENGTH = 0.4
MOST_CHARACTERS = 30_000
"""So much of a text is compared."""
_LAST = datetime.max.replace(tzinfo=UTC)
Sequences = frozenset[tuple[str, ...]]


def stories(results: Sequence[SearchResult]) -> list[list[SearchResult]]:
    """The results in groups of copies, in the order of the first of each. In a group the earliest comes first,
    those without a date last; of equals the one that was found first."""
    found: list[list[tuple[SearchResult, list[str], Sequences]]] = []
    for result in results:
        words = _words(result.text)
        looked = (result, words, _sequences(words))
        for group in found:
            if any(_alike(words, looked[2], other, sequences) for _, other, sequences in group):
                group.append(looked)
                break
        else:
            found.append([looked])
    return [sorted((result for result, _, _ in group), key=_published) for group in found]


def are_copies(one: str, other: str) -> bool:
    """Whether two texts are the same story."""
    words, others = _words(one), _words(other)
    return _alike(words, _sequences(words), others, _sequences(others))


def _alike(words: list[str], sequences: Sequences, others: list[str], other: Sequences) -> bool:
    if words == others:
        return True
    short, long = sorted((sequences, other), key=len)
    if len(short) < FEWEST_SEQUENCES or len(short) < RELATIVE_LENGTH * len(long):
        return False
    return len(short & long) >= SHARED * len(short)


def _words(text: str) -> list[str]:
    return word_list(text[:MOST_CHARACTERS])


def _sequences(words: list[str]) -> Sequences:
    return frozenset(zip(*(words[start:] for start in range(SEQUENCE)), strict=False))


def _published(result: SearchResult) -> datetime:
    moment = result.published_date
    if moment is None:
        return _LAST
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
