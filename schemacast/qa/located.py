"""Where a unit of an answer stands in a source: found by `locate`, and on the boundaries of words and numbers.

`locate` gives an occurrence inside a word or number when there is no other; as the evidence of an answer such a
one counts for nothing (`2 ships` in `12 ships`). Of several occurrences the one is meant whose sentence shares most
with the sentence of the answer. That sentence is read from the text around it only, since sources are long.
"""

from __future__ import annotations

from datetime import datetime

from schemacast.claims.contradictions import Contradiction, contradictions
from schemacast.claims.sentences import fold_claim, says_nothing
from schemacast.claims.statements import statements
from schemacast.claims.words import content_stems, language_of
from schemacast.ground.locate import locate_place
from schemacast.language.tokens import inside_token
from schemacast.qa.extract import UNQUOTED, quote_places

_AROUND = 500
_MOST_OCCURRENCES = 24
_OFTEN = 80
"""Longer quotes are hardly repeated: their first occurrence is taken."""

Place = tuple[int, int]


def find_unit(unit: str, text: str, *, beside: str = "") -> Place | None:
    """The place of a unit in a text, or None. `beside` is the answer's sentence, for choosing between occurrences."""
    found = locate_place(unit, text, None)
    if found is None or not is_whole(text, found):
        return None
    if len(unit) > _OFTEN or not beside or unit.strip() == beside.strip():
        return found
    places = [found]
    while len(places) < _MOST_OCCURRENCES and (at := text.find(unit, places[-1][1])) >= 0:
        places.append((at, at + len(unit)))
    if len(places) < 2:
        return found
    language = language_of(beside)
    wanted = content_stems(beside, language)
    return max(
        (place for place in places if is_whole(text, place)),
        key=lambda place: (
            len(wanted & content_stems(text[slice(*sentence_around(text, place))], language)),
            -place[0],
        ),
    )


def is_whole(text: str, place: Place) -> bool:
    """Whether a place cuts no word and no number."""
    return not inside_token(text, place[0]) and not inside_token(text, place[1])


def sentence_around(text: str, place: Place) -> Place:
    """The place of the sentence or sentences that hold a place."""
    start, end = place
    first = max(0, start - _AROUND)
    if first:
        first = max(text.find(" ", first, start) + 1, first)
    empty = text.rfind("\n\n", first, start)
    first = empty + 2 if empty >= 0 else first
    last = text.find("\n\n", end, end + _AROUND)
    last = last if last >= 0 else min(len(text), end + _AROUND)
    touched = [
        (one, other) for one, other in statements(text[first:last]) if one < end - first and other > start - first
    ]
    if not touched:
        return place
    return first + touched[0][0], first + touched[-1][1]


def said_otherwise(
    sentence: str, stated: str, *, locale: str | None = None, reference: datetime | None = None
) -> tuple[Contradiction, ...]:
    """The contradictions between a sentence of an answer and what its source states.

    What stands outside of the sentence's quotes is held against the source by itself too: beside a quote that says
    `6 ships` it may not say 60.
    """
    same = fold_claim(stated)
    if fold_claim(sentence) == same:
        return ()
    quoted = quote_places(sentence)
    outside = list(sentence)
    for start, end in quoted:
        outside[start - 1 : end + 1] = " " * (end - start + 2)
    rest = "".join(outside)
    if len(quoted) == 1 and says_nothing(rest) and fold_claim(sentence[slice(*quoted[0])]) == same:
        return ()  # the whole of what is stated, and nothing of the model's own
    # Without the marks, so that what stands before a quoted number measures it: `over "6 ships"`.
    found = contradictions(sentence.translate(UNQUOTED), stated, locale=locale, reference=reference)
    if found or not quoted:
        return found
    beside = contradictions(rest, stated, locale=locale, reference=reference)
    return tuple(each for each in beside if each.reason != "negation_differs")  # what is denied stands in the quote
