"""Trace a claim to the sources that state it, say it in other words, or contradict it.

The names are loaded on first use, since models, templates and searchers cost time to import.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from schemacast.attribution.addresses import validate_source_url
    from schemacast.attribution.asking import Asker
    from schemacast.attribution.assemble import AttributionAssembler
    from schemacast.attribution.checkable import is_verifiable_claim
    from schemacast.attribution.claim import ClaimExtractor
    from schemacast.attribution.claim_records import claim_episode, claim_graph
    from schemacast.attribution.claim_workspace import keep_attributions
    from schemacast.attribution.compare import SourceComparer
    from schemacast.attribution.evidence import EvidenceFilter
    from schemacast.attribution.flow import Trace, arun, atrace, build_graph, run
    from schemacast.attribution.models import (
        AttributionType,
        Evidence,
        EvidenceAssessment,
        ExtractedClaim,
        InputText,
        SearchResult,
        SourceAttribution,
        SourceType,
    )
    from schemacast.attribution.retrieve import SourceRetriever
    from schemacast.attribution.searching import Searcher, open_searcher
    from schemacast.attribution.state import GraphState

__all__ = [
    "Asker",
    "AttributionAssembler",
    "AttributionType",
    "ClaimExtractor",
    "Evidence",
    "EvidenceAssessment",
    "EvidenceFilter",
    "ExtractedClaim",
    "GraphState",
    "InputText",
    "SearchResult",
    "Searcher",
    "SourceAttribution",
    "SourceComparer",
    "SourceRetriever",
    "SourceType",
    "Trace",
    "arun",
    "atrace",
    "build_graph",
    "claim_episode",
    "claim_graph",
    "is_verifiable_claim",
    "keep_attributions",
    "open_searcher",
    "run",
    "validate_source_url",
]

_MODELS = (
    "AttributionType",
    "Evidence",
    "EvidenceAssessment",
    "ExtractedClaim",
    "InputText",
    "SearchResult",
    "SourceAttribution",
    "SourceType",
)
_HOME = {
    "Asker": "asking",
    "AttributionAssembler": "assemble",
    "ClaimExtractor": "claim",
    "EvidenceFilter": "evidence",
    "GraphState": "state",
    "Searcher": "searching",
    "SourceComparer": "compare",
    "SourceRetriever": "retrieve",
    "Trace": "flow",
    "arun": "flow",
    "atrace": "flow",
    "build_graph": "flow",
    "claim_episode": "claim_records",
    "claim_graph": "claim_records",
    "is_verifiable_claim": "checkable",
    "keep_attributions": "claim_workspace",
    "open_searcher": "searching",
    "run": "flow",
    "validate_source_url": "addresses",
    **dict.fromkeys(_MODELS, "models"),
}


def __getattr__(name: str) -> object:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'schemacast.attribution' has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(f"schemacast.attribution.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
