"""Where commands print for a person: standard output as rich shows it, without rich's own way to end.

A reader that goes away ends a command in one place, whatever was being printed.
"""

from __future__ import annotations

from typing import NoReturn

from rich.console import Console


class Output(Console):
    """Standard output."""

    def __init__(self, *, soft_wrap: bool = False) -> None:
        super().__init__(highlight=False, soft_wrap=soft_wrap)

    def on_broken_pipe(self) -> NoReturn:
        """rich would end the process with code 1."""
        raise BrokenPipeError
