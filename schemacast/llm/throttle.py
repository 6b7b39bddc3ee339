"""When a request may be sent: one place that all workers of a run pass through.

The first request goes alone, until the endpoint has answered it; then up to `concurrency` are in flight.
When the endpoint asks for patience nobody sends before the wait is over, and the number in flight is halved,
once for each round of refusals; every success lets it grow back, by about one for each full round.
Requests that are tried again go before new ones. What no call can get past (a wrong key) stops the run:
calls that wait, or come later, end with the same error and send nothing.
"""

from __future__ import annotations

import asyncio
import random
from collections import deque
from dataclasses import dataclass

from schemacast.errors import ModelError

__all__ = ["Patience", "Throttle"]


@dataclass(frozen=True, slots=True)
class Patience:
    """How long and how often one request is tried. Times in seconds.

    `longest_wait` bounds the waits chosen here, `longest_retry_after` those that a provider asks for:
    beyond it the request is given up instead.
    """

    attempts: int = 5
    first_wait: float = 0.5
    longest_wait: float = 30.0
    longest_retry_after: float = 120.0

    def wait(self, attempts: int) -> float:
        """The wait after so many attempts: doubling, up to half of it left out at random."""
        longest = min(self.longest_wait, self.first_wait * 2.0 ** (attempts - 1))
        return longest * random.uniform(0.5, 1.0)


class Throttle:
    """The gate of one run in one event loop. `enter` before a request is sent, `leave` after its answer."""

    def __init__(self, concurrency: int) -> None:
        self._most = max(1, concurrency)
        self._limit = float(self._most)
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._open_at = 0.0
        self._halved_at = 0.0
        self._active = 0
        self._answered = False
        self._stopped: ModelError | None = None

    @property
    def limit(self) -> int:
        """How many requests may be in flight now."""
        return int(self._limit) if self._answered else 1

    async def enter(self, *, again: bool = False) -> float:
        """Wait for a turn; the time of entry, for `slow_down`. Raises what the run was stopped with."""
        if self._stopped is not None:
            raise _copy(self._stopped)
        if not self._waiting and self._active < self.limit and self._loop.time() >= self._open_at:
            self._active += 1
            return self._loop.time()
        turn: asyncio.Future[None] = self._loop.create_future()
        if again:
            self._waiting.appendleft(turn)
        else:
            self._waiting.append(turn)
        self._call_next()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                self.leave()
            raise
        return self._loop.time()

    def leave(self) -> None:
        """The request that entered is over, well or not."""
        self._active -= 1
        self._call_next()

    def answered(self) -> None:
        """The endpoint answered in a way that says nothing against the next request: others may go too."""
        self._answered = True

    def went_well(self) -> None:
        """A reply came: the number in flight may grow."""
        self._answered = True
        if self._limit < self._most:
            self._limit = min(float(self._most), self._limit + 1.0 / self._limit)

    def slow_down(self, wait: float, *, entered: float) -> None:
        """Nobody sends for `wait` seconds; fewer at once then, unless that was done since `entered`."""
        now = self._loop.time()
        self._open_at = max(self._open_at, now + wait)
        if entered >= self._halved_at:
            self._limit = max(1.0, self._limit / 2.0)
            self._halved_at = now

    def stop(self, error: ModelError) -> None:
        """End the run: every call that waits or comes later raises this error."""
        if self._stopped is None:
            self._stopped = error
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_exception(_copy(error))

    def resume(self) -> None:
        """Let calls be tried again after `stop`; as at the beginning, the first goes alone."""
        self._stopped = None
        self._answered = False

    @property
    def has_answered(self) -> bool:
        return self._answered

    def _call_next(self) -> None:
        while self._waiting and self._active < self.limit:
            wait = self._open_at - self._loop.time()
            if wait > 0:
                if self._timer is None:
                    self._timer = self._loop.call_later(wait, self._time_is_up)
                return
            turn = self._waiting.popleft()
            if not turn.done():
                self._active += 1
                turn.set_result(None)

    def _time_is_up(self) -> None:
        self._timer = None
        self._call_next()


def _copy(error: ModelError) -> ModelError:
    """An error of its own for each task that raises it: tracebacks are kept on the instance."""
    return type(error)(*error.args)
