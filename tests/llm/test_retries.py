"""Waits, retries and what ends a run: counted at a real server."""

from __future__ import annotations

import asyncio
import socket
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from loopback_model import Answer, Loopback, Seen, error

from schemacast.errors import ModelAccessError, ModelUnavailable, RequestFailed
from schemacast.llm.open import open_model
from schemacast.llm.protocol import Completion, Tag
from schemacast.llm.throttle import Patience


def test_a_wait_in_seconds_is_honoured(loopback: Loopback, ask_one) -> None:
    loopback.answer(error(429, "slow down", Retry_After="2"), Answer())
    completion = ask_one("openai/x", base_url=loopback.v1)
    assert completion.requests == len(loopback.requests) == 2
    assert loopback.requests[1].arrived - loopback.answered[0] >= 2.0


def test_a_wait_until_a_date_is_honoured(loopback: Loopback, ask_one) -> None:
    until = datetime.now(UTC) + timedelta(seconds=2)
    loopback.answer(error(503, "down", Retry_After=format_datetime(until, usegmt=True)), Answer())
    assert ask_one("openai/x", base_url=loopback.v1).requests == 2
    assert loopback.requests[1].arrived - loopback.answered[0] >= 0.9


@pytest.mark.parametrize("wait", ["Wed, 21 Oct 2099 07:28:00 GMT", "86400", "inf"])
def test_a_wait_beyond_the_ceiling_is_given_up_with_the_reason_for_everybody(wait, loopback: Loopback, ask) -> None:
    loopback.answer(error(429, "come back later", Retry_After=wait))
    started = time.monotonic()
    results, _ = ask("openai/x", 5, base_url=loopback.v1)
    assert time.monotonic() - started < 5
    assert len(loopback.requests) == 1
    assert all(isinstance(result, ModelUnavailable) for result in results)
    assert "come back later" in str(results[0])
    assert "asks to wait" in str(results[0])


@pytest.mark.parametrize("wait", ["soon", "", "-5", "nan"])
def test_a_wait_that_is_no_time_is_replaced_by_one_of_ours(wait, loopback: Loopback, ask_one) -> None:
    loopback.answer(error(429, "slow down", Retry_After=wait), Answer())
    assert ask_one("openai/x", base_url=loopback.v1).requests == 2


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 529])
def test_what_may_pass_is_tried_a_bounded_number_of_times(status, loopback: Loopback, ask_one) -> None:
    loopback.answer(error(status, "not now"))
    with pytest.raises((ModelUnavailable, RequestFailed), match=r"not now.*tried 3 times") as raised:
        ask_one("openai/x", base_url=loopback.v1)
    assert len(loopback.requests) == raised.value.requests == 3
    # a server error that stays is this request's fault; the others are the endpoint's
    assert isinstance(raised.value, RequestFailed if status == 500 else ModelUnavailable)


def test_every_attempt_is_counted_with_the_tokens_it_reports(loopback: Loopback, ask_one) -> None:
    body = {"error": {"message": "overloaded"}, "usage": {"prompt_tokens": 100, "completion_tokens": 1}}
    loopback.answer(Answer(status=503, body=body), Answer(drop=True), Answer(usage=(11, 7)))
    completion = ask_one("openai/x", base_url=loopback.v1)
    assert completion.requests == len(loopback.requests) == 3
    assert (completion.usage.input_tokens, completion.usage.output_tokens) == (111, 8)


def test_an_endpoint_that_is_not_there_is_unavailable_for_all(ask) -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{held.getsockname()[1]}/v1"
        results, _ = ask("openai/x", 20, base_url=url)
    assert all(isinstance(result, ModelUnavailable) for result in results)
    assert sum(result.requests for result in results) == 3
    assert url in str(results[0])
    assert results[0].retryable
    assert results[0].exit_code == 3


