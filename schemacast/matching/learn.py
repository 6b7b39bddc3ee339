"""Weights from the data alone: how much each level of likeness speaks for or against a pair.

Fellegi and Sunter's weights, found by expectation maximization: a level weighs the logarithm of how often
it is met among pairs of one thing over how often among others. Pairs of one thing are guessed from the
weights of the round before, others are counted among drawn pairs and among the candidates that seem none.
Where a level was hardly met, what is generally so stands in. Weights never fall as likeness grows, a free
text that differs says little, and numbers that differ never speak for a match.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from schemacast.matching.columns import Floats
from schemacast.matching.compare import Compared
from schemacast.matching.isotonic import rising
from schemacast.matching.levels import ABSENT, RARITY_STEPS

ROUNDS = 8
SURE = 0.95
SUPPOSED = 10.0
"""Pairs that what is generally so counts for."""
FIRST_SHARE = 0.3
LEAST_SHARE = 0.05
"""Pairs of one thing for every unit: supposed at first, and never less than."""
MOST_FOR_RARITY = 4.0
TEXT_AGAINST = -1.5
UNLIKE_AGAINST = -1.0
UNBOUNDED = 1e6
MOST_OF_TWO = 0.95
MOST_OF_SEVERAL = 0.75
MOST_NUMBERS = 0.25
"""Parts of the odds against any two units that one line may outweigh where two or more fields identify."""
NUMBERS_AGAINST = -1.0
_ALIKE = np.asarray([-8.3, -5.8, -3.8, -2.0, -0.5, 0.9, 2.2, 3.2])
_RARE = np.asarray([-1.2, -0.6, -0.18, 0.23, 0.75, 1.5])
_STEPS = {
    2: np.asarray([-2.0, 2.0]),
    4: np.asarray([-1.5, 0.5, 2.5, 4.0]),
    5: np.asarray([-2.5, 0.0, 1.5, 3.5, 5.0]),
}
_OF_ONE = {
    2: np.asarray([0.1, 0.9]),
    3: np.asarray([0.03, 0.3, 0.67]),
    4: np.asarray([0.25, 0.1, 0.1, 0.55]),
    5: np.asarray([0.05, 0.03, 0.04, 0.08, 0.8]),
}
_OF_ONE_TABLE = np.asarray([0.02, 0.02, 0.03, 0.05, 0.08, 0.12, 0.13, 0.55])
_NUMBERS = np.asarray([-9.0, -0.5, 1.0])


@dataclass(frozen=True, slots=True)
class Line:
    """The weight of each level of one line of comparison, and how telling what is shared at it is on average.

    `most` is what the line can weigh at the most, however rare what is shared.
    """

    ratios: Floats
    centers: Floats | None
    most: float


@dataclass(frozen=True, slots=True)
class Learned:
    """`prior`: the log-odds of any two units."""

    prior: float
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Setting:
    """What learning needs to know of the table.

    `share`: the part of the candidates that is learned from; `pairs`: the part of all pairs of units that they
    stand for. `sides`: whether rows are apart, so that pairs are rivals. `alone`: the only line that tells things
    apart, if there is only one; then there is nothing to learn its weights from and what is generally so stands.
    `identifying`: how many names, codes and dates tell things apart.
    """

    units: int
    pairs: float
    share: float
    alone: int | None
    identifying: int
    sides: bool
    probability: Callable[[Floats], Floats]


def weigh(learned: Learned, compared: Sequence[Compared]) -> Floats:
    """The log-odds of each pair, every pair taken by itself."""
    total = np.full(len(compared[0].level) if compared else 0, learned.prior)
    for line, each in zip(learned.lines, compared, strict=True):
        total += contribution(line, each)
    return total


def by_level(values: Floats) -> Floats:
    """A value for every number that a level may be, 0 where a value is absent."""
    found = np.zeros(ABSENT + 1)
    found[: len(values)] = values
    return found


def contribution(line: Line, each: Compared) -> Floats:
    """What one line adds to the log-odds of each pair: its level's weight, and more where a rarer value is shared."""
    part = by_level(line.ratios).take(each.level)
    if each.info is not None and line.centers is not None:
        rarer = np.flatnonzero((part > 0) & (each.info > 0))
        weight = part[rarer]
        more = np.clip(each.info[rarer] - line.centers[each.level[rarer]], -weight, MOST_FOR_RARITY)
        part[rarer] = weight + more
    return np.minimum(part, line.most)


def learn(compared: Sequence[Compared], drawn: Sequence[Compared], setting: Setting) -> Learned:
    """The weights under which the candidates, and pairs drawn at random, are most likely."""
    general = [generally(each, setting.units) for each in compared]
    lines = []
    for each, random in zip(compared, drawn, strict=True):
        rate = _rates(random, None)
        lines.append(Line(np.log(_supposed(each, rate) / rate), None, UNBOUNDED))
    prior = float(np.log(FIRST_SHARE * setting.units * setting.share / setting.pairs))
    learned = Learned(prior, tuple(lines))
    for _ in range(ROUNDS):
        same = setting.probability(weigh(learned, compared))
        if not setting.sides:
            # Many pairs share a setting (a street and a trade, an artist), each of them a little likely. Together they
            # would outnumber the pairs of one thing; so only sure pairs teach (classification EM, Celeux and Govaert
            # 1992). Rivals keep them from that where rows are apart.
            same = np.where(same > SURE, same, 0.0)
        same_drawn = None
        if setting.sides:
            same_drawn = 1 / (1 + np.exp(-np.clip(weigh(learned, drawn), -60, 60)))
        lines = [
            _line(index, each, random, expected, same, same_drawn, setting, -prior)
            for index, (each, random, expected) in enumerate(zip(compared, drawn, general, strict=True))
        ]
        if setting.alone is not None:
            prior = -float(np.log(setting.units))
        else:
            share = max(float(same.sum()), LEAST_SHARE * setting.units * setting.share) / setting.pairs
            prior = float(np.log(share / max(1 - share, 1e-9)))
        learned = Learned(prior, tuple(lines))
    return learned


