"""`schemacast status`: how a workspace stands, also while a job runs."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from schemacast.cli.options import Commands, given
from schemacast.cli.plain import duration, number, shown

if TYPE_CHECKING:
    from schemacast.workspace.status import RunStatus, Status


_ONE = {"entities": "entity", "edges": "edge"}


def register(commands: Commands) -> None:
    """Add the command."""
    command: argparse.ArgumentParser = commands.add_parser(
        "status",
        help="show how a workspace stands",
        description="Show what is done, what waits, what failed and why, what is stale, what it cost, how fast it "
        "goes and how long it will still take. Works while a job runs.",
    )
    command.add_argument("--workspace", required=True, type=given, metavar="FILE", help="the workspace")
    command.add_argument("--failed", action="store_true", help="list the sources that failed, each with why")
    command.add_argument("--json", action="store_true", help="print JSON")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print it."""
    from schemacast.workspace.reader import Workspace

    with Workspace(arguments.workspace) as workspace:
        status = workspace.status()
        failed = list(workspace.failed()) if arguments.failed else None
    if arguments.json:
        made = status.to_json() if failed is None else {**status.to_json(), "failures": failed}
        print(json.dumps(made, ensure_ascii=False, sort_keys=True, indent=2))
        return 0
    if failed is not None:
        for one in failed:
            print(f"{shown(one['source_id'])}: {one['reason']}: {shown(one['message'])}")
        if not failed:
            print("nothing failed")
        return 0
    _print(status)
    return 0


def _print(status: Status) -> None:
    print(f"{shown(status.path)}, schema {shown(status.schema or 'none yet')}")
    kinds = ", ".join(
        f"{status.states[name]:,} {name}" for name in ("ok", "partial", "empty") if status.states.get(name)
    )
    print(f"done      {status.done:,}{f' ({kinds})' if kinds else ''}")
    print(f"waiting   {status.waiting:,}")
    reasons = ", ".join(f"{count:,} {reason}" for reason, count in status.reasons.items())
    print(f"failed    {status.failed:,}{f' ({reasons})' if reasons else ''}")
    print(f"stale     {status.stale:,}")
    if status.withdrawn:
        purged = f" ({status.purged:,} purged)" if status.purged else ""
        print(f"withdrawn {status.withdrawn:,}{purged}")
    cost = "" if status.cost is None else f", ${status.cost:,.4f}"
    tokens = f"{status.input_tokens:,} tokens in, {status.output_tokens:,} out"
    print(f"spent     {number(status.requests, 'request')}, {tokens}{cost}")
    graph = ", ".join(number(count, _ONE[name]) for name, count in status.graph.items())
    staged = ", ".join(f"{count:,} {name}" for name, count in status.staged.items())
    print(f"graph     {graph or 'not written yet'}{f'; staged: {staged}' if staged else ''}")
    for store in status.stores:
        state = "up to date" if store.current else "not up to date"
        doubt = f", {store.in_doubt:,} to be written again" if store.in_doubt else ""
        # What a server calls itself says nothing to a person; a file's place does.
        place = store.place if store.address is None or "/" in store.place else store.address
        print(f"store     {shown(place)}: {state}{doubt}")
    if status.last_run is not None:
        _print_run(status.last_run, running=status.running)


def _print_run(last: RunStatus, *, running: bool) -> None:
    if last.ended is not None:
        end = f"ended {last.ended}" + (f" ({shown(last.stopped)})" if last.stopped else "")
    else:
        end = "running" if running else "was killed; run it again"
    done = f": {last.done:,} of {last.planned:,} done" if last.planned else ""
    print(f"last job  {last.command}, began {last.started}, {end}{done}")
    if last.per_minute is not None:
        left = f", about {duration(last.seconds_left)} still" if last.seconds_left is not None else ""
        print(f"pace      {last.per_minute:,.0f} episodes a minute{left}")
