"""What a cast did, for a person: counts by type, what stayed out and why, where the files are."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from schemacast.cli.console import Output
from schemacast.cli.plain import number, shown
from schemacast.refusals import refusal_lines

if TYPE_CHECKING:
    from schemacast.run import CastReport

SHOWN_FAILURES = 10


def print_report(report: CastReport, *, episodes: int) -> None:
    """Print the report to standard output."""
    console = Output()
    console.print(_sentence(report, episodes))
    console.print(_types(report))
    for title, counts in (
        ("removed, with the reason (quarantine.jsonl)", report.tally.findings),
        ("mended", report.tally.fixes),
        ("staged: not in the graph yet (staged.jsonl)", Counter(item.reason for item in report.graph.staged)),
    ):
        if counts:
            spelled = ", ".join(f"{name} {count:,}" for name, count in sorted(counts.items()))
            console.print(f"[bold]{title}[/bold]: {spelled}", soft_wrap=True)
    for source_id, why in report.failures[:SHOWN_FAILURES]:
        console.print(f"[red]failed[/red] {escape(source_id)}: {escape(why)}", soft_wrap=True)
    if report.failed > SHOWN_FAILURES:
        console.print(f"and {report.failed - SHOWN_FAILURES:,} more failed; episodes.jsonl has them all")
    for line in refusal_lines(report.refusals[:SHOWN_FAILURES]):
        console.print(escape(shown(line)), soft_wrap=True)
    if len(report.write.refused) > SHOWN_FAILURES:
        console.print(f"and {len(report.write.refused) - SHOWN_FAILURES:,} more were not written")
    if report.old_graph is not None:
        console.print(f"note: {escape(str(report.old_graph))} is not of this cast; its graph is below", soft_wrap=True)
    console.print(f"graph: {escape(report.address)}   files: {escape(str(report.directory))}", soft_wrap=True)


def _sentence(report: CastReport, episodes: int) -> str:
    statuses = report.tally.statuses
    done = report.tally.read - report.failed
    parts = [f"{statuses[name]:,} {name}" for name in ("ok", "partial", "empty") if statuses[name]]
    detail = f" ({', '.join(parts)})" if parts else ""
    stopped = f", {episodes - report.tally.read:,} not reached" if report.tally.read < episodes else ""
    return f"{number(episodes, 'episode')} read, {done:,} done{detail}, {report.failed:,} failed{stopped}"


def _types(report: CastReport) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("type")
    table.add_column("in the graph", justify="right")
    for kind, counts in report.counts.items():
        for name, count in sorted(counts.items()):
            table.add_row(f"{escape(name)} [dim]{kind}[/dim]", f"{count:,}")
    return table
