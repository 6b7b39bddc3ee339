"""What providers answer when they give no reply, and that no key is ever shown."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemacast.llm.failures import KeyMask, judge, one_line

MASK = KeyMask("sk-proj-abcdefghijklmnop")


def body(message: str, **codes: str) -> bytes:
    return json.dumps({"error": {"message": message, **codes}}).encode()


@pytest.mark.parametrize(
    ("status", "answer", "kind"),
    [
        (401, b"", "access"),
        (403, body("Country not supported"), "access"),
        (402, body("Insufficient Balance"), "access"),
        (404, body("The model `gpt-9` does not exist", code="model_not_found"), "access"),
        (404, b"<html><body>nginx</body></html>", "access"),
        (400, body("The requested model 'x' does not exist."), "access"),
        (400, body("API key not valid. Please pass a valid API key.", status="INVALID_ARGUMENT"), "access"),
        (429, body("You exceeded your current quota", type="insufficient_quota"), "access"),
        (429, body("Rate limit reached for gpt-x"), "again"),
        (529, body("Overloaded", type="overloaded_error"), "again"),
        (500, body("oops"), "again"),
        (500, body("failed to parse grammar"), "form"),
        (400, body("Invalid schema for response_format 'reply': too many properties"), "form"),
        (400, body("no", param="response_format"), "form"),
        (422, b'{"detail": "response_format: extra fields not permitted"}', "form"),
        (400, body("This model's maximum context length is 8192 tokens", code="context_length_exceeded"), "failed"),
        (400, body("temperature: has to be below 1"), "failed"),
        (413, b"too large", "failed"),
        (400, body("filtered", code="content_filter"), "refused"),
        (501, body("no"), "failed"),
        (302, b"", "access"),
    ],
)
def test_an_answer_is_judged_by_who_can_act(status, answer, kind) -> None:
    assert judge(status, {}, answer, mask=MASK).kind == kind


@pytest.mark.parametrize(
    "answer",
    [b"\xff\x00\x01", b"[" * 90_000, b"null", b"[]", b"3", b'{"error": null}', b'{"error": "x"}', b'{"error": [1]}'],
)
def test_no_answer_is_too_strange(answer) -> None:
    failure = judge(418, {}, answer, mask=MASK)
    assert failure.kind == "failed"
    assert failure.message.startswith("418")


@pytest.mark.parametrize(
    "text",
    [
        "Incorrect API key provided: sk-proj-abcdefghijklmnop.",
        "sk-proj-abcdefghijklmnop",
        "key SK-PROJ-ABCDEFGHIJKLMNOP",
        "header 'Authorization: Bearer sk-proj-abcdefghijklmnop'",
        "you sent sk-proj-ab*******mnop",
        "it begins with proj-abcdefg…",
        "https://x/?key=sk-proj-abcdefghijklmnop&a=1",
        "another one: gsk_ZZZZZZZZZZZZ",
    ],
)
def test_the_key_and_what_looks_like_one_are_hidden(text) -> None:
    shown = MASK(text)
    assert "***" in shown
    assert "abcd" not in shown.lower()
    assert "ZZZ" not in shown


def test_other_words_are_not_hidden() -> None:
    text = "Rate limit reached for gpt-x in organization org-1 on requests per min: Limit 3"
    assert MASK(text) == text
    assert KeyMask("none")("there is none at all") == "there is none at all"


@settings(max_examples=40, deadline=None)
@given(st.text(st.characters(codec="ascii", categories=("L", "N")), min_size=8, max_size=60), st.text(), st.text())
def test_a_key_is_hidden_wherever_it_stands(key, before, after) -> None:
    assert key not in KeyMask(key)(f"{before} {key} {after}").replace("***", "") or key in f"{before} {after}"


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=3000))
def test_words_of_a_provider_are_one_readable_line(text) -> None:
    line = one_line(text)
    assert line.isprintable()
    assert len(line) <= 400
