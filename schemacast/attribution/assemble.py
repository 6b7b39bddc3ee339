"""The last node: one result of all that was found, with a summary made of it by rule.

Nothing is asked here. The summary names what the evidence says and where the best of it stands, or why there is none:
that no claim was there, that the search failed, or that nothing found says it. What could not be looked at is said
too, since "not found" means something else when a source stayed closed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from schemacast.attribution.addresses import shown_source
from schemacast.attribution.models import (
    LONGEST_INPUT,
    LONGEST_SUMMARY,
    MOST_EVIDENCE,
    EvidenceAssessment,
    SourceAttribution,
    SourceType,
    ranked,
    strongest,
)
from schemacast.attribution.node import Node
from schemacast.attribution.plain_words import cut_at_sentence, one_line
from schemacast.attribution.state import GraphState

__all__ = ["AttributionAssembler", "summary"]

LONGEST_QUOTE_SHOWN = 160
LONGEST_NAME_SHOWN = 80
_VERBS = {"direct": "Stated directly", "paraphrase": "Stated in other words", "contradiction": "Contradicted"}
_KINDS = {
    SourceType.PRIMARY: "a primary source",
    SourceType.ORIGINAL_REPORTING: "original reporting",
    SourceType.SECONDARY: "a secondary source",
    SourceType.UNKNOWN: "a source of unknown kind",
}


class AttributionAssembler(Node):
    """`assessments` and `extracted_claim` to `result`. A failed extraction, and no evidence, are `not_found`."""

    async def acall(self, state: GraphState) -> GraphState:
        claim = state.get("extracted_claim")
        text = claim.claim if claim is not None else one_line(state["input_text"], at_most=LONGEST_INPUT)
        evidence = ranked(state.get("assessments") or [])[:MOST_EVIDENCE] if claim is not None else []
        return {
            "result": SourceAttribution(
                claim=text,
                attribution=strongest(evidence),
                summary=cut_at_sentence(summary(state, evidence), LONGEST_SUMMARY),
                evidence_list=evidence,
            )
        }


def summary(state: GraphState, evidence: Sequence[EvidenceAssessment]) -> str:
    """What was found, or why nothing was; may be longer than a summary is."""
    if state.get("extraction_failed") or state.get("extracted_claim") is None:
        why = state.get("extraction_error") or "the text was not looked at"
        return f"No claim was traced: {why}."
    errors = state.get("errors", [])
    closed = f" Not everything could be looked at: {errors[0]}{_more(len(errors) - 1)}." if errors else ""
    if evidence:
        return f"{_found(evidence)}{closed}"
    count = len(state.get("search_results", []))
    if not count:
        return f"No source was found for it.{closed}"
    sources = "the one source" if count == 1 else f"any of the {count} sources"
    return f"Nothing was found in {sources} that states it or conflicts with it.{closed}"


def _found(evidence: Sequence[EvidenceAssessment]) -> str:
    best = evidence[0]
    one = best.evidence
    name = one_line(one.source_title, at_most=LONGEST_NAME_SHOWN)
    address = shown_source(one.source_url, one.source_id)
    where = (
        name
        if name == address or len(address) > LONGEST_NAME_SHOWN
        else f"{name} ({one_line(address, at_most=LONGEST_NAME_SHOWN)})"
    )
    quote = one_line(one.verbatim_quote, at_most=len(one.verbatim_quote) + 1)
    shown = f": “{quote}”" if len(quote) <= LONGEST_QUOTE_SHOWN else ""
    parts = [
        f"{_VERBS[best.attribution]} by {_KINDS[one.source_type]}, {where}{shown}{'' if shown[-2:-1] in tuple('.!?。！？…') else '.'}"
    ]
    counts: Counter[str] = Counter(each.attribution for each in evidence[1:])
    for kind, verb, plural in (
        ("direct", "states it directly", "state it directly"),
        ("paraphrase", "states it in other words", "state it in other words"),
        ("contradiction", "contradicts it", "contradict it"),
    ):
        if counts[kind]:
            parts.append(f"{counts[kind]} more {_sources(counts[kind])} {verb if counts[kind] == 1 else plural}.")
    supporting = [each for each in evidence if each.attribution != "contradiction"] or list(evidence)
    if all(each.evidence.source_type is SourceType.SECONDARY for each in supporting):
        parts.append("It rests on secondary sources only.")
    return " ".join(parts)


def _sources(count: int) -> str:
    return "source" if count == 1 else "sources"


def _more(count: int) -> str:
    return f" (and {count} more)" if count > 0 else ""
