"""What two units share that can bring them together: the names of their common blocks, for people to read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from schemacast.matching.columns import Column, Ints
from schemacast.matching.table import Table


def shared_blocks(table: Table, x: int, y: int) -> Iterator[str]:
    """The ways in which `blocks` could have brought two units together, whatever their size."""
    equal = []
    words = False
    for column in table.columns:
        if not column.field.compared:
            continue
        of_x, of_y = _values(column, x), _values(column, y)
        name = column.field.name
        if _meet(column.norm[of_x], column.norm[of_y]):
            equal.append(name)
            yield name
        if column.words is None or not len(of_x) or not len(of_y):
            continue
        words_x, words_y = column.words.take(of_x)[0], column.words.take(of_y)[0]
        words = words or _meet(words_x, words_y)
        if column.kind == "name":
            sound = table.vocabulary.skeleton
            if _meet(sound[words_x], sound[words_y]):
                yield f"{name} by sound"
            if _initials(column, of_x, of_y) or _initials(column, of_y, of_x):
                yield f"{name} by initials"
    if words:
        yield "words"
    yield from (f"{one} and {other}" for one, other in combinations(equal, 2))


def _values(column: Column, unit: int) -> Ints:
    return column.cells.items[column.cells.start[unit] : column.cells.start[unit + 1]]


def _meet(one: Ints, other: Ints) -> bool:
    return not set(one.tolist()).isdisjoint(other.tolist())


def _initials(column: Column, one: Ints, other: Ints) -> bool:
    short = column.acronym[one]
    return bool(np.isin(short[short >= 0], column.initials[other]).any())
