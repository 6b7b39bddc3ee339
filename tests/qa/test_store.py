"""The record store and its audit trail: what is kept, what is reused, and that every changed byte shows."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from asking_desk import fill, store
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schemacast.errors import UnknownNameError, UsageError
from schemacast.jobs.retraction import retract
from schemacast.qa.audit import GENESIS, append, event_hash, events
from schemacast.qa.check import check, state_of
from schemacast.qa.client import StubClient
from schemacast.qa.query import query
from schemacast.qa.store import burn, every, find_live, get, set_state
from schemacast.workspace.file import WorkspaceFile

TEXTS = {"a": "Ada Lind leads Orvik AS.", "b": "The mill at Hald stands still.", "c": "Ørsted 東京 has 6 ships."}
SAID = '"Ada Lind leads Orvik AS" [1].'


def asked(workspace: Path, question: str = "Who leads Orvik AS?", answer: str = SAID, **options: Any) -> dict[str, Any]:
    return query(question=question, qa_db=workspace, chat_client=StubClient(answer), model_id="stub", **options)


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return fill(tmp_path, TEXTS)


def problems(workspace: Path, **options: Any) -> list[str]:
    with WorkspaceFile(workspace) as file:
        return check(file, **options).problems


def test_a_record_is_kept_with_an_event_that_has_its_hash(workspace: Path) -> None:
    result = asked(workspace)
    with WorkspaceFile(workspace) as file:
        kept = get(file, result["record_id"])
        assert (kept.state, kept.event) == ("live", result["audit_event_hash"])
        assert find_live(file, "private", result["cache_key"]) == kept
        found = check(file)
    assert (found.sound, found.events, found.records, found.citations) == (True, 1, 1, len(result["citations"]))
    assert found.heads == {"private": result["audit_event_hash"]}


def test_events_are_chained_from_the_genesis(workspace: Path) -> None:
    for question in ("Who leads Orvik?", "What stands still?", "Who has ships?"):
        asked(workspace, question)
    with WorkspaceFile(workspace) as file:
        trail = [event for event in events(file) if event is not None]
    assert [event.seq for event in trail] == [0, 1, 2]
    assert [event.prev for event in trail] == [GENESIS, trail[0].hash, trail[1].hash]
    for event in trail:
        assert event.hash == event_hash(event.chain, event.seq, event.at, event.kind, event.payload, event.prev)
        assert "Orvik" not in event.payload
        assert "ships" not in event.payload


def test_chains_are_apart(workspace: Path) -> None:
    first, second = asked(workspace), asked(workspace, chain="team")
    assert (first["lookup_path"], second["lookup_path"]) == ("miss", "miss")
    assert asked(workspace, chain="team")["record_id"] == second["record_id"]
    with WorkspaceFile(workspace) as file:
        assert sorted(check(file).heads) == ["private", "team"]


@pytest.mark.parametrize("state", ["stale", "quarantined"])
def test_a_record_that_is_not_live_is_not_reused(workspace: Path, state: Any) -> None:
    first = asked(workspace)
    with WorkspaceFile(workspace) as file:
        set_state(file, first["record_id"], state, reason="looks wrong")
    second = asked(workspace)
    assert (second["lookup_path"], second["record_id"] > first["record_id"]) == ("miss", True)
    with WorkspaceFile(workspace) as file:
        with pytest.raises(UsageError, match="is the live one"):
            set_state(file, first["record_id"], "live")
        assert burn(file, "private", first["cache_key"]) == 1
        set_state(file, first["record_id"], "live")
    assert asked(workspace)["record_id"] == first["record_id"]
    assert problems(workspace) == []


def test_a_state_that_is_not_given_by_hand_and_an_answer_that_is_not_there_are_errors(workspace: Path) -> None:
    ident = asked(workspace)["record_id"]
    with WorkspaceFile(workspace) as file:
        for state in ("failed", "purged", "odd"):
            with pytest.raises(UsageError):
                set_state(file, ident, state)  # type: ignore[arg-type]
        with pytest.raises(UnknownNameError):
            set_state(file, 99, "stale")
        with pytest.raises(UnknownNameError, match="qa list"):
            get(file, 99)


def test_a_record_whose_source_changed_is_shown_as_stale_and_a_retracted_source_too(tmp_path: Path) -> None:
    workspace = fill(tmp_path, TEXTS)
    ident = asked(workspace)["record_id"]
    with WorkspaceFile(workspace) as file:
        assert state_of(file, get(file, ident)) == "live"
    retract(workspace, ["a"], to=store(tmp_path))
    with WorkspaceFile(workspace) as file:
        assert state_of(file, get(file, ident)) == "stale"
    assert asked(workspace)["lookup_path"] == "miss"
    assert problems(workspace) == []


def test_purging_a_source_erases_every_answer_it_was_shown_for_and_the_trail_stays_whole(tmp_path: Path) -> None:
    workspace = fill(tmp_path, {**TEXTS, "z": "The zyzzogeton at Hald leads Orvik AS."})
    cited = asked(workspace, "Who is the zyzzogeton?", '"The zyzzogeton at Hald" [1].')
    shown = asked(workspace, "Who leads Orvik AS?")
    other = asked(workspace, "東京", '"東京" [1].')
    assert "z" in {source["source_id"] for source in shown["sources"]}
    assert "z" not in {source["source_id"] for source in other["sources"]}
    retract(workspace, ["z"], to=store(tmp_path), purge=True)
    held = b"".join(path.read_bytes() for path in tmp_path.glob("work.db*")).lower()
    assert b"zyzzogeton" not in held
    with WorkspaceFile(workspace) as file:
        assert [one.state for one in every(file)] == ["purged", "purged", "live"]
        with pytest.raises(UsageError, match="was erased"):
            set_state(file, cited["record_id"], "live")
    assert problems(workspace) == []


def change(workspace: Path, sql: str, *values: object) -> None:
    with sqlite3.connect(workspace) as file:
        file.execute(sql, values)


def test_a_tampered_record_is_quarantined_instead_of_reused(workspace: Path) -> None:
    first = asked(workspace)
    change(workspace, "UPDATE answers SET record = replace(record, 'Ada Lind leads', 'Bo Berg leads')")
    again = asked(workspace)
    assert (again["lookup_path"], again["record_id"] != first["record_id"]) == ("miss", True)
    assert again["answer"] == SAID
    with WorkspaceFile(workspace) as file:
        assert get(file, first["record_id"]).state == "quarantined"
    assert problems(workspace) == [f"answer {first['record_id']}: its record was changed"]


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("DELETE FROM answers WHERE id = 1", "answer 1: is missing"),
        ("DELETE FROM audit_events WHERE seq = 0", "stands where event 0 should"),
        ("DELETE FROM audit_events WHERE seq = 1", "stands where event 1 should"),
        ("DELETE FROM audit_events WHERE seq = 2", "answer 3: no event tells of it"),
        ("UPDATE answers SET state = 'stale' WHERE id = 1", "not what the audit trail tells"),
        ("UPDATE answers SET id = 9 WHERE id = 1", "answer 9: no event tells of it"),
        ("UPDATE answers SET chain = 'x' WHERE id = 1", "not what the audit trail tells"),
        ("UPDATE answers SET event = 1 WHERE id = 1", "not what the audit trail tells"),
        ("UPDATE answers SET cache_key = 'x' WHERE id = 1", "cache key is not what"),
        ("UPDATE answers SET record = '' WHERE id = 1", "its record was changed"),
        ("UPDATE answers SET record = x'ff' WHERE id = 1", "cannot be read"),
        ("UPDATE audit_events SET payload = x'ff' WHERE seq = 1", "cannot be read"),
        ("UPDATE audit_events SET kind = 'providence_burn' WHERE seq = 1", "was changed"),
        (
            "INSERT INTO answers SELECT 7, chain, 'k', 'stale', event, record FROM answers WHERE id = 1",
            "answer 7: no event tells of it",
        ),
    ],
)
def test_whatever_is_changed_shows(workspace: Path, sql: str, says: str) -> None:
    for question in ("Who leads Orvik?", "What stands still?", "Who has ships?"):
        asked(workspace, question)
    assert problems(workspace) == []
    change(workspace, sql)
    assert any(says in problem for problem in problems(workspace))


COLUMNS = [
    *(("answers", name) for name in ("id", "chain", "cache_key", "state", "event", "record")),
    *(("audit_events", name) for name in ("chain", "seq", "at", "kind", "payload", "prev", "hash")),
]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with every kind of event."""
    path = fill(tmp_path_factory.mktemp("sound"), TEXTS)
    first = asked(path)
    asked(path, burn_existing=True)
    asked(path, "Who has ships?", "6 ships are there.")
    with WorkspaceFile(path) as file:
        set_state(file, first["record_id"] + 1, "stale")
    assert problems(path) == []
    return path


