"""Clusters out of scored pairs, none of which holds two rows that contradict."""

from __future__ import annotations

import heapq
import numpy as np


def clusters(rows, a, b, logodds, vetoed, apart, missing=-4.0):
    """Average-link agglomeration over the graph of pairs; unknown pairs count as `missing`."""
    parent = list(range(rows))
    members = {i: [i] for i in range(rows)}
    aparts = [set() if apart is None or apart[i] < 0 else {int(apart[i])} for i in range(rows)]
    links = [dict() for _ in range(rows)]
    heap = []
    for x, y, w, v in zip(a.tolist(), b.tolist(), logodds.tolist(), vetoed.tolist()):
        value = -1e9 if v else w
        links[x][y] = links[y][x] = (value, 1)
        if value > 0:
            heap.append((-value, x, y, value, 1))
    heapq.heapify(heap)

    def average(x, y, entry):
        total, count = entry
        pairs = len(members[x]) * len(members[y])
        return (total + missing * (pairs - count)) / pairs

    while heap:
        key, x, y, total, count = heapq.heappop(heap)
        if x not in members or y not in members or links[x].get(y) != (total, count):
            continue
        if aparts[x] & aparts[y]:
            continue
        if len(links[x]) < len(links[y]):
            x, y = y, x
        members[x] += members.pop(y)
        aparts[x] |= aparts[y]
        del links[x][y]
        del links[y][x]
        for z, (t, c) in links[y].items():
            old = links[x].get(z, (0.0, 0))
            new = (old[0] + t, old[1] + c)
            links[x][z] = links[z][x] = new
            del links[z][y]
        links[y] = {}
        for z, entry in links[x].items():
            value = average(x, z, entry)
            if value > 0:
                heapq.heappush(heap, (-value, x, z, *entry))
    return sorted(tuple(sorted(group)) for group in members.values())
