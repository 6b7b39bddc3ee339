"""From what a workspace keeps to what a store holds: resolve, compare, journal, write, journal.

The whole graph is resolved each time, and only its difference from what was last written leaves for the
store: removals first, so that a key is free before it is used again. What the store refuses stays in doubt, is
tried again by the next run, and is named in the report. Ids given to entities without a key are kept as
decisions in the same commit that announces the write, so that a killed run gives them again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from schemacast.adapters import Adapter, Counts, Existing, WriteReport, open_adapter
from schemacast.episode import without_surrogates
from schemacast.graph import Graph, Revision
from schemacast.jobs.difference import Changes, edge_changes, entity_changes
from schemacast.jobs.known import Foreign
from schemacast.jobs.stored_resolution import StoredResolution, resolve_stored
from schemacast.refusals import Refused, refused_items
from schemacast.schema.model import Schema
from schemacast.schema.stored import is_utf8
from schemacast.workspace.file import WorkspaceFile
from schemacast.workspace.journal import Journal
from schemacast.workspace.places import StatedPlaces
from schemacast.workspace.schemas import with_every_type

SAMPLE = 10
"""How many, twice over, of the ids that a store should hold are looked for before a run."""


@dataclass(frozen=True, slots=True)
class Written:
    """What a write did, and what the graph then has.

    `revisions` are the merges and splits found since the writer was made; `loops` counts by relation the edges that
    are left out because a merge would have made them loops; `outgrown` has the `match` types that should be learned
    anew, with how many rows they have now.
    """

    report: WriteReport = field(default_factory=WriteReport)
    entities: int = 0
    edges: int = 0
    staged: Mapping[str, int] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)
    revisions: tuple[Revision, ...] = ()
    loops: Mapping[str, int] = field(default_factory=dict)
    outgrown: Mapping[str, int] = field(default_factory=dict)
    refusals: tuple[Refused, ...] = ()
    """The first of what the store did not take, each with where it is stated and why."""

    @property
    def refused(self) -> int:
        """How many entities and edges the store did not take."""
        return len(self.report.refused) + self.report.missing_ends

    @property
    def changed(self) -> bool:
        """Whether anything in the store is other than before."""
        counts = (self.report.vertices, self.report.edges)
        return any(each.created or each.changed or each.removed for each in counts)


class StoreWriter:
    """Writes the graph of a workspace to one store. Used by one thread at a time."""

    def __init__(
        self,
        workspace: Path,
        schema: Schema,
        sha: str,
        address: str,
        *,
        existing: Existing = "adopt",
        prepare: bool = True,
    ) -> None:
        self._workspace = workspace
        self._schema = schema
        self._sha = sha
        self._address = address
        self._existing = existing
        self._prepare = prepare
        self._adapter: Adapter | None = None
        self._revisions: list[Revision] = []
        self.last: StoredResolution | None = None
        """What was written last; held only when `hold` says so, since it is large."""
        self.hold = False
        self.rewritten = False

    def open(self) -> Adapter:
        """Open and prepare the store. Raises StoreUnavailable, StoreConflict and what else the adapter raises."""
        if self._adapter is None:
            adapter = open_adapter(self._address, self._schema)
            try:
                if self._prepare:
                    adapter.prepare(existing=self._existing)
            except BaseException:
                adapter.close()
                raise
            self._adapter = adapter
        return self._adapter

    def close(self) -> None:
        """Let go of the store."""
        adapter, self._adapter = self._adapter, None
        if adapter is not None:
            adapter.close()

    def is_current(self) -> bool:
        """Whether the store has all that the workspace says, as far as the workspace knows. Asks the store little."""
        adapter = self.open()
        with WorkspaceFile(self._workspace) as file:
            journal = self.journal(file)
            self._look_for_a_sample(adapter, journal)
            waits = json.loads(file.meta("staged") or "{}")
            retried = {"unmatched", "ambiguous"} & set(waits)
            return journal.version == file.version and not journal.has_doubts and not retried

    def write(self, *, everything: bool = False, place: bool = True, relearn: bool = False) -> Written:
        """Write the difference; with `everything`, as if nothing were known about the store.

        `place`: also note which episodes speak of which entity. `relearn`: learn the weights of `match` types anew.
        """
        adapter = self.open()
        with WorkspaceFile(self._workspace) as file:
            journal = self.journal(file)
            self._look_for_a_sample(adapter, journal)
            if everything:
                journal.doubt_all()
            version = file.version
            known = Foreign(adapter, journal, self._schema, file.id)
            resolved = resolve_stored(file, self._schema, self._sha, known, place=place, relearn=relearn)
            graph = resolved.graph
            self.last = resolved if self.hold else None
            if place:
                resolved.place()
            changes = entity_changes(graph, journal, self._schema), edge_changes(graph, journal, self._schema)
            if journal.is_new:
                # It may be a store that was moved or copied, with what the workspace has taken back since.
                changes[0].remove += [ident for ident in journal.elsewhere("entity") if ident not in graph.entities]
                changes[1].remove += [ident for ident in journal.elsewhere("edge") if ident not in graph.edges]
            self._announce(file, journal, changes, resolved, known)
            again = (list(journal.removed("entity")), list(journal.removed("edge"))) if everything else ([], [])
            report = self._send(file, adapter, graph, changes, again)
            lost = self._mark(file, journal, changes, graph, report, version)
            refusals: tuple[Refused, ...] = ()
            if report.refused or lost:
                places = StatedPlaces(file, self._schema, self._sha)
                refusals = refused_items(report, graph, self._schema, places, without_end=lost)
            return Written(
                report,
                len(graph.entities),
                len(graph.edges),
                staged_counts(graph),
                resolved.left_out,
                tuple(self._revisions),
                graph.loops,
                resolved.resolver.outgrown,
                refusals,
            )

    def graph(self, file: WorkspaceFile) -> Graph:
        """The graph that the workspace says, as it would be written to this store."""
        adapter = self.open()
        known = Foreign(adapter, self.journal(file), self._schema, file.id)
        return resolve_stored(file, self._schema, self._sha, known).graph

    def journal(self, file: WorkspaceFile) -> Journal:
        """The journal of this store."""
        # A path may hold bytes that are no text; what it is known by here is.
        place = ascii(self.place) if not is_utf8(self.place) else self.place
        return Journal(file, place, without_surrogates(self._address) if self._prepare else None)

    @property
    def place(self) -> str:
        """What tells the store from any other."""
        return getattr(self.open(), "place", None) or self._address

    @contextmanager
    def every_type(self, file: WorkspaceFile) -> Iterator[Adapter]:
        """The store as one that also knows the types that the schema no longer has."""
        whole = with_every_type(file, self._schema)
        if whole is self._schema:
            yield self.open()
            return
        with open_adapter(self._address, whole) as adapter:
            yield adapter

    def _look_for_a_sample(self, adapter: Adapter, journal: Journal) -> None:
        """A store that lacks what was written to it was emptied or restored: it is written anew."""
        ids = journal.sample("entity", SAMPLE)
        if ids and len(adapter.entities(ids)) < len(ids):
            journal.doubt_all()
            self.rewritten = True

    def _announce(
        self,
        file: WorkspaceFile,
        journal: Journal,
        changes: tuple[Changes, Changes],
        resolved: StoredResolution,
        known: Foreign,
    ) -> None:
        """Commit what is about to leave for the store."""
        entities, edges = changes
        graph = resolved.graph
        with file.transaction(durable=True):
            self._revisions += resolved.keep()
            journal.keep_found("entity", known.joined(graph))
            journal.doubt("entity", [*entities.write, *entities.remove])
            journal.doubt("edge", [*edges.write, *edges.remove])
            note_counts(file, graph)

    def _send(
        self,
        file: WorkspaceFile,
        adapter: Adapter,
        graph: Graph,
        changes: tuple[Changes, Changes],
        again: tuple[list[str], list[str]],
    ) -> WriteReport:
        """Remove, then write."""
        workspace = file.id
        entities, edges = changes
        gone = WriteReport()
        no_entities, no_edges = [*entities.remove, *again[0]], [*edges.remove, *again[1]]
        if no_entities or no_edges:
            with self.every_type(file) as remover:
                gone = remover.remove(no_entities, no_edges, workspace=workspace)
        written = WriteReport()
        if entities.write or edges.write:
            part = Graph(
                graph.schema_ref,
                {ident: entity for ident, entity in graph.entities.items() if ident in entities.write},
                {ident: edge for ident, edge in graph.edges.items() if ident in edges.write},
                schema=self._schema,
            )
            written = adapter.write(part, workspace=workspace)
        return WriteReport(
            _sum(written.vertices, gone.vertices, entities.unchanged),
            _sum(written.edges, gone.edges, edges.unchanged),
            written.refused,
            written.missing_ends,
        )

    def _mark(
        self,
        file: WorkspaceFile,
        journal: Journal,
        changes: tuple[Changes, Changes],
        graph: Graph,
        report: WriteReport,
        version: int,
    ) -> list[str]:
        """Commit what the store has taken. Gives the ids of the edges that it has no end for."""
        entities, edges = changes
        refused = {refusal.id for refusal in report.refused}
        endless = self._without_end(edges, graph, refused) - refused if report.missing_ends else set()
        lost = refused | endless
        with file.transaction(durable=True):
            journal.arrived(
                "entity", ((ident, digest) for ident, digest in entities.write.items() if ident not in refused)
            )
            journal.arrived("edge", ((ident, digest) for ident, digest in edges.write.items() if ident not in lost))
            journal.gone("entity", entities.remove)
            journal.gone("edge", edges.remove)
            if not lost:
                journal.complete(version)
        return sorted(endless)

    def _without_end(self, edges: Changes, graph: Graph, refused: set[str]) -> set[str]:
        """The edges that the store cannot have taken, because an end of theirs is not there."""
        ends = {end for ident in edges.write for end in (graph.edges[ident].source, graph.edges[ident].target)}
        there = set(self.open().entities(sorted(ends - refused)))
        return {ident for ident in edges.write if not {graph.edges[ident].source, graph.edges[ident].target} <= there}


def staged_counts(graph: Graph) -> dict[str, int]:
    """How many records are staged, by reason."""
    return dict(sorted(Counter(str(item.reason) for item in graph.staged).items()))


def note_counts(file: WorkspaceFile, graph: Graph) -> None:
    """Note what the graph has, for whoever asks how a workspace stands; part of a transaction of the caller's."""
    file.set_meta("staged", json.dumps(staged_counts(graph)))
    file.set_meta("graph", json.dumps({"entities": len(graph.entities), "edges": len(graph.edges)}))


def _sum(written: Counts, gone: Counts, unchanged: int) -> Counts:
    return Counts(
        written.created,
        written.changed + gone.changed,
        written.unchanged + unchanged,
        gone.removed,
        written.adopted,
        gone.kept,
    )
