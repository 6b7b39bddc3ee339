"""The third node: what each source says about the claim, in its own characters.

Every source is asked about in one request of its own, all at once: how relevant it is, of what kind, and the passage
that bears on the claim. The passage counts only where `locate` finds it in the source's text; one that is not
there is asked for again, and then drops the source with an error. Copies of one story are asked about once; a copy
in which the quote does not stand is a source of its own. What is left is at most five, the most relevant.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from pydantic import HttpUrl

from schemacast.attribution.addresses import page_of, shown_source
from schemacast.attribution.asking import Answer, Asker, BadAnswer, Question, reply_object
from schemacast.attribution.copies import stories
from schemacast.attribution.models import (
    MOST_EVIDENCE,
    SHORTEST_QUOTE,
    Evidence,
    ExtractedClaim,
    SearchResult,
    SourceType,
)
from schemacast.attribution.node import Node, together
from schemacast.attribution.pages import Shown, quoted, shown_parts
from schemacast.attribution.plain_words import one_line
from schemacast.attribution.state import GraphState, item_of, with_errors
from schemacast.claims.contradictions import contradictions
from schemacast.errors import ModelError, RequestFailed
from schemacast.llm.protocol import Model, Tag
from schemacast.schema.values import Json

__all__ = ["EvidenceFilter", "date_of", "error_of", "question"]

LEAST_RELEVANCE = 0.5
LONGEST_QUOTE = 1_000
LONGEST_EXPLANATION = 500
LONGEST_TITLE = 200
REPLY = reply_object(
    "relevance",
    {
        "relevance": {"type": "number"},
        "source_type": {"type": "string", "enum": [kind.value for kind in SourceType]},
        "quote": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "explanation": {"type": "string"},
    },
)


class EvidenceFilter(Node):
    """`search_results` and `extracted_claim` to `evidence`.

    `examined` and `failed` count the sources of the last call, and those about which nothing could be learned.
    Raises ModelUnavailable and ModelAccessError.
    """

    def __init__(self, model: str | Model | Asker) -> None:
        self._asker = Asker.of(model)
        self.examined = self.failed = 0

    async def acall(self, state: GraphState) -> GraphState:
        self.examined = self.failed = 0
        claim = state.get("extracted_claim")
        if claim is None:
            return {"evidence": []}
        errors: list[str] = []
        item = item_of(state, claim)
        pages: dict[str, SearchResult] = {}
        for result in state.get("search_results") or []:
            pages.setdefault(page_of(result.url), result)
        results = list(pages.values())
        async with self._asker.used():
            found = await together(self._of_story(story, claim, item, errors) for story in stories(results))
        order = {result.url: place for place, result in enumerate(results)}
        each = [one for several in found for one in several]
        each.sort(key=lambda one: (-one.relevance_score, order[one.source_url]))
        return with_errors(state, {"evidence": each[:MOST_EVIDENCE]}, sorted(errors))

    async def _of_story(
        self, story: Sequence[SearchResult], claim: ExtractedClaim, item: str, errors: list[str]
    ) -> list[Evidence]:
        """The evidence of one story: of its first source, and of copies that do not hold the same quote."""
        found: list[Evidence] = []
        left = list(story)
        while left:
            source = left.pop(0)
            self.examined += 1
            try:
                one = await self._asker.ask(
                    question(source, claim, item=item), partial(_read, source=source, claim=claim)
                )
            except (BadAnswer, RequestFailed) as error:
                self.failed += 1
                errors.append(error_of(source.url, source.source_id, error))
                continue
            if one is None:  # what it says is not about the claim, and its copies say the same
                break
            copies = [copy for copy in left if _says(copy.text, one.verbatim_quote)]
            left = [copy for copy in left if copy not in copies]
            found.append(_with_copies(one, copies))
        return found


def question(source: SearchResult, claim: ExtractedClaim, *, item: str) -> Question:
    """What is asked about a source; `item` is the input text, which replay files are addressed by.

    A page of the web is shown with its title. An episode is shown by its text alone: its title stands in its metadata,
    which no model is shown.
    """
    is_page = source.source_id in (None, str(source.url))
    blocks = {
        "claim": claim.claim,
        "title": one_line(source.title, at_most=LONGEST_TITLE) if is_page else "",
        "text": shown_parts(source.text, claim.claim).text,
    }
    return Question("relevance", REPLY, blocks, {"date": date_of(source)}, Tag(source.source_id, item=item))


def error_of(url: HttpUrl, source_id: str | None, error: ModelError) -> str:
    """What went wrong with a source, which is named once."""
    name, said = shown_source(url, source_id), str(error)
    return said if said.startswith(name) else f"{name}: {said}"


def date_of(source: SearchResult | None) -> str:
    """The day a source was published, as a model is shown it; empty when nobody knows."""
    moment = source.published_date if source is not None else None
    return moment.date().isoformat() if moment is not None else ""


def _read(answer: Answer, source: SearchResult, claim: ExtractedClaim) -> Evidence | None:
    """The evidence, or None where the source says nothing about the claim. Raises BadAnswer."""
    score = answer.get("relevance")
    if isinstance(score, bool) or not isinstance(score, int | float) or not 0 <= score <= 1:
        raise BadAnswer("its relevance is no number from 0 to 1", "`relevance` has to be a number from 0 to 1.")
    if score < LEAST_RELEVANCE:
        return None
    quote = answer.get("quote")
    if not isinstance(quote, str) or not quote.strip():
        raise BadAnswer(
            "called relevant, but nothing is quoted from it", "A relevant source needs a `quote` from its text."
        )
    text = source.text
    span = quoted(quote, text, shown_parts(text, claim.claim))
    if span is None:
        raise BadAnswer(
            f"the quote is not in its text: {one_line(quote, at_most=100)!r}",
            "The quote is not in the source's text. Copy one unbroken passage of it, character for character.",
        )
    stands = text[span.start : span.end]
    if not SHORTEST_QUOTE <= len(stands) <= LONGEST_QUOTE:
        length = "short" if len(stands) < SHORTEST_QUOTE else "long"
        raise BadAnswer(f"the quote is too {length} ({len(stands):,} characters)", f"The quote is too {length}.")
    return Evidence(
        source_url=source.url,
        source_title=one_line(source.title, at_most=LONGEST_TITLE) or str(source.url),
        source_type=_kind(answer.get("source_type")),
        verbatim_quote=stands,
        relevance_score=float(score),
        relevance_explanation=one_line(answer.get("explanation"), at_most=LONGEST_EXPLANATION),
        source_id=source.source_id or str(source.url),
        span=span,
    )


def _kind(said: Json) -> SourceType:
    """The kind of source that a model names, in whatever spelling; unknown for another word."""
    name = said.strip().casefold().replace(" ", "_").replace("-", "_") if isinstance(said, str) else ""
    return SourceType(name) if name in {kind.value for kind in SourceType} else SourceType.UNKNOWN


def _says(text: str, quote: str) -> bool:
    """Whether a quote stands in a text, and the sentences around it there do not say otherwise (`it is false that`)."""
    span = quoted(quote, text, Shown(((0, len(text)),), text))
    return span is not None and not contradictions(quote, text[span.start : span.end])


def _with_copies(one: Evidence, copies: Sequence[SearchResult]) -> Evidence:
    """The evidence with the copies of its source named: they are the same source."""
    if not copies:
        return one
    named = ", ".join(shown_source(copy.url, copy.source_id) for copy in copies)
    said = f"{one.relevance_explanation} The same story also stands at {named}."
    return one.model_copy(update={"relevance_explanation": said.strip()})
