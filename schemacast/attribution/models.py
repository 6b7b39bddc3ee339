"""What an attribution is made of, from the text that holds a claim to the sources that state it.

Names, fields and bounds are a contract with other programs, so every model is frozen, takes no other fields
and is checked where it is made. `Evidence` that our own nodes make always has its `source_id` and its `span`:
the quote is what stands there in the source. What is computed (`best_source`, `relies_on_secondary_only`) is
computed here, whatever was given for it, and an attribution that its evidence does not carry cannot be made.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    HttpUrl,
    PlainSerializer,
    model_validator,
)

from schemacast.episode import without_surrogates
from schemacast.ground import TextSpan

SHORTEST_INPUT, LONGEST_INPUT = 10, 5_000
SHORTEST_QUOTE = 10
LONGEST_SUMMARY = 500
MOST_EVIDENCE = 5

Confidence = Literal["high", "medium", "low"]
Stated = Literal["direct", "paraphrase", "contradiction"]


def _collapsed(text: object) -> object:
    return " ".join(without_surrogates(text).split()) if isinstance(text, str) else text


Text = Annotated[str, AfterValidator(without_surrogates)]
Url = Annotated[HttpUrl, PlainSerializer(str, return_type=str)]
"""A URL that dumps as text, since what keeps states (a checkpointer) knows no URLs."""
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class InputText(_Frozen):
    """The text that holds the claim: 10 to 5,000 characters, runs of whitespace collapsed, ends stripped."""

    text: Annotated[str, BeforeValidator(_collapsed), Field(min_length=SHORTEST_INPUT, max_length=LONGEST_INPUT)]


class ExtractedClaim(_Frozen):
    """One claim as one declarative sentence, and the portion of the input that it came from."""

    claim: Annotated[Text, Field(min_length=1)]
    original_context: Text
    extraction_confidence: Confidence
    extraction_notes: Text | None = None


class SearchResult(_Frozen):
    """A source that a searcher found. Its text is `raw_content`, else `content`; quotes are located in that."""

    url: Url
    title: Text
    content: Text
    score: Share
    published_date: datetime | None = None
    raw_content: Text | None = None
    source_id: Text | None = None

    @property
    def text(self) -> str:
        """The text that spans count in."""
        return self.content if self.raw_content is None else self.raw_content


class SourceType(StrEnum):
    """How near a source is to what it tells of."""

    PRIMARY = "primary"
    """Transcripts, filings, datasets, direct statements."""
    ORIGINAL_REPORTING = "original_reporting"
    """First-party journalism."""
    SECONDARY = "secondary"
    """Aggregation, commentary, reporting on other sources."""
    UNKNOWN = "unknown"


class Evidence(_Frozen):
    """What one source says about the claim: its own characters, and where they stand in its text."""

    source_url: Url
    source_title: Text
    source_type: SourceType
    verbatim_quote: Annotated[str, Field(min_length=SHORTEST_QUOTE)]
    relevance_score: Share
    relevance_explanation: Text
    source_id: Text | None = None
    span: TextSpan | None = None


class EvidenceAssessment(_Frozen):
    """Evidence, and whether it states the claim, states it in other words, or conflicts with it."""

    evidence: Evidence
    attribution: Stated
    reasoning: Text


class AttributionType(StrEnum):
    """What was found of a claim."""

    DIRECT = "direct"
    PARAPHRASE = "paraphrase"
    CONTRADICTION = "contradiction"
    NOT_FOUND = "not_found"


_BY_TYPE = {kind: place for place, kind in enumerate(SourceType)}
_BY_STRENGTH: dict[str, int] = {"direct": 0, "paraphrase": 1, "contradiction": 2}


def ranked(assessments: Sequence[EvidenceAssessment]) -> list[EvidenceAssessment]:
    """The assessments, best first: what supports the claim before what contradicts it, then by the kind of source
    (primary, original reporting, secondary, unknown), then direct before paraphrase, then by relevance."""

    def place(one: EvidenceAssessment) -> tuple[bool, int, int, float]:
        against = one.attribution == "contradiction"
        kind = _BY_TYPE[one.evidence.source_type]
        return against, kind, _BY_STRENGTH[one.attribution], -one.evidence.relevance_score

    return sorted(assessments, key=place)


def strongest(assessments: Sequence[EvidenceAssessment]) -> AttributionType:
    """The attribution that evidence carries: direct if any states it, else paraphrase, else contradiction."""
    if not assessments:
        return AttributionType.NOT_FOUND
    return AttributionType(min((one.attribution for one in assessments), key=_BY_STRENGTH.__getitem__))


class SourceAttribution(_Frozen):
    """Who states a claim.

    `best_source` and `relies_on_secondary_only` are computed from `evidence_list`; what is given for them is not
    looked at. `attribution` has to be what the evidence carries, `not_found` exactly when there is none.
    """

    claim: Text
    attribution: AttributionType
    summary: Annotated[Text, Field(max_length=LONGEST_SUMMARY)]
    evidence_list: Annotated[list[EvidenceAssessment], Field(max_length=MOST_EVIDENCE)] = []
    best_source: EvidenceAssessment | None = None
    relies_on_secondary_only: bool = False

    @model_validator(mode="before")
    @classmethod
    def _nothing_asked_for(cls, fields: Any) -> Any:
        computed = ("best_source", "relies_on_secondary_only")
        return {k: v for k, v in fields.items() if k not in computed} if isinstance(fields, dict) else fields

    @model_validator(mode="after")
    def _computed(self) -> SourceAttribution:
        found = strongest(self.evidence_list)
        if self.attribution != found:
            raise ValueError(f"attribution is {self.attribution.value}, but the evidence says {found.value}")
        best = ranked(self.evidence_list)[0] if self.evidence_list else None
        carrying = [one for one in self.evidence_list if (one.attribution == "contradiction") == _against(best)]
        only = bool(carrying) and all(one.evidence.source_type is SourceType.SECONDARY for one in carrying)
        object.__setattr__(self, "best_source", best)
        object.__setattr__(self, "relies_on_secondary_only", only)
        return self


def _against(best: EvidenceAssessment | None) -> bool:
    return best is not None and best.attribution == "contradiction"
