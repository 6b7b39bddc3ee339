"""What a store refuses is reported with the record, the places that state it and the property, by every command."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_desk import Ran
from job_desk import lines_schema, texts
from line_model import LineModel, line_reply
from neo4j_server import Database

from schemacast import ingest, retract, sync
from schemacast.adapters import Counts, Refusal, WriteReport
from schemacast.episode_reader import episode_from_fields
from schemacast.errors import RequestFailed
from schemacast.graph import Edge, Entity, Graph
from schemacast.refusals import MOST_PLACES, MOST_SHOWN, StatedAt, refusal_lines, refused_items, stated_at
from schemacast.schema.model import EdgeId

SCHEMA = lines_schema()
HUGE = 2**63
TEXTS = {
    "a": f"v1 Customer account=orvik size={HUGE}\nv2 Customer account=hald\nv1 KNOWS v2 tier=gold",
    "b": f"v1 Customer account=orvik size={HUGE}\nv2 Customer account=lind\nv2 KNOWS v1",
}
Run = Callable[..., Ran]


@pytest.mark.neo4j
def test_a_refused_entity_is_reported_with_its_key_its_property_and_the_quotes_of_that(
    database: Database, tmp_path: Path
) -> None:
    report = ingest(SCHEMA, texts(**TEXTS), model=LineModel(), to=database.address, workspace=tmp_path / "work.db")
    refused, *edges = report.written.refusals
    assert (refused.kind, refused.type, refused.label, refused.property) == (
        "vertex",
        "ProbeCustomer",
        "orvik",
        "size",
    )
    assert "a number of 64 bits does not fit in 64" in refused.reason
    quote = f"size={HUGE}"
    start = TEXTS["a"].index(quote)
    assert refused.stated == tuple(StatedAt(name, quote, start, start + len(quote)) for name in ("a", "b"))
    # Its edges cannot stand without it, and say so.
    assert {each.label for each in edges} == {"orvik -> hald", "lind -> orvik"}
    assert {each.reason for each in edges} == {"an end of it is not in the store"}
    assert {each.stated[0].quote for each in edges} == {"v1 KNOWS v2 tier=gold", "v2 KNOWS v1"}
    with pytest.raises(RequestFailed, match="ProbeCustomer orvik: property 'size'"):
        report.raise_for_failures()
    made = report.to_json()["written"]
    assert made["refused"][0]["stated"][0]["source_id"] == "a"  # type: ignore[index, call-overload]
    assert {row["account"] for row in _accounts(database)} == {"hald", "lind"}


def _accounts(database: Database) -> list[dict[str, str]]:
    return database.run("MATCH (n:ProbeCustomer) RETURN n.account AS account")


@pytest.mark.neo4j
def test_sync_and_retract_report_it_too_and_what_the_source_states_itself_has_no_quote(
    database: Database, tmp_path: Path
) -> None:
    known = {"vertices": [{"ref": "k", "type": "Customer", "properties": {"account": "orvik", "size": HUGE}}]}
    episode = episode_from_fields({"source_id": "c", "text": "orvik is here", "known": known})
    workspace = tmp_path / "work.db"
    ingest(
        SCHEMA,
        [episode, *texts(d="v1 Customer account=hald")],
        model=LineModel(),
        to=database.address,
        workspace=workspace,
    )
    (again,) = sync(workspace, to=database.address).written.refusals
    assert (again.label, again.stated) == ("orvik", (StatedAt("c"),))
    assert list(refusal_lines([again]))[1] == "  c states it itself"
    (still,) = retract(workspace, ["d"], to=database.address).written.refusals
    assert still == again
    assert retract(workspace, ["c"], to=database.address).written.refusals == ()


@pytest.mark.neo4j
def test_the_commands_print_the_record_the_reason_and_the_quote(database: Database, tmp_path: Path, run: Run) -> None:
    (tmp_path / "s.yaml").write_text(SCHEMA.to_yaml(), encoding="utf-8")
    rows = [{"source_id": name, "text": text} for name, text in TEXTS.items()]
    (tmp_path / "e.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    replies = [{"source_id": name, "round": 0, "reply": line_reply(text)} for name, text in TEXTS.items()]
    (tmp_path / "r.jsonl").write_text("".join(json.dumps(row) + "\n" for row in replies), encoding="utf-8")
    job = [
        "--schema",
        tmp_path / "s.yaml",
        "--episodes",
        tmp_path / "e.jsonl",
        "--model",
        f"replay:{tmp_path / 'r.jsonl'}",
    ]
    done = run("ingest", *job, "--to", database.address, "--workspace", tmp_path / "w.db")
    why = "not written ProbeCustomer orvik: property 'size': a number of 64 bits does not fit in 64"
    shown = f"{why}\n  a:26-50  'size={HUGE}'"
    assert done.code == 1
    assert shown in done.out
    synced = run("sync", "--to", database.address, "--workspace", tmp_path / "w.db")
    assert (synced.code, shown in synced.out) == (1, True)
    as_json = json.loads(run("sync", "--to", database.address, "--workspace", tmp_path / "w.db", "--json").out)
    assert as_json["written"]["refused"][0]["label"] == "orvik"
    database.clear()
    cast = run("cast", *job, "--to", database.address, "--out", tmp_path / "out")
    assert (cast.code, shown in cast.out) == (1, True)


def graph_of(count: int) -> Graph:
    entities = {f"{n:032d}": Entity(f"{n:032d}", "ProbeCustomer", {"account": f"c{n}"}) for n in range(count)}
    return Graph("lines@1.0.0", entities, schema=SCHEMA)


def test_of_very_many_refusals_the_first_are_shown_and_of_very_many_places_a_few() -> None:
    graph = graph_of(3 * MOST_SHOWN)
    report = WriteReport(Counts(), Counts(), tuple(Refusal(ident, "too odd", "account") for ident in graph.entities))
    found = refused_items(report, graph, SCHEMA, lambda _, __: (StatedAt(f"s{n}", "q", n, n + 1) for n in range(99)))
    assert len(found) == MOST_SHOWN
    assert {len(each.stated) for each in found} == {MOST_PLACES}
    assert next(refusal_lines(found)) == "not written ProbeCustomer c0, property 'account': too odd"


def test_a_label_is_never_longer_than_a_line() -> None:
    entity = Entity("x" * 32, "ProbeCustomer", {"account": "a" * 10_000})
    edge = Edge("e" * 32, EdgeId("ProbeCustomer", "ProbeCustomer", "KNOWS"), entity.id, "y" * 32)
    graph = Graph("lines@1.0.0", {entity.id: entity}, {edge.id: edge}, schema=SCHEMA)
    report = WriteReport(refused=(Refusal(entity.id, "too long"), Refusal(edge.id, "too long")))
    vertex, joined = refused_items(report, graph, SCHEMA, lambda _, __: ())
    assert len(vertex.label) == 200
    assert joined.label == f"{vertex.label} -> {edge.target}"


def test_what_has_no_key_is_called_by_what_it_has() -> None:
    by_mail = Entity("m" * 32, "ProbeCustomer", {"email": "o@x"})
    nothing = Entity("n" * 32, "ProbeEscalation")
    graph = Graph("lines@1.0.0", {each.id: each for each in (by_mail, nothing)}, schema=SCHEMA)
    report = WriteReport(refused=tuple(Refusal(each, "why") for each in graph.entities))
    assert [each.label for each in refused_items(report, graph, SCHEMA, lambda _, __: ())] == ["o@x", nothing.id]


def test_the_quote_of_a_property_stands_before_that_of_its_owner() -> None:
    row = {"source_id": "s", "char_start": 0, "char_end": 1, "in_context": None, "vertex": "A", "ref": "v1", "item": 0}
    rows = [{**row, "property": None, "quote": "owner"}, {**row, "property": "size", "quote": "size"}]
    assert [place.quote for place in stated_at(rows, refs=["v1"], property="size")] == ["size"]
    assert [place.quote for place in stated_at(rows, refs=["v1"], property="tier")] == ["owner"]
    assert [place.quote for place in stated_at(rows, refs=["v2"], property="size")] == []
