"""Which sources a question is answered from, in which order, and what each is to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from asking_desk import fill

from schemacast.qa.retrieval import Source, context_root, reference_frames, retrieve
from schemacast.workspace.file import WorkspaceFile

SCHEMA = """
name: accounts
version: 1.0.0
vertices:
  Customer: {key: account, properties: {account: string, name: {type: string, match: name}}}
  Ticket: {key: number, properties: {number: string}}
edges:
  RAISED: {source: Customer, target: Ticket}
"""
TEXTS = {
    "who": "The account ACC-1 belongs to Nordlys Energi.",
    "what": "Morning shift. ACC-1 rang about HD-2, which is urgent. Then lunch.",
    "else": "Nothing of note.",
}


def item(ref: str, kind: str, quote: str, **props: str) -> dict[str, Any]:
    return {
        "ref": ref,
        "type": kind,
        "quote": quote,
        "props": [{"name": name, "value": value, "quote": value} for name, value in props.items()],
    }


REPLIES = {
    "who": {
        "vertices": [item("v1", "Customer", "ACC-1 belongs to Nordlys Energi", account="ACC-1", name="Nordlys Energi")],
        "edges": [],
    },
    "what": {
        "vertices": [item("v1", "Customer", "ACC-1", account="ACC-1"), item("v2", "Ticket", "HD-2", number="HD-2")],
        "edges": [{"relation": "RAISED", "from": "v1", "to": "v2", "quote": "ACC-1 rang about HD-2", "props": []}],
    },
}


def found(workspace: Path, question: str, **options: Any) -> list[Source]:
    with WorkspaceFile(workspace) as file:
        return retrieve([file], question, **options)


def test_a_name_leads_to_a_fact_and_to_the_passage_around_it(tmp_path: Path) -> None:
    workspace = fill(tmp_path, TEXTS, REPLIES, schema=SCHEMA)
    # No word of the question stands in the text that answers it: the account is what joins them.
    sources = found(workspace, "Anything from Nordlys Energi?")
    assert [(source.source_id, source.via) for source in sources] == [
        ("what", "graph"),
        ("who", "text"),
        ("what", "text"),
    ]
    assert sources[0].text == "ACC-1 rang about HD-2"
    assert sources[0].facts == ("Customer ACC-1 RAISED Ticket HD-2",)
    assert sources[2].text == TEXTS["what"]
    assert [source.source_id for source in found(workspace, "Anything from Nordlys Energi?", graph=False)] == ["who"]


def test_every_source_is_a_slice_of_its_text(tmp_path: Path) -> None:
    workspace = fill(tmp_path, TEXTS, REPLIES, schema=SCHEMA)
    for question in ("Nordlys Energi ACC-1", "HD-2 lunch", "Nothing"):
        for source in found(workspace, question):
            assert TEXTS[source.source_id][source.char_start : source.char_end] == source.text


def test_the_same_question_gets_the_same_sources_in_the_same_order(tmp_path: Path) -> None:
    texts = {f"s{number}": "The harbour is busy." for number in range(20)}
    workspace = fill(tmp_path, texts)
    first = found(workspace, "harbour")
    assert first == found(workspace, "harbour")
    assert len(first) == 8


@pytest.mark.parametrize(
    ("source", "role"),
    [("titled", "primary_answer_source"), ("near", "secondary_context_source"), ("weak", "background_source")],
)
def test_what_a_source_is_to_the_question(tmp_path: Path, source: str, role: str) -> None:
    filler = "Many other things were said on that long day at sea and in the harbour office. " * 10
    texts = {
        "near": "The walrus census. The walrus was counted.",
        "titled": "It was counted twice. " + filler,
        "weak": f"A census of many things, seals too. {filler}",
    }
    workspace = fill(tmp_path, texts, metadata={"titled": {"title": "Walrus census"}})
    roles = {each.source_id: each.role for each in found(workspace, "walrus census")}
    assert roles[source] == role
    assert "primary_answer_source" in {each.role for each in found(workspace, "seals")}


def test_titles_that_differ_in_parentheses_alone_are_frames_of_reference(tmp_path: Path) -> None:
    texts = {"a": "Jurassic Park is a film.", "b": "Jurassic Park is a novel.", "c": "A park in Hald."}
    titles = {"a": "Jurassic Park (film)", "b": "Jurassic_Park_(novel)", "c": "Park (Hald)"}
    workspace = fill(tmp_path, texts, metadata={name: {"title": title} for name, title in titles.items()})
    sources = found(workspace, "Who wrote Jurassic Park?")
    assert reference_frames(sources, "Who wrote Jurassic Park?") == ("film", "novel")
    assert reference_frames(sources, "Who wrote it?") == ()
    one = [source for source in sources if source.source_id != "b"]
    assert reference_frames(one, "Who wrote Jurassic Park?") == ()


def test_the_context_root_does_not_depend_on_order_or_number_of_passages(tmp_path: Path) -> None:
    workspace = fill(tmp_path, TEXTS, REPLIES, schema=SCHEMA)
    sources = found(workspace, "Nordlys Energi HD-2")
    assert context_root(sources) == context_root([*reversed(sources), sources[0]])
    assert context_root(sources) != context_root(sources[:1]) or len({each.source_root for each in sources}) == 1
