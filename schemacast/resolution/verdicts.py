"""What people said about records of `match` types, and which records of an episode it concerns.

A verdict names records by source, ref and a digest of their key, since a ref may be another one after a text
was cast again: where the ref no longer has that key, the records of the source that have it are meant. A later
verdict stands against an earlier one: a join is broken where a later split has its records on two sides. Whoever
splits an entity has seen the rest of it, so that each side is one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from schemacast.graph import Decision, Named, Revision, Verdict
from schemacast.records import RecordGraph
from schemacast.resolution.keys import KeyValues

Tag = tuple[int, int]
"""A verdict by number, and the side of it on which a record stands."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """What people said about one record: its sides of splits, and the joins that it is part of."""

    splits: tuple[Tag, ...] = ()
    joins: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Part:
    """A record's part in one verdict."""

    type: str
    named: Named
    join: str
    split: Tag | None = None


class Verdicts:
    """The verdicts of a workspace, asked episode by episode."""

    def __init__(self, verdicts: Iterable[Verdict] = ()) -> None:
        ordered = sorted(verdicts, key=lambda verdict: verdict.number)
        self.sides: dict[int, int] = {each.number: len(each.sides) for each in ordered if each.kind == "split"}
        self._parts: dict[str, list[_Part]] = {}
        splits: list[dict[Named, int]] = []
        for verdict in reversed(ordered):
            standing = {named: side for side, named_here in enumerate(verdict.sides) for named in named_here}
            for named, side in standing.items():
                # Where a later split has nothing to say of a record, it is of the rest, the last side.
                broken = [sides.get(named, max(sides.values(), default=0)) for sides in splits]
                join = f"{verdict.number}/{side}:{broken}"
                split = (verdict.number, side) if verdict.kind == "split" else None
                self._parts.setdefault(named.source_id, []).append(_Part(verdict.type, named, join, split))
            if verdict.kind == "split":
                splits.append(standing)

    def __bool__(self) -> bool:
        return bool(self._parts)

    def of(self, graph: RecordGraph, keys: Mapping[str, KeyValues]) -> dict[str, Spoken]:
        """By ref what was said about the records of an episode; `keys` has what each states of its key."""
        parts = self._parts.get(graph.source_id)
        if not parts:
            return {}
        refs: dict[tuple[str, str], list[str]] = {}
        types = {record.ref: record.type for record in graph.records}
        for ref, read in keys.items():
            refs.setdefault((types[ref], key_digest(read)), []).append(ref)
        splits: dict[str, list[Tag]] = {}
        joins: dict[str, list[str]] = {}
        for part in parts:
            for ref in _meant(part, types, refs):
                if part.split is not None:
                    splits.setdefault(ref, []).append(part.split)
                joins.setdefault(ref, []).append(part.join)
        return {
            ref: Spoken(tuple(sorted(set(splits.get(ref, ())))), tuple(sorted(set(labels))))
            for ref, labels in joins.items()
        }


def _meant(part: _Part, types: Mapping[str, str], refs: Mapping[tuple[str, str], list[str]]) -> list[str]:
    named = part.named
    if not named.key:
        return [named.ref] if types.get(named.ref) == part.type else []
    having = refs.get((part.type, named.key), [])
    return [named.ref] if named.ref in having else having


def key_digest(read: KeyValues) -> str:
    """What a record's key is told again by, without saying what it is; empty for a record that states none."""
    if not any(value is not None for value in read):
        return ""
    text = json.dumps(read, ensure_ascii=False, separators=(",", ":"))
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


class Earlier:
    """Earlier decisions of every kind, by what resolution asks of them.

    `decided`: by (source id, ref), the entity a record was found to be and whether a person placed it there.
    `aliases`: by id of an entity, the ids that were merged into it.
    """

    def __init__(self, decisions: Iterable[Decision | Revision | Verdict]) -> None:
        self.decided: dict[tuple[str, str], tuple[str, bool]] = {}
        verdicts: list[Verdict] = []
        merged: dict[str, str] = {}
        for each in decisions:
            if isinstance(each, Verdict):
                verdicts.append(each)
            elif isinstance(each, Revision):
                # What was merged is an entity again when others are merged into it, or when it is split off.
                for again in (each.entity,) if each.kind == "merge" else each.others:
                    merged.pop(again, None)
                if each.kind == "merge":
                    merged.update(dict.fromkeys(each.others, each.entity))
            else:
                person = each.by == "person"
                self.decided.update((record, (each.entity, person)) for record in each.records)
        self.verdicts = Verdicts(verdicts)
        self._present = {alias: _end(merged, alias) for alias in merged}
        self.aliases: dict[str, set[str]] = {}
        for alias, entity in self._present.items():
            self.aliases.setdefault(entity, set()).add(alias)

    def present(self, ident: str) -> str:
        """The id that an entity has now, given one that may have been merged into it."""
        return self._present.get(ident, ident)


def _end(merged: Mapping[str, str], alias: str) -> str:
    """The entity at the end of a chain of merges."""
    seen = {alias}
    while (alias := merged.get(alias, "")) and alias not in seen:
        seen.add(alias)
        last = alias
    return last
