"""Levels of likeness for pairs of rows, field by field."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from schemacast.matching.columns import Column, Floats, Ints, Vocabulary
from schemacast.matching.likeness import word_likeness

Levels = NDArray[np.uint8]
ABSENT = 255
NAME_STEPS = np.asarray([0.2, 0.35, 0.5, 0.65, 0.78, 0.9, 0.9999])
INFO_STEPS = np.asarray([0.4, 0.75, 1.0, 1.3, 1.8])
TEXT_STEPS = np.asarray([0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 0.9999])


@dataclass(slots=True)
class Compared:
    """One field of every pair: its level (255: a value is absent), and how telling it is, in nats, if it ever is."""

    name: str
    level: Levels
    info: NDArray[np.float32] | None
    levels: int

    def every(self, step: int) -> Compared:
        """Every `step`-th pair."""
        info = None if self.info is None else self.info[::step]
        return self if step == 1 else Compared(self.name, self.level[::step], info, self.levels)


def compare(column: Column, vocabulary: Vocabulary, a: Ints, b: Ints) -> list[Compared]:
    """Levels of pairs of rows in one field; a field of kind `name` also gives a line for its numbers.

    Values are compared, not rows: where a pair of values stands for many pairs of rows it is compared once.
    """
    first, second, owner = _value_pairs(column, a, b)
    low, high = np.minimum(first, second), np.maximum(first, second)
    del first, second
    inverse = None
    if _repeats(low, high):
        size = len(column.values) + 1
        codes, inverse = np.unique(low * size + high, return_inverse=True)
        low, high = codes // size, codes % size
    single = _is_single(column)
    result = []
    for name, level, likeness, info, levels in _values(column, vocabulary, low, high):
        telling = info if info.any() else None
        if inverse is not None:
            level = level[inverse]
            telling = None if telling is None else telling[inverse]
        if single:
            result.append(_spread(name, level, telling, levels, owner, len(a)))
        else:
            alike = likeness if inverse is None else likeness[inverse]
            result.append(_best(name, level, alike, telling, levels, owner, len(a)))
    return result


def _repeats(low: Ints, high: Ints) -> bool:
    """Whether pairs of values occur so often that each is worth finding once, judged by a few of them."""
    few = slice(None, None, max(len(low) // 20_000, 1))
    return len(np.unique(low[few] * (int(high.max(initial=0)) + 1) + high[few])) < 0.9 * len(low[few])


def _is_single(column: Column) -> bool:
    return int(column.cells.lengths().max(initial=0)) <= 1


def _value_pairs(column: Column, a: Ints, b: Ints) -> tuple[Ints, Ints, Ints]:
    start, items = column.cells.start, column.cells.items
    has = column.cells.lengths()
    if _is_single(column):
        owner = np.flatnonzero((has[a] > 0) & (has[b] > 0))
        return items[start[a[owner]]], items[start[b[owner]]], owner
    count_a, count_b = np.minimum(has[a], 8), np.minimum(has[b], 8)
    per = count_a * count_b
    owner = np.repeat(np.arange(len(a)), per)
    offset = np.arange(len(owner)) - np.repeat(np.cumsum(per) - per, per)
    return items[start[a[owner]] + offset // count_b[owner]], items[start[b[owner]] + offset % count_b[owner]], owner


def _spread(name: str, level: Levels, info: Floats | None, levels: int, owner: Ints, count: int) -> Compared:
    """The levels of pairs that have both values, set among all pairs."""
    every = np.full(count, ABSENT, dtype=np.uint8)
    every[owner] = level
    telling = None
    if info is not None:
        telling = np.zeros(count, dtype=np.float32)
        telling[owner] = info
    return Compared(name, every, telling, levels)


def _best(
    name: str, level: Levels, likeness: Floats, info: Floats | None, levels: int, owner: Ints, count: int
) -> Compared:
    """Of several values on either side, the pair that is most alike."""
    telling = np.zeros(len(level)) if info is None else info
    order = np.lexsort((telling, likeness, np.where(level == ABSENT, -1, level.astype(np.int64)), owner))
    return _spread(name, level[order], None if info is None else info[order], levels, owner[order], count)


def _value_info(column: Column) -> Floats:
    """How rare each value is, in nats: the log of rows with a value over rows with this one."""
    counts = np.bincount(column.norm[column.cells.items], minlength=int(column.norm.max(initial=0)) + 1)
    return np.log(np.maximum(counts.sum(), 1) / np.maximum(counts, 1))


def word_weights(column: Column, vocabulary: Vocabulary) -> Floats:
    value = column.cells.items
    word, _ = column.words.take(value)
    counts = np.bincount(word, minlength=len(vocabulary.words))
    rows = max(len(value), 1)
    return np.log((rows + 1) / np.maximum(counts, 1)) + 0.1


def _values(column: Column, vocabulary: Vocabulary, a: Ints, b: Ints):
    same = column.norm[a] == column.norm[b]
    info = np.where(same, _value_info(column)[column.norm[a]], 0.0)
    name = column.field.name
    if column.kind in ("name", "text"):
        return _texts(column, vocabulary, a, b, same, info)
    if column.kind == "code":
        return [(name, *_codes(column, a, b, same, info), 5)]
    if column.kind == "number":
        return [(name, *_numbers(column, a, b, same, info), 4)]
    if column.kind == "date":
        return [(name, *_dates(column, a, b, same, info), 5)]
    return [(name, same.astype(np.uint8), same.astype(float), info, 2)]


def _texts(column, vocabulary, a, b, same, value_info):
    from rapidfuzz.distance import Indel
    from rapidfuzz.process import cpdist

    weight = word_weights(column, vocabulary)
    fuzzy = column.kind == "name"
    likeness, info = word_likeness(column, vocabulary, weight, a, b, fuzzy=fuzzy)
    rows = max(len(column.cells.items), 2)
    conflict = np.zeros(len(a), bool)
    result = []
    if fuzzy:
        digits = _digits(column, a, b)
        conflict = digits == 0
        doubtful = np.flatnonzero((likeness < 0.95) & ~conflict)
        doubtful = doubtful[_could_be_alike(column, a[doubtful], b[doubtful], likeness[doubtful])]
        left, right = [column.texts[i] for i in a[doubtful]], [column.texts[i] for i in b[doubtful]]
        whole = cpdist(left, right, scorer=Indel.normalized_similarity, workers=-1, dtype=np.float64)
        boosted = 2 * whole - 1
        better = boosted > likeness[doubtful]
        likeness[doubtful] = np.maximum(likeness[doubtful], boosted)
        info[doubtful] = np.where(better, np.maximum(info[doubtful], boosted * np.log(rows) * 0.8), info[doubtful])
        short = (column.acronym[a] >= 0) & (column.acronym[a] == column.initials[b])
        short |= (column.acronym[b] >= 0) & (column.acronym[b] == column.initials[a])
        likeness[short] = np.maximum(likeness[short], 0.88)
        info[short] = np.maximum(info[short], 0.6 * np.log(rows))
        result.append((f"{column.field.name}: numbers", digits, digits / 2.0, np.zeros(len(a)), 3))
    likeness[same] = 1.0
    info = np.where(
        same & (value_info > 0),
        np.minimum(np.maximum(info, value_info), np.log(rows) * 2.5),
        np.minimum(info, np.log(rows) * 2.5),
    )
    steps = NAME_STEPS if fuzzy else TEXT_STEPS
    level = np.searchsorted(steps, likeness, side="right").astype(np.uint8)
    telling = np.searchsorted(INFO_STEPS, info / np.log(rows), side="right").astype(np.uint8)
    cell = level * (len(INFO_STEPS) + 1) + telling
    return [(column.field.name, cell, likeness, np.zeros(len(a)), (len(steps) + 1) * (len(INFO_STEPS) + 1)), *result]


def _could_be_alike(column: Column, a: Ints, b: Ints, likeness: Floats) -> NDArray[np.bool_]:
    """Whether whole texts can be more alike than their words: a cheap bound by their lengths and letters."""
    length, letters = column.lengths[a] + column.lengths[b], column.letters[a] ^ column.letters[b]
    differ = np.maximum(np.abs(column.lengths[a] - column.lengths[b]), np.bitwise_count(letters))
    return 1 - 2 * differ / np.maximum(length, 1) > likeness


def _digits(column, a, b):
    """0: each side has numbers that the other lacks; 1: one side has more; 2: the same; 255: none."""
    runs = column.runs
    size = int(runs.items.max(initial=0)) + 2
    ids, items = np.unique(runs.items, return_inverse=True)
    size = len(ids) + 1
    run_a, pair_a = runs.take(a)
    run_b, pair_b = runs.take(b)
    id_a, id_b = np.searchsorted(ids, run_a), np.searchsorted(ids, run_b)
    code_a, code_b = pair_a * size + id_a, pair_b * size + id_b
    from schemacast.matching.likeness import _among

    rest_a = np.bincount(pair_a[~_among(code_a, code_b)], minlength=len(a)) > 0
    rest_b = np.bincount(pair_b[~_among(code_b, code_a)], minlength=len(a)) > 0
    has = runs.lengths() > 0
    level = np.where(rest_a & rest_b, 0, np.where(rest_a | rest_b, 1, 2)).astype(np.uint8)
    level[~(has[a] | has[b])] = ABSENT
    return level


def _codes(column, a, b, same, info):
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import cpdist

    left, right = [column.texts[i] for i in a], [column.texts[i] for i in b]
    distance = cpdist(left, right, scorer=OSA.distance, workers=-1, dtype=np.int64)
    long = np.asarray([max(len(x), len(y)) for x, y in zip(left, right, strict=True)], dtype=np.int64)
    short = np.asarray([min(len(x), len(y)) for x, y in zip(left, right, strict=True)], dtype=np.int64)
    within = np.asarray(
        [len(x) >= 4 and len(y) >= 4 and (x in y or y in x) for x, y in zip(left, right, strict=True)], bool
    )
    level = np.where(distance * 2 <= long, 1, 0)
    level[(distance == 2) & (short >= 6)] = 2
    level[(distance == 1) & (short >= 3) | within] = 3
    level[same] = 4
    likeness = 1 - distance / np.maximum(long, 1)
    typical = np.log(max(len(column.cells.items), 2))
    info = np.where(same, info, np.where(level >= 2, 0.6 * typical, 0.0))
    return level.astype(np.uint8), likeness, info


def _numbers(column, a, b, same, info):
    x, y = column.numbers[a], column.numbers[b]
    with np.errstate(invalid="ignore", divide="ignore"):
        off = np.abs(x - y) / np.maximum(np.maximum(np.abs(x), np.abs(y)), 1e-12)
    level = np.where(off <= 0.02, 2, np.where(off <= 0.2, 1, 0))
    level[same] = 3
    level = level.astype(np.uint8)
    level[np.isnan(x) | np.isnan(y)] = ABSENT
    return level, np.nan_to_num(1 - np.minimum(off, 1)), np.where(same, info, 0.0)


def _dates(column, a, b, same, info):
    x, y = column.days[a], column.days[b]
    year = np.abs(x[:, 0] - y[:, 0])
    full = (x[:, 1] > 0) & (y[:, 1] > 0)
    parts = (x == y).sum(axis=1)
    swapped = (x[:, 0] == y[:, 0]) & (x[:, 1] == y[:, 2]) & (x[:, 2] == y[:, 1])
    level = np.where(year == 1, 1, 0)
    level[full & (parts == 1)] = 1
    level[(year == 0)] = 2
    level[(full & (parts == 2)) | swapped | ((year == 0) & ~full)] = 3
    level[same] = 4
    level = level.astype(np.uint8)
    level[(x[:, 0] == 0) | (y[:, 0] == 0)] = ABSENT
    return level, level / 4.0, np.where(same, info, 0.0)
