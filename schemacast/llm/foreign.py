"""Providers with a protocol of their own, called through the function that instructor wraps.

The request is put together by instructor's handler for the provider, the answer is read as plain data: the
first tool arguments in it, else its text. Errors are told apart by the attributes that such clients give their
exceptions. This path costs more time per call than the two wires do, and how often a client tries again by
itself can be set to 0 only where it lets us.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from schemacast.llm.failures import AttemptFailed, Failure, KeyMask, judge, unreached
from schemacast.llm.protocol import Message, ReplyType, Usage
from schemacast.llm.providers import open_instructor
from schemacast.llm.wires import FINISH, ChatWire, Form, NotAReply, Reading, as_text, count, schema_in_words
from schemacast.schema.values import Json

__all__ = ["ForeignEndpoint", "judge_exception", "read_foreign"]


class ForeignEndpoint:
    """A provider with its own protocol, called through the function that instructor wraps."""

    forms: tuple[Form, ...] = ("schema", "text")

    def __init__(
        self,
        provider: str,
        model: str,
        *,
        base_url: str | None,
        key: str,
        options: Mapping[str, Json],
        timeout: float,
        mask: KeyMask,
    ) -> None:
        given: dict[str, Any] = {"azure_endpoint": base_url} if provider == "azure_openai" else {}
        made = open_instructor(provider, model, key, **given)
        self._provider = provider
        self._options: dict[str, Any] = {"model": model, **options}
        self._timeout = timeout
        self._mask = mask
        self._client = made.client
        self._call: Callable[..., Awaitable[Any]] = made.create_fn.__wrapped__
        self._classes: dict[str, Any] = {}
        for name, value in (("max_retries", 0), ("organization", None), ("project", None)):
            if hasattr(self._client, name):
                setattr(self._client, name, value)

    async def ask(self, messages: Sequence[Message], reply_type: ReplyType, form: Form) -> Reading:
        from schemacast.llm.instructor_forms import prepared, reply_class

        reply = None
        if form == "schema":
            reply = self._classes.get(reply_type.digest)
            if reply is None:
                reply = self._classes[reply_type.digest] = reply_class(reply_type)
        else:
            messages = schema_in_words(messages, reply_type)
        arguments = prepared(self._provider, reply, {"messages": [dict(m) for m in messages], **self._options})
        try:
            async with asyncio.timeout(self._timeout):
                answer = await self._call(**arguments)
        except TimeoutError:
            said = f"no answer from {self._provider} within {self._timeout:g} s"
            raise AttemptFailed(unreached(said, timed_out=True, mask=self._mask)) from None
        except Exception as error:  # noqa: BLE001 - each provider has an error tree of its own
            raise AttemptFailed(judge_exception(error, self._mask)) from None
        return read_foreign(_plain(answer))

    async def aclose(self) -> None:
        close = getattr(self._client, "close", None) or getattr(self._client, "aclose", None)
        if close is not None and asyncio.iscoroutinefunction(close):
            await close()


def judge_exception(error: Exception, mask: KeyMask) -> Failure:
    """The meaning of a foreign client's exception, from the attributes that such exceptions have."""
    response = getattr(error, "response", None)
    said = response if isinstance(response, dict) else {}
    status = (
        getattr(error, "status_code", None) or getattr(response, "status_code", None) or getattr(error, "code", None)
    )
    status = status or said.get("ResponseMetadata", {}).get("HTTPStatusCode")
    if callable(status):
        status = None
    headers = getattr(response, "headers", None) or getattr(error, "headers", None) or {}
    if isinstance(status, int) and 300 <= status < 600:
        lower = {str(name).lower(): str(value) for name, value in dict(headers).items()}
        content = getattr(response, "content", None)
        return judge(status, lower, content if isinstance(content, bytes) and content else str(error), mask=mask)
    if isinstance(error, OSError) or "connect" in type(error).__name__.lower():
        return unreached(f"{type(error).__name__}: {error}", timed_out=False, mask=mask)
    return Failure("failed", mask(f"{type(error).__name__}: {error}"))


def _plain(answer: Any) -> Any:
    """A foreign answer as plain data."""
    for name in ("model_dump", "to_dict", "dict"):
        method = getattr(answer, name, None)
        if callable(method):
            return method(mode="json") if name == "model_dump" else method()
    return answer


def read_foreign(data: Any) -> Reading:
    """The reply in an answer of any of the shapes in use: the first text or tool arguments in it."""
    if isinstance(data, dict) and isinstance(data.get("choices"), list):
        try:
            return ChatWire("", provider="openai", model="", options={}).read(json.dumps(data, default=str).encode())
        except NotAReply as problem:
            raise AttemptFailed(Failure("failed", str(problem))) from None
    tool: list[str] = []
    text: list[str] = []
    facts: dict[str, Any] = {}
    _walk(data, tool, text, facts)
    finish = FINISH.get(str(facts.get("finish", "")).rpartition(".")[2].lower(), "stop")
    return Reading(
        tool[0] if tool else "".join(text), finish, Usage(count(facts.get("in")), count(facts.get("out"))), None
    )


_TOOL_INPUTS = ("args", "arguments", "input")
_FINISH_NAMES = ("finish_reason", "finishReason", "stopReason", "stop_reason")
_COUNTED_IN = ("prompt_token_count", "promptTokenCount", "inputTokens", "input_tokens", "prompt_tokens")
_COUNTED_OUT = ("candidates_token_count", "candidatesTokenCount", "outputTokens", "output_tokens", "completion_tokens")


def _walk(node: Any, tool: list[str], text: list[str], facts: dict[str, Any]) -> None:
    if isinstance(node, list):
        for part in node:
            _walk(part, tool, text, facts)
    if not isinstance(node, dict):
        return
    for name, value in node.items():
        if name in _TOOL_INPUTS and isinstance(value, dict | str) and "name" in node:
            tool.append(as_text(value))
        elif name == "text" and isinstance(value, str) and not node.get("thought"):
            text.append(value)
        elif name in _FINISH_NAMES and value:
            facts.setdefault("finish", value)
        elif name in _COUNTED_IN:
            facts.setdefault("in", value)
        elif name in _COUNTED_OUT:
            facts.setdefault("out", value)
        else:
            _walk(value, tool, text, facts)
