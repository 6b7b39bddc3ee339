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
    from schemacast.graph import Edge, Entity, Graph, Staged
    from schemacast.ground import Grounding, TextSpan, locate
    from schemacast.records import Record, RecordGraph, Relation
    from schemacast.resolution.resolve import Resolver, resolve
    from schemacast.schema.load import load_schema
    from schemacast.schema.model import EdgeId, Schema

__all__ = [
    "Adapter",
    "CastResult",
    "Caster",
    "ContextItem",
    "Edge",
    "EdgeId",
    "Entity",
    "Episode",
    "Finding",
    "Fix",
    "Graph",
    "Grounding",
    "Known",
    "KnownEntity",
    "KnownRelation",
    "Outcome",
    "Record",
    "RecordGraph",
    "Relation",
    "Resolver",
    "Schema",
    "SchemaCastError",
    "Staged",
    "TextSpan",
    "__version__",
    "episodes_from",
    "load_schema",
    "locate",
    "open_adapter",
    "read_episodes",
    "resolve",
]

_HOME = {
    "Adapter": "adapters",
    "CastResult": "cast.caster",
    "Caster": "cast.caster",
    "ContextItem": "episode",
    "Edge": "graph",
    "EdgeId": "schema.model",
    "Entity": "graph",
    "Episode": "episode",
    "Finding": "cast.outcome",
    "Fix": "cast.outcome",
    "Graph": "graph",
    "Grounding": "ground",
    "Known": "episode",
    "KnownEntity": "episode",
    "KnownRelation": "episode",
    "Outcome": "cast.outcome",
    "Record": "records",
    "RecordGraph": "records",
    "Relation": "records",
    "Resolver": "resolution.resolve",
    "Schema": "schema.model",
    "SchemaCastError": "errors",
    "Staged": "graph",
    "TextSpan": "ground",
    "episodes_from": "episode_reader",
    "load_schema": "schema.load",
    "locate": "ground",
    "open_adapter": "adapters",
    "read_episodes": "episode_reader",
    "resolve": "resolution.resolve",
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
