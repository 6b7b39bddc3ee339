"""The two protocols that most providers speak: what a request looks like, where the text of a reply is.

The form of a reply (a JSON Schema as response format, or a tool the model must call) is built by instructor's
own handler for the provider and mode, once per reply type, and kept as encoded JSON; a request is then put
together from that text, the options and the messages. The reply is taken from the raw JSON of the answer,
from a message's content or from the arguments of a tool call, without the client library's typed models,
which would be most of the cost of a call.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, cast

from schemacast.llm.protocol import FinishReason, Message, ReplyType, Usage
from schemacast.llm.request_key import utf8
from schemacast.schema.values import Json

__all__ = ["ChatWire", "Form", "MessagesWire", "NotAReply", "Reading", "Wire", "schema_in_words"]

Form = Literal["schema", "json", "text"]
"""How the reply's shape is asked for: as a schema, as any JSON, or in words only."""

_dump = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

ANTHROPIC_MAX_TOKENS = 8192
"""That protocol demands a limit; the option `max_tokens` sets another."""

FINISH: Mapping[str, FinishReason] = {
    "length": "length",
    "max_tokens": "length",
    "max_output_tokens": "length",
    "model_length": "length",
    "model_context_window_exceeded": "length",
    "content_filter": "refused",
    "refusal": "refused",
    "refused": "refused",
    "safety": "refused",
    "recitation": "refused",
    "blocklist": "refused",
    "prohibited_content": "refused",
    "guardrail_intervened": "refused",
    "content_filtered": "refused",
}
"""What providers call the end of a reply, in lower case; any other word is an ordinary stop."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What an answer says: the reply's raw text, how it ended, tokens, the model's name for itself."""

    text: str
    finish_reason: FinishReason
    usage: Usage
    model: str | None


class NotAReply(Exception):
    """The answer has status 200 and is no completion. `error`: it carries an error object instead."""

    def __init__(self, message: str, *, error: bool = False) -> None:
        self.error = error
        super().__init__(message)


class Wire(Protocol):
    """One protocol."""

    path: str
    forms: tuple[Form, ...]

    def body(self, messages: Sequence[Message], reply_type: ReplyType, form: Form) -> bytes:
        """The request's JSON."""
        ...

    def read(self, answer: bytes) -> Reading:
        """The reply in an answer of status 200. Raises NotAReply."""
        ...


class ChatWire:
    """OpenAI's chat completions, which `openai/`, `ollama/` and most others speak."""

    forms: tuple[Form, ...] = ("schema", "json", "text")

    def __init__(self, path: str, *, provider: str, model: str, options: Mapping[str, Json]) -> None:
        self.path = path
        self._provider = provider
        self._model = model
        self._options = dict(options)
        self._heads: dict[tuple[str, str, Form], str] = {}

    def body(self, messages: Sequence[Message], reply_type: ReplyType, form: Form) -> bytes:
        if form != "schema":
            messages = schema_in_words(messages, reply_type)
        address = (reply_type.name, reply_type.digest, form)
        head = self._heads.get(address)
        if head is None:
            head = self._heads[address] = self._head(reply_type, form)
        return utf8(f'{head}"messages":{_dump(messages)}}}')

    def _head(self, reply_type: ReplyType, form: Form) -> str:
        shape: dict[str, Json] = {}
        if form == "schema":
            shape = requested_form(self._provider, reply_type, {})
            response_format = shape.get("response_format")
            if isinstance(response_format, dict) and isinstance(response_format.get("json_schema"), dict):
                cast("dict[str, Json]", response_format["json_schema"])["strict"] = True
        elif form == "json":
            shape = {"response_format": {"type": "json_object"}}
        return _dump({"model": self._model, **shape, **self._options})[:-1] + ","

    def read(self, answer: bytes) -> Reading:
        data = read_object(answer)
        choices = data.get("choices")
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
            raise no_reply(data, "chat completion")
        choice = choices[0]
        message = choice.get("message")
        if not isinstance(message, dict):
            raise no_reply(data, "chat completion")
        text = _text_of(message.get("content")) or _tool_arguments(message)
        finish = FINISH.get(str(choice.get("finish_reason")).lower(), "stop")
        refusal = message.get("refusal")
        if refusal and not text:
            text, finish = str(refusal), "refused"
        usage = data.get("usage")
        counts = usage if isinstance(usage, dict) else {}
        return Reading(
            text,
            finish,
            Usage(count(counts.get("prompt_tokens")), count(counts.get("completion_tokens"))),
            name_of(data),
        )


