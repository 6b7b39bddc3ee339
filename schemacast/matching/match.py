"""The way from rows to clusters."""

from __future__ import annotations

from collections.abc import Sequence

import os
import numpy as np

from schemacast.matching.blocks import candidate_pairs, keys_of
from schemacast.matching.calibrate import calibrate
from schemacast.matching.cluster import clusters as cluster
from schemacast.matching.blocks import Pairs
from schemacast.matching.columns import Ragged, Vocabulary, build
from schemacast.matching.compare import compare
from schemacast.matching.learn import learn, weigh
from schemacast.matching.model import Candidate, Counts, Explanation, Field, Matching, Row, Weights


LEARNED_FROM = 500_000
"""Pairs are enough to learn weights from; of more, evenly spaced ones are taken."""


class _Nothing:
    def candidates(self, row: int, /) -> list[Candidate]:
        return []

    def explain(self, a: int, b: int, /) -> Explanation:
        return Explanation(min(a, b), max(a, b), "unlike", 0.0, 0.0, (), (), ())


def units(columns, apart):
    """Rows that are equal in every field are one unit from the start."""
    n = len(apart)
    total = (apart.astype(np.uint64) + np.uint64(3)) * np.uint64(0x9E3779B97F4A7C15)
    for at, column in enumerate(columns):
        value, owner = column.cells.take(np.arange(n))
        mixed = (column.norm[value].astype(np.uint64) + np.uint64(17 + at * 1000003)) * np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(29)
        mixed *= np.uint64(0x94D049BB133111EB)
        mixed ^= mixed >> np.uint64(32)
        summed = np.zeros(n, np.uint64)
        np.add.at(summed, owner, mixed)
        total = (total ^ summed) * np.uint64(0x9E3779B97F4A7C15)
    return np.where(apart >= 0, total + np.arange(n).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15), total)


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
    unit = units(columns, apart)
    _, reps, unit = np.unique(unit, return_index=True, return_inverse=True)
    everyone = n
    n = len(reps)
    apart = apart[reps]
    for column in columns:
        items, owner = column.cells.take(reps)
        start = np.zeros(n + 1, dtype=np.int64)
        np.cumsum(np.bincount(owner, minlength=n), out=start[1:])
        column.cells = Ragged(start, items)
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

    def normalize(score, step=1):
        o = np.exp(np.clip(score, -60, 60))
        if not linkage:
            return o / (1 + o)
        x, y = a[::step], b[::step]
        row = np.bincount(x, o, n) + np.bincount(y, o, n)
        return o / (1 + row[x] + row[y] - o)

    def kick(score, p):
        if not linkage:
            return p
        best = np.full(n, -1e9)
        np.maximum.at(best, a, score)
        np.maximum.at(best, b, score)
        mb = (score >= best[a] - 1e-9) & (score >= best[b] - 1e-9)
        return np.where(mb, np.maximum(p, 0.8), p)

    telling = []
    for column in columns:
        if column.field.compared and len(column.cells.items):
            counts = np.bincount(column.norm[column.cells.items])
            h = -np.log((counts * (counts - 1)).sum() / max(len(column.cells.items) ** 2, 1) + 1e-9)
            if h > 3 and (column.cells.lengths() > 0).mean() > 0.4:
                telling.append(column)
    lone = [i for i, each in enumerate(compared) if len(telling) == 1 and each.name == telling[0].field.name]
    every = max(-(-len(a) // LEARNED_FROM), 1)
    few = [each.every(every) for each in compared]
    learned = learn(few, sample, n, all_pairs, 1 / every, lambda score: normalize(score, every), kick, lone, linkage, {c.field.name: c.kind for c in columns})
    score, parts = weigh(learned, compared)
    p = normalize(score)
    if linkage and len(aparts) == 2:
        p = calibrate(a, b, score, p, n, apart, trace=bool(os.environ.get("TRACE")))
    logodds = np.log(np.maximum(p, 1e-12) / np.maximum(1 - p, 1e-12))
    vetoed = np.zeros(len(a), bool)
    debug_pairs = pairs
    found = cluster(n, a, b, logodds, vetoed, apart if linkage else None)
    where = {u: i for i, group in enumerate(found) for u in group}
    groups = [[] for _ in found]
    for row in range(everyone):
        groups[where[int(unit[row])]].append(row)
    found = [tuple(g) for g in groups]
    pairs = Pairs(reps[a], reps[b], pairs.promise, 0, 0, 0)
    match.debug = (pairs, columns, compared, learned, score, parts, p)
    return Matching(tuple(found), (), weights or Weights(), Counts(rows=n, pairs=len(a), clusters=len(found)), _Nothing())
