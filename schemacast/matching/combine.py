"""How sure a pair is: by the share of what is said that agrees, and by what was learned, as far as both see the same.

The share needs nothing learned, and learned weights know which field tells what; each errs where the other does not.
Where rows share a setting (a street and a trade, one artist) learning may settle on the setting, and then it names
other pairs than the share does. So what was learned always speaks against a pair, and for one only as far as the two
agree on which pairs are found. Of a small table what is learned from stands mostly for what is generally so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from schemacast.matching.caution import believed
from schemacast.matching.columns import Floats, Ints
from schemacast.matching.compare import Compared
from schemacast.matching.learn import Learned, contribution, weigh
from schemacast.matching.share import STEEP, Shares

MOST_AGAINST = -12.0
MOST_FOR = 4.0
"""Nats that what was learned may add to a pair's log-odds, the latter where both agree entirely."""


@dataclass(slots=True)
class Combined:
    """Both measures of a table. `agreement` is how far they find the same pairs, from 0 to 1."""

    shares: Shares
    learned: Learned
    agreement: float

    @classmethod
    def of(
        cls, shares: Shares, learned: Learned, score: Floats, weighed: Floats, vetoed: NDArray[np.bool_]
    ) -> Combined:
        """The agreement of the two on pairs that are not vetoed: what both find, as a part of what either finds."""
        by_share, by_weights = (score > shares.middle) & ~vetoed, (weighed > 0) & ~vetoed
        either = int((by_share | by_weights).sum())
        return cls(shares, learned, int((by_share & by_weights).sum()) / either if either else 0.0)

    def logodds(self, score: Floats, weighed: Floats) -> Floats:
        """The log-odds of pairs, each by itself."""
        trust = believed(self.shares.table.units)
        return trust * (STEEP * (score - self.shares.middle) + self._bounded(weighed)) + (1 - trust) * weighed

    def compared(self, compared: Sequence[Compared], a: Ints, b: Ints) -> Floats:
        """The log-odds of other pairs of the same units."""
        return self.logodds(self.shares.score(compared, a, b), weigh(self.learned, compared))

    def parts(self, compared: Sequence[Compared], a: Ints, b: Ints) -> tuple[Floats, list[Floats]]:
        """What stands in `logodds` as a sum: what no line of comparison adds, and what each adds.

        A bound on what was learned takes from every line in proportion.
        """
        trust = believed(self.shares.table.units)
        weighed = weigh(self.learned, compared)
        bounded = trust * self._bounded(weighed) + (1 - trust) * weighed
        kept = np.divide(bounded, weighed, out=np.ones(len(a)), where=np.abs(weighed) > 1e-9)
        rest, parts = self.shares.parts(compared, a, b)
        rest = trust * STEEP * (rest - self.shares.middle) + kept * self.learned.prior
        lines = [
            trust * STEEP * part + kept * contribution(line, each)
            for part, line, each in zip(parts, self.learned.lines, compared, strict=True)
        ]
        return rest, lines

    def _bounded(self, weighed: Floats) -> Floats:
        return np.clip(weighed, MOST_AGAINST, MOST_FOR * self.agreement**2)
