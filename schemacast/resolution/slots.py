"""Slots: what all records that say the same about their identity are folded into.

A record's slot follows from the record, its owners' slots and nothing else, so that the order of
episodes does not matter and memory grows with distinct identities, not with episodes. Most slots are
certain to become an entity. The others (found by an alternate, or owned by something uncertain) wait
for the end of the run, and only they remember which records they hold, for these may yet be staged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

from schemacast.graph import StagedReason
from schemacast.records import Props, Stated
from schemacast.resolution.keep import Cells, Keepers, Rank
from schemacast.resolution.keys import Alternate, KeyValues, TypeKeys
from schemacast.resolution.match_keys import MatchKey
from schemacast.resolution.surnames import is_of_people
from schemacast.resolution.verdicts import Spoken
from schemacast.schema.model import Schema
from schemacast.schema.values import Value

SlotKind = Literal["key", "match", "surname", "minted", "alternate", "decided"]
Founder = tuple[str, int | None, int]
Owner: TypeAlias = "Slot | tuple[Slot, ...]"


class Member(NamedTuple):
    """A record or relation that waits: its place in the run, and what is shown if it ends up staged."""

    episode: int
    position: int
    source_id: str
    ref: str
    values: Mapping[str, Value]


class Slot:
    """One identity of one type, with the values of all its records folded.

    `id` is set when the slot becomes an entity, `reason` when it is staged; `owners` has one slot for
    each relation of `within`, or several when the episode names several. `decided` counts the records of a `match`
    slot by the entity that an earlier run found them to be; `apart` says of two slots with one value of it that
    they are two things.
    """

    __slots__ = (
        "alternates", "apart", "candidates", "cells", "certain", "decided", "founder", "full_names", "id", "kind",
        "members", "order", "owners", "reason", "records", "spoken", "stance", "type", "values",
    )  # fmt: skip

    def __init__(self, type: str, identity: Identity, order: int, cells: Cells) -> None:
        self.type = type
        self.kind = identity.kind
        self.certain = identity.certain
        self.stance = identity.stance
        self.owners = identity.owners
        self.values = identity.values
        self.alternates = identity.alternates if not identity.certain else ()
        self.order = order
        self.cells = cells
        self.members: list[Member] | None = None
        self.records: list[tuple[str, str]] | None = None
        self.founder: Founder | None = None
        self.decided: Counter[str] | None = None
        self.spoken = identity.spoken
        self.apart = identity.apart
        self.full_names = identity.full_names
        self.id: str | None = None
        self.reason: StagedReason | None = None
        self.candidates: tuple[str, ...] = ()

    def found(self, founder: Founder) -> None:
        """Take a record as founder when it comes before the present one, whatever the order of episodes."""
        if self.founder is None or founder_order(founder) < founder_order(self.founder):
            self.founder = founder


def founder_order(founder: Founder) -> tuple[str, int, int]:
    """The order among founders: by source, then place, what the source itself states first."""
    source_id, start, n = founder
    return source_id, -1 if start is None else start, n


class Identity(NamedTuple):
    """What a record is identified by. Slots are found by it."""

    kind: SlotKind
    stance: str | None
    values: KeyValues
    owners: tuple[Owner, ...] = ()
    alternates: tuple[Alternate, ...] = ()
    certain: bool = True
    rest: tuple[object, ...] = ()
    """Of a `match` record what it is told by besides its key: other values, and the record where each is its own."""
    full_names: tuple[Slot, ...] = ()
    """Of a surname alone the slots of those it may be."""
    spoken: Spoken | None = None
    apart: str | None = None

    @property
    def place(self) -> object:
        """What the slot is found by; an uncertain one is also told apart by its alternates."""
        if not self.certain:
            return self.kind, self.stance, self.values, self.owners, self.alternates, *self._more
        if self.kind == "match" and (self.rest or self.spoken):
            return self.stance, self.values, self.owners, *self._more
        if self.owners or self.kind == "decided":
            return self.kind, self.stance, self.values, self.owners
        return self.stance, self.values

    @property
    def _more(self) -> tuple[object, ...]:
        return self.rest, self.full_names, self.spoken


class TypeSlots:
    """The slots of one vertex type, and which of them state which alternate."""

    __slots__ = ("holders", "keepers", "keys", "match", "name", "people", "slots")

    def __init__(self, schema: Schema, name: str) -> None:
        vertex_type = schema.vertices[name]
        self.name = name
        self.keys = TypeKeys(schema, vertex_type)
        self.keepers = Keepers(vertex_type.properties, vertex_type.key.properties, self.keys.key.equality)
        self.match = MatchKey(vertex_type) if vertex_type.key.kind == "match" else None
        self.people = is_of_people(vertex_type)
        self.slots: dict[object, Slot] = {}
        self.holders: dict[tuple[str | None, Alternate], Slot | set[Slot]] = {}

    def slot(self, identity: Identity, order: int) -> Slot:
        """The slot of an identity, made when it is the first of its kind."""
        place = identity.place
        slot = self.slots.get(place)
        if slot is None:
            slot = self.slots[place] = Slot(self.name, identity, order, self.keepers.empty())
        if identity.alternates and identity.kind != "alternate":
            for alternate in identity.alternates:
                self._hold((identity.stance, alternate), slot)
        return slot

    def _hold(self, alternate: tuple[str | None, Alternate], slot: Slot) -> None:
        held = self.holders.get(alternate)
        if held is None:
            self.holders[alternate] = slot
        elif isinstance(held, set):
            held.add(slot)
        elif held is not slot:
            self.holders[alternate] = {held, slot}


def fold(keepers: Keepers, cells: Cells, props: Props, source_id: str, time: float, position: int) -> None:
    """Fold the stated properties of a record or relation into the cells of what it states."""
    ranks: list[Rank | None] = [None, None]
    for name, stated in props.items():
        value: Value
        if isinstance(stated, Stated):
            value, known = stated.value, "known" in stated.evidence
        elif stated:
            value, known = tuple(item.value for item in stated), "known" in stated[0].evidence
        else:
            continue
        rank = ranks[known]
        if rank is None:
            rank = ranks[known] = Rank(time, source_id, known, position)
        keepers.fold(cells, name, rank, value)
