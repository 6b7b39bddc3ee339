"""What a person says about entities, kept and carried out: these are one, these are two, and taken back.

A verdict stands in every later run, against every score, until it is undone. It names records, not entities, so
that it means the same when ids change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from schemacast.errors import UnknownNameError, UsageError
from schemacast.graph import Named, Verdict
from schemacast.jobs.entity_records import EntityRecords, Held
from schemacast.jobs.resolving import ResolveReport, kept_of_store, settle_workspace
from schemacast.jobs.stored_resolution import resolve_stored
from schemacast.schema.model import VertexType
from schemacast.schema.values import Json
from schemacast.workspace.decisions import Decisions
from schemacast.workspace.file import WorkspaceFile
from schemacast.workspace.lock import JobLock
from schemacast.workspace.runs import Run
from schemacast.workspace.schemas import present_schema

MOST = 1000
"""Records that one verdict names of one entity; those of equal keys are one without being named."""


@dataclass(frozen=True, slots=True)
class VerdictReport:
    """A verdict by its number, None for a record placed on an entity, and what it changed."""

    number: int | None
    records: int
    resolved: ResolveReport

    def to_json(self) -> dict[str, Json]:
        """The object that `--json` prints."""
        return {"number": self.number, "records": self.records, **self.resolved.to_json()}


def join(workspace: str | Path, type: str, keys: Sequence[str], *, to: str | None = None) -> VerdictReport:
    """Say that entities are one, or that a record is of an entity.

    A key is that of an entity (`EntityRecords.find`), or `SOURCE_ID#REF` for a single record. Of a type that has a
    key of its own only records can be placed: the first is the entity's.

    Raises UnknownNameError, UsageError, InputError, WorkspaceLocked, StoreUnavailable, StoreConflict.
    """

    def say(entities: EntityRecords, kind: VertexType, decisions: Decisions) -> tuple[int | None, int]:
        if kind.key.kind != "match":
            return None, _place(entities, kind, keys, decisions)
        named: dict[Named, None] = {}
        wholes = set()
        for key in keys:
            held = _meant(entities, kind, key)
            wholes.add(frozenset(each.named for each in held))
            named.update(dict.fromkeys(_named(held)))
        if len(wholes) < 2:
            raise UsageError("join: these are one entity already; give two")
        return decisions.say(Verdict("join", type, (tuple(named),))), len(named)

    return _change("resolve join", workspace, type, to, say)


def split(
    workspace: str | Path, type: str, key: str, records: Sequence[str], *, to: str | None = None
) -> VerdictReport:
    """Say that some records of an entity are another one: `records` are `SOURCE_ID` or `SOURCE_ID#REF` each.

    Raises like `join`; UsageError when none of its records, or all, are named.
    """

    def say(entities: EntityRecords, kind: VertexType, decisions: Decisions) -> tuple[int | None, int]:
        if kind.key.kind != "match":
            raise UsageError(f"a {kind.name} is told by its key, which its texts state; only `match` types are split")
        whole = entities.of(kind, {entities.only(kind, key)})
        leaving = [each for each in whole if {each.source_id, f"{each.source_id}#{each.record.ref}"} & set(records)]
        staying = [each for each in whole if each not in leaving]
        known = {name for each in whole for name in (each.source_id, f"{each.source_id}#{each.record.ref}")}
        for name in records:
            if name not in known:
                raise UnknownNameError(
                    f"split: {name!r} states nothing of that {kind.name}; `explain` lists its records"
                )
        if not staying:
            raise UsageError(f"split: these are all records of that {kind.name}; name those that are another one")
        sides = (_named(leaving), _named(staying))
        return decisions.say(Verdict("split", type, sides)), len(sides[0])

    return _change("resolve split", workspace, type, to, say)


def undo(workspace: str | Path, what: int | str, *, to: str | None = None) -> VerdictReport:
    """Take a verdict back by its number, or the placing of a record, `SOURCE_ID#REF`.

    Raises UnknownNameError when nothing of the kind stands; else like `join`.
    """
    with WorkspaceFile(workspace) as file, JobLock(file.path):
        schema, sha = present_schema(file)
        with Run(file, "resolve undo", model=None, store=to or "") as run:
            with file.transaction():
                _undo(Decisions(file), what, str(file.path))
                file.touched()
            report = settle_workspace(file, schema, sha, to=to)
            run.end(None)
        return VerdictReport(what if isinstance(what, int) else None, 0, report)


def _undo(decisions: Decisions, what: int | str, where: str) -> None:
    if isinstance(what, str):
        source_id, _, ref = what.rpartition("#")
        if not decisions.take_back(source_id, ref):
            raise UnknownNameError(f"{where}: nobody placed the record {what!r}")
    elif not decisions.undo(what):
        standing = ", ".join(str(each.number) for each, undone in decisions.verdicts() if undone is None)
        raise UnknownNameError(f"{where}: no verdict {what} stands; standing: {standing or 'none'}")


Saying = Callable[[EntityRecords, VertexType, Decisions], tuple[int | None, int]]


def _change(command: str, workspace: str | Path, type: str, to: str | None, say: Saying) -> VerdictReport:
    with WorkspaceFile(workspace) as file, JobLock(file.path):
        schema, sha = present_schema(file)
        with Run(file, command, model=None, store=to or "") as run:
            resolved = resolve_stored(file, schema, sha, kept_of_store(file, schema))
            entities = EntityRecords(resolved, schema, str(file.path))
            with file.transaction():
                number, count = say(entities, entities.type(type), Decisions(file))
                file.touched()
            del resolved, entities
            report = settle_workspace(file, schema, sha, to=to)
            run.end(None)
        return VerdictReport(number, count, report)


def _named(held: Sequence[Held]) -> tuple[Named, ...]:
    """The records to name in a verdict: surnames alone follow their full names, unless there is nothing else."""
    return tuple(each.named for each in [each for each in held if not each.follows][:MOST] or held[:MOST])


def _meant(entities: EntityRecords, kind: VertexType, key: str) -> list[Held]:
    """The records that a key means: those of one entity, or single ones."""
    if "#" in key:
        held = [each for each in entities.at(kind, key) if f"{each.source_id}#{each.record.ref}" == key]
        if held:
            return held
    return entities.of(kind, {entities.only(kind, key)})


def _place(entities: EntityRecords, kind: VertexType, keys: Sequence[str], decisions: Decisions) -> int:
    """Place records of a type with a key on the entity that the first key names."""
    ident = entities.only(kind, keys[0])
    for key in keys[1:]:
        held = [each for each in entities.at(kind, key) if f"{each.source_id}#{each.record.ref}" == key]
        if not held:
            raise UsageError(
                f"join: a {kind.name} is told by its key, which its texts state; give the entity's key, then records"
                f" as SOURCE_ID#REF; {key!r} is none"
            )
        decisions.place(held[0].source_id, held[0].record.ref, ident)
    return len(keys) - 1
