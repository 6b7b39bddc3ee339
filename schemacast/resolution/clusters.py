"""The slots of one `match` type as clusters: what matching finds alike, with what is known and what people said.

Every slot is a row, and every known entity is one. Known entities are apart from each other, since each has an
id that stands. A slot whose key equals that of a known entity is that entity. What people joined is together,
and what they split is apart, whatever the scores are. Rows are given in the order of their founders, so that
the order of episodes can change nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from schemacast.graph import By, Entity
from schemacast.matching.model import Matching, Row, Weights
from schemacast.resolution.keys import KeyValues
from schemacast.resolution.slots import Slot, TypeSlots, founder_order

Scoped = tuple[Slot, tuple[str, ...]]
"""A slot of a `match` type, and the ids of its owners."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Slots that are one entity, first the one that founded it. `by` and `scores` say of each what joined it."""

    slots: tuple[Slot, ...]
    by: tuple[By, ...]
    scores: tuple[float, ...]
    owners: tuple[str, ...]
    known: Entity | None = None


@dataclass(frozen=True, slots=True)
class Matched:
    """The clusters of one type. Row `n` of `matching` is `rows[n]`: a slot, or an entity that was known."""

    clusters: tuple[Cluster, ...]
    matching: Matching
    rows: tuple[Slot | Entity, ...]


def cluster(
    slots: TypeSlots,
    scoped: Sequence[Scoped],
    known: Sequence[Entity],
    sides: Mapping[int, int],
    weights: Weights | None,
) -> Matched:
    """Cluster the slots of one type. `sides` has the number of sides of every split; see `matching.match`."""
    from schemacast.matching.match import match

    key = slots.match
    assert key is not None
    ordered = sorted(scoped, key=lambda each: _order(each[0]))
    entities = sorted(known, key=lambda entity: entity.id)
    values = [key.row(slots.keepers, slot.cells, _scope(slot.stance, owners)) for slot, owners in ordered]
    known_values = [key.row_of(entity.props, _scope(entity.stance, ())) for entity in entities]
    together = _Together(len(ordered))
    equal = _equal_to_known(slots, ordered, values, entities, known_values)
    for number, (slot, _) in enumerate(ordered):
        for label in slot.spoken.joins if slot.spoken else ():
            together.put(number, f"said:{label}")
        if number in equal:
            together.put(number, f"known:{entities[equal[number]].id}")
    rows = [
        Row(row, apart="known", entity=together.known(entity.id))
        for entity, row in zip(entities, known_values, strict=True)
    ]
    for number, ((slot, _), row) in enumerate(zip(ordered, values, strict=True)):
        groups, not_with = _split(slot, sides)
        apart = None if slot.apart is None else f"={slot.apart}"
        rows.append(Row(row, apart=apart, entity=together.label(number), groups=groups, not_with=not_with))
    matching = match(key.fields, rows, threshold=key.threshold, weights=weights)
    named: tuple[Slot | Entity, ...] = (*entities, *(slot for slot, _ in ordered))
    return Matched(tuple(_clusters(matching, named, ordered, equal)), matching, named)


def _order(slot: Slot) -> tuple[object, ...]:
    # Two slots of one founder are told apart by what they say; only people's words make such.
    founder = founder_order(slot.founder) if slot.founder else ("", -1, 0)
    return (*founder, repr(slot.values), repr(slot.spoken))


def _scope(stance: str | None, owners: tuple[str, ...]) -> str:
    return "|".join((stance or "", *owners))


def _split(slot: Slot, sides: Mapping[int, int]) -> tuple[frozenset[str], frozenset[str]]:
    """The sides on which people put a slot, and those that it is not with."""
    splits = slot.spoken.splits if slot.spoken else ()
    if not splits:
        return frozenset(), frozenset()
    groups = frozenset(f"{number}:{side}" for number, side in splits)
    others = frozenset(
        f"{number}:{other}" for number, side in splits for other in range(sides[number]) if other != side
    )
    return groups, others - groups


