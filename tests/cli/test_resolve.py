"""`schemacast resolve` as a person runs it."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli_desk import Ran
from record_graphs import episode, record, relation

from schemacast.adapters import open_adapter
from schemacast.records import RecordGraph
from schemacast.schema.load import parse_schema
from schemacast.schema.model import EdgeId

SCHEMA = """name: firms
vertices:
  Company:
    key: {match: [name, country]}
    properties: {name: {type: string, match: name}, country: {type: string, match: exact}, size: integer}
  Person: {key: {match: [name]}, properties: {name: {type: string, match: name}}}
  Ticket: {key: number, alternates: [title], properties: {number: string, title: string}}
edges:
  LEADS: {source: Person, target: Company}
  OWNS: {source: Company, target: Company}
"""
LEADS, OWNS = EdgeId("Person", "Company", "LEADS"), EdgeId("Company", "Company", "OWNS")
MAILS = [
    episode(
        "m1",
        record("p", "Person", name="Dr. Ada Lind"),
        record("l", "Person", name="Lind"),
        record("c", "Company", name="Orvik AS", country="NO"),
        relation(LEADS, "l", "c"),
    ),
    episode(
        "m2",
        record("p", "Person", name="Ada Lind"),
        record("q", "Person", name="Bo Lind"),
        record("l", "Person", name="Lind"),
        record("c", "Company", name="Orvik A/S", size=3),
    ),
    episode(
        "m3",
        record("h", "Company", name="Hald"),
        record("o", "Company", name="Orvik"),
        record("n", "Company", country="NO"),
        record("t", "Ticket", number="7"),
        relation(OWNS, "h", "o"),
    ),
]
Resolve = Callable[..., Ran]


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.yaml").write_text(SCHEMA, encoding="utf-8")
    write(tmp_path / "r.jsonl", *MAILS)
    return tmp_path


def write(path: Path, *graphs: RecordGraph) -> None:
    lines = [json.dumps({**graph.to_json(), "schema_ref": "firms@1.0.0"}) + "\n" for graph in graphs]
    path.write_text("".join(lines), encoding="utf-8")


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def explained(run: Resolve, *what: str) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = json.loads(run("resolve", "explain", *what, "--workspace", "w.db", "--json").out)
    return made


def test_records_become_files_of_the_graph_and_of_what_is_open(desk: Path, run: Resolve) -> None:
    ran = run("resolve", "--schema", "s.yaml", "--records", "r.jsonl")
    assert (ran.code, ran.err) == (0, "")
    assert "3 record graphs read" in ran.out
    assert "staged: ambiguous 1, partial_key 1" in ran.out
    out = desk / "out"
    assert sorted(path.name for path in out.iterdir()) == [
        "candidates.jsonl", "decisions.jsonl", "graph.json", "staged.jsonl"
    ]  # fmt: skip
    with open_adapter("networkx:out/graph.json", parse_schema(SCHEMA)) as store:
        graph = store.read()
    assert sorted(str(entity.props.get("name")) for entity in graph.entities.values()) == [
        "Bo Lind", "Dr. Ada Lind", "Hald", "None", "Orvik AS"
    ]  # fmt: skip
    ambiguous, partial = rows(out / "staged.jsonl")
    assert (ambiguous["ref"], partial["ref"]) == ("l", "n")
    candidates = rows(out / "candidates.jsonl")
    assert [row["entity"] for row in candidates[:2]] == ambiguous["candidates"]
    assert candidates[0]["agrees"] == ["name"]
    decided = {(row["source_id"], row["ref"]): row["by"] for row in rows(out / "decisions.jsonl")}
    assert decided["m1", "l"] == "surname"
    assert decided["m2", "c"] == "likeness"
    report = json.loads(run("resolve", "--schema", "s.yaml", "--records", "r.jsonl", "--json").out)
    assert report["staged"] == {"ambiguous": 1, "partial_key": 1}
    assert report["graph"] == {"edges": 2, "vertices": 5}


def test_a_workspace_keeps_ids_whatever_comes_later(desk: Path, run: Resolve) -> None:
    job = ("resolve", "--schema", "s.yaml", "--records", "r.jsonl", "--workspace", "w.db")
    assert run(*job).out.startswith("3 record graphs read, 3 new or changed\n5 entities")
    assert not (desk / "out").exists()
    (before,) = explained(run, "Company", "Orvik AS|NO")
    write(desk / "r.jsonl", episode("a0", record("c", "Company", name="ORVIK AS", country="NO")), *MAILS)
    assert run(*job, "--out", "files").out.startswith("4 record graphs read, 1 new or changed\n5 entities")
    assert (desk / "files" / "graph.json").is_file()
    (after,) = explained(run, "Company", before["entity"])
    assert after["entity"] == before["entity"]
    assert [each["source_id"] for each in after["records"]] == ["m1", "m2", "m3", "a0"]
    assert run("status", "--workspace", "w.db").code == 0


@pytest.mark.usefixtures("desk")
def test_explain_shows_records_scores_and_decisions(run: Resolve) -> None:
    run("resolve", "--schema", "s.yaml", "--records", "r.jsonl", "--workspace", "w.db")
    ran = run("resolve", "explain", "Company", "orvik as", "--workspace", "w.db")
    assert ran.code == 0
    assert "names: Orvik AS, Orvik A/S, Orvik" in ran.out
    assert "m1#c  name=Orvik AS, country=NO" in ran.out
    assert re.search(r"m2#c  name=Orvik A/S, size=3  by likeness [01]\.\d\d", ran.out)
    assert re.search(
        r"Orvik A/S  is  Orvik AS \| NO: same, [01]\.\d\d\n    to begin with: -.*\n    name: .*\n    country: ", ran.out
    )
    (found,) = explained(run, "Company", "Orvik AS")
    first = found["compared"][0]
    assert [each["property"] for each in first["properties"]] == ["name", "country"]
    assert {"score", "outcome", "blocks", "prior"} <= set(first)
    assert found["records"][1]["by"] == "likeness"
    assert found["records"][1]["when"]


@pytest.mark.usefixtures("desk")
def test_join_split_and_undo_are_a_persons_word(run: Resolve) -> None:
    run("resolve", "--schema", "s.yaml", "--records", "r.jsonl", "--workspace", "w.db")
    (orvik,), (hald,) = explained(run, "Company", "Orvik AS"), explained(run, "Company", "Hald")
    joined = run("resolve", "join", "Company", "Orvik AS", "Hald", "--workspace", "w.db")
    assert joined.code == 0
    assert joined.out.startswith("join 1: 4 records are one Company\nmerged Company ")
    (both,) = explained(run, "Company", "Hald")
    assert {both["entity"], *both["aliases"]} == {orvik["entity"], hald["entity"]}
    assert run("resolve", "join", "Company", "Orvik AS", "Hald", "--workspace", "w.db").code == 2
    split = run("resolve", "split", "Company", "Hald", "m2#c", "--workspace", "w.db", "--to", "networkx:g.json")
    assert split.out.startswith("split 2: 1 record of another Company\nnetworkx:g.json: vertices 5 created")
    assert len(explained(run, "Company", "Orvik A/S")) == 1
    assert explained(run, "Company", "Orvik A/S")[0]["verdicts"][1]["number"] == 2
    undone = run("resolve", "undo", "2", "--workspace", "w.db", "--json")
    assert json.loads(undone.out)["merges"] == 1
    assert run("resolve", "undo", "1", "--workspace", "w.db", "--quiet").out == ""
    (again,) = explained(run, "Company", "Hald")
    assert again["entity"] == hald["entity"]
    assert [each["undone"] is None for each in again["verdicts"]] == [False, False]


@pytest.mark.usefixtures("desk")
def test_a_person_says_whom_an_ambiguous_surname_means(run: Resolve) -> None:
    run("resolve", "--schema", "s.yaml", "--records", "r.jsonl", "--workspace", "w.db")
    assert run("resolve", "join", "Person", "Bo Lind", "m2#l", "--workspace", "w.db").code == 0
    (bo,) = explained(run, "Person", "Bo Lind")
    assert bo["names"] == ["Bo Lind", "Lind"]


def test_a_record_of_a_type_with_a_key_is_placed_and_taken_back(desk: Path, run: Resolve) -> None:
    write(desk / "r.jsonl", *MAILS, episode("m4", record("t", "Ticket", title="Printer")))
    job = ("resolve", "--schema", "s.yaml", "--records", "r.jsonl", "--workspace", "w.db")
    assert "unmatched 1" in run(*job).out
    assert run("resolve", "join", "Ticket", "7", "m4#t", "--workspace", "w.db").out.startswith("record placed Ticket")
    assert "unmatched" not in run(*job).out
    assert run("resolve", "undo", "m4#t", "--workspace", "w.db").code == 0
    assert "unmatched 1" in run(*job).out
    assert run("resolve", "undo", "m4#t", "--workspace", "w.db").code == 2


@pytest.mark.usefixtures("desk")
def test_relearn_learns_anew_and_says_what_changed(run: Resolve) -> None:
    run("resolve", "--schema", "s.yaml", "--records", "r.jsonl", "--workspace", "w.db")
    ran = run("resolve", "--workspace", "w.db", "--relearn", "--json")
    report = json.loads(ran.out)
    assert (ran.code, report["merges"], report["splits"]) == (0, 0, 0)
    assert report["learned"] == {"Company": 4, "Person": 3}


def test_distinct_within_is_kept_for_later_runs(desk: Path, run: Resolve) -> None:
    write(
        desk / "r.jsonl", episode("m1", record("a", "Person", name="Ada Lind"), record("b", "Person", name="ADA LIND"))
    )
    job = ("resolve", "--schema", "s.yaml", "--records", "r.jsonl", "--workspace", "w.db")
    assert "Person 1" in run(*job).out
    assert "Person 2" in run(*job, "--distinct-within", "source_id").out
    assert "Person 2" in run(*job).out
    assert "did you mean 'name'" in run(*job, "--distinct-within", "nam").err


def test_a_table_becomes_two_columns(desk: Path, run: Resolve) -> None:
    (desk / "p.csv").write_text("nr,name,country,x\n1,Orvik AS,NO,a\n2,ORVIK AS,,b\n3,Hald,NO,c\n", encoding="utf-8")
    job = ("resolve", "--schema", "s.yaml", "--table", "p.csv", "--type", "Company", "--out", "e.csv")
    ran = run(*job, "--id", "nr")
    assert (ran.code, ran.out) == (0, "3 rows are 2 entities: e.csv\n")
    with (desk / "e.csv").open(encoding="utf-8", newline="") as lines:
        found = list(csv.reader(lines))
    assert found[0] == ["id", "entity_id"]
    assert [row[0] for row in found[1:]] == ["1", "2", "3"]
    assert found[1][1] == found[2][1] != found[3][1]
    assert json.loads(run(*job, "--id", "nr", "--json").out)["entities"] == 2
    apart = run(*job, "--id", "nr", "--distinct-within", "x")
    assert apart.out == "3 rows are 2 entities: e.csv\n"
    missing = run(*job)
    assert (missing.code, missing.err) == (2, "schemacast: p.csv: has no column 'id'; known: country, name, nr, x\n")


def test_a_result_goes_neither_over_its_table_nor_where_no_file_can_be(desk: Path, run: Resolve) -> None:
    (desk / "p.csv").write_text("id,name,country\n1,Orvik AS,NO\n", encoding="utf-8")
    (desk / "link.csv").symlink_to("p.csv")
    (desk / "folder.csv").mkdir()
    held = sorted(desk.iterdir())
    for out, message in (
        ("p.csv", "p.csv: is the table itself; give the result a name of its own"),
        ("./link.csv", "link.csv: is the table itself; give the result a name of its own"),
        ("folder.csv", "folder.csv: cannot be written: is a directory; name a file"),
        ("no/such/e.csv", "no/such/e.csv: cannot be written: no such directory"),
    ):
        ran = run("resolve", "--schema", "s.yaml", "--table", "p.csv", "--type", "Company", "--out", out)
        assert (ran.code, ran.err) == (2, f"schemacast: {message}\n")
    assert sorted(desk.iterdir()) == held
    assert (desk / "p.csv").read_text(encoding="utf-8") == "id,name,country\n1,Orvik AS,NO\n"
    ran = run("resolve", "--schema", "s.yaml", "--table", "p.csv", "--type", "Company", "--out", "e.csv")
    assert ran.out == "1 row is 1 entity: e.csv\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "give --records R.jsonl, --table FILE or --workspace FILE"),
        (("--records", "r.jsonl"), "--records needs --schema"),
        (("--schema", "s.yaml", "--records", "r.jsonl", "--relearn"), "--relearn needs --workspace"),
        (("--schema", "s.yaml", "--records", "r.jsonl", "--to", "networkx:g"), "--to needs --workspace"),
        (("--schema", "s.yaml", "--records", "r.jsonl", "--type", "Person"), "--type is for a table"),
        (("--schema", "s.yaml", "--table", "p.csv", "--out", "e.csv"), "--table needs --type"),
        (("--schema", "s.yaml", "--table", "p.csv", "--type", "Person"), "--table needs --out"),
        (("--schema", "s.yaml", "--table", "p.xlsx", "--type", "Person", "--out", "e.csv"), "CSV or Parquet"),
        (("--schema", "s.yaml", "--table", "p.csv", "--type", "P", "--out", "e.csv"), "no vertex type 'P'"),
        (("--schema", "s.yaml", "--records", "none.jsonl"), "none.jsonl: cannot be read"),
        (("--workspace", "none.db"), "none.db: no such workspace"),
        (("explain", "Company", "x", "--workspace", "none.db"), "none.db: no such workspace"),
        (("undo", "first", "--workspace", "w.db"), "neither a number nor SOURCE_ID#REF"),
    ],
)
def test_a_wrong_call_is_one_line(desk: Path, run: Resolve, arguments: tuple[str, ...], message: str) -> None:
    ran = run("resolve", *arguments)
    assert ran.code == 2
    assert message in ran.err
    assert ran.err.count("\n") == 1
    assert sorted(path.name for path in desk.iterdir()) == ["r.jsonl", "s.yaml"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("explain", "Compny", "x"), "no vertex type 'Compny'; did you mean 'Company'?"),
        (("explain", "Company", "Orvk AS"), "no Company in the graph has the key 'Orvk AS'; did you mean 'Orvik AS'?"),
        (("explain", "Company", "a|b|c"), "the key of a Company has 2 parts"),
        (("explain", "Company", " | "), "an empty key names no Company; give its name|country, or an id"),
        (("explain", "Ticket", "7"), "a Ticket is told by its key"),
        (("join", "Company", "Orvik AS"), "give two keys or more"),
        (("join", "Ticket", "7", "8"), "'8' is none"),
        (("split", "Ticket", "7", "m3"), "only `match` types are split"),
        (("split", "Company", "Orvik AS", "m9"), "'m9' states nothing of that Company"),
        (("split", "Company", "Hald", "m3"), "these are all records of that Company"),
        (("undo", "5"), "no verdict 5 stands; standing: none"),
    ],
)
@pytest.mark.usefixtures("desk")
def test_a_wrong_word_changes_nothing(run: Resolve, arguments: tuple[str, ...], message: str) -> None:
    run("resolve", "--schema", "s.yaml", "--records", "r.jsonl", "--workspace", "w.db")
    ran = run("resolve", *arguments, "--workspace", "w.db")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert message in ran.err
    assert "0 new or changed" in run("resolve", "--schema", "s.yaml", "--records", "r.jsonl", "--workspace", "w.db").out


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "r.jsonl:1: is no JSON object"),
        ("[]", "r.jsonl:1: is no JSON object"),
        ('{"source_id": "a"}', "r.jsonl:1: has no 'schema_ref'"),
        (
            '{"source_id": "a", "schema_ref": "x@1", "reference_time": null, "records": [], "relations": []}',
            "schema 'x@1'",
        ),
        (
            '{"source_id": "a", "schema_ref": "firms@1", "reference_time": null, "relations": [], "records":'
            ' [{"ref": "a", "type": "Compny", "props": {}}]}',
            "no vertex type 'Compny'; did you mean 'Company'?",
        ),
        (
            '{"source_id": "a", "schema_ref": "firms@1", "reference_time": null, "relations": [], "records":'
            ' [{"ref": "a", "type": "Company", "props": {"nam": 1}}]}',
            "Company has no property 'nam'; did you mean 'name'?",
        ),
        (
            '{"source_id": "a", "schema_ref": "firms@1", "reference_time": null, "relations": [], "records": [5]}',
            "r.jsonl:1: is no record graph of firms@1.0.0",
        ),
    ],
)
def test_a_bad_record_file_is_one_line(desk: Path, run: Resolve, line: str, message: str) -> None:
    (desk / "r.jsonl").write_text(line + "\n", encoding="utf-8")
    ran = run("resolve", "--schema", "s.yaml", "--records", "r.jsonl", "--workspace", "w.db")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert message in ran.err
