"""An attribution as the object that stands on a line of `attributions.jsonl`, and its sources' texts as lines.

A text that failed has no attribution: "not found" would say that someone looked. What a run costs is not in it, so
that the same replies give the same bytes. The texts of the sources that are cited go with it, since every span counts
in them.
"""

from __future__ import annotations

from schemacast.attribution.addresses import page_of
from schemacast.attribution.flow import Trace
from schemacast.attribution.models import SearchResult
from schemacast.schema.values import Json

__all__ = ["Row", "cited_sources", "failed_row", "source_rows", "trace_row"]

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
    }


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
            "text": source.text,
        }
        for source in cited_sources(trace)
    ]
