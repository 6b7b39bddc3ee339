"""The index follows the workspace: what is new is found, what was taken back is not, and what was purged is gone."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from asking_desk import fill, store
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schemacast.corpus.index import update
from schemacast.corpus.search import search
from schemacast.errors import WorkspaceLocked
from schemacast.jobs.retraction import reinstate, retract
from schemacast.workspace import file as file_module
from schemacast.workspace.file import WorkspaceFile

TEXTS = {"a": "The walrus sleeps in Hald.", "b": "A walrus was seen at Brevik.", "c": "The mill stands still."}


def found(workspace: Path, question: str = "walrus") -> list[str]:
    return sorted(hit.source_id for hit in search(workspace, question))


def everything_in(workspace: Path) -> bytes:
    return b"".join(path.read_bytes() for path in workspace.parent.glob(f"{workspace.name}*"))


def test_a_new_text_is_found_at_once(tmp_path: Path) -> None:
    workspace = fill(tmp_path, TEXTS)
    assert found(workspace) == ["a", "b"]
    fill(tmp_path, {**TEXTS, "d": "Another walrus."})
    assert found(workspace) == ["a", "b", "d"]


def test_a_changed_text_is_found_by_its_new_words_only(tmp_path: Path) -> None:
    workspace = fill(tmp_path, TEXTS)
    assert found(workspace) == ["a", "b"]
    fill(tmp_path, {**TEXTS, "a": "The otter sleeps in Hald."})
    assert found(workspace) == ["b"]
    assert found(workspace, "otter") == ["a"]


def test_a_retracted_text_is_not_found_and_a_reinstated_one_is(tmp_path: Path) -> None:
    workspace = fill(tmp_path, TEXTS)
    assert found(workspace) == ["a", "b"]
    retract(workspace, ["a"], to=store(tmp_path))
    assert found(workspace) == ["b"]
    reinstate(workspace, ["a"], to=store(tmp_path))
    assert found(workspace) == ["a", "b"]


def test_a_text_retracted_while_the_index_cannot_be_brought_up_to_date_is_not_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = fill(tmp_path, {**TEXTS, "d": "walrus"})
    assert found(workspace) == ["a", "b", "d"]
    monkeypatch.setattr(file_module, "WAIT_SECONDS", 0.05)
    with WorkspaceFile(workspace) as job:
        job.execute("UPDATE episodes SET withdrawn = 'now' WHERE source_id = 'd'")
        job.execute("UPDATE texts SET body = replace(body, 'walrus', 'otter') WHERE episode = 1")
        with job.transaction():
            job.set_meta("busy", "1")
            assert found(workspace) == ["b"]
    assert found(workspace, "otter") == ["a"]


def test_a_job_that_holds_the_workspace_before_there_is_an_index_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = fill(tmp_path, TEXTS)
    monkeypatch.setattr(file_module, "WAIT_SECONDS", 0.05)
    with WorkspaceFile(workspace) as job, job.transaction():
        job.set_meta("busy", "1")
        with pytest.raises(WorkspaceLocked):
            search(workspace, "walrus")
    assert found(workspace) == ["a", "b"]


def test_purging_leaves_no_word_of_a_text_in_the_file(tmp_path: Path) -> None:
    texts = {**TEXTS, "a": "The zyzzogeton sleeps in Kvikkjokk.", "n": "東京都庁の隣"}
    workspace = fill(tmp_path, texts)
    assert found(workspace, "zyzzogeton") == ["a"]
    pair = f"{ord('都'):x}x{ord('庁'):x}x".encode()
    assert b"zyzzogeton" in everything_in(workspace)
    assert pair in everything_in(workspace)
    retract(workspace, ["a", "n"], to=store(tmp_path), purge=True)
    held = everything_in(workspace).lower()
    # The source's name stays; its words do not, in no form that the index writes them in.
    for word in (b"zyzzogeton", b"kvikkjokk", pair, "都庁".encode()):
        assert word not in held
    assert found(workspace, "zyzzogeton") == []
    assert found(workspace) == ["b"]


def test_a_purged_text_that_is_retracted_first_is_erased_too(tmp_path: Path) -> None:
    workspace = fill(tmp_path, {**TEXTS, "a": "The zyzzogeton sleeps."})
    assert found(workspace, "zyzzogeton") == ["a"]
    retract(workspace, ["a"], to=store(tmp_path))
    retract(workspace, ["a"], to=store(tmp_path), purge=True)
    assert b"zyzzogeton" not in everything_in(workspace)


def test_an_index_made_while_texts_are_added_has_them_all(tmp_path: Path) -> None:
    workspace = fill(tmp_path, {"s0": "walrus 0"})
    problems: list[Exception] = []

    def ask() -> None:
        try:
            for _ in range(10):
                search(workspace, "walrus")
        except Exception as error:  # noqa: BLE001 (it is looked at below)
            problems.append(error)

    askers = [threading.Thread(target=ask) for _ in range(2)]
    for asker in askers:
        asker.start()
    began = time.monotonic()
    fill(tmp_path, {f"s{number}": f"walrus {number}" for number in range(30)})
    assert time.monotonic() - began < 10
    for asker in askers:
        asker.join()
    assert problems == []
    assert len(search(workspace, "walrus", limit=100)) == 30


@given(st.lists(st.tuples(st.sampled_from(["put", "change", "retract", "reinstate", "update"]), st.integers(0, 3))))
@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_after_any_history_exactly_what_counts_is_found(tmp_path_factory: pytest.TempPathFactory, steps: list) -> None:  # type: ignore[type-arg]
    path = tmp_path_factory.mktemp("history") / "w.db"
    counting: dict[int, str] = {}
    words = iter(f"word{number}" for number in range(10_000))
    used = set()
    with WorkspaceFile(path, create=True) as file:
        for step, ident in steps:
            known = file.value("SELECT 1 FROM episodes WHERE id = ?", (ident,))
            if step in ("put", "change"):
                word = next(words)
                used.add(word)
                body = f'{{"source_id": "s{ident}", "text": "{word}"}}'
                if not known:
                    file.execute(
                        "INSERT INTO episodes (id, source_id, content, state) VALUES (?, ?, ?, 'waiting')",
                        (ident, f"s{ident}", word),
                    )
                    file.execute("INSERT INTO texts VALUES (?, ?)", (ident, body))
                else:
                    file.execute("UPDATE texts SET body = ? WHERE episode = ?", (body, ident))
                if not file.value("SELECT withdrawn FROM episodes WHERE id = ?", (ident,)):
                    counting[ident] = word
            elif step == "retract":
                file.execute("UPDATE episodes SET withdrawn = 'now' WHERE id = ?", (ident,))
                counting.pop(ident, None)
            elif step == "reinstate" and known:
                file.execute("UPDATE episodes SET withdrawn = NULL WHERE id = ?", (ident,))
                body = file.value("SELECT body FROM texts WHERE episode = ?", (ident,))
                counting[ident] = body.split('"')[-2]
            elif step == "update":
                update(file)
        for word in used:
            expected = [f"s{ident}" for ident, text in counting.items() if text == word]
            assert [hit.source_id for hit in search(file, word)] == expected
