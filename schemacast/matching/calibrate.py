"""Scores as probabilities: the best pairs against the best pairs among rows whose partner was hidden."""

from __future__ import annotations

import numpy as np


import os
CAP = float(os.environ.get("CAP", 4))
UP = float(os.environ.get("UP", 1))
def mutual(a, b, score, n, alive=None):
    """Pairs each of whose rows has no better one; equal scores are broken by order, so no row is in two."""
    at = np.arange(len(a)) if alive is None else np.flatnonzero(alive)
    order = at[np.argsort(-score[at], kind="stable")]
    rank = np.full(len(a), len(a))
    rank[order] = np.arange(len(order))
    best = np.full(n, len(a))
    np.minimum.at(best, a[at], rank[at])
    np.minimum.at(best, b[at], rank[at])
    return (rank == best[a]) & (rank == best[b]) & (rank < len(a))


def isotonic(y, w):
    """Weighted least-squares nondecreasing fit (pool adjacent violators)."""
    value, weight, size = [], [], []
    for v, k in zip(y.tolist(), w.tolist()):
        value.append(v); weight.append(k); size.append(1)
        while len(value) > 1 and value[-2] >= value[-1]:
            total = weight[-2] + weight[-1]
            value[-2] = (value[-2] * weight[-2] + value[-1] * weight[-1]) / total
            weight[-2] = total
            size[-2] += size[-1]
            value.pop(); weight.pop(); size.pop()
    return np.repeat(value, size)


def calibrate(a, b, score, p, n, side, trace=False):
    """Probabilities of mutual-best pairs, given which side (0 or 1) each row is on."""
    target = mutual(a, b, score, n)
    q = p.copy()
    matched = target & (p > 0.5)
    for round_ in range(12):
        if matched.sum() < 20:
            return p
        partner = np.full(n, -1)
        partner[a[matched]] = b[matched]
        partner[b[matched]] = a[matched]
        alive = (partner[a] >= 0) & (partner[b] >= 0) & (partner[a] != b)
        decoy = mutual(a, b, score, n, alive)
        sides = np.bincount(side[side >= 0], minlength=2)
        expected = q[target].sum() if round_ else matched.sum()
        ua, ub = max(sides[0] - expected, 1), max(sides[1] - expected, 1)
        m = matched.sum()
        k = min(max(ua, ub) / m, CAP)
        ds = np.sort(score[decoy])[::-1]
        d = np.searchsorted(-ds, -score[decoy], side="right") / m
        ratio = min(ua, ub) / m * k * (1 - np.minimum(d, 0.99)) ** (k - 1)
        x = np.r_[score[target], score[decoy]]
        y = np.r_[np.ones(target.sum()), np.zeros(decoy.sum())]
        w = np.r_[np.ones(target.sum()), ratio]
        order = np.lexsort((y, x))
        fit = isotonic(y[order], w[order])
        t = np.interp(score[target], x[order], fit)
        new = np.clip((2 * t - 1) / np.maximum(t, 1e-9), 0.0, 1.0)
        q = np.where(target, 0, p)
        lp = np.log(np.maximum(p[target], 1e-12) / np.maximum(1 - p[target], 1e-12)) - UP
        q[target] = np.maximum(new, 1 / (1 + np.exp(-lp)))
        again = target & (q > 0.5)
        if trace:
            print(round_, 'matched', matched.sum(), 'decoys', decoy.sum(), 'ratio', np.round([k,ratio.min(),ratio.max()],2), 'new', again.sum())
        if (again == matched).all():
            break
        matched = again
    return np.clip(q, 1e-6, 1 - 1e-4)
