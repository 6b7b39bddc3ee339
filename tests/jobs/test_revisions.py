"""What a run or a person finds to be two in one, or one in two, reaches the store: edges move, ids become aliases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from job_desk import StoreAt, texts
from line_model import LineModel
from neo4j_server import Database

from schemacast import JobReport, Workspace, ingest, reinstate, retract, sync
from schemacast.graph import Entity, Graph
from schemacast.jobs.explaining import explain
from schemacast.jobs.resolving import resolve_workspace
from schemacast.jobs.verdicts import VerdictReport, join, split, undo
from schemacast.schema.load import parse_schema
from schemacast.workspace import decisions
from schemacast.workspace.decisions import Decisions
from schemacast.workspace.file import WorkspaceFile

SCHEMA = parse_schema(
    """
name: fleet
vertices:
  ProbeFirm:
    synonyms: [Firm]
    key: {match: [name]}
    alternates: [number]
    properties: {name: {type: string, match: name}, number: {type: string, match: code}, size: integer}
  ProbeShip: {synonyms: [Ship], key: name, properties: {name: string}}
edges:
  RUNS: {source: ProbeFirm, target: ProbeShip, properties: {since: date}}
  OWNS: {source: ProbeFirm, target: ProbeFirm}
  PARTNERS: {source: ProbeFirm, target: ProbeFirm, symmetric: true}
