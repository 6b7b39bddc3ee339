"""The graph that a workspace says: its record graphs resolved with the decisions and weights that it keeps.

Everything is resolved anew each time, with what was decided before: ids stand, what people said stands, and what
was learned is used until someone asks to learn it anew. What comes out is kept only by the caller's `keep`, in
the transaction that also says what leaves for a store.
"""

from __future__ import annotations

from collections.abc import Mapping

from schemacast.graph import Graph, Revision
from schemacast.resolution.known import Known
from schemacast.resolution.resolve import Resolver
from schemacast.schema.model import Schema
from schemacast.workspace.decisions import Decisions
from schemacast.workspace.episodes import Episodes
from schemacast.workspace.file import WorkspaceFile
from schemacast.workspace.mentions import Mentions
from schemacast.workspace.reread import StoredGraphs

DISTINCT_WITHIN = "distinct_within"
"""The setting of a workspace that says what two records of one thing cannot have in common."""


class StoredResolution:
    """A workspace, resolved. Made by `resolve_stored`."""

    def __init__(self, file: WorkspaceFile, graphs: StoredGraphs, resolver: Resolver) -> None:
        self._file = file
        self.graphs = graphs
        self.resolver = resolver
        self.graph: Graph = resolver.graph()
        self.left_out: Mapping[str, int] = dict(graphs.left_out)

    def place(self) -> None:
        """Note which episodes speak of which entity."""
        mentions = Mentions(self._file)
        for ident, graph in self.graphs.numbered():
            mentions.take(ident, self.resolver.place(graph).entities)
        mentions.finish()

    def keep(self) -> tuple[Revision, ...]:
        """Keep decisions, revisions and weights; part of a transaction of the caller's."""
        decisions = Decisions(self._file)
        decisions.replace(each for each in self.graph.decisions if each.by != "person")
        decisions.keep_weights(self.resolver.learned.items())
        return decisions.add_revisions(self.graph.revisions)


def resolve_stored(
    file: WorkspaceFile,
    schema: Schema,
    sha: str,
    known: Known | None,
    *,
    relearn: bool = False,
    explain: bool = False,
) -> StoredResolution:
    """Resolve what a workspace keeps. `sha` is the hash of `schema`, which is its present one."""
    decisions = Decisions(file)
    graphs = StoredGraphs(Episodes(file), schema, sha)
    resolver = Resolver(
        schema,
        known=known,
        decisions=decisions.all(),
        every_decision=True,
        weights={} if relearn else decisions.weights(),
        distinct_within=file.meta(DISTINCT_WITHIN),
        explain=explain,
    )
    for graph in graphs:
        resolver.add(graph)
    return StoredResolution(file, graphs, resolver)