class MessagesWire:
    """Anthropic's messages: the system text stands apart, the reply comes as the input of a tool."""

    forms: tuple[Form, ...] = ("schema", "text")

    def __init__(self, path: str, *, provider: str, model: str, options: Mapping[str, Json]) -> None:
        self.path = path
        self._provider = provider
        self._model = model
        self._options = {"max_tokens": ANTHROPIC_MAX_TOKENS, **options}
        self._heads: dict[tuple[str, str, Form], tuple[str, list[Json]]] = {}

    def body(self, messages: Sequence[Message], reply_type: ReplyType, form: Form) -> bytes:
        if form != "schema":
            messages = schema_in_words(messages, reply_type)
        address = (reply_type.name, reply_type.digest, form)
        found = self._heads.get(address)
        if found is None:
            found = self._heads[address] = self._head(reply_type, form)
        head, added = found
        system: list[Json] = [
            {"type": "text", "text": message["content"]}
            for message in messages
            if message["role"] == "system" and message["content"]
        ]
        if system:
            # what stands first is the same for all episodes: the provider may keep it
            system[-1] = {**cast("dict[str, Json]", system[-1]), "cache_control": {"type": "ephemeral"}}
        system += added
        rest = [message for message in messages if message["role"] != "system"]
        block = f'"system":{_dump(system)},' if system else ""
        return utf8(f'{head}{block}"messages":{_dump(rest)}}}')

    def _head(self, reply_type: ReplyType, form: Form) -> tuple[str, list[Json]]:
        shape = requested_form(self._provider, reply_type, self._options) if form == "schema" else {}
        system = shape.pop("system", None)
        own = self._options.get("system")
        added = [*_blocks(own), *(block for block in _blocks(system) if block not in _blocks(own))]
        options = {name: value for name, value in self._options.items() if name != "system"}
        return _dump({"model": self._model, **shape, **options})[:-1] + ",", added

    def read(self, answer: bytes) -> Reading:
        data = read_object(answer)
        blocks = data.get("content")
        if data.get("type") == "error" or not isinstance(blocks, list):
            raise no_reply(data, "message")
        tool, text = None, ""
        for block in blocks:
            if not isinstance(block, dict):
                continue
            if block.get("type") == "tool_use" and tool is None:
                tool = as_text(block.get("input"))
            elif block.get("type") == "text":
                text += str(block.get("text") or "")
        usage = data.get("usage")
        counts = usage if isinstance(usage, dict) else {}
        taken_in = sum(
            count(counts.get(name))
            for name in ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
        )
        return Reading(
            tool if tool is not None else text,
            FINISH.get(str(data.get("stop_reason")).lower(), "stop"),
            Usage(taken_in, count(counts.get("output_tokens"))),
            name_of(data),
        )


def requested_form(provider: str, reply_type: ReplyType, options: Mapping[str, Json]) -> dict[str, Json]:
    """The parameters by which instructor asks this provider for this reply, beside `options` and messages."""
    from schemacast.llm.instructor_forms import form_of

    return form_of(provider, reply_type, options)


def schema_in_words(messages: Sequence[Message], reply_type: ReplyType) -> list[Message]:
    """The messages with the reply's schema at the end of the system text, for an endpoint that takes no form."""
    words = f"Answer with one JSON object and nothing else. It has to fit this JSON Schema:\n{reply_type.text}"
    said = list(messages)
    for index in range(len(said) - 1, -1, -1):
        if said[index]["role"] == "system":
            said[index] = {"role": "system", "content": f"{said[index]['content']}\n\n{words}"}
            return said
    return [{"role": "system", "content": words}, *said]


def read_object(answer: bytes) -> dict[str, Json]:
    """The answer's JSON object. Raises NotAReply."""
    try:
        data = json.loads(answer)
    except (ValueError, RecursionError):
        raise NotAReply("the endpoint answered with something that is not JSON; is the base URL right?") from None
    if not isinstance(data, dict):
        raise NotAReply("the endpoint answered with JSON that is no object; is the base URL right?")
    return data


def no_reply(data: Mapping[str, Json], kind: str) -> NotAReply:
    """For a 200 that holds something else: the error object in it, or that it is another protocol."""
    if data.get("error"):
        return NotAReply(_dump(dict(data)), error=True)
    names = ", ".join(sorted(data)[:8]) or "nothing"
    return NotAReply(f"the endpoint's answer is no {kind} (it has {names}); is the base URL right?")


def as_text(value: Json) -> str:
    """A tool call's arguments as text: some providers give them decoded."""
    return value if isinstance(value, str) else _dump(value)


def count(value: Json) -> int:
    """A token count; 0 where the provider gives none."""
    return value if isinstance(value, int) and value > 0 else 0


def name_of(data: Mapping[str, Json]) -> str | None:
    name = data.get("model")
    return name if isinstance(name, str) and name else None


def _text_of(content: Json) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = [part for part in content if isinstance(part, dict)]
        return "".join(str(part.get("text") or "") for part in parts if part.get("type") in ("text", "output_text"))
    return ""


def _tool_arguments(message: Mapping[str, Json]) -> str:
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict) and function.get("arguments") is not None:
            return as_text(function["arguments"])
    function = message.get("function_call")
    if isinstance(function, dict) and function.get("arguments") is not None:
        return as_text(function["arguments"])
    return ""


def _blocks(system: Json) -> list[Json]:
    if isinstance(system, str):
        return [{"type": "text", "text": system}] if system else []
    return list(system) if isinstance(system, list) else []
