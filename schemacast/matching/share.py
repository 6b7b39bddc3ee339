"""How much of what two rows say agrees: one number that needs nothing learned.

Every field counts by how much it tells, in nats, up to what it takes to single out one row, so that a long
text does not outweigh a name; a field that one row lacks does not count. Beside it stands the same of all
words of a row together, whichever field they are in, and within one source of all that it says. These are
the measure known from weighted retrieval (TF-IDF; Salton and Buckley, 1988), with misspelled words matched
as well. What a row has in common with its further neighbours is taken off, since that is context (CSLS;
Conneau et al., 2018), and the field that tells most has a say of its own, so that equal cities do not make
two companies one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, repeat

import numpy as np
from numpy.typing import NDArray

from schemacast.matching.bulk import words_of
from schemacast.matching.columns import Column, Floats, Ints, Ragged
from schemacast.matching.compare import Compared
from schemacast.matching.halves import WORTH_THREADS, both, in_halves
from schemacast.matching.levels import ABSENT, RARITY_STEPS
from schemacast.matching.likeness import word_likeness
from schemacast.matching.table import Table

OF_NAME = np.asarray([0.08, 0.28, 0.43, 0.58, 0.72, 0.84, 0.95, 1.0])
OF_TEXT = np.asarray([0.05, 0.15, 0.25, 0.38, 0.53, 0.7, 0.9, 1.0])
OF_STEPS = {
    2: np.asarray([0.0, 1.0]),
    4: np.asarray([0.0, 0.3, 0.8, 1.0]),
    5: np.asarray([0.0, 0.1, 0.4, 0.7, 1.0]),
}
"""The likeness that a level stands for."""
UNCERTAIN = 0.3
"""What counts as unsaid, as a part of what it takes to single out one row: of little, little is shown."""
NEIGHBOURS = 6
FIRST_FURTHER = 2
"""The neighbours of a row whose likeness is its context: the third to the sixth best."""
CONTEXT = 0.5
NUMBERS_DIFFER = 0.2
KEY = 0.5
KEY_ALIKE = 0.7
"""The likeness of the most telling field that speaks neither for nor against."""
STEEP = 12.0
MIDDLE, MIDDLE_ALONE = 0.62, 0.5
"""The score at which a pair is as likely one as two: of rows with several telling fields, and with one alone."""


@dataclass(slots=True)
class Shares:
    """What scoring needs to know of the rows: what each field of each unit tells, and each unit's context."""

    table: Table
    told: dict[str, Floats]
    lead: dict[str, float]
    whole: Ragged
    weight: Floats
    context: Floats
    middle: float

    @classmethod
    def of(cls, table: Table, compared: Sequence[Compared], a: Ints, b: Ints, *, alone: bool) -> tuple[Shares, Floats]:
        """What the rows show, and the score of each pair."""
        fields = [column for column in table.columns if column.field.compared]
        told = {column.field.name: _told(column, table.units) for column in fields}
        lead = {column.field.name: _lead(told[column.field.name]) for column in fields if column.kind == "name"}
        whole = _all_words(table)
        size = len(table.vocabulary.words)
        count = np.bincount(whole.items, minlength=size)
        weight = np.log((table.units + 1) / np.maximum(count, 1)) + 0.1
        context = np.zeros(table.units)
        shares = cls(table, told, lead, whole, weight, context, MIDDLE_ALONE if alone else MIDDLE)
        found = shares._agreed(compared, a, b)
        shares.context = _context(a, b, found.agreed, table.units)
        return shares, shares._score(found, a, b)

    def score(self, compared: Sequence[Compared], a: Ints, b: Ints) -> Floats:
        """The score of other pairs of the same units."""
        return self._score(self._agreed(compared, a, b), a, b)

    def parts(self, compared: Sequence[Compared], a: Ints, b: Ints) -> tuple[Floats, list[Floats]]:
        """The score as a sum: what no line adds (all words together, and the context), and what each line adds."""
        found = self._agreed(compared, a, b)
        told = np.maximum(found.told + UNCERTAIN * self._one_row, 1e-9)
        parts = []
        for place, each in enumerate(compared):
            if each.kind == "numbers":
                parts.append(np.where(each.level == 0, -NUMBERS_DIFFER / max(found.numbered, 1), 0.0))
                continue
            alike, _, told_by_both = self._line(each, a, b)
            part = (1 + CONTEXT) / 2 * alike * self._bounded(told_by_both) / told
            parts.append(part + np.where(found.leading == place, found.led, 0.0))
        rest: Floats = self._score(found, a, b) - np.sum(parts, axis=0)
        return rest, parts

    @property
    def _one_row(self) -> float:
        return float(np.log(max(self.table.units, 50)))

    def _score(self, found: _Agreed, a: Ints, b: Ints) -> Floats:
        beyond = found.agreed - (self.context[a] + self.context[b]) / 2
        return found.agreed + CONTEXT * beyond + found.led - NUMBERS_DIFFER * found.differ

    def _line(self, each: Compared, a: Ints, b: Ints) -> tuple[Floats, Floats, Floats]:
        """How alike a field is, and what it tells of the two rows: of either, and where neither lacks it."""
        info = self.told[each.name]
        mean = (info[a] + info[b]) / 2
        return _likeness(each), mean, mean * (each.level != ABSENT)

    def _bounded(self, told: Floats) -> Floats:
        """What is told, up to what it takes to single out one row."""
        bounded: Floats = self._one_row * (1 - np.exp(-told / self._one_row))
        return bounded

    def _agreed(self, compared: Sequence[Compared], a: Ints, b: Ints) -> _Agreed:
        parts = in_halves(len(a), lambda part: self._agreed_of([x.at(part) for x in compared], a[part], b[part]))
        return _Agreed.joined(parts)

    def _agreed_of(self, compared: Sequence[Compared], a: Ints, b: Ints) -> _Agreed:
        agrees, told, differ = np.zeros(len(a)), np.zeros(len(a)), np.zeros(len(a), dtype=bool)
        in_place, said = np.zeros(len(a)), np.zeros(len(a))
        leads, key, of_key = np.full(len(a), -1.0), np.zeros(len(a)), np.zeros(len(a))
        leading = np.full(len(a), -1, dtype=np.int16)
        numbered = 0
        for place, each in enumerate(compared):
            if each.kind == "numbers":
                differ |= each.level == 0
                numbered += 1
                continue
            alike, mean, of_line = self._line(each, a, b)
            said += mean
            in_place += alike * of_line
            of_line = self._bounded(of_line)
            agrees += alike * of_line
            told += of_line
            lead = self.lead.get(each.name, -1.0)
            first = (leads < lead) & (each.level != ABSENT)
            for values, new in ((key, alike), (of_key, of_line)):
                np.copyto(values, new, where=first)
            leads[first], leading[first] = lead, place
        shared = agrees / np.maximum(told + UNCERTAIN * self._one_row, 1e-9)
        weight = np.minimum(2 * of_key / np.maximum(told, 1e-9), 1.0)
        every, _ = word_likeness(_Whole(self.whole), self.table.vocabulary, self.weight, a, b, fuzzy=False)
        if not self.table.aparts:
            every = np.maximum(every, in_place / np.maximum(said, 1e-9))
        return _Agreed((shared + every) / 2, told, differ, KEY * (key - KEY_ALIKE) * weight, leading, numbered)


