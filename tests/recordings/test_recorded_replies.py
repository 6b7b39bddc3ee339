"""Recorded replies belong to the prompt of today: a line recorded for another prompt, or never asked for, fails.

The recordings of the example and of the ready-made schemas were written by a language model that saw nothing
but the rendered messages; those of `claims` are scripted by hand. Each carries the key of its request.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from schemacast import Caster, load_schema, read_episodes, resolve
from schemacast.ground import locate
from schemacast.llm.open import open_model
from schemacast.llm.protocol import Completion, Message, Model, ReplyType, Tag
from schemacast.llm.request_key import prompt_key

ROOT = Path(__file__).resolve().parents[2]
SETS = {
    "tickets": [ROOT / "examples" / "tickets" / name for name in ("schema.yaml", "episodes.jsonl", "replies.jsonl")],
    **{
        name: [ROOT / "schemas" / f"{name}{end}" for end in (".yaml", ".episodes.jsonl", ".replies.jsonl")]
        for name in ("claims", "helpdesk", "maintenance", "news")
    },
}


class Listening:
    """Passes every request on and remembers its key."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.name = model.name
        self.keys: dict[tuple[str | None, int], str] = {}

    def request_key(self, messages: Sequence[Message], reply_type: ReplyType) -> str:
        return self._model.request_key(messages, reply_type)

    def holds(self, messages: Sequence[Message], reply_type: ReplyType, tag: Tag) -> bool:
        return self._model.holds(messages, reply_type, tag)

    async def complete(self, messages: Sequence[Message], reply_type: ReplyType, tag: Tag) -> Completion:
        self.keys[tag.source_id, tag.round] = prompt_key(messages, reply_type)
        return await self._model.complete(messages, reply_type, tag)

    async def aclose(self) -> None:
        await self._model.aclose()


@pytest.mark.parametrize("name", SETS)
def test_every_recorded_reply_was_recorded_for_todays_prompt(name: str) -> None:
    schema, episodes, replies = SETS[name]
    model = Listening(open_model(f"replay:{replies}"))
    Caster(load_schema(schema), model=model).cast(read_episodes(episodes))
    recorded = {
        (line["source_id"], line["round"]): line["request"]
        for line in map(json.loads, replies.read_text(encoding="utf-8").splitlines())
    }
    asyncio.run(model.aclose())
    assert recorded == {address: key for address, key in model.keys.items() if address in recorded}
    assert {source_id for source_id, round_ in recorded if round_ == 0} == {
        episode.source_id for episode in read_episodes(episodes)
    }


@pytest.mark.parametrize("name", SETS)
def test_what_is_cast_from_it_is_located_and_resolves(name: str) -> None:
    schema_file, episodes, replies = SETS[name]
    schema = load_schema(schema_file)
    result = Caster(schema, model=f"replay:{replies}").cast(read_episodes(episodes)).raise_for_failures()
    texts = {}
    for episode in read_episodes(episodes):
        texts[episode.source_id, None] = episode.text
        texts.update({(episode.source_id, item.source_id): item.text for item in episode.context})
    rows = result.rows("groundings")
    assert len(rows) > 50
    for row in rows:
        text = texts[row["source_id"], row["in_context"]]
        assert text[row["char_start"] : row["char_end"]] == row["quote"]
        assert locate(str(row["quote"]), text) is not None
    graph = resolve(schema, result.graphs)
    assert len(graph.entities) >= 10
    assert len(graph.edges) >= 10
