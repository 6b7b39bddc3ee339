"""Stretches of a text that must not overlap: which of two lists stand clear of the other.

Texts may hold a hundred thousand numbers, so lists are compared in one sweep, never pair by pair.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar


class Stretch(Protocol):
    """Anything with a place in a text, end exclusive."""

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


S = TypeVar("S", bound=Stretch)


def clear_of(kept: Sequence[Stretch], others: Iterable[S]) -> list[S]:
    """The others that overlap none of those kept. `kept` is in order and without overlaps."""
    ends = [stretch.end for stretch in kept]
    clear = []
    for other in others:
        after = bisect_left(ends, other.start + 1)
        if after == len(kept) or kept[after].start >= other.end:
            clear.append(other)
    return clear
