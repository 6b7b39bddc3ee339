"""Whether a source states all that a claim says, and which part of the claim it does not.

Stricter than the absence of contradictions: every word, number and date of the claim must stand in one sentence of
the source, and what qualifies that sentence (a hedge, a condition, who says it, a former office) must stand in the
claim. The verdict is about one source text; the part that is not supported is given as places in the claim, so
that a reader sees where the added tail begins.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from schemacast.claims.alignment import Aligned, align
from schemacast.claims.compare import Held, held_amounts, held_dates
from schemacast.claims.contradictions import Contradiction, contradictions
from schemacast.claims.mentions import Amount, Dated, Mentions, counts_the_same, mentions
from schemacast.claims.negation import clauses
from schemacast.claims.placement import misplaced
from schemacast.claims.qualifying_words import JAPANESE_QUALIFYING, QUALIFYING, REPORTING
from schemacast.claims.sentences import fold_claim
from schemacast.claims.words import Word, content_stems, is_function_word, language_of, words
from schemacast.ground.characters import fold
from schemacast.language.sentences import sentences

_CANDIDATES = 3
_NEAR = 0.6
"""A sentence that shares fewer of the claim's words than this part of what the best one shares is not looked at."""
_CLAUSE_END = re.compile(r"[,;:()–—](?!\d)|\s(?:and|but|while|und|aber|et|mais|y|pero)\s", re.IGNORECASE)
_JAPANESE_QUALIFYING = re.compile(JAPANESE_QUALIFYING)

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Support:
    """What one text does for one claim.

    `sentence` is the place of the sentence that answers to the claim, None when none shares a word with it.
    `missing` are the places of the claim that it does not state; `faults` say why the rest does not hold all the
    same: `order`, `voice`, `left_out`, `begins_inside`, `ends_inside`, `tense`, `qualifier_dropped`, `negation`.
    """

    sentence: Place | None
    contradictions: tuple[Contradiction, ...]
    missing: tuple[Place, ...]
    faults: tuple[str, ...]

    @property
    def full(self) -> bool:
        """Whether the text states all of the claim."""
        return self.sentence is not None and not (self.contradictions or self.missing or self.faults)


def support(claim: str, text: str, *, locale: str | None = None, reference: datetime | None = None) -> Support:
    """What `text` does for `claim`. Contradictions count over the whole text, everything else in its best sentence."""
    places = sentences(text)
    folded = fold_claim(claim)
    same = next((place for place in places if fold_claim(text[slice(*place)]) == folded), None) if folded else None
    if same is not None and ("?" in claim or not text[slice(*same)].rstrip("\"'”’»)] ").endswith(("?", "？"))):
        return Support(same, (), (), ())
    found = contradictions(claim, text, locale=locale, reference=reference)
    language = language_of(f"{claim} {text[:2000]}", locale)
    wanted = content_stems(claim, language)
    ranked = sorted(
        ((len(wanted & content_stems(text[start:end], language)), -start, end) for start, end in places),
        reverse=True,
    )
    best = Support(None, found, ((0, len(claim)),), ())
    for shared, negative, end in ranked[:_CANDIDATES]:
        start = -negative
        if not shared or shared < _NEAR * ranked[0][0]:
            break
        one = _one_sentence(claim, text[start:end], locale, reference, language)
        held = Support((start, end), found, one[0], one[1])
        if best.sentence is None or _rank(held) < _rank(best):
            best = held
        if held.full:
            break
    return best


def _rank(held: Support) -> tuple[int, int]:
    return sum(end - start for start, end in held.missing), len(held.faults)


def _one_sentence(
    claim: str, sentence: str, locale: str | None, reference: datetime | None, language: str | None
) -> tuple[tuple[Place, ...], tuple[str, ...]]:
    """What a sentence lacks of a claim, and the faults of what it has."""
    own, stated = mentions(claim, locale, reference), mentions(sentence, locale, reference)
    dates = [(each.start, each.end) for each in stated.dates]
    aligned = align(claim, sentence, language, _places(own), _places(stated), dates)
    lacking = [(word.start, word.end) for word in aligned.missing]
    weaker = False
    compared: list[Held[Amount] | Held[Dated]] = [*held_amounts(own, stated), *held_dates(own, stated)]
    used: set[int] = set()
    for held in compared:
        if held.other is not None:
            if held.other.start in used:  # what a sentence states once, a claim may not say twice
                lacking.append((held.mention.start, held.mention.end))
            used.add(held.other.start)
        if held.standing == "absent":
            lacking.append((held.mention.start, held.mention.end))
        weaker = weaker or held.standing in ("open", "differs") or _stands_elsewhere(held, aligned, sentence)
    faults = [*aligned.faults]
    if sentence.rstrip("\"'”’»)] ").endswith(("?", "？")) and "?" not in claim and "？" not in claim:
        faults.append("qualifier_dropped")
    if weaker:
        faults.append("weaker")
    if not lacking and any(misplaced(each, stated, aligned.pairs, sentence, language, compared) for each in compared):
        faults.append("order")
    faults += _dropped(claim, sentence, aligned, language, _places(stated))
    if not lacking and _only_names(claim, language) and fold_claim(claim) in fold(sentence):
        faults = [fault for fault in faults if fault == "weaker"]  # a name by itself says nothing that could be cut off
    return _stretches(claim, sorted(lacking), language), tuple(dict.fromkeys(faults))


