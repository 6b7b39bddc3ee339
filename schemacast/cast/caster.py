"""Cast episodes: the loop around one model that turns texts into record graphs.

Every episode goes the same way: select a slice, build the messages, ask, read the reply, validate it, and
ask for a repair at most twice. The best round stands. Episodes run concurrently and come out in the order
they went in, with a bounded number in flight, so that memory does not grow with their number. What happens
to one episode never touches another; only an error that every call would meet (key, quota, an endpoint
that stays away, a template that cannot be rendered) ends the whole cast. What is in flight then is waited for
a little while, because it has been paid for, and nothing more is sent.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    AsyncIterator,
    Generator,
    Iterable,
    Mapping,
    Sequence,
)
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from schemacast.cast.flight import Flight, finished, oldest_ready, once_each
from schemacast.cast.outcome import Outcome
from schemacast.cast.prompt import Prompter
from schemacast.cast.reply_type import reply_type
from schemacast.cast.rounds import Request, Rounds
from schemacast.cast.select import select
from schemacast.episode import Episode
from schemacast.errors import InputError, ModelAccessError, ModelError, ModelUnavailable, RequestFailed, UsageError
from schemacast.language.tags import is_locale, locale_problem
from schemacast.llm.open import open_model
from schemacast.llm.protocol import Model, Usage
from schemacast.schema.model import Schema
from schemacast.threads import in_thread

if TYPE_CHECKING:
    from schemacast.records import RecordGraph
    from schemacast.schema.values import Json

log = logging.getLogger("schemacast.cast")

MAX_TEXT = 100_000
"""Characters of text above which an episode fails as `too_long`, unless the caller says otherwise."""

GRACE_SECONDS = 10.0
"""How long the requests in flight are waited for when the cast has to stop."""


@dataclass(frozen=True, slots=True)
class CastResult:
    """Every outcome of a cast, in episode order."""

    outcomes: tuple[Outcome, ...]

    @property
    def graphs(self) -> list[RecordGraph]:
        """The record graphs of the episodes that did not fail."""
        return [outcome.graph for outcome in self.outcomes if outcome.graph is not None]

    def rows(self, table: str) -> list[dict[str, Json]]:
        """Flat dicts of one output table, as its file has them, ready for a frame.

        `table` is `groundings`, `episodes`, `quarantine` or `unmapped`. Raises UnknownNameError for another.
        """
        from schemacast.cast.output import table_rows

        return [row for outcome in self.outcomes for row in table_rows(table, outcome)]

    def raise_for_failures(self, *, at_most: int = 0) -> CastResult:
        """Raise RequestFailed when more than `at_most` episodes failed; else the result itself."""
        failed = [outcome for outcome in self.outcomes if outcome.status == "failed"]
        if len(failed) > at_most:
            first = failed[0]
            raise RequestFailed(
                f"{len(failed)} of {len(self.outcomes)} episodes failed; the first is {first.source_id!r}: "
                f"{first.message or first.reason}"
            )
        return self


class Caster:
    """Casts episodes with one schema and one model.

    `model` is `provider/name`, `replay:FILE`, or an object with the methods of `schemacast.llm.protocol.Model`.
    `cache` is a directory for replies; with `replay_only` a request that is not there fails its episode.
    `template` is a directory whose files replace the prompt's templates. `locale` holds where an episode has
    none. `max_text` is the longest text, in characters, that is sent.

    Raises UnknownNameError for an unknown provider, MissingPackageError when its client is not installed,
    ModelAccessError without a key, InputError for a bad replay file or template.
    """

    def __init__(
        self,
        schema: Schema,
        *,
        model: str | Model,
        base_url: str | None = None,
        cache: str | Path | None = None,
        replay_only: bool = False,
        concurrency: int = 8,
        template: str | Path | None = None,
        locale: str | None = None,
        max_text: int = MAX_TEXT,
        model_options: Mapping[str, Json] | None = None,
    ) -> None:
        if concurrency < 1:
            raise InputError(f"concurrency is {concurrency}; it must be 1 or more")
        if locale and not is_locale(locale):
            raise UsageError(locale_problem(locale))
        if not isinstance(schema, Schema):
            raise UsageError(f"schema is of type {type(schema).__name__}; load it with load_schema")
        self.schema = schema
        self._locale = locale or schema.defaults.locale
        self._max_text = max_text
        self._concurrency = concurrency
        self._prompter = Prompter(schema, template=Path(template) if template else None)
        self._owns_model = isinstance(model, str)
        self._running: dict[asyncio.AbstractEventLoop, int] = {}
        self.model: Model = (
            open_model(
                model,
                base_url=base_url,
                cache=Path(cache) if cache else None,
                replay_only=replay_only,
                concurrency=concurrency,
                options=model_options,
            )
            if isinstance(model, str)
            else model
        )

    def notes(self) -> Sequence[str]:
        """What the model has to say about the run so far, once each: a simpler form of reply, a full cache."""
        return getattr(self.model, "notes", ())

    def cast(self, episodes: Iterable[Episode]) -> CastResult:
        """Cast every episode and wait for all. Works inside a running event loop too.

        Raises ModelAccessError when no call can succeed, ModelUnavailable when the endpoint is away.
        """
        return CastResult(tuple(self.stream(episodes)))

    async def acast(self, episodes: Iterable[Episode] | AsyncIterable[Episode]) -> CastResult:
        """`cast` for async code."""
        return CastResult(tuple([outcome async for outcome in self.astream(episodes)]))

    def stream(self, episodes: Iterable[Episode]) -> Generator[Outcome]:
        """The outcomes one by one, in episode order, with a bounded number in flight.

        Inside a running event loop the work runs in a thread with a loop of its own. Closing the iterator
        cancels what is still in flight.
        """
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            batches = self._run(episodes)
        else:
            batches = in_thread(self._run(episodes))
        try:
            for batch in batches:
                yield from batch
        finally:
            batches.close()

    async def astream(self, episodes: Iterable[Episode] | AsyncIterable[Episode]) -> AsyncIterator[Outcome]:
        """`stream` for async code."""
        async with aclosing(self._batches(episodes, Flight())) as batches:
            async for batch in batches:
                for outcome in batch:
                    yield outcome

    def request(self, episode: Episode) -> Request:
        """What is asked first about an episode: the messages and the reply type, without asking."""
        texts = "\n".join([episode.text, *(item.text for item in episode.context)])
        slice_ = select(self.schema, texts, keep=known_types(episode))
        messages = self._prompter.messages(slice_.schema, episode, locale=self.locale_of(episode))
        return Request(slice_.schema, tuple(messages), reply_type(slice_.schema))

    async def outcome(self, episode: Episode) -> Outcome:
        """Cast one episode, for a caller with a loop of its own. The model stays open.

        Raises ModelAccessError when no call can succeed, ModelUnavailable when the endpoint is away.
        """
        return (await self._cast_one(episode))[0]

    @property
    def template_digest(self) -> str:
        """The hash of the templates' sources."""
        return self._prompter.templates.digest

    def is_too_long(self, episode: Episode) -> bool:
        """Whether the episode fails before any request, because of its length."""
        return len(episode.text) > self._max_text

    def locale_of(self, episode: Episode) -> str | None:
        """The locale that an episode is read in: its own, else the caster's, else the schema's."""
        return episode.locale or self._locale

    def _run(self, episodes: Iterable[Episode]) -> Generator[list[Outcome]]:
        """The batches of a whole run, in an event loop of its own that an interrupt stops cleanly.

        What was finished then, behind an episode that was not, comes out before the interrupt is raised.
        """
        with asyncio.Runner() as runner:
            run = Flight()
            batches = self._batches(episodes, run)
            ready: list[Outcome] = []

            async def collect() -> None:  # a runner formats its result while it restores signals: keep it small
                ready.extend(await anext(batches))

            try:
                while True:
                    try:
                        runner.run(collect())
                    except StopAsyncIteration:
                        return
                    batch, ready = ready, []
                    yield batch
            except KeyboardInterrupt:
                yield run.left
                raise
            finally:
                runner.run(batches.aclose())

    async def _batches(
        self, episodes: Iterable[Episode] | AsyncIterable[Episode], run: Flight
    ) -> AsyncGenerator[list[Outcome]]:
        """Outcomes in episode order, as many at a time as are ready; then the error that ended the cast, if one did."""
        flight: deque[asyncio.Task[Outcome | None]] = deque()
        places = asyncio.Semaphore(self._concurrency)
        self._begin()
        try:
            async with aclosing(once_each(episodes)) as source:
                while run.ended is None and await run.take(source):
                    flight.append(asyncio.ensure_future(self._placed(places, run.episode, run)))
                    if len(flight) >= 2 * self._concurrency:
                        yield await oldest_ready(flight)
            while flight and run.stopped is None:
                yield await oldest_ready(flight)
            if flight:
                await asyncio.wait(flight, timeout=GRACE_SECONDS)
                yield finished(flight)
            if run.ended is not None:
                raise run.ended
        finally:
            run.left = finished(flight)
            for task in flight:
                task.cancel()
            await asyncio.gather(*flight, return_exceptions=True)
            await self._end()

    def _begin(self) -> None:
        loop = asyncio.get_running_loop()
        self._running[loop] = self._running.get(loop, 0) + 1

    async def _end(self) -> None:
        """Close the model when this was the last cast of its event loop."""
        loop = asyncio.get_running_loop()
        self._running[loop] -= 1
        if not self._running[loop]:
            del self._running[loop]
            if self._owns_model:
                await self.model.aclose()

    async def _placed(self, places: asyncio.Semaphore, episode: Episode, run: Flight) -> Outcome | None:
        """The episode's outcome; None when the cast had to stop before it had one."""
        async with places:
            if run.stopped is not None:
                return None
            try:
                outcome, refused = await self._cast_one(episode)
            except ModelUnavailable as error:
                if run.is_outage():
                    self._stop(run, episode, error)
                    return None
                log.info("%s: request_failed: %s", episode.source_id, error)
                return Outcome(
                    episode.source_id,
                    "failed",
                    "request_failed",
                    str(error),
                    requests=error.requests,
                    usage=Usage(error.input_tokens, error.output_tokens),
                )
            except (ModelAccessError, InputError) as error:
                self._stop(run, episode, error)
                return None
            run.answered()
            if outcome.status == "failed":
                log.info("%s: %s: %s", outcome.source_id, outcome.reason, outcome.message)
            if refused is not None:
                self._stop(run, episode, refused)
            return outcome

    def _stop(self, run: Flight, episode: Episode, error: ModelError | InputError) -> None:
        if run.stopped is None:
            log.info("%s: the cast stops here: %s", episode.source_id, error)
        run.stop(error)

    async def _cast_one(self, episode: Episode) -> tuple[Outcome, ModelAccessError | None]:
        """The outcome, and the refusal of every further call that a repair met, if one did."""
        if self.is_too_long(episode):
            message = f"the text has {len(episode.text):,} characters; the limit is {self._max_text:,} (--max-text)"
            return Outcome(episode.source_id, "failed", "too_long", message), None
        rounds = Rounds(
            self.model,
            self.request(episode),
            episode,
            locale=self.locale_of(episode),
            timezone=self.schema.defaults.timezone,
            templates=self._prompter.templates,
        )
        outcome = await rounds.run()
        return outcome, rounds.refused


def known_types(episode: Episode) -> list[str]:
    """The vertex types that a slice must keep, since the source itself states vertices of them."""
    return [vertex.type for vertex in episode.known.vertices]
