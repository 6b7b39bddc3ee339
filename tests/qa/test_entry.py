"""`schemacast.ask` as a call: from a plain script, inside a running loop, with a model of one's own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from asking_desk import fill

import schemacast
from schemacast.errors import InputError, UsageError
from schemacast.llm.protocol import Completion, Message, ReplyType, Tag, Usage
from schemacast.llm.request_key import prompt_key

TEXT = "Orvik AS moved to Hald. Ada Lind leads Orvik AS. Nobody objects."
SAID = '"Ada Lind leads Orvik AS" [1].'
WHO = "Who leads Orvik AS?"


class OwnModel:
    """A model of one's own."""

    name = "own"

    def __init__(self) -> None:
        self.tags: list[Tag] = []
        self.closed = 0

    def request_key(self, messages: Sequence[Message], reply_type: ReplyType) -> str:
        return prompt_key(messages, reply_type)

    def holds(self, messages: Sequence[Message], reply_type: ReplyType, tag: Tag) -> bool:  # noqa: ARG002
        return False

    async def complete(self, messages: Sequence[Message], reply_type: ReplyType, tag: Tag) -> Completion:  # noqa: ARG002
        await asyncio.sleep(0)
        self.tags.append(tag)
        return Completion(json.dumps({"answer": SAID}), usage=Usage(7, 2), requests=1)

    async def aclose(self) -> None:
        self.closed += 1


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return fill(tmp_path, {"a": TEXT}, metadata={"a": {"title": "The move", "url": "https://example.org/move"}})


def test_an_answer_is_an_object_with_its_citations(workspace: Path) -> None:
    model = OwnModel()
    answer = schemacast.ask(WHO, workspace=workspace, model=model)
    assert isinstance(answer, schemacast.Answer)
    assert (answer.text, answer.audit_mode, answer.absent, answer.lookup_path) == (SAID, "STRICT", False, "miss")
    assert answer.spent == {"requests": 1, "input_tokens": 7, "output_tokens": 2}
    (cited,) = answer.citations
    assert TEXT[cited.char_start : cited.char_end] == cited.quote == "Ada Lind leads Orvik AS"
    assert cited.sentence == "Ada Lind leads Orvik AS."
    assert TEXT[cited.sentence_start :].startswith(cited.sentence)
    assert (cited.title, cited.uri) == ("The move", "https://example.org/move")
    assert [(tag.item, tag.stage) for tag in model.tags] == [(WHO, "answer")]
    assert model.closed == 1
    assert json.loads(json.dumps(answer.to_json()))["citations"][0]["quote"] == cited.quote


def test_it_works_inside_a_running_loop_and_gives_the_same(workspace: Path) -> None:
    async def inside() -> schemacast.Answer:
        return schemacast.ask(WHO, workspace=str(workspace), model=OwnModel())

    first = asyncio.run(inside())
    second = schemacast.ask(WHO, workspace=workspace, model=OwnModel())
    assert (first.lookup_path, second.lookup_path) == ("miss", "primary")
    assert first.citations == second.citations
    assert second.spent["requests"] == 0


def test_a_model_sees_no_metadata(workspace: Path) -> None:
    seen: list[str] = []

    class Listening(OwnModel):
        async def complete(self, messages: Sequence[Message], reply_type: ReplyType, tag: Tag) -> Completion:
            seen.extend(message["content"] for message in messages)
            return await super().complete(messages, reply_type, tag)

    for mode in ("quote", "claim_lattice_pointer", "claim_lattice"):
        schemacast.ask("What was the move?", workspace=workspace, model=Listening(), answer_mode=mode)  # type: ignore[arg-type]
    assert len(seen) == 6
    assert "The move" not in "".join(seen)
    assert "example.org" not in "".join(seen)


def test_a_base_url_is_part_of_the_model_and_a_login_in_it_is_not_kept(workspace: Path) -> None:
    first = schemacast.ask(WHO, workspace=workspace, model=OwnModel())
    other = schemacast.ask(WHO, workspace=workspace, model=OwnModel(), base_url="http://me:secret@localhost:1/v1")
    assert (first.record_id, other.lookup_path) == (1, "miss")
    assert "secret" not in json.dumps(other.to_json())


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ({"answer_mode": "prose"}, UsageError),
        ({"top_k": 0}, UsageError),
        ({"dedup": "x"}, UsageError),
        ({"fidelity": "x"}, UsageError),
    ],
)
def test_what_cannot_be_asked_is_told(workspace: Path, options: dict, kind: type[Exception]) -> None:  # type: ignore[type-arg]
    with pytest.raises(kind):
        schemacast.ask(WHO, workspace=workspace, model=OwnModel(), **options)
    with pytest.raises(InputError, match="no such workspace"):
        schemacast.ask(WHO, workspace=workspace.with_name("none.db"), model=OwnModel())
