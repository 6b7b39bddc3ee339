"""A provider's model: attempts, waits, counts and the fallback of the reply's form, in one place.

An attempt that fails is judged (`failures`) and then tried again within bounds, given up, or ends the run.
The first answer that refuses the reply's form moves the whole run to a simpler form, once, with a warning.
Each event loop has a run of its own (client, throttle, form), so that one model may be called from several
threads. The client is loaded with the first request, so that a run answered by a cache never needs it.
"""

from __future__ import annotations

import asyncio
import logging
import math
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from schemacast.errors import ModelAccessError, ModelError, ModelUnavailable, RequestFailed, UsageError
from schemacast.llm.endpoint import Endpoint, open_endpoint
from schemacast.llm.failures import AttemptFailed, Failure
from schemacast.llm.protocol import Completion, Message, ReplyType, Tag, Usage
from schemacast.llm.providers import PROVIDERS, check_package, find_key
from schemacast.llm.request_key import RequestKeys, plain_url
from schemacast.llm.throttle import Patience, Throttle
from schemacast.llm.wires import Form, Reading
from schemacast.schema.values import Json

__all__ = ["DEFAULT_TIMEOUT", "ProviderModel", "where"]

DEFAULT_TIMEOUT = 300.0
"""Seconds until an attempt without a complete answer is given up."""

_UNSENT = ("timeout", "proxy")
_OURS = ("messages", "model", "stream", "n")

log = logging.getLogger("schemacast.llm")


@dataclass(slots=True, eq=False)
class _Run:
    """What the calls of one event loop share; `simpler` is how many steps the reply's form has come down."""

    throttle: Throttle
    endpoint: Endpoint | None = None
    simpler: int = 0

    @property
    def forms(self) -> tuple[Form, ...]:
        return self.endpoint.forms if self.endpoint is not None else ()


