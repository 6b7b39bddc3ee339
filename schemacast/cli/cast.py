"""`schemacast cast`: episodes in, a graph and its files out."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from schemacast.cli.options import Commands, Limit, add_casting, add_model, caster_options, given, limit

if TYPE_CHECKING:
    from schemacast.episode_reader import EpisodeFile
    from schemacast.schema.model import Schema


def register(commands: Commands) -> None:
    """Add the command."""
    command: argparse.ArgumentParser = commands.add_parser(
        "cast",
        help="cast episodes into a graph",
        description="Cast every episode of a JSON Lines file and write the graph, with its evidence, to OUT.",
    )
    command.add_argument("--schema", required=True, type=given, metavar="S", help="a schema file, or lib:NAME")
    command.add_argument("--episodes", required=True, type=given, metavar="E.jsonl", help="one episode a line")
    command.add_argument("--out", default="out", type=given, metavar="DIR", help="where the files go (default ./out)")
    command.add_argument(
        "--to", type=given, metavar="ADDRESS", help="the store that is added to (default: a new OUT/graph.json)"
    )
    add_casting(command)
    command.add_argument(
        "--max-failures", type=limit, default=Limit(0), metavar="N|P%", help="failed episodes that are fine (default 0)"
    )
    command.add_argument("--dry-run", action="store_true", help="count what would be asked, and ask nothing")
    add_model(command)
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Cast, print what happened, and say by the exit code whether that was all right."""
    from pathlib import Path

    from schemacast.cast.caster import Caster
    from schemacast.cli.progress import Progress
    from schemacast.cli.report import print_report
    from schemacast.episode_reader import read_episodes
    from schemacast.run import cast_to_files
    from schemacast.schema.load import load_schema

    schema = load_schema(arguments.schema)
    episodes = read_episodes(arguments.episodes, schema=schema)
    options = caster_options(arguments)
    if arguments.dry_run:
        return _dry_run(schema, episodes, options)
    caster = Caster(schema, **options)
    with Progress(len(episodes), quiet=arguments.quiet, notes=caster.notes) as progress:
        report = cast_to_files(caster, episodes, out=Path(arguments.out), to=arguments.to, progress=progress.advance)
    if not arguments.quiet:
        print_report(report, episodes=len(episodes))
    if report.stopped is not None:
        raise report.stopped
    if report.write.refused or not arguments.max_failures.allows(report.failed, len(episodes)):
        return 1
    return 0


def _dry_run(schema: Schema, episodes: EpisodeFile, options: dict[str, Any]) -> int:
    """Say how many requests and about how many tokens a cast would take at least; needs no key."""
    from schemacast.cast.caster import Caster
    from schemacast.cli.plain import number
    from schemacast.llm.open import look_at_model
    from schemacast.llm.protocol import Tag

    model = look_at_model(
        options.pop("model"),
        base_url=options.pop("base_url"),
        cache=options.pop("cache"),
        replay_only=options.pop("replay_only"),
        options=options.pop("model_options"),
    )
    caster = Caster(schema, model=model, **options)
    asked = cached = long = characters = 0
    for episode in episodes:
        if caster.is_too_long(episode):
            long += 1
            continue
        request = caster.request(episode)
        if model.holds(request.messages, request.reply_type, Tag(episode.source_id)):
            cached += 1
            continue
        asked += 1
        characters += sum(len(message["content"]) for message in request.messages) + len(request.reply_type.text)
    too_long = f", {long:,} too long" if long else ""
    print(f"{number(len(episodes), 'episode')}: {asked:,} to ask, {cached:,} with a reply at hand{too_long}")
    print(f"about {characters // 4:,} input tokens, repairs not counted")
    return 0