@dataclass(slots=True)
class _Agreed:
    """Of pairs: the share of what is said that agrees, all that is said, whether numbers inside a name differ, what the
    most telling field adds, and which line that is. `numbered` counts the lines of numbers."""

    agreed: Floats
    told: Floats
    differ: NDArray[np.bool_]
    led: Floats
    leading: NDArray[np.int16]
    numbered: int

    @classmethod
    def joined(cls, parts: Sequence[_Agreed]) -> _Agreed:
        """The pairs of every part in turn."""
        if len(parts) == 1:
            return parts[0]
        return cls(
            np.concatenate([part.agreed for part in parts]),
            np.concatenate([part.told for part in parts]),
            np.concatenate([part.differ for part in parts]),
            np.concatenate([part.led for part in parts]),
            np.concatenate([part.leading for part in parts]),
            parts[0].numbered,
        )


@dataclass(slots=True)
class _Whole:
    words: Ragged | None


def _likeness(each: Compared) -> Floats:
    level = np.arange(ABSENT + 1)
    if each.kind in ("name", "text"):
        steps = OF_NAME if each.kind == "name" else OF_TEXT
        level //= len(RARITY_STEPS) + 1
    else:
        steps = OF_STEPS[each.levels]
    found: Floats = steps[np.minimum(level, len(steps) - 1)].take(each.level)
    return found