def _stands_elsewhere(held: Held[Amount] | Held[Dated], aligned: Aligned, sentence: str) -> bool:
    """Whether a number or date stands in an insertion that says more and that the claim leaves out, or counts something
    else."""
    other = held.other
    if other is None:
        return False
    if any(start <= other.start < end and _more_than(other, sentence, start, end) for start, end in aligned.inserted):
        return True
    mine, theirs = held.mention.place, other.place
    if isinstance(other, Dated) or other.unit is not None or other.kind != "amount":
        return False
    return bool(mine.after and theirs.after) and not counts_the_same(mine, theirs)


def _more_than(mention: Amount | Dated, sentence: str, start: int, end: int) -> bool:
    """Whether a stretch says more than a number or date."""
    return any(
        start <= word.start < end and not mention.start <= word.start < mention.end and not is_function_word(word, None)
        for word in words(sentence)
    )


def _only_names(claim: str, language: str | None) -> bool:
    """Whether a claim is only a name or a number."""
    content = [word for word in words(claim) if not is_function_word(word, language)]
    return bool(content) and all(
        word.capital or word.numeric or "\u30a0" <= word.folded[0] <= "\u30ff" for word in content
    )


def _places(found: Mentions) -> list[Place]:
    return [each.outer for each in found.amounts] + [(each.start, each.end) for each in found.dates]


def _dropped(claim: str, sentence: str, aligned: Aligned, language: str | None, compared: Sequence[Place]) -> list[str]:
    """What qualifies the sentence and does not stand in the claim."""
    if aligned.missing:
        return []
    if language == "ja":
        own, theirs = (set(_JAPANESE_QUALIFYING.findall(each)) for each in (claim, sentence))
        return ["qualifier_dropped"] if theirs - own else []
    listed = QUALIFYING.get(language or "en", QUALIFYING["en"])
    said = {word.folded for word in words(claim)}
    start, end = _clause_around(sentence, aligned.span)
    elsewhere = (*aligned.inserted, *compared)
    dropped = [
        word
        for word in words(sentence)
        if word.folded not in said
        and (
            word.folded in REPORTING
            or (word.folded in listed and start <= word.start < end and not _inside(word.start, elsewhere))
        )
    ]
    faults = ["qualifier_dropped"] if dropped else []
    last = aligned.span[1] if aligned.span else end
    denials = sum(
        start <= cue.start < last and not _inside(cue.start, aligned.inserted)
        for clause in clauses(sentence, language)
        for cue in clause.cues
    )
    if denials > sum(len(clause.cues) for clause in clauses(claim, language)):
        faults.append("negation")
    return faults


def _inside(at: int, places: Sequence[Place]) -> bool:
    return any(start <= at < end for start, end in places)


def _clause_around(sentence: str, span: Place | None) -> Place:
    """The clause of a sentence that the claim's words stand in, to the marks and joins around it."""
    if span is None:
        return 0, len(sentence)
    before = [match.end() for match in _CLAUSE_END.finditer(sentence, 0, span[0])]
    behind = _CLAUSE_END.search(sentence, span[1])
    return (before[-1] if before else 0), (behind.start() if behind else len(sentence))


def _stretches(claim: str, lacking: list[Place], language: str | None) -> tuple[Place, ...]:
    """The places that lack support, those with only function words between them made one."""
    merged: list[Place] = []
    for start, end in lacking:
        if merged and not _says_something(claim[merged[-1][1] : start], language):
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


def _says_something(text: str, language: str | None) -> bool:
    inside: tuple[Word, ...] = words(text)
    return any(char in ",;:、()" for char in text) or any(not is_function_word(word, language) for word in inside)
