"""`schemacast attribute`: who states a claim, in other words, or against it; or nobody."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schemacast.cli.options import Commands, Limit, add_model, given, limit, option
from schemacast.errors import InputError, UsageError

if TYPE_CHECKING:
    from schemacast.attribution.asking import Asker
    from schemacast.attribution.searching import Searcher


def register(commands: Commands) -> None:
    """Add the command."""
    command: argparse.ArgumentParser = commands.add_parser(
        "attribute",
        help="trace a claim to the sources that state it",
        description="Take the claim of a text and find which sources state it directly, in other words, or the "
        "opposite. Every quote stands in its source, at the characters shown.",
    )
    command.add_argument("text", nargs="?", metavar="TEXT", help="the text, or - to read it from standard input")
    command.add_argument("--workspace", type=given, metavar="FILE", help="the workspace whose texts are searched")
    command.add_argument(
        "--searcher",
        default="corpus",
        type=given,
        metavar="NAME",
        help="corpus, graph, tavily or another (default corpus)",
    )
    command.add_argument(
        "--searcher-option", action="append", default=[], type=option, metavar="K=V", help="an option of the searcher"
    )
    command.add_argument("--source-url", type=given, metavar="URL", help="where the text stands; no source for itself")
    command.add_argument("--template", type=given, metavar="DIR", help="a folder whose templates replace the prompts")
    command.add_argument("--json", action="store_true", help="print the attribution as JSON")
    many = command.add_argument_group("many at once")
    many.add_argument("--file", type=given, metavar="CLAIMS.jsonl", help="one text a line, instead of TEXT")
    many.add_argument("--out", default="out", type=given, metavar="DIR", help="where the files go (default ./out)")
    many.add_argument(
        "--max-failures", type=limit, default=Limit(0), metavar="N|P%", help="failed texts that are fine (default 0)"
    )
    add_model(command)
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Trace one text, or those of a file."""
    from schemacast.attribution.searching import open_searcher

    if (arguments.text is None) == (arguments.file is None):
        raise UsageError("attribute: give one TEXT, or --file CLAIMS.jsonl")
    if arguments.file is not None and (arguments.source_url or arguments.json):
        what = "--source-url" if arguments.source_url else "--json"
        raise UsageError(f"attribute: {what} is for one TEXT; in a file each line has its own source_url")
    searcher = open_searcher(arguments.searcher, workspace=arguments.workspace, options=dict(arguments.searcher_option))
    return _one(arguments, searcher) if arguments.file is None else _many(arguments, searcher)


def _one(arguments: argparse.Namespace, searcher: Searcher) -> int:
    from schemacast.attribution.claim import input_problem
    from schemacast.attribution.flow import atrace
    from schemacast.attribution.report_row import trace_row
    from schemacast.attribution.retrieve import SourceRetriever
    from schemacast.cli.attribution_report import print_trace
    from schemacast.cli.progress import Progress
    from schemacast.threads import run_anywhere

    text = (
        sys.stdin.buffer.read().decode("utf-8", "replace").rstrip("\r\n") if arguments.text == "-" else arguments.text
    )
    problem = input_problem(text)
    if problem:
        raise InputError(problem)
    SourceRetriever(searcher, source_url=arguments.source_url)  # what is wrong with it is told before a model is opened
    asker = _asker(arguments, None)
    with Progress(1, quiet=arguments.quiet, notes=asker.notes, bar=False):
        trace = run_anywhere(lambda: atrace(text, searcher=searcher, model=asker, source_url=arguments.source_url))
    if trace.error is not None:
        raise trace.error
    if arguments.json:
        print(json.dumps(trace_row(text, trace), ensure_ascii=False, sort_keys=True, indent=2))
    elif not arguments.quiet:
        print_trace(trace)
    return 1 if trace.status == "failed" else 0


def _many(arguments: argparse.Namespace, searcher: Searcher) -> int:
    from schemacast.attribution.claims_file import read_claims
    from schemacast.attribution.many import trace_many
    from schemacast.cli.attribution_report import print_many
    from schemacast.cli.progress import Progress

    lines = read_claims(arguments.file)
    askers: list[Asker] = []

    def make_asker(replies: Path) -> Asker:
        askers.append(_asker(arguments, replies))
        return askers[0]

    def notes() -> Any:
        return askers[0].notes() if askers else ()

    with Progress(len(lines), quiet=arguments.quiet, notes=notes, of="texts", doing="tracing") as progress:
        report = trace_many(
            lines,
            out=arguments.out,
            searcher=searcher,
            searcher_name=arguments.searcher,
            make_asker=make_asker,
            at_once=arguments.concurrency,
            ended=lambda row: progress.count(str(row["status"])),
        )
    if not arguments.quiet:
        print_many(report, Path(arguments.out))
    return 0 if arguments.max_failures.allows(report.failed, report.texts) else 1


def _asker(arguments: argparse.Namespace, replies: Path | None) -> Asker:
    """The model of the command line. Its replies are kept in --cache, else in the workspace, else in `replies`."""
    from schemacast.attribution.asking import Asker

    return Asker(
        arguments.model,
        base_url=arguments.base_url,
        cache=arguments.cache or (replies if arguments.workspace is None else None),
        replay_only=arguments.replay_only,
        concurrency=arguments.concurrency,
        template=arguments.template,
        model_options=dict(arguments.model_option) or None,
        workspace=arguments.workspace,
    )
