"""A job in a database that already holds nodes of someone else."""

from __future__ import annotations

from pathlib import Path

import pytest
from job_desk import StoreAt, lines_schema, texts
from line_model import LineModel
from neo4j_server import Database

from schemacast import Workspace, ingest, retract, sync
from schemacast.errors import StoreConflict

SCHEMA = lines_schema()
TEXTS = {"a": "v1 Customer account=orvik tier=gold\nv2 Customer account=hald\nv1 KNOWS v2"}


@pytest.fixture
def loaded(database: Database) -> Database:
    """A customer that was loaded by someone else, with a property and a neighbour of its own."""
    database.run("CREATE (:ProbeCustomer {account: 'orvik', region: 'north'})-[:PROBE_OWNS]->(:ProbeThing)")
    return database


@pytest.mark.neo4j
def test_refusing_what_exists_asks_nothing_and_writes_nothing(loaded: Database, tmp_path: Path) -> None:
    model = LineModel()
    with pytest.raises(StoreConflict):
        ingest(
            SCHEMA,
            texts(**TEXTS),
            model=model,
            to=loaded.address,
            workspace=tmp_path / "work.db",
            existing="refuse",
        )
    assert model.asked == []
    assert loaded.run("MATCH (n:ProbeCustomer) RETURN count(n) AS number")[0]["number"] == 1


@pytest.mark.neo4j
def test_a_node_of_someone_else_is_adopted_and_given_back_as_it_was(loaded: Database, tmp_path: Path) -> None:
    workspace = tmp_path / "work.db"
    report = ingest(SCHEMA, texts(**TEXTS), model=LineModel(), to=loaded.address, workspace=workspace)
    assert report.written.report.vertices.adopted == 1
    with Workspace(workspace) as reader:
        (store,) = reader.status().stores
        assert (store.address, store.current) == (loaded.address, True)  # its place is an id that says nothing
    assert report.to_json()["written"]["vertices"]["adopted"] == 1  # type: ignore[index, call-overload]
    orvik = loaded.run("MATCH (n:ProbeCustomer {account: 'orvik'}) RETURN n.region AS region, n.tier AS tier")
    assert orvik == [{"region": "north", "tier": "gold"}]
    retract(workspace, ["a"], to=loaded.address)
    left = loaded.run("MATCH (n:ProbeCustomer)-[r]->() RETURN properties(n) AS node, type(r) AS relation")
    assert left == [{"node": {"account": "orvik", "region": "north"}, "relation": "PROBE_OWNS"}]
    assert StoreAt(tmp_path, loaded.address).read(SCHEMA).entities == {}


@pytest.mark.neo4j
def test_what_someone_edited_by_hand_is_set_right_by_sync_and_what_is_theirs_stays(
    database: Database, tmp_path: Path
) -> None:
    workspace = tmp_path / "work.db"
    given = {"a": "v1 Customer account=orvik tier=gold size=3\nv2 Customer account=hald\nv1 KNOWS v2 tier=close"}
    ingest(SCHEMA, texts(**given), model=LineModel(), to=database.address, workspace=workspace)
    before = StoreAt(tmp_path, database.address).read(SCHEMA)
    database.run("MATCH (n:ProbeCustomer {account: 'orvik'}) SET n.tier = 'silver', n.size = 'three', n.mine = true")
    database.run("MATCH (:ProbeCustomer)-[r]->(:ProbeCustomer) REMOVE r.tier")
    assert len(sync(workspace, to=database.address, check=True).different) == 2
    written = sync(workspace, to=database.address).written.report
    assert (written.vertices.changed, written.vertices.unchanged, written.edges.changed) == (1, 1, 1)
    assert sync(workspace, to=database.address, check=True).same
    assert StoreAt(tmp_path, database.address).read(SCHEMA) == before
    assert database.run("MATCH (n:ProbeCustomer {account: 'orvik'}) RETURN n.mine AS mine") == [{"mine": True}]
    again = sync(workspace, to=database.address).written.report
    assert (again.vertices.changed, again.edges.changed) == (0, 0)
