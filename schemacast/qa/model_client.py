"""The model layer of casting as a chat client: the same providers, recorded replies, cache and counts.

That layer asks for JSON of a given shape; an answer in words is asked for as an object with one text, which
providers keep to, and taken out of it here. Bare text is taken as it is, since recorded replies and endpoints
without response formats give that. The model's own options stand for temperature and the like.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from schemacast.llm.parse import UnreadableReply, read_json
from schemacast.llm.protocol import Message, Model, ReplyType, Tag
from schemacast.qa.client import ChatReply
from schemacast.schema.values import Json
from schemacast.threads import run_anywhere

STAGE = "answer"
"""What a line of a replay file says of itself, beside the question as its `item`."""

TEXT_REPLY = ReplyType(
    "answer",
    {
        "type": "object",
        "properties": {"answer": {"type": "string"}},
        "required": ["answer"],
        "additionalProperties": False,
    },
)
CLAIMS_REPLY = ReplyType(
    "claims",
    {
        "type": "object",
        "properties": {
            "claims": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "text": {"type": "string"},
                        "evidence_ids": {"type": "array", "items": {"type": "string"}},
                    },
                    "required": ["text", "evidence_ids"],
                    "additionalProperties": False,
                },
            }
        },
        "required": ["claims"],
        "additionalProperties": False,
    },
)
"""The shape of an answer in the mode `claim_lattice`."""


class ModelClient:
    """A model (`schemacast.llm.open.open_model`, or one of your own) as a chat client."""

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    @property
    def notes(self) -> list[str]:
        """What the model has to say about the run, once each."""
        return list(getattr(self._model, "notes", ()))

    def chat_completion(self, messages: list[dict[str, str]], **options: Any) -> str:
        """The model's text. Of the options only `extra_body` with `guided_json` has an effect."""
        return self.reply(messages, as_claims="guided_json" in (options.get("extra_body") or {})).text

    def reply(
        self, messages: Sequence[Mapping[str, str]], *, item: str | None = None, as_claims: bool = False
    ) -> ChatReply:
        """The reply with what it took. `item`: the question, by which a recorded reply is found.

        Works inside a running event loop too. Raises like `Model.complete`.
        """
        told: list[Message] = [{"role": each["role"], "content": each["content"]} for each in messages]
        return run_anywhere(lambda: self._complete(told, CLAIMS_REPLY if as_claims else TEXT_REPLY, item))

    async def _complete(self, messages: list[Message], reply_type: ReplyType, item: str | None) -> ChatReply:
        try:
            made = await self._model.complete(messages, reply_type, Tag(item=item, stage=STAGE))
        finally:
            await self._model.aclose()
        text = in_words(made.text) if reply_type is TEXT_REPLY else made.text
        return ChatReply(text, made.usage, made.requests, made.model, made.finish_reason, made.cached)


def in_words(reply: str) -> str:
    """The answer in a reply that is the JSON of `TEXT_REPLY`, whole or dressed up; else the reply itself."""
    if '"answer"' not in reply:
        return reply
    try:
        value = read_json(reply, _is_answer).value
    except UnreadableReply:
        return reply
    return str(value["answer"]) if isinstance(value, dict) else reply


def _is_answer(value: Json) -> int:
    return int(isinstance(value, dict) and isinstance(value.get("answer"), str))


def claims_nothing(reply: str) -> bool:
    """Whether a reply is a well-formed list of claims without one."""
    try:
        value = read_json(reply, _is_claims).value
    except UnreadableReply:
        return False
    return isinstance(value, dict) and value["claims"] == []


def _is_claims(value: Json) -> int:
    return int(isinstance(value, dict) and isinstance(value.get("claims"), list))
