"""What an answer says ahead of a quote and apart from it: `It is Ada Lind: "Ada Lind leads Orvik AS"`.

A lead-in is held against the quote by itself, since laid along the source together with the quote it would say
everything twice. It is borne out when the quote's sentence states it in full, or when it only picks out the one name
or number that the quote has besides those of the question; where a quote denies or qualifies something, or holds
several that could be meant, picking one is a claim of its own.
"""

from __future__ import annotations

import re

from schemacast.claims.framing_words import FRAMING
from schemacast.claims.mentions import mentions
from schemacast.claims.negation import clauses
from schemacast.claims.qualifying_words import QUALIFYING
from schemacast.claims.sentences import fold_claim, says_nothing
from schemacast.claims.support import support
from schemacast.claims.words import Word, is_function_word, language_of, words
from schemacast.qa.extract import quote_places
from schemacast.qa.located import find_unit
from schemacast.qa.verdict import SourceText

_ENDS = re.compile(r"(?P<said>.*?)\s*[:：(（–—]\s*", re.DOTALL)
_NAME_GAP = re.compile(r"[\s.’'-]{1,2}")


def is_borne_out(sentence: str, stated: str, source: SourceText, question: str | None) -> bool:
    """Whether a sentence is a lead-in and one quote, and what leads in is borne out by the quote or its sentence."""
    quotes = quote_places(sentence)
    if len(quotes) != 1:
        return False
    start, end = quotes[0]
    lead = _ENDS.fullmatch(sentence[: start - 1])
    if lead is None or not says_nothing(sentence[end + 1 :]):
        return False
    said, quote = lead["said"].strip(), sentence[start:end]
    head, comma, rest = said.rpartition(",")
    if comma and says_nothing(rest):
        said = head
    language = language_of(f"{said} {quote}", source.locale)
    counted = [
        (each.start, min((word.end for word in words(said) if word.start >= each.end), default=each.end))
        for each in mentions(said, source.locale, source.reference).amounts
    ]  # with what they count
    core = [word for word in words(said) if (word.capital and word.start > 0) or _says_something(word)]
    if not core:
        return False
    if all(word.capital or word.numeric or any(start <= word.start < end for start, end in counted) for word in core):
        return _picks_out(said, core, quote, question or "", language)
    return support(said, stated, locale=source.locale, reference=source.reference).full


def _says_something(word: Word) -> bool:
    return not (is_function_word(word, None) or word.folded in FRAMING)


def _picks_out(said: str, core: list[Word], quote: str, question: str, language: str | None) -> bool:
    """Whether a lead-in whose words are `core`, framing aside, names what of the quote alone can be meant."""
    name = said[core[0].start : core[-1].end]
    if not says_nothing(f"{said[: core[0].start]} {said[core[-1].end :]}"):
        return False
    if any(clause.cues for clause in clauses(quote, language)):
        return False
    if any(word.folded in QUALIFYING.get(language or "en", ()) for word in words(quote)):
        return False
    asked = {word.stem for word in words(question)}
    if all(word.stem in asked for word in core):
        return False
    own, theirs = mentions(said, language, None), mentions(quote, language, None)
    if own.amounts or own.dates:
        several = len(theirs.amounts if own.amounts else theirs.dates) > 1
        held = support(name, quote, locale=language)
        cut = {"begins_inside", "ends_inside"}  # a number is always cut out of its sentence
        return not (several or held.contradictions or held.missing or set(held.faults) - cut)
    if find_unit(name, quote) is None:
        return False
    others = [run for run in _names(quote) if not all(word.stem in asked for word in run)]
    picked = fold_claim(name)
    return fold_claim(quote).startswith(picked) or (
        bool(question) and [fold_claim(quote[run[0].start : run[-1].end]) for run in others] == [picked]
    )


def _names(quote: str) -> list[list[Word]]:
    """The runs of capitalized words of a quote."""
    runs: list[list[Word]] = []
    for word in words(quote):
        if not word.capital:
            continue
        if runs and _NAME_GAP.fullmatch(quote[runs[-1][-1].end : word.start]):
            runs[-1].append(word)
        else:
            runs.append([word])
    return runs
