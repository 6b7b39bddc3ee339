"""What the nodes read and write.

A node takes the whole state and gives the keys it writes. `errors` is always given whole, what stood in it
before included, so that `state.update(node(state))` and a LangGraph state without reducers both keep all of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypedDict

from schemacast.attribution.models import Evidence, EvidenceAssessment, ExtractedClaim, SearchResult, SourceAttribution


class GraphState(TypedDict, total=False):
    """Only `input_text` has to be there at the beginning."""

    input_text: str
    extracted_claim: ExtractedClaim | None
    extraction_failed: bool
    extraction_error: str | None
    search_results: list[SearchResult]
    search_query: str | None
    evidence: list[Evidence]
    assessments: list[EvidenceAssessment]
    result: SourceAttribution | None
    errors: list[str]


def item_of(state: GraphState, claim: ExtractedClaim) -> str:
    """What replies are addressed by: the text that the claim was taken from, or the claim where nobody gives a text."""
    return state.get("input_text") or claim.claim


def with_errors(state: GraphState, written: GraphState, new: Iterable[str]) -> GraphState:
    """What a node writes, with its new errors behind those that the state has; nothing about errors without new
    ones."""
    found = list(new)
    if found:
        written["errors"] = [*(state.get("errors") or []), *found]
    return written
