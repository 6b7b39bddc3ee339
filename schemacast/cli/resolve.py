"""`schemacast resolve`: records, or the rows of a table, in; entities out. With a word behind it, a person's part."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from schemacast.cli import resolve_explain, resolve_verdicts
from schemacast.cli.options import Commands, given
from schemacast.errors import UsageError

if TYPE_CHECKING:
    from schemacast.jobs.resolving import ResolveReport

DESCRIPTION = (
    "Find out which records are one entity: by key, by alternate, and by likeness where no code says it. No model is "
    "asked. Records come from a cast (--records), or from a table (--table). With --workspace everything is kept "
    "there, so that ids stand and people's decisions count, and --relearn learns anew how telling each property is."
)


def register(commands: Commands) -> None:
    """Add the command and those behind it."""
    command: argparse.ArgumentParser = commands.add_parser(
        "resolve", help="find out which records are one entity, and why", description=DESCRIPTION
    )
    command.add_argument("--schema", type=given, metavar="S", help="a schema file, or lib:NAME")
    source = command.add_mutually_exclusive_group()
    source.add_argument("--records", type=given, metavar="R.jsonl", help="record graphs, as a cast writes them")
    source.add_argument("--table", type=given, metavar="FILE", help="a CSV or Parquet file, one row a record")
    command.add_argument("--workspace", type=given, metavar="FILE", help="what is kept between runs; made when new")
    command.add_argument("--to", type=given, metavar="ADDRESS", help="bring this store up to date; needs --workspace")
    command.add_argument(
        "--out",
        type=given,
        metavar="DIR|FILE",
        help="where the files go (default ./out; with --workspace none); of a table the file of entities",
    )
    command.add_argument("--relearn", action="store_true", help="learn the weights anew; needs --workspace")
    command.add_argument(
        "--distinct-within",
        type=given,
        metavar="COLUMN",
        help="two records with one value of this property or column are two things",
    )
    table = command.add_argument_group("of a table")
    table.add_argument("--type", type=given, metavar="TYPE", help="the vertex type that a row is")
    table.add_argument("--id", type=given, default="id", metavar="COLUMN", help="the column with ids (default id)")
    command.add_argument("--json", action="store_true", help="print the report as JSON")
    command.add_argument("--quiet", action="store_true", help="print nothing but errors")
    command.set_defaults(run=run)
    behind = command.add_subparsers(title="a person's part", metavar="explain|split|join|undo")
    resolve_explain.register(behind)
    resolve_verdicts.register(behind)


def run(arguments: argparse.Namespace) -> int:
    """Resolve, write the files and print what there is."""
    _check(arguments)
    if arguments.table:
        return _run_table(arguments)
    from pathlib import Path

    report = _resolve(arguments)
    if arguments.out or not arguments.workspace:
        from schemacast.jobs.resolved_files import write_resolved

        write_resolved(Path(arguments.out or "out"), report.graph)
    if arguments.json:
        print(json.dumps(report.to_json(), ensure_ascii=False, sort_keys=True, indent=2))
    elif not arguments.quiet:
        _print(report)
    return 1 if report.written.refused else 0


def _check(arguments: argparse.Namespace) -> None:
    """Raises UsageError for arguments that do not go together."""
    if arguments.table:
        for name in ("schema", "type", "out"):
            if not getattr(arguments, name):
                raise UsageError(f"resolve --table needs --{name}")
        for name in ("workspace", "to", "relearn"):
            if getattr(arguments, name):
                raise UsageError(f"resolve --table: --{name} is for records; a table is resolved by itself")
        return
    if arguments.type:
        raise UsageError("resolve: --type is for a table; give --table FILE")
    if arguments.records and not arguments.schema:
        raise UsageError("resolve --records needs --schema")
    if not arguments.records and not arguments.workspace:
        raise UsageError("resolve: give --records R.jsonl, --table FILE or --workspace FILE")
    for name in ("to", "relearn"):
        if getattr(arguments, name) and not arguments.workspace:
            raise UsageError(f"resolve: --{name} needs --workspace")


def _resolve(arguments: argparse.Namespace) -> ResolveReport:
    from schemacast.jobs.resolving import resolve_records, resolve_workspace
    from schemacast.record_reader import read_record_graphs
    from schemacast.schema.load import load_schema

    schema = load_schema(arguments.schema) if arguments.schema else None
    graphs = read_record_graphs(arguments.records, schema) if arguments.records and schema else iter(())
    if arguments.workspace is None and schema is not None:
        return resolve_records(schema, graphs, distinct_within=arguments.distinct_within)
    return resolve_workspace(
        arguments.workspace,
        schema=schema,
        record_graphs=graphs,
        to=arguments.to,
        relearn=arguments.relearn,
        distinct_within=arguments.distinct_within,
    )


def _run_table(arguments: argparse.Namespace) -> int:
    from schemacast.cli.plain import number
    from schemacast.resolution.tables import resolve_table
    from schemacast.schema.load import load_schema
    from schemacast.table_reader import check_table_name, check_target, write_pairs

    check_table_name(arguments.table)
    check_target(arguments.out, arguments.table)
    table = resolve_table(
        load_schema(arguments.schema),
        arguments.table,
        type=arguments.type,
        id=arguments.id,
        distinct_within=arguments.distinct_within,
    )
    write_pairs(arguments.out, ("id", "entity_id"), table.pairs())
    counts = table.counts
    if arguments.json:
        made = {"rows": len(table.entity_ids), "entities": table.entities, "pairs": counts.compared}
        skipped = {"skipped_blocks": counts.skipped_blocks, "skipped_rows": counts.skipped_rows}
        print(json.dumps({**made, **skipped}, sort_keys=True, indent=2))
    elif not arguments.quiet:
        rows = len(table.entity_ids)
        are = "is" if rows == 1 else "are"
        print(f"{number(rows, 'row')} {are} {number(table.entities, 'entity')}: {arguments.out}")
        if counts.skipped_blocks:
            print(f"{counts.skipped_rows:,} rows stood in {counts.skipped_blocks:,} blocks too large to compare whole")
    return 0


def _print(report: ResolveReport) -> None:
    from collections import Counter

    from schemacast.cli.job_report import print_resolution, print_written
    from schemacast.cli.plain import number, shown

    graph = report.graph
    if report.read:
        new = f", {report.added:,} new or changed" if report.workspace else ""
        print(f"{number(report.read, 'record graph')} read{new}")
    kinds = Counter(entity.type for entity in graph.entities.values())
    spelled = ", ".join(f"{shown(name)} {count:,}" for name, count in sorted(kinds.items()))
    kinds_of = f" ({spelled})" if spelled else ""
    print(f"{number(len(graph.entities), 'entity')}{kinds_of}, {number(len(graph.edges), 'edge')}")
    alike = Counter(str(each.by) for each in graph.decisions if each.by != "equal")
    if alike:
        print("joined by " + ", ".join(f"{name}: {count:,}" for name, count in sorted(alike.items())))
    staged = Counter(str(each.reason) for each in graph.staged)
    if staged:
        print("staged: " + ", ".join(f"{name} {count:,}" for name, count in sorted(staged.items())))
    if report.store is not None:
        print_written(report.written, report.store)
        return
    print_resolution(report.written)
