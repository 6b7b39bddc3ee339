"""Whether the words of a claim stand in one sentence of a source, in the same order and without gaps that matter.

This is a test of inclusion, not of meaning: each content word must be there in the same tense, names and verbs in
the same order; what is left out of the sentence is judged by `edges`. Where it is not sure that a claim is stated it is
not; being too strict costs a label, being too lenient a false one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from schemacast.claims.edges import Laid, edge_faults, is_insertion
from schemacast.claims.qualifying_words import ADDED, LOOSE, NAME_SUFFIXES, RELATING
from schemacast.claims.verbs import BE, form, verb_faults
from schemacast.claims.words import Word, is_function_word, words

_HIRAGANA = re.compile("[\u3040-\u309f]+")
_MOST_PAIRS = 200_000
"""Beyond it a sentence is no sentence, and nothing is laid along it."""
_RELATIVE = re.compile(r", (?:who|which|whose|a|an|the)\b[^,]*,")


@dataclass(frozen=True, slots=True)
class Aligned:
    """How a claim's words stand in a sentence: those that do not, and why the rest does not hold together."""

    missing: tuple[Word, ...]
    faults: tuple[str, ...]
    span: tuple[int, int] | None = None
    """From the first to the last word of the claim in the sentence."""
    inserted: tuple[tuple[int, int], ...] = ()
    """Insertions of the sentence that the claim leaves out."""
    pairs: tuple[tuple[Word, Word], ...] = ()
    """The claim's words with those of the sentence, in order."""


def weighed(text: str, language: str | None, excluded: Sequence[tuple[int, int]] = ()) -> list[Word]:
    """The words that an alignment counts: content words and relating ones, without those of `excluded` stretches.

    In Japanese the particles count too: they say who does what.
    """
    relating = RELATING.get(language or "en", RELATING["en"])
    found = [
        word
        for word in words(text)
        if (word.folded in relating or word.folded == "'s" or not is_function_word(word, language))
        and not any(start < word.end and word.start < end for start, end in excluded)
    ]
    if any(word.unspaced for word in found):
        found += [
            Word(match.start(), match.end(), match.group(), match.group(), unspaced=True)
            for match in _HIRAGANA.finditer(text)
            if not any(start < match.end() and match.start() < end for start, end in excluded)
        ]
        found.sort(key=lambda word: (word.start, word.end))
    return found


def align(
    claim: str,
    sentence: str,
    language: str | None,
    claim_numbers: Sequence[tuple[int, int]],
    sentence_numbers: Sequence[tuple[int, int]],
    sentence_dates: Sequence[tuple[int, int]] = (),
) -> Aligned:
    """Lay a claim's words along a sentence. The stretches of numbers and dates (`sentence_dates` once more)
    are compared elsewhere and left out."""
    mine = weighed(claim, language, claim_numbers)
    theirs = weighed(sentence, language, sentence_numbers)
    if len(mine) * len(theirs) > _MOST_PAIRS:
        return Aligned(tuple(mine), ("left_out",))
    voice_mine, voice_theirs = _passive(claim), _passive(sentence)
    if (voice_mine is None) != (voice_theirs is None) and language in (None, "en"):
        return _across_voices(claim, sentence, mine, theirs, voice_mine, voice_theirs)
    pairs = _longest(mine, theirs, claim, sentence)
    placed = {at for at, _ in pairs}
    missing = [word for at, word in enumerate(mine) if at not in placed]
    absent = [word for word in missing if not any(_equal(word, other, claim, sentence) for other in theirs)]
    absent = [word for word in absent if word.folded not in LOOSE]
    absent += _added(claim, sentence, absent, claim_numbers)
    moved = [word for word in missing if word not in absent and word.folded not in LOOSE]
    faults = ["order"] if moved else []
    if not absent and not moved and pairs:
        faults += edge_faults(Laid(claim, sentence, mine, theirs, pairs, sentence_numbers, sentence_dates))
        faults += verb_faults(claim, sentence, [(mine[at], theirs[to]) for at, to in pairs])
    if not pairs:
        return Aligned(tuple(absent), tuple(faults))
    inserted = [
        (theirs[to].end, theirs[next_to].start)
        for (_, to), (_, next_to) in pairwise(pairs)
        if is_insertion(sentence[theirs[to].end : theirs[next_to].start])
    ]
    span = theirs[pairs[0][1]].start, theirs[pairs[-1][1]].end
    couples = tuple((mine[at], theirs[to]) for at, to in pairs)
    return Aligned(tuple(absent), tuple(faults), span, tuple(inserted), couples)


def _added(claim: str, sentence: str, absent: Sequence[Word], numbers: Sequence[tuple[int, int]]) -> list[Word]:
    """The function words of a claim that its sentence does not have and that say something."""
    there = {word.folded for word in words(sentence)}
    known = {word.start for word in absent}
    return [
        word
        for word in words(claim)
        if word.folded in ADDED
        and word.folded not in there
        and word.start not in known
        and not any(start <= word.start < end for start, end in numbers)
    ]


