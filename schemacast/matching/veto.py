"""What can never be one thing, however alike: differing numbers, codes and signs in a name; differing keys.

A name's numbers contradict another's when each name has one that the other lacks; a number on one side
only is no contradiction, since a short form leaves things out. Signs contradict on the same letters (`C`,
`C++`, `C#`; `Net`, `.NET`), and so do the dotted and the dotless i where both names are spelled with them.
A field read off its values (`auto`) vetoes nothing unless its `veto` says so.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from schemacast.matching.columns import Column, Ints
from schemacast.matching.table import Table

Bools = NDArray[np.bool_]
_SIGNS = "+#"
NOTHING = 0
"""The mark of a value that cannot contradict any other."""


@dataclass(frozen=True, slots=True)
class _Inside:
    """What of a name may contradict: its numbers, words of letters and digits, signed words, and its i's."""

    digits: str
    runs: frozenset[str]
    codes: frozenset[str]
    signed: frozenset[str]
    plain: frozenset[str]
    spelled: str | None
    letters: str


@dataclass(slots=True)
class Rule:
    """One field that vetoes. `mark` numbers, per unit, what it says there; `meaning` has what a number stands for."""

    column: Column
    inside: bool
    mark: Ints
    meaning: list[Hashable]
    known: dict[tuple[int, int], bool] = field(default_factory=dict)

    def clash(self, one: int, other: int) -> bool:
        """Whether two marks contradict."""
        if one == other or NOTHING in (one, other):
            return False
        pair = (one, other) if one < other else (other, one)
        found = self.known.get(pair)
        if found is None:
            first, second = self.meaning[pair[0]], self.meaning[pair[1]]
            assert isinstance(first, frozenset)
            assert isinstance(second, frozenset)
            found = all(_inside_clash(x, y) for x in first for y in second) if self.inside else not first & second
            self.known[pair] = found
        return found

    def pairs(self, a: Ints, b: Ints) -> Bools:
        """Whether units contradict, for many pairs at once."""
        one, other = self.mark[a], self.mark[b]
        doubtful = np.flatnonzero((one != other) & (one != NOTHING) & (other != NOTHING))
        result = np.zeros(len(a), dtype=bool)
        if not len(doubtful):
            return result
        if not self.inside and self.column.is_single:
            result[doubtful] = True
            return result
        size = len(self.meaning)
        codes, inverse = np.unique(one[doubtful] * size + other[doubtful], return_inverse=True)
        clashes = np.fromiter((self.clash(code // size, code % size) for code in codes.tolist()), bool, len(codes))
        result[doubtful] = clashes[inverse]
        return result


class Vetoes:
    """Every rule of a table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.rules = [rule for column in table.columns if (rule := _rule(column)) is not None]

    def pairs(self, a: Ints, b: Ints) -> Bools:
        """Whether any rule, a common `apart` or a person's word forbids a pair."""
        result = np.zeros(len(a), dtype=bool)
        for rule in self.rules:
            result |= rule.pairs(a, b)
        apart = self.table.apart
        result |= (apart[a] == apart[b]) & (apart[a] >= 0)
        if self.table.said:
            said = np.zeros(self.table.units, dtype=bool)
            said[list(self.table.said)] = True
            for index in np.flatnonzero(said[a] & said[b]).tolist():
                result[index] |= self.split(int(a[index]), int(b[index]))
        return result

    def split(self, a: int, b: int) -> bool:
        """Whether a person said that two units are different."""
        one, other = self.table.said.get(a), self.table.said.get(b)
        if one is None or other is None:
            return False
        groups_of_one = one.groups | ({one.entity} if one.entity is not None else set())
        groups_of_other = other.groups | ({other.entity} if other.entity is not None else set())
        return bool(one.not_with & groups_of_other or other.not_with & groups_of_one)

    def mark(self, unit: int) -> tuple[int, ...]:
        """What clusters keep of a unit: its marks, then itself if a person said something of it."""
        return (*(int(rule.mark[unit]) for rule in self.rules), unit if unit in self.table.said else -1)

    def clash(self, one: tuple[int, ...], other: tuple[int, ...]) -> bool:
        """Whether two units with these marks may never be in one cluster."""
        for rule, x, y in zip(self.rules, one, other, strict=False):
            if rule.clash(x, y):
                return True
        return one[-1] >= 0 and other[-1] >= 0 and self.split(one[-1], other[-1])

    def fields(self, a: int, b: int) -> tuple[str, ...]:
        """The fields that veto a pair of units."""
        return tuple(rule.column.field.name for rule in self.rules if rule.clash(int(rule.mark[a]), int(rule.mark[b])))


def _rule(column: Column) -> Rule | None:
    declared = column.field
    if declared.veto is False:
        return None
    kind = column.kind
    if kind in ("name", "text"):
        inside = declared.kind == "name" or (declared.veto is True and declared.compared)
        if inside:
            return _inside_rule(column)
        return _differing_rule(column) if not declared.compared else None
    by_kind = declared.kind == "exact" or not declared.compared
    return _differing_rule(column) if by_kind or declared.veto is True else None


def _differing_rule(column: Column) -> Rule:
    """Units contradict when both have values and none of them is the same."""
    meaning: list[Hashable] = [frozenset()]
    units = len(column.cells.start) - 1
    if column.is_single:
        mark = np.zeros(units, dtype=np.int64)
        has = np.flatnonzero(column.cells.lengths() > 0)
        mark[has] = column.norm[column.cells.items] + 1
        meaning += [frozenset((norm,)) for norm in range(int(column.norm.max(initial=-1)) + 1)]
        return Rule(column, False, mark, meaning)
    ids: dict[Hashable, int] = {frozenset(): NOTHING}
    start, norm = column.cells.start.tolist(), column.norm[column.cells.items].tolist()
    cells = (frozenset(norm[start[unit] : start[unit + 1]]) for unit in range(units))
    mark = np.fromiter((ids.setdefault(cell, len(ids)) for cell in cells), np.int64, units)
    return Rule(column, False, mark, list(ids))


def _inside_rule(column: Column) -> Rule:
    """Units contradict when every value of one contradicts every value of the other."""
    stems = {_stem(word) for each in column.ordered for word in each if _is_signed(word)}
    meanings = [_inside(column, index, stems) for index in range(len(column.values))]
    units = len(column.cells.start) - 1
    ids: dict[Hashable, int] = {frozenset(): NOTHING}
    if column.is_single:
        of_value = np.fromiter(
            (NOTHING if each is None else ids.setdefault(frozenset((each,)), len(ids)) for each in meanings),
            np.int64,
            len(meanings),
        )
        mark = np.zeros(units, dtype=np.int64)
        has = np.flatnonzero(column.cells.lengths() > 0)
        mark[has] = of_value[column.cells.items]
        return Rule(column, True, mark, list(ids))
    start, items = column.cells.start.tolist(), column.cells.items.tolist()
    marks = []
    for unit in range(units):
        cell = [meanings[item] for item in items[start[unit] : start[unit + 1]]]
        marks.append(NOTHING if None in cell or not cell else ids.setdefault(frozenset(cell), len(ids)))
    return Rule(column, True, np.asarray(marks, dtype=np.int64), list(ids))


def _is_signed(word: str) -> bool:
    return word[0] == "." or word[-1] in _SIGNS


def _stem(word: str) -> str:
    return word.lstrip(".").rstrip(_SIGNS)


def _inside(column: Column, index: int, stems: set[str]) -> _Inside | None:
    """What of a value may contradict another; None when nothing can."""
    words = column.ordered[index]
    runs = [run for word in words for run in _runs(word)]
    signed = frozenset(word for word in words if _is_signed(word))
    plain = frozenset(word for word in words if word in stems)
    spelled = column.special.get(index)
    if not (runs or signed or plain or spelled):
        return None
    codes = frozenset(word for word in words if len(word) >= 4 and word.isalnum() and _is_mixed(word))
    return _Inside("".join(runs), frozenset(runs), codes, signed, plain, spelled, "".join(words))


def _runs(word: str) -> list[str]:
    spaced = "".join(char if char.isdigit() else " " for char in word)
    return [run.lstrip("0") or "0" for run in spaced.split()]


def _is_mixed(word: str) -> bool:
    return not word.isalpha() and not word.isdigit()


def _inside_clash(one: _Inside, other: _Inside) -> bool:
    if one.digits != other.digits and one.runs - other.runs and other.runs - one.runs:
        return True
    left, right = one.codes - other.codes, other.codes - one.codes
    if left and right and not any(x in other.letters for x in left) and not any(y in one.letters for y in right):
        return True
    if any(_stem(word) in other.plain or _other_sign(word, other) for word in one.signed - other.signed):
        return True
    if any(_stem(word) in one.plain for word in other.signed - one.signed):
        return True
    return bool(one.spelled and other.spelled and one.letters == other.letters and one.spelled != other.spelled)


def _other_sign(word: str, other: _Inside) -> bool:
    return any(_stem(signed) == _stem(word) for signed in other.signed)
