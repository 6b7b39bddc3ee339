"""Whether the words of a claim stand in one sentence of a source, in the same order and without gaps that matter.

This is a test of inclusion, not of meaning: each content word must be there in the same tense, names and verbs in
the same order, and what the source says between, before and behind them may be left out only where that cannot
change who did what: an insertion between two commas, a further member of a list, the end of the sentence. Where
that is not sure the claim is not supported; being too strict costs a label, being too lenient a false one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from schemacast.claims.function_words import AUXILIARIES, IRREGULAR, listed
from schemacast.claims.negation_words import NEGATIONS
from schemacast.claims.qualifying_words import LOOSE, NAME_SUFFIXES, RELATING
from schemacast.claims.words import Word, is_function_word, words
from schemacast.language.scripts import is_unspaced

_BE = listed("is are am was were be been being")
_DETERMINERS = listed(
    "the a an this that its their his her der die das den dem ein eine le la les l un une el los las una"
)
_JOINS = frozenset(("and", "or", "but", "und", "oder", "aber", "sowie", "et", "ou", "mais", "y", "e", "o", "pero"))
_HIRAGANA = re.compile("[\u3040-\u309f]+")
_INSERTION = re.compile(r"\s*[,(\[–—、（].*[,)\]–—、）]", re.DOTALL)
_RELATIVE_BEGINS = re.compile(r"\s*,\s*(?:which|who|that|der|die|das|welche[rs]?|qui|que|quien)\s+(?:\w{1,3}\s+)?")
_RELATIVE = re.compile(r", (?:who|which|whose|a|an|the)\b[^,]*,")
_MEASURED = re.compile(
    r" (?:below|above|under|over|of|per|off|away|from|behind|ahead|deep|von|unter|uber|über|pro|sous|sur"
    r"|par|bajo|sobre|por)"
    r"(?![^\W_])"
)
"""What makes a measure of a number: `12 metres below the street` is not `12 metres`."""
_COMMA = re.compile(r"[,;:、–—()](?!\d)")


@dataclass(frozen=True, slots=True)
class Aligned:
    """How a claim's words stand in a sentence: those that do not, and why the rest does not hold together."""

    missing: tuple[Word, ...]
    faults: tuple[str, ...]
    span: tuple[int, int] | None = None
    """From the first to the last word of the claim in the sentence."""
    inserted: tuple[tuple[int, int], ...] = ()
    """Insertions of the sentence that the claim leaves out."""


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
) -> Aligned:
    """Lay a claim's words along a sentence. The stretches of numbers and dates are compared elsewhere and left out."""
    mine = weighed(claim, language, claim_numbers)
    theirs = weighed(sentence, language, sentence_numbers)
    voice_mine, voice_theirs = _passive(claim), _passive(sentence)
    if (voice_mine is None) != (voice_theirs is None) and language in (None, "en"):
        return _across_voices(claim, sentence, mine, theirs, voice_mine, voice_theirs)
    pairs = _longest(mine, theirs, claim, sentence)
    placed = {at for at, _ in pairs}
    missing = [word for at, word in enumerate(mine) if at not in placed]
    absent = [word for word in missing if not any(_equal(word, other, claim, sentence) for other in theirs)]
    absent = [word for word in absent if word.folded not in LOOSE]
    moved = [word for word in missing if word not in absent and word.folded not in LOOSE]
    faults = ["order"] if moved else []
    if not absent and not moved and pairs:
        faults += _gaps(claim, sentence, mine, theirs, pairs, sentence_numbers)
    if not pairs:
        return Aligned(tuple(absent), tuple(faults))
    inserted = [
        (theirs[to].end, theirs[next_to].start)
        for (_, to), (_, next_to) in pairwise(pairs)
        if _is_insertion(sentence[theirs[to].end : theirs[next_to].start])
    ]
    return Aligned(tuple(absent), tuple(faults), (theirs[pairs[0][1]].start, theirs[pairs[-1][1]].end), tuple(inserted))


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


@lru_cache(maxsize=4096)
def _form(folded: str) -> str:
    """Whether an English word is a past form, an `-ing` form, or neither."""
    if folded in IRREGULAR:
        base = IRREGULAR[folded]
        return "base" if folded == base or folded == base + "s" else "past"
    if folded.endswith("ing") and len(folded) > 5:
        return "ing"
    if folded.endswith("ed") and len(folded) > 4:
        return "past"
    return "base"


def _equal(one: Word, other: Word, claim: str, sentence: str) -> bool:
    """Whether two words are the same, but for number and case; accents count where both texts write them."""
    if one.folded == other.folded:
        left, right = claim[one.start : one.end].casefold(), sentence[other.start : other.end].casefold()
        return left == right or claim.isascii() or sentence.isascii() or left.isascii() == right.isascii()
    if one.stem != other.stem or one.unspaced or one.numeric:
        return False
    if one.capital and other.capital and one.folded.rstrip("s") != other.folded.rstrip("s"):
        return False
    if not one.capital and not other.capital and _is_preterite(one.folded) != _is_preterite(other.folded):
        return False
    return _form(one.folded) == _form(other.folded)


def _is_preterite(folded: str) -> bool:
    """Whether a word may be a German past form: `leitete`, not `leitet`."""
    return folded.endswith(("te", "ten")) and len(folded) > 5


