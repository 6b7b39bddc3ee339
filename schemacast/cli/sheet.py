"""`schemacast sheet`: what a model is shown of a schema."""

from __future__ import annotations

import argparse

from schemacast.cli.options import Commands


def register(commands: Commands) -> None:
    """Add the command."""
    command: argparse.ArgumentParser = commands.add_parser(
        "sheet", help="print what a model is shown of a schema", description="Print what a model is shown of a schema."
    )
    command.add_argument("file", metavar="FILE", help="a schema file, or lib:NAME")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the sheet."""
    from schemacast.schema.load import load_schema
    from schemacast.schema.sheet import sheet

    print(sheet(load_schema(arguments.file)))
    return 0
