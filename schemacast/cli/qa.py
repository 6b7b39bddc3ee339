"""`schemacast qa`: look at the answers that are kept, and check that nobody changed them."""

from __future__ import annotations

import argparse
import json

from schemacast.cli.options import Commands, given
from schemacast.cli.plain import shown


def register(commands: Commands) -> None:
    """Add the commands."""
    group: argparse.ArgumentParser = commands.add_parser(
        "qa",
        help="list, show and verify the answers that are kept",
        description="Look at the answers that a workspace keeps, and check that they are what was answered.",
    )
    parts = group.add_subparsers(title="commands", metavar="COMMAND", required=True)
    verify = parts.add_parser(
        "verify",
        help="recompute the audit trail and every record",
        description="Recompute every hash of the audit trail, and every record's hash, key, run DAG and citations. "
        "Exits 1 when anything is not as it was written.",
    )
    verify.add_argument(
        "--expect", type=given, metavar="HASH", help="an event's hash that was noted earlier and must still be there"
    )
    show = parts.add_parser("show", help="show one answer", description="Show an answer with its citations.")
    show.add_argument("id", type=int, metavar="ID", help="its number, as `qa list` shows it")
    listed = parts.add_parser("list", help="list the answers", description="List the answers, the oldest first.")
    for command, run in ((verify, run_verify), (show, run_show), (listed, run_list)):
        command.add_argument("--workspace", required=True, type=given, metavar="FILE", help="the workspace")
        command.add_argument("--json", action="store_true", help="print JSON")
        command.set_defaults(run=run)


def run_verify(arguments: argparse.Namespace) -> int:
    """Check everything; 1 when something is wrong."""
    from schemacast.qa.check import check
    from schemacast.workspace.file import WorkspaceFile

    with WorkspaceFile(arguments.workspace) as file:
        found = check(file, expect=arguments.expect)
    if arguments.json:
        print(json.dumps(found.to_json(), ensure_ascii=False, sort_keys=True, indent=2))
        return 0 if found.sound else 1
    for problem in found.problems:
        print(shown(problem))
    counts = f"{found.events:,} events, {found.records:,} answers, {found.citations:,} citations compared"
    print(f"{'sound' if found.sound else 'broken'}: {counts}")
    for chain, head in found.heads.items():
        print(f"last event of {shown(chain)}: {head}")
    return 0 if found.sound else 1


def run_show(arguments: argparse.Namespace) -> int:
    """Print one answer."""
    from schemacast.cli.answer import print_answer
    from schemacast.errors import InputError
    from schemacast.qa.check import state_of, was_changed
    from schemacast.qa.entry import answer_in
    from schemacast.qa.store import get
    from schemacast.workspace.file import WorkspaceFile

    with WorkspaceFile(arguments.workspace) as file:
        stored = get(file, arguments.id)
        if was_changed(file, stored):
            where = f"{file.path}: answer {stored.id}"
            raise InputError(f"{where} was changed after it was kept; `schemacast qa verify` tells what is wrong")
        answer = answer_in(file, stored)
        state = state_of(file, stored)
    if arguments.json:
        print(json.dumps({**answer.to_json(), "state": state}, ensure_ascii=False, sort_keys=True, indent=2))
        return 0
    model = answer.record["model"]["id"]
    print(f"answer {stored.id}, {state}, {answer.record['created']}, by {shown(model)}")
    print(f"{shown(answer.question)}\n")
    print_answer(answer)
    return 0


def run_list(arguments: argparse.Namespace) -> int:
    """Print a line for each answer."""
    from schemacast.qa.check import state_of
    from schemacast.qa.store import every
    from schemacast.workspace.file import WorkspaceFile

    with WorkspaceFile(arguments.workspace) as file:
        for stored in every(file):
            state, record = state_of(file, stored), stored.record
            row = {
                "id": stored.id,
                "state": state,
                "chain": stored.chain,
                **{name: record.get(name) for name in ("created", "audit_mode", "question", "absent")},
            }
            if arguments.json:
                print(json.dumps(row, ensure_ascii=False, sort_keys=True))
            elif record:
                told = f"{record['created']}  {state:<11}  {record['audit_mode']:<10}  {shown(record['question'])}"
                print(f"{stored.id:>4}  {told}")
            else:
                print(f"{stored.id:>4}  erased with one of its sources")
    return 0
