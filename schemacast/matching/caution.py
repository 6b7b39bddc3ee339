"""How far weights that were learned from few rows are believed.

Among a dozen rows nothing is rare, and the pairs of one thing are most of all pairs: what is counted there says
little of how telling a likeness is. So of a small table what is generally so stands for the part that the data has
not shown, and the less rows there are the more.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from schemacast.matching.compare import Compared
from schemacast.matching.learn import FIRST_SHARE, Learned, Line, Setting, generally

ENOUGH = 200
"""Units from which on a table is believed whole."""


def believed(units: int) -> float:
    """How far what a table of so many units shows is believed, from 0 to 1."""
    return min(units / ENOUGH, 1.0)


def cautious(learned: Learned, compared: Sequence[Compared], setting: Setting) -> Learned:
    """The weights as far as a table of this size is believed."""
    trust = believed(setting.units)
    if trust == 1:
        return learned
    lines = tuple(
        Line(trust * line.ratios + (1 - trust) * generally(each, setting.units), line.centers, line.most)
        for line, each in zip(learned.lines, compared, strict=True)
    )
    supposed = float(np.log(FIRST_SHARE * setting.units * setting.share / setting.pairs))
    return Learned(trust * learned.prior + (1 - trust) * supposed, lines)