"""
)
FIRMS = {
    "m1": "v1 Firm name=Orvik size=3\nv2 Ship name=Ada\nv1 RUNS v2 since=2026-03-02",
    "m2": "v1 Firm name=Northline size=7\nv2 Ship name=Ada\nv1 RUNS v2\nv3 Ship name=Brevik\nv1 RUNS v3",
    "m3": "v1 Firm name=Orvik\nv2 Firm name=Northline\nv1 OWNS v2\nv1 PARTNERS v1\nv3 Firm name=Hald\nv2 OWNS v3",
}


class Desk:
    """One workspace and one store."""

    def __init__(self, store: StoreAt, workspace: Path) -> None:
        self.store = store
        self.workspace = workspace

    def ingest(self, **given: str) -> JobReport:
        episodes = texts(**given)
        return ingest(SCHEMA, episodes, model=LineModel(), to=self.store.address(), workspace=self.workspace)

    def say(self, verdict: Callable[..., VerdictReport], *what: Any) -> VerdictReport:
        return verdict(self.workspace, *what, to=self.store.address())

    def graph(self) -> Graph:
        return self.store.read(SCHEMA)

    def firm(self, name: str) -> Entity:
        return next(entity for entity in self.graph().of_type("ProbeFirm") if entity.props["name"] == name)

    def edges(self) -> list[tuple[str, str, str]]:
        graph = self.graph()
        names = {ident: str(entity.props["name"]) for ident, entity in graph.entities.items()}
        return sorted((names[e.source], e.edge_id.relation, names[e.target]) for e in graph.edges.values())


@pytest.fixture
def desk(store: StoreAt, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(store, tmp_path / "work.db")
    yield made
    assert sync(made.workspace, to=store.address(), check=True).same


def test_a_join_moves_edges_folds_doubled_ones_and_drops_the_loops_it_makes(desk: Desk) -> None:
    desk.ingest(**FIRMS)
    orvik, north = desk.firm("Orvik"), desk.firm("Northline")
    assert len(desk.edges()) == 6
    report = desk.say(join, "ProbeFirm", ["Orvik", "Northline"])
    (merge,) = report.resolved.revisions
    assert (merge.kind, {merge.entity, *merge.others}, merge.by) == ("merge", {orvik.id, north.id}, "person")
    assert merge.when
    # OWNS between the two is a loop that only the merge made; PARTNERS with itself is what a text states.
    assert dict(report.resolved.written.loops) == {"OWNS": 1}
    assert desk.edges() == [
        ("Orvik", "OWNS", "Hald"),
        ("Orvik", "PARTNERS", "Orvik"),
        ("Orvik", "RUNS", "Ada"),
        ("Orvik", "RUNS", "Brevik"),
    ]
    merged = desk.firm("Orvik")
    assert {merged.id, *merged.aliases} == {orvik.id, north.id}
    ada = next(edge for edge in desk.graph().edges.values() if edge.props)
    assert str(ada.props["since"]) == "2026-03-02"


def test_a_merged_id_stays_an_alias_in_later_runs_until_it_is_an_entity_again(desk: Desk) -> None:
    desk.ingest(**FIRMS)
    orvik, north = desk.firm("Orvik"), desk.firm("Northline")
    before = desk.edges()
    number = desk.say(join, "ProbeFirm", ["Orvik", north.id]).number
    desk.ingest(**FIRMS, m4="v1 Firm name=Northline size=9")
    merged = desk.firm("Orvik")
    assert {merged.id, *merged.aliases} == {orvik.id, north.id}
    assert merged.props["size"] == 9
    assert explain(desk.workspace, "ProbeFirm", merged.aliases[0])[0].entity == merged
    with Workspace(desk.workspace) as workspace:
        for key in (*merged.aliases, "NORTHLINE", merged.id):
            rows = list(workspace.groundings(entity=("ProbeFirm", key)))
            assert {row["entity"] for row in rows} == {merged.id}
            assert {row["source_id"] for row in rows} == {"m1", "m2", "m3", "m4"}
    report = desk.say(undo, number)
    assert [each.kind for each in report.resolved.revisions] == ["split"]
    assert desk.edges() == before
    assert {desk.firm(name).id for name in ("Orvik", "Northline")} == {orvik.id, north.id}
    assert all(entity.aliases == () for entity in desk.graph().entities.values())


def test_a_split_stands_against_equal_names_and_in_every_later_run(desk: Desk) -> None:
    desk.ingest(**FIRMS)
    report = desk.say(split, "ProbeFirm", "Orvik", ["m3"])
    (found,) = report.resolved.revisions
    assert (found.kind, found.by, len(found.others)) == ("split", "person", 1)
    firms = [entity for entity in desk.graph().of_type("ProbeFirm") if entity.props["name"] == "Orvik"]
    assert sorted(str(entity.props.get("size")) for entity in firms) == ["3", "None"]
    assert found.entity in {entity.id for entity in firms}
    held = desk.graph()
    desk.ingest(**FIRMS, m5="v1 Ship name=Lind")
    assert {e.id for e in desk.graph().of_type("ProbeFirm")} == {e.id for e in held.of_type("ProbeFirm")}
    desk.say(undo, report.number)
    assert sum(entity.props["name"] == "Orvik" for entity in desk.graph().of_type("ProbeFirm")) == 1


def test_of_a_join_and_a_split_the_later_one_stands(desk: Desk) -> None:
    desk.ingest(**FIRMS)
    desk.say(join, "ProbeFirm", ["Orvik", "Northline"])
    first = desk.say(split, "ProbeFirm", "Orvik", ["m2"])
    # Of the joined records those of m3 stay with Orvik, whatever their own name says.
    assert ("Orvik", "RUNS", "Ada") in desk.edges()
    assert ("Northline", "RUNS", "Brevik") in desk.edges()
    desk.say(join, "ProbeFirm", ["Orvik", desk.firm("Northline").id])
    assert [each for each in desk.edges() if each[0] == "Northline"] == []
    desk.say(undo, first.number)
    assert [each for each in desk.edges() if each[0] == "Northline"] == []


def test_a_join_of_a_retracted_record_waits_for_it_and_stands_again(desk: Desk) -> None:
    desk.ingest(**FIRMS)
    desk.say(join, "ProbeFirm", ["Orvik", "Northline"])
    held = desk.edges()
    retract(desk.workspace, ["m1", "m3"], to=desk.store.address())
    assert [each[:2] for each in desk.edges()] == [("Northline", "RUNS"), ("Northline", "RUNS")]
    reinstate(desk.workspace, ["m1", "m3"], to=desk.store.address())
    assert desk.edges() == held


def test_a_record_that_states_the_number_of_one_and_the_name_of_another_makes_them_one(desk: Desk) -> None:
    given = {"m1": "v1 Firm name=Orvik_Lines number=917-403", "m2": "v1 Firm name=Northern_Star"}
    report = desk.ingest(**given)
    assert report.written.entities == 2
    report = desk.ingest(**given, m3="v1 Firm name=Northern_Star number=917403")
    assert report.written.entities == 1
    (merge,) = report.written.revisions
    assert (merge.kind, merge.type, merge.by, merge.score) == ("merge", "ProbeFirm", "alternate", 1.0)
    assert report.to_json()["merges"] == 1
    (firm,) = desk.graph().of_type("ProbeFirm")
    assert firm.aliases == merge.others
    retract(desk.workspace, ["m3"], to=desk.store.address())
    assert len(list(desk.graph().of_type("ProbeFirm"))) == 2


def test_relearning_reports_what_it_changes_and_changes_no_id_by_itself(desk: Desk) -> None:
    desk.ingest(**FIRMS)
    held = desk.graph()
    report = resolve_workspace(desk.workspace, to=desk.store.address(), relearn=True)
    assert report.revisions == ()
    assert set(report.learned) == {"ProbeFirm"}
    assert desk.graph() == held


@pytest.mark.neo4j
def test_relationships_that_others_made_to_a_merged_node_stay_with_it(database: Database, tmp_path: Path) -> None:
    desk = Desk(StoreAt(tmp_path, database.address), tmp_path / "work.db")
    desk.ingest(**FIRMS)
    for firm in desk.graph().of_type("ProbeFirm"):
        database.run(
            "MATCH (n:ProbeFirm {schemacast_id: $id}) CREATE (:ProbeNote {of: $name})-[:ProbeABOUT]->(n)",
            id=firm.id,
            name=firm.props["name"],
        )
    report = desk.say(join, "ProbeFirm", ["Orvik", "Northline"])
    assert report.resolved.written.report.vertices.kept == 1
    assert database.run("MATCH (:ProbeNote)-[:ProbeABOUT]->(n) RETURN count(n) AS n") == [{"n": 3}]
    assert len(list(desk.graph().of_type("ProbeFirm"))) == 2


def test_two_workspaces_find_each_others_entities_by_likeness(store: StoreAt, tmp_path: Path) -> None:
    one, two = Desk(store, tmp_path / "one.db"), Desk(store, tmp_path / "two.db")
    one.ingest(m1="v1 Firm name=Orvik_AS size=3")
    report = two.ingest(x1="v1 Firm name=ORVIK_A/S size=7".replace("/", "."), x2="v1 Firm name=Hald")
    assert report.written.entities == 2
    assert len(list(one.graph().of_type("ProbeFirm"))) == 2
    assert two.ingest(x1="v1 Firm name=ORVIK_A.S size=7", x2="v1 Firm name=Hald").nothing_to_do
    assert sync(two.workspace, to=store.address(), check=True).same
    retract(one.workspace, ["m1"], to=store.address())
    assert {entity.props.get("size") for entity in two.graph().of_type("ProbeFirm")} == {7, None}


def test_purging_a_source_erases_what_was_said_about_its_records(desk: Desk) -> None:
    desk.ingest(**FIRMS)
    desk.say(join, "ProbeFirm", ["Orvik", "Northline"])
    retract(desk.workspace, ["m2"], to=desk.store.address(), purge=True)
    with WorkspaceFile(desk.workspace) as file:
        said = [
            named.source_id for verdict, _ in Decisions(file).verdicts() for side in verdict.sides for named in side
        ]
        assert set(said) == {"m1", "m3"}
        assert file.value("SELECT count(*) FROM decisions WHERE source_id = 'm2'") == 0


def test_weights_are_kept_when_they_were_learned_from_enough_and_used_until_learned_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(StoreAt(tmp_path), tmp_path / "work.db")
    desk.ingest(**FIRMS)
    with WorkspaceFile(desk.workspace) as file:
        assert Decisions(file).weights() == {}
    monkeypatch.setattr(decisions, "LEAST_ROWS", 3)
    resolve_workspace(desk.workspace, relearn=True)
    with WorkspaceFile(desk.workspace) as file:
        kept = Decisions(file).weights()
    assert kept["ProbeFirm"].rows == 3
    desk.ingest(**FIRMS, m4="v1 Firm name=Brun")
    with WorkspaceFile(desk.workspace) as file:
        assert Decisions(file).weights() == kept
    report = resolve_workspace(desk.workspace, relearn=True)
    assert report.learned["ProbeFirm"].rows == 4
    with WorkspaceFile(desk.workspace) as file:
        assert Decisions(file).weights()["ProbeFirm"].rows == 4
        # What was learned for another comparison says nothing of this one.
        file.execute("UPDATE weights SET signature = 'other'")
    desk.ingest(**FIRMS, m4="v1 Firm name=Brun", m5="v1 Firm name=Lunde")
    with WorkspaceFile(desk.workspace) as file:
        assert Decisions(file).weights()["ProbeFirm"].rows == 5
        # Nor does what another release wrote.
        file.execute("UPDATE weights SET weights = '{\"version\": 99}'")
        assert Decisions(file).weights() == {}


def test_a_decision_keeps_the_time_at_which_it_was_made(desk: Desk) -> None:
    desk.ingest(**FIRMS)
    with WorkspaceFile(desk.workspace) as file:
        before = list(Decisions(file).of(desk.firm("Orvik").id))
    assert [(row.source_id, row.by) for row in before] == [("m1", "equal"), ("m3", "equal")]
    desk.ingest(**FIRMS, m4="v1 Firm name=Orvik")
    with WorkspaceFile(desk.workspace) as file:
        after = list(Decisions(file).of(desk.firm("Orvik").id))
    assert after[:2] == before
    assert after[2].when is not None
    assert after[2].when > str(before[0].when)
