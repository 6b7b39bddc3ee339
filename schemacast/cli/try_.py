"""`schemacast try`: what one text gives, at once."""

from __future__ import annotations

import argparse
import sys

from schemacast.cli.options import Commands, add_casting, add_model, caster_options, given

SOURCE_ID = "text"


def register(commands: Commands) -> None:
    """Add the command."""
    command: argparse.ArgumentParser = commands.add_parser(
        "try",
        help="show what one text gives",
        description="Cast one text and show each item with its quote marked in the text, what was removed and "
        "why, and what was mended. In a replay file the text's source_id is `text`.",
    )
    command.add_argument("schema", type=given, metavar="S", help="a schema file, or lib:NAME")
    command.add_argument("--text", required=True, metavar="TEXT", help="the text, or - to read it from standard input")
    command.add_argument("--reference-time", metavar="TIME", help="what relative dates are relative to (ISO 8601)")
    add_casting(command)
    add_model(command)
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Cast the text and show it."""
    from schemacast.cast.caster import Caster
    from schemacast.cli.progress import Progress
    from schemacast.cli.show import print_outcome
    from schemacast.episode_reader import episode_from_fields
    from schemacast.schema.load import load_schema

    schema = load_schema(arguments.schema)
    text = sys.stdin.buffer.read().decode("utf-8", "replace") if arguments.text == "-" else arguments.text
    fields = {"source_id": SOURCE_ID, "text": text}
    if arguments.reference_time:
        fields["reference_time"] = arguments.reference_time
    episode = episode_from_fields(fields)
    caster = Caster(schema, **caster_options(arguments))
    with Progress(1, quiet=arguments.quiet, notes=caster.notes, bar=False):
        outcome = caster.cast([episode]).outcomes[0]
    if not arguments.quiet:
        print_outcome(outcome, episode, schema)
    return 1 if outcome.status == "failed" else 0
