"""What two units share that can bring them together: the names of their common blocks, for people to read."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from schemacast.matching.columns import Column, Ints, among
from schemacast.matching.table import Table

Bools = NDArray[np.bool_]


def shared_blocks(table: Table, a: Ints, b: Ints) -> list[tuple[str, ...]]:
    """For each pair of units the ways in which `blocks` could have brought it together, whatever their size."""
    found: list[tuple[str, Bools]] = []
    equal: list[tuple[str, Bools]] = []
    words = np.zeros(len(a), dtype=bool)
    for column in table.columns:
        if not column.field.compared:
            continue
        name = column.field.name
        value_a, pair_a = column.cells.take(a)
        value_b, pair_b = column.cells.take(b)
        same = _meet(column.norm[value_a], pair_a, column.norm[value_b], pair_b, len(a))
        equal.append((name, same))
        if column.words is None:
            continue
        word_a, at_a = column.words.take(value_a)
        word_b, at_b = column.words.take(value_b)
        words |= _meet(word_a, pair_a[at_a], word_b, pair_b[at_b], len(a))
        if column.kind == "name":
            sound = table.vocabulary.skeleton
            sound_a, sound_b = sound[word_a].astype(np.int64), sound[word_b].astype(np.int64)
            heard = _meet(sound_a, pair_a[at_a], sound_b, pair_b[at_b], len(a))
            short = _initials(column, value_a, pair_a, value_b, pair_b, len(a))
            short |= _initials(column, value_b, pair_b, value_a, pair_a, len(a))
            found += [(f"{name} by sound", heard), (f"{name} by initials", short)]
    both = [(f"{one} and {other}", x & y) for (one, x), (other, y) in combinations(equal, 2)]
    lines = [*equal, *found, ("words", words), *both]
    names: list[list[str]] = [[] for _ in a]
    for name, shared in lines:
        for index in np.flatnonzero(shared).tolist():
            names[index].append(name)
    return [tuple(each) for each in names]


def _meet(one: Ints, pair_of_one: Ints, other: Ints, pair_of_other: Ints, count: int) -> Bools:
    """Whether the two lists of a pair have a number in common."""
    size = int(max(one.max(initial=0), other.max(initial=0))) + 1
    shared = among(pair_of_one * size + one, np.sort(pair_of_other * size + other))
    result = np.zeros(count, dtype=bool)
    result[pair_of_one[shared]] = True
    return result


def _initials(column: Column, short: Ints, pair_of_short: Ints, long: Ints, pair_of_long: Ints, count: int) -> Bools:
    one, other = column.acronym[short], column.initials[long]
    has, may = one >= 0, other >= 0
    return _meet(one[has], pair_of_short[has], other[may], pair_of_long[may], count)
