"""An attribution as the object that stands on a line of `attributions.jsonl`, and its sources' texts as lines.

A text that failed has no attribution: "not found" would say that someone looked. What a run costs is not in it, so
that the same replies give the same bytes. The texts of the sources that are cited go with it, since every span counts
in them; a source that had another text at another time is told by the digest of its text.
"""

from __future__ import annotations

import hashlib

from schemacast.attribution.addresses import page_of
from schemacast.attribution.flow import Trace
from schemacast.attribution.models import SearchResult
from schemacast.schema.values import Json

__all__ = ["Row", "cited_sources", "failed_row", "source_rows", "text_digest", "trace_row"]

Row = dict[str, Json]


def trace_row(text: str, trace: Trace) -> Row:
    """The line of a text that was traced, or that failed on the way."""
    if trace.status == "failed":
        message = str(trace.error) if trace.error is not None else "; ".join(trace.errors)
        return failed_row(text, trace.reason or "", message, errors=trace.errors)
    claim = trace.state.get("extracted_claim")
    return {
        "text": text,
        "status": trace.status,
        "reason": None,
        "message": None,
        "claim": claim.model_dump(mode="json") if claim is not None else None,
        "attribution": trace.attribution.model_dump(mode="json"),
        "errors": list(trace.errors),
        "sources": [{"source_id": each.source_id, "sha256": text_digest(each.text)} for each in cited_sources(trace)],
    }


def failed_row(text: str, reason: str, message: str, *, errors: list[str] | None = None) -> Row:
    """The line of a text that could not be traced, and why."""
    return {
        "text": text,
        "status": "failed",
        "reason": reason,
        "message": message,
        "claim": None,
        "attribution": None,
        "errors": list(errors or ()),
        "sources": [],
    }


def text_digest(text: str) -> str:
    """What a text is told by among others of the same source: a page says one thing today and another tomorrow."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def cited_sources(trace: Trace) -> list[SearchResult]:
    """The sources that the attribution cites, in its order."""
    by_page = {page_of(result.url): result for result in trace.state.get("search_results", [])}
    cited = (by_page.get(page_of(one.evidence.source_url)) for one in trace.attribution.evidence_list)
    return [source for source in cited if source is not None]


def source_rows(trace: Trace) -> list[Row]:
    """The lines of the sources that the attribution cites."""
    return [
        {
            "source_id": source.source_id,
            "url": str(source.url),
            "title": source.title,
            "published_date": source.published_date.isoformat() if source.published_date else None,
            "sha256": text_digest(source.text),
            "text": source.text,
        }
        for source in cited_sources(trace)
    ]
