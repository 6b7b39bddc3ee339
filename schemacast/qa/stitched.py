"""Whether the quotes of one sentence of an answer may be read together.

`"Ada Lind leads" "Brevik AS"` has two quotes that stand in the source, in different sentences, and together they
say what no source does. So the quotes of a sentence have to come from one sentence of the source, unless each begins a
sentence of its own or all are only names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from schemacast.claims.sentences import says_nothing, without_citations
from schemacast.claims.words import is_function_word, words
from schemacast.qa.extract import quote_places
from schemacast.qa.located import Place, sentence_around
from schemacast.qa.unit import Unit
from schemacast.qa.verdict import SourceText

_ENDS = re.compile(r"[.!?。！？]\s")


def stitched(sentence: str, units: list[Unit], sources: Sequence[SourceText]) -> list[Unit]:
    """The units of a sentence with several quotes, where pieces of different sentences are no evidence for one.

    Quotes that each begin a sentence of their source are statements of their own; a list of names alone states no more
    than each. Anything else has to come from one sentence, since the answer makes one of it.
    """
    if not all(unit.verified and unit.place is not None for unit in units):
        return units
    places = quote_places(sentence)
    if places and all(_ENDS.search(sentence[one[1] + 1 : other[0] - 1]) for one, other in pairwise(places)):
        return units  # sentences of their own
    inside = [word for unit in units for word in words(unit.text) if not is_function_word(word, None)]
    outside = _outside(sentence)
    if says_nothing(outside) and all(word.capital or word.numeric for word in inside):
        return units
    homes = {(unit.number, _sentence_of(unit, sources)) for unit in units}
    if len(homes) == 1 or (says_nothing(outside) and all(_begins(unit, sources) for unit in units)):
        return units
    return [replace(unit, status="EVIDENCE_LINKED_PARTIAL", reasons=("begins_inside",)) for unit in units]


def _sentence_of(unit: Unit, sources: Sequence[SourceText]) -> Place:
    assert unit.number is not None
    assert unit.place is not None
    return sentence_around(sources[unit.number - 1].text, unit.place)


def _begins(unit: Unit, sources: Sequence[SourceText]) -> bool:
    """Whether a quote begins where its sentence in the source does."""
    assert unit.number is not None
    assert unit.place is not None
    start = _sentence_of(unit, sources)[0]
    return not words(sources[unit.number - 1].text[start : unit.place[0]])


def _outside(sentence: str) -> str:
    """What of a sentence stands outside of its quotes, citation marks left out."""
    parts, at = [], 0
    for start, end in quote_places(sentence):
        parts.append(sentence[at : start - 1])
        at = end + 1
    return without_citations(" ".join([*parts, sentence[at:]]))
