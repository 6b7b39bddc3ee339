"""The store during a run: opened before anything is asked, written to now and then, and waited for.

Checkpoints come after a minute, and then so far apart that resolving takes a tenth of the time at most. While
the store is away casting goes on, for as long as the job waits; what was cast is in the workspace anyway.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

from schemacast.errors import SchemaCastError, StoreUnavailable
from schemacast.jobs.stop import Stop
from schemacast.jobs.writing import StoreWriter, Written
from schemacast.threads import apart

T = TypeVar("T")
FIRST_CHECKPOINT = 60.0
SHARE = 10.0
FIRST_PAUSE = 1.0
LONGEST_PAUSE = 15.0


class StoreSide:
    """Writes for a job. `wait`: seconds that the store may be away, in one go."""

    def __init__(self, writer: StoreWriter, *, wait: float, stop: Stop, say: Callable[[str], None]) -> None:
        self._writer = writer
        self._wait = wait
        self._stop = stop
        self._say = say
        self._away_since: float | None = None

    async def is_current(self) -> bool:
        """Whether there is nothing to write. A store that is away may have something to be written."""
        try:
            return await apart(self._writer.is_current)
        except StoreUnavailable as error:
            self._is_away(error)
            return False

    async def begin(self) -> None:
        """Open the store before anything is asked, so that a wrong login costs nothing; one that is away may come."""
        if self._away_since is None:
            try:
                await apart(self._writer.open)
            except StoreUnavailable as error:
                self._is_away(error)

    async def run(self, casting: asyncio.Task[None]) -> Written:
        """Keep the store up to date until the cast is over, and then in full.

        Raises StoreUnavailable when it has been away for too long, which also stops the cast; StoreConflict and
        others at once.
        """
        try:
            await self._patiently(self._writer.open)
            spacing = FIRST_CHECKPOINT
            while True:
                await asyncio.wait((casting,), timeout=spacing)
                begun = time.monotonic()
                if casting.done():
                    return await self._patiently(lambda: self._writer.write())
                await self._patiently(lambda: self._writer.write(place=False))
                spacing = max(FIRST_CHECKPOINT, SHARE * (time.monotonic() - begun))
        except SchemaCastError as error:
            self._stop.fail(error)
            await asyncio.wait((casting,))
            raise

    async def _patiently(self, work: Callable[[], T]) -> T:
        """The result of `work`, tried again while the store is away."""
        pause = FIRST_PAUSE
        while True:
            try:
                result = await apart(work)
            except StoreUnavailable as error:
                left = self._is_away(error)
                if left <= 0 or self._stop.why == "interrupted":
                    raise
                await self._sleep(min(pause, left))
                pause = min(LONGEST_PAUSE, 2 * pause)
            else:
                if self._away_since is not None:
                    self._say(f"the store is back after {time.monotonic() - self._away_since:.0f} s")
                    self._away_since = None
                return result

    def _is_away(self, error: StoreUnavailable) -> float:
        """Seconds that are left to wait for the store."""
        now = time.monotonic()
        if self._away_since is None:
            self._away_since = now
            if self._wait:
                self._say(f"the store is away, trying for {self._wait:.0f} s: {error}")
        return self._wait - (now - self._away_since)

    async def _sleep(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until and self._stop.why != "interrupted":
            await asyncio.sleep(min(0.2, seconds))
