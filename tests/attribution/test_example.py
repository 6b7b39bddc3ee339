"""The example: offline, through a real workspace, all four outcomes, and replies for the prompts of today."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from cli_desk import Ran, lines, run  # noqa: F401 - a fixture

from schemacast.attribution import Asker, SourceAttribution, arun, claim_graph, open_searcher
from schemacast.attribution.claim_records import claims_schema
from schemacast.episode_reader import read_episodes
from schemacast.llm.open import open_model
from schemacast.llm.protocol import Completion, Message, Model, ReplyType, Tag
from schemacast.llm.request_key import prompt_key
from schemacast.resolution.resolve import resolve
from schemacast.threads import run_anywhere

EXAMPLE = Path(__file__).parents[2] / "examples" / "attribution"
OUTCOMES = {
    "vote": "direct",
    "passengers": "paraphrase",
    "cost": "contradiction",
    "yachts": "not_found",
    "opinion": "not_found",
    "question": "not_found",
}


@pytest.fixture
def traced(tmp_path: Path, run: Callable[..., Ran]) -> dict[str, Any]:  # noqa: F811
    """The rows of the example by id, traced as its page says."""
    folder = shutil.copytree(EXAMPLE, tmp_path / "example")
    model = f"replay:{folder / 'cast.replies.jsonl'}"
    casting = ["--schema", "lib:news", "--episodes", folder / "episodes.jsonl", "--model", model]
    made = run("ingest", *casting, "--to", f"networkx:{tmp_path / 'g.json'}", "--workspace", tmp_path / "w.db")
    assert made.code == 0, made.err
    tracing = ["--file", folder / "claims.jsonl", "--workspace", tmp_path / "w.db", "--out", tmp_path / "out"]
    done = run("attribute", *tracing, "--model", f"replay:{folder / 'replies.jsonl'}")
    assert done.code == 0, done.err
    return {row["id"]: row for row in lines(tmp_path / "out" / "attributions.jsonl")}


def test_the_example_has_all_four_outcomes_and_every_quote_stands_in_its_episode(traced: dict[str, Any]) -> None:
    assert {name: row["attribution"]["attribution"] for name, row in traced.items()} == OUTCOMES
    assert [row["errors"] for row in traced.values()] == [[]] * len(OUTCOMES)
    texts = {episode.source_id: episode.text for episode in read_episodes(EXAMPLE / "episodes.jsonl")}
    found = [one["evidence"] for row in traced.values() for one in row["attribution"]["evidence_list"]]
    assert len(found) == 6
    for one in found:
        assert texts[one["source_id"]][one["span"]["start"] : one["span"]["end"]] == one["verbatim_quote"]


def test_the_example_shows_a_correction_a_copy_and_claims_that_were_not_traced(traced: dict[str, Any]) -> None:
    reasoning = [one["reasoning"] for one in traced["cost"]["attribution"]["evidence_list"]]
    assert any("Corrected from paraphrase to contradiction: the number differs" in each for each in reasoning)
    told = [one["evidence"]["relevance_explanation"] for one in traced["vote"]["attribution"]["evidence_list"]]
    assert any("The same story also stands at https://regional.example/n/8812" in each for each in told)
    assert traced["passengers"]["claim"]["extraction_notes"] == (
        "Other claims in the text, not traced: Havgul has a new logo."
    )
    graphs = [claim_graph(SourceAttribution.model_validate(row["attribution"])) for row in traced.values()]
    graph = resolve(claims_schema(), graphs)
    assert sorted(edge.edge_id.relation for edge in graph.edges.values()) == [
        *["CONTRADICTS"] * 2,
        *["PARAPHRASES"] * 3,
        "STATES",
    ]


class Listening:
    """Passes every request on and remembers its key."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.name = model.name
        self.keys: dict[tuple[Any, ...], str] = {}

    def request_key(self, messages: Sequence[Message], reply_type: ReplyType) -> str:
        return self._model.request_key(messages, reply_type)

    def holds(self, messages: Sequence[Message], reply_type: ReplyType, tag: Tag) -> bool:
        return self._model.holds(messages, reply_type, tag)

    async def complete(self, messages: Sequence[Message], reply_type: ReplyType, tag: Tag) -> Completion:
        self.keys[tag.item, tag.stage, tag.source_id, tag.round] = prompt_key(messages, reply_type)
        return await self._model.complete(messages, reply_type, tag)

    async def aclose(self) -> None:
        await self._model.aclose()


def test_every_scripted_reply_is_for_todays_prompt_and_is_asked_for(
    tmp_path: Path,
    traced: dict[str, Any],  # noqa: ARG001 (it makes the workspace)
) -> None:
    model = Listening(open_model(f"replay:{EXAMPLE / 'replies.jsonl'}"))
    searcher = open_searcher("corpus", workspace=tmp_path / "w.db")

    async def trace_all() -> None:
        for row in lines(EXAMPLE / "claims.jsonl"):
            await arun(row["text"], searcher=searcher, model=Asker(model))
        await model.aclose()

    run_anywhere(trace_all)
    recorded = {
        (line["item"], line["stage"], line.get("source_id"), line["round"]): line["request"]
        for line in map(json.loads, (EXAMPLE / "replies.jsonl").read_text(encoding="utf-8").splitlines())
    }
    assert recorded == model.keys
