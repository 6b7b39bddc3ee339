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
from itertools import product
from typing import Generic, Literal, TypeVar

from schemacast.claims.bounds import Relation, interval, relation
from schemacast.claims.mentions import RANGE, Amount, Dated, Mentions, Place, closeness, counts_the_same, shared
from schemacast.language.moments import matches
from schemacast.language.scripts import is_unspaced
from schemacast.language.units import convert, meanings

Standing = Literal["stated", "open", "differs", "absent"]
_CLOSER = 8
_MOSTLY = 0.6
_VAGUE_UNITS = frozenset(("degree", "degrees", "Grad", "degré", "degrés", "grado", "grados", "度"))
"""Degrees of what is not said."""
_LINKS = (
    frozenset(("before", "until", "till", "by", "vor", "bis", "avant", "jusqu", "antes", "hasta")),
    frozenset((RANGE,)),
    frozenset(("after", "since", "from", "nach", "seit", "ab", "apres", "depuis", "des", "partir", "desde", "despues")),
)
_LOWER = ("gt", "ge")
_UPPER = ("lt", "le")
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
    series = _in_series(claim, quote)
    if series is not None:
        return [series[0]]
    relate = _once(_relate)
    pairs = [[(at, each) for at, each in enumerate(quote.amounts) if _comparable(own, each)] for own in claim.amounts]
    taken = {
        at
        for own, comparable in zip(claim.amounts, pairs, strict=True)
        for at, each in comparable
        if relate(own, each) == "implied"
    }
    found = []
    for own, comparable in zip(claim.amounts, pairs, strict=True):
        candidates = [each for _, each in comparable]
        free = [each for at, each in comparable if at not in taken]
        held = _hold(own, candidates, free, relate)
        alone = len(free) == 1 and len(claim.amounts) - len(taken) <= 1
        if held.standing == "differs" and held.other is not None and not _answers(own, held.other, alone=alone):
            held = Held(own, "absent")
        found.append(held)
    return found


def held_dates(claim: Mentions, quote: Mentions) -> list[Held[Dated]]:
    """Each date of the claim against the quote."""
    series = _in_series(claim, quote)
    if series is not None:
        return [series[1]]
    taken = {
        index
        for index, stated in enumerate(quote.dates)
        if any(_relate_dates(own, stated) in ("implied", "open") for own in claim.dates)
    }
    found = []
    for own in claim.dates:
        comparable = [(at, each) for at, each in enumerate(quote.dates) if _share_parts(own, each)]
        free = [each for at, each in comparable if at not in taken]
        candidates = [each for _, each in comparable]
        held = _hold(own, candidates, free, _relate_dates)
        fits = any(_relate_dates(own, each) != "excluded" for each in candidates)
        if held.other is not None and not fits and not _dates_answer(own.place, held.other.place):
            held = Held(own, "absent")
        found.append(held)
    return found


def _in_series(claim: Mentions, quote: Mentions) -> tuple[Held[Amount], Held[Dated]] | None:
    """A number and a date of a claim against a series: `5 million in 2019 and 7 million in 2020`.

    What belongs together there is told by the order alone, since the later members leave the words out. None when the
    quote is no series of numbers of one thing, each with its date, or the claim's date is not one of them.
    """
    if len(claim.amounts) != 1 or len(claim.dates) != 1 or len(quote.amounts) != len(quote.dates) or not quote.dates:
        return None
    couples = list(zip(quote.amounts, quote.dates, strict=True))
    ordered = [start for amount, dated in couples for start in sorted((amount.start, dated.start))]
    first = quote.amounts[0]
    known = {*first.place.before, *first.place.after}
    alike = all(
        each.unit == first.unit and each.place.after[:1] == first.place.after[:1] and known >= set(each.place.before)
        for each in quote.amounts
    )
    same_side = len({amount.start < dated.start for amount, dated in couples}) == 1
    if len(couples) < 2 or ordered != sorted(ordered) or not alike or not same_side:
        return None
    own, when = claim.amounts[0], claim.dates[0]
    meant = [(amount, dated) for amount, dated in couples if _relate_dates(when, dated) == "implied"]
    if len(meant) != 1 or not _comparable(own, meant[0][0]):
        return None
    amount, dated = meant[0]
    said: dict[Relation, Standing] = {"implied": "stated", "open": "open", "excluded": "differs"}
    return Held(own, said[_relate(own, amount)], amount), Held(when, "stated", dated)


