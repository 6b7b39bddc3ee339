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
    Evidence,
    EvidenceAssessment,
    SourceAttribution,
    SourceType,
    ranked,
    strongest,
)
from schemacast.attribution.node import Node
from schemacast.attribution.plain_words import cut_at_sentence, one_line, shown_line
from schemacast.attribution.state import GraphState

__all__ = ["NO_CLAIM", "AttributionAssembler", "summary"]

NO_CLAIM = "No claim was traced"
LONGEST_QUOTE_SHOWN = 160
LONGEST_NAME_SHOWN = 80
_VERBS = {"direct": "Stated directly", "paraphrase": "Stated in other words", "contradiction": "Contradicted"}
_MORE = (
    ("direct", "states", "state"),
    ("paraphrase", "paraphrases", "paraphrase"),
    ("contradiction", "contradicts", "contradict"),
)
_ENDS = tuple(".!?…。！？")
_KINDS = {
    SourceType.PRIMARY: "a primary source",
    SourceType.ORIGINAL_REPORTING: "original reporting",
    SourceType.SECONDARY: "a secondary source",
    SourceType.UNKNOWN: "a source of unknown kind",
}


class AttributionAssembler(Node):
    """`assessments` and `extracted_claim` to `result`. A failed extraction, and no evidence, are `not_found`."""

    async def acall(self, state: GraphState) -> GraphState:
        claim = None if state.get("extraction_failed") else state.get("extracted_claim")
        text = claim.claim if claim is not None else one_line(state.get("input_text"), at_most=LONGEST_INPUT)
        evidence = ranked(state.get("assessments") or [])[:MOST_EVIDENCE] if claim is not None else []
        return {
            "result": SourceAttribution(
                claim=text,
                attribution=strongest(evidence),
                summary=cut_at_sentence(shown_line(summary(state, evidence)), LONGEST_SUMMARY),
                evidence_list=evidence,
            )
        }


def summary(state: GraphState, evidence: Sequence[EvidenceAssessment]) -> str:
    """What was found, or why nothing was; may be longer than a summary is."""
    if state.get("extraction_failed") or state.get("extracted_claim") is None:
        why = state.get("extraction_error") or "the text was not looked at"
        return f"{NO_CLAIM}: {why}."
    errors = state.get("errors") or []
    closed = f" Not everything could be looked at: {errors[0]}{_more(len(errors) - 1)}." if errors else ""
    if evidence:
        return f"{_found(evidence)}{closed}"
    count = len(state.get("search_results") or [])
    if not count:
        return f"No source was found for it.{closed}"
    sources = "the one source" if count == 1 else f"any of the {count} sources"
    return f"Nothing was found in {sources} that states it or conflicts with it.{closed}"


def _found(evidence: Sequence[EvidenceAssessment]) -> str:
    best = evidence[0]
    said = f"{_VERBS[best.attribution]} by {_KINDS[best.evidence.source_type]}, {_name(best.evidence)}"
    quote = " ".join(best.evidence.verbatim_quote.split())
    if len(quote) <= LONGEST_QUOTE_SHOWN and quote.isprintable():
        said += f": “{quote}”"
    parts = [said if said[-2:-1] in _ENDS else f"{said}."]
    more: Counter[str] = Counter(each.attribution for each in evidence[1:])
    for attribution, verb, plural in _MORE:
        count = more[attribution]
        if count:
            but = "But " if attribution == "contradiction" != best.attribution else ""
            parts.append(f"{but}{count} more {f'source {verb}' if count == 1 else f'sources {plural}'} it.")
    carrying = [each for each in evidence if each.attribution != "contradiction"] or evidence
    if all(each.evidence.source_type is SourceType.SECONDARY for each in carrying):
        parts.append("It rests on secondary sources only.")
    return " ".join(parts)


def _name(one: Evidence) -> str:
    """A source's title and address, or one of them where that is enough."""
    title = one_line(one.source_title, at_most=LONGEST_NAME_SHOWN)
    address = shown_source(one.source_url, one.source_id)
    if not title:
        return one_line(address, at_most=LONGEST_NAME_SHOWN) or "without a name"
    if title == address or len(address) > LONGEST_NAME_SHOWN:
        return title
    return f"{title} ({one_line(address, at_most=LONGEST_NAME_SHOWN)})"


def _more(count: int) -> str:
    return f" (and {count} more)" if count > 0 else ""
