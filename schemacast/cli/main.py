"""The command `schemacast`: parse, hand to one command's module, turn errors into one line and an exit code.

Nothing heavier than argparse is imported before a command is known, so that `--help` is instant. This is
the only place where an error becomes text for a person.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence

from schemacast.cli import cast, demo, groundings, ingest, json_schema, lint, retract, sheet, status, sync, try_
from schemacast.errors import SchemaCastError
from schemacast.version import __version__

EXIT_CODES = """\
exit codes:
  0  done
  1  done, but an episode failed or a write was refused (beyond --max-failures)
  2  wrong usage or input
  3  try again later: endpoint or store unreachable, locked, disk full
  4  a person must act: key, quota, permission, constraint conflict
  5  stopped with work left
130  interrupted
"""


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = argparse.ArgumentParser(
        prog="schemacast",
        description="Cast text into a knowledge graph that points at the characters each part was read from.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"schemacast {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for module in (cast, ingest, status, retract, groundings, sync, try_, sheet, lint, json_schema, demo):
        module.register(commands)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    arguments = parser().parse_args(argv)
    try:
        code: int = arguments.run(arguments)
        sys.stdout.flush()
    except SchemaCastError as error:
        print(f"schemacast: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("schemacast: interrupted", file=sys.stderr)
        return 128 + signal.SIGINT
    except BrokenPipeError:
        # Whoever read our output has gone; nothing is left to say, and the interpreter must not try at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    return code


if __name__ == "__main__":
    sys.exit(main())
