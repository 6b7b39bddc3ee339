"""Providers that are called through instructor's function: one of them at a real server, the others' shapes."""

from __future__ import annotations

import pytest
from loopback_model import Answer, Loopback, Seen, error

from schemacast.errors import ModelAccessError, RequestFailed, UsageError
from schemacast.llm.failures import AttemptFailed, KeyMask
from schemacast.llm.foreign import judge_exception, read_foreign
from schemacast.llm.open import open_model


def test_azure_is_asked_through_its_own_client(loopback: Loopback, ask_one, monkeypatch) -> None:
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "azure-key-1")
    monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-env")
    completion = ask_one("azure_openai/my-deployment", base_url=loopback.url, options={"temperature": 0})
    assert (completion.text, completion.requests) == ('{"vertices": [], "edges": []}', 1)
    assert (completion.usage.input_tokens, completion.usage.output_tokens) == (11, 7)
    (request,) = loopback.requests
    assert "/deployments/my-deployment/chat/completions" in request.path
    assert request.headers["api-key"] == "azure-key-1"
    assert "org-env" not in request.headers.values()
    assert "additionalProperties" in str(request.body)
    assert request.body["temperature"] == 0


def test_attempts_and_errors_of_a_foreign_client_are_ours(loopback: Loopback, ask_one, monkeypatch) -> None:
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "azure-key-1")
    loopback.answer(error(429, "slow", Retry_After="0.1"), Answer(drop=True), Answer())
    assert ask_one("azure_openai/x", base_url=loopback.url).requests == len(loopback.requests) == 3
    loopback.answer(error(401, "not azure-key-1"))
    with pytest.raises(ModelAccessError, match=r"not \*\*\*"):
        ask_one("azure_openai/x", base_url=loopback.url)
    loopback.answer(error(400, "odd"))
    with pytest.raises(RequestFailed, match="odd"):
        ask_one("azure_openai/x", base_url=loopback.url)

    def respond(seen: Seen) -> Answer:
        formed = {"response_format", "tools"} & set(seen.body)
        return error(400, "Invalid schema for response_format") if formed else Answer()

    loopback.respond = respond
    assert ask_one("azure_openai/x", base_url=loopback.url).requests == 2
    assert "additionalProperties" in loopback.requests[-1].text


def test_a_provider_with_a_protocol_of_its_own_takes_no_base_url(monkeypatch) -> None:
    monkeypatch.setattr("schemacast.llm.client.check_package", lambda _: None)
    with pytest.raises(UsageError, match="takes no base URL"):
        open_model("cohere/x", base_url="http://127.0.0.1:9")


@pytest.mark.parametrize(
    ("answer", "text", "finish", "tokens"),
    [
        (
            {
                "candidates": [
                    {
                        "content": {"parts": [{"text": "hm", "thought": True}, {"text": '{"a"'}, {"text": ": 1}"}]},
                        "finish_reason": "FinishReason.MAX_TOKENS",
                    }
                ],
                "usage_metadata": {"prompt_token_count": 3, "candidates_token_count": 2},
            },
            '{"a": 1}',
            "length",
            (3, 2),
        ),
        (
            {"candidates": [{"content": {"parts": [{"function_call": {"name": "reply", "args": {"a": 1}}}]}}]},
            '{"a":1}',
            "stop",
            (0, 0),
        ),
        (
            {
                "output": {"message": {"content": [{"toolUse": {"name": "reply", "input": {"a": 1}}}]}},
                "stopReason": "guardrail_intervened",
                "usage": {"inputTokens": 3, "outputTokens": 2},
            },
            '{"a":1}',
            "refused",
            (3, 2),
        ),
        (
            {
                "message": {"tool_calls": [{"function": {"name": "reply", "arguments": '{"a": 1}'}}]},
                "finish_reason": "COMPLETE",
                "usage": {"tokens": {"input_tokens": 3, "output_tokens": 2}},
            },
            '{"a": 1}',
            "stop",
            (3, 2),
        ),
    ],
)
def test_replies_are_found_in_the_shapes_in_use(answer, text, finish, tokens) -> None:
    reading = read_foreign(answer)
    assert (reading.text, reading.finish_reason) == (text, finish)
    assert (reading.usage.input_tokens, reading.usage.output_tokens) == tokens


def test_an_answer_with_no_choices_is_no_reply() -> None:
    with pytest.raises(AttemptFailed, match="chat completion"):
        read_foreign({"choices": []})


class _Refusal(Exception):
    def __init__(self, **facts: object) -> None:
        self.__dict__.update(facts)
        super().__init__("the words")


@pytest.mark.parametrize(
    ("exception", "kind"),
    [
        (_Refusal(status_code=429, headers={"Retry-After": "3"}), "again"),
        (_Refusal(code=503), "again"),
        (_Refusal(response={"ResponseMetadata": {"HTTPStatusCode": 403}}), "access"),
        (_Refusal(code=lambda: 5), "failed"),
        (ConnectionResetError("gone"), "again"),
        (KeyError("x"), "failed"),
    ],
)
def test_exceptions_of_foreign_clients_are_judged_by_what_they_carry(exception, kind) -> None:
    failure = judge_exception(exception, KeyMask("none"))
    assert failure.kind == kind
    if kind == "again" and hasattr(exception, "headers"):
        assert failure.wait == 3.0


def test_a_foreign_provider_needs_its_package_before_anything_else() -> None:
    with pytest.raises(UsageError, match="boto3"):
        open_model("bedrock/x")
