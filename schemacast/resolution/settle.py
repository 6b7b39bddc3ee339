"""The second half of resolution: slots become entities, edges find their ends, the rest is staged.

Types are settled owners first. Of each, what has a key comes first, then what is joined by likeness,
then what an alternate finds. Alternates are looked up in rounds: a value belongs to the keyed and
known entities that state it; only where there are none it belongs to what the round before placed by
another alternate. So no answer depends on an order, and none is overturned by a later round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice, product
from typing import TypeVar

from schemacast.graph import Edge, Entity, Graph, Lookup, Staged
from schemacast.resolution.candidates import rank_candidates
from schemacast.resolution.fold import EdgeKeys, Folder
from schemacast.resolution.ids import edge_hash, entity_id
from schemacast.resolution.keep import Cells
from schemacast.resolution.keys import Alternate, KeyValues
from schemacast.resolution.known import Known
from schemacast.resolution.matches import Matches
from schemacast.resolution.slots import Slot, TypeSlots
from schemacast.schema.values import Scalar

BATCH = 1000
"""How many ids or questions a store is asked at once."""
MOST_CANDIDATES = 100

Item = TypeVar("Item")
Asked = tuple[str | None, Alternate]


class _Built:
    """An entity while its slots are merged."""

    __slots__ = ("aliases", "cells", "keys", "order", "stance", "type")

    def __init__(self, slot: Slot, cells: Cells) -> None:
        self.type = slot.type
        self.stance = slot.stance
        self.order = slot.order
        self.cells = cells
        self.aliases: set[str] = set()
        self.keys: set[KeyValues] = set()


class Settler:
    """Ends a run; used once."""

    def __init__(self, folder: Folder, known: Known | None, matches: Matches) -> None:
        self.matches = matches
        self._folder = folder
        self._schema = folder.schema
        self._known = known
        self._known_entities: dict[str, Entity] = {}
        self._built: dict[str, _Built] = {}
        self._loops: Counter[str] = Counter()

    def graph(self) -> Graph:
        """The graph of everything that was folded."""
        for slots in self._folder.types.values():
            self._settle_keyed(slots)
            if slots.match is not None:
                self._settle_matches(slots)
            self._settle_by_alternates(slots)
        entities = self._entities()
        edges = self._edges()
        staged, candidates = rank_candidates(
            (item[2] for item in sorted(self._staged(), key=lambda item: item[:2])), entities, self._schema
        )
        return Graph(
            schema_ref=self._schema.ref,
            entities=entities,
            edges=edges,
            staged=staged,
            decisions=tuple(self.matches.decisions),
            revisions=tuple(self.matches.revisions),
            candidates=candidates,
            names=self.matches.names,
            loops=dict(sorted(self._loops.items())),
            schema=self._schema,
        )

    def _settle_keyed(self, slots: TypeSlots) -> None:
        """What has a key, is minted, or was placed by a person."""
        placed = []
        for slot in slots.slots.values():
            if slot.kind == "key":
                owners = self._owner_ids(slot)
                if owners is not None:
                    values = [*owners, *slot.values]
                    slot.id = entity_id(self._schema.name, slot.type, values, stance=slot.stance)
            elif slot.kind == "minted":
                slot.id = slot.values[0]
            elif slot.kind == "decided" and slot.values[0] is not None:
                slot.id = self._folder.earlier.present(slot.values[0])
            if slot.id is not None:
                placed.append(slot)
        self._follow_known(slots, placed)
        for slot in placed:
            self._enter(slots, slot)

    def _follow_known(self, slots: TypeSlots, placed: list[Slot]) -> None:
        """Give slots the ids under which the store knows them: by alias, or by an entity with the same key."""
        if self._known is None:
            return
        for batch in _batches(placed):
            found = self._known.entities([slot.id for slot in batch if slot.id is not None])
            unknown = []
            for slot in batch:
                entity = found.get(slot.id or "")
                if entity is not None:
                    self._follow(slot, entity)
                elif slot.kind == "key" and not slot.owners and None not in slot.values:
                    unknown.append(slot)
            names = slots.keys.type.key.properties
            questions = [Lookup(slot.type, _raw(slots, slot, names)) for slot in unknown]
            for slot, answers in zip(unknown, self._known.look_up(questions) if questions else (), strict=True):
                same = [entity for entity in answers if entity.stance == slot.stance]
                if len(same) == 1:
                    self._follow(slot, same[0])

    def _follow(self, slot: Slot, entity: Entity) -> None:
        slot.id = entity.id
        self._known_entities[entity.id] = entity

    def _owner_ids(self, slot: Slot) -> tuple[str, ...] | None:
        """The ids of a slot's owners; None, with the slot's reason set, when one is staged or not certain."""
        choices: list[list[str]] = []
        for owner in slot.owners:
            ids = {each.id for each in (owner if isinstance(owner, tuple) else (owner,))}
            choices.append(sorted(ident for ident in ids if ident is not None))
            if None in ids:
                slot.reason = "held"
                return None
        if all(len(ids) == 1 for ids in choices):
            return tuple(ids[0] for ids in choices)
        slot.reason = "ambiguous"
        several = islice(product(*choices), MOST_CANDIDATES)
        if slot.kind == "key":
            name, kind, stance = self._schema.name, slot.type, slot.stance
            slot.candidates = tuple(
                sorted(entity_id(name, kind, [*owners, *slot.values], stance=stance) for owners in several)
            )
        return None

    def _settle_matches(self, slots: TypeSlots) -> None:
        """What is alike, and the surnames alone of whom that is."""
        scoped = []
        short = []
        for slot in slots.slots.values():
            if slot.kind == "match":
                owners = self._owner_ids(slot)
                if owners is not None:
                    scoped.append((slot, owners))
            elif slot.kind == "surname":
                short.append(slot)
        for found in self.matches.settle(slots, scoped) if scoped else ():
            for slot in found.slots:
                slot.id = found.id
                if found.entity is not None:
                    self._follow(slot, found.entity)
                self._enter(slots, slot)
            self._built[found.id].aliases |= found.aliases
        for slot in short:
            slot.id = self.matches.surname(
                slots, slot, lambda ident, name: slots.keepers.value(self._built[ident].cells, name)
            )
            if slot.id is not None:
                # The full name stands, whichever was stated first.
                slots.keepers.drop(slot.cells, slots.keys.type.key.properties)
                self._enter(slots, slot)

    def _settle_by_alternates(self, slots: TypeSlots) -> None:
        """What only an alternate finds, round by round."""
        waiting = [slot for slot in slots.slots.values() if slot.id is None and slot.alternates]
        holders = self._holders(slots, waiting)
        while waiting:
            placed, still = [], []
            for slot in waiting:
                found = {
                    ident
                    for alternate in slot.alternates
                    for ident in holders.get((slot.stance, alternate), ())
                    if not self._contradicts(slots, slot, ident)
                }
                if len(found) == 1:
                    slot.id = found.pop()
                    placed.append(slot)
                elif found:
                    slot.reason = "ambiguous"
                    slot.candidates = tuple(sorted(found)[:MOST_CANDIDATES])
                else:
                    slot.reason = slot.reason if slot.reason == "ambiguous" else "unmatched"
                    still.append(slot)
            fresh: dict[Asked, set[str]] = {}
            for slot in placed:
                self._enter(slots, slot)
                for alternate in slot.alternates:
                    if (slot.stance, alternate) not in holders and slot.id is not None:
                        fresh.setdefault((slot.stance, alternate), set()).add(slot.id)
            holders |= fresh
            waiting = still if fresh else []

    def _holders(self, slots: TypeSlots, waiting: list[Slot]) -> dict[Asked, set[str]]:
        """For every alternate that is asked for, the keyed and known entities that state it."""
        asked: dict[Asked, Slot] = {(slot.stance, each): slot for slot in waiting for each in slot.alternates}
        holders: dict[Asked, set[str]] = {}
        for question in asked:
            held = slots.holders.get(question)
            ids = {slot.id for slot in (held if isinstance(held, set) else (held,)) if slot is not None}
            ids.discard(None)
            if ids:
                holders[question] = {ident for ident in ids if ident is not None}
        if self._known is None:
            return holders
        for batch in _batches(list(asked.items())):
            questions = []
            for (_, alternate), slot in batch:
                names = slots.keys.alternate_names[alternate.which]
                questions.append(Lookup(slots.name, _raw(slots, slot, names)))
            for (question, _), found in zip(batch, self._known.look_up(questions), strict=True):
                for entity in found:
                    if entity.stance == question[0]:
                        holders.setdefault(question, set()).add(entity.id)
                        self._known_entities[entity.id] = entity
        return holders

    def _contradicts(self, slots: TypeSlots, slot: Slot, ident: str) -> bool:
        """Whether the part of the key that a record does state is another than the entity's."""
        if slots.keys.kind != "plain" or not any(slot.values):
            return False
        built = self._built.get(ident)
        entity = self._known_entities.get(ident)
        keys = set(built.keys) if built else set()
        if entity is not None:
            keys.add(slots.keys.key.read(entity.props))
        return bool(keys) and all(
            any(mine is not None and mine != theirs for mine, theirs in zip(slot.values, key, strict=True))
            for key in keys
        )

    def _enter(self, slots: TypeSlots, slot: Slot) -> None:
        """Merge a placed slot into its entity."""
        if slot.id is None:
            return
        built = self._built.get(slot.id)
        if built is None:
            built = self._built[slot.id] = _Built(slot, slots.keepers.empty())
            entity = self._known_entities.get(slot.id)
            if entity is not None:
                slots.keepers.fold_known(built.cells, entity.props)
                built.aliases.update(entity.aliases)
        built.order = min(built.order, slot.order)
        if slot.kind == "key":
            built.keys.add(slot.values)
        slots.keepers.merge(built.cells, slot.cells)
        slot.cells = []
        slot.members = None

    def _entities(self) -> dict[str, Entity]:
        entities: dict[str, Entity] = {}
        for ident, built in sorted(self._built.items(), key=lambda item: item[1].order):
            keepers = self._folder.types[built.type].keepers
            entities[ident] = Entity(
                ident, built.type, keepers.props(built.cells), tuple(sorted(built.aliases - {ident})), built.stance
            )
            built.cells = []
        return entities

    def _edges(self) -> dict[str, Edge]:
        """The edges whose ends are both placed; two places become one edge when their ends became one.

        A place is given up as its edge is made, for there may be very many.
        """
        edges: dict[str, Edge] = {}
        stated: dict[str, tuple[EdgeKeys, Cells]] = {}
        places = list(self._folder.edges)
        places.reverse()
        while places:
            place = places.pop()
            keys, source, target, values, stance = place
            if source.id is None or target.id is None:
                continue
            cells = self._folder.edges.pop(place)
            edge_id = keys.type.id
            if source.id == target.id and _is_made_a_loop(source, target):
                self._loops[edge_id.relation] += 1
                continue
            ends = keys.ends(source.id, target.id)
            ident = edge_hash(self._schema.name, edge_id, *ends, values, stance)
            if ident not in edges:
                edges[ident] = Edge(ident, edge_id, *ends, {}, stance)
            held = stated.get(ident)
            if cells is not None and held is None:
                stated[ident] = (keys, cells)
            elif cells is not None and held is not None:
                keys.keepers.merge(held[1], cells)
        if self._known is not None:
            for batch in _batches(list(edges)):
                for ident, edge in self._known.edges(batch).items():
                    keys = self._folder.edge_types[edge.edge_id]
                    keys.keepers.fold_known(stated.setdefault(ident, (keys, keys.keepers.empty()))[1], edge.props)
        for ident in list(stated):
            keys, cells = stated.pop(ident)
            edge = edges[ident]
            edges[ident] = Edge(ident, edge.edge_id, edge.source, edge.target, keys.keepers.props(cells), edge.stance)
        return edges

    def _staged(self) -> Iterator[tuple[int, int, Staged]]:
        yield from self._folder.staged
        for slots in self._folder.types.values():
            for slot in slots.slots.values():
                if slot.id is None:
                    for member in slot.members or ():
                        yield (
                            member.episode,
                            member.position,
                            Staged(
                                member.source_id,
                                member.ref,
                                slot.type,
                                slot.reason or "unmatched",
                                member.values,
                                slot.candidates,
                            ),
                        )
        for (keys, source, target, _, _), members in self._folder.waiting.items():
            if source.id is None or target.id is None:
                for member in members:
                    relation = keys.type.id.relation
                    yield (
                        member.episode,
                        member.position,
                        Staged(member.source_id, member.ref, relation, "held", member.values),
                    )


def _is_made_a_loop(source: Slot, target: Slot) -> bool:
    """Whether an edge between two records of a text became a loop only because likeness made them one."""
    return {source.kind, target.kind} <= {"match", "surname"} and source.values != target.values


def _raw(slots: TypeSlots, slot: Slot, names: Iterable[str]) -> dict[str, Scalar]:
    """A slot's values of `names`, as a store is asked for them."""
    raw: dict[str, Scalar] = {}
    for name in names:
        value = slots.keepers.value(slot.cells, name)
        if value is not None:
            raw[name] = value[0] if isinstance(value, tuple) else value
    return raw


def _batches(items: list[Item]) -> Iterator[list[Item]]:
    for start in range(0, len(items), BATCH):
        yield items[start : start + BATCH]