def _once(relate: Callable[[M, M], Relation]) -> Callable[[M, M], Relation]:
    """The same, worked out once for each two mentions; those must outlive it."""
    known: dict[tuple[int, int], Relation] = {}

    def remembered(own: M, other: M) -> Relation:
        pair = id(own), id(other)
        if pair not in known:
            known[pair] = relate(own, other)
        return known[pair]

    return remembered


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
    if own.kind == "ordinal":
        return not own.place.after and not other.place.after
    if own.soft or other.soft:
        return False
    if own.kind == "name" or other.kind == "name":
        return own.place.before[:1] == other.place.before[:1]
    around = _around(own.place, other.place)
    if own.place.after and other.place.after and not is_unspaced(own.place.after[0][0]):
        # They count different things, or one thing by two names.
        same_verb = own.place.before[:1] == other.place.before[:1] != () and shared(own.place, other.place) > 1
        return alone and (around > 1 or same_verb)
    if own.unit is not None and other.unit is not None:
        return shared(own.place, other.place) > 0 or not own.place.sentence
    return (around > 0 or alone) and shared(own.place, other.place) > 0


def _dates_answer(own: Place, other: Place) -> bool:
    """Whether a date that differs dates the same thing, and not another one of the same subject."""
    if not own.sentence or own.before[:1] == other.before[:1] != () or own.after[:1] == other.after[:1] != ():
        return True
    return _around(own, other) > 1 or shared(own, other) >= _MOSTLY * len(own.sentence)


def _around(own: Place, other: Place) -> int:
    """How many of the words beside two mentions are the same."""
    return len(set(own.after + own.before) & set(other.after + other.before))


def _comparable(own: Amount, other: Amount) -> bool:
    """Whether two numbers are of one kind, so that one may stand for the other."""
    if own.kind != other.kind:
        if "ordinal" in (own.kind, other.kind):
            return False
        return own.place.before[:1] == other.place.before[:1] or _relate(own, other) == "implied"
    if own.kind == "name":
        return bool(own.place.before) and own.place.before[0] in other.place.before[:1]
    if own.kind == "ordinal":
        bare = not own.place.after and not other.place.after and own.place.before[:1] == other.place.before[:1] != ()
        return bare or counts_the_same(own.place, other.place) or bool(set(own.values) & set(other.values))
    if own.unit is not None and other.unit is not None:
        return _same_dimension(own.unit, other.unit) or bool(set(own.values) & set(other.values))
    if own.unit is not None or other.unit is not None:
        return bool(set(own.values) & set(other.values))
    return True


