"""The fourth node: whether each piece of evidence states the claim, says the same in other words, or conflicts with it.

The model is asked about one quote at a time, with the text around it, all at once. It may say that a quote does none
of the three; then the evidence is no assessment. What it says is corrected where a rule decides (`corrections`), and
the correction is part of the reasoning. A quote about which no usable answer comes is left out with an error, unless
it is the claim itself.
"""

from __future__ import annotations

from typing import cast, get_args

from schemacast.attribution.addresses import page_of
from schemacast.attribution.asking import Answer, Asker, BadAnswer, Question, reply_object
from schemacast.attribution.corrections import Said, corrected
from schemacast.attribution.evidence import date_of, error_of
from schemacast.attribution.models import Evidence, EvidenceAssessment, ExtractedClaim, SearchResult
from schemacast.attribution.node import Node, together
from schemacast.attribution.pages import around
from schemacast.attribution.plain_words import one_line
from schemacast.attribution.state import GraphState, item_of, with_errors
from schemacast.errors import RequestFailed
from schemacast.llm.protocol import Model, Tag

__all__ = ["SourceComparer", "question"]

LONGEST_REASONING = 1_000
REPLY = reply_object(
    "comparison",
    {
        "attribution": {"type": "string", "enum": list(get_args(Said))},
        "reasoning": {"type": "string"},
    },
)


class SourceComparer(Node):
    """`evidence` and `extracted_claim` to `assessments`.

    `failed` counts the evidence of the last call about which nothing could be learned. Raises ModelUnavailable and
    ModelAccessError.
    """

    def __init__(self, model: str | Model | Asker) -> None:
        self._asker = Asker.of(model)
        self.failed = 0

    async def acall(self, state: GraphState) -> GraphState:
        self.failed = 0
        claim = state.get("extracted_claim")
        if claim is None:
            return {"assessments": []}
        errors: list[str] = []
        item = item_of(state, claim)
        sources = {page_of(result.url): result for result in state.get("search_results") or []}
        async with self._asker.used():
            found = await together(
                self._assessed(one, claim, sources.get(page_of(one.source_url)), item, errors)
                for one in state.get("evidence") or []
            )
        return with_errors(state, {"assessments": [one for one in found if one is not None]}, sorted(errors))

    async def _assessed(
        self, one: Evidence, claim: ExtractedClaim, source: SearchResult | None, item: str, errors: list[str]
    ) -> EvidenceAssessment | None:
        said: Said = "none"
        reasoning = ""
        try:
            said, reasoning = await self._asker.ask(question(one, claim, source, item=item), _read)
        except (BadAnswer, RequestFailed) as error:
            self.failed += 1
            errors.append(error_of(one.source_url, one.source_id, error))
        reference = source.published_date if source is not None else None
        stands = corrected(claim.claim, one.verbatim_quote, said, reference=reference)
        if stands.attribution is None:
            return None
        told = " ".join(part for part in (_ended(reasoning), stands.correction) if part)
        return EvidenceAssessment(evidence=one, attribution=stands.attribution, reasoning=told)


def _ended(said: str) -> str:
    """A remark that another sentence may follow."""
    return said if not said or said[-1] in ".!?…。" else f"{said}."


def question(one: Evidence, claim: ExtractedClaim, source: SearchResult | None, *, item: str) -> Question:
    """What is asked about a quote; `item` is the input text, which replay files are addressed by."""
    text = around(source.text, one.span) if source is not None and one.span is not None else one.verbatim_quote
    blocks = {"claim": claim.claim, "quote": one.verbatim_quote, "text": text}
    return Question("compare", REPLY, blocks, {"date": date_of(source)}, Tag(one.source_id, item=item))


def _read(answer: Answer) -> tuple[Said, str]:
    said = answer.get("attribution")
    name = said.strip().casefold() if isinstance(said, str) else said
    if name not in get_args(Said):
        listed = ", ".join(get_args(Said))
        raise BadAnswer(f"its attribution is none of {listed}", f"`attribution` has to be one of {listed}.")
    return cast(Said, name), one_line(answer.get("reasoning"), at_most=LONGEST_REASONING)
