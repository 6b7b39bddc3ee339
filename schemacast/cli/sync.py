"""`schemacast sync`: bring a store in line with the workspace, or say how it differs."""

from __future__ import annotations

import argparse
import json

from schemacast.cli.options import Commands, given

SHOWN = 20


def register(commands: Commands) -> None:
    """Add the command."""
    command: argparse.ArgumentParser = commands.add_parser(
        "sync",
        help="write a workspace's graph to a store again",
        description="Write everything that the workspace says to a store, whatever it holds: after a restore, to a "
        "second store, from one kind of store to another. Nothing is asked of a model.",
    )
    command.add_argument("--workspace", required=True, type=given, metavar="FILE", help="the workspace")
    command.add_argument("--to", required=True, type=given, metavar="ADDRESS", help="the store")
    command.add_argument("--check", action="store_true", help="compare only; exit code 1 when something differs")
    command.add_argument("--json", action="store_true", help="print the report as JSON")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write or compare, and print what came of it."""
    from schemacast.cli.job_report import print_written
    from schemacast.cli.plain import number
    from schemacast.jobs.syncing import sync

    report = sync(arguments.workspace, to=arguments.to, check=arguments.check)
    if arguments.json:
        print(json.dumps(report.to_json(), ensure_ascii=False, sort_keys=True, indent=2))
    elif not arguments.check:
        print_written(report.written, report.store)
    else:
        for name, ids in (("missing", report.missing), ("different", report.different), ("surplus", report.surplus)):
            for ident in ids[:SHOWN]:
                print(f"{name} {report.names.get(ident, '')} ({ident})")
            if len(ids) > SHOWN:
                print(f"and {len(ids) - SHOWN:,} more {name}")
        total = f"{number(report.written.entities, 'vertex')}, {number(report.written.edges, 'edge')}"
        print(
            f"{report.store}: " + (f"as the workspace says ({total})" if report.same else "differs from the workspace")
        )
    return 0 if report.same and not report.written.refused else 1
