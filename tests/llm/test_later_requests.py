"""Requests after the first answered one: what they have in common with it, and what may befall them."""

from __future__ import annotations

import pytest
from loopback_model import Answer, Loopback, error

from schemacast.errors import ModelAccessError, RequestFailed
from schemacast.llm.protocol import Completion

PROTOCOLS = ("openai/x", "ollama/x", "anthropic/x")
BODY_DEPENDENT = {"content-length"}


def at(loopback: Loopback, name: str) -> str:
    return loopback.url if name.startswith("anthropic/") else loopback.v1


@pytest.mark.parametrize("name", PROTOCOLS)
def test_every_request_has_the_path_and_headers_of_the_first_and_a_body_of_its_own(name, loopback, ask) -> None:
    texts = ["short", "longer " * 50, "ünïcode 日本語"]
    ask(name, texts, base_url=at(loopback, name))
    first, *later = sorted(loopback.requests, key=lambda seen: seen.arrived)
    for seen in later:
        assert seen.path == first.path
        assert {key: seen.headers[key] for key in seen.headers if key not in BODY_DEPENDENT} == {
            key: first.headers[key] for key in first.headers if key not in BODY_DEPENDENT
        }
        assert int(seen.headers["content-length"]) == len(seen.raw)
    assert sorted(text for text in texts for seen in loopback.requests if text in seen.text) == sorted(texts)


def test_a_cookie_of_one_answer_comes_with_the_requests_after_it_and_is_replaced_by_a_newer_one(loopback, ask) -> None:
    loopback.answer(
        Answer(headers={"Set-Cookie": "route=a; Path=/"}), Answer(headers={"Set-Cookie": "route=b; Path=/"}), Answer()
    )
    ask("openai/x", 3, base_url=loopback.v1, concurrency=1)
    assert [seen.headers.get("cookie") for seen in loopback.requests] == [None, "route=a", "route=b"]


@pytest.mark.parametrize("name", PROTOCOLS)
def test_a_refusal_of_a_later_request_stops_the_run_in_the_words_of_the_provider(name, loopback, ask) -> None:
    loopback.answer(Answer(), error(401, "key withdrawn"))
    results, _ = ask(name, 3, base_url=at(loopback, name), concurrency=1)
    assert isinstance(results[0], Completion)
    assert all(isinstance(result, ModelAccessError) and "key withdrawn" in str(result) for result in results[1:])
    assert len(loopback.requests) == 2


@pytest.mark.parametrize("passing", [error(429, "slow", Retry_After="0"), error(503, "down"), Answer(drop=True)])
def test_what_passes_is_tried_again_in_a_later_request_too(passing: Answer, loopback: Loopback, ask) -> None:
    loopback.answer(Answer(), passing, Answer())
    results, _ = ask("openai/x", 2, base_url=loopback.v1, concurrency=1)
    assert [result.requests for result in results] == [1, 2]


def test_a_redirect_of_a_later_request_is_not_followed(loopback: Loopback, ask) -> None:
    away = Answer(status=307, body=b"", headers={"Location": "http://127.0.0.1:9/"})
    loopback.answer(Answer(), away)
    results, _ = ask("openai/x", 2, base_url=loopback.v1, concurrency=1)
    assert isinstance(results[1], ModelAccessError)
    assert len(loopback.requests) == 2


def test_a_later_request_without_an_answer_in_time_is_given_up_by_name_of_the_endpoint(loopback, ask) -> None:
    loopback.answer(Answer(), Answer(delay=0.6))
    results, _ = ask("openai/x", 2, base_url=loopback.v1, concurrency=1, options={"timeout": 0.2})
    assert isinstance(results[0], Completion)
    assert f"no answer from {loopback.v1} within 0.2 s" in str(results[1])


def test_a_server_error_of_a_later_request_fails_that_request_alone(loopback: Loopback, ask) -> None:
    loopback.respond = lambda seen: error(500, "broken") if "text 1" in seen.text else Answer()
    results, _ = ask("openai/x", 3, base_url=loopback.v1, concurrency=1)
    assert [type(result) for result in results] == [Completion, RequestFailed, Completion]
