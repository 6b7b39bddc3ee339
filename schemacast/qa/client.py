"""What answers a question: any object with a method `chat_completion`, and two clients that come with the package.

`OpenAICompatibleClient` asks an endpoint that speaks chat completions, `StubClient` asks nobody; for the providers,
recorded replies and cache of casting there is `schemacast.qa.model_client`. The protocol gives back bare text.
Our own clients also say what it took, as a `ChatReply`. Failures are judged as everywhere else, by who can act;
only what passes by itself (502, 503, 504) is tried again here.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Protocol, Self

from schemacast.errors import ModelAccessError, ModelError, ModelUnavailable, RequestFailed, UsageError
from schemacast.llm.failures import Failure, KeyMask, judge, unreached
from schemacast.llm.protocol import FinishReason, Usage
from schemacast.llm.request_key import plain_url, utf8
from schemacast.llm.wires import ChatWire, NotAReply

TRANSIENT = (502, 503, 504)
LONGEST_WAIT = 30.0
"""Seconds that are waited before a request is sent again at most."""
_WIRE = ChatWire("", provider="openai", model="", options={})


class ChatClient(Protocol):
    """A model that continues a conversation. Whatever has this method can be asked."""

    def chat_completion(
        self,
        messages: list[dict[str, str]],
        *,
        model: str,
        temperature: float = 0.1,
        max_tokens: int = 512,
        top_p: float = 1.0,
        extra_body: dict[str, Any] | None = None,
    ) -> str:
        """The model's text. `extra_body` are further fields of the request, such as `guided_json`.

        Raises an error of `schemacast.errors.ModelError` when there is no reply.
        """
        ...


@dataclass(frozen=True, slots=True)
class ChatReply:
    """A reply and what it took. `model`: what the provider calls itself; None when nobody says."""

    text: str
    usage: Usage = field(default_factory=Usage)
    requests: int = 0
    model: str | None = None
    finish_reason: FinishReason = "stop"
    cached: bool = False


class StubClient:
    """A client that asks nobody: for tests and dry runs.

    `answer` is the text, or a function of the messages (and the keyword arguments) that gives it.
    """

    def __init__(self, answer: str | Callable[..., str] = "[STUB] dry-run answer; no LLM was called.") -> None:
        self._answer = answer

    def chat_completion(self, messages: list[dict[str, str]], **options: Any) -> str:
        """The text."""
        return self._answer if isinstance(self._answer, str) else self._answer(messages, **options)


class OpenAICompatibleClient:
    """Chat completions over HTTP, from any endpoint that speaks them. A context manager; safe from many threads.

    `base_url` ends before `/chat/completions`. Without `api_key` none is sent. `timeout` is in seconds. An answer
    of status 502, 503 or 504 is asked for again up to `max_retries` times, after waits that double from
    `retry_backoff_base_s` seconds on, or last as long as the endpoint asks for, half a minute at most.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        timeout: float = 60.0,
        max_retries: int = 3,
        retry_backoff_base_s: float = 0.5,
    ) -> None:
        if not base_url.startswith(("http://", "https://")):
            raise UsageError(f"base URL {base_url!r} is no http:// or https:// address")
        if max_retries < 0 or retry_backoff_base_s < 0 or timeout <= 0:
            raise UsageError("time-out, retries and their wait cannot be below 0")
        self._url = base_url.rstrip("/") + "/chat/completions"
        self._shown = plain_url(base_url)
        self._mask = KeyMask(api_key or "")
        self._headers = {"Content-Type": "application/json"}
        if api_key:
            self._headers["Authorization"] = f"Bearer {api_key}"
        self._timeout = timeout
        self._retries = max_retries
        self._backoff = retry_backoff_base_s
        self._http: Any = None

    def chat_completion(
        self,
        messages: list[dict[str, str]],
        *,
        model: str,
        temperature: float = 0.1,
        max_tokens: int = 512,
        top_p: float = 1.0,
        extra_body: dict[str, Any] | None = None,
        stop: list[str] | None = None,
    ) -> str:
        """The model's text.

        Raises ModelAccessError, ModelUnavailable or RequestFailed, by who can act.
        """
        body: dict[str, Any] = {"model": model, "messages": messages, "temperature": temperature}
        body |= {"max_tokens": max_tokens, "top_p": top_p}
        if stop:
            body["stop"] = stop
        return self.reply({**body, **(extra_body or {})}).text

    def reply(self, body: Mapping[str, Any]) -> ChatReply:
        """The reply to a whole request body, with what it took. Raises like `chat_completion`."""
        data = utf8(json.dumps(body, ensure_ascii=False))
        requests = 0
        while True:
            requests += 1
            status, headers, content = self._send(data)
            if status == 200:
                return self._read(content, requests)
            failure = judge(status, headers, content, mask=self._mask)
            if status not in TRANSIENT or requests > self._retries:
                raise _counted(_as_error(f"{self._shown}: {failure.message}", failure, requests), requests)
            asked = self._backoff * 2 ** (requests - 1) if failure.wait is None else failure.wait
            time.sleep(min(asked, LONGEST_WAIT))

    def close(self) -> None:
        """Release the underlying connection pool; the next request opens another."""
        http, self._http = self._http, None
        if http is not None:
            http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _read(self, content: bytes, requests: int) -> ChatReply:
        try:
            reading = _WIRE.read(content)
        except NotAReply as problem:
            raise _counted(RequestFailed(f"{self._shown}: {self._mask(str(problem))}"), requests) from None
        return ChatReply(reading.text, reading.usage, requests, reading.model, reading.finish_reason)

    def _send(self, data: bytes) -> tuple[int, Mapping[str, str], bytes]:
        library = _http_library()
        try:
            if self._http is None:
                self._http = library.Client(timeout=self._timeout, trust_env=False, follow_redirects=False)
            answer = self._http.post(self._url, content=data, headers=self._headers)
        except library.InvalidURL as error:
            raise UsageError(f"base URL {self._shown!r} is no address: {error}") from None
        except library.TransportError as error:
            said = f"no answer from {self._shown} ({type(error).__name__}: {error})"
            failure = unreached(said, timed_out=isinstance(error, library.TimeoutException), mask=self._mask)
            raise _counted(ModelUnavailable(failure.message), 1) from None
        return answer.status_code, answer.headers, answer.content


def _as_error(said: str, failure: Failure, requests: int) -> ModelError:
    if failure.kind == "access":
        return ModelAccessError(said)
    if failure.kind == "again":
        return ModelUnavailable(said if requests == 1 else f"{said} (tried {requests} times)")
    return RequestFailed(said)


def _counted(error: ModelError, requests: int) -> ModelError:
    error.requests = requests
    return error


def _http_library() -> Any:
    """The HTTP library that the `openai` package brings: its versions differ in which."""
    import openai

    for ancestor in openai.DefaultHttpxClient.__mro__:
        if ancestor.__name__ == "Client":
            return sys.modules[ancestor.__module__.partition(".")[0]]
    raise TypeError("the openai package has no HTTP library that is known here")