def _line(
    index: int,
    each: Compared,
    random: Compared,
    general: Floats,
    same: Floats,
    same_drawn: Floats | None,
    setting: Setting,
    against: float,
) -> Line:
    """One line's weights, given how probable it is that each pair is one thing."""
    hits = np.bincount(each.level, same, ABSENT + 1)[: each.levels]
    misses = np.bincount(each.level, 1 - same, ABSENT + 1)[: each.levels]
    filled = max(float((random.level != ABSENT).mean()), 1e-3) if len(random.level) else 1.0
    rate = np.maximum(_rates(random, same_drawn, floor=0.0), misses / (setting.pairs * filled)) + 1e-9
    rate /= rate.sum()
    of_one = (hits + SUPPOSED * _supposed(each, rate)) / (hits.sum() + SUPPOSED)
    ratios = np.log(of_one / rate)
    if each.kind in ("name", "text"):
        ratios = _risen(ratios, hits + misses * 1e-3 + 0.1)
    if each.kind in ("name", "code", "date"):
        unlike = slice(0, len(RARITY_STEPS) + 1 if each.kind == "name" else 1)
        ratios[unlike] = np.minimum(ratios[unlike], UNLIKE_AGAINST)
    if each.kind == "text":
        ratios = np.maximum(ratios, TEXT_AGAINST)
    if each.kind == "numbers":
        ratios[0] = min(ratios[0], NUMBERS_AGAINST)
    if setting.alone is not None and each.kind in ("name", "text", "numbers"):
        ratios = general if index == setting.alone or each.kind == "numbers" else np.minimum(general, ratios)
    return Line(ratios, _centers(each, same), _most(each, setting, against))


def _most(each: Compared, setting: Setting, against: float) -> float:
    """What a line may weigh at the most. Among several fields that identify none decides alone.

    Else learning may end with pairs that share one field (all who live in one house) and take its rarity for proof.
    Rivals keep it from that where rows are apart.
    """
    if setting.sides or setting.identifying < 2:
        return UNBOUNDED
    if each.kind == "numbers":
        return max(against, 1.0) * MOST_NUMBERS
    return max(against, 1.0) * (MOST_OF_TWO if setting.identifying == 2 else MOST_OF_SEVERAL)


def _rates(random: Compared, same: Floats | None, floor: float = 0.5) -> Floats:
    """How often each level is met among drawn pairs, less those that seem to be one thing."""
    has = random.level != ABSENT
    count = np.bincount(random.level[has], None if same is None else 1 - same[has], random.levels)
    rate: Floats = count[: random.levels].astype(np.float64) + floor / random.levels
    whole = float(rate.sum())
    return rate / whole if whole else rate


def _centers(each: Compared, same: Floats) -> Floats | None:
    """By level the logarithm of the mean odds against sharing, among pairs that are not one thing."""
    if each.info is None:
        return None
    centers = np.zeros(each.levels)
    for level in range(each.levels):
        at = each.level == level
        if at.any():
            weight = 1 - same[at] + 1e-6
            centers[level] = np.log((weight * np.exp(each.info[at])).sum() / weight.sum())
    return centers


def generally(each: Compared, units: int) -> Floats:
    """What the levels of a line weigh before any data has spoken."""
    if each.kind in ("name", "text"):
        table: Floats = _ALIKE[:, None] + np.log(max(units, 2)) + _RARE[None, :]
        return table.ravel()
    return _NUMBERS if each.kind == "numbers" else _STEPS[each.levels]


def _supposed(each: Compared, rate: Floats) -> Floats:
    """How often each level is met among pairs of one thing, before any data has spoken."""
    if each.kind not in ("name", "text"):
        return _OF_ONE[each.levels]
    rarity = rate.reshape(len(_OF_ONE_TABLE), -1) * np.exp(_RARE)
    shares: Floats = _OF_ONE_TABLE[:, None] * rarity / rarity.sum(axis=1, keepdims=True)
    return shares.ravel()


def _risen(ratios: Floats, weight: Floats) -> Floats:
    """The nearest weights that grow with likeness and with how telling the shared words are."""
    table = ratios.reshape(-1, len(RARITY_STEPS) + 1).copy()
    mass = weight.reshape(table.shape)
    for _ in range(3):
        for row in range(table.shape[0]):
            table[row] = rising(table[row], mass[row])
        for column in range(table.shape[1]):
            table[:, column] = rising(table[:, column], mass[:, column])
    return table.ravel()
