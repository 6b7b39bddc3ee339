"""Which rows of a table are one thing: likeness without texts, for people who have only a table.

The columns are named as the properties of a type with a `match` key. Rows become rows of matching as they are
read, without a record graph between, so that a million pass. Ids are those that resolution gives to records
whose source is the row: the first of an entity by id founds it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, time
from decimal import Decimal
from pathlib import Path
from typing import Any

from schemacast.errors import InputError, UnknownNameError, UsageError, nearest
from schemacast.frames import mappings
from schemacast.matching.model import Counts, Matching, Row, Weights
from schemacast.resolution.ids import founded_id
from schemacast.resolution.match_keys import MatchKey
from schemacast.schema.comparable import fold_words
from schemacast.schema.model import Schema, VertexType
from schemacast.schema.values import Scalar, Value
from schemacast.table_reader import cell_id, plain_cell, read_table

SHORT = 40
"""Characters of a text that is worth keeping once when many rows have it."""


@dataclass(frozen=True, slots=True)
class ResolvedTable:
    """The entity of every row, by the row's id, in the order of the table, and what matching did."""

    entity_ids: Mapping[str, str]
    counts: Counts
    weights: Weights

    @property
    def entities(self) -> int:
        """How many entities the rows are."""
        return len(set(self.entity_ids.values()))

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Row id and entity id, row by row."""
        return iter(self.entity_ids.items())


def resolve_table(
    schema: Schema,
    rows: Any,
    *,
    type: str,
    id: str = "id",
    distinct_within: str | None = None,
    weights: Weights | None = None,
) -> ResolvedTable:
    """Find out which rows are one thing.

    `rows` are an iterable of mappings, a pandas frame or a Polars frame, or the path of a CSV or Parquet file; columns
    are named as the properties of the vertex type `type`, which has a `match` key, and `id` names the one with the
    rows' ids. Columns that are no property are left alone. Of two rows with one value in the column
    `distinct_within` neither is the other. Given `weights`, nothing is learned.

    Raises UsageError for a type without a `match` key, UnknownNameError for one that does not exist, InputError
    for a column that is missing, an id that is empty or doubled, and a file that cannot be read.
    """
    table = _Table(schema, type, id, distinct_within)
    if isinstance(rows, str | Path):
        for line, cells in read_table(rows, table.columns, table.optional):
            table.take(f"{rows}:", line, cells)
    else:
        for number, cells in enumerate(_cells(mappings(rows), table.columns, table.optional), 1):
            table.take("row ", number, cells)
    return table.resolve(weights)


def _cells(
    rows: Iterable[Mapping[str, Any]], columns: tuple[str, ...], optional: tuple[str, ...]
) -> Iterator[tuple[Any, ...]]:
    for number, row in enumerate(rows):
        if number == 0:
            for name in columns:
                if name not in row:
                    raise InputError(f"no column {name!r}{nearest(name, map(str, row))}")
        yield tuple(plain_cell(row.get(name)) for name in (*columns, *optional))


class _Table:
    """Collects the rows of one table."""

    def __init__(self, schema: Schema, type: str, id: str, distinct_within: str | None) -> None:
        kind = schema.vertices.get(type)
        if kind is None:
            raise UnknownNameError(f"the schema has no vertex type {type!r}{nearest(type, schema.vertices)}")
        _check_kind(kind)
        self._schema = schema
        self._match = MatchKey(kind)
        key = kind.key.properties
        within = () if distinct_within is None else (distinct_within,)
        self.columns = (id, *key, *within)
        self.optional = tuple(name for name in self._match.names if name not in self.columns)
        places = {name: place for place, name in enumerate((*self.columns, *self.optional))}
        self._places = [places[name] for name in self._match.names]
        self._key_places = [places[name] for name in key]
        self._apart = None if distinct_within is None else len(key) + 1
        self._scope: tuple[Value, ...] = ("asserted",) if self._match.scoped else ()
        self._order: list[str] = []
        self._ids: list[str] = []
        self._rows: list[Row] = []
        self._alone: list[str] = []
        self._seen: set[str] = set()
        self._kept: dict[str, str] = {}

    def take(self, where: str, line: int, cells: tuple[Any, ...]) -> None:
        """Take one row; `where` and `line` name it in an error."""
        ident = cell_id(where, line, cells[0], self._seen)
        self._order.append(ident)
        if not self._match.is_named([cells[place] for place in self._key_places]):
            self._alone.append(ident)
            return
        kept = self._kept
        values = tuple(
            [
                kept.setdefault(cell, cell)
                if cell.__class__ is str and len(cell) <= SHORT
                else None
                if cell is None
                else _value(cell)
                for cell in [cells[place] for place in self._places]
            ]
        )
        apart = None if self._apart is None or cells[self._apart] is None else f"={cells[self._apart]}"
        self._ids.append(ident)
        self._rows.append(Row((*values, *self._scope) if self._scope else values, apart))

    def resolve(self, weights: Weights | None) -> ResolvedTable:
        """Match the rows that were taken."""
        from schemacast.matching.match import match

        self._join_equal_keys()
        try:
            matching: Matching = match(self._match.fields, self._rows, threshold=self._match.threshold, weights=weights)
        except ValueError as error:
            raise UsageError(f"the rows cannot be compared: {error}") from None
        founders: dict[str, str] = {}
        for members in matching.clusters:
            first = min(self._ids[row] for row in members)
            founders.update((self._ids[row], first) for row in members)
        founders.update((ident, ident) for ident in self._alone)
        name, kind = self._schema.name, self._match.type.name
        made = {first: founded_id(name, kind, "match", first, None, 0) for first in set(founders.values())}
        return ResolvedTable({ident: made[founders[ident]] for ident in self._order}, matching.counts, matching.weights)

    def _join_equal_keys(self) -> None:
        """Rows with equal keys are one unless something else that both state differs, as records are."""
        count = len(self._key_places)
        if len(self._match.names) == count:
            return  # matching itself sees that rows are equal in everything
        groups: dict[tuple[object, ...], list[int]] = {}
        for number, row in enumerate(self._rows):
            if row.apart is None:
                key = tuple([fold_words(each) if isinstance(each, str) else each for each in row.values[:count]])
                groups.setdefault(key, []).append(number)
        for numbers in groups.values():
            if len(numbers) > 1 and self._match.agree([self._rows[number].values for number in numbers]):
                for number in numbers:
                    self._rows[number] = replace(self._rows[number], entity=f"#{numbers[0]}")


def _value(cell: Any) -> Value | None:
    """A cell that is no short text, as a value."""
    if isinstance(cell, list | tuple):
        return tuple(found for item in cell if (found := _scalar(item)) is not None) or None
    return _scalar(cell)


def _scalar(cell: Any) -> Scalar | None:
    """One value of a cell; what is of no kind that a value can be stands as its text."""
    if cell is None or isinstance(cell, str | bool | int | float | date | time):
        return cell
    if isinstance(cell, Decimal):
        return None if cell.is_nan() else float(cell)
    return str(cell)


def _check_kind(kind: VertexType) -> None:
    if kind.key.kind != "match":
        what = "is minted" if kind.key.kind == "minted" else f"has the key {', '.join(kind.key.properties)}"
        raise UsageError(f"a {kind.name} {what}; a table is resolved by likeness: `key: {{match: [name, …]}}`")
    if kind.within:
        raise UsageError(f"a {kind.name} is told within {', '.join(kind.within)}, which a table does not say")
