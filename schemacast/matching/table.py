"""Rows in an order of their own, equal ones as one unit, and what keeps units apart or together.

The order comes from what the rows say, so that everything after it is the same however they were given.
Rows that are equal in every field are one unit from the start: ten thousand rows with one name cost no
more than one. A row without any value, and a row that has an `apart`, is always a unit of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from schemacast.matching.abbreviations import finish
from schemacast.matching.columns import (
    Column,
    Ints,
    Ragged,
    Vocabulary,
    count_words,
    in_order,
    intern_cells,
    mark,
    read_column,
)
from schemacast.matching.model import Field, Row, Weights
from schemacast.schema.values import Value

Marks = NDArray[np.uint64]
Bools = NDArray[np.bool_]
AT_ONCE = 1000
_SALT, _SPREAD = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)


@dataclass(slots=True)
class Table:
    """What the rest works with. `unit_of` gives the unit of each given row, `rows_of` the rows of each unit.

    `apart` numbers what a unit is apart by, -1 for nothing; `said` has the units of which a person said something.
    """

    columns: list[Column]
    vocabulary: Vocabulary
    unit_of: Ints
    rows_of: Ragged
    apart: Ints
    aparts: int
    said: dict[int, Row]
    cut_values: int

    @property
    def units(self) -> int:
        return len(self.apart)


def read_table(fields: Sequence[Field], rows: Sequence[Row], weights: Weights | None) -> Table:
    """The rows as columns of units. The kinds and counts of given weights stand in for those of the data."""
    count = len(rows)
    vocabulary = Vocabulary()
    interned = []
    has_said = _said(rows)
    row_marks = _said_marks(rows, has_said)
    cut_values = 0
    for index, given in enumerate(_by_field(len(fields), rows)):
        cells, values, cut = intern_cells(given)
        given.clear()
        cut_values += cut
        cells, values, marks = in_order(cells, values)
        interned.append((cells, values))
        row_marks = _mixed(row_marks, cells, marks, index)
    order = np.argsort(row_marks, kind="stable")
    columns = []
    for index, (cells, values) in enumerate(interned):
        declared = fields[index]
        kind = weights.fields[index].kind if weights else declared.kind
        columns.append(read_column(declared, kind, _taken(cells, order), values, vocabulary))
    finish(columns, vocabulary)
    apart, aparts = _aparts(rows, order, has_said)
    unit, first = _units(columns, rows, order, apart, has_said)
    unit_of = np.empty(count, dtype=np.int64)
    unit_of[order] = unit
    for index, column in enumerate(columns):
        column.cells = _taken(column.cells, first)
        count_words(column, vocabulary, weights.fields[index] if weights else None)
    by_unit = np.argsort(unit_of, kind="stable")
    start = np.zeros(len(first) + 1, dtype=np.int64)
    np.cumsum(np.bincount(unit_of, minlength=len(first)), out=start[1:])
    said = {int(unit_of[row]): rows[row] for row in np.flatnonzero(has_said).tolist() if _by_a_person(rows[row])}
    return Table(columns, vocabulary, unit_of, Ragged(start, by_unit), apart[first], aparts, said, cut_values)


def _taken(cells: Ragged, index: Ints) -> Ragged:
    items, owner = cells.take(index)
    start = np.zeros(len(index) + 1, dtype=np.int64)
    np.cumsum(np.bincount(owner, minlength=len(index)), out=start[1:])
    return Ragged(start, items)


def _mixed(total: Marks, cells: Ragged, marks: Marks, salt: int) -> Marks:
    """A number per row with the cells of one more field mixed in; the order inside a cell does not count."""
    value, owner = cells.take(np.arange(len(cells.start) - 1))
    mixed = (marks[value] + np.uint64(17 + salt * 1000003)) * _SPREAD
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(32)
    summed = np.zeros(len(total), np.uint64)
    np.add.at(summed, owner, mixed)
    return (total ^ summed) * _SALT


def _by_field(fields: int, rows: Sequence[Row]) -> list[list[Value | None]]:
    """The values of every field; some rows at a time are taken apart, while they are near in a processor's memory."""
    found: list[list[Value | None]] = [[] for _ in range(fields)]
    for start in range(0, len(rows), AT_ONCE):
        several = [row.values for row in rows[start : start + AT_ONCE]]
        for values, column in zip(found, zip(*several, strict=True), strict=True):
            values += column
    return found


def _said(rows: Sequence[Row]) -> Bools:
    """Of which rows something is said beside their values."""
    said = (row.apart is not None or row.entity is not None or bool(row.groups) or bool(row.not_with) for row in rows)
    return np.fromiter(said, bool, len(rows))


def _by_a_person(row: Row) -> bool:
    return row.entity is not None or bool(row.groups) or bool(row.not_with)


def _said_marks(rows: Sequence[Row], has_said: Bools) -> Marks:
    marks = np.zeros(len(rows), dtype=np.uint64)
    for index in np.flatnonzero(has_said).tolist():
        row = rows[index]
        marks[index] = mark(repr([row.apart, row.entity, sorted(row.groups), sorted(row.not_with)]))
    return marks


def _aparts(rows: Sequence[Row], order: Ints, has_said: Bools) -> tuple[Ints, int]:
    ids: dict[str, int] = {}
    apart = np.full(len(rows), -1, dtype=np.int64)
    for place in np.flatnonzero(has_said[order]).tolist():
        value = rows[order[place]].apart
        if value is not None:
            apart[place] = ids.setdefault(value, len(ids))
    return apart, len(ids)


def _units(
    columns: Sequence[Column], rows: Sequence[Row], order: Ints, apart: Ints, has_said: Bools
) -> tuple[Ints, Ints]:
    """For every row in its order the number of its unit, and for every unit its first row."""
    count = len(rows)
    total = np.zeros(count, dtype=np.uint64)
    filled = np.zeros(count, dtype=bool)
    for index, column in enumerate(columns):
        total = _mixed(total, column.cells, column.norm.astype(np.uint64), index)
        filled |= column.cells.lengths() > 0
    for at in np.flatnonzero(has_said[order]).tolist():
        given = rows[order[at]]
        if _by_a_person(given):
            said = mark(repr([given.entity, sorted(given.groups), sorted(given.not_with)]))
            total[at] ^= np.uint64(said * int(_SALT) & 0xFFFFFFFFFFFFFFFF)
    alone = (apart >= 0) | ~filled
    total[alone] += np.flatnonzero(alone).astype(np.uint64) * _SALT
    _, first, unit = np.unique(total, return_index=True, return_inverse=True)
    by_row = np.argsort(first, kind="stable")
    place = np.empty(len(first), dtype=np.int64)
    place[by_row] = np.arange(len(first))
    return place[unit], first[by_row]
