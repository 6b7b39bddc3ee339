"""Weights from the data alone: Fellegi-Sunter levels by expectation maximization."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from schemacast.matching.calibrate import isotonic
from schemacast.matching.columns import Floats, Ints
from schemacast.matching.compare import ABSENT, Compared

import os
KICK = int(os.environ.get('KICK','0'))
ROUNDS = 25


@dataclass(slots=True)
class Learned:
    prior: float
    m: list[Floats]
    u: list[Floats]
    center: list[Floats]


def weigh(learned: Learned, compared: list[Compared]) -> tuple[Floats, list[Floats]]:
    parts = []
    total = np.full(len(compared[0].level) if compared else 0, learned.prior)
    for each, m, u, center in zip(compared, learned.m, learned.u, learned.center, strict=True):
        ratio = np.log(m / u)
        has = each.level != ABSENT
        level = np.where(has, each.level, 0)
        part = np.where(has, ratio[level], 0.0)
        if each.info is not None:
            positive = has & (part > 0) & (each.info > 0)
            adjust = np.clip(each.info - center[level], -np.abs(part), 4)
            part = part + np.where(positive, adjust, 0.0)
        parts.append(part)
        total = total + part
    return total, parts


def learn(compared: list[Compared], sample: list[Compared], rows: int, all_pairs: float, share: float, normalize, kick, lone) -> Learned:
    count = len(compared[0].level)
    all_pairs = all_pairs * share  # the pairs that those learned from, a part of all candidates, stand for
    u = []
    for each, drawn in zip(compared, sample, strict=True):
        has = drawn.level != ABSENT
        hist = np.bincount(drawn.level[has], minlength=each.levels)[: each.levels] + 0.0
        base = hist.sum()
        u.append((hist + 0.5 / each.levels) / (base + 0.5))
    m = []
    for each in compared:
        shape = np.geomspace(0.02, 1.0, each.levels)
        if each.levels > 20:
            shape = np.outer(np.geomspace(0.02, 1.0, each.levels // 6), np.geomspace(0.1, 1.0, 6)).ravel()
        m.append(shape / shape.sum())
    center = [np.zeros(each.levels) for each in compared]
    prior_ratio = [default_ratio(each, rows) for each in compared]
    for f, ratio in enumerate(prior_ratio):
        m[f] = u[f] * np.exp(ratio)
        m[f] /= m[f].sum()
    center = [np.zeros(each.levels) for each in compared]
    learned = Learned(np.log(0.3 * rows / all_pairs), m, u, center)
    p = np.zeros(count)
    filled = [np.flatnonzero(each.level != ABSENT) for each in compared]
    present = [each.level[at].astype(np.int64) for each, at in zip(compared, filled, strict=True)]
    totals = [np.bincount(level, minlength=each.levels) for each, level in zip(compared, present, strict=True)]
    drawn_levels = [_histogram(each) for each in sample]
    for round_ in range(ROUNDS):
        score, _ = weigh(learned, compared)
        p = normalize(score)
        if KICK and round_ in (8, 9, 10):
            p = kick(score, p)
        for f, each in enumerate(compared):
            hit = np.bincount(present[f], p[filled[f]], each.levels) + 0.0
            miss = totals[f] - hit
            drawn = drawn_levels[f]
            seen = miss / (all_pairs * max(drawn.sum() / max(len(sample[f].level), 1), 1e-3))
            rate = drawn / max(drawn.sum(), 1)
            rate = np.maximum(rate, seen) + 1e-9
            learned.u[f] = rate / rate.sum()
            guess = learned.u[f] * np.exp(prior_ratio[f])
            guess /= guess.sum()
            learned.m[f] = (hit + PSEUDO * guess) / (hit.sum() + PSEUDO)
            if each.levels > 20:
                ratio = monotone(np.log(learned.m[f] / learned.u[f]), hit + miss * 1e-3 + 0.1)
                learned.m[f] = learned.u[f] * np.exp(ratio)
            if each.levels == 3:
                ratio = np.log(learned.m[f] / learned.u[f])
                ratio[0] = min(ratio[0], -1.0)
                learned.m[f] = learned.u[f] * np.exp(ratio)
            if lone and each.levels in (48, 3):
                fixed = prior_ratio[f] if f == lone[0] or each.levels == 3 else np.minimum(prior_ratio[f], np.log(learned.m[f] / learned.u[f]))
                learned.m[f] = learned.u[f] * np.exp(fixed)
            learned.center[f] = _centers(each, p)
        if lone:
            learned.prior = -np.log(rows)
            continue
        prior = max(p.sum(), FLOOR * rows * share) / all_pairs
        learned.prior = float(np.log(prior / (1 - prior)))
    return learned


def _histogram(each: Compared) -> Floats:
    """How often each level occurs."""
    return np.bincount(each.level, minlength=ABSENT + 1)[: each.levels] + 0.0


def _centers(each: Compared, p: Floats) -> Floats:
    center = np.zeros(each.levels)
    if each.info is None:
        return center
    for level in range(each.levels):
        at = each.level == level
        weight = (1 - p[at]) + 1e-6
        info = each.info[at]
        if not len(info):
            continue
        center[level] = np.log((weight * np.exp(info)).sum() / weight.sum())
    return center


PSEUDO = float(os.environ.get("PSEUDO", 20))
LIKE = np.asarray([-9.0, -6.5, -4.5, -2.7, -1.2, 0.2, 1.5, 2.5]) + float(os.environ.get("SHIFT", 0))
INFO_MID = np.asarray([0.2, 0.6, 0.88, 1.15, 1.5, 2.0])
TILT = float(os.environ.get("TILT", 1.5))
FLOOR = float(os.environ.get("FLOOR", 0.05))


def default_ratio(each: Compared, rows: int) -> Floats:
    """What a level says before any data has spoken."""
    if each.levels > 20:
        return (LIKE[:, None] + np.log(max(rows, 2)) + TILT * (INFO_MID[None, :] - 1)).ravel()
    if each.levels == 2:
        return np.asarray([-2.0, 2.0])
    if each.levels == 3:
        return np.asarray([-4.0, -0.5, 1.0])
    if each.levels == 4:
        return np.asarray([-1.5, 0.5, 2.5, 4.0])
    return np.asarray([-2.5, 0.0, 1.5, 3.5, 5.0])


def monotone(ratio: Floats, weight: Floats) -> Floats:
    """The nearest table that grows with likeness and with how telling the shared words are."""
    table, mass = ratio.reshape(-1, 6).copy(), weight.reshape(-1, 6)
    for _ in range(3):
        for row in range(len(table)):
            table[row] = isotonic(table[row], mass[row])
        for col in range(6):
            table[:, col] = isotonic(table[:, col], mass[:, col])
    return table.ravel()
