"""What is sent to each provider and what is read from its answer, at a real server."""

from __future__ import annotations

import json

import pytest
from loopback_model import Answer, Loopback

from schemacast.errors import ModelAccessError, RequestFailed

SCHEMA_NAMES = {"type", "additionalProperties", "required", "properties"}


@pytest.mark.parametrize("name", ["openai/gpt-x", "ollama/llama3.2", "my-org/my-model"])
def test_chat_completions_are_asked_for_a_strict_schema(name, loopback: Loopback, ask_one) -> None:
    completion = ask_one(name, base_url=loopback.v1, options={"temperature": 0, "top_k": 5})
    assert (completion.text, completion.finish_reason) == ('{"vertices": [], "edges": []}', "stop")
    assert (completion.usage.input_tokens, completion.usage.output_tokens) == (11, 7)
    assert (completion.model, completion.requests, completion.cached) == ("loopback-1", 1, False)
    (request,) = loopback.requests
    assert request.path == "/v1/chat/completions"
    assert request.body["model"] == (name if name.startswith("my-org") else name.partition("/")[2])
    assert [m["role"] for m in request.body["messages"]] == ["system", "user"]
    asked = request.body["response_format"]["json_schema"]
    assert asked["strict"] is True
    assert set(asked["schema"]) == SCHEMA_NAMES
    assert (request.body["temperature"], request.body["top_k"]) == (0, 5)


def test_anthropic_is_asked_to_call_one_tool_with_the_system_text_apart(loopback: Loopback, ask_one) -> None:
    loopback.answer(Answer(reply={"vertices": [1.10, "é"]}))
    completion = ask_one("anthropic/claude-x", base_url=loopback.url)
    assert json.loads(completion.text) == {"vertices": [1.1, "é"]}
    (request,) = loopback.requests
    assert request.path == "/v1/messages"
    assert request.body["max_tokens"] >= 4096
    assert [m["role"] for m in request.body["messages"]] == ["user"]
    assert request.body["system"][0]["text"] == "Read the ticket."
    assert set(request.body["tools"][0]["input_schema"]) == SCHEMA_NAMES
    assert request.body["tool_choice"]["name"] == request.body["tools"][0]["name"] == "reply"


def test_tokens_that_anthropic_kept_or_read_are_counted_as_input(loopback: Loopback, ask_one) -> None:
    body = {
        "type": "message",
        "content": [{"type": "thinking", "thinking": "…"}, {"type": "text", "text": "{}"}],
        "stop_reason": "max_tokens",
        "usage": {
            "input_tokens": 1,
            "cache_creation_input_tokens": 20,
            "cache_read_input_tokens": 300,
            "output_tokens": 4,
        },
    }
    loopback.answer(Answer(body=body))
    completion = ask_one("anthropic/claude-x", base_url=loopback.url)
    assert (completion.text, completion.finish_reason, completion.model) == ("{}", "length", None)
    assert (completion.usage.input_tokens, completion.usage.output_tokens) == (321, 4)


def test_thinking_leaves_the_tool_choice_to_the_model(loopback: Loopback, ask_one) -> None:
    thinking = {"type": "enabled", "budget_tokens": 1024}
    ask_one("anthropic/claude-x", base_url=loopback.url, options={"thinking": thinking, "max_tokens": 9000})
    body = loopback.requests[0].body
    assert (body["tool_choice"], body["max_tokens"], body["thinking"]) == ({"type": "auto"}, 9000, thinking)
    assert body["system"][0]["text"] == "Read the ticket."


def test_a_reply_in_the_arguments_of_a_tool_call_is_read(loopback: Loopback, ask_one) -> None:
    loopback.answer(Answer(reply='{"a": 1}', as_tool=True))
    assert ask_one("openai/gpt-x", base_url=loopback.v1).text == '{"a": 1}'


def test_a_reply_in_content_parts_is_read_without_its_reasoning(loopback: Loopback, ask_one) -> None:
    parts = [{"type": "reasoning", "text": "hm"}, {"type": "text", "text": '{"a"'}, {"type": "text", "text": ": 1}"}]
    loopback.answer(Answer(body={"choices": [{"message": {"content": parts}, "finish_reason": "stop"}]}))
    assert ask_one("openai/gpt-x", base_url=loopback.v1).text == '{"a": 1}'


