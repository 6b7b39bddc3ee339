"""One attempt at a provider: what goes out, and what comes back as a reading or a failure.

`HttpEndpoint` sends bytes through the provider's own client, with that client's retries at 0, and reads the
raw answer. It hands the client an HTTP connection pool of ours that follows no redirects (a key could go
astray) and takes no proxy from the environment. The client builds the requests until one is answered well;
those after it differ in the body alone, and go to the pool without being built anew. It neither waits nor
tries again: that is decided elsewhere, for all workers at once. What the client itself would log about our
requests is their whole text; it stays silent.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import logging
import sys
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Protocol

from schemacast.errors import UsageError
from schemacast.llm.failures import AttemptFailed, Failure, KeyMask, judge, unreached
from schemacast.llm.foreign import ForeignEndpoint
from schemacast.llm.protocol import Message, ReplyType
from schemacast.llm.providers import PROVIDERS, open_instructor
from schemacast.llm.request_key import plain_url
from schemacast.llm.wires import ChatWire, Form, MessagesWire, NotAReply, Reading, Wire
from schemacast.schema.values import Json

__all__ = ["Endpoint", "HttpEndpoint", "open_endpoint"]

CONNECT_TIMEOUT = 15.0

TAKE_OUR_POOL = frozenset(("openai", "databricks"))
"""Where instructor passes a pool on to the client, which then makes none (and loads no certificates) of its own."""
_asking: ContextVar[bool] = ContextVar("asking", default=False)
"""Set while a request of ours is under way, so that a client's log is silenced for these alone."""


class Endpoint(Protocol):
    """A provider behind one attempt."""

    forms: tuple[Form, ...]

    async def ask(self, messages: Sequence[Message], reply_type: ReplyType, form: Form) -> Reading:
        """One attempt. Raises AttemptFailed."""
        ...

    async def aclose(self) -> None: ...


def open_endpoint(
    provider: str,
    model: str,
    *,
    base_url: str | None,
    key: str,
    options: Mapping[str, Json],
    timeout: float,
    proxy: str | None,
) -> Endpoint:
    """Loads the provider's client: the expensive part, done with the first request."""
    kind = PROVIDERS[provider]
    mask = KeyMask(key)
    if kind.protocol == "foreign":
        return ForeignEndpoint(provider, model, base_url=base_url, key=key, options=options, timeout=timeout, mask=mask)
    wire_type = ChatWire if kind.protocol == "chat" else MessagesWire
    wire = wire_type(kind.path, provider=provider, model=model, options=options)
    url = base_url or kind.base_url
    if url is None:
        raise UsageError(f"{provider!r} needs the base URL of your own endpoint")
    if provider == "databricks" and not url.rstrip("/").endswith("/serving-endpoints"):
        url = url.rstrip("/") + "/serving-endpoints"
    return HttpEndpoint(wire, provider, model, url=url, key=key, timeout=timeout, proxy=proxy, mask=mask)