def _gaps(
    claim: str,
    sentence: str,
    mine: Sequence[Word],
    theirs: Sequence[Word],
    pairs: Sequence[tuple[int, int]],
    numbers: Sequence[tuple[int, int]],
) -> list[str]:
    """What the claim leaves out of the sentence between, before and behind its words that may change what is said."""
    faults: list[str] = []
    for (at, to), (next_at, next_to) in pairwise(pairs):
        between = sentence[theirs[to].end : theirs[next_to].start]
        own = claim[mine[at].end : mine[next_at].start]
        skipped = theirs[to + 1 : next_to]
        if _is_relative(between) and not any(_relates(each) for each in mine[: at + 1]):
            tail = sentence[theirs[next_to].start : theirs[pairs[-1][1]].start]
            if not _COMMA.search(tail):
                continue
        if not _may_be_left_out(between, own, skipped):
            faults.append("left_out")
            break
    first, last = theirs[pairs[0][1]], theirs[pairs[-1][1]]
    if not _begins(sentence, claim, first, theirs[: pairs[0][1]], numbers, mine[0]):
        faults.append("begins_inside")
    if not _ends(sentence, last, theirs[pairs[-1][1] + 1 :], numbers):
        faults.append("ends_inside")
    return faults


def _may_be_left_out(between: str, own: str, skipped: Sequence[Word]) -> bool:
    commas = len(_COMMA.findall(between))
    content = [word for word in skipped if word.folded not in LOOSE]
    if not content:
        listed = any(word.folded in _JOINS for word in words(own))
        return commas % 2 == 0 or bool(_COMMA.search(own)) or listed
    if any(word.folded == "'s" for word in skipped):
        return False
    if all(word.folded in NAME_SUFFIXES and word.capital for word in content):
        return True
    if _is_insertion(between):
        return True
    if any(denial in _denials() for denial in (word.folded for word in words(between))):
        return False
    if commas:
        return False
    inside = words(between)
    if not inside or any(char.isdecimal() for char in between):
        return False
    # A verb may stand among several: what follows would then belong to it.
    return inside[-1].folded in _JOINS or (inside[0].folded in _JOINS and all(word.capital for word in content))


def _is_insertion(between: str) -> bool:
    """Whether a stretch is an insertion between two marks, with at most function words behind it."""
    match = _INSERTION.match(between)
    if match is None or len(_COMMA.findall(between)) % 2:
        return False
    rest = words(between[match.end() :])
    return all(is_function_word(word, None) for word in rest)


def _is_relative(between: str) -> bool:
    """Whether nothing but the beginning of a relative clause stands between two words."""
    return _RELATIVE_BEGINS.fullmatch(between) is not None


def _relates(word: Word) -> bool:
    return any(word.folded in listed for listed in RELATING.values())


@cache
def _denials() -> frozenset[str]:
    return frozenset().union(*(each.plain for each in NEGATIONS.values()))


def _begins(
    sentence: str, claim: str, first: Word, before: Sequence[Word], numbers: Sequence[tuple[int, int]], own: Word
) -> bool:
    """Whether the claim begins where the sentence or a part of it does, not inside a phrase."""
    earlier = [word for word in words(sentence) if word.end <= first.start]
    starts = max((end for start, end in numbers if end <= first.start), default=0)
    gap_start = earlier[-1].end if earlier else 0
    if starts and starts >= gap_start:
        return True
    while earlier and _is_determiner(earlier[-1]) and not _COMMA.search(sentence, earlier[-1].end, first.start):
        first = earlier.pop()
    if not earlier or _COMMA.search(sentence, earlier[-1].end, first.start):
        return True
    if earlier[-1].folded in _JOINS:
        return True
    leading = [word for word in words(claim) if word.end <= own.start]
    return bool(leading) and leading[-1].folded == earlier[-1].folded and not before


def _is_determiner(word: Word) -> bool:
    return word.folded in _DETERMINERS


def _ends(sentence: str, last: Word, after: Sequence[Word], numbers: Sequence[tuple[int, int]]) -> bool:
    """Whether the claim ends where a phrase of the sentence does."""
    measured = _MEASURED.match(sentence, max(last.end, max((end for _, end in numbers if end >= last.end), default=0)))
    if measured is not None and any(end == measured.start() for _, end in numbers):
        return False
    for word in after:
        if _COMMA.search(sentence, last.end, word.start):
            return True
        if word.folded in NAME_SUFFIXES and word.capital:
            last = word
            continue
        if any(last.end <= start and end <= word.start for start, end in numbers):
            return True
        between = [each for each in words(sentence) if last.end <= each.start < word.start]
        if word.folded in ("or", "oder", "ou", "o", "'s"):
            return False
        return bool(between) or is_function_word(word, None) or word.unspaced
    return True


def _passive(text: str) -> tuple[Word, str] | None:
    """The participle of a passive that names its agent (`is led by`), and the time its auxiliary speaks of."""
    inside = words(text)
    for at, word in enumerate(inside):
        if word.folded == "by" and at >= 2 and _form(inside[at - 1].folded) == "past":
            be = next((each for each in inside[max(0, at - 4) : at - 1] if each.folded in _BE), None)
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
    verb = next((word for word in active if word.stem == participle.stem and _form(word.folded) == time), None)
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


def tense_words(text: str) -> list[Word]:
    """The auxiliaries of a text."""
    return [word for word in words(text) if any(word.folded in listed for listed in AUXILIARIES.values())]


def is_unspaced_text(text: str) -> bool:
    """Whether a text is written, at least in part, in a script without spaces."""
    return any(map(is_unspaced, text))