@pytest.mark.parametrize(
    ("finish", "expected"),
    [("length", "length"), ("content_filter", "refused"), ("stop", "stop"), ("tool_calls", "stop")],
)
def test_how_a_reply_ended_is_told(finish, expected, loopback: Loopback, ask_one) -> None:
    loopback.answer(Answer(reply='{"a": "cut', finish=finish))
    completion = ask_one("openai/gpt-x", base_url=loopback.v1)
    assert (completion.text, completion.finish_reason) == ('{"a": "cut', expected)
    assert len(loopback.requests) == 1  # a cut reply is not asked for again with the same limit


def test_a_refusal_is_told_with_its_words(loopback: Loopback, ask_one) -> None:
    message = {"content": None, "refusal": "I can't help with that."}
    loopback.answer(Answer(body={"choices": [{"message": message, "finish_reason": "stop"}]}))
    completion = ask_one("openai/gpt-x", base_url=loopback.v1)
    assert (completion.text, completion.finish_reason) == ("I can't help with that.", "refused")


@pytest.mark.parametrize(
    "body", [b"<html>hello</html>", b"[]", b"", {"choices": []}, {"choices": [{}]}, {"x": 1}, b"[" * 100_000]
)
def test_an_answer_that_is_no_completion_fails_its_request_and_says_so(body, loopback: Loopback, ask_one) -> None:
    loopback.answer(Answer(body=body))
    with pytest.raises(RequestFailed, match="is the base URL right"):
        ask_one("openai/gpt-x", base_url=loopback.v1)
    assert len(loopback.requests) == 1


def test_an_error_inside_a_200_is_judged_by_the_status_it_names(loopback: Loopback, ask_one) -> None:
    loopback.answer(Answer(body={"error": {"code": 429, "message": "rate limited"}}), Answer())
    assert ask_one("openai/gpt-x", base_url=loopback.v1).requests == 2
    loopback.answer(Answer(body={"error": {"code": 401, "message": "no such user"}}))
    with pytest.raises(ModelAccessError, match="no such user"):
        ask_one("openai/gpt-x", base_url=loopback.v1)


def test_without_a_key_none_is_sent_to_a_base_url_and_with_one_the_key(loopback, ask_one, monkeypatch) -> None:
    for name, url in (("openai/gpt-x", loopback.v1), ("ollama/x", loopback.v1), ("anthropic/x", loopback.url)):
        ask_one(name, base_url=url)
        headers = loopback.requests[-1].headers
        assert "none" in (headers.get("authorization", ""), headers.get("x-api-key")) or headers[
            "authorization"
        ].endswith(" none")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-one")
    ask_one("openai/gpt-x", base_url=loopback.v1)
    assert loopback.requests[-1].headers["authorization"] == "Bearer sk-one"


def test_nothing_else_is_taken_from_the_environment(loopback: Loopback, ask_one, monkeypatch) -> None:
    for name, value in {
        "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
        "OPENAI_ORG_ID": "org-env",
        "OPENAI_PROJECT_ID": "proj-env",
        "OPENAI_CUSTOM_HEADERS": "x-env: 1",
        "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
        "ANTHROPIC_CUSTOM_HEADERS": "x-env: 1",
        "ANTHROPIC_AUTH_TOKEN": "token-env",
        "HTTP_PROXY": "http://127.0.0.1:9",
        "ALL_PROXY": "http://127.0.0.1:9",
    }.items():
        monkeypatch.setenv(name, value)
    ask_one("openai/gpt-x", base_url=loopback.v1)
    ask_one("anthropic/claude-x", base_url=loopback.url)
    for request in loopback.requests:
        sent = " ".join((*request.headers, *request.headers.values()))
        assert "env" not in sent


def test_a_lone_surrogate_does_not_stop_a_request(loopback: Loopback, ask_one) -> None:
    ask_one("openai/x", "a\ud800b", base_url=loopback.v1)
    assert loopback.requests[0].body["messages"][1]["content"] == "a\ufffdb"
