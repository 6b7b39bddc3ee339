"""Attributions kept in a workspace of the schema `claims`, and so in whatever store it is synced to.

An attribution is an episode there as any other: it replaces what the same claim said before, its groundings can be
asked for, it is written to a store with the rest, and retracting it takes out what only it supported. No model is
asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from schemacast.attribution.claim_records import claim_episode, claim_graph, claims_schema
from schemacast.attribution.models import SourceAttribution
from schemacast.cast.outcome import Kept, Outcome, Status
from schemacast.ground import grounding_rows
from schemacast.jobs.keys import content_key, schema_sha
from schemacast.jobs.syncing import sync
from schemacast.version import __version__
from schemacast.workspace.episodes import Ended, Episodes
from schemacast.workspace.file import WorkspaceFile
from schemacast.workspace.lock import JobLock
from schemacast.workspace.schemas import take_schema

__all__ = ["keep_attributions"]

EXTRACTOR = f"schemacast/{__version__}"
MADE_BY = "attribution"


def keep_attributions(
    attributions: Iterable[tuple[SourceAttribution, Mapping[str, str]]],
    *,
    workspace: str | Path,
    to: str | None = None,
    model: str | None = None,
) -> list[str]:
    """Keep each attribution, given with its sources' texts by source id; the source ids they are kept under.

    `workspace` is made when missing and is for the schema `claims` alone; with `to` the store there is brought in
    line. `model` names the model that classified. Raises UsageError for evidence that does not stand in its text or a
    workspace of another schema, WorkspaceLocked, OutputError, and what the store raises.
    """
    schema = claims_schema()
    sha = schema_sha(schema)
    kept: list[str] = []
    with WorkspaceFile(workspace, create=True) as file, JobLock(file.path):
        take_schema(file, schema, sha)
        episodes = Episodes(file)
        with file.transaction():
            for attribution, texts in attributions:
                episode = claim_episode(attribution, texts)
                graph = claim_graph(attribution)
                rows = grounding_rows(graph, episode, extractor=EXTRACTOR, model=model)
                counts = Kept(
                    len(graph.records), len(graph.relations), sum(row["property"] is not None for row in rows)
                )
                status: Status = "ok" if graph.records else "empty"
                outcome = Outcome(episode.source_id, status, graph=graph, groundings=tuple(rows), kept=counts)
                content = content_key(episode)
                ident = episodes.register(episode, content)
                episodes.commit(ident, outcome, Ended(content, None, 0, True, sha, model or MADE_BY))
                kept.append(episode.source_id)
    if to is not None:
        sync(workspace, to=to)
    return kept
