"""Work over many pairs in two threads: what is done to each pair by itself can be done to two halves at once.

Nearly all of such work is done outside the interpreter's lock. More threads would hold more of it in memory at once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
Other = TypeVar("Other")
Given = TypeVar("Given")

WORTH_THREADS = 100_000
"""Pairs from which on two threads are faster than one."""
PART = 1_000_000
"""Pairs that a thread works through at once, so that what it makes on the way stays small."""


def in_halves(count: int, work: Callable[[slice], T]) -> list[T]:
    """What `work` makes of all of `count` pairs: of parts in turn, two or more, or of one whole when they are few."""
    if count < WORTH_THREADS:
        return [work(slice(0, count))]
    parts = max(2, -(-count // PART))
    edges = [count * part // parts for part in range(parts + 1)]
    with ThreadPoolExecutor(max_workers=2) as pool:
        return list(pool.map(work, map(slice, edges, edges[1:])))


def both(one: Callable[[], T], other: Callable[[], Other]) -> tuple[T, Other]:
    """The results of two pieces of work, done at the same time."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        later = pool.submit(one)
        done = other()
        return later.result(), done


def ahead(work: Callable[[Given], T], given: Iterable[Given]) -> Iterator[T]:
    """What `work` makes of each of `given`, in turn, done while the next ones are being made. At most two wait."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        waiting: deque[Future[T]] = deque()
        for each in given:
            waiting.append(pool.submit(work, each))
            if len(waiting) > 2:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
