"""Weights from the data alone: Fellegi-Sunter levels by expectation maximization."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from schemacast.matching.columns import Floats, Ints
from schemacast.matching.compare import ABSENT, Compared

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
        positive = has & (part > 0) & (each.info > 0)
        adjust = np.clip(each.info - center[level], -np.abs(part), 4)
        part = part + np.where(positive, adjust, 0.0)
        parts.append(part)
        total = total + part
    return total, parts


def learn(compared: list[Compared], sample: list[Compared], rows: int, all_pairs: float, normalize) -> Learned:
    count = len(compared[0].level)
    u = []
    for each, drawn in zip(compared, sample, strict=True):
        has = drawn.level != ABSENT
        hist = np.bincount(drawn.level[has], minlength=each.levels)[: each.levels] + 0.0
        base = hist.sum()
        u.append((hist + 0.5 / each.levels) / (base + 0.5))
    m = []
    for each in compared:
        shape = np.geomspace(0.02, 1.0, each.levels)
        m.append(shape / shape.sum())
    center = [np.zeros(each.levels) for each in compared]
    learned = Learned(np.log(0.3 * rows / all_pairs), m, u, center)
    p = np.zeros(count)
    for _ in range(ROUNDS):
        score, _ = weigh(learned, compared)
        p = normalize(score)
        for f, each in enumerate(compared):
            has = each.level != ABSENT
            hit = np.bincount(each.level[has], p[has], each.levels)
            miss = np.bincount(each.level[has], 1 - p[has], each.levels)
            learned.m[f] = (hit + 0.5 * learned.m[f]) / (hit.sum() + 0.5)
            share = (sample[f].level != ABSENT).mean()
            seen = miss / (all_pairs * max(share, 1e-3))
            drawn = np.bincount(sample[f].level[sample[f].level != ABSENT], minlength=each.levels)[: each.levels]
            rate = (drawn + 0.0) / max(drawn.sum(), 1)
            rate = np.maximum(rate, seen) + 1e-9
            learned.u[f] = rate / rate.sum()
            learned.center[f] = _centers(each, p)
        prior = max(p.sum(), 0.5) / all_pairs
        learned.prior = float(np.log(prior / (1 - prior)))
    return learned


def _centers(each: Compared, p: Floats) -> Floats:
    center = np.zeros(each.levels)
    for level in range(each.levels):
        at = each.level == level
        weight = (1 - p[at]) + 1e-6
        info = each.info[at]
        if not len(info):
            continue
        center[level] = np.log((weight * np.exp(info)).sum() / weight.sum())
    return center
