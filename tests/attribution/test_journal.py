"""What a folder keeps of its runs: after each no more than its files are made of, and never half of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_desk import lines

from schemacast.attribution.journal import ATTRIBUTIONS, Journal
from schemacast.errors import OutputError
from schemacast.schema.values import Json

SOURCES: list[dict[str, Json]] = [{"source_id": "m-1", "sha256": "0", "text": "Six ships."}]


def run(folder: Path, *keys: str, failed: str = "") -> list[str]:
    """A run over texts of these keys; those that were finished before."""
    with Journal(folder) as journal:
        before = [key for key in keys if journal.holds(key)]
        for key in keys:
            if key not in before:
                journal.add(key, {"text": f"text {key}"}, SOURCES, keep=key != failed)
        journal.finish([(key, {"id": key}) for key in keys], {})
    return before


def kept(folder: Path) -> list[str]:
    return [row["key"] for row in lines(folder / ".attribute" / "journal.jsonl")]


def test_a_finished_run_keeps_what_its_files_are_made_of_and_nothing_else(tmp_path: Path) -> None:
    assert run(tmp_path, "a", "b", "c", failed="c") == []
    assert kept(tmp_path) == ["a", "b"]
    assert run(tmp_path, "b", "d", "b") == ["b", "b"]
    assert kept(tmp_path) == ["b", "d"]
    assert [row["id"] for row in lines(tmp_path / ATTRIBUTIONS)] == ["b", "d", "b"]
    assert run(tmp_path, "b", "d") == ["b", "d"]


def test_a_run_that_does_not_end_keeps_all(tmp_path: Path) -> None:
    run(tmp_path, "a")
    with Journal(tmp_path) as journal:
        journal.add("b", {}, SOURCES, keep=True)
    assert kept(tmp_path) == ["a", "b"]


def test_a_run_that_dies_between_journal_and_files_is_made_up_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(tmp_path, "a")
    replace = Path.replace

    def full(path: Path, target: Path) -> Path:
        if path.name == ATTRIBUTIONS:
            raise OSError(28, "No space left on device")
        return replace(path, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", full)
        with pytest.raises(OutputError):
            run(tmp_path, "b")
    assert [row["id"] for row in lines(tmp_path / ATTRIBUTIONS)] == ["a"]
    assert kept(tmp_path) == ["b"]
    assert run(tmp_path, "b") == ["b"]
    assert [row["id"] for row in lines(tmp_path / ATTRIBUTIONS)] == ["b"]
