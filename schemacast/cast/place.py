"""Where quotes stand: in the episode's text, in a context item, at which of several occurrences.

Every span comes from `locate`; a model's offsets are never read. Of equal vertices the k-th takes the
k-th occurrence of its quote, a property's quote the occurrence nearest its vertex, an edge's the one
nearest its source. What is found is widened to whole tokens, and cut down to the sentences that
matter when it runs on.
"""

from __future__ import annotations

from typing import NamedTuple

from schemacast.episode import Episode
from schemacast.ground import TextSpan, evidence, locate, locate_all
from schemacast.ground.graphemes import is_boundary
from schemacast.ground.locate import locate_place
from schemacast.language.sentences import goes_on, sentence_range, sentences
from schemacast.language.tokens import cuts_token, widen
from schemacast.records import KNOWN, EvidenceDict

WIDEST = 400
BESIDE = 200


class Place(NamedTuple):
    """Characters `start` to `end` of the episode's text, or of the context item `context`."""

    start: int
    end: int
    context: str | None = None


def is_wide(place: Place) -> bool:
    """Whether a place is so wide that it may have to be narrowed."""
    return place.end - place.start > WIDEST


class Source:
    """An episode's text with its context items, and how often each occurrence was taken."""

    __slots__ = ("_contexts", "_occurrences", "_taken", "text")

    def __init__(self, episode: Episode) -> None:
        self.text = episode.text
        self._contexts = {item.source_id: item.text for item in reversed(episode.context)}
        self._taken: dict[tuple[str, int, bool], int] = {}
        self._occurrences: dict[str, list[TextSpan]] = {}

    def text_of(self, place: Place) -> str:
        """The whole text that a place points into."""
        return self.text if place.context is None else self._contexts[place.context]

    def quote(self, place: Place) -> str:
        """The source's own characters at a place."""
        return self.text_of(place)[place.start : place.end]

    def evidence(self, place: Place | None) -> EvidenceDict:
        """The evidence dict of what was read at a place; None is what the source itself states."""
        if place is None:
            return KNOWN
        return evidence(self.quote(place), place)

    def find(self, quote: str, near: Place | None = None) -> Place | None:
        """A quote in the episode's text; of several occurrences the one nearest `near`, else the first."""
        found = locate_place(quote, self.text, None if near is None else (near.start, near.end))
        return None if found is None else Place(*found)

    def find_next(self, quote: str, kind: str, *, holds_key: bool) -> Place | None:
        """A quote that several vertices of one type share: each call takes the next occurrence.

        Where there are fewer occurrences than vertices the last stays. Vertices whose quote holds their
        own key are counted apart from those whose quote does not (`holds_key`), so that one which
        borrows another's quote does not take that other's next mention.
        """
        spans = self._occurrences.get(quote)
        if spans is None:
            spans = self._occurrences[quote] = locate_all(quote, self.text)
        if not spans:
            return None
        group = (kind, spans[0].start, holds_key)
        taken = self._taken.get(group, 0)
        self._taken[group] = taken + 1
        span = spans[min(taken, len(spans) - 1)]
        return Place(span.start, span.end)

    def find_in_context(self, quote: str) -> Place | None:
        """A quote in the first context item that holds it."""
        for source_id in reversed(self._contexts):
            span = locate(quote, self._contexts[source_id])
            if span is not None:
                return Place(span.start, span.end, source_id)
        return None

    def widened(self, place: Place) -> Place:
        """The place itself when it cuts no token, else the place widened to whole tokens."""
        start, end = widen(self.text_of(place), place.start, place.end)
        if start == place.start and end == place.end:
            return place
        return Place(start, end, place.context)

    def narrowed(self, place: Place, values: list[tuple[int, int]]) -> Place:
        """A place over 400 characters and more than one sentence, cut to the sentences of its values.

        Without a value inside it, the first sentence stays. Any other place is returned as it is.
        """
        if not is_wide(place):
            return place
        text = self.text_of(place)
        first, last = sentence_range(text, place.start, place.end)
        if first == last:
            return place
        inside = [sentence_range(text, *span) for span in values if place.start <= span[0] and span[1] <= place.end]
        low = min((span[0] for span in inside), default=first)
        high = max((span[1] for span in inside), default=first)
        bounds = sentences(text)
        start = max(place.start, bounds[low][0])
        end = min(place.end, bounds[high][1])
        return Place(start, start + len(text[start:end].rstrip()), place.context)

    def share_sentence(self, left: tuple[int, int], right: tuple[int, int]) -> bool:
        """Whether two spans of the episode's text touch a common sentence."""
        if left[0] < right[1] and right[0] < left[1]:
            return True
        earlier, later = (left, right) if left < right else (right, left)
        if goes_on(self.text, earlier[1] - 1, later[0]):
            return True
        first, last = sentence_range(self.text, *left)
        other_first, other_last = sentence_range(self.text, *right)
        return first <= other_last and other_first <= last

    def stands_beside(self, words: str, place: Place) -> bool:
        """Whether words stand, as whole tokens, in a sentence that the place touches."""
        first, last = sentence_range(self.text, place.start, place.end)
        bounds = sentences(self.text)
        return standing(words, self.text, bounds[first][0], bounds[last][1]) is not None


def standing(words: str, text: str, start: int, end: int) -> tuple[int, int] | None:
    """Where words stand between `start` and `end` of a text as whole tokens, as `locate` reads them."""
    if not words:
        return None
    if (found := _whole(words, text, start, end, 0)) is not None:
        return found
    window = text[start:end]
    for span in locate_all(words, window):
        if not cuts(text, start + span.start, start + span.end):
            return start + span.start, start + span.end
    folded = window.casefold()  # an exact occurrence inside a word hides a folded one that is whole
    return _whole(words.casefold(), folded, 0, len(folded), start, text) if len(folded) == len(window) else None


def _whole(
    words: str, haystack: str, start: int, end: int, offset: int, text: str | None = None
) -> tuple[int, int] | None:
    """The first occurrence in `haystack` that cuts no token of `text`, which it is `offset` into."""
    at = haystack.find(words, start, end)
    while at >= 0:
        first, last = offset + at, offset + at + len(words)
        if not cuts(haystack if text is None else text, first, last):
            return first, last
        at = haystack.find(words, at + 1, end)
    return None


def stands_cut(words: str, text: str, start: int, end: int) -> bool:
    """Whether words stand between `start` and `end` at all; asked when no occurrence is whole."""
    return locate(words, text[start:end]) is not None


def cuts(text: str, start: int, end: int) -> bool:
    """Whether a span begins or ends inside a token, or inside what a reader sees as one character."""
    return cuts_token(text, start, end) or not (is_boundary(text, start) and is_boundary(text, end))


def neighbourhood(text: str, start: int, end: int) -> tuple[int, int]:
    """The sentences that a span touches, of each side at most 200 characters: where a value is read.

    What stands beside a quote belongs to what it says: the unit after a number, the hedge before it.
    """
    low, high = max(0, start - BESIDE), min(len(text), end + BESIDE)
    if low > 0 or high < len(text):
        first, last = sentence_range(text, start, end)
        bounds = sentences(text)
        low, high = max(low, bounds[first][0]), min(high, bounds[last][1])
    while 0 < low < start and not text[low - 1].isspace():
        low += 1
    while end < high < len(text) and not text[high].isspace():
        high -= 1
    return low, high
