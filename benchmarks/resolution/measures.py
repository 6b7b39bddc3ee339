"""How right clusters are, given what each record stands for.

Pairwise: of the pairs of records put together, and of those that belong together, how many are both. B-cubed: the same
asked of each record about the others in its cluster, then averaged over records (Bagga and Baldwin, 1998), so that one
big cluster does not decide alone. Both are computed from the sizes of the overlaps, never pair by pair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rightness:
    """Precision, recall and F1, by pairs and by B-cubed; each from 0 to 1."""

    precision: float
    recall: float
    f1: float
    b3_precision: float
    b3_recall: float
    b3_f1: float


def rightness(found: Sequence[Hashable], gold: Sequence[Hashable]) -> Rightness:
    """Compare two labellings of the same records, each a label per record in the same order."""
    both = Counter(zip(found, gold, strict=True))
    in_found, in_gold = Counter(found), Counter(gold)
    right = _pairs(both.values())
    precision = _share(right, _pairs(in_found.values()))
    recall = _share(right, _pairs(in_gold.values()))
    b3_precision = sum(n * n / in_found[label] for (label, _), n in both.items()) / len(gold)
    b3_recall = sum(n * n / in_gold[entity] for (_, entity), n in both.items()) / len(gold)
    return Rightness(precision, recall, _f1(precision, recall), b3_precision, b3_recall, _f1(b3_precision, b3_recall))


def labels(clusters: Iterable[Iterable[int]], count: int) -> list[int]:
    """The number of its cluster for each of `count` records. Raises ValueError unless each stands in exactly one."""
    found = [-1] * count
    for number, cluster in enumerate(clusters):
        for record in cluster:
            if found[record] != -1:
                raise ValueError(f"record {record} stands in two clusters")
            found[record] = number
    if -1 in found:
        raise ValueError(f"record {found.index(-1)} stands in no cluster")
    return found


def _pairs(sizes: Iterable[int]) -> int:
    return sum(size * (size - 1) // 2 for size in sizes)


def _share(part: int, whole: int) -> float:
    """A part of nothing is whole: who puts nothing together puts nothing wrongly together."""
    return part / whole if whole else 1.0


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
