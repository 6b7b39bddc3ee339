"""Clients that answer questions: what they send, what they try again, and what their failures mean."""

from __future__ import annotations

import time
from typing import Any

import pytest
from loopback_model import Answer, Loopback, error
from loopback_model import loopback as loopback

from schemacast.errors import ModelAccessError, ModelUnavailable, RequestFailed, UsageError
from schemacast.llm.protocol import Usage
from schemacast.qa.client import OpenAICompatibleClient, StubClient

SAID = [{"role": "user", "content": "Who leads Orvik?\u2028Ærlig \ud800"}]


def client(loopback: Loopback, **options: Any) -> OpenAICompatibleClient:
    return OpenAICompatibleClient(loopback.v1, **{"retry_backoff_base_s": 0.01, **options})


def test_a_stub_says_what_it_was_told_to() -> None:
    assert StubClient().chat_completion(SAID, model="any").startswith("[STUB]")
    assert StubClient("yes").chat_completion(SAID) == "yes"
    heard: dict[str, Any] = {}

    def answer(messages: list[dict[str, str]], **options: Any) -> str:
        heard.update(options)
        return messages[-1]["content"][:3]

    assert StubClient(answer).chat_completion(SAID, model="m", top_p=0.5) == "Who"
    assert heard == {"model": "m", "top_p": 0.5}


def test_a_request_has_what_was_asked_for(loopback: Loopback) -> None:
    loopback.answer(Answer("Ada Lind."))
    with client(loopback, api_key="secret-key-1") as asked:
        text = asked.chat_completion(
            SAID,
            model="m-1",
            temperature=0.3,
            max_tokens=7,
            top_p=0.9,
            extra_body={"guided_json": {"a": 1}},
            stop=["\n"],
        )
    assert text == "Ada Lind."
    seen = loopback.requests[0]
    assert seen.path == "/v1/chat/completions"
    assert seen.headers["authorization"] == "Bearer secret-key-1"
    assert seen.body == {
        "model": "m-1",
        "messages": [{"role": "user", "content": "Who leads Orvik?\u2028Ærlig \ufffd"}],
        "temperature": 0.3,
        "max_tokens": 7,
        "top_p": 0.9,
        "guided_json": {"a": 1},
        "stop": ["\n"],
    }


def test_without_a_key_none_is_sent_and_defaults_are_those_of_the_contract(loopback: Loopback) -> None:
    loopback.answer(Answer("x"))
    with client(loopback) as asked:
        asked.chat_completion(SAID, model="m")
    assert "authorization" not in loopback.requests[0].headers
    body = loopback.requests[0].body
    assert (body["temperature"], body["max_tokens"], body["top_p"]) == (0.1, 512, 1.0)
    assert "stop" not in body


def test_a_reply_says_what_it_took(loopback: Loopback) -> None:
    loopback.answer(error(503), Answer("x", usage=(30, 4), model="big-2", finish="length"))
    reply = client(loopback).reply({"model": "m", "messages": SAID})
    assert (reply.text, reply.usage, reply.requests, reply.model) == ("x", Usage(30, 4), 2, "big-2")
    assert reply.finish_reason == "length"


@pytest.mark.parametrize("status", [502, 503, 504])
def test_what_passes_by_itself_is_tried_again(loopback: Loopback, status: int) -> None:
    loopback.answer(error(status), error(status), Answer("at last"))
    assert client(loopback).chat_completion(SAID, model="m") == "at last"
    assert len(loopback.requests) == 3


@pytest.mark.parametrize("status", [502, 503, 504])
def test_retries_end(loopback: Loopback, status: int) -> None:
    loopback.answer(error(status, "overloaded"))
    with pytest.raises(ModelUnavailable, match=r"overloaded \(tried 3 times\)") as raised:
        client(loopback, max_retries=2).chat_completion(SAID, model="m")
    assert (len(loopback.requests), raised.value.requests) == (3, 3)
    assert raised.value.retryable


def test_waits_double_and_what_the_endpoint_asks_for_counts(loopback: Loopback) -> None:
    loopback.answer(error(503))
    began = time.monotonic()
    with pytest.raises(ModelUnavailable):
        client(loopback, max_retries=3, retry_backoff_base_s=0.05).chat_completion(SAID, model="m")
    gaps = [b.arrived - a.arrived for a, b in zip(loopback.requests, loopback.requests[1:], strict=False)]
    assert 0.35 <= time.monotonic() - began < 3
    for gap, least in zip(gaps, (0.05, 0.1, 0.2), strict=True):
        assert gap >= least
    loopback.requests.clear()
    loopback.answer(error(503, Retry_After="0.3"), Answer("x"))
    client(loopback, retry_backoff_base_s=0.0).chat_completion(SAID, model="m")
    assert loopback.requests[1].arrived - loopback.requests[0].arrived >= 0.3


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (error(401, "bad key"), ModelAccessError),
        (error(403), ModelAccessError),
        (error(404, "no such model"), ModelAccessError),
        (error(429, "slow down"), ModelUnavailable),
        (error(500), ModelUnavailable),
        (error(400, "max_tokens is too large"), RequestFailed),
        (Answer(body=b"<html>", status=200), RequestFailed),
        (Answer(body={"choices": []}), RequestFailed),
    ],
)
def test_other_failures_are_told_at_once_by_who_can_act(
    loopback: Loopback, answer: Answer, kind: type[Exception]
) -> None:
    loopback.answer(answer)
    with pytest.raises(kind) as raised:
        client(loopback).chat_completion(SAID, model="m")
    assert len(loopback.requests) == 1
    assert "\n" not in str(raised.value)
    assert "127.0.0.1" in str(raised.value)


def test_a_key_is_in_no_message(loopback: Loopback) -> None:
    loopback.answer(error(401, "the key secret-key-123456 is wrong"))
    with pytest.raises(ModelAccessError) as raised:
        client(loopback, api_key="secret-key-123456").chat_completion(SAID, model="m")
    assert "secret" not in str(raised.value)


def test_an_endpoint_that_is_not_there_is_unavailable(loopback: Loopback) -> None:
    gone = OpenAICompatibleClient("http://127.0.0.1:1/v1", timeout=1)
    with pytest.raises(ModelUnavailable, match="no answer from"):
        gone.chat_completion(SAID, model="m")
    loopback.answer(Answer("x", delay=1.0))
    with pytest.raises(ModelUnavailable, match="no answer from"):
        client(loopback, timeout=0.1).chat_completion(SAID, model="m")


def test_closing_twice_is_fine_and_a_closed_client_can_ask_again(loopback: Loopback) -> None:
    loopback.answer(Answer("x"))
    asked = client(loopback)
    asked.close()
    assert asked.chat_completion(SAID, model="m") == "x"
    asked.close()
    asked.close()
    assert asked.chat_completion(SAID, model="m") == "x"
    asked.close()


@pytest.mark.parametrize("base_url", ["", "example.org", "ftp://example.org"])
def test_an_address_that_is_none_is_a_usage_error(base_url: str) -> None:
    with pytest.raises(UsageError, match="no http:// or https:// address"):
        OpenAICompatibleClient(base_url)
    with pytest.raises(UsageError):
        OpenAICompatibleClient("http://127.0.0.1", max_retries=-1)
