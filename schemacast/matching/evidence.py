"""What a run keeps to answer for itself: clusters and links of rows, candidates of a row, why of a pair.

Pairs of units are kept as arrays and turned into objects only when asked for. A pair that no block brought
together can be explained too: it is compared then, by the same weights.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from schemacast.matching.columns import Column, Floats, Ints
from schemacast.matching.combine import Combined
from schemacast.matching.compare import Compared, compare
from schemacast.matching.levels import ABSENT, level_values
from schemacast.matching.model import Candidate, Comparison, Explanation, Link, Outcome
from schemacast.matching.shared import shared_blocks
from schemacast.matching.table import Table
from schemacast.matching.veto import Vetoes
from schemacast.schema.values import Value

EQUAL = 1.0
SPEAKS = 0.25
"""Nats from which a line is said to agree or to contradict."""
MOST_CANDIDATES = 100
_WORDS = ((0.9999, "equal"), (0.9, "nearly equal"), (0.65, "alike"), (0.35, "partly alike"), (-1.0, "different"))


@dataclass(slots=True)
class Scored:
    """The pairs of a run and what came of them; answers for the matching."""

    table: Table
    vetoes: Vetoes
    combined: Combined
    a: Ints
    b: Ints
    compared: list[Compared]
    probability: Floats
    vetoed: NDArray[np.bool_]
    found: Sequence[tuple[int, ...]] = ()
    _by_unit: tuple[Ints, Ints] | None = field(default=None, init=False)
    _cluster: Ints | None = field(default=None, init=False)

    def cluster_of(self) -> Ints:
        """The number of its cluster for every unit."""
        if self._cluster is None:
            self._cluster = np.empty(self.table.units, dtype=np.int64)
            sizes = np.fromiter(map(len, self.found), np.int64, len(self.found))
            units = np.fromiter((unit for group in self.found for unit in group), np.int64, self.table.units)
            self._cluster[units] = np.repeat(np.arange(len(self.found)), sizes)
        return self._cluster

    def clusters_of_rows(self) -> tuple[tuple[int, ...], ...]:
        """The clusters as rows, in ascending order."""
        of_row = self.cluster_of()[self.table.unit_of] if len(self.table.unit_of) else self.table.unit_of
        rows = np.argsort(of_row, kind="stable")
        size = np.bincount(of_row, minlength=len(self.found))
        start = np.cumsum(size) - size
        order = np.argsort(rows[start])
        start, size = start[order], size[order]
        groups: list[tuple[int, ...]] = list(zip(rows[start].tolist()))  # nearly all are of one row
        for at in np.flatnonzero(size > 1).tolist():
            groups[at] = tuple(rows[start[at] : start[at] + size[at]].tolist())
        return tuple(groups)

    def row_of(self, unit: int) -> int:
        """The first row of a unit."""
        rows = self.table.rows_of
        return int(rows.items[rows.start[unit]])

    def rows_of(self, unit: int) -> list[int]:
        rows = self.table.rows_of
        found: list[int] = rows.items[rows.start[unit] : rows.start[unit + 1]].tolist()
        return found

    def candidates(self, row: int, /) -> list[Candidate]:
        unit = int(self.table.unit_of[row])
        at = self._pairs_of(unit)
        at = at[np.lexsort((self.a[at] + self.b[at], -self.probability[at], self.vetoed[at]))][:MOST_CANDIDATES]
        equal = [Candidate(other, EQUAL, self._filled(unit)) for other in self.rows_of(unit) if other != row]
        compared = [each.at(at) for each in self.compared]
        _, parts = self.combined.parts(compared, self.a[at], self.b[at])
        lines = [(each.name, part.tolist()) for each, part in zip(compared, parts, strict=True)]
        found = []
        for place, index in enumerate(at.tolist()):
            other = int(self.b[index]) if int(self.a[index]) == unit else int(self.a[index])
            agrees = tuple(name for name, parts in lines if parts[place] > SPEAKS)
            contradicts = [name for name, parts in lines if parts[place] < -SPEAKS]
            vetoes = [name for name in self.vetoes.fields(unit, other) if name not in contradicts]
            score = 0.0 if self.vetoed[index] else float(self.probability[index])
            found += [Candidate(each, score, agrees, (*vetoes, *contradicts)) for each in self.rows_of(other)]
        return (equal + found)[:MOST_CANDIDATES]

    def explain(self, a: int, b: int, /) -> Explanation:
        a, b = min(a, b), max(a, b)
        x, y = int(self.table.unit_of[a]), int(self.table.unit_of[b])
        low, high = np.asarray([min(x, y)], np.int64), np.asarray([max(x, y)], np.int64)
        lines = compare(self.table, low, high)
        rest, by_line = self.combined.parts(lines, low, high)
        prior, parts = float(rest[0]), [float(part[0]) for part in by_line]
        shown = list(self._shown(x, y, lines, parts))
        vetoes = self.vetoes.fields(x, y)
        (blocks,) = shared_blocks(self.table, low, high)
        index = self._index(int(low[0]), int(high[0]))
        outcome = self._outcome(x, y, vetoes, index)
        logodds = prior + sum(parts)
        score = (
            float(1 / (1 + np.exp(-np.clip(logodds, -700, 700)))) if index is None else float(self.probability[index])
        )
        if x == y:
            score = EQUAL
        if outcome in ("vetoed", "apart", "split"):
            score = 0.0
        return Explanation(a, b, outcome, score, prior, tuple(shown), blocks, vetoes)

    def _shown(self, x: int, y: int, lines: list[Compared], parts: list[float]) -> Iterator[Comparison]:
        by_name = {each.name: (each, part) for each, part in zip(lines, parts, strict=True)}
        for column in self.table.columns:
            name = column.field.name
            value_x, value_y, likeness = _closest(self.table, column, x, y)
            line, part = by_name.get(name, (None, 0.0))
            level = "absent" if likeness is None else next(word for least, word in _WORDS if likeness >= least)
            if line is not None and line.level[0] == ABSENT:
                level, likeness = "absent", None
            yield Comparison(name, column.kind, value_x, value_y, likeness, level, part)
            inner, inner_part = by_name.get(f"{name}: numbers", (None, 0.0))
            if inner is not None and inner.level[0] != ABSENT:
                words = ("different", "one has more", "equal")
                place = int(inner.level[0])
                yield Comparison(inner.name, column.kind, value_x, value_y, place / 2, words[place], inner_part)

    def _outcome(self, x: int, y: int, vetoes: tuple[str, ...], index: int | None) -> Outcome:
        table = self.table
        one, other = table.said.get(x), table.said.get(y)
        if one is not None and other is not None and one.entity is not None and one.entity == other.entity:
            return "joined"
        if self.vetoes.split(x, y):
            return "split"
        if x != y and table.apart[x] >= 0 and table.apart[x] == table.apart[y]:
            return "apart"
        if self.cluster_of()[x] == self.cluster_of()[y]:
            return "same"
        if vetoes:
            return "vetoed"
        return "unlike" if index is None else "different"

    def _filled(self, unit: int) -> tuple[str, ...]:
        return tuple(
            column.field.name
            for column in self.table.columns
            if column.cells.start[unit + 1] > column.cells.start[unit]
        )

    def _pairs_of(self, unit: int) -> Ints:
        """The places of all pairs that a unit is in."""
        if self._by_unit is None:
            both = np.r_[self.a, self.b]
            order = np.argsort(both, kind="stable")
            self._by_unit = both[order], order % max(len(self.a), 1)
        units, places = self._by_unit
        start, end = np.searchsorted(units, [unit, unit + 1])
        return places[start:end]

    def _index(self, low: int, high: int) -> int | None:
        """The place of a pair among those compared."""
        start, end = np.searchsorted(self.a, [low, low + 1])
        at = int(start + np.searchsorted(self.b[start:end], high))
        return at if at < end and int(self.b[at]) == high else None


def links_of(scored: Scored, least: float) -> tuple[Link, ...]:
    """The pairs of rows that clusters are made of: likely enough, not vetoed, and in one cluster; equal rows too."""
    cluster = scored.cluster_of()
    good = (scored.probability >= least) & ~scored.vetoed & (cluster[scored.a] == cluster[scored.b])
    a, b = scored.a[good], scored.b[good]
    first_rows = scored.table.rows_of.items[scored.table.rows_of.start[:-1]]
    one, other = first_rows[a], first_rows[b]
    links = [
        Link(low, high, score, blocks)
        for low, high, score, blocks in zip(
            np.minimum(one, other).tolist(),
            np.maximum(one, other).tolist(),
            scored.probability[good].tolist(),
            shared_blocks(scored.table, a, b),
            strict=True,
        )
    ]
    rows = scored.table.rows_of
    for unit in np.flatnonzero(rows.lengths() > 1).tolist():
        first, *others = scored.rows_of(unit)
        links += [Link(first, other, EQUAL, ("equal",)) for other in others]
    return tuple(sorted(links, key=lambda link: (link.a, link.b)))


def _closest(table: Table, column: Column, x: int, y: int) -> tuple[Value | None, Value | None, float | None]:
    """The two values of a field that are most alike, and how alike they are."""
    start, items = column.cells.start, column.cells.items
    of_x, of_y = items[start[x] : start[x + 1]], items[start[y] : start[y + 1]]
    if not len(of_x) or not len(of_y):
        return _first(column, of_x), _first(column, of_y), None
    left, right = np.repeat(of_x, len(of_y)), np.tile(of_y, len(of_x))
    line = level_values(column, table.vocabulary, np.minimum(left, right), np.maximum(left, right))[0]
    best = int(np.argmax(np.where(line.level == ABSENT, -1.0, line.likeness)))
    return column.values[left[best]], column.values[right[best]], float(line.likeness[best])


def _first(column: Column, values: Ints) -> Value | None:
    return column.values[values[0]] if len(values) else None
