"""Spans, evidence and groundings: how a place in a source is written down.

A span counts characters (Unicode code points) into the episode's text, or into the text of one of
its context items. Evidence is the small dict a record graph carries; a grounding is the same claim
as a flat record of its own. Both come from `locate`, never from a model.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal, Protocol

from pydantic import BaseModel, ConfigDict

from schemacast.records import EvidenceDict
from schemacast.schema.model import EdgeId


class TextSpan(BaseModel):
    """Characters `start` to `end` (exclusive) of an episode's text, or of the context item `context`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    start: int
    end: int
    context: str | None = None


Span = TextSpan


class UnmappedText(BaseModel):
    """Something the text states that no type of the schema covers."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    quote: str
    note: str
    span: TextSpan


class Grounding(BaseModel):
    """One assertion of a record graph and the characters it was read from.

    A vertex, or a property of one, has `vertex` and `ref`; an edge, or a property of one, has `edge`,
    `source_ref` and `target_ref`. `quote` is the source's own text at the span. `in_context` names the
    context item that the span points into, when it is not the episode's own text.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    source_id: str
    kind: Literal["vertex", "edge", "property"]
    vertex: str | None = None
    ref: str | None = None
    edge: EdgeId | None = None
    source_ref: str | None = None
    target_ref: str | None = None
    property: str | None = None
    char_start: int
    char_end: int
    in_context: str | None = None
    quote: str
    extractor: str
    model: str | None = None
    schema_ref: str
    reference_time: datetime | None = None


class Spanned(Protocol):
    """Anything with the members of a TextSpan."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def context(self) -> str | None: ...


def evidence(quote: str, span: Spanned) -> EvidenceDict:
    """The evidence of a record, relation or property read at `span`; absent members are left out."""
    where: EvidenceDict = {"start": span.start, "end": span.end}
    if span.context is not None:
        where["context"] = span.context
    return {"quote": quote, "span": where}


def quote_of(evidence: EvidenceDict | None) -> str | None:
    """The quote of an evidence dict, if it holds one."""
    quote = (evidence or {}).get("quote")
    return quote if isinstance(quote, str) else None


def span_of(evidence: EvidenceDict | None) -> TextSpan | None:
    """The span of an evidence dict, if it holds one."""
    span = (evidence or {}).get("span")
    return TextSpan.model_validate(span) if isinstance(span, dict) else None
