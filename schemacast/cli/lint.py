"""`schemacast lint`: every mistake of a schema file, with its line."""

from __future__ import annotations

import argparse

from schemacast.cli.options import Commands


def register(commands: Commands) -> None:
    """Add the command."""
    command: argparse.ArgumentParser = commands.add_parser(
        "lint",
        help="check schema files",
        description="Check schema files, and their examples with the validator that replies go through.",
    )
    command.add_argument("files", nargs="+", metavar="FILE", help="a schema file, or lib:NAME")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print a line for each mistake, or that a file is fine. Exit code 2 when there is a mistake."""
    from schemacast.cast.examples import lint_schema

    wrong = 0
    for file in arguments.files:
        problems = lint_schema(file)
        mistaken = any(not problem.hint for problem in problems)
        wrong += mistaken
        for problem in problems:
            print(problem)
        if not mistaken:
            print(f"{file}: ok")
    return 2 if wrong else 0
