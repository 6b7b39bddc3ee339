"""What qualifies a sentence of a source and is lost in a claim: a hedge, a condition, who says it, a denial.

A report or a condition counts from wherever it stands in the sentence, anything else only in the part that the
claim's words stand in. Some qualify by their place alone: a lead-in that says in whose view or in which story
(`In the novel, the queen dies`), and a verb in front (`Had the valve closed, the tank would have held`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from schemacast.claims.alignment import Aligned
from schemacast.claims.function_words import listed
from schemacast.claims.negation import clauses
from schemacast.claims.qualifying_words import CHINESE_QUALIFYING, JAPANESE_QUALIFYING, QUALIFYING, REPORTING
from schemacast.claims.words import Word, words

_CLAUSE_END = re.compile(r"[,;:()–—](?!\d)|\s(?:and|but|while|und|aber|et|mais|y|pero)\s", re.IGNORECASE)
_UNSPACED = {"ja": re.compile(JAPANESE_QUALIFYING), "zh": re.compile(CHINESE_QUALIFYING)}
_COMMA = re.compile(r",(?!\d)")
_STORIES = listed("""
    view views opinion eyes mind words theory hypothesis scenario proposal proposals draft plan plans model simulation
    novel story tale fable legend myth film movie play episode dream fiction assumption ansicht meinung auffassung
    augen theorie hypothese szenario entwurf plan modell roman erzahlung sage film traum annahme avis opinion yeux
    theorie hypothese scenario projet roman recit legende film reve opinion juicio ojos teoria hipotesis escenario
    proyecto plan novela cuento leyenda pelicula sueno
""")
"""Nouns of a lead-in that make what follows somebody's, or a story's."""
_IN_FRONT = listed("had should were hatte ware sollte wurde gabe kame konnte")
"""Verbs that make a condition of a clause they begin."""
_MONTH_BESIDE = listed(
    "in of since until till from by to this last next every each early mid late before after and through"
)


def dropped(
    claim: str, sentence: str, aligned: Aligned, language: str | None, compared: Sequence[tuple[int, int]]
) -> list[str]:
    """`qualifier_dropped` and `negation`, as far as the sentence is qualified so and the claim is not.

    `compared` are the places of the sentence's numbers and dates, whose comparators are compared elsewhere.
    """
    if aligned.missing:
        return []
    if language in _UNSPACED:
        own, theirs = (set(_UNSPACED[language].findall(each)) for each in (claim, sentence))
        return ["qualifier_dropped"] if theirs - own else []
    kinds = QUALIFYING.get(language or "en", QUALIFYING["en"])
    said = {word.folded for word in words(claim)}
    start, end = clause_around(sentence, aligned.span)
    elsewhere = (*aligned.inserted, *compared)
    lost = [
        word
        for word in words(sentence)
        if word.folded not in said
        and (
            word.folded in REPORTING
            or (word.folded in kinds and start <= word.start < end and not _inside(word.start, elsewhere))
        )
        and not _is_month(word, sentence)
    ]
    faults = ["qualifier_dropped"] if lost or _loses_lead_in(sentence, aligned, said) else []
    last = aligned.span[1] if aligned.span else end
    denials = sum(
        start <= cue.start < last and not _inside(cue.start, aligned.inserted)
        for clause in clauses(sentence, language)
        for cue in clause.cues
    )
    if denials > sum(len(clause.cues) for clause in clauses(claim, language)):
        faults.append("negation")
    return faults


def clause_around(sentence: str, span: tuple[int, int] | None) -> tuple[int, int]:
    """The clause of a sentence that the claim's words stand in, to the marks and joins around it."""
    if span is None:
        return 0, len(sentence)
    before = [match.end() for match in _CLAUSE_END.finditer(sentence, 0, span[0])]
    behind = _CLAUSE_END.search(sentence, span[1])
    return (before[-1] if before else 0), (behind.start() if behind else len(sentence))


def _loses_lead_in(sentence: str, aligned: Aligned, said: set[str]) -> bool:
    """Whether the claim begins behind a lead-in that makes a view, a story or a condition of the sentence."""
    comma = _COMMA.search(sentence)
    if comma is None or aligned.span is None or aligned.span[0] < comma.end():
        return False
    leading = [word.folded for word in words(sentence[: comma.start()])]
    return bool(leading) and (leading[0] in _IN_FRONT or any(word in _STORIES and word not in said for word in leading))


def _is_month(word: Word, sentence: str) -> bool:
    """Whether `May` is the month."""
    before = words(sentence[: word.start])
    return (
        sentence[word.start : word.end] == "May"
        and bool(before)
        and (before[-1].folded in _MONTH_BESIDE or before[-1].numeric)
    )


def _inside(at: int, places: Sequence[tuple[int, int]]) -> bool:
    return any(start <= at < end for start, end in places)
