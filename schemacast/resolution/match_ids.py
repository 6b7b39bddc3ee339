"""The ids of `match` entities: those given earlier stand, and what changed among them is told.

An id given earlier goes to the cluster that has most of the records it was given to, of equals the one with the
first founder. A cluster that gets several keeps the one with most records, and the others become its aliases:
that is a merge. A cluster whose records had an id that went to another is split from it. Without an earlier id
the founder gives one. No two clusters get one id, and an id that was merged away is free again when its
records come apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from schemacast.graph import By, Revision
from schemacast.resolution.clusters import Cluster
from schemacast.resolution.ids import founded_id
from schemacast.resolution.slots import Founder, founder_order

WEAKEST: tuple[By, ...] = ("likeness", "surname", "alternate", "equal", "join", "person")
"""Of decisions with one score the one that is told."""


@dataclass(frozen=True, slots=True)
class Given:
    """The id of a cluster, the ids that were merged into it now, and how its records were spread over ids before."""

    id: str
    merged: tuple[str, ...]
    before: Counter[str]


def give_ids(schema_name: str, type: str, clusters: Sequence[Cluster], taken: Collection[str]) -> list[Given]:
    """An id for each cluster, in their order. `taken` ids are those of known entities that no cluster is."""
    founders = [_founder(cluster) for cluster in clusters]
    before = [_before(cluster) for cluster in clusters]
    in_order = sorted(range(len(clusters)), key=lambda number: founder_order(founders[number]))
    used = {*taken, *(cluster.known.id for cluster in clusters if cluster.known is not None)}
    owned = _owned(in_order, before, used)
    ids: dict[int, str] = {}
    for number in in_order:
        known = clusters[number].known
        mine = owned.get(number, [])
        if known is not None:
            ids[number] = known.id
        elif mine:
            ids[number] = max(mine, key=lambda ident: (before[number][ident], [-ord(char) for char in ident]))
    used |= {ident for mine in owned.values() for ident in mine}
    for number in in_order:
        if number not in ids:
            source_id, start, n = founders[number]
            while (ident := founded_id(schema_name, type, "match", source_id, start, n)) in used:
                n += 1
            ids[number] = ident
            used.add(ident)
    return [
        Given(ids[number], tuple(sorted(set(owned.get(number, ())) - {ids[number]})), before[number])
        for number in range(len(clusters))
    ]


def _founder(cluster: Cluster) -> Founder:
    return min((slot.founder for slot in cluster.slots if slot.founder), key=founder_order)


def _before(cluster: Cluster) -> Counter[str]:
    """How many records of a cluster had each id before."""
    before: Counter[str] = Counter()
    for slot in cluster.slots:
        before.update(slot.decided or {})
    return before


def _owned(in_order: Sequence[int], before: Sequence[Counter[str]], used: Collection[str]) -> dict[int, list[str]]:
    """By number of a cluster the earlier ids that go to it."""
    most: dict[str, tuple[int, int]] = {}
    for number in in_order:
        for ident, count in before[number].items():
            if ident not in used and count > most.get(ident, (0, 0))[0]:
                most[ident] = (count, number)
    owned: dict[int, list[str]] = {}
    for ident in sorted(most):
        owned.setdefault(most[ident][1], []).append(ident)
    return owned


def revisions(type: str, clusters: Sequence[Cluster], given: Sequence[Given]) -> Iterator[Revision]:
    """The merges and splits among these clusters."""
    spread: dict[str, dict[str, int]] = {}
    for number, each in enumerate(given):
        if each.merged:
            by, score = _why(clusters[number])
            yield Revision("merge", type, each.id, each.merged, by, score)
        for ident in each.before:
            if ident != each.id and ident not in each.merged:
                spread.setdefault(ident, {})[each.id] = number
    for ident in sorted(spread):
        numbers = sorted(spread[ident].values())
        by, score = _why(clusters[numbers[0]])
        yield Revision("split", type, ident, tuple(sorted(spread[ident])), by, score)


def _why(cluster: Cluster) -> tuple[By, float]:
    """What decided a cluster: a person's verdict, if there is one, else the least sure of what joined it."""
    if any(slot.spoken is not None for slot in cluster.slots):
        return "person", 1.0
    least = min(range(len(cluster.slots)), key=lambda place: (cluster.scores[place], WEAKEST.index(cluster.by[place])))
    return cluster.by[least], cluster.scores[least]
