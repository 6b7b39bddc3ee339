"""Stores that are lost, restored and doubled: sync brings them in line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from job_desk import StoreAt, lines_schema, texts
from line_model import LineModel

from schemacast import JobReport, ingest, retract, sync
from schemacast.episode import Episode
from schemacast.errors import RequestFailed

SCHEMA = lines_schema()
ORVIK = "v1 Customer account=orvik tier=gold"
BOTH = "v1 Customer account=orvik tier=tin\nv2 Customer account=hald\nv1 KNOWS v2"
Run = Callable[..., JobReport]


@pytest.fixture
def store(file_store: StoreAt) -> StoreAt:
    return file_store


@pytest.fixture
def run(store: StoreAt, tmp_path: Path) -> Run:
    """One more job on the same workspace and store."""

    def run(episodes: Sequence[Episode], **options: Any) -> JobReport:
        workspace = tmp_path / "work.db"
        return ingest(SCHEMA, episodes, model=LineModel(), to=store.address(), workspace=workspace, **options)

    return run


def test_a_store_that_lost_its_graph_is_written_again(run: Run, store: StoreAt, tmp_path: Path) -> None:
    run(texts(a=ORVIK, b=BOTH))
    before = store.read(SCHEMA)
    (tmp_path / "graph.json").unlink()
    report = run(texts(a=ORVIK, b=BOTH))
    assert any("written again" in note for note in report.notes)
    assert store.read(SCHEMA) == before


def test_a_restored_older_store_is_brought_in_line_by_sync(run: Run, store: StoreAt, tmp_path: Path) -> None:
    run(texts(a=ORVIK, b=BOTH))
    older = (tmp_path / "graph.json").read_bytes()
    run(texts(a=ORVIK + " size=3", b="v1 Customer account=lind", c="v1 Customer account=orvik since=2026-03-02"))
    newest = store.read(SCHEMA)
    (tmp_path / "graph.json").write_bytes(older)
    workspace = tmp_path / "work.db"
    report = sync(workspace, to=store.address(), check=True)
    assert (len(report.missing), len(report.different), len(report.surplus)) == (1, 1, 2)
    with pytest.raises(RequestFailed, match="differs"):
        report.raise_for_failures()
    sync(workspace, to=store.address())
    assert store.read(SCHEMA) == newest
    assert sync(workspace, to=store.address(), check=True).same


def test_a_second_store_is_filled_by_sync(run: Run, store: StoreAt, tmp_path: Path) -> None:
    run(texts(a=ORVIK, b=BOTH))
    sync(tmp_path / "work.db", to=store.address("other"))
    assert store.read(SCHEMA, "other") == store.read(SCHEMA)
    retract(tmp_path / "work.db", ["b"], to=store.address())
    assert len(store.read(SCHEMA, "other").entities) == 2
    sync(tmp_path / "work.db", to=store.address("other"))
    assert store.read(SCHEMA, "other") == store.read(SCHEMA)


def test_a_store_that_was_moved_is_still_rid_of_what_is_taken_back(run: Run, store: StoreAt, tmp_path: Path) -> None:
    run(texts(a=ORVIK, b=BOTH))
    (tmp_path / "graph.json").rename(tmp_path / "moved.json")
    workspace = tmp_path / "work.db"
    retract(workspace, ["b"], to=store.address("moved"))
    assert [each.props["account"] for each in store.read(SCHEMA, "moved").entities.values()] == ["orvik"]
    assert store.read(SCHEMA, "moved").edges == {}


def test_a_copy_of_an_older_store_is_checked_and_mended_as_the_store_itself(
    run: Run, store: StoreAt, tmp_path: Path
) -> None:
    run(texts(a=ORVIK, b=BOTH))
    (tmp_path / "copy.json").write_bytes((tmp_path / "graph.json").read_bytes())
    workspace = tmp_path / "work.db"
    retract(workspace, ["b"], to=store.address())
    checked = sync(workspace, to=store.address("copy"), check=True)
    assert (len(checked.missing), len(checked.different), len(checked.surplus)) == (0, 1, 2)
    sync(workspace, to=store.address("copy"))
    assert store.read(SCHEMA, "copy") == store.read(SCHEMA)
    assert sync(workspace, to=store.address("copy"), check=True).same
