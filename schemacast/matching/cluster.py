"""Clusters out of scored pairs, none of which holds two rows that contradict.

Average linkage: the two clusters whose pairs have the highest mean log-odds become one, while that mean is above zero.
A pair that was never compared counts as `missing`, so a chain does not grow past what its members say of each other,
and a vetoed pair sinks any mean. A merge needs a pair that speaks for it, so what no such pair connects is left out of
the loop: rows without one are alone, two rows with only each other are together, and only the rest is worked through.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from schemacast.matching.columns import Floats, Ints, among
from schemacast.matching.table import Table
from schemacast.matching.veto import Vetoes

VETOED = -1e9
LARGEST_ASKED = 300

LEAST = -2.0
"""Log-odds below this all say the same: a thing has names that are nothing alike, so that one pair which is very unlike
does not outweigh others that are sure."""
MISSING = -6.0
"""What a pair counts for that was never compared: only groups too large to be asked whole have any; chains end there.
"""


def clusters(
    vetoes: Vetoes, a: Ints, b: Ints, logodds: Floats, vetoed: NDArray[np.bool_], missing: float = MISSING
) -> list[tuple[int, ...]]:
    """Every unit in one cluster; `a` < `b` are pairs, each once. What a person put together is, whatever vetoes it."""
    table = vetoes.table
    weight = np.where(vetoed, VETOED, np.maximum(logodds, LEAST))
    node = _joined(table)
    if node is not None:
        a, b, weight = _between_nodes(node, a, b, weight)
    for_it = weight > 0
    group = components(table.units, a[for_it], b[for_it])
    inside = group[a] == group[b]
    a, b, weight = a[inside], b[inside], weight[inside]
    order = np.argsort(group[a], kind="stable")
    a, b, weight, label = a[order], b[order], weight[order], group[a][order]
    alone = np.bincount(group, minlength=table.units)[group] == 1
    found: list[tuple[int, ...]] = [(unit,) for unit in np.flatnonzero(alone).tolist()]
    edges = np.flatnonzero(np.r_[True, label[1:] != label[:-1], True]) if len(label) else np.zeros(1, np.int64)
    for start, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        if end - start == 1 and node is None:
            found.append((int(a[start]), int(b[start])))
        else:
            links = zip(a[start:end].tolist(), b[start:end].tolist(), weight[start:end].tolist(), strict=True)
            found.extend(_Growing(list(links), vetoes, node, missing).clusters())
    if node is not None:
        units = _units_of(node)
        found = [tuple(sorted(unit for each in group for unit in units[each])) for group in found if units[group[0]]]
    return sorted(found)


def unmet(units: int, for_a: Ints, for_b: Ints, a: Ints, b: Ints) -> tuple[Ints, Ints]:
    """Pairs that no block brought together but that other pairs connect: what a cluster of them should be asked too.

    Groups of up to `LARGEST_ASKED` units are asked whole; in larger ones a pair not met counts as unlike.
    """
    group = components(units, for_a, for_b)
    size = np.bincount(group, minlength=units)[group]
    order = np.argsort(group, kind="stable")
    order = order[(size[order] > 2) & (size[order] <= LARGEST_ASKED)]
    if not len(order):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    sizes = size[order]
    first = np.flatnonzero(np.diff(group[order], prepend=-1))
    position = np.arange(len(order)) - np.repeat(first, np.diff(np.append(first, len(order))))
    reach = sizes - 1 - position
    left = np.repeat(np.arange(len(order)), reach)
    right = left + 1 + np.arange(len(left)) - np.repeat(np.cumsum(reach) - reach, reach)
    x, y = order[left], order[right]
    code = np.sort(np.minimum(x, y) * units + np.maximum(x, y))
    code = code[~among(code, a * units + b)]
    return code // units, code % units


def _joined(table: Table) -> Ints | None:
    """For each unit the least unit that a person put it together with; None when nobody did."""
    first: dict[str, int] = {}
    node = np.arange(table.units)
    for unit, row in sorted(table.said.items()):
        if row.entity is not None:
            node[unit] = first.setdefault(row.entity, unit)
    return node if (node != np.arange(table.units)).any() else None


def _between_nodes(node: Ints, a: Ints, b: Ints, weight: Floats) -> tuple[Ints, Ints, Floats]:
    """Pairs of units as pairs of nodes, with the mean of their weights; a veto sinks any mean."""
    size = len(node)
    x, y = node[a], node[b]
    apart = x != y
    code = np.minimum(x, y)[apart] * size + np.maximum(x, y)[apart]
    codes, inverse, count = np.unique(code, return_inverse=True, return_counts=True)
    mean = np.bincount(inverse, weight[apart], len(codes)) / np.maximum(count, 1)
    return codes // size, codes % size, mean


def _units_of(node: Ints) -> list[list[int]]:
    units: list[list[int]] = [[] for _ in node]
    for unit, each in enumerate(node.tolist()):
        units[each].append(unit)
    return units


def components(rows: int, a: Ints, b: Ints) -> Ints:
    """The least row that each row is connected with through these pairs.

    Every root is hooked under the least root it meets and paths are halved, in bulk, until nothing changes; the
    number of rounds grows with the logarithm of the rows (Shiloach and Vishkin, 1982).
    """
    root = np.arange(rows)
    while len(a):
        root_a, root_b = root[a], root[b]
        differ = root_a != root_b
        a, b, root_a, root_b = a[differ], b[differ], root_a[differ], root_b[differ]
        np.minimum.at(root, np.maximum(root_a, root_b), np.minimum(root_a, root_b))
        while not np.array_equal(above := root[root], root):
            root = above
    return root


class _Growing:
    """One connected group on its way to clusters. A cluster goes by one of its units."""

    def __init__(self, pairs: list[tuple[int, int, float]], vetoes: Vetoes, node: Ints | None, missing: float) -> None:
        self.vetoes, self.missing = vetoes, missing
        self.members: dict[int, list[int]] = {}
        self.links: dict[int, dict[int, tuple[float, int]]] = {}
        self.heap: list[tuple[float, int, int]] = []
        for x, y, value in pairs:
            for unit in (x, y):
                self.members.setdefault(unit, [unit])
            self.links.setdefault(x, {})[y] = self.links.setdefault(y, {})[x] = (value, 1)
            if value > 0:
                self.heap.append((-value, x, y))
        heapq.heapify(self.heap)
        apart = vetoes.table.apart
        self.sides: dict[int, set[int]] = {}
        self.marks: dict[int, set[tuple[int, ...]]] = {}
        for unit in self.members:
            of = [unit] if node is None else np.flatnonzero(node == unit).tolist()
            self.sides[unit] = {int(apart[each]) for each in of} - {-1}
            self.marks[unit] = {vetoes.mark(each) for each in of}

    def clusters(self) -> Iterator[tuple[int, ...]]:
        while self.heap:
            key, x, y = heapq.heappop(self.heap)
            # If one of them has grown since, what they are to each other now stands elsewhere in the heap.
            current = x in self.members and y in self.members and key == -self._mean(x, y)
            if current and not self._contradict(x, y):
                self._merge(x, y)
        return (tuple(sorted(group)) for group in self.members.values())

    def _mean(self, x: int, y: int) -> float:
        total, count = self.links[x][y]
        size = len(self.members[x]) * len(self.members[y])
        return (total + self.missing * (size - count)) / size

    def _contradict(self, x: int, y: int) -> bool:
        if self.sides[x] & self.sides[y]:
            return True
        return any(self.vetoes.clash(one, other) for one in self.marks[x] for other in self.marks[y])

    def _merge(self, x: int, y: int) -> None:
        links = self.links
        if len(links[x]) < len(links[y]):
            x, y = y, x
        self.members[x] += self.members.pop(y)
        self.sides[x] |= self.sides[y]
        self.marks[x] |= self.marks[y]
        del links[x][y], links[y][x]
        for other, (total, count) in links.pop(y).items():
            before = links[x].get(other, (0.0, 0))
            links[x][other] = links[other][x] = (before[0] + total, before[1] + count)
            del links[other][y]
        for other in links[x]:
            if (value := self._mean(x, other)) > 0:
                heapq.heappush(self.heap, (-value, x, other))
