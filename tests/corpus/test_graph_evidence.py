"""What the graph holds about the things a question names, as spans of the texts it was read from."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from asking_desk import PEOPLE, edge, fill, store, vertex

from schemacast.corpus.graph_evidence import GraphEvidence, graph_evidence
from schemacast.jobs.retraction import retract
from schemacast.workspace.file import WorkspaceFile
from schemacast.workspace.reader import Workspace

TEXTS = {
    "a": "Ada Lind works at Orvik AS.",
    "b": "Orvik AS is led by Bo Berg. The company Orvik AS has 6 ships.",
    "c": "Orvik Mail is slow. 東京製鋼は大きい。",
    "d": "Cato Dahl works at Hald.",
}
REPLIES = {
    "a": {
        "vertices": [vertex("v1", "Person", "Ada Lind"), vertex("v2", "Company", "Orvik AS")],
        "edges": [edge("v1", "WORKS_AT", "v2", "Ada Lind works at Orvik AS")],
    },
    "b": {
        "vertices": [
            vertex("v1", "Person", "Bo Berg"),
            {
                "ref": "v2",
                "type": "Company",
                "quote": "Orvik AS has 6 ships",
                "props": [
                    {"name": "name", "value": "Orvik AS", "quote": "Orvik AS has 6 ships"},
                    {"name": "ships", "value": 6, "quote": "Orvik AS has 6 ships"},
                ],
            },
        ],
        "edges": [edge("v1", "LEADS", "v2", "Orvik AS is led by Bo Berg")],
    },
    "c": {"vertices": [vertex("v1", "Company", "Orvik Mail"), vertex("v2", "Company", "東京製鋼")], "edges": []},
    "d": {
        "vertices": [vertex("v1", "Person", "Cato Dahl"), vertex("v2", "Company", "Hald")],
        "edges": [edge("v1", "WORKS_AT", "v2", "Cato Dahl works at Hald")],
    },
}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fill(tmp_path_factory.mktemp("graph"), TEXTS, REPLIES)


def statements(found: list[GraphEvidence]) -> list[str]:
    return [one.statement for one in found]


@pytest.mark.parametrize("question", ["Whom does Orvik AS employ?", "whom does ORVIK employ", "Orvik's people?"])
def test_an_edge_is_found_from_its_target_and_keeps_its_direction(filled: Path, question: str) -> None:
    found = graph_evidence(filled, question)
    assert "Person Ada Lind WORKS_AT Company Orvik AS" in statements(found)
    edge = next(one for one in found if one.statement.startswith("Person Ada"))
    assert (edge.source_id, edge.char_start, edge.char_end) == ("a", 0, 26)
    assert edge.edge is not None
    assert edge.edge.relation == "WORKS_AT"


def test_the_spans_are_those_of_the_graph(filled: Path) -> None:
    found = graph_evidence(filled, "What of Orvik AS and Ada Lind?", limit=100)
    with Workspace(filled) as workspace:
        stated = {
            (row["source_id"], row["char_start"], row["char_end"], row["quote"]) for row in workspace.groundings()
        }
    assert found
    for one in found:
        assert (one.source_id, one.char_start, one.char_end, one.quote) in stated
        assert TEXTS[one.source_id][one.char_start : one.char_end] == one.quote


def test_an_edge_between_two_named_entities_comes_first(filled: Path) -> None:
    found = graph_evidence(filled, "Does Bo Berg have to do with Orvik AS?")
    assert found[0].statement == "Person Bo Berg LEADS Company Orvik AS"
    assert len(found[0].entities) == 2


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("How many ships does Orvik have?", "Company Orvik AS: ships = 6"),
        ("Who is leading Orvik?", "Person Bo Berg LEADS Company Orvik AS"),
        ("Who works for Orvik?", "Person Ada Lind WORKS_AT Company Orvik AS"),
    ],
)
def test_what_is_asked_for_by_name_comes_first(filled: Path, question: str, first: str) -> None:
    assert graph_evidence(filled, question)[0].statement == first


def test_the_longest_name_is_what_is_meant(filled: Path) -> None:
    assert statements(graph_evidence(filled, "Is Orvik Mail slow?")) == ["Company Orvik Mail"]


def test_a_name_in_a_script_without_spaces_is_found_within_a_sentence(filled: Path) -> None:
    assert statements(graph_evidence(filled, "東京製鋼はどこですか")) == ["Company 東京製鋼"]


@pytest.mark.parametrize("question", ["", "Who?", "What does Brevik AS own?", "Lindqvist", "AS", "x" * 10_000])
def test_who_names_nothing_known_gets_nothing(filled: Path, question: str) -> None:
    assert graph_evidence(filled, question) == []


def test_no_more_than_the_limit_and_each_span_once(filled: Path) -> None:
    found = graph_evidence(filled, "Orvik AS", limit=2)
    assert len(found) == 2
    every = graph_evidence(filled, "Orvik AS", limit=100)
    assert len({(one.source_id, one.char_start, one.char_end) for one in every}) == len(every)
    assert every[:2] == found


def test_what_was_retracted_is_no_evidence(tmp_path: Path) -> None:
    workspace = fill(tmp_path, TEXTS, REPLIES)
    retract(workspace, ["a"], to=store(tmp_path))
    assert {one.source_id for one in graph_evidence(workspace, "Orvik AS and Ada Lind", limit=100)} == {"b"}


def test_a_grounding_that_the_present_text_does_not_bear_out_is_none(tmp_path: Path) -> None:
    workspace = fill(tmp_path, TEXTS, REPLIES)
    with sqlite3.connect(workspace) as file:
        body = json.loads(file.execute("SELECT body FROM texts WHERE episode = 1").fetchone()[0])
        body["text"] = "Nobody works at Orvik AS."
        file.execute("UPDATE texts SET body = ? WHERE episode = 1", (json.dumps(body),))
    assert "a" not in {one.source_id for one in graph_evidence(workspace, "Orvik AS", limit=100)}


def test_an_empty_workspace_has_no_graph(tmp_path: Path) -> None:
    WorkspaceFile(tmp_path / "empty.db", create=True).close()
    assert graph_evidence(tmp_path / "empty.db", "Orvik AS") == []


def test_a_schema_that_names_things_by_more_is_followed(tmp_path: Path) -> None:
    text = {"a": "Orvik AS, the navy of Hald, has 6 ships."}
    quoted = [{"name": "name", "value": "Orvik AS"}, {"name": "motto", "value": "the navy of Hald"}]
    reply = {"vertices": [{"ref": "v1", "type": "Company", "quote": text["a"], "props": quoted}], "edges": []}
    before = PEOPLE.replace("ships: integer}", "ships: integer, motto: string}")
    workspace = fill(tmp_path, text, {"a": reply}, schema=before)
    assert graph_evidence(workspace, "Who is the navy of Hald?") == []
    after = before.replace("motto: string", "motto: {type: string, match: name}").replace("1.0.0", "1.1.0")
    fill(tmp_path, text, {"a": reply}, schema=after)
    assert graph_evidence(workspace, "Who is the navy of Hald?") != []
