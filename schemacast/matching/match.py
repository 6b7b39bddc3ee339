"""The way from rows to clusters."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from schemacast.matching.blocks import candidate_pairs, keys_of
from schemacast.matching.cluster import clusters as cluster
from schemacast.matching.columns import Vocabulary, build
from schemacast.matching.compare import compare
from schemacast.matching.learn import learn, weigh
from schemacast.matching.model import Candidate, Counts, Explanation, Field, Matching, Row, Weights


class _Nothing:
    def candidates(self, row: int, /) -> list[Candidate]:
        return []

    def explain(self, a: int, b: int, /) -> Explanation:
        return Explanation(min(a, b), max(a, b), "unlike", 0.0, 0.0, (), (), ())


def match(
    fields: Sequence[Field], rows: Sequence[Row], *, threshold: float | None = None, weights: Weights | None = None
) -> Matching:
    """The rows as clusters of one thing each; rows in another order give the same clusters."""
    n = len(rows)
    vocabulary = Vocabulary()
    columns = build(fields, rows, None, vocabulary)
    aparts = {}
    apart = np.asarray([-1 if r.apart is None else aparts.setdefault(r.apart, len(aparts)) for r in rows])
    linkage = bool((apart >= 0).any())
    pairs = candidate_pairs(keys_of(columns, vocabulary, n), n, apart if linkage else None)
    a, b = pairs.a, pairs.b
    compared = [each for column in columns if column.field.compared for each in compare(column, vocabulary, a, b)]
    rng = np.random.default_rng(7)
    x, y = rng.integers(0, n, 200_000), rng.integers(0, n, 200_000)
    fine = x != y
    if linkage:
        fine &= (apart[x] != apart[y]) | (apart[x] < 0)
        sizes = np.bincount(apart[apart >= 0])
        all_pairs = n * (n - 1) / 2 - (sizes * (sizes - 1) / 2).sum()
    else:
        all_pairs = n * (n - 1) / 2
    x, y = x[fine], y[fine]
    sample = [each for column in columns if column.field.compared for each in compare(column, vocabulary, x, y)]

    def normalize(score):
        o = np.exp(np.clip(score, -60, 60))
        if not linkage:
            return o / (1 + o)
        row = np.bincount(a, o, n) + np.bincount(b, o, n)
        return o / (1 + row[a] + row[b] - o)

    learned = learn(compared, sample, n, all_pairs, normalize)
    score, parts = weigh(learned, compared)
    p = normalize(score)
    logodds = np.log(np.maximum(p, 1e-12) / np.maximum(1 - p, 1e-12))
    vetoed = np.zeros(len(a), bool)
    found = cluster(n, a, b, logodds, vetoed, apart if linkage else None)
    match.debug = (pairs, columns, compared, learned, score, parts, p)
    return Matching(tuple(found), (), weights or Weights(), Counts(rows=n, pairs=len(a), clusters=len(found)), _Nothing())
