"""The model as a job asks it: replies at hand first, each request once, within what may be spent.

It stands where every model stands, so that the stages know nothing of it. A reply that the workspace keeps is
given out for nothing; a recorded one is read from its file. Two sources with the same request share one.
Before a request is sent its cost is reserved: the tokens of its text and of an average reply. When that would
exceed the limit, or the job is stopping, the cast of that episode ends without an outcome.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from schemacast.errors import ModelAccessError, ModelError, ModelUnavailable, RequestFailed
from schemacast.jobs.options import Price
from schemacast.jobs.stop import NoReply, OverBudget, Stop, StopCasting
from schemacast.llm.cache import ReplyCache
from schemacast.llm.client import where
from schemacast.llm.protocol import Completion, Message, Model, ReplyType, Tag, Usage
from schemacast.llm.request_key import replace_surrogates, shown_key
from schemacast.workspace.replies import Replies

CHARACTERS_A_TOKEN = 4
FIRST_GUESS = 400.0
"""Tokens of a reply, before one has been seen."""


@dataclass(slots=True)
class Asking:
    """How one source may be asked. `request` is set to the key of its first request, `replied` when one came."""

    attempt: int = 0
    may_ask: bool = True
    request: str | None = None
    replied: bool = False


class Spending:
    """What a run has spent, and what it still may."""

    def __init__(self, price: Price | None, limit: float | None, mean_output: float | None) -> None:
        self._price = price
        self._limit = limit
        self._reserved = 0.0
        self._mean = mean_output or FIRST_GUESS
        self._replies = 0
        self.usage = Usage()
        self.requests = 0

    @property
    def cost(self) -> float | None:
        """US dollars spent, None without a price."""
        return self._price.cost(self.usage.input_tokens, self.usage.output_tokens) if self._price else None

    def estimate(self, characters: int) -> float:
        """US dollars that a request of so many characters will about cost; 0 without a price."""
        return self._price.cost(characters / CHARACTERS_A_TOKEN, self._mean) if self._price else 0.0

    def check(self, amount: float) -> None:
        """Raises OverBudget for an amount that could not be spent though nothing else were. A limit of 0 is a stop."""
        if self._limit and amount > self._limit:
            raise OverBudget(f"a request about it costs some ${amount:,.4f}, and --max-cost is ${self._limit:,.4f}")

    def reserve(self, amount: float) -> bool:
        """Set an amount aside; False when that would exceed the limit."""
        if self._limit is not None and (self.cost or 0.0) + self._reserved + amount > self._limit:
            return False
        self._reserved += amount
        return True

    def settle(self, amount: float, usage: Usage, requests: int) -> None:
        """A request is over: what was set aside becomes what it took."""
        self._reserved -= amount
        self.usage += usage
        self.requests += requests
        if usage.output_tokens:
            self._replies += 1
            self._mean += (usage.output_tokens - self._mean) / (self._replies + 1)


class JobModel:
    """A model behind the replies of a workspace. `asking` says by source how it may be asked."""

    def __init__(
        self,
        model: Model,
        replies: Replies,
        *,
        spending: Spending,
        stop: Stop,
        cache: ReplyCache | None = None,
        replay_only: bool = False,
    ) -> None:
        self.name = model.name
        self.asking: dict[str, Asking] = {}
        self._model = model
        self._replies = replies
        self._spending = spending
        self._stop = stop
        self._cache = cache
        self._replay_only = replay_only
        self._notes: list[str] = []
        self._flying: dict[tuple[str, int], asyncio.Future[Completion]] = {}

    @property
    def notes(self) -> list[str]:
        """What the run should be told about the model."""
        return [*getattr(self._model, "notes", ()), *self._notes]

    def request_key(self, messages: Sequence[Message], reply_type: ReplyType) -> str:
        return self._model.request_key(messages, reply_type)

    def holds(self, messages: Sequence[Message], reply_type: ReplyType, tag: Tag) -> bool:
        """Whether the reply is at hand."""
        if self._model.holds(messages, reply_type, tag):
            return True
        key = self._model.request_key(messages, reply_type)
        if self._replies.holds(key, self._asked(tag).attempt):
            return True
        return self._cache is not None and self._cache.read(key) is not None

    async def complete(self, messages: Sequence[Message], reply_type: ReplyType, tag: Tag) -> Completion:
        asked = self._asked(tag)
        key = self._model.request_key(messages, reply_type)
        if asked.request is None:
            asked.request = key
        completion = self._at_hand(key, asked.attempt, tag, recorded=self._model.holds(messages, reply_type, tag))
        while completion is None:
            flying = self._flying.get((key, asked.attempt))
            if flying is None:
                completion = await self._ask(key, asked, messages, reply_type, tag)
                break
            await asyncio.wait((flying,))
            if not flying.cancelled() and flying.exception() is None:
                self._replies.use(key, asked.attempt, tag.source_id)
                completion = replace(flying.result(), usage=Usage(), requests=0, cached=True)
        asked.replied = True
        return completion

    async def aclose(self) -> None:
        await self._model.aclose()

    def resume(self) -> None:
        """Let a model that stopped because its endpoint was away try again."""
        resume = getattr(self._model, "resume", None)
        if resume is not None:
            resume()

    def _asked(self, tag: Tag) -> Asking:
        return self.asking.get(tag.source_id or "") or Asking()

    def _at_hand(self, key: str, attempt: int, tag: Tag, *, recorded: bool) -> Completion | None:
        """A reply that needs no request. One that a replay file holds is left to it."""
        if recorded:
            return None
        kept = self._replies.read(key, attempt)
        if kept is not None:
            self._replies.use(key, attempt, tag.source_id)
        elif self._cache is not None and attempt == 0:
            kept = self._cache.read(key)
            if kept is not None:
                self._replies.keep(key, attempt, kept, tag.source_id)
        return kept

    async def _ask(
        self, key: str, asked: Asking, messages: Sequence[Message], reply_type: ReplyType, tag: Tag
    ) -> Completion:
        """Ask the model, keep the reply, and let whoever waits for the same have it."""
        free = self._model.holds(messages, reply_type, tag)
        amount = 0.0
        if not free:
            self._check(key, asked, tag)
            amount = self._spending.estimate(sum(len(message["content"]) for message in messages))
            self._spending.check(amount)
            if not self._spending.reserve(amount):
                self._stop.set("max_cost")
                raise StopCasting
        flying = self._flying[key, asked.attempt] = asyncio.get_running_loop().create_future()
        usage, requests = Usage(), 0
        try:
            completion = await self._model.complete(messages, reply_type, tag)
            usage, requests = completion.usage, completion.requests
            # What is kept is UTF-8, and what is used now is what is kept.
            if (text := replace_surrogates(completion.text)) != completion.text:
                completion = replace(completion, text=text)
            self._replies.keep(key, asked.attempt, completion, tag.source_id)
            flying.set_result(completion)
        except BaseException as error:
            flying.cancel()
            if isinstance(error, ModelError):
                usage, requests = Usage(error.input_tokens, error.output_tokens), error.requests
            if isinstance(error, ModelUnavailable | ModelAccessError):
                raise NoReply(error) from error
            raise
        finally:
            del self._flying[key, asked.attempt]
            self._spending.settle(amount, usage, requests)
        if self._cache is not None and not free:
            self._write_to_cache(key, completion)
        return completion

    def _write_to_cache(self, key: str, completion: Completion) -> None:
        """The workspace has the reply already; a cache that cannot be written is told once."""
        try:
            if self._cache is not None:
                self._cache.write(key, completion)
        except OSError as error:
            self._cache = None
            self._notes.append(
                f"the cache cannot be written ({error.strerror or error}); the workspace has the replies"
            )

    def _check(self, key: str, asked: Asking, tag: Tag) -> None:
        """Whether a request may be made at all."""
        if self._stop:
            raise StopCasting
        missing = f"{where(tag)}: no reply is kept for request {shown_key(key)}"
        if self._replay_only:
            raise RequestFailed(f"{missing}, and none may be asked for")
        if not asked.may_ask:
            raise RequestFailed(f"{missing}; --recast changed asks for it")