class HttpEndpoint:
    """A provider that speaks one of our two wires."""

    def __init__(
        self,
        wire: Wire,
        provider: str,
        model: str,
        *,
        url: str,
        key: str,
        timeout: float,
        proxy: str | None,
        mask: KeyMask,
    ) -> None:
        self.forms = wire.forms
        self._wire = wire
        self._timeout = timeout
        self._mask = mask
        self._shown = plain_url(url)
        package = PROVIDERS[provider].package
        self._sdk: Any = importlib.import_module(package)
        logging.getLogger(f"{package}._base_client").addFilter(_of_others)
        http = _http_library(self._sdk.DefaultAsyncHttpxClient)
        self._http = http.AsyncClient(
            timeout=None,
            trust_env=False,
            follow_redirects=False,
            proxy=proxy,
            limits=http.Limits(max_connections=None, max_keepalive_connections=100),
            # certificates take a while to load, and nothing is encrypted on the way to an http:// address
            verify=not (url.startswith("http://") and proxy is None),
        )
        given: dict[str, Any] = {"base_url": url} if provider != "anthropic" else {}
        if provider in TAKE_OUR_POOL:
            given["http_client"] = self._http
        client = open_instructor(provider, model, key, **given).client
        self._client = client.with_options(
            api_key=key, base_url=url, max_retries=0, timeout=None, http_client=self._http
        )
        _forget_environment(self._client)
        self._library = http
        self._timeouts = http.Timeout(timeout, connect=min(timeout, CONNECT_TIMEOUT))
        self._pattern: _Pattern | None = None

    async def ask(self, messages: Sequence[Message], reply_type: ReplyType, form: Form) -> Reading:
        body = self._wire.body(messages, reply_type, form)
        sdk = self._sdk
        silent = _asking.set(True)
        try:
            async with asyncio.timeout(self._timeout):
                answer = await self._send(body)
        except sdk.APIStatusError as error:
            response = error.response
            raise AttemptFailed(
                judge(response.status_code, response.headers, response.content, mask=self._mask)
            ) from None
        except (sdk.APITimeoutError, TimeoutError):
            said = f"no answer from {self._shown} within {self._timeout:g} s"
            raise AttemptFailed(unreached(said, timed_out=True, mask=self._mask)) from None
        except sdk.APIConnectionError as error:
            cause = error.__cause__
            why = f"{type(cause).__name__}: {cause}" if cause is not None else str(error)
            said = f"no answer from {self._shown} ({why})"
            raise AttemptFailed(unreached(said, timed_out=False, mask=self._mask)) from None
        finally:
            _asking.reset(silent)
        try:
            return self._wire.read(answer.content)
        except NotAReply as problem:
            raise AttemptFailed(_judge_content(problem, answer.headers, self._mask)) from None

    async def _send(self, body: bytes) -> Any:
        """The answer of status 200 to a request with this body. Raises the errors of the provider's client."""
        if self._pattern is None:
            answer = await self._client.post(
                self._wire.path,
                cast_to=self._library.Response,
                content=body,
                options={"timeout": self._timeouts},
            )
            self._pattern = _pattern_of(answer.request)
            return answer
        request = self._library.Request(
            "POST",
            self._pattern.url,
            headers=[*self._pattern.headers, (b"Content-Length", b"%d" % len(body))],
            stream=self._library.ByteStream(body),
            extensions=self._pattern.extensions,
        )
        if self._http.cookies:
            self._http.cookies.set_cookie_header(request)
        try:
            answer = await self._http.send(request)
        except self._library.TimeoutException as error:
            raise self._sdk.APITimeoutError(request=request) from error
        except Exception as error:
            raise self._sdk.APIConnectionError(request=request) from error
        if not answer.is_success:
            raise self._sdk.APIStatusError(answer.reason_phrase, response=answer, body=None)
        return answer

    async def aclose(self) -> None:
        await self._http.aclose()


@dataclass(frozen=True, slots=True)
class _Pattern:
    """What every request of an endpoint has in common, as the provider's client builds it."""

    url: Any
    headers: tuple[tuple[bytes, bytes], ...]
    extensions: Mapping[str, Any]


def _pattern_of(request: Any) -> _Pattern:
    own = (b"content-length", b"cookie")
    headers = tuple((name, value) for name, value in request.headers.raw if name.lower() not in own)
    return _Pattern(request.url, headers, request.extensions)


def _of_others(record: logging.LogRecord) -> bool:  # noqa: ARG001 (a filter has this shape)
    """A client logs a request with its text, and an answer with whatever is in it; ours are logged here, without."""
    return not _asking.get()


def _forget_environment(client: Any) -> None:
    """Undo what the client took from the environment besides the key: organisation, project, headers."""
    for name in ("organization", "project", "admin_api_key", "webhook_secret", "auth_token"):
        if getattr(client, name, None) is not None:
            setattr(client, name, None)
    client._custom_headers = {}


def _http_library(client_type: type) -> Any:
    """The HTTP library that a provider's HTTP client comes from: versions differ in which."""
    for ancestor in client_type.__mro__:
        if ancestor.__name__ == "AsyncClient":
            return sys.modules[ancestor.__module__.partition(".")[0]]
    raise TypeError(f"{client_type.__name__} comes from no known HTTP library")


def _judge_content(problem: NotAReply, headers: Mapping[str, str], mask: KeyMask) -> Failure:
    """A 200 that holds an error object is judged by the status it names; anything else fails this request."""
    if not problem.error:
        return Failure("failed", mask(str(problem)))
    error = json.loads(str(problem))["error"]
    code = error.get("code") if isinstance(error, dict) else None
    return judge(code if isinstance(code, int) and 400 <= code < 600 else 400, headers, str(problem), mask=mask)
