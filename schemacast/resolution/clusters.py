"""The slots of one `match` type as clusters: what matching finds alike, with what is known and what people said.

Every slot is a row, and every known entity is one. Slots with equal keys are together unless something else that
both state differs, and so are those that state one alternate, unless something rules it out. Known entities are
apart from each other, since each has an id that stands. A slot whose key equals that of a known entity is that
entity. What people joined is together, and what they split is apart, whatever the scores are. Rows are given in
the order of their founders, so that the order of episodes can change nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from schemacast.graph import By, Entity
from schemacast.matching.model import Matching, Row, Weights
from schemacast.resolution.keys import KeyValues
from schemacast.resolution.match_keys import MatchKey, contradict
from schemacast.resolution.slots import Slot, TypeSlots, founder_order
from schemacast.resolution.together import Together
from schemacast.schema.values import Value

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
    """The clusters of one type. Row `n` of `matching` is the slot or known entity `rows[n]`, and has `values[n]`."""

    clusters: tuple[Cluster, ...]
    matching: Matching
    rows: tuple[Slot | Entity, ...]
    values: tuple[tuple[Value | None, ...], ...]


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
    equal = _equal_to_known(slots, ordered, values, entities, known_values)
    together = Together(len(ordered))
    for label, numbers in _equal_keys(key, ordered, values):
        for number in numbers:
            together.put(number, label)
    for number, (slot, _) in enumerate(ordered):
        for label in slot.spoken.joins if slot.spoken else ():
            together.put(number, f"said:{label}")
        if number in equal:
            together.put(number, f"known:{entities[equal[number]].id}")
    _join_alternates(key, ordered, values, together)
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
    made = tuple(_clusters(key, matching, entities, ordered, values, equal))
    return Matched(made, matching, named, (*known_values, *values))


def _order(slot: Slot) -> tuple[object, ...]:
    # Two slots of one founder are told apart by what they say; only people's words make such.
    founder = founder_order(slot.founder) if slot.founder else ("", -1, 0)
    return (*founder, repr(slot.values), repr(slot.spoken))


def _scope(stance: str | None, owners: tuple[str, ...]) -> str:
    return "|".join((stance or "asserted", *owners))


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


def _equal_keys(
    key: MatchKey, ordered: Sequence[Scoped], values: Sequence[tuple[Value | None, ...]]
) -> Iterator[tuple[str, list[int]]]:
    """The slots that have equal keys and differ in nothing else that both state: one, by a label of their own."""
    if not any(slot.spoken for slot, _ in ordered) and len(key.names) == len(key.type.key.parts):
        return  # equal keys are one slot then
    groups: dict[tuple[str, KeyValues], list[int]] = {}
    for number, (slot, owners) in enumerate(ordered):
        if slot.apart is None and not (slot.spoken and slot.spoken.splits) and key.is_named(slot.values):
            groups.setdefault((_scope(slot.stance, owners), slot.values), []).append(number)
    for numbers in groups.values():
        if len(numbers) > 1 and key.agree([values[number] for number in numbers]):
            yield f"equal:{numbers[0]}", numbers


def _join_alternates(
    key: MatchKey, ordered: Sequence[Scoped], values: Sequence[tuple[Value | None, ...]], together: Together
) -> None:
    """Put together what states one alternate, as far as nothing in what would be one contradicts."""
    holders: dict[tuple[str, int, str], list[int]] = {}
    for number, (slot, owners) in enumerate(ordered):
        if slot.apart is None and not (slot.spoken and slot.spoken.splits):
            for place, text in key.alternates(values[number]):
                holders.setdefault((_scope(slot.stance, owners), place, text), []).append(number)
    for (_, place, text), numbers in holders.items():
        for number in numbers[1:]:
            one, other = together.of(numbers[0]), together.of(number)
            vetoes = [{key.vetoing(values[each]) for each in members} for members in (one, other)]
            if not any(contradict(mine, theirs) for mine in vetoes[0] for theirs in vetoes[1]):
                together.put(numbers[0], f"alternate:{place}:{number}:{text}")
                together.put(number, f"alternate:{place}:{number}:{text}")


def _equal_to_known(
    slots: TypeSlots,
    ordered: Sequence[Scoped],
    values: Sequence[tuple[Value | None, ...]],
    entities: Sequence[Entity],
    known_values: Sequence[tuple[Value | None, ...]],
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
            if not match.contradict(values[number], known_values[each]):
                found[number] = each
                break
    return found


def _clusters(
    key: MatchKey,
    matching: Matching,
    entities: Sequence[Entity],
    ordered: Sequence[Scoped],
    values: Sequence[tuple[Value | None, ...]],
    equal: Mapping[int, int],
) -> Iterator[Cluster]:
    """The clusters that hold a slot; known entities alone are left out."""
    known = len(entities)
    best = _best(matching)
    for members in matching.clusters:
        numbers = [row - known for row in members if row >= known]
        if not numbers:
            continue
        slots = [ordered[number][0] for number in numbers]
        entity = next((entities[row] for row in members if row < known), None)
        same = None if entity is None else [number in equal for number in numbers]
        by = _joined_by(key, slots, [values[number] for number in numbers], same)
        least = min((best[row] for row in members if row in best), default=1.0)
        scores = tuple(
            best.get(number + known, least) if how == "likeness" else 1.0
            for number, how in zip(numbers, by, strict=True)
        )
        yield Cluster(tuple(slots), tuple(by), scores, ordered[numbers[0]][1], entity)


def _joined_by(
    key: MatchKey, slots: Sequence[Slot], values: Sequence[tuple[Value | None, ...]], known: Sequence[bool] | None
) -> list[By]:
    """What makes each slot of a cluster one of it: from the first one on, what is equal to those before it.

    `known` says which slots are equal to a known entity, which then comes before all; None when there is none.
    """
    said = Counter(label for slot in slots if slot.spoken for label in slot.spoken.joins)
    by: list[By | None] = [
        "join" if slot.spoken and any(said[label] > 1 for label in slot.spoken.joins) else "equal" if same else None
        for slot, same in zip(slots, known or [False] * len(slots), strict=True)
    ]
    alike: dict[object, list[int]] = {}
    for place, slot in enumerate(slots):
        alike.setdefault(slot.values, []).append(place)
        for alternate in key.alternates(values[place]):
            alike.setdefault(alternate, []).append(place)
    reached = [place for place, how in enumerate(by) if how is not None]
    for place in range(len(slots)):
        if by[place] is None:
            by[place] = "equal" if place == 0 and known is None else "likeness"
            reached.append(place)
        while reached:
            one = reached.pop()
            for met in (slots[one].values, *key.alternates(values[one])):
                for other in alike.pop(met, ()):
                    if by[other] is None:
                        by[other] = "equal" if met == slots[one].values else "alternate"
                        reached.append(other)
    return [how or "likeness" for how in by]


def _best(matching: Matching) -> dict[int, float]:
    """By row the score of its best link within its cluster."""
    of = {row: number for number, members in enumerate(matching.clusters) for row in members}
    best: dict[int, float] = {}
    for link in matching.links:
        if of[link.a] == of[link.b]:
            for row in (link.a, link.b):
                best[row] = max(best.get(row, 0.0), link.score)
    return best
