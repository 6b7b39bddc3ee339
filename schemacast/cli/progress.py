"""Progress on standard error: a bar on a terminal, plain lines elsewhere, nothing when quiet."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

    from schemacast.cast.outcome import Outcome

SECONDS_BETWEEN_LINES = 10.0


class Progress:
    """Counts episodes as they end. A context manager; `total` is the number of episodes.

    `of` is the word for what is counted and `doing` for what is done with it.

    `notes` gives what the model has to say about the run; each note is printed once, as soon as it is there.
    Without `bar` only these are shown.
    """

    def __init__(
        self,
        total: int,
        *,
        quiet: bool,
        notes: Callable[[], Sequence[str]] = tuple,
        bar: bool = True,
        of: str = "episodes",
        doing: str = "casting",
    ) -> None:
        self._of = of
        self._doing = doing
        self._total = total
        self._wants_bar = bar
        self._notes = notes
        self._told = 0
        self._quiet = quiet
        self._counts: Counter[str] = Counter()
        self._bar: Bar | None = None
        self._task: TaskID | None = None
        self._last_line = time.monotonic()

    def __enter__(self) -> Self:
        if self._wants_bar and not self._quiet and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            self._bar = Bar(
                TextColumn(self._doing),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.description}"),
                TimeRemainingColumn(),
                console=Console(stderr=True),
            )
            self._bar.start()
            self._task = self._bar.add_task("", total=self._total)
        return self

    def __exit__(self, *_: object) -> None:
        self._tell()
        if self._bar is not None:
            self._bar.stop()

    def expect(self, total: int) -> None:
        """How many episodes there are, when that becomes known later."""
        self._total = total
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, total=total)

    def advance(self, outcome: Outcome) -> None:
        """One more episode has ended."""
        self.count(outcome.status)

    def count(self, status: str) -> None:
        """One more has ended, so."""
        self._counts[status] += 1
        if self._quiet:
            return
        self._tell()
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, advance=1, description=self._spelled())
        elif time.monotonic() - self._last_line >= SECONDS_BETWEEN_LINES:
            self._last_line = time.monotonic()
            _say(f"{self._counts.total():,} of {self._total:,} {self._of}: {self._spelled()}")

    def _tell(self) -> None:
        notes = () if self._quiet else self._notes()
        for note in notes[self._told :]:
            line = f"schemacast: note: {note}"
            if self._bar is not None:
                self._bar.console.print(line, markup=False, highlight=False, soft_wrap=True)
            else:
                _say(line)
        self._told = len(notes)

    def _spelled(self) -> str:
        order = ("ok", "partial", "empty", "failed")
        return ", ".join(f"{self._counts[status]:,} {status}" for status in order if self._counts[status])


def _say(line: str) -> None:
    """Nobody who stops listening ends a cast."""
    with suppress(OSError):
        print(line, file=sys.stderr, flush=True)