def test_a_time_out_is_tried_again_and_then_given_up(loopback: Loopback, ask_one) -> None:
    loopback.answer(Answer(delay=0.3), Answer())
    completion = ask_one("openai/x", base_url=loopback.v1, options={"timeout": 0.1})
    assert completion.requests == len(loopback.requests) == 2
    loopback.answer(Answer(delay=0.3))
    with pytest.raises(ModelUnavailable, match=r"within 0\.1 s"):
        ask_one("openai/x", base_url=loopback.v1, options={"timeout": 0.1})


def test_a_wrong_key_costs_one_request_and_is_never_shown(loopback: Loopback, ask, monkeypatch, caplog) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret-12345")
    loopback.answer(error(401, "Incorrect API key provided: sk-very-secret-12345, (also sk-ve*****2345)"))
    results, _ = ask("openai/x", 5, base_url=loopback.v1)
    assert len(loopback.requests) == 1
    assert all(isinstance(result, ModelAccessError) for result in results)
    assert "Incorrect API key provided" in str(results[0])
    for text in (*map(str, results), *map(repr, results), caplog.text):
        assert "secret" not in text
        assert "2345" not in text
    assert results[0].__cause__ is None
    assert results[0].__suppress_context__


@pytest.mark.parametrize(
    "answer",
    [
        error(401, "who are you"),
        error(403, "not from your country"),
        error(402, "pay first"),
        error(404, "The model `x` does not exist", "model_not_found"),
        error(400, "x is not a model", "model_not_found"),
        error(429, "You exceeded your current quota", "insufficient_quota"),
        error(400, "Your credit balance is too low to access the API"),
        Answer(status=404, body=b"<html>no such page</html>"),
        Answer(status=301, body=b"", headers={"Location": "http://127.0.0.1:9/"}),
    ],
)
def test_what_a_person_must_mend_ends_the_run_after_one_request(answer, loopback: Loopback, ask) -> None:
    loopback.answer(answer)
    results, _ = ask("openai/x", 3, base_url=loopback.v1)
    assert len(loopback.requests) == 1
    assert all(isinstance(result, ModelAccessError) for result in results)
    assert all(result.exit_code == 4 and not result.retryable for result in results)


def test_a_request_that_is_refused_for_itself_leaves_the_others_alone(loopback: Loopback, ask) -> None:
    def respond(seen: Seen) -> Answer:
        return error(400, "too long for me", "context_length_exceeded") if "text 0" in seen.text else Answer()

    loopback.respond = respond
    results, _ = ask("openai/x", 4, base_url=loopback.v1)
    assert isinstance(results[0], RequestFailed)
    assert "too long for me" in str(results[0])
    assert str(results[0]).startswith("e0: ")
    assert [result.requests for result in results[1:]] == [1, 1, 1]


def test_a_prompt_that_the_providers_filter_stops_is_refused(loopback: Loopback, ask_one) -> None:
    loopback.answer(error(400, "filtered", "content_filter"))
    assert ask_one("openai/x", base_url=loopback.v1).finish_reason == "refused"


def test_the_first_request_goes_alone_and_then_no_more_than_the_concurrency(loopback: Loopback, ask) -> None:
    loopback.answer(Answer(delay=0.05))
    ask("openai/x", 20, base_url=loopback.v1, concurrency=4)
    assert loopback.requests[1].arrived > loopback.answered[0] - 0.01
    assert loopback.most_in_flight == 4


def test_nobody_sends_before_a_wait_is_over_and_fewer_do_afterwards(loopback: Loopback, ask) -> None:
    refused: list[float] = []

    def respond(seen: Seen) -> Answer:
        if "text 5" in seen.text and not refused:
            refused.append(seen.arrived)
            return error(429, "slow down", Retry_After="0.5")
        return Answer(delay=0.02)

    loopback.respond = respond
    results, _ = ask("openai/x", 40, base_url=loopback.v1, concurrency=4)
    assert all(isinstance(result, Completion) for result in results)
    assert len(loopback.requests) == 41
    later = [seen.arrived - refused[0] for seen in loopback.requests if seen.arrived > refused[0] + 0.05]
    assert min(later) >= 0.49