def _equal_to_known(
    slots: TypeSlots,
    ordered: Sequence[Scoped],
    values: Sequence[tuple[object, ...]],
    entities: Sequence[Entity],
    known_values: Sequence[tuple[object, ...]],
) -> dict[int, int]:
    """By number of a slot that of the first known entity whose key is equal and that nothing contradicts."""
    match = slots.match
    assert match is not None
    index: dict[tuple[str, KeyValues], list[int]] = {}
    for number, entity in enumerate(entities):
        read = slots.keys.key.read(entity.props)
        if match.is_named(read):
            index.setdefault((_scope(entity.stance, ()), read), []).append(number)
    found: dict[int, int] = {}
    if not index:
        return found
    for number, (slot, owners) in enumerate(ordered):
        if slot.spoken is not None and slot.spoken.splits:
            continue
        for each in index.get((_scope(slot.stance, owners), slot.values), ()):
            if not match.contradict(values[number], known_values[each]):  # type: ignore[arg-type]  # rows of values
                found[number] = each
                break
    return found


class _Together:
    """Which slots are one for certain, by labels that they share."""

    def __init__(self, count: int) -> None:
        self._parent = list(range(count))
        self._holder: dict[str, int] = {}
        self._labelled: set[int] = set()

    def put(self, number: int, label: str) -> None:
        """Slots with one label are one."""
        self._labelled.add(number)
        first = self._holder.setdefault(label, number)
        one, other = self._root(number), self._root(first)
        self._parent[max(one, other)] = min(one, other)

    def label(self, number: int) -> str | None:
        """What all slots that are one with this have in common; None for one that nothing is said of."""
        return f"#{self._root(number)}" if number in self._labelled else None

    def known(self, ident: str) -> str | None:
        """The label of the slots that are this known entity."""
        holder = self._holder.get(f"known:{ident}")
        return None if holder is None else self.label(holder)

    def _root(self, number: int) -> int:
        while self._parent[number] != number:
            self._parent[number] = self._parent[self._parent[number]]
            number = self._parent[number]
        return number


def _clusters(
    matching: Matching, rows: Sequence[Slot | Entity], ordered: Sequence[Scoped], equal: Mapping[int, int]
) -> Iterator[Cluster]:
    """The clusters that hold a slot; known entities alone are left out."""
    known = len(rows) - len(ordered)
    best = _best(matching)
    for members in matching.clusters:
        numbers = [row - known for row in members if row >= known]
        if not numbers:
            continue
        slots = [ordered[number][0] for number in numbers]
        entity = next((each for row in members if row < known and isinstance(each := rows[row], Entity)), None)
        said = Counter(label for slot in slots if slot.spoken for label in slot.spoken.joins)
        met: set[KeyValues] = set()
        by: list[By] = []
        for number, slot in zip(numbers, slots, strict=True):
            if slot.spoken and any(said[label] > 1 for label in slot.spoken.joins):
                by.append("join")
            elif number in equal or slot.values in met or not (met or entity):
                by.append("equal")
            else:
                by.append("likeness")
            met.add(slot.values)
        least = min((best[row] for row in members if row in best), default=1.0)
        scores = tuple(
            best.get(number + known, least) if how == "likeness" else 1.0
            for number, how in zip(numbers, by, strict=True)
        )
        yield Cluster(tuple(slots), tuple(by), scores, ordered[numbers[0]][1], entity)


def _best(matching: Matching) -> dict[int, float]:
    """By row the score of its best link within its cluster."""
    of = {row: number for number, members in enumerate(matching.clusters) for row in members}
    best: dict[int, float] = {}
    for link in matching.links:
        if of[link.a] == of[link.b]:
            for row in (link.a, link.b):
                best[row] = max(best.get(row, 0.0), link.score)
    return best
