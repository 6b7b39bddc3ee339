"""Which value stands when episodes state different ones: the `keep` of a property.

Values are folded one by one into a small cell, so that nothing is kept per episode. Every fold is
commutative and associative, which is what makes the order of episodes irrelevant: a value comes with
its rank (reference time, source id, whether the source itself stated it, position in its episode), and
ties are decided by the value's own text. Within one episode what the source states in structured form
stands before what its text says. Key properties have no `keep`: of equal forms the first stands.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from schemacast.schema.comparable import Equality
from schemacast.schema.model import Property
from schemacast.schema.values import Scalar, Value, canonical_text, is_partial, scalar_to_json, utc


class Rank(NamedTuple):
    """When and where a value was stated. `time` is a POSIX timestamp, minus infinity for none."""

    time: float
    source_id: str
    known: bool
    position: int


Cell = Any
"""What a keeper folds values into; only the keeper that made it looks inside."""

BEFORE_ALL = Rank(float("-inf"), "", False, -1)
"""The rank of what a store held before this run."""


class Keeper(Protocol):
    """One way of choosing among the values of a property. `lists`: what stands is a list."""

    lists: bool

    def cell(self, rank: Rank, value: Value, /) -> Cell:
        """A cell holding one value."""
        ...

    def merge(self, one: Cell, other: Cell, /) -> Cell:
        """A cell holding what both held; may reuse either."""
        ...

    def value(self, cell: Cell) -> Value:
        """The value that stands."""
        ...


def _text(value: Value) -> str:
    if isinstance(value, tuple):
        return "\x1f".join(canonical_text(item) for item in value)
    return canonical_text(value)


def _first_key(rank: Rank) -> tuple[float, str, bool, int]:
    return rank.time, rank.source_id, not rank.known, rank.position


class Latest:
    """The last value stated stands."""

    lists = False

    def cell(self, rank: Rank, value: Value, /) -> Cell:
        return rank, value

    def merge(self, one: Cell, other: Cell, /) -> Cell:
        if one[0] != other[0]:
            return one if one[0] > other[0] else other
        return one if _text(one[1]) >= _text(other[1]) else other

    def value(self, cell: Cell) -> Value:
        value: Value = cell[1]
        return value


class First:
    """The first value stated stands."""

    lists = False

    def cell(self, rank: Rank, value: Value, /) -> Cell:
        return rank, value

    def merge(self, one: Cell, other: Cell, /) -> Cell:
        if one[0] != other[0]:
            return one if _first_key(one[0]) < _first_key(other[0]) else other
        return one if _text(one[1]) <= _text(other[1]) else other

    def value(self, cell: Cell) -> Value:
        value: Value = cell[1]
        return value


class KeyForm(First):
    """The first of the forms that count as one value of a key, trimmed and composed."""

    def value(self, cell: Cell) -> Value:
        return _key_value(cell[1])


class ExactKey:
    """A key value whose equal forms are the same once trimmed and composed: nothing but it is kept."""

    lists = False

    def cell(self, _rank: Rank, value: Value, /) -> Cell:
        return _key_value(value)

    def merge(self, one: Cell, _other: Cell, /) -> Cell:
        return one

    def value(self, cell: Cell) -> Value:
        value: Value = cell
        return value


def _key_value(value: Value) -> Value:
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value).strip()
    return utc(value) if isinstance(value, datetime) and value.tzinfo else value


class LatestMoment:
    """The last date or datetime stated stands, unless an earlier one says the same more precisely.

    Of the full values in one month (of datetimes: on one day) only the last can ever stand, so the
    cell holds one for each, and every distinct partial value.
    """

    lists = False

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._unit = 7 if kind == "date" else 10  # characters of YYYY-MM, of YYYY-MM-DD

    def cell(self, rank: Rank, value: Value, /) -> Cell:
        assert not isinstance(value, tuple)
        text = str(scalar_to_json(value))
        return {text + "…" if is_partial(self._kind, value) else text[: self._unit]: (rank, value, text)}

    def merge(self, one: Cell, other: Cell, /) -> Cell:
        for place, candidate in other.items():
            held = one.get(place)
            if held is None or (candidate[0], candidate[2]) > (held[0], held[2]):
                one[place] = candidate
        return one

    def value(self, cell: Cell) -> Value:
        best = max(cell.values(), key=lambda held: (held[0], held[2]))
        while True:
            finer = [held for held in cell.values() if len(held[2]) > len(best[2]) and held[2].startswith(best[2])]
            if not finer or not is_partial(self._kind, best[1]):
                value: Value = best[1]
                return value
            best = max(finer, key=lambda held: (held[0], held[2]))


class _Distinct(dict[str, tuple[Rank, int, Scalar]]):
    """Distinct values by canonical text, each with the first rank and place that stated it."""

    __slots__ = ()

    @classmethod
    def of(cls, rank: Rank, value: Value) -> _Distinct:
        items = value if isinstance(value, tuple) else (value,)
        found = cls()
        for index, item in enumerate(items):
            found.setdefault(canonical_text(item), (rank, index, item))
        return found

    def take(self, other: _Distinct) -> _Distinct:
        for text, stated in other.items():
            held = self.get(text)
            if held is None or _place(stated) < _place(held):
                self[text] = stated
        return self

    def in_order(self, kind: str) -> tuple[Scalar, ...]:
        # Stores keep partial dates in a list of their own, so that these stand after the full ones.
        ordered = sorted(self.values(), key=lambda stated: (is_partial(kind, stated[2]), _place(stated)))
        return tuple(stated[2] for stated in ordered)


def _place(stated: tuple[Rank, int, Scalar]) -> tuple[tuple[float, str, bool, int], int, str]:
    return _first_key(stated[0]), stated[1], str(scalar_to_json(stated[2]))


class All:
    """Every distinct value, in the order of first statement."""

    lists = True

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def cell(self, rank: Rank, value: Value, /) -> Cell:
        return _Distinct.of(rank, value)

    def merge(self, one: Cell, other: Cell, /) -> Cell:
        return one.take(other)

    def value(self, cell: Cell) -> Value:
        values: tuple[Scalar, ...] = cell.in_order(self._kind)
        return values


class WholeList:
    """The list of the last (or first) episode that states one stands; within the episode lists are joined."""

    lists = True

    def __init__(self, kind: str, *, first: bool) -> None:
        self._kind = kind
        self._first = first

    def cell(self, rank: Rank, value: Value, /) -> Cell:
        return (rank.time, rank.source_id, rank.known != self._first), _Distinct.of(rank, value)

    def merge(self, one: Cell, other: Cell, /) -> Cell:
        if one[0] == other[0]:
            return one[0], one[1].take(other[1])
        return one if (one[0] < other[0]) == self._first else other

    def value(self, cell: Cell) -> Value:
        values: tuple[Scalar, ...] = cell[1].in_order(self._kind)
        return values


_LATEST, _FIRST, _KEY_FORM, _EXACT_KEY = Latest(), First(), KeyForm(), ExactKey()


def keeper(declared: Property, *, key: Equality | None) -> Keeper:
    """The keeper of a property; `key` is how the type's key compares it when it is part of that."""
    if key is not None:
        exact = key == "key" and declared.match != "code" and declared.type not in ("number", "integer")
        return _EXACT_KEY if exact else _KEY_FORM
    if declared.keep == "all":
        return All(declared.type)
    if declared.many:
        return WholeList(declared.type, first=declared.keep == "first")
    if declared.keep == "first":
        return _FIRST
    return LatestMoment(declared.type) if declared.type in ("date", "datetime") else _LATEST


