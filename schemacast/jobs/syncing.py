"""Bringing a store in line with the workspace, whatever has happened to it: `sync`.

After a restore, for a second store, from one kind of store to another: everything that the workspace says is
written again, and everything that it ever removed is removed again. A store may tell by a hash of its own what it
holds, which an edit by someone else leaves as it is: so all is read back then, and what was edited is written in
another form before it is written as it should be. A check reads the same ids back too and says what differs; it
writes nothing to the store.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from schemacast.adapters import Adapter, Counts
from schemacast.graph import Edge, Entity, Graph
from schemacast.jobs.report import SyncReport
from schemacast.jobs.writing import StoreWriter, Written
from schemacast.refusals import MOST_SHOWN, label_of
from schemacast.schema.model import Property, Schema
from schemacast.schema.stored import as_read_back
from schemacast.schema.values import Value
from schemacast.workspace.file import WorkspaceFile
from schemacast.workspace.journal import Journal, Kind
from schemacast.workspace.lock import JobLock
from schemacast.workspace.runs import Run
from schemacast.workspace.schemas import present_schema

BATCH = 1000


def sync(workspace: str | Path, *, to: str, check: bool = False) -> SyncReport:
    """Write to the store at `to` everything that the workspace says; with `check`, compare only.

    Raises WorkspaceLocked, InputError, OutputError, StoreUnavailable, StoreConflict.
    """
    with WorkspaceFile(workspace) as file, JobLock(file.path):
        schema, sha = present_schema(file)
        writer = StoreWriter(file.path, schema, sha, to, prepare=not check)
        try:
            if check:
                return _compare(file, schema, writer, to)
            with Run(file, "sync", model=None, store=to) as run:
                written = writer.write(everything=True)
                if _unsettle(file, schema, writer, written):
                    written = _after(written, writer.write())
                run.end(None)
                return SyncReport(to, written)
        finally:
            writer.close()


@dataclass(frozen=True, slots=True)
class _Compared:
    """What the workspace says and the store lacks, and what it holds otherwise: as it is said, as it stands there."""

    graph: Graph
    missing: list[Entity | Edge]
    different: list[tuple[Entity, Entity] | tuple[Edge, Edge]]


def _read_back(file: WorkspaceFile, schema: Schema, writer: StoreWriter) -> _Compared:
    graph = writer.graph(file)
    adapter = writer.open()
    found = _Compared(graph, [], [])
    for ids in _batches(sorted(graph.entities)):
        at_hand = adapter.entities(ids)
        for ident in ids:
            said, there = graph.entities[ident], at_hand.get(ident)
            if there is None:
                found.missing.append(said)
            elif not _same_entity(said, there, schema):
                found.different.append((said, there))
    for ids in _batches(sorted(graph.edges)):
        held = adapter.edges(ids)
        for ident in ids:
            edge, held_edge = graph.edges[ident], held.get(ident)
            if held_edge is None:
                found.missing.append(edge)
            elif not _same_edge(edge, held_edge, schema):
                found.different.append((edge, held_edge))
    return found


def _unsettle(file: WorkspaceFile, schema: Schema, writer: StoreWriter, written: Written) -> bool:
    """Write what someone else edited so that its hash is another one, and doubt it. Says whether anything was.

    An entity gets its own id as an alias, which means nothing; an edge what is found of it and fits. An item that only
    holds more than is said may have that from another workspace, and stays.
    """
    refused = {each.id for each in written.report.refused}
    compared = _read_back(file, schema, writer)
    edited = [
        (said, there) for said, there in compared.different if said.id not in refused and _lacks(said, there, schema)
    ]
    if not edited:
        return False
    entities = {
        said.id: replace(said, aliases=(*said.aliases, said.id)) for said, _ in edited if isinstance(said, Entity)
    }
    edges = {
        said.id: replace(said, props=_fitting(said.props, there.props))
        for said, there in edited
        if isinstance(said, Edge)
    }
    with file.transaction(durable=True):
        journal = writer.journal(file)
        journal.doubt("entity", entities)
        journal.doubt("edge", edges)
    writer.open().write(Graph(compared.graph.schema_ref, entities, edges, schema=schema), workspace=file.id)
    return True


def _fitting(said: Mapping[str, Value], there: Mapping[str, Value]) -> dict[str, Value]:
    return {name: there[name] for name, value in said.items() if type(there.get(name)) is type(value)}


def _lacks(said: Entity | Edge, there: Entity | Edge, schema: Schema) -> bool:
    """Whether anything that is said of an item does not stand in the store as it is said."""
    if isinstance(said, Entity):
        declared = schema.vertices[said.type].properties
    else:
        declared = schema.edges[said.edge_id].properties
    if said.stance != there.stance or _ends(said) != _ends(there):
        return True
    return any(there.props.get(name) != value for name, value in as_read_back(said.props, declared).items())


def _ends(item: Entity | Edge) -> tuple[str, str] | None:
    return (item.source, item.target) if isinstance(item, Edge) else None


def _after(first: Written, second: Written) -> Written:
    """Both as one: what the second changed, the first had called unchanged."""
    return replace(
        second,
        report=replace(
            second.report,
            vertices=_counted(first.report.vertices, second.report.vertices),
            edges=_counted(first.report.edges, second.report.edges),
        ),
    )


def _counted(first: Counts, second: Counts) -> Counts:
    return replace(first, changed=first.changed + second.changed, unchanged=first.unchanged - second.changed)


def _compare(file: WorkspaceFile, schema: Schema, writer: StoreWriter, to: str) -> SyncReport:
    compared = _read_back(file, schema, writer)
    graph, missing = compared.graph, compared.missing
    different = [said for said, _ in compared.different]
    journal = writer.journal(file)
    with writer.every_type(file) as whole:
        surplus = _surplus(whole, graph, journal)
    written = Written(entities=len(graph.entities), edges=len(graph.edges))
    names = {
        item.id: f'{item.type if isinstance(item, Entity) else item.edge_id} "{label_of(item, graph.entities, schema)}"'
        for items in (missing, different, surplus)
        for item in items[:MOST_SHOWN]
    }
    return SyncReport(to, written, _ids(missing), _ids(different), _ids(surplus), names)


def _ids(items: Iterable[Entity | Edge]) -> tuple[str, ...]:
    return tuple(item.id for item in items)


def _surplus(adapter: Adapter, graph: Graph, journal: Journal) -> list[Entity | Edge]:
    """What the workspace ever wrote, does not say now, and the store still has."""
    kinds: tuple[Kind, ...] = ("entity", "edge")
    surplus: list[Entity | Edge] = []
    for kind in kinds:
        told = graph.entities if kind == "entity" else graph.edges
        ever = journal.elsewhere(kind) if journal.is_new else journal.ever(kind)
        for ids in _batches(ident for ident in ever if ident not in told):
            held: Mapping[str, Entity | Edge]
            held = adapter.entities(ids) if kind == "entity" else adapter.edges(ids)
            surplus += [held[ident] for ident in sorted(held) if held[ident].id == ident]  # not by an alias
    return surplus


def _same_entity(said: Entity, there: Entity, schema: Schema) -> bool:
    declared = schema.vertices[said.type].properties
    return (said.id, said.type, said.stance) == (there.id, there.type, there.stance) and _same(said, there, declared)


def _same_edge(said: Edge, there: Edge, schema: Schema) -> bool:
    declared = schema.edges[said.edge_id].properties
    return (said.edge_id, said.source, said.target, said.stance) == (
        there.edge_id,
        there.source,
        there.target,
        there.stance,
    ) and _same(said, there, declared)


def _same(said: Entity | Edge, there: Entity | Edge, declared: Mapping[str, Property]) -> bool:
    return dict(as_read_back(said.props, declared)) == dict(there.props)


def _batches(ids: Iterable[str]) -> Iterator[list[str]]:
    remaining = iter(ids)
    while some := list(islice(remaining, BATCH)):
        yield some
