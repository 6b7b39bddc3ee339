"""The nearest sequence that never falls: pool adjacent violators (Ayer and others, 1955)."""

from __future__ import annotations

import numpy as np

from schemacast.matching.columns import Floats


def rising(values: Floats, weights: Floats) -> Floats:
    """The weighted least-squares fit to `values` among sequences that never fall; linear in their number."""
    level: list[float] = []
    weight: list[float] = []
    size: list[int] = []
    for value, mass in zip(values.tolist(), weights.tolist(), strict=True):
        level.append(value)
        weight.append(mass)
        size.append(1)
        while len(level) > 1 and level[-2] >= level[-1]:
            both = weight[-2] + weight[-1]
            level[-2] = (level[-2] * weight[-2] + level[-1] * weight[-1]) / both if both else level[-2]
            weight[-2] = both
            size[-2] += size[-1]
            del level[-1], weight[-1], size[-1]
    return np.repeat(level, size)
