"""What a claim leaves out of a sentence between, before and behind its words, and whether that changes what is said.

It may leave out an insertion between two marks, a statement that `and` adds, a date at the beginning, the end of the
sentence after a whole phrase. It may not begin or end inside a phrase (`the captain of Orvik`, `ship models`), skip a
word that others depend on, lose a restriction (`free for children`) or a part of a measure (`12 metres below`), or
exchange the preposition between two words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from schemacast.claims.function_words import listed
from schemacast.claims.negation_words import NEGATIONS
from schemacast.claims.qualifying_words import LOOSE, NAME_SUFFIXES, RELATING, TENSES
from schemacast.claims.relative import behind_name, is_sure_relative
from schemacast.claims.words import Word, is_function_word, words
from schemacast.language.units import fold_word

Place = tuple[int, int]

_DETERMINERS = listed(
    "the a an this that its their his her der die das den dem ein eine le la les l un une el los las una"
)
_ADDING = listed("and but und aber sowie et mais y e pero")
"""What adds one statement to another; of two that `or` joins neither is stated."""
_BEGINNING = _ADDING | listed(
    "yet while whereas although though because since denn wahrend obwohl weil bien car aunque"
)
_DEGREES = listed("as too so how zu so wie trop si tan como")
"""Words before another that make less or more of it: `too big`, `as safe as`."""
_WHERE = listed("in on at near around across among into onto upon within im an am auf bei dans en chez sur sous")
_AT = listed("in on at im an am en dans")
"""Prepositions between which languages waver."""
_INSERTION = re.compile(r"\s*[,(\[–—、（].*[,)\]–—、）]", re.DOTALL)
_RELATIVE_BEGINS = re.compile(r"\s*,\s*(?:which|who|that|der|die|das|welche[rs]?|qui|que|quien)\s+(?:\w{1,3}\s+)?")
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
_RESTRICTING = listed("""
    for except unless among without only under with over above below beyond older younger fur ausser unter mit ohne uber
    pour sauf sous avec para salvo excepto bajo con sin
""")
_WHICH = listed("who whose whom which that where dont qui que quien quienes cuyo cuya donde")
"""What begins a relative clause that says which ones are meant, when no comma parts it from them."""
_WHICH_BEHIND_COMMA = re.compile(
    r"[ \u00a0]*, (?:der|die|das|den|dem|denen|deren|dessen|welche[rnsm]?)[ \u00a0](?![A-ZÄÖÜ])"
)
"""The same in German, where a comma stands before either kind."""
_STATES = listed("is are am ist sind est sont es son esta estan")
_ALTERNATIVES = listed("or oder ou o 's")
_LINE_ENDS = re.compile(r"[ \t\u00a0]*[\r\n]+\s*(?:[\[@#*•·>|-]|\d{1,2}[:.]\d\d|[^\W\d_][\w.' -]{0,24}:\s)")
"""The end of a line where the next is one of its own: an item, a stamped or a labelled line, not wrapped prose."""
_COMMA = re.compile(r"[,;:、–—()](?!\d)")


@dataclass(frozen=True, slots=True)
class Laid:
    """A claim laid along a sentence: the words that count on both sides, which of them go together, and where the
    sentence has numbers and dates (`dates` are among the `numbers`).
    """

    claim: str
    sentence: str
    mine: Sequence[Word]
    theirs: Sequence[Word]
    pairs: Sequence[tuple[int, int]]
    numbers: Sequence[Place]
    dates: Sequence[Place]


def edge_faults(laid: Laid) -> list[str]:
    """`left_out`, `begins_inside` and `ends_inside`, as far as they hold."""
    faults: list[str] = []
    if not all(_joins(laid, one, other) for one, other in pairwise(laid.pairs)):
        faults.append("left_out")
    first = laid.pairs[0][1]
    if not _in_relative(laid) and not _begins(
        laid, laid.theirs[first], laid.theirs[:first], laid.mine[laid.pairs[0][0]]
    ):
        faults.append("begins_inside")
    last = laid.pairs[-1][1]
    if not _ends(laid.sentence, laid.theirs[last], laid.theirs[last + 1 :], laid.numbers):
        faults.append("ends_inside")
    return faults


def _joins(laid: Laid, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether what stands between two words of the sentence may be left out."""
    (at, to), (next_at, next_to) = one, other
    start, end = laid.theirs[to].end, laid.theirs[next_to].start
    between = laid.sentence[start:end]
    own = laid.claim[laid.mine[at].end : laid.mine[next_at].start]
    if _is_relative(between) and not any(map(_relates, laid.mine[: at + 1])):
        tail = laid.sentence[end : laid.theirs[laid.pairs[-1][1]].start]
        if not _COMMA.search(tail):
            return True
    if _is_sure(laid, one, other):
        return True
    skipped = [word for word in laid.theirs[to + 1 : next_to] if word.folded not in LOOSE]
    if not skipped:
        return _hangs_together(between, own)
    return _may_be_left_out(between, _without_numbers(laid.sentence, start, end, laid.numbers), own, skipped)


