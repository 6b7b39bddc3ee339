"""What a comparator does to a number: the set of values that remain.

`more than 6`, `at least 6` and `6` are three statements about one numeral, and `no fewer than 6` is no denial. A
number with its comparator is an interval; whether one statement implies another, leaves it open or excludes it is
then arithmetic. A hedge (`about 6`) leaves a tenth on either side; a number tied to another (`3 to 5`) is only
ever equal to one tied likewise.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Literal

from schemacast.language.units import fold_word

Bound = Literal["exact", "approx", "gt", "ge", "lt", "le", "tied"]
Relation = Literal["implied", "open", "excluded"]

_LISTED: dict[Bound, str] = {
    "gt": "more than|greater than|larger than|bigger than|higher than|older than|longer than|heavier than|taller than"
    "|over|above|beyond|exceeding|exceeds|exceed|exceeded|in excess of|upwards of|upward of|north of|or over|and over"
    "|and above|mehr als|uber|oberhalb von|grosser als|hoher als|alter als|langer als|schwerer als|und daruber"
    "|plus de|plus que|plus d'|plus des|superieur a|superieure a|superieurs a|depassant|depasse"
    "|au dela de|au dessus de"
    "|mas de|mas que|mas del|poco mas de|superior a|superiores a|mayor de|mayor que|mayor a|mayores de|mayores que"
    "|por encima de|supera|superando|piu di|oltre|mais de|acima de|meer dan|>|＞"
    "|超|を超え|を上回|超过|超過|多于|大于|高于|逾|초과|넘게|넘는",
    "ge": "at least|at the least|no less than|no fewer than|not less than|not fewer than|minimum|minimum of"
    "|min|min of"
    "|or more|or older|or above|or higher|or greater|or larger|or later|or better|or longer|or heavier"
    "|and up|and older"
    "|and more|plus|upwards|starting at|starting from|greater than or equal to|mindestens|mind"
    "|wenigstens|zumindest|ab"
    "|nicht weniger als|nicht unter|grosser gleich|oder mehr|oder alter|oder hoher|oder daruber|oder langer|und mehr"
    "|und alter|und langer|und hoher|aufwarts|au moins|d'au moins|au minimum|a partir de|minimum de|pas moins de"
    "|superieur ou egal a|ou plus|et plus|ou davantage|et davantage|ou superieur|et au dela|al menos|por lo menos"
    "|como minimo|minimo|minimo de|no menos de|mayor o igual a|mayor o igual que|o mas|y mas|o mayor|o mayores"
    "|o superior|en adelante|almeno|pelo menos|minstens|ten minste|>=|≥|≧|⩾"
    "|+|＋|以上|少なくとも|最低|最少|至少|이상|최소",
    "lt": "less than|fewer than|smaller than|lower than|younger than|shorter than|lighter than|under|below|south of"
    "|nearly|almost|close to|not quite|barely|or under|and under|and below|weniger als|unter"
    "|unterhalb von|kleiner als"
    "|niedriger als|junger als|kurzer als|knapp|fast|beinahe|nahezu|nicht ganz|moins de|moins que|moins d'|moins des"
    "|inferieur a|inferieure a|inferieurs a|au dessous de|en dessous de|presque|pas tout a fait|quasiment|menos de"
    "|menos que|menos del|poco menos de|inferior a|inferiores a|menor de|menor que|menor a|menores de|menores que"
    "|por debajo de|casi|no llega a|no llegan a|meno di|menos de|minder dan|<|＜"
    "|未満|未满|足らず|を下回|を切|不到|少于|小于|低于|미만",
    "le": "at most|at the most|no more than|not more than|up to|upto|as many as|as much as|maximum|maximum of"
    "|max|max of"
    "|or less|or fewer|or younger|or below|or lower|or smaller|or shorter|tops|less than or equal to"
    "|hochstens|maximal"
    "|bis zu|bis|nicht mehr als|nicht uber|kleiner gleich|oder weniger|oder junger|oder niedriger"
    "|oder darunter|au plus"
    "|d'au plus|au maximum|jusqu'a|maximum de|pas plus de|inferieur ou egal a|ou moins|et moins"
    "|ou inferieur|a lo sumo"
    "|como maximo|maximo|maximo de|hasta|no mas de|menor o igual a|menor o igual que|o menos|o inferior|o menor"
    "|al massimo|no maximo|hoogstens|maximaal|<=|=<|≤|≦|⩽|以下|以内|之内|最大|最多|多くとも|まで|이하|최대|이내",
    "tied": "to|through|thru|until|till|and|or|between|-|–|‐|‑|‒|—|−|~|～|〜|...|…|..|÷|und|oder|zwischen|et|ou"
    "|entre|a|à"
    "|y|o|e|から|至|到|부터|ないし|乃至|もしくは|若しくは|あるいは|か|または|又は|或|或者|、|±|+/-|+/−|+/–|∓",
}  # fmt: skip
_DENIED: dict[Bound, Bound] = {"gt": "le", "lt": "ge", "ge": "lt", "le": "gt"}
_DENIALS = frozenset(("no", "not", "n't", "never", "nicht", "kein", "keine", "pas", "jamais", "nunca"))
TENTH = Fraction(1, 10)


@cache
def _kinds() -> dict[str, Bound]:
    return {phrase: kind for kind, phrases in _LISTED.items() for phrase in phrases.split("|")}


def bound_of(qualifier: str | None, before: str | None = None) -> Bound:
    """What a comparator or hedge, as `qualifier_beside` gives it, makes of its number.

    `before` is the word before the comparator: behind a denial it says the opposite (`not above 6`).
    """
    if qualifier is None:
        return "exact"
    kind = _kinds().get(fold_word(" ".join(qualifier.split())).replace("’", "'"), "approx")
    return _DENIED.get(kind, kind) if before is not None and before in _DENIALS else kind


@dataclass(frozen=True, slots=True)
class Interval:
    """The values from `low` to `high`; None is without end. `open` leaves the ends out."""

    low: Fraction | None
    high: Fraction | None
    low_open: bool = False
    high_open: bool = False


def interval(value: Fraction, bound: Bound) -> Interval:
    """The values that a number with this comparator may have."""
    if bound == "gt":
        return Interval(value, None, low_open=True)
    if bound == "ge":
        return Interval(value, None)
    if bound == "lt":
        return Interval(None, value, high_open=True)
    if bound == "le":
        return Interval(None, value)
    if bound == "approx":
        margin = abs(value) * TENTH
        return Interval(value - margin, value + margin)
    return Interval(value, value)


def relation(claimed: Interval, stated: Interval) -> Relation:
    """Whether what is stated implies what is claimed, leaves it open or excludes it."""
    if _before(stated, claimed) or _before(claimed, stated):
        return "excluded"
    return "implied" if _within(stated, claimed) else "open"


def _before(one: Interval, other: Interval) -> bool:
    """Whether all of one lies below all of the other."""
    if one.high is None or other.low is None:
        return False
    return one.high < other.low or (one.high == other.low and (one.high_open or other.low_open))


def _within(inner: Interval, outer: Interval) -> bool:
    return _bounded(inner.low, inner.low_open, outer.low, outer.low_open, sign=1) and _bounded(
        inner.high, inner.high_open, outer.high, outer.high_open, sign=-1
    )


def _bounded(inner: Fraction | None, inner_open: bool, outer: Fraction | None, outer_open: bool, *, sign: int) -> bool:
    if outer is None:
        return True
    if inner is None:
        return False
    return inner * sign > outer * sign or (inner == outer and (inner_open or not outer_open))
