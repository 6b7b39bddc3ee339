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
LEAST = -8.0
"""Log-odds below this all say the same, so that one pair which is very unlike does not outweigh many that are alike."""


def clusters(
    vetoes: Vetoes, a: Ints, b: Ints, logodds: Floats, vetoed: NDArray[np.bool_], missing: float = -4.0
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
        if end - start == 1:
            found.append((int(a[start]), int(b[start])))
        else:
            links = zip(a[start:end].tolist(), b[start:end].tolist(), weight[start:end].tolist(), strict=True)
            found.extend(_agglomerate(list(links), vetoes, node, missing))
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


def _agglomerate(
    pairs: list[tuple[int, int, float]], vetoes: Vetoes, node: Ints | None, missing: float
) -> Iterator[tuple[int, ...]]:
    members: dict[int, list[int]] = {}
    links: dict[int, dict[int, tuple[float, int]]] = {}
    heap: list[tuple[float, int, int]] = []
    for x, y, value in pairs:
        for unit in (x, y):
            members.setdefault(unit, [unit])
        links.setdefault(x, {})[y] = links.setdefault(y, {})[x] = (value, 1)
        if value > 0:
            heap.append((-value, x, y))
    apart = vetoes.table.apart
    sides: dict[int, set[int]] = {}
    marks: dict[int, set[tuple[int, ...]]] = {}
    for unit in members:
        of = [unit] if node is None else np.flatnonzero(node == unit).tolist()
        sides[unit] = {int(apart[each]) for each in of} - {-1}
        marks[unit] = {vetoes.mark(each) for each in of}
    heapq.heapify(heap)

    def mean(x: int, y: int) -> float:
        total, count = links[x][y]
        size = len(members[x]) * len(members[y])
        return (total + missing * (size - count)) / size

    while heap:
        key, x, y = heapq.heappop(heap)
        if x not in members or y not in members or key != -mean(x, y) or sides[x] & sides[y]:
            continue  # one of them has grown since: what they are to each other now stands elsewhere in the heap
        if any(vetoes.clash(one, other) for one in marks[x] for other in marks[y]):
            continue
        if len(links[x]) < len(links[y]):
            x, y = y, x
        members[x] += members.pop(y)
        sides[x] |= sides[y]
        marks[x] |= marks[y]
        del links[x][y], links[y][x]
        for other, (total, count) in links.pop(y).items():
            before = links[x].get(other, (0.0, 0))
            links[x][other] = links[other][x] = (before[0] + total, before[1] + count)
            del links[other][y]
        for other in links[x]:
            if (value := mean(x, other)) > 0:
                heapq.heappush(heap, (-value, x, other))
    return (tuple(sorted(group)) for group in members.values())
