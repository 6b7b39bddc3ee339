"""`schemacast retract`: take texts back, or put them back."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from schemacast.cli.options import Commands, given
from schemacast.errors import InputError, UsageError

if TYPE_CHECKING:
    from pathlib import Path


def register(commands: Commands) -> None:
    """Add the command."""
    command: argparse.ArgumentParser = commands.add_parser(
        "retract",
        help="take texts back out of the graph",
        description="Withdraw sources: what only they supported goes from the store, and nothing else. They stay "
        "withdrawn, whatever a later ingest is given, until --reinstate.",
    )
    command.add_argument("source_ids", nargs="*", metavar="SOURCE_ID", help="the sources")
    command.add_argument("--from", dest="file", type=given, metavar="FILE", help="more sources, one id a line")
    kind = command.add_mutually_exclusive_group()
    kind.add_argument(
        "--purge",
        action="store_true",
        help="also erase their texts, replies and findings, and their copies in other episodes' context",
    )
    kind.add_argument("--reinstate", action="store_true", help="let them count again, with what they gave before")
    command.add_argument("--reason", metavar="TEXT", help="why, kept with them")
    command.add_argument("--workspace", required=True, type=given, metavar="FILE", help="the workspace")
    command.add_argument("--to", required=True, type=given, metavar="ADDRESS", help="the store")
    command.add_argument("--json", action="store_true", help="print the report as JSON")
    command.add_argument("--quiet", action="store_true", help="print nothing but errors")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Do it and print what was removed."""
    from pathlib import Path

    from schemacast.cli.job_report import print_written
    from schemacast.cli.plain import number
    from schemacast.jobs.retraction import reinstate, retract

    names = [*arguments.source_ids, *(_lines(Path(arguments.file)) if arguments.file else ())]
    if not names:
        raise UsageError("retract: no source is named; give SOURCE_ID… or --from FILE")
    if arguments.reinstate:
        report = reinstate(arguments.workspace, names, to=arguments.to)
    else:
        report = retract(arguments.workspace, names, to=arguments.to, purge=arguments.purge, reason=arguments.reason)
    if arguments.json:
        print(json.dumps(report.to_json(), ensure_ascii=False, sort_keys=True, indent=2))
    elif not arguments.quiet:
        what = "reinstated" if arguments.reinstate else "retracted"
        before = f", {len(report.unchanged):,} already were" if report.unchanged else ""
        purged = f", {report.purged:,} purged" if report.purged else ""
        print(f"{number(len(report.sources), 'source')} {what}{before}{purged}")
        print_written(report.written, report.store)
    return 1 if report.written.refused else 0


def _lines(path: Path) -> list[str]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "is not UTF-8"
        raise InputError(f"{path}: cannot be read: {reason}") from None
    # Only a line feed ends a line: other separators may stand in a source id.
    return [line.removesuffix("\r") for line in text.split("\n") if line.strip()]
