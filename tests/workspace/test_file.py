"""The workspace's file: what is no workspace, what is locked, what is kept."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemacast.errors import InputError, OutputError, WorkspaceLocked
from schemacast.graph import Decision
from schemacast.jobs.options import parse_duration, parse_price
from schemacast.workspace.decisions import Decisions
from schemacast.workspace.file import WorkspaceFile
from schemacast.workspace.journal import DOUBT, Journal
from schemacast.workspace.lock import JobLock, is_locked
from schemacast.workspace.reader import Workspace
from schemacast.workspace.tables import APPLICATION_ID, MIGRATIONS, VERSION


def test_a_file_that_is_missing_or_no_workspace_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such workspace"):
        Workspace(tmp_path / "none.db")
    text = tmp_path / "text.db"
    text.write_text("this is no database, " * 100)
    with pytest.raises(InputError, match="is no workspace"):
        WorkspaceFile(text, create=True)
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as file:
        file.execute("CREATE TABLE mine (a)")
    with pytest.raises(InputError, match="is no workspace"):
        WorkspaceFile(other, create=True)
    with sqlite3.connect(other) as file:
        assert [row[0] for row in file.execute("SELECT name FROM sqlite_master")] == ["mine"]
    with pytest.raises(OutputError):
        WorkspaceFile(text / "below.db", create=True)


def test_a_file_of_a_later_version_is_refused(tmp_path: Path) -> None:
    with WorkspaceFile(tmp_path / "work.db", create=True) as file:
        file.execute(f"PRAGMA user_version = {VERSION + 1}")
    with pytest.raises(InputError, match="later version"):
        WorkspaceFile(tmp_path / "work.db")


def test_a_file_of_the_first_version_is_brought_up_to_date_and_keeps_what_it_had(tmp_path: Path) -> None:
    path = tmp_path / "work.db"
    with sqlite3.connect(path) as file:
        file.executescript(MIGRATIONS[0])
        file.execute("INSERT INTO meta VALUES ('workspace', 'w'), ('version', '7')")
        file.execute("INSERT INTO episodes (source_id, content, state) VALUES ('m1', 'c', 'ok')")
        file.execute("INSERT INTO decisions VALUES ('m1', 'v', 'e', 'equal', 1.0), ('m1', 'w', 'f', 'person', 1.0)")
        file.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        file.execute("PRAGMA user_version = 1")
    with WorkspaceFile(path) as workspace:
        assert (workspace.id, workspace.version) == ("w", 7)
        assert workspace.value("PRAGMA user_version") == VERSION
        decisions = Decisions(workspace)
        assert decisions.all() == [
            Decision((("m1", "v"),), "e", "equal", 1.0),
            Decision((("m1", "w"),), "f", "person", 1.0),
        ]
        assert [row.when for row in decisions.of("e")] == [None]
        decisions.replace([Decision((("m1", "v"),), "e", "likeness", 0.9)])
        assert [(row.by, row.score) for row in decisions.of("e")] == [("likeness", 0.9)]


def test_a_workspace_keeps_its_id_and_each_has_its_own(tmp_path: Path) -> None:
    with WorkspaceFile(tmp_path / "a.db", create=True) as one, WorkspaceFile(tmp_path / "b.db", create=True) as two:
        ids = one.id, two.id
    with WorkspaceFile(tmp_path / "a.db") as again:
        assert again.id == ids[0] != ids[1]


def test_two_that_make_a_workspace_at_once_make_one(tmp_path: Path) -> None:
    ids: list[str] = []

    def make() -> None:
        with WorkspaceFile(tmp_path / "work.db", create=True) as file:
            ids.append(file.id)

    threads = [threading.Thread(target=make) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ids) == 6
    assert len(set(ids)) == 1


def test_a_transaction_that_fails_leaves_nothing(tmp_path: Path) -> None:
    with WorkspaceFile(tmp_path / "work.db", create=True) as file:

        def fail() -> None:
            with file.transaction():
                file.set_meta("a", "1")
                with file.transaction():
                    file.set_meta("b", "2")
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            fail()
        assert (file.meta("a"), file.meta("b")) == (None, None)
        with file.transaction(durable=True):
            file.set_meta("a", "1")
        assert file.meta("a") == "1"


def test_a_reader_reads_while_another_writes_and_a_second_writer_is_told_to_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("schemacast.workspace.file.WAIT_SECONDS", 0.1)
    with WorkspaceFile(tmp_path / "work.db", create=True) as one, WorkspaceFile(tmp_path / "work.db") as two:
        with one.transaction():
            one.set_meta("a", "1")
            assert two.meta("a") is None
            with pytest.raises(WorkspaceLocked):
                two.set_meta("b", "2")
        assert two.meta("a") == "1"


def test_the_lock_is_held_by_one_and_seen_by_all(tmp_path: Path) -> None:
    path = tmp_path / "work.db"
    assert not is_locked(path)
    with JobLock(path):
        assert is_locked(path)
        with pytest.raises(WorkspaceLocked, match="another job"), JobLock(path):
            pass
    assert not is_locked(path)
    with JobLock(path):
        pass


def test_the_journal_tells_what_is_there_in_doubt_and_gone(tmp_path: Path) -> None:
    with WorkspaceFile(tmp_path / "work.db", create=True) as file:
        journal, other = Journal(file, "one", "a:one"), Journal(file, "two", "a:two")
        journal.doubt("entity", ["b", "a"])
        assert list(journal.held("entity")) == [("a", DOUBT), ("b", DOUBT)]
        assert journal.has_doubts
        journal.arrived("entity", [("a", b"1" * 16), ("b", b"2" * 16)])
        journal.gone("entity", ["b"])
        assert list(journal.held("entity")) == [("a", b"1" * 16)]
        assert list(journal.removed("entity")) == ["b"]
        assert not journal.has_doubts
        assert journal.ours("entity", ["a", "b", "c"]) == {"a"}
        assert list(journal.ever("entity")) == ["a", "b"]
        journal.complete(7)
        assert (journal.version, other.version) == (7, -1)
        assert list(other.held("entity")) == list(journal.held("edge")) == []
        journal.doubt_all()
        assert list(journal.held("entity")) == [("a", DOUBT)]
        assert list(journal.removed("entity")) == ["b"]
        assert journal.version == -1


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("2h30m", 9000), ("45m", 2700), ("90s", 90), ("90", 90), ("1d", 86400), ("1.5", 1.5), ("0s", 0), (" 3h ", 10800)],
)
def test_a_duration_is_read(text: str, seconds: float) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "h", "2h30", "m30", "-5", "5 h", "1h2h", "٣h", "1e3", "nan"])
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no duration"):
        parse_duration(text)


@given(st.text(max_size=12))
def test_no_text_breaks_the_reading_of_durations_and_prices(text: str) -> None:
    for parse in (parse_duration, parse_price):
        with suppress(ValueError):
            assert parse(text) is not None


def test_a_price_costs_by_the_million() -> None:
    assert parse_price("0.15,0.60").cost(2_000_000, 500_000) == pytest.approx(0.6)
    for wrong in ("1", "1,2,3", "a,b", "-1,2", "inf,1", "nan,1"):
        with pytest.raises(ValueError, match="price"):
            parse_price(wrong)