def _relate(own: Amount, other: Amount) -> Relation:
    """What the quote's number says of the claim's, units and comparators included."""
    unsure = 1 < len(own.values) == len(other.values)
    mine_may, theirs_may = (own.values, other.values) if unsure else (own.likely, other.likely)
    vague = own.unit in _VAGUE_UNITS or other.unit in _VAGUE_UNITS
    stated = theirs_may if vague else _in_unit(theirs_may, other.unit, own.unit)
    if not stated:
        return "excluded"
    if "tied" in (own.bound, other.bound) and own.bound != other.bound:
        return "open" if set(stated) & set(mine_may) else "excluded"
    if not set(stated) & set(mine_may) and own.bound == other.bound != "approx":
        return "excluded"  # with a comparator too: who writes `at least 5` for `at least 6` has changed the number
    if (own.bound in _LOWER and other.bound in _UPPER) or (own.bound in _UPPER and other.bound in _LOWER):
        return "excluded"
    if _counts_units(own, other) or _counts_units(other, own):
        return "excluded"
    couples = zip(mine_may, stated, strict=False) if unsure else product(mine_may, stated)
    relations = {relation(interval(mine, own.bound), interval(theirs, other.bound)) for mine, theirs in couples}
    found: Relation = next((each for each in ("implied", "open") if each in relations), "excluded")
    if found == "implied" and not set(stated) & set(mine_may):
        return "open"  # `at least 1.5` implies `at least 1.3`, but not where it is a threshold
    if found == "implied" and own.whole != other.whole:
        return "open"  # of `14 of the 22 pillars` nothing is said of 22
    if found == "implied" and vague and own.unit != other.unit:
        return "open"
    if found == "implied" and (own.unit is None) != (other.unit is None):
        return "open"  # `in 330` is not what `330 metres` states
    return found


def _counts_units(one: Amount, other: Amount) -> bool:
    """Whether one number has a unit where the other has a word of its own: `40 euros`, `40 cents`."""
    if one.unit is None or other.unit is not None or other.next is None:
        return False
    return other.next not in one.place.after and not other.next.startswith(one.unit)


def _in_unit(values: Sequence[Fraction], unit: str | None, to: str | None) -> tuple[Fraction, ...]:
    """The values of the quote's number in the claim's unit; none when they do not convert."""
    if unit is None or to is None or unit == to:
        return tuple(values)
    converted = (convert(value, unit, to) for value in values)
    return tuple(value for value in converted if value is not None)


@lru_cache(maxsize=512)
def _same_dimension(one: str, other: str) -> bool:
    return bool({each.dimension for each in meanings(one)} & {each.dimension for each in meanings(other)})


def _share_parts(own: Dated, other: Dated) -> bool:
    """Whether two dates state a part in common, so that they can be compared at all."""
    if own.name is not None and other.name is not None:
        return own.name[0] == other.name[0]
    if own.name is not None or other.name is not None:
        return _decade_and_year(own, other) is not None
    return any(
        getattr(mine, part) is not None and getattr(theirs, part) is not None
        for mine in own.moments
        for theirs in other.moments
        for part in _PARTS
    )


def _decade_and_year(own: Dated, other: Dated) -> Relation | None:
    """What a year says of a decade, or a decade of a year; None when the two are not that."""
    named, dated = (own, other) if own.name is not None else (other, own)
    years = {moment.year for moment in dated.moments if moment.year is not None}
    if named.name is None or named.name[0] != "decade" or not years:
        return None
    if not any(named.name[1] <= year < named.name[1] + 10 for year in years):
        return "excluded"
    return "implied" if own is named else "open"


def _relate_dates(own: Dated, other: Dated) -> Relation:
    """What the quote's date says of the claim's: the same or more precise, less precise, or another."""
    sides = [next((side for side, words in enumerate(_LINKS) if each.link in words), None) for each in (own, other)]
    opposed = None not in sides and sides[0] != sides[1]
    if own.name is not None and other.name is not None:
        return "excluded" if own.name != other.name or (opposed and RANGE not in (own.link, other.link)) else "implied"
    if own.name is not None or other.name is not None:
        return _decade_and_year(own, other) or "open"
    if not any(matches(theirs, mine) for mine in own.moments for theirs in other.moments):
        return "excluded"
    if opposed:
        return "open" if RANGE in (own.link, other.link) else "excluded"
    precise = any(
        all(getattr(mine, part) is None or getattr(theirs, part) is not None for part in _PARTS)
        for mine in own.moments
        for theirs in other.moments
        if matches(theirs, mine)
    )
    return "implied" if precise and sides[0] == sides[1] else "open"