@given(st.sampled_from(COLUMNS), st.integers(0, 10_000), st.integers(0, 100_000), st.integers(1, 255), st.booleans())
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_each_flipped_byte_is_found(
    sound: Path, column: tuple[str, str], row: int, place: int, mask: int, as_text: bool
) -> None:
    copy = sound.with_name("flipped.db")
    shutil.copyfile(sound, copy)
    table, name = column
    key = "id" if table == "answers" else "chain || seq"
    with closing(sqlite3.connect(copy, isolation_level=None)) as file:
        rows = file.execute(f"SELECT {key}, CAST({name} AS BLOB) FROM {table} WHERE {name} <> ''").fetchall()
        which, held = rows[row % len(rows)]
        flipped = bytearray(held)
        flipped[place % len(held)] ^= mask
        value: str | bytes = bytes(flipped)
        with suppress(UnicodeDecodeError):
            value = value.decode() if as_text else value
        try:
            file.execute(f"UPDATE {table} SET {name} = ? WHERE {key} = ?", (value, which))
        except sqlite3.IntegrityError:
            return  # SQLite itself does not take it
    assert problems(copy) != []


def test_a_chain_whose_end_was_cut_off_is_found_by_a_hash_that_was_noted(workspace: Path) -> None:
    asked(workspace)
    noted = asked(workspace, "Who has ships?")["audit_event_hash"]
    assert problems(workspace, expect=noted) == []
    change(workspace, "DELETE FROM audit_events WHERE seq = 1")
    change(workspace, "DELETE FROM answers WHERE id = 2")
    assert problems(workspace) == []
    assert "has no event with the hash" in problems(workspace, expect=noted)[0]


def test_events_of_one_transaction_that_fails_are_not_kept(workspace: Path) -> None:
    asked(workspace)

    def fail(file: WorkspaceFile) -> None:
        with file.transaction():
            append(file, "private", "providence_state", {"answer": 1, "to": "stale"})
            raise ZeroDivisionError

    with WorkspaceFile(workspace) as file, pytest.raises(ZeroDivisionError):
        fail(file)
    assert problems(workspace) == []
