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
from functools import cache
from itertools import pairwise

from schemacast.claims.function_words import listed
from schemacast.claims.negation_words import NEGATIONS
from schemacast.claims.qualifying_words import ADDED, LOOSE, NAME_SUFFIXES, RELATING
from schemacast.claims.relative import behind_name, is_sure_relative
from schemacast.claims.verbs import BE, form, verb_faults
from schemacast.claims.words import Word, is_function_word, words
from schemacast.language.units import fold_word

_DETERMINERS = listed(
    "the a an this that its their his her der die das den dem ein eine le la les l un une el los las una"
)
_ADDING = listed("and but und aber sowie et mais y e pero")
"""What adds one statement to another; of two that `or` joins neither is stated."""
_BEGINNING = _ADDING | listed(
    "yet while whereas although though because since denn wahrend obwohl weil bien car aunque"
)
_HIRAGANA = re.compile("[\u3040-\u309f]+")
_INSERTION = re.compile(r"\s*[,(\[–—、（].*[,)\]–—、）]", re.DOTALL)
_RELATIVEBEGINS = re.compile(r"\s*,\s*(?:which|who|that|der|die|das|welche[rs]?|qui|que|quien)\s+(?:\w{1,3}\s+)?")
_MOST_PAIRS = 200_000
"""Beyond it a sentence is no sentence, and nothing is laid along it."""
_RELATIVE = re.compile(r", (?:who|which|whose|a|an|the)\b[^,]*,")
_MEASURED = re.compile(
    r" (?:below|above|under|over|of|per|off|away|from|behind|ahead|deep|von|unter|uber|über|pro|sous|sur"
    r"|par|bajo|sobre|por)"
    r"(?![^\W_])"
)
"""What makes a measure of a number: `12 metres below the street` is not `12 metres`."""
_ORDINAL = re.compile(
    r"\d+(?:st|nd|rd|th|er|e|eme|o|a)|(?:fir|la)st|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|next|other"
    r"|(?:erst|zweit|dritt|viert|letzt|nachst|ander)e[nrsm]?|premiere?|deuxieme|troisieme|derniere?|autre"
    r"|primer[ao]?|segund[ao]|tercer[ao]?|ultim[ao]|otr[ao]"
)
_FOLLOWING = re.compile(r"[ \u00a0]+([^\W\d_]+)(?:[ \u00a0]+([\d€$£¥]))?")
_RESTRICTING = listed("for except unless among without only fur ausser pour sauf para salvo excepto")
_STATES = listed("is are am ist sind est sont es son esta estan")
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
) -> Aligned:
    """Lay a claim's words along a sentence. The stretches of numbers and dates are compared elsewhere and left out."""
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
        faults += _gaps(claim, sentence, mine, theirs, pairs, sentence_numbers)
        faults += verb_faults(claim, sentence, [(mine[at], theirs[to]) for at, to in pairs])
    if not pairs:
        return Aligned(tuple(absent), tuple(faults))
    inserted = [
        (theirs[to].end, theirs[next_to].start)
        for (_, to), (_, next_to) in pairwise(pairs)
        if _is_insertion(sentence[theirs[to].end : theirs[next_to].start])
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
    return form(one.folded) == form(other.folded)


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
    inside = False
    for (at, to), (next_at, next_to) in pairwise(pairs):
        between = sentence[theirs[to].end : theirs[next_to].start]
        own = claim[mine[at].end : mine[next_at].start]
        skipped = theirs[to + 1 : next_to]
        if _is_relative(between) and not any(_relates(each) for each in mine[: at + 1]):
            tail = sentence[theirs[next_to].start : theirs[pairs[-1][1]].start]
            if not _COMMA.search(tail):
                continue
        bare = _without_numbers(sentence, theirs[to].end, theirs[next_to].start, numbers)
        name = theirs[pairs[0][1] : to + 1]
        begun = bare[behind_name(between) :]
        if is_sure_relative(sentence, name, begun, theirs[next_to], counted=bare != between):
            inside = True
            continue
        if not _may_be_left_out(between, bare, own, skipped):
            faults.append("left_out")
            break
    first, last = theirs[pairs[0][1]], theirs[pairs[-1][1]]
    if not inside and not _begins(sentence, claim, first, theirs[: pairs[0][1]], numbers, mine[0]):
        faults.append("begins_inside")
    if not _ends(sentence, last, theirs[pairs[-1][1] + 1 :], numbers):
        faults.append("ends_inside")
    return faults


def _without_numbers(sentence: str, start: int, end: int, numbers: Sequence[tuple[int, int]]) -> str:
    """A stretch of a sentence with its numbers and dates blanked: they are compared elsewhere."""
    text = list(sentence[start:end])
    for low, high in numbers:
        if low < end and high > start:
            text[max(low - start, 0) : high - start] = " " * (min(high, end) - max(low, start))
    return "".join(text)


def _may_be_left_out(between: str, bare: str, own: str, skipped: Sequence[Word]) -> bool:
    """Whether `between`, `bare` of numbers, may be left out where the claim has `own`."""
    commas = len(_COMMA.findall(between))
    content = [word for word in skipped if word.folded not in LOOSE]
    if not content:
        lists = any(word.folded in _ADDING for word in words(own))
        return commas % 2 == 0 or bool(_COMMA.search(own)) or lists
    if any(word.folded == "'s" for word in skipped):
        return False
    if all(word.folded in NAME_SUFFIXES and word.capital for word in content):
        return True
    if _is_insertion(between):
        return True
    inside = [word.folded for word in words(bare)]
    kept = [word.folded for word in words(own)]
    while inside and kept and inside[-1] == kept[-1]:
        inside.pop()
        kept.pop()
    if commas or not inside or any(word in _denials() for word in inside):
        return False
    # What begins with a join may hold a verb that what follows belongs to; only names are sure to hold none.
    return inside[-1] in _ADDING or (inside[0] in _ADDING and bare == between and all(word.capital for word in content))


def _is_insertion(between: str) -> bool:
    """Whether a stretch is an insertion between two marks, with at most function words behind it.

    The rest of a name may stand before it: of `Orvik AS, founded in 1998, sold` only `Orvik` counts as a word.
    """
    match = _INSERTION.match(between, behind_name(between))
    if match is None or len(_COMMA.findall(between)) % 2:
        return False
    rest = words(between[match.end() :])
    return all(is_function_word(word, None) for word in rest)


def _is_relative(between: str) -> bool:
    """Whether nothing but the beginning of a relative clause stands between two words."""
    return _RELATIVEBEGINS.fullmatch(between) is not None


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
    leading = [word for word in words(claim) if word.end <= own.start]
    same = bool(earlier and leading) and earlier[-1].folded == leading[-1].folded
    if earlier and not same and _ORDINAL.fullmatch(earlier[-1].folded):
        return False  # `the third tower` is not `the tower`
    while earlier and _is_determiner(earlier[-1]) and not _COMMA.search(sentence, earlier[-1].end, first.start):
        first = earlier.pop()
    if starts and starts >= (earlier[-1].end if earlier else 0):
        return True
    if not earlier or _COMMA.search(sentence, earlier[-1].end, first.start):
        return True
    if earlier[-1].folded in _BEGINNING:
        return True
    while leading and _is_determiner(leading[-1]):
        leading.pop()
    return bool(leading) and leading[-1].folded == earlier[-1].folded and not before


def _is_determiner(word: Word) -> bool:
    return word.folded in _DETERMINERS


def _ends(sentence: str, last: Word, after: Sequence[Word], numbers: Sequence[tuple[int, int]]) -> bool:
    """Whether the claim ends where a phrase of the sentence does."""
    measured = _MEASURED.match(sentence, max(last.end, max((end for _, end in numbers if end >= last.end), default=0)))
    if measured is not None and any(end == measured.start() for _, end in numbers):
        return False
    if _is_restricted(sentence, last):
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


def _is_restricted(sentence: str, last: Word) -> bool:
    """Whether what follows a phrase says for whom or when it holds: `free for children`, `is closed on Mondays`."""
    following = _FOLLOWING.match(sentence, last.end)
    if following is None or fold_word(following[1]) in _ADDING:
        return False
    if fold_word(following[1]) in _RESTRICTING:
        return following[2] is None
    earlier = [word for word in words(sentence) if word.end <= last.start]
    return bool(earlier) and earlier[-1].folded in _STATES


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
