"""An attribution for a person: what was found, and each quote marked in the text around it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.text import Text

from schemacast.attribution.addresses import page_of, shown_source
from schemacast.cli.console import Output
from schemacast.cli.plain import shown
from schemacast.cli.show import marked

if TYPE_CHECKING:
    from schemacast.attribution.flow import Trace
    from schemacast.attribution.many import ManyReport
    from schemacast.attribution.models import EvidenceAssessment

SHOWN_FAILURES = 10


def print_trace(trace: Trace) -> None:
    """Print what was found of one claim."""
    console = Output(soft_wrap=True)
    attribution = trace.attribution
    claim = trace.state.get("extracted_claim")
    if claim is not None:
        console.print(Text.assemble(("claim  ", "bold"), shown(attribution.claim)))
        if claim.extraction_notes:
            console.print(Text(f"       {shown(claim.extraction_notes)}", style="dim"))
    found = attribution.attribution.value.replace("_", " ")
    console.print(Text.assemble((f"{found}  ", "bold"), shown(attribution.summary)))
    texts = {page_of(result.url): result.text for result in trace.state.get("search_results", [])}
    for assessment in attribution.evidence_list:
        for line in _lines(assessment, texts.get(page_of(assessment.evidence.source_url))):
            console.print(line)
    for error in trace.errors:
        console.print(Text(f"note: {shown(error)}", style="yellow"))


def _lines(assessment: EvidenceAssessment, text: str | None) -> Iterator[Text]:
    one = assessment.evidence
    address = shown_source(one.source_url, one.source_id)
    title = "" if one.source_title == address else f" {one.source_title}"
    kind = one.source_type.value.replace("_", " ")
    yield Text.assemble("\n", (assessment.attribution, "bold"), f"  {shown(address)}{shown(title)}  ({kind})")
    if text is not None and one.span is not None:
        where = f"  characters {one.span.start} to {one.span.end}: "
        yield Text(where, style="dim").append_text(marked(text, one.span.start, one.span.end))
    for said in (one.relevance_explanation, assessment.reasoning):
        if said:
            yield Text(f"  {shown(said)}")


def print_many(report: ManyReport, out: Path) -> None:
    """Print what a run over many texts did."""
    console = Output()
    done = report.texts - report.failed
    partial = f", {report.statuses['partial']:,} of them not from every source" if report.statuses["partial"] else ""
    known = f" ({report.known:,} before)" if report.known else ""
    console.print(f"{report.texts:,} texts read, {done:,} traced{known}{partial}, {report.failed:,} failed")
    for name, count in sorted(report.attributions.items()):
        console.print(f"  {name.replace('_', ' ')} {count:,}")
    for name, why in report.failures[:SHOWN_FAILURES]:
        console.print(f"[red]failed[/red] {escape(shown(name))}: {escape(shown(why))}", soft_wrap=True)
    if report.failed > SHOWN_FAILURES:
        console.print(f"and {report.failed - SHOWN_FAILURES:,} more failed; attributions.jsonl has them all")
    console.print(f"files: {escape(str(out))}", soft_wrap=True)
