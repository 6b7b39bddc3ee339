"""Bringing a store in line with the workspace, whatever has happened to it: `sync`.

After a restore, for a second store, from one kind of store to another: everything that the workspace says is
written again, and everything that it ever removed is removed again. A check reads the same ids back instead and
says what differs; it writes nothing to the store.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path

from schemacast.adapters import Adapter
from schemacast.graph import Edge, Entity, Graph
from schemacast.jobs.report import SyncReport
from schemacast.jobs.writing import StoreWriter, Written
from schemacast.refusals import MOST_SHOWN, label_of
from schemacast.schema.model import Property, Schema
from schemacast.schema.stored import as_read_back
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
                report = SyncReport(to, writer.write(everything=True))
                run.end(None)
                return report
        finally:
            writer.close()


def _compare(file: WorkspaceFile, schema: Schema, writer: StoreWriter, to: str) -> SyncReport:
    graph = writer.graph(file)
    adapter = writer.open()
    missing: list[Entity | Edge] = []
    different: list[Entity | Edge] = []
    for ids in _batches(sorted(graph.entities)):
        at_hand = adapter.entities(ids)
        for ident in ids:
            said, there = graph.entities[ident], at_hand.get(ident)
            if there is None:
                missing.append(said)
            elif not _same_entity(said, there, schema):
                different.append(said)
    for ids in _batches(sorted(graph.edges)):
        found = adapter.edges(ids)
        for ident in ids:
            edge, held_edge = graph.edges[ident], found.get(ident)
            if held_edge is None:
                missing.append(edge)
            elif not _same_edge(edge, held_edge, schema):
                different.append(edge)
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
