"""Whether a quote states the numbers and dates of a claim, states them otherwise, or says nothing of them.

Each mention of the claim is held against the one of the quote that corresponds to it best. An equal value that
stands with something else does not help: `20 ships and 6 trucks` is not what `6 ships and 20 trucks` says. What
corresponds to nothing is absent, which is no contradiction but no support either; a weaker statement (`at least
6` for 6) leaves the claim open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Generic, Literal, TypeVar

from schemacast.claims.bounds import Relation, interval, relation
from schemacast.claims.mentions import RANGE, Amount, Dated, Mentions, Place, closeness, counts_the_same, shared
from schemacast.language.moments import Moment, matches
from schemacast.language.units import convert, meanings

Standing = Literal["stated", "open", "differs", "absent"]
_CLOSER = 8
_LINKS = (
    frozenset(("before", "until", "till", "by", "vor", "bis", "avant", "antes", "hasta")),
    frozenset((RANGE,)),
    frozenset(("after", "since", "from", "nach", "seit", "ab", "apres", "depuis", "des", "desde", "despues")),
)
_PARTS = ("year", "month", "day", "hour", "minute")

M = TypeVar("M", Amount, Dated)


@dataclass(frozen=True, slots=True)
class Held(Generic[M]):
    """A mention of the claim, how the quote stands to it, and the mention of the quote that says so."""

    mention: M
    standing: Standing
    other: M | None = None


def held_amounts(claim: Mentions, quote: Mentions) -> list[Held[Amount]]:
    """Each number of the claim against the quote."""
    taken = {
        index
        for index, stated in enumerate(quote.amounts)
        if any(_comparable(own, stated) and _relate(own, stated) == "implied" for own in claim.amounts)
    }
    found = []
    for own in claim.amounts:
        candidates = [each for each in quote.amounts if _comparable(own, each)]
        free = [each for each in candidates if quote.amounts.index(each) not in taken]
        held = _hold(own, candidates, free, _relate)
        alone = len(free) == 1 and len(claim.amounts) - len(taken) <= 1
        if held.standing == "differs" and held.other is not None and not _answers(own, held.other, alone=alone):
            held = Held(own, "absent")
        found.append(held)
    return found


def held_dates(claim: Mentions, quote: Mentions) -> list[Held[Dated]]:
    """Each date of the claim against the quote."""
    taken = {
        index
        for index, stated in enumerate(quote.dates)
        if any(_relate_dates(own, stated) in ("implied", "open") for own in claim.dates)
    }
    found = []
    for own in claim.dates:
        candidates = [each for each in quote.dates if _share_parts(own.moments, each.moments)]
        free = [each for each in candidates if quote.dates.index(each) not in taken]
        found.append(_hold(own, candidates, free, _relate_dates))
    return found


def _hold(own: M, candidates: Sequence[M], free: Sequence[M], relate: Callable[[M, M], Relation]) -> Held[M]:
    """The verdict on one mention from those that may correspond to it."""
    if not candidates:
        return Held(own, "absent")
    ranked = sorted(candidates, key=lambda each: -closeness(own.place, each.place))
    fitting = [each for each in ranked if relate(own, each) == "implied"]
    if not fitting:
        fitting = [each for each in ranked if relate(own, each) == "open"]
    if fitting:
        best = fitting[0]
        rival = next((each for each in ranked if relate(own, each) == "excluded"), None)
        if rival is not None and _belongs_elsewhere(own.place, best.place, rival.place):
            return Held(own, "differs", rival)
        return Held(own, "stated" if relate(own, best) == "implied" else "open", best)
    rivals = sorted(free, key=lambda each: -closeness(own.place, each.place))
    if not rivals:
        return Held(own, "absent")
    return Held(own, "differs", rivals[0])


def _belongs_elsewhere(own: Place, fitting: Place, rival: Place) -> bool:
    """Whether the value that fits stands with something else, and the rival with what the claim speaks of."""
    gap = closeness(own, rival) - closeness(own, fitting)
    if gap <= 0:
        return False
    around = set(own.after + own.before)
    if around & set(fitting.after + fitting.before) < around & set(rival.after + rival.before) and gap >= _CLOSER:
        return True
    if counts_the_same(own, rival) and not counts_the_same(own, fitting):
        return True
    return gap >= 10 and set(own.before[:1]) <= set(rival.before[:1]) and own.before[:1] != fitting.before[:1]


def _answers(own: Amount, other: Amount, *, alone: bool) -> bool:
    """Whether a number that differs is what the quote says instead, and not just another number."""
    if counts_the_same(own.place, other.place):
        return True
    if own.soft or other.soft or own.kind == "ordinal":
        return False
    if own.kind == "name" or other.kind == "name":
        return own.place.before[:1] == other.place.before[:1]
    if own.unit is not None and other.unit is not None:
        return shared(own.place, other.place) > 0 or not own.place.sentence
    around = set(own.place.after + own.place.before) & set(other.place.after + other.place.before)
    return (bool(around) or alone) and shared(own.place, other.place) > 0


def _comparable(own: Amount, other: Amount) -> bool:
    """Whether two numbers are of one kind, so that one may stand for the other."""
    if own.kind != other.kind:
        if "ordinal" in (own.kind, other.kind):
            return False
        return own.place.before[:1] == other.place.before[:1] or _relate(own, other) == "implied"
    if own.kind == "name":
        return bool(own.place.before) and own.place.before[0] in other.place.before[:1]
    if own.kind == "ordinal":
        return counts_the_same(own.place, other.place) or bool(set(own.values) & set(other.values))
    if own.unit is not None and other.unit is not None:
        return _same_dimension(own.unit, other.unit) or bool(set(own.values) & set(other.values))
    if own.unit is not None or other.unit is not None:
        return bool(set(own.values) & set(other.values))
    return True


def _relate(own: Amount, other: Amount) -> Relation:
    """What the quote's number says of the claim's, units and comparators included."""
    unsure = len(own.values) > 1 and len(other.values) > 1
    mine_may, theirs_may = (own.values, other.values) if unsure else (own.likely, other.likely)
    stated = _in_unit(theirs_may, other.unit, own.unit)
    if not stated:
        return "excluded"
    if "tied" in (own.bound, other.bound) and own.bound != other.bound:
        return "open" if set(stated) & set(mine_may) else "excluded"
    relations = {
        relation(interval(mine, own.bound), interval(theirs, other.bound)) for mine in mine_may for theirs in stated
    }
    found: Relation = next((each for each in ("implied", "open") if each in relations), "excluded")
    if found == "implied" and (own.unit is None) != (other.unit is None) and own.unit is not None:
        return "open"
    return found


def _in_unit(values: Sequence[Fraction], unit: str | None, to: str | None) -> tuple[Fraction, ...]:
    """The values of the quote's number in the claim's unit; none when they do not convert."""
    if unit is None or to is None or unit == to:
        return tuple(values)
    converted = (convert(value, unit, to) for value in values)
    return tuple(value for value in converted if value is not None)


@lru_cache(maxsize=512)
def _same_dimension(one: str, other: str) -> bool:
    return bool({each.dimension for each in meanings(one)} & {each.dimension for each in meanings(other)})


def _share_parts(own: Sequence[Moment], other: Sequence[Moment]) -> bool:
    """Whether two dates state a part in common, so that they can be compared at all."""
    return any(
        getattr(mine, part) is not None and getattr(theirs, part) is not None
        for mine in own
        for theirs in other
        for part in _PARTS
    )


def _relate_dates(own: Dated, other: Dated) -> Relation:
    """What the quote's date says of the claim's: the same or more precise, less precise, or another."""
    if not any(matches(theirs, mine) for mine in own.moments for theirs in other.moments):
        return "excluded"
    sides = [next((side for side, words in enumerate(_LINKS) if each.link in words), None) for each in (own, other)]
    if sides[0] is not None and sides[1] is not None and sides[0] != sides[1]:
        return "open" if RANGE in (own.link, other.link) else "excluded"
    precise = any(
        all(getattr(mine, part) is None or getattr(theirs, part) is not None for part in _PARTS)
        for mine in own.moments
        for theirs in other.moments
        if matches(theirs, mine)
    )
    return "implied" if precise and sides[0] == sides[1] else "open"