class ProviderModel:
    """A model at a provider. `notes` lists what the run should be told, once each."""

    def __init__(
        self,
        name: str,
        provider: str,
        model: str,
        *,
        base_url: str | None = None,
        concurrency: int = 8,
        options: Mapping[str, Json] | None = None,
        patience: Patience | None = None,
    ) -> None:
        self.name = name
        self.notes: list[str] = []
        self._provider = provider
        self._model = model
        self._base_url = base_url
        self._concurrency = concurrency
        self._patience = patience or Patience()
        given = dict(options or {})
        self._timeout, self._proxy = _own_options(given)
        self._sent = {option: value for option, value in given.items() if option not in _UNSENT}
        self._keys = RequestKeys(
            model=model, endpoint=plain_url(base_url) if base_url else provider, parameters=self._sent
        )
        self._runs: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, _Run] = weakref.WeakKeyDictionary()

    def check(self) -> None:
        """Whether a request could be made at all: client installed, key there. Loads nothing.

        Raises MissingPackageError, ModelAccessError or UsageError.
        """
        check_package(self._provider)
        find_key(self._provider, base_url=self._base_url)
        kind = PROVIDERS[self._provider]
        takes_url = kind.protocol != "foreign" or self._provider == "azure_openai"
        if self._base_url is not None and not takes_url:
            raise UsageError(f"{self._provider!r} takes no base URL; use openai/MODEL for a compatible endpoint")
        if self._base_url is None and kind.base_url is None and takes_url:
            raise UsageError(f"{self._provider!r} needs the base URL of your own endpoint")

    def request_key(self, messages: Sequence[Message], reply_type: ReplyType) -> str:
        return self._keys.key(messages, reply_type)

    def holds(self, messages: Sequence[Message], reply_type: ReplyType, tag: Tag) -> bool:  # noqa: ARG002
        """Never: every reply is asked for."""
        return False

    async def complete(self, messages: Sequence[Message], reply_type: ReplyType, tag: Tag) -> Completion:
        """See `protocol.Model`. Cancelling is safe at any moment."""
        run = self._this_run()
        throttle = run.throttle
        attempts, usage = 0, Usage()
        while True:
            try:
                entered = await throttle.enter(again=attempts > 0)
            except ModelError as error:
                raise _counted(error, attempts, usage) from None
            simpler = run.simpler
            try:
                endpoint = run.endpoint or self._open(run)
                attempts += 1
                reading = await endpoint.ask(messages, reply_type, endpoint.forms[simpler])
                throttle.went_well()
                return _completion(reading, usage, attempts)
            except AttemptFailed as attempt:
                failure = attempt.failure
                usage += failure.usage
                if failure.kind == "form" and self._can_simplify(simpler, failure, tag, run):
                    continue
                if failure.kind == "refused":
                    throttle.answered()
                    return Completion(failure.message, "refused", usage, self._model, attempts)
                try:
                    wait = self._wait_or_raise(failure, attempts, entered, tag, throttle)
                except ModelError as error:
                    raise _counted(error, attempts, usage) from None
            except ModelAccessError as error:
                throttle.stop(error)
                raise
            finally:
                throttle.leave()
            if wait:
                await asyncio.sleep(wait)

    def resume(self) -> None:
        """Try again after an outage that ended every call: what stopped the run is forgotten."""
        run = self._runs.get(asyncio.get_running_loop())
        if run is not None:
            run.throttle.resume()

    async def aclose(self) -> None:
        """End the run of this event loop and close its connections; the next call begins a new one."""
        run = self._runs.pop(asyncio.get_running_loop(), None)
        if run is not None and run.endpoint is not None:
            await run.endpoint.aclose()

    def _this_run(self) -> _Run:
        loop = asyncio.get_running_loop()
        run = self._runs.get(loop)
        if run is None:
            run = self._runs[loop] = _Run(Throttle(self._concurrency))
        return run

    def _open(self, run: _Run) -> Endpoint:
        self.check()
        run.endpoint = open_endpoint(
            self._provider,
            self._model,
            base_url=self._base_url,
            key=find_key(self._provider, base_url=self._base_url),
            options=self._sent,
            timeout=self._timeout,
            proxy=self._proxy,
        )
        return run.endpoint

    def _can_simplify(self, simpler: int, failure: Failure, tag: Tag, run: _Run) -> bool:
        """Whether there is a simpler form to ask for than the one that was just refused."""
        run.throttle.answered()
        if run.simpler > simpler:
            return True
        forms = run.forms
        if simpler + 1 >= len(forms):
            return False
        run.simpler = simpler + 1
        note = (
            f"{self.name} does not take the reply's form as {forms[simpler]}; "
            f"asking for {forms[simpler + 1]} for the rest of the run: {failure.message}"
        )
        if note not in self.notes:
            self.notes.append(note)
        log.warning("%s: %s", where(tag), note)
        return True

    def _wait_or_raise(self, failure: Failure, attempts: int, entered: float, tag: Tag, throttle: Throttle) -> float:
        """The wait of this request alone before its next attempt; shared waits are the throttle's."""
        said = f"{where(tag)}: {self.name}: {failure.message}"
        if failure.kind == "access":
            error = ModelAccessError(f"{self.name}: {failure.message}")
            throttle.stop(error)
            raise error
        if failure.kind != "again":
            throttle.answered()
            raise RequestFailed(said)
        if failure.wait is not None and failure.wait > self._patience.longest_retry_after:
            unavailable = ModelUnavailable(
                f"{self.name}: {failure.message}; it asks to wait {_duration(failure.wait)}, "
                f"more than the {_duration(self._patience.longest_retry_after)} that are waited at most"
            )
            throttle.stop(unavailable)
            raise unavailable
        if attempts >= self._patience.attempts:
            if failure.lasting:
                throttle.answered()
                raise RequestFailed(f"{said} (tried {attempts} times)")
            unavailable = ModelUnavailable(f"{said} (tried {attempts} times)")
            if not throttle.has_answered:
                throttle.stop(unavailable)
            raise unavailable
        chosen = self._patience.wait(attempts)
        wait = chosen if failure.wait is None else failure.wait + min(chosen, 0.1 * failure.wait)
        log.info("%s: attempt %d: %s; again in %.1f s", where(tag), attempts, failure.message, wait)
        if failure.shared:
            throttle.slow_down(wait, entered=entered)
            return 0.0
        return wait


def where(tag: Tag) -> str:
    """What a request is for, as the beginning of a message. Never the item, which is a person's text."""
    named = tag.source_id
    text = "a request" if named is None else named if len(named) <= 80 else named[:79] + "…"
    stage = f" ({tag.stage})" if tag.stage else ""
    return f"{text}{stage}, round {tag.round}" if tag.round else f"{text}{stage}"


def _counted(error: ModelError, attempts: int, usage: Usage) -> ModelError:
    """The error with what the call has cost until then."""
    error.requests = attempts
    error.input_tokens, error.output_tokens = usage.input_tokens, usage.output_tokens
    return error


def _completion(reading: Reading, usage: Usage, attempts: int) -> Completion:
    return Completion(reading.text, reading.finish_reason, usage + reading.usage, reading.model, attempts)


def _own_options(options: Mapping[str, Json]) -> tuple[float, str | None]:
    """Time-out and proxy, which are not sent. Raises UsageError for an option that cannot be."""
    for name in _OURS:
        if name in options:
            raise UsageError(f"model option {name!r} cannot be set: it is part of how a cast works")
    timeout = options.get("timeout", DEFAULT_TIMEOUT)
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0 < timeout < math.inf:
        raise UsageError(f"model option 'timeout' has to be a number of seconds above 0, not {timeout!r}")
    proxy = options.get("proxy")
    if proxy is not None and not isinstance(proxy, str):
        raise UsageError(f"model option 'proxy' has to be a URL, not {proxy!r}")
    return float(timeout), proxy


def _duration(seconds: float) -> str:
    for size, name in ((86400.0 * 365, "years"), (86400.0, "days"), (3600.0, "hours"), (60.0, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {name}" if math.isfinite(seconds) else "forever"
    return f"{seconds:g} seconds"
