"""The recipe of the request key, pinned: a key that changes makes every stored reply worthless."""

from __future__ import annotations

import hashlib
import json

from hypothesis import given, settings
from hypothesis import strategies as st

from schemacast.llm.open import open_model
from schemacast.llm.protocol import ReplyType
from schemacast.llm.request_key import RequestKeys, plain_url, prompt_key

MESSAGES = [{"role": "system", "content": "Rules é"}, {"role": "user", "content": "Ticket HD-2\n"}]
REPLY = ReplyType("reply", {"type": "object", "properties": {"b": {"type": "string"}, "a": {"type": "null"}}})


def test_keys_never_change() -> None:
    assert prompt_key(MESSAGES, REPLY) == "93bd27078c048fc8fb78b156fca0a3e49df419b93708136fba166848ab996b81"
    model = open_model("openai/gpt-x", base_url="http://u:p@127.0.0.1:8/v1/?a=1", options={"temperature": 0.5})
    assert model.request_key(MESSAGES, REPLY) == "93fd042fc0f0e7da8a12e5dcf6a8b5fe0ab1ac116559a0afc54715b4c40ffa39"


def test_the_key_is_the_hash_of_what_the_recipe_says() -> None:
    parts = [
        1,
        "gpt-x",
        "http://127.0.0.1:8/v1",
        {"temperature": 0.5},
        [REPLY.name, dict(REPLY.schema)],
        MESSAGES,
    ]
    text = json.dumps(parts, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    model = open_model("openai/gpt-x", base_url="http://127.0.0.1:8/v1", options={"temperature": 0.5, "timeout": 3})
    assert model.request_key(MESSAGES, REPLY) == hashlib.sha256(text.encode()).hexdigest()


def test_every_part_counts() -> None:
    other_type = ReplyType("other", REPLY.schema)
    other_schema = ReplyType("reply", {"type": "object"})
    keys = {
        RequestKeys(model=model, endpoint=endpoint, parameters=parameters).key(messages, reply_type)
        for model in ("a", "b")
        for endpoint in ("c", "d")
        for parameters in ({}, {"t": 1}, {"t": 2})
        for messages in (MESSAGES, MESSAGES[:1], MESSAGES[::-1])
        for reply_type in (REPLY, other_type, other_schema)
    }
    assert len(keys) == 2 * 2 * 3 * 3 * 3


def test_a_url_is_shown_and_hashed_without_its_login() -> None:
    assert plain_url("https://me:secret@host:8/v1/?key=secret#x") == "https://host:8/v1"
    assert plain_url("http://[::1]:8/") == "http://[::1]:8"


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(st.characters()), max_size=3), st.lists(st.text(st.characters()), max_size=3))
def test_other_texts_have_other_keys(left, right) -> None:
    def key(texts: list[str]) -> str:
        return prompt_key([{"role": "user", "content": text} for text in texts], REPLY)

    assert (key(left) == key(right)) == (left == right)
