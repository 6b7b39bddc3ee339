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

from schemacast.matching.columns import Floats, Ints

VETOED = -1e9
LEAST = -8.0
"""Log-odds below this all say the same, so that one pair which is very unlike does not outweigh many that are alike."""


def clusters(
    rows: int,
    a: Ints,
    b: Ints,
    logodds: Floats,
    vetoed: NDArray[np.bool_],
    apart: Ints | None,
    missing: float = -4.0,
) -> list[tuple[int, ...]]:
    """Every row in one cluster; `a` < `b` are pairs, each once. Rows with an equal `apart` (>= 0) never meet."""
    weight = np.where(vetoed, VETOED, np.maximum(logodds, LEAST))
    for_it = weight > 0
    if apart is not None:
        for_it &= (apart[a] != apart[b]) | (apart[a] < 0)
    group = components(rows, a[for_it], b[for_it])
    inside = group[a] == group[b]
    a, b, weight = a[inside], b[inside], weight[inside]
    order = np.argsort(group[a], kind="stable")
    a, b, weight, label = a[order], b[order], weight[order], group[a][order]
    found: list[tuple[int, ...]] = [
        (row,) for row in np.flatnonzero(np.bincount(group, minlength=rows)[group] == 1).tolist()
    ]
    edges = np.flatnonzero(np.r_[True, label[1:] != label[:-1], True]) if len(label) else np.zeros(1, np.int64)
    for start, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        if end - start == 1:
            found.append((int(a[start]), int(b[start])))
        else:
            links = zip(a[start:end].tolist(), b[start:end].tolist(), weight[start:end].tolist(), strict=True)
            found.extend(_agglomerate(list(links), apart, missing))
    return sorted(found)


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


def _agglomerate(pairs: list[tuple[int, int, float]], apart: Ints | None, missing: float) -> Iterator[tuple[int, ...]]:
    members: dict[int, list[int]] = {}
    links: dict[int, dict[int, tuple[float, int]]] = {}
    heap: list[tuple[float, int, int]] = []
    for x, y, value in pairs:
        for row in (x, y):
            members.setdefault(row, [row])
        links.setdefault(x, {})[y] = links.setdefault(y, {})[x] = (value, 1)
        if value > 0:
            heap.append((-value, x, y))
    sides = {row: {int(apart[row])} if apart is not None and apart[row] >= 0 else set() for row in members}
    heapq.heapify(heap)

    def mean(x: int, y: int) -> float:
        total, count = links[x][y]
        size = len(members[x]) * len(members[y])
        return (total + missing * (size - count)) / size

    while heap:
        key, x, y = heapq.heappop(heap)
        if x not in members or y not in members or key != -mean(x, y) or sides[x] & sides[y]:
            continue  # one of them has grown since: what they are to each other now stands elsewhere in the heap
        if len(links[x]) < len(links[y]):
            x, y = y, x
        members[x] += members.pop(y)
        sides[x] |= sides[y]
        del links[x][y], links[y][x]
        for other, (total, count) in links.pop(y).items():
            before = links[x].get(other, (0.0, 0))
            links[x][other] = links[other][x] = (before[0] + total, before[1] + count)
            del links[other][y]
        for other in links[x]:
            if (value := mean(x, other)) > 0:
                heapq.heappush(heap, (-value, x, other))
    return (tuple(sorted(group)) for group in members.values())