Cells = list[Cell]
"""The cells of one entity or edge, in the order of its type's keepers; None where nothing is stated."""


class Keepers:
    """The keepers of a type's properties. Cells are lists beside them, because there are very many."""

    __slots__ = ("_named", "_ordered")

    def __init__(self, properties: Mapping[str, Property], key: Iterable[str], equality: Equality) -> None:
        parts = frozenset(key)
        made = [
            (name, keeper(properties[name], key=equality if name in parts else None)) for name in sorted(properties)
        ]
        self._ordered = made
        self._named = {name: (index, each) for index, (name, each) in enumerate(made)}

    def __iter__(self) -> Iterator[str]:
        return iter(self._named)

    def __getitem__(self, name: str) -> Keeper:
        return self._named[name][1]

    def empty(self) -> Cells:
        """Cells in which nothing is stated."""
        return [None] * len(self._ordered)

    def fold(self, cells: Cells, name: str, rank: Rank, value: Value) -> None:
        """Fold one value of property `name` into its cell. Raises KeyError for a property the type lacks."""
        index, each = self._named[name]
        cell = each.cell(rank, value)
        held = cells[index]
        cells[index] = cell if held is None else each.merge(held, cell)

    def fold_known(self, cells: Cells, props: Mapping[str, Value]) -> None:
        """Fold in what a store held before this run; a property that the type no longer has is left out."""
        for name, value in props.items():
            if name not in self._named:
                continue
            if isinstance(value, tuple) and not self[name].lists:  # written under another `keep`
                for item in value:
                    self.fold(cells, name, BEFORE_ALL, item)
            else:
                self.fold(cells, name, BEFORE_ALL, value)

    def merge(self, into: Cells, cells: Cells) -> None:
        """Merge the cells of what turns out to be one thing; `cells` are used up."""
        for index, cell in enumerate(cells):
            if cell is not None:
                held = into[index]
                into[index] = cell if held is None else self._ordered[index][1].merge(held, cell)

    def drop(self, cells: Cells, names: Iterable[str]) -> None:
        """Forget what was stated of some properties."""
        for name in names:
            cells[self._named[name][0]] = None

    def value(self, cells: Cells, name: str) -> Value | None:
        """The value of property `name` that stands so far."""
        index, each = self._named[name]
        return None if cells[index] is None else each.value(cells[index])

    def props(self, cells: Cells) -> dict[str, Value]:
        """The values that stand, by name in order."""
        stated = zip(self._ordered, cells, strict=True)
        return {name: each.value(cell) for (name, each), cell in stated if cell is not None}
