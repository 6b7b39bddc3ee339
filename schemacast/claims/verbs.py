"""The forms of verbs, and whether the auxiliaries beside them say the same in two sentences.

`was the director` is not `is the director`, and `was sued` is not `sued`, although the other words are the same. Both
are told by the auxiliary that stands between a word and the one before it: its time, and whether it makes a passive.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from schemacast.claims.function_words import IRREGULAR, listed
from schemacast.claims.qualifying_words import TENSES
from schemacast.claims.words import Word, words

BE = listed("is are am was were be been being")
_NO_PAST = listed("need seed feed weed deed breed speed indeed exceed proceed succeed agreed")
_PASSIVE = BE | listed("wurde wurden worden wird werden ete etre fut furent fue fueron sido ser")


@lru_cache(maxsize=4096)
def form(folded: str) -> str:
    """Whether an English word is a past form, an `-ing` form, or neither."""
    if folded in IRREGULAR:
        base = IRREGULAR[folded]
        return "base" if folded == base or folded == base + "s" else "past"
    if folded.endswith("ing") and len(folded) > 5:
        return "ing"
    if folded.endswith("ed") and len(folded) > 3 and folded not in _NO_PAST:
        return "past"
    return "base"


def verb_faults(claim: str, sentence: str, pairs: Sequence[tuple[Word, Word]]) -> list[str]:
    """`tense` and `voice` where the auxiliaries before words that stand in both sentences differ.

    `pairs` are the words of the claim with those of the sentence, in order.
    """
    faults: dict[str, None] = {}
    end_mine = end_theirs = 0
    for mine, theirs in pairs:
        own = _auxiliaries(claim[end_mine : mine.start])
        other = _auxiliaries(sentence[end_theirs : theirs.start])
        end_mine, end_theirs = mine.end, theirs.end
        times = [next((TENSES[word] for word in reversed(each) if word in TENSES), None) for each in (own, other)]
        if times[0] is not None and times[1] is not None and times[0] != times[1]:
            faults["tense"] = None
        passive = [bool(each) and each[-1] in _PASSIVE for each in (own, other)]
        if passive[0] != passive[1] and form(mine.folded) == "past" and not mine.capital:
            faults["voice"] = None
    return list(faults)


def _auxiliaries(gap: str) -> list[str]:
    return [word.folded for word in words(gap) if word.folded in TENSES or word.folded in _PASSIVE]
