"""An attribution as a record graph of the ready-made schema `claims`, grounded like any other.

The episode is the claim itself, and the sources are its context: so the claim is grounded in the episode's text, and
each edge in the source that states, paraphrases or contradicts it, at the characters of the quote. What is
known of a source besides its text (its address, title and kind) the searcher stated in structured form; a Source is
therefore a known entity, and says so. `claim_episode` is that episode, for whoever wants the groundings.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import datetime
from functools import cache

from schemacast.attribution.addresses import is_episode_url
from schemacast.attribution.assemble import NO_CLAIM
from schemacast.attribution.claim import LONGEST_CLAIM
from schemacast.attribution.models import Evidence, EvidenceAssessment, SourceAttribution
from schemacast.episode import ContextItem, Episode
from schemacast.errors import UsageError
from schemacast.ground import TextSpan, evidence
from schemacast.records import KNOWN, EvidenceDict, Props, Record, RecordGraph, Relation, Stated
from schemacast.schema.load import load_schema
from schemacast.schema.model import EdgeId, Schema

__all__ = ["claim_episode", "claim_graph", "claims_schema"]

RELATIONS = {"direct": "STATES", "paraphrase": "PARAPHRASES", "contradiction": "CONTRADICTS"}
CLAIM = "claim"


@cache
def claims_schema() -> Schema:
    """The ready-made schema that attributions are written with."""
    return load_schema("lib:claims")


def claim_graph(
    attribution: SourceAttribution, *, source_id: str | None = None, reference_time: datetime | None = None
) -> RecordGraph:
    """The claim, its sources, and an edge from each source to the claim.

    `source_id` names the episode (by default after the claim). A text in which no claim was found gives an empty graph:
    what then stands in the attribution's `claim` is the text itself, and its summary says so.
    Raises UsageError for evidence without a span: it was not located, and nothing of that kind is written.
    """
    records: list[Record] = []
    relations: list[Relation] = []
    no_claim = not attribution.evidence_list and attribution.summary.startswith(NO_CLAIM)
    if not no_claim and 0 < len(attribution.claim) <= LONGEST_CLAIM:
        whole = evidence(attribution.claim, TextSpan(start=0, end=len(attribution.claim)))
        records.append(Record(CLAIM, "Claim", whole, {"text": Stated(attribution.claim, whole)}))
        for number, assessment in enumerate(attribution.evidence_list, 1):
            ref = f"source{number}"
            records.append(Record(ref, "Source", KNOWN, _known(assessment.evidence)))
            relations.append(_relation(ref, assessment))
    return RecordGraph(
        source_id=source_id or _own_id(attribution),
        schema_ref=claims_schema().ref,
        reference_time=reference_time,
        records=tuple(records),
        relations=tuple(relations),
    )


def claim_episode(
    attribution: SourceAttribution,
    texts: Mapping[str, str],
    *,
    source_id: str | None = None,
    reference_time: datetime | None = None,
) -> Episode:
    """The episode that `claim_graph` is grounded in: the claim, with the texts of its sources as context.

    `texts` are the sources' texts by source id. Raises UsageError when one is missing, or does not have the quote
    where the evidence says.
    """
    context: dict[str, ContextItem] = {}
    for assessment in attribution.evidence_list:
        one = assessment.evidence
        name, span = _place(one)
        text = texts.get(name)
        if text is None:
            raise UsageError(f"the text of the source {name!r} is missing; its evidence cannot be shown")
        if text[span.start : span.end] != one.verbatim_quote:
            raise UsageError(f"the source {name!r} does not have the quote at {span.start} to {span.end}")
        context[name] = ContextItem(source_id=name, text=text)
    return Episode(
        source_id=source_id or _own_id(attribution),
        text=attribution.claim,
        context=tuple(context.values()),
        reference_time=reference_time,
    )


def _own_id(attribution: SourceAttribution) -> str:
    digest = hashlib.sha256(attribution.claim.encode()).hexdigest()
    return f"claim-{digest[:16]}"


def _place(one: Evidence) -> tuple[str, TextSpan]:
    if one.span is None or not one.source_id:
        raise UsageError(f"the evidence of {one.source_url} has no span; only what was located can be written")
    return one.source_id, one.span


def _known(one: Evidence) -> Props:
    """What the searcher stated about a source."""
    said = {
        "name": one.source_id,
        "title": one.source_title,
        "url": None if is_episode_url(one.source_url) else str(one.source_url),
        "kind": one.source_type.value,
    }
    return {name: Stated(value, KNOWN) for name, value in said.items() if value}


def _relation(ref: str, assessment: EvidenceAssessment) -> Relation:
    one = assessment.evidence
    name, span = _place(one)
    where: EvidenceDict = evidence(
        one.verbatim_quote, TextSpan(start=span.start, end=span.end, context=span.context or name)
    )
    props: dict[str, Stated] = {"quote": Stated(one.verbatim_quote, where)}
    if assessment.reasoning:
        props["reasoning"] = Stated(assessment.reasoning, where, "judged")
    return Relation(EdgeId("Source", "Claim", RELATIONS[assessment.attribution]), ref, CLAIM, where, props)
