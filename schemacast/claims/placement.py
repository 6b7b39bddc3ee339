"""Whether the numbers and dates of a claim stand beside the same words in its source.

Numbers and dates are compared by value and laid along no sentence, since a date may open a sentence as well as end
it. What may not change is what they belong to: of `closed in March 2021 and reopened in June 2022` nothing reopened
in March 2021. So a mention that stands on the other side of its word than in the claim is misplaced when something
else is said in between or another of its kind is there, and a date is when such a one stands nearer.
"""

from __future__ import annotations

from collections.abc import Sequence

from schemacast.claims.compare import Held
from schemacast.claims.mentions import Amount, Dated, Mentions
from schemacast.claims.words import Word, is_function_word, words

Pairs = Sequence[tuple[Word, Word]]
Beside = Sequence[Held[Amount] | Held[Dated]]
_Placed = Word | Amount | Dated


def misplaced(
    held: Held[Amount] | Held[Dated],
    stated: Mentions,
    pairs: Pairs,
    sentence: str,
    language: str | None,
    beside: Beside = (),
) -> bool:
    """Whether a mention that the sentence states belongs there to other words than in the claim.

    `stated` are the sentence's mentions, `pairs` the claim's words with those of the sentence, in order, and `beside`
    all that was held against each other: a date belongs to the number before it too.
    """
    other = held.other
    coupled: list[tuple[_Placed, _Placed]] = [pair for pair in pairs if not is_function_word(pair[0], language)]
    if other is None or not coupled:
        return False
    dated = isinstance(other, Dated)
    matched = [(each.mention, each.other) for each in beside if each.other is not None]
    if dated:
        coupled += [pair for pair in matched if isinstance(pair[1], Amount)]
    coupled.sort(key=lambda pair: pair[1].start)
    before = [theirs for mine, theirs in coupled if mine.end <= held.mention.start]
    after = [theirs for mine, theirs in coupled if mine.start >= held.mention.end]
    same_kind: Sequence[Amount | Dated] = stated.dates if dated else stated.amounts
    rivals = [each for each in same_kind if each.start != other.start]
    more = _unsaid(sentence, stated, pairs, language)
    crossed = (before and other.end <= before[-1].start) or (after and after[0].end <= other.start)
    if not crossed:
        if not dated or not before:
            return False  # what a number counts stands beside it
        used = {theirs.start for _, theirs in matched}
        more += [each.start for each in stated.amounts if each.start not in used]
        nearer = any(before[-1].end <= each.start and each.end <= other.start for each in rivals)
        return nearer and _any_between(more, before[-1].end, other.start)
    if rivals:
        return True
    earlier = [theirs.end for _, theirs in coupled if theirs.end <= other.start]
    later = [theirs.start for _, theirs in coupled if theirs.start >= other.end]
    if earlier and later:
        return _any_between(more, earlier[-1], later[0])
    return _any_between(more, coupled[0][1].start, coupled[-1][1].end)


def _unsaid(sentence: str, stated: Mentions, pairs: Pairs, language: str | None) -> list[int]:
    """Where the words of a sentence stand that the claim does not have, names and numbers aside."""
    known = {theirs.start for _, theirs in pairs}
    numbers = [(each.start, each.end) for each in stated.amounts] + [(each.start, each.end) for each in stated.dates]
    return [
        word.start
        for word in words(sentence)
        if word.start not in known
        and not (word.capital or is_function_word(word, language))
        and not any(start < word.end and word.start < end for start, end in numbers)
    ]


def _any_between(places: Sequence[int], start: int, end: int) -> bool:
    return any(start <= place < end for place in places)
