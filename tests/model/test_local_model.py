"""One real model, asked through the same path as any other."""

from __future__ import annotations

import asyncio
import json

import pytest
from local_model import LocalModel

from schemacast.llm.open import open_model
from schemacast.llm.protocol import Completion, ReplyType, Tag

pytestmark = pytest.mark.model

REPLY_TYPE = ReplyType(
    "reply",
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["number", "open"],
        "properties": {"number": {"type": "string", "enum": ["HD-1", "HD-2"]}, "open": {"type": "boolean"}},
    },
)


def test_a_real_model_replies_in_the_form_that_was_asked_for(local_model: LocalModel) -> None:
    async def ask() -> list[Completion]:
        model = open_model(
            local_model.name, base_url=local_model.base_url, options={"temperature": 0, "max_tokens": 60, "seed": 1}
        )
        texts = ("Ticket HD-2 is open.", "Ticket HD-1 was closed.", "No ticket at all.")
        try:
            calls = (
                model.complete([{"role": "user", "content": f"Answer in JSON. {text}"}], REPLY_TYPE, Tag(f"e{n}"))
                for n, text in enumerate(texts)
            )
            return await asyncio.gather(*calls)
        finally:
            await model.aclose()

    for completion in asyncio.run(ask()):
        assert completion.requests == 1
        assert completion.usage.input_tokens > 0
        assert completion.usage.output_tokens > 0
        if completion.finish_reason == "stop":
            reply = json.loads(completion.text)
            assert reply["number"] in ("HD-1", "HD-2")
            assert isinstance(reply["open"], bool)
