"""`schemacast resolve join`, `split` and `undo`: what a person says about entities."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from schemacast.cli.options import Commands, given

if TYPE_CHECKING:
    from schemacast.jobs.verdicts import VerdictReport

KEY = "an id, or the key, its parts joined by |"


def register(commands: Commands) -> None:
    """Add the commands behind `resolve`."""
    join = commands.add_parser(
        "join",
        help="say that entities are one",
        description="Say that entities of a type are one, or that a record is of an entity. It stands in every later "
        "run, against every score, until it is undone.",
    )
    join.add_argument("type", metavar="TYPE", help="the vertex type")
    join.add_argument("keys", nargs="+", metavar="KEY", help=f"of each entity {KEY}; or SOURCE_ID#REF, a record")
    _add_common(join)
    join.set_defaults(run=run_join)
    split = commands.add_parser(
        "split",
        help="say that some records of an entity are another",
        description="Say that some records of an entity are another one. It stands in every later run, against every "
        "score, until it is undone.",
    )
    split.add_argument("type", metavar="TYPE", help="the vertex type")
    split.add_argument("key", metavar="KEY", help=KEY)
    split.add_argument("records", nargs="+", metavar="RECORD", help="SOURCE_ID, or SOURCE_ID#REF: what is another one")
    _add_common(split)
    split.set_defaults(run=run_split)
    undo = commands.add_parser(
        "undo",
        help="take back a join or a split",
        description="Take back a join or a split by its number, which it said when it was made and `explain` shows.",
    )
    undo.add_argument("what", type=_number, metavar="NUMBER", help="the number; or SOURCE_ID#REF, a record placed")
    _add_common(undo)
    undo.set_defaults(run=run_undo)


def _add_common(command: argparse.ArgumentParser) -> None:
    command.add_argument("--workspace", required=True, type=given, metavar="FILE", help="the workspace")
    command.add_argument("--to", type=given, metavar="ADDRESS", help="bring this store up to date at once")
    command.add_argument("--json", action="store_true", help="print the report as JSON")
    command.add_argument("--quiet", action="store_true", help="print nothing but errors")


def _number(text: str) -> int | str:
    if text.isdecimal():
        return int(text)
    if "#" in text:
        return text
    raise argparse.ArgumentTypeError(f"{text!r} is neither a number nor SOURCE_ID#REF")


def run_join(arguments: argparse.Namespace) -> int:
    """Join, and print what it changed."""
    from schemacast.errors import UsageError
    from schemacast.jobs.verdicts import join

    if len(arguments.keys) < 2:
        raise UsageError("resolve join: give two keys or more")
    report = join(arguments.workspace, arguments.type, arguments.keys, to=arguments.to)
    what = f"join {report.number}: {report.records:,} records are one" if report.number else "record placed"
    return _end(arguments, report, f"{what} {arguments.type}")


def run_split(arguments: argparse.Namespace) -> int:
    """Split, and print what it changed."""
    from schemacast.jobs.verdicts import split

    report = split(arguments.workspace, arguments.type, arguments.key, arguments.records, to=arguments.to)
    number = f"{report.records:,} record" + "s" * (report.records != 1)
    return _end(arguments, report, f"split {report.number}: {number} of another {arguments.type}")


def run_undo(arguments: argparse.Namespace) -> int:
    """Take back, and print what it changed."""
    from schemacast.jobs.verdicts import undo

    report = undo(arguments.workspace, arguments.what, to=arguments.to)
    return _end(arguments, report, f"{arguments.what} is undone")


def _end(arguments: argparse.Namespace, report: VerdictReport, said: str) -> int:
    from schemacast.cli.job_report import print_resolution, print_written

    written = report.resolved.written
    if arguments.json:
        print(json.dumps(report.to_json(), ensure_ascii=False, sort_keys=True, indent=2))
    elif not arguments.quiet:
        print(said)
        if report.resolved.store is not None:
            print_written(written, report.resolved.store)
        else:
            print_resolution(written)
            print("a store is brought up to date by the next ingest or sync, or at once with --to")
    return 1 if written.refused else 0
