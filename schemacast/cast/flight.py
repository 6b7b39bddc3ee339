"""A cast on its way: the episodes taken in, the tasks in flight, and what ends it.

Episodes are taken one by one and come out in the same order. An error that every further call would meet
stops the cast; an error of the input ends it after what was taken before. Which of the two it is, and when an
endpoint counts as away rather than one request as unlucky, is decided here.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Iterable

from schemacast.cast.outcome import Outcome
from schemacast.episode import Episode
from schemacast.errors import InputError, ModelError

OUTAGES_IN_A_ROW = 8
"""After so many episodes in a row that found the endpoint away, the cast stops instead of failing the rest."""


class Flight:
    """One cast on its way: its input, what ended it, and whether an endpoint is away or one request had no luck.

    `left` is what was finished and not given out when the cast was broken off.
    `ended` is raised after the last outcome: `stopped`, which every further call would meet, or the error of
    the input, which what was taken before it does not mind.
    """

    episode: Episode

    def __init__(self) -> None:
        self.left: list[Outcome] = []
        self.ended: Exception | None = None
        self.stopped: ModelError | InputError | None = None
        self._ever_answered = False
        self._away_in_a_row = 0

    async def take(self, source: AsyncIterator[Episode]) -> bool:
        """Take the next episode; False at the end, or when the input raises."""
        try:
            self.episode = await anext(source)
        except StopAsyncIteration:
            return False
        except Exception as error:  # noqa: BLE001 (raised again when what is in flight has ended)
            self.ended = error
            return False
        return True

    def stop(self, error: ModelError | InputError) -> None:
        """End the cast; `requests` and tokens of the error are those of all episodes that end without an outcome."""
        if self.stopped is None:
            self.stopped = self.ended = error
        elif isinstance(error, ModelError) and isinstance(self.stopped, ModelError):
            self.stopped.requests += error.requests
            self.stopped.input_tokens += error.input_tokens
            self.stopped.output_tokens += error.output_tokens

    def answered(self) -> None:
        self._ever_answered = True
        self._away_in_a_row = 0

    def is_outage(self) -> bool:
        """Whether nothing has ever answered, or nothing answers any more; counts one more that found it away."""
        self._away_in_a_row += 1
        return not self._ever_answered or self._away_in_a_row >= OUTAGES_IN_A_ROW


async def oldest_ready(flight: deque[asyncio.Task[Outcome | None]]) -> list[Outcome]:
    """The oldest outcome, waited for, and those behind it that are ready."""
    await asyncio.wait((flight[0],))
    batch = []
    while flight and flight[0].done():
        outcome = flight.popleft().result()
        if outcome is not None:
            batch.append(outcome)
    return batch


def finished(flight: deque[asyncio.Task[Outcome | None]]) -> list[Outcome]:
    """The outcomes of what is done already; it leaves the flight."""
    done = [task for task in flight if task.done() and not task.cancelled() and task.exception() is None]
    for task in done:
        flight.remove(task)
    return [outcome for task in done if (outcome := task.result()) is not None]


async def once_each(episodes: Iterable[Episode] | AsyncIterable[Episode]) -> AsyncGenerator[Episode]:
    """The episodes; raises InputError at a source id that came before, and at what is no episode."""
    seen: set[bytes] = set()
    async for episode in _asynchronous(episodes):
        if not isinstance(episode, Episode):
            raise InputError(f"{type(episode).__name__} is no Episode; make episodes of rows with episodes_from")
        digest = hashlib.blake2b(episode.source_id.encode(), digest_size=12).digest()
        if digest in seen:
            raise InputError(f"two episodes have the source_id {episode.source_id!r}; each must be unique")
        seen.add(digest)
        yield episode


async def _asynchronous(episodes: Iterable[Episode] | AsyncIterable[Episode]) -> AsyncIterator[Episode]:
    if isinstance(episodes, Episode) or not isinstance(episodes, Iterable | AsyncIterable):
        raise InputError(f"episodes must be an iterable of Episode, not {type(episodes).__name__}")
    if isinstance(episodes, AsyncIterable):
        async for episode in episodes:
            yield episode
    else:
        for episode in episodes:
            yield episode