def test_the_form_is_simplified_once_for_the_run_and_that_is_said(loopback: Loopback, ask, caplog) -> None:
    def respond(seen: Seen) -> Answer:
        kind = seen.body.get("response_format", {}).get("type")
        return error(400, "Invalid schema for response_format 'reply'") if kind == "json_schema" else Answer(delay=0.02)

    loopback.respond = respond
    results, model = ask("openai/x", 6, base_url=loopback.v1)
    assert all(isinstance(result, Completion) for result in results)
    asked = [seen.body.get("response_format", {}).get("type") for seen in loopback.requests]
    assert asked == ["json_schema"] + ["json_object"] * 6
    assert "additionalProperties" in loopback.requests[-1].text
    assert len(model.notes) == len(caplog.records) == 1
    assert "Invalid schema" in model.notes[0]


def test_an_endpoint_that_takes_no_form_at_all_is_asked_in_words(loopback: Loopback, ask_one) -> None:
    def respond(seen: Seen) -> Answer:
        return error(400, "unknown field response_format") if "response_format" in seen.body else Answer()

    loopback.respond = respond
    assert ask_one("openai/x", base_url=loopback.v1).requests == 3
    loopback.respond = lambda seen: error(400, "tools: not here") if "tools" in seen.body else Answer()
    assert ask_one("anthropic/x", base_url=loopback.url).requests == 2
    assert "additionalProperties" in loopback.requests[-1].text


def test_a_form_error_that_stays_without_a_form_fails_the_request(loopback: Loopback, ask_one) -> None:
    loopback.answer(error(400, "bad schema"))
    with pytest.raises(RequestFailed, match="bad schema"):
        ask_one("openai/x", base_url=loopback.v1)
    assert len(loopback.requests) == 3


def test_a_model_works_in_one_event_loop_after_another(loopback: Loopback, said, reply_type) -> None:
    model = open_model("openai/x", base_url=loopback.v1)
    for _ in range(3):
        assert asyncio.run(model.complete(said("a"), reply_type, Tag("e"))).requests == 1
    assert len(loopback.requests) == 3


def test_cancelling_gives_the_place_back(loopback: Loopback, said, reply_type) -> None:
    loopback.answer(Answer(), Answer(delay=0.3))

    async def run() -> int:
        model = open_model("openai/x", base_url=loopback.v1, concurrency=2, patience=Patience(first_wait=0.01))
        await model.complete(said("first"), reply_type, Tag("e"))
        tasks = [asyncio.create_task(model.complete(said(str(n)), reply_type, Tag("e"))) for n in range(6)]
        await asyncio.sleep(0.1)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        loopback.answer(Answer())
        after = await asyncio.gather(*(model.complete(said(f"x{n}"), reply_type, Tag("e")) for n in range(4)))
        await model.aclose()
        return len(after)

    assert asyncio.run(run()) == 4


def test_attempts_of_a_request_that_another_one_ended_are_counted(loopback: Loopback, ask) -> None:
    loopback.answer(Answer(delay=0.6))
    results, _ = ask("openai/x", 2, base_url=loopback.v1, options={"timeout": 0.2})
    assert all(isinstance(result, ModelUnavailable) for result in results)
    assert sum(result.requests for result in results) == len(loopback.requests) > 3


def test_a_redirect_is_told_with_where_it_goes_and_not_followed(loopback: Loopback, ask_one) -> None:
    loopback.answer(Answer(status=307, body=b"", headers={"Location": f"{loopback.url}/elsewhere"}))
    with pytest.raises(ModelAccessError, match=r"redirects to http.*/elsewhere, which is not followed"):
        ask_one("openai/x", base_url=loopback.v1)
    assert len(loopback.requests) == 1
