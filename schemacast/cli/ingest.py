"""`schemacast ingest`: cast what is new or changed, and bring a store up to date. Can be killed at any moment."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from typing import TYPE_CHECKING, Any

from schemacast.cli.options import Commands, Limit, add_casting, add_model, given, limit, price

if TYPE_CHECKING:
    from pathlib import Path

    from schemacast.episode_reader import EpisodeFile
    from schemacast.jobs.options import JobOptions
    from schemacast.jobs.report import JobReport
    from schemacast.schema.model import Schema


def register(commands: Commands) -> None:
    """Add the command."""
    command: argparse.ArgumentParser = commands.add_parser(
        "ingest",
        help="cast episodes into a store, resuming where the last run ended",
        description="Cast the episodes that are new or changed, and write to the store what differs from what it "
        "has. Everything is kept in the workspace, so that the command can be interrupted or killed at any moment "
        "and run again: nothing is asked twice.",
    )
    command.add_argument("--schema", required=True, type=given, metavar="S", help="a schema file, or lib:NAME")
    command.add_argument("--episodes", required=True, type=given, metavar="E.jsonl", help="one episode a line")
    command.add_argument(
        "--to", required=True, type=given, metavar="ADDRESS", help="the store: networkx:FILE, neo4j://HOST/DB, …"
    )
    command.add_argument(
        "--workspace", required=True, type=given, metavar="FILE", help="what is kept between runs; made when new"
    )
    _add_limits(command)
    _add_choices(command)
    add_casting(command)
    add_model(command)
    command.add_argument("--dry-run", action="store_true", help="count what would be asked, and ask nothing")
    command.add_argument("--report", type=given, metavar="FILE", help="write the report to a file, as JSON")
    command.add_argument("--json", action="store_true", help="print the report as JSON")
    command.set_defaults(run=run)


def _add_limits(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("limits")
    group.add_argument("--max-cost", type=_amount, metavar="USD", help="stop before this much is spent; needs --price")
    group.add_argument("--price", type=price, metavar="IN,OUT", help="US dollars for a million tokens, in and out")
    group.add_argument("--max-time", type=_duration, metavar="D", help="stop after this long, such as 2h30m")
    group.add_argument(
        "--max-failures", type=limit, default=Limit(0), metavar="N|P%", help="failed episodes that are fine (default 0)"
    )
    group.add_argument(
        "--wait",
        type=_duration,
        default=300.0,
        metavar="SECONDS",
        help="how long the store or the endpoint may be away (default 300)",
    )


def _add_choices(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("what is asked again")
    group.add_argument(
        "--retry",
        nargs="+",
        default=[],
        metavar="failed|partial|SOURCE_ID",
        help="ask again about these (failures that brought no reply are tried again anyway)",
    )
    group.add_argument(
        "--recast",
        choices=("none", "changed", "all"),
        default="none",
        help="ask again though the text is the same: never, where the request has changed, always",
    )
    group.add_argument("--prune", action="store_true", help="retract the sources that the episodes no longer hold")
    group.add_argument(
        "--prune-limit",
        type=_share,
        default=0.1,
        metavar="P%",
        help="refuse to prune more than this share of all sources (default 10%%)",
    )
    group.add_argument(
        "--existing",
        choices=("adopt", "refuse"),
        default="adopt",
        help="nodes of our types that someone else loaded: merge with them by key, or stop",
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the job, print what happened, and say by the exit code whether that was all right."""
    from pathlib import Path

    from schemacast.episode_reader import read_episodes
    from schemacast.jobs.entry import make_options
    from schemacast.schema.load import load_schema

    schema = load_schema(arguments.schema)
    episodes = read_episodes(arguments.episodes, schema=schema)
    options = make_options(**_options(arguments))
    if arguments.dry_run:
        return _dry_run(arguments, schema, episodes, options)
    report = _run(arguments, schema, episodes, options)
    if arguments.report:
        _write_report(Path(arguments.report), report)
    if arguments.json:
        print(json.dumps(report.to_json(), ensure_ascii=False, sort_keys=True, indent=2))
    elif not arguments.quiet:
        from schemacast.cli.job_report import print_job_report

        print_job_report(report)
    return _exit_code(arguments, report)


def _run(arguments: argparse.Namespace, schema: Schema, episodes: EpisodeFile, options: JobOptions) -> JobReport:
    from schemacast.cli.progress import Progress
    from schemacast.jobs.entry import run_job
    from schemacast.jobs.job import Job

    progress = Progress(0, quiet=arguments.quiet)

    def say(text: str) -> None:
        if not arguments.quiet:
            print(f"schemacast: {text}", file=sys.stderr)

    job = Job(
        schema,
        episodes,
        model=arguments.model,
        to=arguments.to,
        workspace=arguments.workspace,
        options=options,
        say=say,
        planned=progress.expect,
        ended=progress.advance,
    )
    stopping = "stopping: what is in flight may still arrive; interrupt again to end at once"
    with progress:
        return run_job(job, signals=(signal.SIGINT, signal.SIGTERM), said=lambda: say(stopping))


def _exit_code(arguments: argparse.Namespace, report: JobReport) -> int:
    if report.error is not None:
        raise report.error
    if report.stopped == "interrupted":
        raise KeyboardInterrupt
    if report.stopped is not None:
        return 5
    return 0 if arguments.max_failures.allows(report.failed, report.read) else 1


def _dry_run(arguments: argparse.Namespace, schema: Schema, episodes: EpisodeFile, options: JobOptions) -> int:
    from schemacast.cli.job_report import print_forecast
    from schemacast.jobs.dry_run import forecast

    counted = forecast(schema, episodes, model=arguments.model, workspace=arguments.workspace, options=options)
    if arguments.json:
        print(json.dumps(counted.to_json(), ensure_ascii=False, sort_keys=True, indent=2))
    else:
        print_forecast(counted)
    return 0


def _options(arguments: argparse.Namespace) -> dict[str, Any]:
    names = (
        "base_url",
        "cache",
        "replay_only",
        "concurrency",
        "template",
        "locale",
        "max_text",
        "max_cost",
        "price",
        "max_time",
        "wait",
        "retry",
        "recast",
        "prune",
        "prune_limit",
        "existing",
    )
    return {**{name: getattr(arguments, name) for name in names}, "model_options": dict(arguments.model_option)}


def _write_report(path: Path, report: JobReport) -> None:
    from schemacast.cast.output import disk_errors

    with disk_errors(str(path)):
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(report.to_json(), ensure_ascii=False, sort_keys=True, indent=2)
        path.write_text(text + "\n", encoding="utf-8", errors="backslashreplace")


def _amount(text: str) -> float:
    try:
        amount = float(text.removeprefix("$"))
    except ValueError:
        amount = -1.0
    if not 0 <= amount < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no amount of dollars")
    return amount


def _duration(text: str) -> float:
    from schemacast.jobs.options import parse_duration

    try:
        return parse_duration(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _share(text: str) -> float:
    try:
        share = float(text.removesuffix("%")) / 100
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no share such as 10%")
    return share
