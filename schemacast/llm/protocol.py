"""What is asked of a model and what it gives back: the seam between the stages and the providers.

Every stage that needs a model builds messages and a reply type and calls `Model.complete`. Providers,
replay and cache stand behind that one method, so tests and users can put a model of their own there.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, Protocol, TypedDict

from schemacast.schema.values import Json

FinishReason = Literal["stop", "length", "refused"]


class Message(TypedDict):
    """One message of a chat: `role` is `system`, `user` or `assistant`."""

    role: str
    content: str


@dataclass(frozen=True)
class ReplyType:
    """The shape a reply must have, as a JSON Schema in the strict subset that providers accept."""

    name: str
    schema: Mapping[str, Json]

    @cached_property
    def text(self) -> str:
        """The schema as canonical JSON: what the request key hashes."""
        return json.dumps(self.schema, ensure_ascii=False, sort_keys=True, separators=(",", ":"))

    @cached_property
    def digest(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Tag:
    """What a request is for: replay files are addressed by it, messages to people name it."""

    source_id: str | None = None
    round: int = 0
    item: str | None = None
    stage: str | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counts them, over every counted attempt, failed ones included."""

    input_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(self.input_tokens + other.input_tokens, self.output_tokens + other.output_tokens)


@dataclass(frozen=True, slots=True)
class Completion:
    """A raw completion. `requests` counts the HTTP attempts it took: 0 from a cache or a replay."""

    text: str
    finish_reason: FinishReason = "stop"
    usage: Usage = field(default_factory=Usage)
    model: str | None = None
    requests: int = 0
    cached: bool = False


class Model(Protocol):
    """A model behind a name. Safe to call from many tasks of one event loop at once."""

    name: str

    def request_key(self, messages: Sequence[Message], reply_type: ReplyType) -> str:
        """The hash of everything that is sent: messages, reply type, model, endpoint, parameters."""
        ...

    def holds(self, messages: Sequence[Message], reply_type: ReplyType, tag: Tag) -> bool:
        """Whether the reply is at hand, so that asking for it makes no request."""
        ...

    async def complete(self, messages: Sequence[Message], reply_type: ReplyType, tag: Tag) -> Completion:
        """The raw reply.

        Raises RequestFailed when this request failed for good, ModelUnavailable when the endpoint keeps
        refusing for now, ModelAccessError when no call can succeed until a person acts.
        """
        ...

    async def aclose(self) -> None:
        """Release connections and files."""
        ...
