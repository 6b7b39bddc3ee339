"""The streaming half of resolution: every record graph is folded into slots and forgotten.

What is certain to be placed leaves nothing behind but its values. A record that can never be placed
(no key, part of a key, a mention of a minted type) is staged at once, and its relations with it. The
rest waits in its slot. Records are taken owners first, because a slot's identity holds its owners'.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Literal
from zoneinfo import ZoneInfo

from schemacast.errors import UnknownNameError, nearest
from schemacast.graph import Staged, StagedReason
from schemacast.records import Record, RecordGraph, Relation
from schemacast.resolution.ids import founded_id
from schemacast.resolution.keep import Cells, Keepers
from schemacast.resolution.keys import KeyReader, KeyValues, TypeKeys, plain_values
from schemacast.resolution.slots import Founder, Identity, Member, Owner, Slot, TypeSlots, fold
from schemacast.resolution.texts import Texts
from schemacast.resolution.verdicts import Earlier
from schemacast.schema.model import EdgeType, Schema
from schemacast.schema.values import Value, canonical_text


class EdgeKeys:
    """An edge type with the reader of its key and its keepers; one object each, compared by identity."""

    __slots__ = ("keepers", "key", "type")

    def __init__(self, type: EdgeType) -> None:
        self.type = type
        self.key = KeyReader.of(type.key, type.properties, "key")
        self.keepers = Keepers(type.properties, (part.property for part in type.key), "key")

    def ends(self, source: str, target: str) -> tuple[str, str]:
        """The ends in the direction they are kept in: of a symmetric edge the smaller id is the source."""
        ident = self.type.id
        if self.type.symmetric and ident.source == ident.target and target < source:
            return target, source
        return source, target


OwnerLack = Literal["absent", "staged"]
EdgePlace = tuple[EdgeKeys, Slot, Slot, KeyValues, str | None]


class Folder:
    """Takes record graphs; `types`, `edges`, `waiting` and `staged` are what `settle` ends."""

    def __init__(self, schema: Schema, earlier: Earlier, distinct_within: str | None = None) -> None:
        self.schema = schema
        self.earlier = earlier
        self.types = {name: TypeSlots(schema, name) for name in owners_first(schema)}
        self.edge_types = {edge.id: EdgeKeys(edge) for edge in schema.edges.values()}
        self.edges: dict[EdgePlace, Cells | None] = {}
        self.waiting: dict[EdgePlace, list[Member]] = {}
        self.staged: list[tuple[int, int, Staged]] = []
        self._rank_of_type = {name: index for index, name in enumerate(self.types)}
        self._owned = {name for name, slots in self.types.items() if slots.keys.within}
        self._matched = {name for name, slots in self.types.items() if slots.match is not None}
        self._distinct_within = distinct_within
        self._decided = earlier.decided
        self._zone = ZoneInfo(schema.defaults.timezone)
        self._episodes = 0
        self._variants: dict[tuple[str, tuple[tuple[str, Value], ...]], Mapping[str, Value]] = {}

    def add(self, graph: RecordGraph) -> dict[str, Slot]:
        """Fold one episode. Gives the slots of its records, by ref, like `slots_of`.

        Raises UnknownNameError for a type or property that the schema lacks.
        """
        self._episodes += 1
        slots: dict[str, Slot] = {}
        time = self._time(graph.reference_time)
        for position, record, values, identity, founder in self._identities(graph, slots):
            if isinstance(identity, str):
                self._stage(position, graph.source_id, record.ref, record.type, identity, values)
                continue
            type_slots = self.types[record.type]
            slot = type_slots.slot(identity, (self._episodes << 20) + position)
            slots.setdefault(record.ref, slot)
            try:
                fold(type_slots.keepers, slot.cells, record.props, graph.source_id, time, position)
            except KeyError as error:
                raise _unknown_property(record.type, error, type_slots.keepers) from None
            self._remember(slot, position, graph.source_id, record.ref, values, founder)
        for position, relation in enumerate(graph.relations, len(graph.records)):
            self._add_relation(graph.source_id, time, position, relation, slots)
        return slots

    def slots_of(self, graph: RecordGraph) -> dict[str, Slot]:
        """The slot of every record of an episode that was folded before, by ref; nothing is folded."""
        slots: dict[str, Slot] = {}
        for _, record, _, identity, _ in self._identities(graph, slots):
            if not isinstance(identity, str):
                slot = self.types[record.type].slots.get(identity.place)
                if slot is not None:
                    slots.setdefault(record.ref, slot)
        return slots

    def _identities(
        self, graph: RecordGraph, slots: Mapping[str, Slot]
    ) -> Iterator[tuple[int, Record, dict[str, Value], Identity | StagedReason, Founder | None]]:
        """Every record with what identifies it, owners first; the caller adds each one's slot to `slots`."""
        counts: dict[tuple[str, int | None], int] = {}
        owners = self._owners(graph) if self._owned else {}
        texts = Texts.of(graph, self.types, self.earlier.verdicts) if self._matched else Texts()
        numbered: Iterator[tuple[int, Record]] | list[tuple[int, Record]] = enumerate(graph.records)
        if owners or texts.surnames:
            # Surnames alone come after the full names that they may stand for.
            numbered = sorted(
                numbered,
                key=lambda item: (self._rank_of_type.get(item[1].type, 0), item[1].ref in texts.surnames),
            )
        for position, record in numbered:
            type_slots = self.types.get(record.type)
            if type_slots is None:
                known = nearest(record.type, self.types)
                raise UnknownNameError(f"{graph.source_id!r}: the schema has no vertex type {record.type!r}{known}")
            keys = type_slots.keys
            founder = None
            if keys.kind == "match" or (keys.kind == "minted" and record.may_create):
                start = _start(record)
                n = counts.get((record.type, start), 0)
                counts[record.type, start] = n + 1
                founder = (graph.source_id, start, n)
            values = plain_values(record.props)
            found = _owner_slots(keys, owners.get(record.ref, ()), slots) if keys.within else ()
            decided = self._decided.get((graph.source_id, record.ref)) if self._decided else None
            if decided is not None and decided[1]:
                identity: Identity | StagedReason = Identity("decided", record.stance, (decided[0],))
            elif type_slots.match is not None:
                identity = self._identify_match(type_slots, graph.source_id, record, values, found, texts, slots)
            else:
                identity = self._identify(keys, record, values, found, founder)
            yield position, record, values, identity, founder

    def _identify(
        self,
        keys: TypeKeys,
        record: Record,
        values: Mapping[str, Value],
        owners: tuple[Owner | OwnerLack, ...],
        founder: Founder | None,
    ) -> Identity | StagedReason:
        alternates = keys.complete_alternates(values) if keys.alternates else ()
        if keys.kind == "minted":
            if founder is not None:
                ident = founded_id(self.schema.name, record.type, "minted", *founder)
                return Identity("minted", record.stance, (ident,), (), alternates)
            if alternates:
                return Identity("alternate", record.stance, (), (), alternates, False)
            return "keyless_reference"
        read = keys.key.read(values)
        complete, certain = _named_owners(owners)
        stated = len(owners) > owners.count("absent") or any(value is not None for value in read)
        if stated and len(complete) == len(owners) and keys.key.is_complete(read):
            return Identity("key", record.stance, read, complete, alternates, certain)
        if alternates:
            return Identity("alternate", record.stance, read, (), alternates, False)
        if not stated:
            return "no_key"
        return "held" if "staged" in owners and keys.key.is_complete(read) else "partial_key"

    def _identify_match(
        self,
        type_slots: TypeSlots,
        source_id: str,
        record: Record,
        values: Mapping[str, Value],
        owners: tuple[Owner | OwnerLack, ...],
        texts: Texts,
        slots: Mapping[str, Slot],
    ) -> Identity | StagedReason:
        keys, match = type_slots.keys, type_slots.match
        assert match is not None
        alternates = keys.complete_alternates(values) if keys.alternates else ()
        read = keys.key.read(values)
        complete, certain = _named_owners(owners)
        spoken = texts.spoken.get(record.ref)
        named = match.is_named(read)
        if len(complete) == len(owners) and (named or (spoken is not None and spoken.joins)):
            rest, apart = match.rest(values), self._apart(source_id, values)
            if apart is not None:
                rest = (*rest, source_id, record.ref)
            meant = texts.surnames.get(record.ref, ())
            full = [slot for ref in meant if (slot := slots.get(ref)) and slot.kind == "match"]
            here = tuple(dict.fromkeys(s for s in full if s.stance == record.stance and s.owners == complete))
            if here and spoken is None:
                return Identity("surname", record.stance, read, complete, alternates, False, rest, here)
            # Without a name it is only what a person joined it with, and may end up staged.
            certain = certain and named
            return Identity("match", record.stance, read, complete, alternates, certain, rest, (), spoken, apart)
        if alternates:
            return Identity("alternate", record.stance, read, (), alternates, False)
        stated = len(owners) > owners.count("absent") or any(value is not None for value in read)
        if not stated:
            return "no_key"
        return "held" if "staged" in owners and named else "partial_key"

    def _apart(self, source_id: str, values: Mapping[str, Value]) -> str | None:
        """What two records may not have in common if they are one thing."""
        if self._distinct_within is None:
            return None
        if self._distinct_within == "source_id":
            return source_id
        value = values.get(self._distinct_within)
        return None if value is None or isinstance(value, tuple) else canonical_text(value)

    def _owners(self, graph: RecordGraph) -> dict[str, list[tuple[int, str]]]:
        """By ref of a record: the relations of its `within` that name an owner, and the owner's ref."""
        types = {record.ref: record.type for record in graph.records if record.type in self._owned}
        owners: dict[str, list[tuple[int, str]]] = {}
        if not types:
            return owners
        for relation in graph.relations:
            for ref, other, is_target in (
                (relation.target, relation.source, True),
                (relation.source, relation.target, False),
            ):
                kind = types.get(ref)
                end = self.types[kind].keys.owner_ends.get(relation.edge_id) if kind else None
                if end is not None and end[1] is is_target:
                    owners.setdefault(ref, []).append((end[0], other))
        return owners

    def _remember(
        self, slot: Slot, position: int, source_id: str, ref: str, values: Mapping[str, Value], founder: Founder | None
    ) -> None:
        """Keep what the end of the run needs to know of a record, and nothing when its place is certain."""
        if slot.kind in ("match", "surname") and founder is not None:
            slot.found(founder)
            if slot.records is None:
                slot.records = []
            slot.records.append((source_id, sys.intern(ref)))
            decided = self._decided.get((source_id, ref)) if self._decided else None
            if decided is not None:
                slot.decided = slot.decided or Counter()
                slot.decided[decided[0]] += 1
        if not slot.certain:
            if slot.members is None:
                slot.members = []
            slot.members.append(
                Member(self._episodes, position, source_id, sys.intern(ref), self._shared(slot.type, values))
            )

    def _add_relation(
        self, source_id: str, time: float, position: int, relation: Relation, slots: Mapping[str, Slot]
    ) -> None:
        keys = self.edge_types.get(relation.edge_id)
        if keys is None:
            raise UnknownNameError(f"{source_id!r}: the schema has no edge type {relation.edge_id}")
        source, target = slots.get(relation.source), slots.get(relation.target)
        ref = f"{relation.source}->{relation.target}"
        name = relation.edge_id.relation
        if source is None or target is None:
            self._stage(position, source_id, ref, name, "held", plain_values(relation.props))
            return
        read: KeyValues = ()
        if keys.type.key:
            values = plain_values(relation.props)
            read = keys.key.read(values)
            if not keys.key.is_complete(read):
                self._stage(position, source_id, ref, name, "partial_key", values)
                return
        place: EdgePlace = (keys, source, target, read, relation.stance)
        cells = self.edges.setdefault(place, None)
        if relation.props:
            if cells is None:
                cells = self.edges[place] = keys.keepers.empty()
            try:
                fold(keys.keepers, cells, relation.props, source_id, time, position)
            except KeyError as error:
                raise _unknown_property(str(relation.edge_id), error, keys.keepers) from None
        if not (source.certain and target.certain):
            shared = self._shared(name, plain_values(relation.props))
            member = Member(self._episodes, position, source_id, sys.intern(ref), shared)
            self.waiting.setdefault(place, []).append(member)

    def _stage(
        self, position: int, source_id: str, ref: str, type: str, reason: StagedReason, values: Mapping[str, Value]
    ) -> None:
        staged = Staged(source_id, sys.intern(ref), type, reason, self._shared(type, values))
        self.staged.append((self._episodes, position, staged))

    def _shared(self, type: str, values: Mapping[str, Value]) -> Mapping[str, Value]:
        """One mapping for all records of a type with the same values, which are many in a long run."""
        return self._variants.setdefault((type, tuple(values.items())), values)

    def _time(self, reference_time: datetime | None) -> float:
        if reference_time is None:
            return float("-inf")
        if reference_time.tzinfo is None:
            reference_time = reference_time.replace(tzinfo=self._zone)
        return reference_time.timestamp()