def _longest(mine: Sequence[Word], theirs: Sequence[Word], claim: str, sentence: str) -> list[tuple[int, int]]:
    """The longest common subsequence, as positions; of equals the one that keeps what is adjacent adjacent."""
    rows = [[0] * (len(theirs) + 1) for _ in range(len(mine) + 1)]
    same = [[_equal(one, other, claim, sentence) for other in theirs] for one in mine]
    for at in range(len(mine) - 1, -1, -1):
        for to in range(len(theirs) - 1, -1, -1):
            rows[at][to] = rows[at + 1][to + 1] + 1 if same[at][to] else max(rows[at + 1][to], rows[at][to + 1])
    return _path(rows, same, len(mine), len(theirs))


def _path(rows: list[list[int]], same: list[list[bool]], height: int, width: int) -> list[tuple[int, int]]:
    pairs: list[tuple[int, int]] = []
    at = to = 0
    while at < height and to < width:
        if same[at][to] and rows[at][to] == rows[at + 1][to + 1] + 1 and not _later_is_tighter(rows, same, at, to):
            pairs.append((at, to))
            at, to = at + 1, to + 1
        elif rows[at][to + 1] == rows[at][to]:
            to += 1
        else:
            at += 1
    return pairs


def _later_is_tighter(rows: list[list[int]], same: list[list[bool]], at: int, to: int) -> bool:
    """Whether the same word stands again later, right before the next one: that occurrence is meant."""
    if at + 1 >= len(same) or to + 1 >= len(same[at]):
        return False
    if same[at + 1][to + 1]:
        return False
    return any(
        same[at][later] and rows[at][later] == rows[at][to] and later + 1 < len(same[at]) and same[at + 1][later + 1]
        for later in range(to + 1, len(same[at]))
    )


def _equal(one: Word, other: Word, claim: str, sentence: str) -> bool:
    """Whether two words are the same, but for number and case; accents count but in names (`dirige`, `dirigé`)."""
    if one.folded == other.folded:
        left, right = claim[one.start : one.end].casefold(), sentence[other.start : other.end].casefold()
        same = unicodedata.normalize("NFC", left) == unicodedata.normalize("NFC", right)
        return same or (one.capital and other.capital)
    if one.stem != other.stem or one.unspaced or one.numeric:
        return False
    if one.capital and other.capital and one.folded.rstrip("s") != other.folded.rstrip("s"):
        return False
    if not one.capital and not other.capital and _is_preterite(one.folded) != _is_preterite(other.folded):
        return False
    return form(one.folded) == form(other.folded)


def _is_preterite(folded: str) -> bool:
    """Whether a word may be a German past form: `leitete`, not `leitet`."""
    return folded.endswith(("te", "ten")) and len(folded) > 5


def _passive(text: str) -> tuple[Word, str] | None:
    """The participle of a passive that names its agent (`is led by`), and the time its auxiliary speaks of."""
    inside = words(text)
    for at, word in enumerate(inside):
        if word.folded == "by" and at >= 2 and form(inside[at - 1].folded) == "past":
            be = next((each for each in inside[max(0, at - 4) : at - 1] if each.folded in BE), None)
            if be is not None:
                return inside[at - 1], "past" if be.folded in ("was", "were", "been") else "base"
    return None


def _across_voices(
    claim: str,
    sentence: str,
    mine: list[Word],
    theirs: list[Word],
    voice_mine: tuple[Word, str] | None,
    voice_theirs: tuple[Word, str] | None,
) -> Aligned:
    """An active sentence against a passive one: agent and patient change places, and nothing may be left over."""
    active, passive = (mine, theirs) if voice_theirs else (theirs, mine)
    active_text = claim if voice_theirs else sentence
    inserted = [match.span() for match in _RELATIVE.finditer(active_text)]
    active = [word for word in active if not any(start <= word.start < end for start, end in inserted)]
    found = voice_theirs or voice_mine
    assert found is not None
    participle, time = found
    verb = next((word for word in active if word.stem == participle.stem and form(word.folded) == time), None)
    if verb is None:
        missing = [word for word in mine if not any(_equal(word, other, claim, sentence) for other in theirs)]
        return Aligned(tuple(word for word in missing if word.folded not in LOOSE), ("voice",))
    agent = [word.folded for word in active if word.end <= verb.start and word.folded not in LOOSE]
    patient = [word.folded for word in active if word.start >= verb.end and word.folded not in LOOSE]
    before = [word.folded for word in passive if word.end <= participle.start and word.folded not in LOOSE]
    after = [word.folded for word in passive if word.start >= participle.end and word.folded not in LOOSE | {"by"}]
    if _bare(agent) == _bare(after) and _bare(patient) == _bare(before):
        return Aligned((), ())
    return Aligned((), ("voice",))


def _bare(names: list[str]) -> list[str]:
    return [name for name in names if name not in NAME_SUFFIXES]
