"""The planned sources cast, some at a time, each committed as it ends.

There is no order among them: an outcome is in the workspace the moment it is there, and a source that ends in
no outcome simply keeps waiting. While the endpoint is away sources are tried again with growing pauses, until
it has been away for as long as the job waits; then the job stops, and none of them counts as failed. When the
job is told to stop, nothing new is sent, and what is in flight has a while to arrive.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from schemacast.cast.caster import Caster
from schemacast.cast.outcome import Outcome
from schemacast.errors import ModelAccessError, ModelUnavailable, SchemaCastError
from schemacast.jobs.model import Asking, JobModel
from schemacast.jobs.plan import Plan
from schemacast.jobs.stop import NoReply, OverBudget, Stop, StopCasting
from schemacast.workspace.episodes import Ended, Episodes, Row

GRACE = 60.0
"""Seconds that requests in flight have to arrive once the job is told to stop."""
FIRST_PAUSE = 1.0
LONGEST_PAUSE = 30.0


class Outage:
    """How long the endpoint has been away, and whether to wait any longer."""

    def __init__(self, wait: float, *, ever_answered: bool, say: Callable[[str], None]) -> None:
        self._wait = wait
        self._ever_answered = ever_answered
        self._say = say
        self._since: float | None = None
        self._pause = FIRST_PAUSE

    def answered(self) -> None:
        """The endpoint is there."""
        if self._since is not None:
            self._say(f"the model is back after {time.monotonic() - self._since:.0f} s")
        self._ever_answered = True
        self._since = None
        self._pause = FIRST_PAUSE

    def pause(self, error: ModelUnavailable) -> float:
        """Seconds until it is worth another try. Raises the error when it has been away for too long."""
        now = time.monotonic()
        if self._since is None:
            self._since = now
            if self._ever_answered and self._wait:
                self._say(f"the model is away, trying for {self._wait:.0f} s: {error}")
        left = self._wait - (now - self._since)
        if not self._ever_answered or left <= 0:
            raise error
        pause = min(self._pause, left)
        self._pause = min(LONGEST_PAUSE, 2 * self._pause)
        return pause


class Casting:
    """Casts what a plan holds. `ended` is called with every outcome after it is committed."""

    def __init__(
        self,
        caster: Caster,
        model: JobModel,
        plan: Plan,
        episodes: Episodes,
        *,
        schema_sha: str,
        outage: Outage,
        stop: Stop,
        ended: Callable[[Outcome], None],
    ) -> None:
        self._caster = caster
        self._model = model
        self._plan = plan
        self._episodes = episodes
        self._sha = schema_sha
        self._outage = outage
        self._stop = stop
        self._ended = ended
        self._number = 0

    async def run(self, concurrency: int) -> None:
        """Cast until nothing is left or the job stops; what ended it early is in `stop`."""
        workers = [asyncio.create_task(self._work()) for _ in range(concurrency)]
        try:
            pending: set[asyncio.Task[None]] = set(workers)
            stopping: float | None = None
            while pending:
                done, pending = await asyncio.wait(pending, timeout=0.2)
                for worker in done:
                    worker.result()
                if self._stop:
                    stopping = stopping or time.monotonic()
                    if time.monotonic() - stopping > GRACE:
                        break
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    async def _work(self) -> None:
        while not self._stop:
            found = self._plan.next(self._number)
            if found is None:
                return
            self._number, row, cast_key, attempt, may_ask = found
            asking = self._model.asking[row.source_id] = Asking(attempt, may_ask)
            try:
                outcome = await self._outcome(row)
                if outcome is None:
                    return
                self._commit(row, cast_key, asking, outcome)
            except StopCasting:
                return
            except SchemaCastError as error:
                self._stop.fail(error)
                return
            finally:
                del self._model.asking[row.source_id]
            await asyncio.sleep(0)

    async def _outcome(self, row: Row) -> Outcome | None:
        """The outcome of one source; None when the job stopped while its endpoint was away."""
        episode = self._episodes.episode(row.id)
        while True:
            try:
                outcome = await self._caster.outcome(episode)
            except NoReply as barred:
                if isinstance(barred.error, ModelAccessError):
                    raise barred.error from None
                until = time.monotonic() + self._outage.pause(barred.error)
                while time.monotonic() < until:
                    if self._stop:
                        return None
                    await asyncio.sleep(0.1)
                self._model.resume()
            except OverBudget as error:
                return Outcome(row.source_id, "failed", "over_budget", str(error))
            else:
                if outcome.requests and outcome.reason not in ("request_failed", "over_budget"):
                    self._outage.answered()
                return outcome

    def _commit(self, row: Row, cast_key: str, asking: Asking, outcome: Outcome) -> None:
        ended = Ended(cast_key, asking.request, asking.attempt, asking.replied, self._sha, self._model.name)
        self._episodes.commit(row.id, outcome, ended)
        self._ended(outcome)
