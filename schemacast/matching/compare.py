"""Pairs of rows, field by field: each pair of values is compared once, however many pairs of rows have it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from schemacast.matching.columns import Column, Ints, Vocabulary
from schemacast.matching.halves import in_halves
from schemacast.matching.levels import ABSENT, Leveled, Levels, LineKind, level_values
from schemacast.matching.table import Table


@dataclass(slots=True)
class Compared:
    """One line of comparison: of every pair its level (255: a value is absent), and how telling it is, in nats.

    `kind` says how weights are learned: the field's kind, or `numbers` for the numbers inside a name.
    """

    name: str
    kind: LineKind
    level: Levels
    info: NDArray[np.float32] | None
    levels: int

    def every(self, step: int) -> Compared:
        """Every `step`-th pair."""
        info = None if self.info is None else self.info[::step]
        return self if step == 1 else Compared(self.name, self.kind, self.level[::step], info, self.levels)

    def at(self, places: Ints | slice) -> Compared:
        """The pairs at these places."""
        info = None if self.info is None else self.info[places]
        return Compared(self.name, self.kind, self.level[places], info, self.levels)

    def with_inserted(self, places: Ints, other: Compared) -> Compared:
        """These pairs with another's, each of which comes before the pair at its place."""
        info = None
        if self.info is not None and other.info is not None:
            info = np.insert(self.info, places, other.info)
        return Compared(self.name, self.kind, np.insert(self.level, places, other.level), info, self.levels)

    def and_then(self, *others: Compared) -> Compared:
        """These pairs, then those of the others in turn, for the same line."""
        every = (self, *others)
        info = None
        if any(each.info is not None for each in every):
            filled = (np.zeros(len(each.level), np.float32) if each.info is None else each.info for each in every)
            info = np.concatenate(tuple(filled))
        return Compared(self.name, self.kind, np.concatenate([each.level for each in every]), info, self.levels)


def compare(table: Table, a: Ints, b: Ints) -> list[Compared]:
    """The lines of every compared field for pairs of units, in the order of the fields."""
    columns = [column for column in table.columns if column.field.compared]

    def lines(part: slice) -> list[Compared]:
        return [line for column in columns for line in _compare(column, table.vocabulary, a[part], b[part])]

    first, *rest = in_halves(len(a), lines)
    if not rest:
        return first
    return [one.and_then(*others) for one, *others in zip(first, *rest, strict=True)]


def _compare(column: Column, vocabulary: Vocabulary, a: Ints, b: Ints) -> list[Compared]:
    first, second, owner = _value_pairs(column, a, b)
    low, high = np.minimum(first, second), np.maximum(first, second)
    del first, second
    inverse = None
    if _repeats(low, high):
        size = len(column.values) + 1
        codes, inverse = np.unique(low * size + high, return_inverse=True)
        low, high = codes // size, codes % size
    return [_spread(column, line, inverse, owner, len(a)) for line in level_values(column, vocabulary, low, high)]


def _repeats(low: Ints, high: Ints) -> bool:
    """Whether pairs of values occur so often that each is worth finding once, judged by a few of them."""
    few = slice(None, None, max(len(low) // 20_000, 1))
    return len(np.unique(low[few] * (int(high.max(initial=0)) + 1) + high[few])) < 0.9 * len(low[few])


def _value_pairs(column: Column, a: Ints, b: Ints) -> tuple[Ints, Ints, Ints]:
    """Every pair of values of every pair of units, and which pair of units it is of."""
    start, items = column.cells.start, column.cells.items
    has = column.cells.lengths()
    if column.is_single:
        owner = np.flatnonzero((has[a] > 0) & (has[b] > 0))
        return items[start[a[owner]]], items[start[b[owner]]], owner
    per = has[a] * has[b]
    owner = np.repeat(np.arange(len(a)), per)
    offset = np.arange(len(owner)) - np.repeat(np.cumsum(per) - per, per)
    of_b = has[b[owner]]
    return items[start[a[owner]] + offset // of_b], items[start[b[owner]] + offset % of_b], owner


def _spread(column: Column, line: Leveled, inverse: Ints | None, owner: Ints, count: int) -> Compared:
    """The levels of pairs of values, set among all pairs of units; of several the most alike stands."""
    level, likeness, telling = line.level, line.likeness, line.telling
    if inverse is not None:
        level, likeness = level[inverse], likeness[inverse]
        telling = None if telling is None else telling[inverse]
    if not column.is_single:
        rank = np.where(level == ABSENT, -1, level.astype(np.int64))
        order = np.lexsort((np.zeros(len(level)) if telling is None else telling, likeness, rank, owner))
        level, owner = level[order], owner[order]
        telling = None if telling is None else telling[order]
    every = np.full(count, ABSENT, dtype=np.uint8)
    every[owner] = level
    info = None
    if telling is not None:
        info = np.zeros(count, dtype=np.float32)
        info[owner] = telling
    return Compared(line.name, line.kind, every, info, line.levels)
