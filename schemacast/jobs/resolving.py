"""Resolving without casting: what a workspace keeps, record graphs that are added to it, and people's verdicts.

The store is brought up to date when it is named; else what was decided is kept, and the next job of any kind
writes it. Without a store at hand what was found there before, and kept, stands for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from schemacast.errors import InputError
from schemacast.graph import Graph, Revision
from schemacast.jobs.keys import schema_sha
from schemacast.jobs.known import Foreign
from schemacast.jobs.report import revisions_to_json, write_to_json
from schemacast.jobs.stored_resolution import DISTINCT_WITHIN, StoredResolution, resolve_stored
from schemacast.jobs.writing import StoreWriter, Written, note_counts
from schemacast.records import RecordGraph
from schemacast.resolution.matches import Learned
from schemacast.resolution.resolve import Resolver, check_distinct
from schemacast.schema.model import Schema
from schemacast.schema.values import Json
from schemacast.workspace.episodes import Episodes
from schemacast.workspace.file import WorkspaceFile
from schemacast.workspace.journal import Journal
from schemacast.workspace.lock import JobLock
from schemacast.workspace.runs import Run
from schemacast.workspace.schemas import present_schema, take_schema


@dataclass(frozen=True, slots=True)
class ResolveReport:
    """What a resolution gave. `added` of `read` record graphs were new to the workspace."""

    graph: Graph
    learned: Mapping[str, Learned] = field(default_factory=dict)
    read: int = 0
    added: int = 0
    workspace: str | None = None
    store: str | None = None
    written: Written = field(default_factory=Written)

    @property
    def revisions(self) -> tuple[Revision, ...]:
        """The merges and splits that were found."""
        return self.written.revisions

    def to_json(self) -> dict[str, Json]:
        """The object that `--json` prints."""
        graph = self.graph
        return {
            "workspace": self.workspace,
            "store": self.store,
            "read": self.read,
            "added": self.added,
            "graph": {"vertices": len(graph.entities), "edges": len(graph.edges)},
            "decisions": dict(sorted(Counter(str(each.by) for each in graph.decisions).items())),
            "staged": dict(sorted(Counter(str(each.reason) for each in graph.staged).items())),
            "learned": {name: each.rows for name, each in sorted(self.learned.items())},
            **revisions_to_json(self.written),
            "written": None if self.store is None else write_to_json(self.written),
        }


def resolve_records(
    schema: Schema, record_graphs: Iterable[RecordGraph], *, distinct_within: str | None = None
) -> ResolveReport:
    """Resolve record graphs alone, without a workspace. Raises like `resolve`."""
    resolver = Resolver(schema, distinct_within=distinct_within, every_decision=True)
    read = 0
    for graph in record_graphs:
        resolver.add(graph)
        read += 1
    made = resolver.graph()
    return ResolveReport(made, resolver.learned, read, written=Written(loops=made.loops))


def resolve_workspace(
    workspace: str | Path,
    *,
    schema: Schema | None = None,
    record_graphs: Iterable[RecordGraph] = (),
    to: str | None = None,
    relearn: bool = False,
    distinct_within: str | None = None,
) -> ResolveReport:
    """Resolve what a workspace keeps, after adding `record_graphs` to it, and keep what was decided.

    A workspace is made when it is new and a `schema` is given. With `to` the store there is brought up to date.
    `relearn` learns the weights of `match` types anew. `distinct_within` is kept for all later runs.

    Raises InputError, UsageError, UnknownNameError, WorkspaceLocked, OutputError, StoreUnavailable,
    StoreConflict; record graphs before a wrong one are not kept.
    """
    with WorkspaceFile(workspace, create=schema is not None) as file, JobLock(file.path):
        with Run(file, "resolve", model=None, store=to or "") as run:
            with file.transaction():
                read, added = _take(file, schema, record_graphs)
                used, sha = present_schema(file)
                _keep_distinct(file, used, distinct_within)
                if relearn:
                    file.touched()
            report = settle_workspace(file, used, sha, to=to, relearn=relearn, read=read, added=added)
            run.end(None)
        return report


def settle_workspace(
    file: WorkspaceFile,
    schema: Schema,
    sha: str,
    *,
    to: str | None,
    relearn: bool = False,
    read: int = 0,
    added: int = 0,
) -> ResolveReport:
    """Resolve a workspace that the caller holds, keep what was decided, and write it to a store that is named."""
    if to is not None:
        writer = StoreWriter(file.path, schema, sha, to)
        writer.hold = True
        try:
            written = writer.write(relearn=relearn)
            resolved = writer.last
        finally:
            writer.close()
    else:
        resolved = resolve_stored(file, schema, sha, kept_of_store(file, schema), place=True, relearn=relearn)
        resolved.place()
        with file.transaction(durable=True):
            revisions = resolved.keep()
            note_counts(file, resolved.graph)
            if revisions:
                file.touched()
        written = Written(
            left_out=resolved.left_out,
            revisions=revisions,
            loops=resolved.graph.loops,
            outgrown=resolved.resolver.outgrown,
        )
    assert resolved is not None
    return ResolveReport(resolved.graph, resolved.resolver.learned, read, added, str(file.path), to, written)


def explained(file: WorkspaceFile, schema: Schema, sha: str) -> StoredResolution:
    """A workspace, resolved so that it can be explained; nothing is kept of it."""
    return resolve_stored(file, schema, sha, kept_of_store(file, schema), explain=True)


def kept_of_store(file: WorkspaceFile, schema: Schema) -> Foreign | None:
    """What is kept of the store that was written to last, None when there was none."""
    place = file.value("SELECT place FROM stores ORDER BY version DESC, id DESC LIMIT 1")
    if place is None:
        return None
    return Foreign(None, Journal(file, place), schema, file.id)


def _take(file: WorkspaceFile, schema: Schema | None, graphs: Iterable[RecordGraph]) -> tuple[int, int]:
    """Add record graphs; how many there were, and how many were new."""
    read = added = 0
    if schema is None:
        if file.meta("schema_sha") is None:
            raise InputError(f"{file.path}: holds nothing yet; give --schema and --records")
        return read, added
    sha = schema_sha(schema)
    take_schema(file, schema, sha)
    episodes = Episodes(file)
    for graph in graphs:
        added += episodes.put_records(graph, sha)
        read += 1
    return read, added


def _keep_distinct(file: WorkspaceFile, schema: Schema, name: str | None) -> None:
    if name is not None and file.meta(DISTINCT_WITHIN) != name:
        check_distinct(schema, name)
        file.set_meta(DISTINCT_WITHIN, name)
        file.touched()
