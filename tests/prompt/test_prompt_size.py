"""The prompt stays within its budget on the tickets of the benchmark, whose replies are right ones."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from schemacast.cast.reply import read_reply
from schemacast.cast.reply_type import reply_type
from schemacast.cast.validate import validate
from schemacast.episode import Episode
from schemacast.schema.load import load_schema
from schemacast.schema.values import Json

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks" / "prompt_size"


def lines(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (FOLDER / name).read_text("utf-8").splitlines()]


def test_messages_and_reply_stay_within_their_budget() -> None:
    spec = importlib.util.spec_from_file_location("measure", FOLDER / "measure.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    tokens = module.measure()
    assert tokens["together"] <= 900
    assert tokens["reply_type"] <= 450


def check(value: Json, schema: Json) -> None:
    """Whether a value has the form of the reply type: an own reading of its small part of JSON Schema."""
    assert isinstance(schema, dict)
    if "anyOf" in schema:
        assert any(_fits(value, option) for option in schema["anyOf"])
        return
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    names = {dict: "object", list: "array", str: "string", bool: "boolean", type(None): "null"}
    assert names[type(value)] in kinds
    if "enum" in schema:
        assert value in schema["enum"]
    if isinstance(value, dict):
        assert list(value) == schema["required"]
        for key, inner in value.items():
            check(inner, schema["properties"][key])
    elif isinstance(value, list):
        for inner in value:
            check(inner, schema["items"])


def _fits(value: Json, schema: Json) -> bool:
    try:
        check(value, schema)
    except AssertionError:
        return False
    return True


@pytest.mark.parametrize("line", lines("scripted.jsonl"), ids=lambda line: line["source_id"])
def test_the_scripted_replies_have_the_form_asked_for_and_quote_their_texts(line: dict[str, str]) -> None:
    schema = load_schema(FOLDER / "schema.yaml")
    check(json.loads(line["reply"]), dict(reply_type(schema).schema))
    text = next(entry["text"] for entry in lines("episodes.jsonl") if entry["source_id"] == line["source_id"])
    reply = read_reply(line["reply"])
    assert reply.repaired == ()
    for item in [*reply.vertices, *reply.edges, *reply.unmapped]:
        assert item["quote"] in text
        for prop in item.get("props", []):
            assert prop["quote"] is None or prop["quote"] in text


@pytest.mark.parametrize("line", lines("scripted.jsonl"), ids=lambda line: line["source_id"])
def test_the_validator_finds_nothing_in_the_scripted_replies(line: dict[str, str]) -> None:
    schema = load_schema(FOLDER / "schema.yaml")
    entry = next(entry for entry in lines("episodes.jsonl") if entry["source_id"] == line["source_id"])
    episode = Episode.model_validate(entry)
    found = validate(read_reply(line["reply"]), schema, episode, locale=episode.locale, timezone="UTC")
    assert found.findings == ()