def _told(column: Column, units: int) -> Floats:
    """What each unit's value tells, in nats; of several values the most telling."""
    value, unit = column.cells.take(np.arange(units))
    if column.words is not None:
        word, owner = column.words.take(np.arange(len(column.values)))
        of_value: Floats = np.bincount(owner, column.weight[word], len(column.values)).astype(np.float64)
    else:
        of_value = column.rarity[column.norm]
    told = np.zeros(units)
    np.maximum.at(told, unit, of_value[value])
    return told


def _lead(told: Floats) -> float:
    """How much a field tells where it is filled, less where it seldom is."""
    filled = told > 0
    return float(told[filled].mean() * np.sqrt(filled.mean())) if filled.any() else 0.0


def _all_words(table: Table) -> Ragged:
    """The words of all fields of every unit together; of values without words, those that other fields know."""
    size = max(len(table.vocabulary.words), 1)
    codes = [np.zeros(0, np.int64)]
    for column in table.columns:
        if not column.field.compared:
            continue
        value, unit = column.cells.take(np.arange(table.units))
        found = column.words
        if found is None:
            known = table.vocabulary.ids
            lists = words_of([str(each) for each in column.values])
            lengths = np.fromiter(map(len, lists), np.int64, len(lists))
            every = np.fromiter(map(known.get, chain.from_iterable(lists), repeat(-1)), np.int64, int(lengths.sum()))
            owner = np.repeat(np.arange(len(lists)), lengths)
            found = Ragged.by(owner[every >= 0], every[every >= 0], len(lists))
        word, at = found.take(value)
        codes.append(unit[at] * size + word)
    code = np.concatenate(codes)
    code.sort()
    code = code[np.diff(code, prepend=-1) != 0]
    unit = code // size
    return Ragged.by(unit, code - unit * size, table.units)


def _context(a: Ints, b: Ints, agreed: Floats, units: int) -> Floats:
    """The mean share of each unit with its third to sixth best candidates; 0 for what is missing of them."""

    def of_units(first: int, end: int) -> Floats:
        in_a, in_b = (a >= first) & (a < end), (b >= first) & (b < end)
        unit = np.concatenate((a[in_a], b[in_b])) - first
        return _further(unit, np.concatenate((agreed[in_a], agreed[in_b])), end - first)

    if len(a) < WORTH_THREADS:
        return of_units(0, units)
    middle = units // 2
    return np.concatenate(both(lambda: of_units(0, middle), lambda: of_units(middle, units)))


def _further(unit: Ints, share: Floats, units: int) -> Floats:
    near = _of_nearest(unit, share, units)
    unit, share = unit[near], share[near]
    order = np.lexsort((-share, unit))
    unit, share = unit[order], share[order]
    first: NDArray[np.int64] = np.searchsorted(unit, np.arange(units))
    place = np.arange(len(unit)) - first[unit]
    further = (place >= FIRST_FURTHER) & (place < NEIGHBOURS)
    total: Floats = np.bincount(unit[further], share[further], units).astype(np.float64)
    return total / (NEIGHBOURS - FIRST_FURTHER)


def _of_nearest(unit: Ints, share: Floats, units: int) -> Ints:
    """Places that hold the greatest few shares of every unit, and little else.

    Plain numbers sort many times faster than pairs do: a share is rounded to as many bits as are left beside a unit.
    """
    most = float(share.max(initial=0.0))
    bits = 62 - max(units, 1).bit_length()
    rounded = (np.maximum(share, 0.0) * ((2**bits - 1) / max(most, 1e-9))).astype(np.int64)
    coded = (unit << bits) | (2**bits - 1 - rounded)
    ordered = np.sort(coded)
    start = np.searchsorted(ordered, np.arange(units + 1) << bits)
    last = np.minimum(start[:-1] + NEIGHBOURS, start[1:]) - 1
    least = np.where(start[1:] > start[:-1], ordered[np.maximum(last, 0)] if len(ordered) else 0, -1)
    return np.flatnonzero(coded <= least[unit])