def owners_first(schema: Schema) -> list[str]:
    """The vertex types so that the owners of each (its `within`) stand before it."""
    ordered: dict[str, None] = {}
    remaining = list(schema.vertices)
    while remaining:
        ready = [
            name
            for name in remaining
            if all(owner in ordered or owner == name for edge in schema.owners(name) for owner in edge.id[:2])
        ]
        # A cycle is an error of the schema file; here it only must not hang.
        ordered.update(dict.fromkeys(ready or remaining))
        remaining = [name for name in remaining if name not in ordered]
    return list(ordered)


def _owner_slots(
    keys: TypeKeys, owned_by: Sequence[tuple[int, str]], slots: Mapping[str, Slot]
) -> tuple[Owner | OwnerLack, ...]:
    """For each relation of `within` the owner's slot, several when several are named."""
    found: list[dict[Slot, None]] = [{} for _ in keys.within]
    staged = set()
    for index, ref in owned_by:
        slot = slots.get(ref)
        if slot is None:
            staged.add(index)
        else:
            found[index][slot] = None
    owners: list[Owner | OwnerLack] = []
    for index, each in enumerate(found):
        if index in staged:
            owners.append("staged")
        elif not each:
            owners.append("absent")
        else:
            owners.append(next(iter(each)) if len(each) == 1 else tuple(each))
    return tuple(owners)


def _named_owners(owners: tuple[Owner | OwnerLack, ...]) -> tuple[tuple[Owner, ...], bool]:
    """The owners that are there, and whether each is one that is certain to become an entity."""
    complete = tuple(owner for owner in owners if not isinstance(owner, str))
    return complete, all(isinstance(owner, Slot) and owner.certain for owner in complete)


def _start(record: Record) -> int | None:
    span = record.evidence.get("span")
    start = span.get("start") if isinstance(span, dict) else None
    return start if isinstance(start, int) else None


def _unknown_property(owner: str, error: KeyError, declared: Keepers) -> UnknownNameError:
    name = str(error.args[0])
    return UnknownNameError(f"{owner} has no property {name!r}{nearest(name, declared)}")
