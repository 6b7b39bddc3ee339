"""What becomes of the records of `match` types: clusters with ids, the decisions that made them, and what changed.

One object for a run. It keeps what matching learned of each type, and, when asked to, the matching itself, from
which a person is told why two records are or are not one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from schemacast.graph import By, Decision, Entity, Revision
from schemacast.matching.model import Weights
from schemacast.resolution.clusters import Cluster, Matched, Scoped, cluster
from schemacast.resolution.known import Known
from schemacast.resolution.match_ids import Given, give_ids, revisions
from schemacast.resolution.slots import Slot, TypeSlots
from schemacast.resolution.verdicts import Earlier
from schemacast.schema.values import Value

BATCH = 1000
OUTGROWN = 10
"""How many times more rows there have to be than weights were learned from for a run to say so."""
SURNAME_SCORE = 0.95
"""How sure a surname alone is that its episode explains; nothing in the data says more."""


@dataclass(frozen=True, slots=True)
class Learned:
    """What was learned of a type, from how many rows. `signature` says of which comparison it is."""

    weights: Weights
    rows: int
    signature: str


@dataclass(frozen=True, slots=True)
class Found:
    """Slots that are one entity: its id, what the store has of it, and the ids that it had before."""

    slots: tuple[Slot, ...]
    id: str
    entity: Entity | None
    aliases: frozenset[str] = frozenset()


@dataclass(slots=True)
class Matches:
    """The `match` types of a run. With `every_decision` records that are alone are decisions too."""

    schema_name: str
    known: Known | None
    earlier: Earlier
    weights: Mapping[str, Learned] = field(default_factory=dict)
    every_decision: bool = False
    keep_matched: bool = False
    learned: dict[str, Learned] = field(default_factory=dict)
    matched: dict[str, Matched] = field(default_factory=dict)
    decisions: list[Decision] = field(default_factory=list)
    revisions: list[Revision] = field(default_factory=list)
    names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    outgrown: dict[str, int] = field(default_factory=dict)

    def settle(self, slots: TypeSlots, scoped: Sequence[Scoped]) -> Iterator[Found]:
        """The entities of one type, of slots whose owners are placed."""
        match = slots.match
        assert match is not None
        known: list[Entity] = []
        if self.known is not None and not slots.keys.within:  # a known entity does not say its owner
            known = list(self.known.of_type(slots.name))
        held = self.weights.get(slots.name)
        weights = held.weights if held is not None and held.signature == match.signature else None
        matched = cluster(slots, scoped, known, self.earlier.verdicts.sides, weights)
        if held is None or weights is None:
            self.learned[slots.name] = Learned(matched.matching.weights, len(matched.rows), match.signature)
        else:
            self.learned[slots.name] = held
            if len(matched.rows) > OUTGROWN * held.rows:
                self.outgrown[slots.name] = len(matched.rows)
        if self.keep_matched:
            self.matched[slots.name] = matched
        named = [each for each in matched.clusters if _is_named(slots, each)]
        joined = {each.known.id for each in named if each.known is not None}
        taken = {ident for entity in known if entity.id not in joined for ident in (entity.id, *entity.aliases)}
        given = give_ids(self.schema_name, slots.name, named, taken)
        self.revisions.extend(revisions(slots.name, named, given))
        yield from self._found(slots, named, given)

    def _found(self, slots: TypeSlots, clusters: Sequence[Cluster], given: Sequence[Given]) -> Iterator[Found]:
        ids = {each.id for each in given}
        for start in range(0, len(clusters), BATCH):
            batch = list(zip(clusters[start : start + BATCH], given[start : start + BATCH], strict=True))
            by_id = self.known.entities([each.id for _, each in batch]) if self.known is not None else {}
            for made, each in batch:
                entity = by_id.get(each.id)
                if entity is not None and entity.id != each.id and entity.id in ids:
                    entity = None  # merged with it by others, but not by what is known here
                ident = entity.id if entity is not None else each.id
                aliases = {*each.merged, *self.earlier.aliases.get(ident, ())}
                aliases |= {old for merged in each.merged for old in self.earlier.aliases.get(merged, ())}
                self._name(slots, made.slots, ident)
                self._decide(made, ident, known=entity is not None)
                yield Found(made.slots, ident, entity, frozenset(aliases - ids))

    def surname(self, slots: TypeSlots, slot: Slot, standing: Callable[[str, str], Value | None]) -> str | None:
        """The id of whom a surname alone means; None, with the slot's reason set, when that cannot be told.

        `standing` gives the value that an entity, by id, has so far of a property.
        """
        ids = {each.id for each in slot.full_names}
        if None in ids:
            slot.reason = "held"
            return None
        found = sorted(ident for ident in ids if ident is not None)
        if len(found) > 1:
            slot.reason = "ambiguous"
            slot.candidates = tuple(found)
            return None
        property_ = slots.keys.name_property
        if property_ is not None:
            full = standing(found[0], property_)
            self._forms(found[0], (full, slots.keepers.value(slot.cells, property_)))
        self._add(tuple(slot.records or ()), found[0], "surname", SURNAME_SCORE)
        slot.records = None
        return found[0]

    def _decide(self, made: Cluster, ident: str, *, known: bool) -> None:
        """Note what joined each slot; those of one kind and score are one decision."""
        groups: dict[tuple[By, float], list[tuple[str, str]]] = {}
        for slot, by, score in zip(made.slots, made.by, made.scores, strict=True):
            groups.setdefault((by, score), []).extend(slot.records or ())
            slot.records = None
        for (by, score), records in groups.items():
            if by != "equal" or known or self.every_decision or len(set(records)) > 1:
                self._add(tuple(records), ident, by, score)

    def _add(self, records: tuple[tuple[str, str], ...], ident: str, by: By, score: float) -> None:
        distinct = tuple(sorted(set(records)))
        if distinct:
            self.decisions.append(Decision(distinct, ident, by, score))

    def _name(self, slots: TypeSlots, named: Sequence[Slot], ident: str) -> None:
        """Note the forms of an entity's name when there are several."""
        property_ = slots.keys.name_property
        if property_ is not None and len(named) > 1:
            self._forms(ident, (slots.keepers.value(slot.cells, property_) for slot in sorted(named, key=_stated)))

    def _forms(self, ident: str, values: Iterable[Value | None]) -> None:
        forms = dict.fromkeys(self.names.get(ident, ()))
        forms.update((value, None) for value in values if isinstance(value, str))
        if len(forms) > 1:
            self.names[ident] = tuple(forms)


def _stated(slot: Slot) -> int:
    return slot.order


def _is_named(slots: TypeSlots, made: Cluster) -> bool:
    """Whether a cluster states what it is called; the records of one that does not are staged."""
    match = slots.match
    assert match is not None
    if any(match.is_named(slot.values) for slot in made.slots) or made.known is not None:
        return True
    for slot in made.slots:
        slot.reason = "partial_key" if any(value is not None for value in slot.values) else "no_key"
    return False
