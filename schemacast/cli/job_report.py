"""What a job did or would do, for a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from schemacast.cli.plain import duration, number, shown

if TYPE_CHECKING:
    from schemacast.adapters import Counts
    from schemacast.graph import Revision
    from schemacast.jobs.dry_run import Forecast
    from schemacast.jobs.report import JobReport
    from schemacast.jobs.writing import Written

SHOWN = 10
_STOPS = {
    "interrupted": "interrupted",
    "max_cost": "stopped at --max-cost",
    "max_time": "stopped at --max-time",
    "error": "stopped by an error",
}


def print_job_report(report: JobReport) -> None:
    """Print the report of an ingest to standard output."""
    print(f"{number(report.read, 'episode')} read{_sources(report.sources, report.pruned)}")
    if report.nothing_to_do:
        print("nothing to do")
    else:
        _print_work(report)
    for note in report.notes:
        print(f"note: {shown(note)}")
    stale = report.sources.get("stale", 0)
    if stale:
        verb = "is" if stale == 1 else "are"
        print(f"{stale:,} {verb} stale: the request would be another today; --recast changed asks again")


def _print_work(report: JobReport) -> None:
    statuses = report.tally.statuses
    ended = ", ".join(f"{statuses[name]:,} {name}" for name in ("ok", "partial", "empty", "failed") if statuses[name])
    left = f", {report.left:,} left for the next run" if report.left else ""
    print(f"{report.tally.read:,} cast in {duration(report.seconds)}{f' ({ended})' if ended else ''}{left}")
    usage = report.tally.usage
    cost = "" if report.cost is None else f", ${report.cost:,.4f}"
    tokens = f"{usage.input_tokens:,} tokens in, {usage.output_tokens:,} out"
    print(f"{number(report.tally.requests, 'request')}, {tokens}{cost}")
    print_written(report.written, report.store)
    for source_id, why in report.tally.failures[:SHOWN]:
        print(f"failed {shown(source_id)}: {shown(why)}")
    more = statuses["failed"] - min(SHOWN, len(report.tally.failures))
    if more > 0:
        print(f"and {more:,} more failed; `schemacast status --failed` has them all")
    if report.stopped is not None:
        print(_STOPS[report.stopped])


def print_written(written: Written, store: str) -> None:
    """What a write did to the store, and what was refused."""
    from schemacast.refusals import MOST_SHOWN, refusal_lines

    report = written.report
    print(f"{shown(store)}: vertices {_counts(report.vertices)}; edges {_counts(report.edges)}")
    if written.staged:
        spelled = ", ".join(f"{name} {count:,}" for name, count in written.staged.items())
        print(f"staged, not in the graph yet: {spelled}")
    if written.left_out:
        spelled = ", ".join(f"{shown(name)} {count:,}" for name, count in sorted(written.left_out.items()))
        print(f"left out, since the schema no longer has them: {spelled}")
    print_resolution(written)
    for line in refusal_lines(written.refusals[:SHOWN]):
        print(shown(line))
    if written.refused > SHOWN:
        print(f"and {written.refused - SHOWN:,} more were not written; --json has the first {MOST_SHOWN} of all")


def print_resolution(written: Written) -> None:
    """What resolution found to be otherwise than before, and what it left out."""
    print_revisions(written.revisions)
    for relation, count in written.loops.items():
        print(f"left out, since a merge made loops of them: {shown(relation)} {count:,}")
    for name, count in written.outgrown.items():
        print(f"note: {shown(name)} has {count:,} different records by now; `schemacast resolve --relearn` learns anew")


def print_revisions(revisions: Sequence[Revision]) -> None:
    """The merges and splits that a run found."""
    for each in revisions[:SHOWN]:
        others = " ".join(each.others)
        how = f"by {each.by}, {each.score:.2f}"
        if each.kind == "merge":
            print(f"merged {shown(each.type)} {others} into {each.entity} ({how})")
        else:
            print(f"split {shown(each.type)} {each.entity}: some of its records are now of {others} ({how})")
    if len(revisions) > SHOWN:
        print(f"and {len(revisions) - SHOWN:,} more merges and splits; --json has them")


def print_forecast(counted: Forecast) -> None:
    """Print what an ingest would do."""
    print(f"{number(counted.read, 'episode')} read{_sources(counted.sources, ())}")
    print(f"{counted.requests:,} to ask, {counted.at_hand:,} with a reply at hand")
    output = "" if counted.output_tokens is None else f" and {counted.output_tokens:,} output tokens"
    cost = "" if counted.cost is None else f", about ${counted.cost:,.2f}"
    partly = " without the replies" if counted.cost is not None and counted.output_tokens is None else ""
    print(f"about {counted.input_tokens:,} input tokens{output}{cost}{partly}, repairs not counted")


def _sources(sources: Mapping[str, int], pruned: tuple[str, ...]) -> str:
    parts = [f"{count:,} {name}" for name, count in sorted(sources.items()) if count]
    if pruned:
        parts.append(f"{len(pruned):,} pruned")
    return f": {', '.join(parts)}" if parts else ""


def _counts(counts: Counts) -> str:
    parts = [
        f"{getattr(counts, name):,} {name}"
        for name in ("created", "changed", "unchanged", "removed", "adopted", "kept")
        if getattr(counts, name)
    ]
    return ", ".join(parts) or "none"
