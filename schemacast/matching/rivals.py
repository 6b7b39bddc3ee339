"""Where two clean sources are linked a row has one partner at most: rivals for it share one probability.

A *slot* is a row's place for its partner in one other source. Of the pairs in a slot at most one is right,
so their odds compete, and a pair is the surer the further it stands out among its rivals (as in the ratio
test of Lowe, 2004). How sure a slot's best pair is, is found by hiding partners: a row that has surely
found its own is asked for its best pair among the rows that have found theirs. Such pairs are wrong, and
as alike as wrong pairs get; a best pair is as sure as it stands out among them. From few rows little is
found that way, so that what a pair is by itself counts as well.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from schemacast.matching.columns import Floats, Ints
from schemacast.matching.isotonic import rising
from schemacast.matching.table import Table

Bools = NDArray[np.bool_]
Points = tuple[tuple[float, float], ...]
ROUNDS = 12
FEWEST = 20
"""Partners below which nothing is concluded from hiding them."""
MOST_RIVALS = 4.0
FEW_FOUND = 200
"""Pairs found by which the points count for as much as what a pair is by itself."""
MOST_AHEAD = 0.5
"""By how much a score stands out, at the most."""
LEARNED_AHEAD = 1 / 48
LEAST_LEARNED, MOST_LEARNED = -12.0, 6.0
"""What a nat counts by which the learned weights of a pair stand out, and between which bounds."""
OUTDONE = 0.02
"""The most that is thought of a pair of which a row has a better one in the same source."""


class Rivals:
    """Which pairs compete. Without `apart` none do, and every pair is as likely as it is by itself."""

    def __init__(self, table: Table, a: Ints, b: Ints) -> None:
        self.sides = bool((table.apart >= 0).any())
        self.a, self.b = a, b
        self.slots = 0
        if self.sides:
            known, slots = np.unique(
                np.r_[a * table.aparts + table.apart[b], b * table.aparts + table.apart[a]], return_inverse=True
            )
            self.slot_a, self.slot_b = slots[: len(a)], slots[len(a) :]
            self.slots = len(known)
            self.rivalling = (table.apart[a] >= 0) & (table.apart[b] >= 0)
        self.sizes = np.bincount(table.apart[table.apart >= 0], minlength=table.aparts)

    def probability(self, logodds: Floats, step: int = 1) -> Floats:
        """The probability of every `step`-th pair, from the log-odds of each by itself."""
        odds = np.exp(np.clip(logodds, -60, 60))
        if not self.sides:
            by_itself: Floats = odds / (1 + odds)
            return by_itself
        one, other = self.slot_a[::step], self.slot_b[::step]
        held = np.where(self.rivalling[::step], odds, 0.0)
        rivals = np.bincount(one, held, self.slots)[one] + np.bincount(other, held, self.slots)[other]
        against = np.where(self.rivalling[::step], np.maximum(rivals - odds, odds), odds)
        competing: Floats = odds / (1 + against)
        return competing

    def standing(self, score: Floats, weighed: Floats, among: Bools | None = None) -> Floats:
        """The scores of pairs with how far each stands out among its rivals: those of `among`, or all."""
        if not self.sides:
            return score
        among = self.rivalling if among is None else among & self.rivalling
        ahead = np.clip(self._ahead(score, among), -MOST_AHEAD, MOST_AHEAD)
        learned = np.clip(self._ahead(weighed, among), LEAST_LEARNED, MOST_LEARNED)
        return score + ahead + LEARNED_AHEAD * learned

    def _ahead(self, value: Floats, among: Bools) -> Floats:
        """By how much a pair is ahead of the best other pair of either slot, below 0 if behind; 0 outside `among`."""
        at = np.flatnonzero(among)
        pair = np.concatenate((at, at))
        slot = np.concatenate((self.slot_a[at], self.slot_b[at]))
        order = np.lexsort((-value[pair], slot))
        pair, slot = pair[order], slot[order]
        first = np.flatnonzero(np.diff(slot, prepend=-1))
        size = np.diff(np.append(first, len(slot)))
        ordered = np.append(value[pair], -np.inf)
        other = np.repeat(ordered[first], size)
        other[first] = np.where(size > 1, ordered[first + 1], -np.inf)
        best_other = np.full(len(value), -np.inf)
        np.maximum.at(best_other, pair, other)
        ahead = np.zeros(len(value))
        ahead[at] = value[at] - best_other[at]
        return ahead

    def best(self, standing: Floats, among: Bools | None = None) -> Bools:
        """Pairs that are the best of both their slots; of equal ones the first, so that none is in two."""
        among = self.rivalling if among is None else among & self.rivalling
        at = np.flatnonzero(among)
        order = at[np.argsort(-standing[at], kind="stable")]
        rank = np.full(len(standing), len(standing), dtype=np.int64)
        rank[order] = np.arange(len(order))
        first = np.full(self.slots, len(standing), dtype=np.int64)
        np.minimum.at(first, self.slot_a[at], rank[at])
        np.minimum.at(first, self.slot_b[at], rank[at])
        best: Bools = (rank == first[self.slot_a]) & (rank == first[self.slot_b]) & among
        return best

    def calibration(self, score: Floats, weighed: Floats) -> tuple[Points, int]:
        """Points between which the probability of a best pair is read off its standing, and from how many pairs that
        were found they come; no points if nothing is found out.

        The better half of the best pairs are taken as found at first.
        """
        if not self.sides or not self.rivalling.any():
            return (), 0
        standing = self.standing(score, weighed)
        best = self.best(standing)
        found = best & (standing > np.median(standing[best])) if best.any() else best
        points: Points = ()
        expected = float(found.sum())
        for _ in range(ROUNDS):
            if found.sum() < FEWEST:
                break
            points = self._points(score, weighed, standing[best], found, expected)
            calibrated = self._read(standing, best, points)
            again = best & (calibrated > 0.5)
            expected = float(calibrated[best].sum())
            if (again == found).all():
                break
            found = again
        return points, int(found.sum())

    def calibrated(self, standing: Floats, logodds: Floats, points: Points, found: int) -> Floats:
        """Probabilities of pairs from their log-odds, those of best pairs from the points as well; a pair with a better
        rival is hardly right."""
        probability = self.probability(logodds)
        if not points or not self.sides:
            return probability
        best = self.best(standing)
        rival = np.where(self.rivalling, np.minimum(probability, OUTDONE), probability)
        weight = found / (found + FEW_FOUND)
        by_itself = 1 / (1 + np.exp(-np.clip(logodds, -60, 60)))
        return np.where(best, weight * self._read(standing, best, points) + (1 - weight) * by_itself, rival)

    def _read(self, standing: Floats, best: Bools, points: Points) -> Floats:
        x, y = zip(*points, strict=True)
        read: Floats = np.where(best, np.clip(np.interp(standing, x, y), 1e-6, 1 - 1e-4), 0.0)
        return read

    def _points(self, score: Floats, weighed: Floats, standing: Floats, found: Bools, expected: float) -> Points:
        count = int(found.sum())
        partner = np.full(self.slots, -1, dtype=np.int64)
        partner[self.slot_a[found]] = self.slot_b[found]
        partner[self.slot_b[found]] = self.slot_a[found]
        hidden = (partner[self.slot_a] >= 0) & (partner[self.slot_b] >= 0) & (partner[self.slot_a] != self.slot_b)
        # A decoy stands out among the pairs that are left when partners are hidden, not beside its row's partner.
        left = self.standing(score, weighed, hidden)
        decoys = np.sort(left[self.best(left, hidden)])
        few, many = self._without_partner(expected)
        # A row without a partner meets `more` times as many others as a decoy did, but has one best pair only.
        more = min(many / count, MOST_RIVALS)
        at_least = (len(decoys) - np.searchsorted(decoys, decoys, side="left")) / count
        stands_for = few / count * more * (1 - np.minimum(at_least, 0.99)) ** (more - 1)
        scores = np.r_[standing, decoys]
        is_best = np.r_[np.ones(len(standing)), np.zeros(len(decoys))]
        weight = np.r_[np.ones(len(standing)), stands_for]
        order = np.lexsort((is_best, scores))
        fit = rising(is_best[order], weight[order])
        right = np.clip((2 * fit - 1) / np.maximum(fit, 1e-9), 0.0, 1.0)
        return _corners(scores[order], right)

    def _without_partner(self, found: float) -> tuple[float, float]:
        """Rows left without a partner on the smaller side and on the larger; of several sources, half of all slots."""
        if len(self.sizes) == 2:
            few, many = sorted(map(float, self.sizes))
        else:
            few = many = float(self.sizes.sum()) * (len(self.sizes) - 1) / 2
        return max(few - found, 1.0), max(many - found, 1.0)


def _corners(x: Floats, y: Floats) -> tuple[tuple[float, float], ...]:
    """The points of a step curve where it bends."""
    keep = np.r_[True, (y[1:-1] != y[:-2]) | (y[1:-1] != y[2:]), True] if len(x) > 2 else np.ones(len(x), bool)
    return tuple(zip(x[keep].tolist(), y[keep].tolist(), strict=True))
