"""Whether a source states all that a claim says, and which part of the claim it does not.

Stricter than the absence of contradictions: every word, number and date of the claim must stand in one sentence of
the source, and what qualifies that sentence (a hedge, a condition, who says it, a former office) must stand in the
claim. The verdict is about one source text; the part that is not supported is given as places in the claim, so
that a reader sees where the added tail begins.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from schemacast.claims.alignment import Aligned, align
from schemacast.claims.compare import Held, held_amounts, held_dates
from schemacast.claims.contradictions import Contradiction, contradictions
from schemacast.claims.mentions import Amount, Dated, Mentions, counts_the_same, mentions
from schemacast.claims.placement import misplaced
from schemacast.claims.qualifiers_lost import clause_around, dropped
from schemacast.claims.sentences import fold_claim
from schemacast.claims.statements import statements
from schemacast.claims.words import Word, content_stems, is_function_word, language_of, words
from schemacast.ground.characters import fold

_CANDIDATES = 3
_NEAR = 0.6
"""A sentence that shares fewer of the claim's words than this part of what the best one shares is not looked at."""

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
    places = statements(text)
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
    faults += dropped(claim, sentence, aligned, language, _places(stated))
    if _loses_limit(aligned, stated, sentence, used):
        faults.append("left_out")
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


def _loses_limit(aligned: Aligned, stated: Mentions, sentence: str, used: set[int]) -> bool:
    """Whether the part of the sentence that a claim stands in holds a limit that it loses: `children under 12`."""
    if aligned.missing or aligned.span is None:
        return False
    start, end = clause_around(sentence, aligned.span)
    return any(
        each.bound in ("gt", "ge", "lt", "le")
        and start <= each.outer[0] < each.start
        and each.end <= end
        and each.start not in used
        and not any(low <= each.start < high for low, high in aligned.inserted)
        for each in stated.amounts
    )


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
