"""Progress on standard error: a bar on a terminal, plain lines elsewhere, nothing when quiet."""

from __future__ import annotations

import sys
import time
from collections import Counter
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

    from schemacast.cast.outcome import Outcome

SECONDS_BETWEEN_LINES = 10.0


class Progress:
    """Counts episodes as they end. A context manager; `total` is the number of episodes."""

    def __init__(self, total: int, *, quiet: bool) -> None:
        self._total = total
        self._quiet = quiet
        self._counts: Counter[str] = Counter()
        self._bar: Bar | None = None
        self._task: TaskID | None = None
        self._last_line = time.monotonic()

    def __enter__(self) -> Self:
        if not self._quiet and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            self._bar = Bar(
                TextColumn("casting"),
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
        if self._bar is not None:
            self._bar.stop()

    def expect(self, total: int) -> None:
        """How many episodes there are, when that becomes known later."""
        self._total = total
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, total=total)

    def advance(self, outcome: Outcome) -> None:
        """One more episode has ended."""
        self._counts[outcome.status] += 1
        if self._quiet:
            return
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, advance=1, description=self._spelled())
        elif time.monotonic() - self._last_line >= SECONDS_BETWEEN_LINES:
            self._last_line = time.monotonic()
            print(f"{self._counts.total():,} of {self._total:,} episodes: {self._spelled()}", file=sys.stderr)

    def _spelled(self) -> str:
        order = ("ok", "partial", "empty", "failed")
        return ", ".join(f"{self._counts[status]:,} {status}" for status in order if self._counts[status])
