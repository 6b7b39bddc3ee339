"""The model layer as a chat client: replay lines, bare and wrapped answers, counts, and running loops."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from loopback_model import Answer, Loopback, error
from loopback_model import loopback as loopback

from schemacast.errors import ModelAccessError, RequestFailed
from schemacast.llm.open import open_model
from schemacast.llm.protocol import Usage
from schemacast.qa.model_client import CLAIMS_REPLY, ModelClient, in_words

SAID = [{"role": "system", "content": "Answer."}, {"role": "user", "content": "Who leads Orvik?"}]


def recorded(folder: Path, *lines: dict[str, Any]) -> ModelClient:
    path = folder / "answers.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return ModelClient(open_model(f"replay:{path}"))


@pytest.mark.parametrize(
    "reply",
    [
        "Ada Lind.",
        {"answer": "Ada Lind."},
        '```json\n{"answer": "Ada Lind."}\n```',
        ' {"answer": "Ada Lind."} ',
    ],
)
def test_a_recorded_answer_is_found_by_its_question(tmp_path: Path, reply: Any) -> None:
    usage = {"input_tokens": 9, "output_tokens": 3}
    client = recorded(tmp_path, {"item": "Who?", "stage": "answer", "reply": reply, "usage": usage, "model": "m-9"})
    got = client.reply(SAID, item="Who?")
    assert (got.text, got.usage, got.requests, got.model) == ("Ada Lind.", Usage(9, 3), 0, "m-9")


def test_a_question_without_a_line_fails_as_a_request(tmp_path: Path) -> None:
    client = recorded(
        tmp_path, {"item": "Who?", "stage": "claim", "reply": "x"}, {"item": "Why?", "stage": "answer", "reply": ""}
    )
    with pytest.raises(RequestFailed, match=r"no reply for the item 'Who\?', stage 'answer'"):
        client.reply(SAID, item="Who?")


def test_an_endpoint_is_asked_for_one_text_or_for_claims(loopback: Loopback) -> None:
    client = ModelClient(open_model("m-1", base_url=loopback.v1))
    loopback.answer(Answer({"answer": 'He said "yes" [1].'}, usage=(5, 2)))
    assert client.chat_completion(SAID) == 'He said "yes" [1].'
    shape = loopback.requests[0].body["response_format"]["json_schema"]["schema"]
    assert list(shape["properties"]) == ["answer"]
    loopback.answer(Answer({"claims": []}))
    text = client.chat_completion(SAID, extra_body={"guided_json": dict(CLAIMS_REPLY.schema)})
    assert json.loads(text) == {"claims": []}
    assert "claims" in loopback.requests[1].body["response_format"]["json_schema"]["schema"]["properties"]


def test_it_works_inside_a_running_loop_and_many_times(loopback: Loopback) -> None:
    client = ModelClient(open_model("m-1", base_url=loopback.v1))
    loopback.answer(Answer("bare words"))

    async def inside() -> str:
        return client.chat_completion(SAID)

    assert asyncio.run(inside()) == client.chat_completion(SAID) == "bare words"


def test_errors_of_the_model_layer_come_through(loopback: Loopback) -> None:
    loopback.answer(error(401, "wrong key"))
    with pytest.raises(ModelAccessError):
        ModelClient(open_model("m-1", base_url=loopback.v1)).chat_completion(SAID)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Not in the sources.",
        "{",
        '{"answer": 5}',
        '{"answers": "x"}',
        'The "answer" is 5 [1].',
        '["answer"]',
        '"answer"',
    ],
)
def test_what_is_no_wrapped_answer_is_taken_as_it_is(text: str) -> None:
    assert in_words(text) == text
