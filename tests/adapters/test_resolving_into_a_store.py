"""Runs that write to one store, one after the other: what was written before is found again."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest
import schemacast_adapters.files
from record_graphs import episode, record, relation

from schemacast.adapters import Counts, WriteReport, open_adapter
from schemacast.errors import StoreUnavailable
from schemacast.graph import Graph
from schemacast.records import RecordGraph
from schemacast.resolution.resolve import resolve
from schemacast.schema.load import parse_schema
from schemacast.schema.model import EdgeId

SCHEMA = parse_schema(
    """
name: test
vertices:
  Customer:
    key: account
    alternates: [email]
    properties: {account: string, email: {type: string, match: code}, born: string, city: string}
  Company: {key: {match: [name]}, properties: {name: {type: string, match: name}, size: string}}
  Shift: {within: WORKED, key: [day], properties: {day: string}}
edges:
  WORKED: {source: Customer, target: Shift, properties: {role: string}}
"""
)
WORKED = EdgeId("Customer", "Shift", "WORKED")


def cast(path: Path, *graphs: RecordGraph) -> tuple[WriteReport, Graph]:
    with open_adapter(f"networkx:{path}", SCHEMA) as store:
        store.prepare()
        graph = resolve(SCHEMA, graphs, known=store)
        return store.write(graph), graph


def stored(path: Path) -> Graph:
    with open_adapter(f"networkx:{path}", SCHEMA) as store:
        return store.read()


FIRST = episode(
    "m1",
    record("c", "Customer", account="A1", email="A-da@x", born="1950"),
    record("s", "Shift", day="monday"),
    record("o", "Company", name="Orvik AS"),
    relation(WORKED, "c", "s", role="lead"),
)


def test_a_second_run_of_the_same_episodes_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    first, _ = cast(path, FIRST)
    second, _ = cast(path, FIRST)
    assert first == WriteReport(Counts(created=3), Counts(created=1))
    assert second == WriteReport(Counts(unchanged=3), Counts(unchanged=1))


def test_a_later_run_finds_entities_by_alternate_and_likeness_and_erases_nothing(tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    cast(path, FIRST)
    before = stored(path)
    later = episode(
        "a0",
        record("c", "Customer", email="ada@x", city="Hald"),
        record("s", "Shift", day="monday"),
        record("o", "Company", name="ORVIK  as", size="big"),
        relation(WORKED, "c", "s"),
    )
    report, graph = cast(path, later)
    assert graph.staged == ()
    assert report == WriteReport(Counts(changed=2, unchanged=1), Counts(unchanged=1))
    after = stored(path)
    assert set(after.entities) == set(before.entities)
    assert after.edges == before.edges
    customer = next(after.of_type("Customer"))
    assert customer.props == {"account": "A1", "email": "ada@x", "born": "1950", "city": "Hald"}
    assert next(after.of_type("Company")).props == {"name": "Orvik AS", "size": "big"}


def test_an_alternate_that_the_store_and_the_batch_give_to_two_is_ambiguous(tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    cast(path, FIRST)
    rival = episode("m2", record("c", "Customer", account="A2", email="ada@x"), record("d", "Customer", email="ADA@X"))
    _, graph = cast(path, rival)
    assert [item.reason for item in graph.staged] == ["ambiguous"]
    assert set(graph.staged[0].candidates) == {entity.id for entity in stored(path).of_type("Customer")}


def test_more_entities_than_a_store_is_asked_at_once_are_all_found(tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    keyed = [record(f"v{number}", "Customer", account=f"A{number}", email=f"e{number}") for number in range(2_300)]
    cast(path, episode("m1", *keyed))
    by_mail = [record(f"v{number}", "Customer", email=f"e{number}", city="Oslo") for number in range(2_300)]
    report, graph = cast(path, episode("m2", *by_mail))
    assert graph.staged == ()
    assert report.vertices == Counts(changed=2_300)


def test_a_file_that_another_process_holds_too_long_is_unavailable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schemacast_adapters.files, "LOCK_SECONDS", 0.1)
    held = os.open(tmp_path, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(StoreUnavailable, match="another process is writing it") as caught:
            cast(tmp_path / "graph.json", FIRST)
    finally:
        os.close(held)
    assert caught.value.exit_code == 3
    assert cast(tmp_path / "graph.json", FIRST)[0].vertices.created == 3
