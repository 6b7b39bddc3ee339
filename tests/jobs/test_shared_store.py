"""Two workspaces that write to one store, and what is left when one of them takes its texts back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from job_desk import StoreAt, lines_schema, plain, texts
from line_model import LineModel

from schemacast import JobReport, ingest, retract, sync
from schemacast.graph import Graph

SCHEMA = lines_schema()
ONE = {
    "a": "v1 Customer account=orvik tier=gold\nv2 Customer account=hald\nv1 KNOWS v2",
    "b": "v1 Customer account=lind email=l@x",
}
TWO = {
    "a": "v1 Customer account=orvik size=3\nv2 Customer account=brun\nv1 KNOWS v2",
    "c": "v1 Customer email=l@x size=7",
}


@pytest.fixture
def write(store: StoreAt, tmp_path: Path) -> Any:
    def write(name: str, given: dict[str, str]) -> JobReport:
        workspace = tmp_path / f"{name}.db"
        return ingest(SCHEMA, texts(**given), model=LineModel(), to=store.address(), workspace=workspace)

    return write


def by_account(graph: Graph) -> dict[Any, dict[str, Any]]:
    return {entity.props.get("account"): dict(entity.props) for entity in graph.entities.values()}


def test_each_adds_to_what_the_other_wrote_and_takes_back_only_its_own(
    write: Any, store: StoreAt, tmp_path: Path
) -> None:
    write("one", ONE)
    alone = store.read(SCHEMA)
    report = write("two", TWO)
    assert report.written.staged == {}
    both = by_account(store.read(SCHEMA))
    assert both["orvik"] == {"account": "orvik", "tier": "gold", "size": 3}
    # Found by the alternate that only the first workspace's text states.
    assert both["lind"] == {"account": "lind", "email": "l@x", "size": 7}
    assert set(both) == {"orvik", "hald", "lind", "brun"}
    retract(tmp_path / "two.db", ["a", "c"], to=store.address())
    assert plain(store.read(SCHEMA), SCHEMA) == plain(alone, SCHEMA)


def test_what_one_takes_back_stays_while_the_other_states_it(write: Any, store: StoreAt, tmp_path: Path) -> None:
    write("one", ONE)
    write("two", TWO)
    retract(tmp_path / "one.db", ["a", "b"], to=store.address())
    rest = by_account(store.read(SCHEMA))
    assert rest["orvik"] == {"account": "orvik", "size": 3}
    assert "hald" not in rest
    assert rest["brun"] == {"account": "brun"}
    assert len(store.read(SCHEMA).edges) == 1


def test_a_second_run_of_both_changes_nothing(write: Any, store: StoreAt, tmp_path: Path) -> None:
    write("one", ONE)
    write("two", TWO)
    before = store.read(SCHEMA)
    assert write("one", ONE).nothing_to_do
    assert write("two", TWO).nothing_to_do
    for name in ("one", "two"):
        report = sync(tmp_path / f"{name}.db", to=store.address()).written.report
        assert (report.vertices.created, report.vertices.changed, report.vertices.removed) == (0, 0, 0)
        assert (report.edges.created, report.edges.changed, report.edges.removed) == (0, 0, 0)
    assert store.read(SCHEMA) == before