def _is_sure(laid: Laid, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether a relative clause about the claim's first name begins between two words."""
    start, end = laid.theirs[one[1]].end, laid.theirs[other[1]].start
    between = laid.sentence[start:end]
    bare = _without_numbers(laid.sentence, start, end, laid.numbers)
    name = laid.theirs[laid.pairs[0][1] : one[1] + 1]
    begun = bare[behind_name(between) :]
    return is_sure_relative(laid.sentence, name, begun, laid.theirs[other[1]], counted=bare != between)


def _in_relative(laid: Laid) -> bool:
    return any(_is_sure(laid, one, other) for one, other in pairwise(laid.pairs))


def _hangs_together(between: str, own: str) -> bool:
    """Whether two words that only function words part are parted alike in the claim."""
    theirs, mine = ([word.folded for word in words(text)] for text in (between, own))
    if any(word in _DEGREES and word not in mine for word in theirs):
        return False
    there, here = _WHERE.intersection(theirs), _WHERE.intersection(mine)
    if there and here and not (there <= here or here <= there or there | here <= _AT):
        return False
    commas = len(_COMMA.findall(between))
    return commas % 2 == 0 or bool(_COMMA.search(own)) or any(word in _ADDING for word in mine)


def _without_numbers(sentence: str, start: int, end: int, numbers: Sequence[Place]) -> str:
    """A stretch of a sentence with its numbers and dates blanked: they are compared elsewhere."""
    text = list(sentence[start:end])
    for low, high in numbers:
        if low < end and high > start:
            text[max(low - start, 0) : high - start] = " " * (min(high, end) - max(low, start))
    return "".join(text)


def _may_be_left_out(between: str, bare: str, own: str, skipped: Sequence[Word]) -> bool:
    """Whether `between`, `bare` of numbers, with the words `skipped` may be left out where the claim has `own`."""
    if any(word.folded == "'s" for word in skipped):
        return False
    if all(word.folded in NAME_SUFFIXES and word.capital for word in skipped):
        return True
    if is_insertion(between):
        return True
    inside = [word.folded for word in words(bare)]
    kept = [word.folded for word in words(own)]
    while inside and kept and inside[-1] == kept[-1]:
        inside.pop()
        kept.pop()
    if _COMMA.search(between) or not inside or any(word in _denials() for word in inside):
        return False
    # What begins with a join may hold a verb that what follows belongs to; only names are sure to hold none.
    return inside[-1] in _ADDING or (inside[0] in _ADDING and bare == between and all(word.capital for word in skipped))


def is_insertion(between: str) -> bool:
    """Whether a stretch is an insertion between two marks, with at most function words behind it.

    The rest of a name may stand before it: of `Orvik AS, founded in 1998, sold` only `Orvik` counts as a word.
    """
    match = _INSERTION.match(between, behind_name(between))
    if match is None or len(_COMMA.findall(between)) % 2:
        return False
    return all(is_function_word(word, None) for word in words(between[match.end() :]))


def _is_relative(between: str) -> bool:
    """Whether nothing but the beginning of a relative clause stands between two words."""
    return _RELATIVE_BEGINS.fullmatch(between) is not None


def _relates(word: Word) -> bool:
    return any(word.folded in relating for relating in RELATING.values())


@cache
def _denials() -> frozenset[str]:
    return frozenset().union(*(each.plain for each in NEGATIONS.values()))


def _begins(laid: Laid, first: Word, before: Sequence[Word], own: Word) -> bool:
    """Whether the claim begins where the sentence or a part of it does, not inside a phrase."""
    sentence = laid.sentence
    earlier = [word for word in words(sentence) if word.end <= first.start]
    leading = [word for word in words(laid.claim) if word.end <= own.start]
    same = bool(earlier and leading) and earlier[-1].folded == leading[-1].folded
    if earlier and not same and _ORDINAL.fullmatch(earlier[-1].folded):
        return False  # `the third tower` is not `the tower`
    start = first.start
    while earlier and (earlier[-1].folded in _DETERMINERS or _inside(earlier[-1], laid.numbers)):
        if _COMMA.search(sentence, earlier[-1].end, start) or _inside(earlier[-1], laid.dates):
            return True
        start = earlier.pop().start
    if not earlier or _COMMA.search(sentence, earlier[-1].end, start) or earlier[-1].folded in _BEGINNING:
        return True
    while leading and leading[-1].folded in _DETERMINERS:
        leading.pop()
    return bool(leading) and leading[-1].folded == earlier[-1].folded and not before


def _inside(word: Word, places: Sequence[Place]) -> bool:
    return any(start <= word.start < end for start, end in places)


def _ends(sentence: str, last: Word, after: Sequence[Word], numbers: Sequence[Place]) -> bool:
    """Whether the claim ends where a phrase of the sentence does. A number right behind its last word goes with it."""
    end = last.end
    if _LINE_ENDS.match(sentence, end):
        return True
    for low, high in sorted(numbers):
        gap = words(sentence[end:low]) if low >= end else ()
        if low >= end and not _COMMA.search(sentence, end, low) and all(map(_holds_nothing, gap)):
            end = high
    if end > last.end and _MEASURED.match(sentence, end):
        return False
    if _is_restricted(sentence, last, last.end) or (end > last.end and _is_restricted(sentence, last, end)):
        return False
    for word in after:
        if word.start < end:
            continue
        if _COMMA.search(sentence, end, word.start):
            return True
        if word.folded in NAME_SUFFIXES and word.capital:
            end = word.end
            continue
        if word.folded in _ALTERNATIVES:
            return False
        between = [each for each in words(sentence) if end <= each.start < word.start]
        return bool(between) or is_function_word(word, None) or word.unspaced
    return True


def _holds_nothing(word: Word) -> bool:
    empty = is_function_word(word, None) or word.folded in TENSES
    return empty and word.folded not in _ADDING and not _relates(word)


def _is_restricted(sentence: str, last: Word, end: int) -> bool:
    """Whether what follows a phrase that ends at `end` says for whom or when it holds: `free for children`, `is closed
    on Mondays`, `patients who smoke`."""
    if _WHICH_BEHIND_COMMA.match(sentence, end):
        return True
    following = _FOLLOWING.match(sentence, end)
    if following is None or fold_word(following[1]) in _ADDING:
        return False
    if fold_word(following[1]) in _WHICH:
        return True
    if fold_word(following[1]) in _RESTRICTING:
        return following[2] is None or fold_word(following[1]) not in ("for", "fur", "pour", "para")
    earlier = [word for word in words(sentence) if word.end <= last.start]
    return bool(earlier) and earlier[-1].folded in _STATES
