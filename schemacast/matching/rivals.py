"""Where two clean sources are linked a row has one partner at most: rivals for it share one probability.

A *slot* is a row's place for its partner in one other source. Of the pairs in a slot at most one is right,
so their odds compete. How sure a slot's best pair is, is found by hiding partners: a row that has surely
found its own is asked for its best pair among the rows that have found theirs. Such pairs are wrong, and
as alike as wrong pairs get; a best pair is as sure as it stands out among them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from schemacast.matching.columns import Floats, Ints
from schemacast.matching.isotonic import rising
from schemacast.matching.table import Table

ROUNDS = 12
FEWEST = 20
"""Partners below which nothing is concluded from hiding them."""
MOST_RIVALS = 4.0
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

    def best(self, score: Floats, among: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
        """Pairs that are the best of both their slots; of equal ones the first, so that none is in two."""
        among = self.rivalling if among is None else among & self.rivalling
        at = np.flatnonzero(among)
        order = at[np.argsort(-score[at], kind="stable")]
        rank = np.full(len(score), len(score), dtype=np.int64)
        rank[order] = np.arange(len(order))
        first = np.full(self.slots, len(score), dtype=np.int64)
        np.minimum.at(first, self.slot_a[at], rank[at])
        np.minimum.at(first, self.slot_b[at], rank[at])
        best: NDArray[np.bool_] = (rank == first[self.slot_a]) & (rank == first[self.slot_b]) & among
        return best

    def calibration(self, score: Floats) -> tuple[tuple[float, float], ...]:
        """Points between which the probability of a best pair is read off its score; none if nothing is found out.

        The better half of the best pairs are taken as found at first.
        """
        if not self.sides or not self.rivalling.any():
            return ()
        best = self.best(score)
        found = best & (score > np.median(score[best])) if best.any() else best
        points: tuple[tuple[float, float], ...] = ()
        expected = float(found.sum())
        for _ in range(ROUNDS):
            if found.sum() < FEWEST:
                break
            points = self._points(score, best, found, expected)
            calibrated = self._read(score, best, points)
            again = best & (calibrated > 0.5)
            expected = float(calibrated[best].sum())
            if (again == found).all():
                break
            found = again
        return points

    def calibrated(self, score: Floats, probability: Floats, points: tuple[tuple[float, float], ...]) -> Floats:
        """Probabilities with those of best pairs read off the points; a pair with a better rival is hardly right."""
        if not points or not self.sides:
            return probability
        best = self.best(score)
        rival = np.where(self.rivalling, np.minimum(probability, OUTDONE), probability)
        return np.where(best, self._read(score, best, points), rival)

    def _read(self, score: Floats, best: NDArray[np.bool_], points: tuple[tuple[float, float], ...]) -> Floats:
        x, y = zip(*points, strict=True)
        read: Floats = np.where(best, np.clip(np.interp(score, x, y), 1e-6, 1 - 1e-4), 0.0)
        return read

    def _points(
        self, score: Floats, best: NDArray[np.bool_], found: NDArray[np.bool_], expected: float
    ) -> tuple[tuple[float, float], ...]:
        count = int(found.sum())
        partner = np.full(self.slots, -1, dtype=np.int64)
        partner[self.slot_a[found]] = self.slot_b[found]
        partner[self.slot_b[found]] = self.slot_a[found]
        hidden = (partner[self.slot_a] >= 0) & (partner[self.slot_b] >= 0) & (partner[self.slot_a] != self.slot_b)
        decoy = self.best(score, hidden)
        few, many = self._without_partner(expected)
        # A row without a partner meets `more` times as many others as a decoy did, but has one best pair only.
        more = min(many / count, MOST_RIVALS)
        at_least = np.searchsorted(-np.sort(score[decoy])[::-1], -score[decoy], side="right") / count
        stands_for = few / count * more * (1 - np.minimum(at_least, 0.99)) ** (more - 1)
        scores = np.r_[score[best], score[decoy]]
        is_best = np.r_[np.ones(int(best.sum())), np.zeros(int(decoy.sum()))]
        weight = np.r_[np.ones(int(best.sum())), stands_for]
        order = np.lexsort((is_best, scores))
        fit = rising(is_best[order], weight[order])
        right = np.clip((2 * fit - 1) / np.maximum(fit, 1e-9), 0.0, 1.0)
        return _corners(scores[order], right)

    def _without_partner(self, found: float) -> tuple[float, float]:
        """Rows left without a partner on the smaller side and on the larger; of several sources, half of all slots."""
        if len(self.sizes) == 2:
            few, many = sorted(self.sizes.tolist())
        else:
            few = many = float(self.sizes.sum()) * (len(self.sizes) - 1) / 2
        return max(few - found, 1.0), max(many - found, 1.0)


def _corners(x: Floats, y: Floats) -> tuple[tuple[float, float], ...]:
    """The points of a step curve where it bends."""
    keep = np.r_[True, (y[1:-1] != y[:-2]) | (y[1:-1] != y[2:]), True] if len(x) > 2 else np.ones(len(x), bool)
    return tuple(zip(x[keep].tolist(), y[keep].tolist(), strict=True))
