"""`schemacast json-schema`: the JSON Schema of the schema file format, for editors."""

from __future__ import annotations

import argparse
import json

from schemacast.cli.options import Commands


def register(commands: Commands) -> None:
    """Add the command."""
    command: argparse.ArgumentParser = commands.add_parser(
        "json-schema",
        help="print the JSON Schema of schema files",
        description="Print the JSON Schema of schema files. An editor with a YAML language server completes and "
        "checks a file whose first line is: # yaml-language-server: $schema=FILE",
    )
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:  # noqa: ARG001 (every command has this shape)
    """Print it."""
    from schemacast.schema.json_schema import json_schema

    print(json.dumps(json_schema(), ensure_ascii=False, indent=2))
    return 0
