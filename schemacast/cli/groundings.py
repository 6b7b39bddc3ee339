"""`schemacast groundings`: where is this stated?"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from schemacast.cli.options import Commands, given
from schemacast.cli.plain import shown

if TYPE_CHECKING:
    from schemacast.workspace.reader import Workspace


def register(commands: Commands) -> None:
    """Add the command."""
    command: argparse.ArgumentParser = commands.add_parser(
        "groundings",
        help="show where things are stated",
        description="Show the quotes, each with its source and characters, that an entity, its properties and its "
        "edges were read from, or all that a source states.",
    )
    command.add_argument("--workspace", required=True, type=given, metavar="FILE", help="the workspace")
    command.add_argument(
        "--entity", nargs=2, metavar=("TYPE", "KEY"), help="an entity: its type, and its key (parts joined by |) or id"
    )
    command.add_argument("--source", type=given, metavar="SOURCE_ID", help="only what this source states")
    command.add_argument("--json", action="store_true", help="print one object a line, as in groundings.jsonl")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print them."""
    from schemacast.workspace.reader import Workspace

    entity = tuple(arguments.entity) if arguments.entity else None
    with Workspace(arguments.workspace) as workspace:
        for row in workspace.groundings(entity=entity, source=arguments.source):
            if arguments.json:
                print(json.dumps(row, ensure_ascii=False, sort_keys=True))
            else:
                print(_line(row))
        if arguments.source is not None:
            _note_withdrawal(workspace, arguments.source)
    return 0


def _note_withdrawal(workspace: Workspace, source: str) -> None:
    """Say why a source that was taken back states nothing, beside the rows, which others may read."""
    row = next((each for each in workspace.withdrawn() if each["source_id"] == source), None)
    if row is None:
        return
    back = f"`schemacast retract --reinstate {shown(source)}`"
    if row["purged"]:
        text = f"was purged, and states nothing; after {back} a later ingest takes it in as a new one"
    else:
        text = f"is withdrawn, and states nothing that counts; {back} takes it back in"
    print(f"note: {shown(source)} {text}", file=sys.stderr)


def _line(row: Mapping[str, Any]) -> str:
    owner = row["vertex"] or f"{row['edge'][0]}-{row['edge'][2]}->{row['edge'][1]}"
    what = f"{owner}.{row['property']}" if row["property"] else owner
    context = f" (in {shown(row['in_context'])})" if row["in_context"] else ""
    where = f"{shown(row['source_id'])}:{row['char_start']}-{row['char_end']}{context}"
    return f"{where}  {what}  {json.dumps(row['quote'], ensure_ascii=False)}"
