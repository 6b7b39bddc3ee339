"""The command `schemacast`: parse, hand to one command's module, turn errors into one line and an exit code.

Nothing heavier than argparse is imported before a command is known, so that `--help` is instant. This is
the only place where an error becomes text for a person.
"""

from __future__ import annotations

import argparse
import atexit
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from io import TextIOWrapper
from typing import NoReturn

from schemacast.cli import (
    ask,
    attribute,
    cast,
    demo,
    groundings,
    ingest,
    json_schema,
    lint,
    qa,
    resolve,
    retract,
    sheet,
    status,
    sync,
    try_,
)
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


INTERRUPTED = 128 + signal.SIGINT


class _Parser(argparse.ArgumentParser):
    """Flags are written out, since a script that abbreviates one breaks with the next; a mistake is one line."""

    def __init__(self, **options: object) -> None:
        super().__init__(allow_abbrev=False, **options)  # type: ignore[arg-type]  # argparse's own

    def error(self, message: str) -> NoReturn:
        _say(f"{message}; {self.prog} --help shows what there is")
        raise SystemExit(2)


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = _Parser(
        prog="schemacast",
        description="Cast text into a knowledge graph that points at the characters each part was read from.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"schemacast {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for module in (
        *(cast, ingest, resolve, status, retract, groundings, ask, qa, attribute, sync),
        *(try_, sheet, lint, json_schema, demo),
    ):
        module.register(commands)
    return top


def entry() -> NoReturn:
    """`main` as a whole process: whenever an interrupt comes, the exit code is that of `main`, or 130."""
    code = INTERRUPTED
    with suppress(KeyboardInterrupt):  # one that came after the work, or within the line about another one
        code = main()
    # The work is done; the interpreter is going away, and would take its handler back before the end.
    signal.signal(signal.SIGINT, lambda *_: os._exit(code))
    atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)
    # CPython notes an interrupt that came within code compiled from a string (imports do that), and would in the end
    # kill a process begun with -m by it, although it was dealt with. Running such code again forgets it.
    exec("")
    sys.exit(code)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    try:
        _mend_streams()
        arguments = parser().parse_args(argv)
        _keep_logs_quiet()
        code: int = arguments.run(arguments)
        sys.stdout.flush()
    except SchemaCastError as error:
        _say(str(error))
        return error.exit_code
    except KeyboardInterrupt:
        _say("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        _give_up_output()
        return 128 + signal.SIGPIPE
    except OSError as error:  # whatever names a file says so itself; this is our own output
        _give_up_output()
        _say(f"the output cannot be written: {error.strerror or error}")
        return 3
    return code


def _say(message: str) -> None:
    with suppress(OSError):  # nobody listens any more
        print(f"schemacast: {message}", file=sys.stderr, flush=True)


def _mend_streams() -> None:
    """Make the standard streams take whatever is printed: one that is closed, or that lacks a character."""
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _give_up_output() -> None:
    """Whoever read our output has gone, or it cannot be written; the interpreter must not try again at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _keep_logs_quiet() -> None:
    """What a person should know is said by commands; without a handler Python prints every library's warnings too."""
    import logging

    root = logging.getLogger()
    if not root.handlers:
        root.addHandler(logging.NullHandler())


if __name__ == "__main__":
    entry()
