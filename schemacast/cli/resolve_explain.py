"""`schemacast resolve explain`: why records are one entity, and why others are not."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from schemacast.cli.options import Commands, given

if TYPE_CHECKING:
    from schemacast.jobs.explaining import Compared, EntityShown

SHOWN_RECORDS = 30


def register(commands: Commands) -> None:
    """Add the command behind `resolve`."""
    command = commands.add_parser(
        "explain",
        help="show why records are one entity",
        description="Show the records of an entity, how its forms were compared, property by property, what came near "
        "and is another, and what people and earlier runs decided. Changes nothing.",
    )
    command.add_argument("type", metavar="TYPE", help="the vertex type")
    command.add_argument("key", metavar="KEY", help="an id, or the key, its parts joined by |")
    command.add_argument("--workspace", required=True, type=given, metavar="FILE", help="the workspace")
    command.add_argument("--json", action="store_true", help="print JSON")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print it."""
    from schemacast.jobs.explaining import explain

    found = explain(arguments.workspace, arguments.type, arguments.key)
    if arguments.json:
        print(json.dumps([each.to_json() for each in found], ensure_ascii=False, sort_keys=True, indent=2))
        return 0
    for number, each in enumerate(found):
        if number:
            print()
        _print(each)
    return 0


def _print(found: EntityShown) -> None:
    from schemacast.cli.plain import shown
    from schemacast.schema.values import to_json

    entity = found.entity
    print(f"{shown(entity.type)} {entity.id}")
    if found.names:
        print(f"  names: {', '.join(shown(name) for name in found.names)}")
    if entity.aliases:
        print(f"  earlier ids: {' '.join(entity.aliases)}")
    print(f"  records: {len(found.records):,}")
    for record in found.records[:SHOWN_RECORDS]:
        values = ", ".join(f"{name}={shown(str(to_json(value)))}" for name, value in record.values.items())
        score = f" {record.score:.2f}" if record.by in ("likeness", "surname") and record.score is not None else ""
        how = f"  by {record.by}{score}" if record.by else ""
        print(f"    {shown(record.source_id)}#{shown(record.ref)}  {values}{how}")
    if len(found.records) > SHOWN_RECORDS:
        print(f"    and {len(found.records) - SHOWN_RECORDS:,} more; --json has them")
    for each in found.within:
        _print_compared(each, other="is")
    for each in found.near:
        _print_compared(each, other="is not")
    for verdict, undone in found.verdicts:
        sides = " | ".join(" ".join(f"{shown(n.source_id)}#{shown(n.ref)}" for n in side) for side in verdict.sides)
        print(f"  {verdict.kind} {verdict.number}, {verdict.when}{f', undone {undone}' if undone else ''}: {sides}")
    for revision in found.revisions:
        others = " ".join(revision.others)
        where = f"{others} into {revision.entity}" if revision.kind == "merge" else f"{others} off {revision.entity}"
        print(f"  {revision.kind}, {revision.when}: {where} (by {revision.by}, {revision.score:.2f})")


def _print_compared(each: Compared, *, other: str) -> None:
    from schemacast.cli.plain import shown
    from schemacast.resolution.match_keys import SCOPE

    said = each.explanation
    print(f"  {shown(each.one)}  {other}  {shown(each.other)}: {said.outcome}, {said.score:.2f}")
    print(f"    to begin with: {said.prior:+.1f}")
    for field in said.fields:
        if field.field != SCOPE:
            veto = ", rules it out" if field.field in said.vetoes else ""
            print(f"    {shown(field.field)}: {field.level}, {field.weight:+.1f}{veto}")
    if said.blocks:
        print(f"    met by {', '.join(shown(block) for block in said.blocks)}")
