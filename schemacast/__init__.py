"""Cast text into a knowledge graph that points, for each of its parts, at the characters it was read from.

The public names are loaded on first use, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from schemacast.version import __version__

if TYPE_CHECKING:
    from schemacast.adapters import Adapter, open_adapter
    from schemacast.cast.caster import Caster, CastResult
    from schemacast.cast.outcome import Finding, Fix, Outcome
    from schemacast.episode import ContextItem, Episode, Known, KnownEntity, KnownRelation
    from schemacast.episode_reader import episodes_from, read_episodes
    from schemacast.errors import SchemaCastError
    from schemacast.graph import Candidate, Decision, Edge, Entity, Graph, Revision, Staged, Verdict
    from schemacast.ground import Grounding, TextSpan, locate
    from schemacast.jobs.entry import aingest, ingest
    from schemacast.jobs.report import JobReport, RetractReport, SyncReport
    from schemacast.jobs.retraction import reinstate, retract
    from schemacast.jobs.syncing import sync
    from schemacast.qa.entry import Answer, ask
    from schemacast.qa.query import query
    from schemacast.records import Record, RecordGraph, Relation
    from schemacast.resolution.resolve import Resolver, resolve
    from schemacast.resolution.tables import ResolvedTable, resolve_table
    from schemacast.schema.load import load_schema
    from schemacast.schema.model import EdgeId, Schema
    from schemacast.workspace.reader import Workspace

__all__ = [
    "Adapter",
    "Answer",
    "Candidate",
    "CastResult",
    "Caster",
    "ContextItem",
    "Decision",
    "Edge",
    "EdgeId",
    "Entity",
    "Episode",
    "Finding",
    "Fix",
    "Graph",
    "Grounding",
    "JobReport",
    "Known",
    "KnownEntity",
    "KnownRelation",
    "Outcome",
    "Record",
    "RecordGraph",
    "Relation",
    "ResolvedTable",
    "Resolver",
    "RetractReport",
    "Revision",
    "Schema",
    "SchemaCastError",
    "Staged",
    "SyncReport",
    "TextSpan",
    "Verdict",
    "Workspace",
    "__version__",
    "aingest",
    "ask",
    "episodes_from",
    "ingest",
    "load_schema",
    "locate",
    "open_adapter",
    "query",
    "read_episodes",
    "reinstate",
    "resolve",
    "resolve_table",
    "retract",
    "sync",
]

_HOME = {
    "Adapter": "adapters",
    "Answer": "qa.entry",
    "Candidate": "graph",
    "CastResult": "cast.caster",
    "Caster": "cast.caster",
    "ContextItem": "episode",
    "Decision": "graph",
    "Edge": "graph",
    "EdgeId": "schema.model",
    "Entity": "graph",
    "Episode": "episode",
    "Finding": "cast.outcome",
    "Fix": "cast.outcome",
    "Graph": "graph",
    "Grounding": "ground",
    "JobReport": "jobs.report",
    "Known": "episode",
    "KnownEntity": "episode",
    "KnownRelation": "episode",
    "Outcome": "cast.outcome",
    "Record": "records",
    "RecordGraph": "records",
    "Relation": "records",
    "ResolvedTable": "resolution.tables",
    "Resolver": "resolution.resolve",
    "RetractReport": "jobs.report",
    "Revision": "graph",
    "Schema": "schema.model",
    "SchemaCastError": "errors",
    "Staged": "graph",
    "SyncReport": "jobs.report",
    "TextSpan": "ground",
    "Verdict": "graph",
    "Workspace": "workspace.reader",
    "aingest": "jobs.entry",
    "ask": "qa.entry",
    "episodes_from": "episode_reader",
    "ingest": "jobs.entry",
    "load_schema": "schema.load",
    "locate": "ground",
    "open_adapter": "adapters",
    "query": "qa.query",
    "read_episodes": "episode_reader",
    "reinstate": "jobs.retraction",
    "resolve": "resolution.resolve",
    "resolve_table": "resolution.tables",
    "retract": "jobs.retraction",
    "sync": "jobs.syncing",
}


def __getattr__(name: str) -> object:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'schemacast' has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(f"schemacast.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
