"""Replies kept in a workspace: once paid for, and gone with the source that they are about."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from asking_desk import fill, store
from loopback_model import Loopback
from tracing_desk import CLAIM, TEXT, Oracle, asker, compared, relevant

from schemacast.attribution import Asker, SourceAttribution, atrace, open_searcher, run
from schemacast.attribution.claims_file import ClaimLine
from schemacast.attribution.flow import Trace
from schemacast.attribution.many import ManyReport, trace_many
from schemacast.errors import InputError, UsageError
from schemacast.jobs.retraction import retract
from schemacast.llm.protocol import Usage
from schemacast.workspace.reader import Workspace

QUOTE = "The register counts six ships of Orvik AS."


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return fill(tmp_path, {"m-1": f"Hald, Monday. {QUOTE}", "m-2": "Orvik AS is a house of ships in Hald."})


def oracle() -> Oracle:
    return Oracle(sources={"Hald, Monday": relevant(QUOTE)}, quotes={QUOTE: compared("paraphrase")})


def traced(workspace: Path, model: Asker) -> SourceAttribution:
    return run(TEXT, searcher=open_searcher("corpus", workspace=workspace), model=model)


def kept_replies(workspace: Path) -> list[str]:
    """The replies that a workspace keeps, those of its ingest left out."""
    with closing(sqlite3.connect(workspace)) as connection:
        rows = connection.execute("SELECT reply FROM replies WHERE reply NOT LIKE '%vertices%'").fetchall()
    return [reply for (reply,) in rows]


def test_a_reply_that_the_workspace_keeps_is_not_asked_for_again(loopback: Loopback, workspace: Path) -> None:
    first = traced(workspace, asker(loopback, oracle(), workspace=workspace))
    assert (first.attribution, len(loopback.requests)) == ("paraphrase", 4)
    with Workspace(workspace) as reader:
        status = reader.status()
        assert (status.requests, status.input_tokens, status.output_tokens) == (4, 44, 28)
        assert status.last_run is not None
        assert status.last_run.command == "ingest"

    async def again() -> Trace:
        searcher = open_searcher("corpus", workspace=workspace)
        return await atrace(TEXT, searcher=searcher, model=asker(loopback, oracle(), workspace=workspace))

    trace = asyncio.run(again())
    assert (trace.attribution, trace.requests, trace.usage) == (first, 0, Usage())
    assert len(loopback.requests) == 4


def test_replay_only_gives_what_is_kept_without_a_key_and_asks_nothing(
    loopback: Loopback, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = traced(workspace, asker(loopback, oracle(), workspace=workspace))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    asked = len(loopback.requests)
    assert traced(workspace, asker(loopback, oracle(), workspace=workspace, replay_only=True)) == first
    result = run(
        TEXT + " Twice.",
        searcher=open_searcher("corpus", workspace=workspace),
        model=asker(loopback, oracle(), workspace=workspace, replay_only=True),
    )
    assert "keeps no reply" in result.summary
    assert len(loopback.requests) == asked


def test_a_cache_goes_before_the_workspace(loopback: Loopback, workspace: Path, tmp_path: Path) -> None:
    traced(workspace, asker(loopback, oracle(), workspace=workspace, cache=tmp_path / "cache"))
    assert kept_replies(workspace) == []
    assert len(list((tmp_path / "cache").rglob("*.json"))) == 4


def test_purging_a_source_erases_what_a_model_said_of_it(loopback: Loopback, workspace: Path) -> None:
    traced(workspace, asker(loopback, oracle(), workspace=workspace))
    assert sum("register counts" in reply for reply in kept_replies(workspace)) == 1
    retract(workspace, ["m-1"], to=store(workspace.parent), purge=True)
    assert len(kept_replies(workspace)) == 2  # about the claim, and about the other source
    assert b"register counts" not in workspace.read_bytes()


def test_the_next_run_leaves_nothing_of_a_purged_source_in_its_folder(
    loopback: Loopback, workspace: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"

    def trace() -> ManyReport:
        return trace_many(
            [ClaimLine(1, TEXT)],
            out=out,
            searcher=open_searcher("corpus", workspace=workspace),
            make_asker=lambda _: asker(loopback, oracle(), workspace=workspace),
        )

    def holding() -> set[str]:
        return {path.name for path in out.rglob("*") if path.is_file() and b"register counts" in path.read_bytes()}

    trace()
    assert holding() == {"attributions.jsonl", "sources.jsonl", "journal.jsonl"}
    retract(workspace, ["m-1"], to=store(workspace.parent), purge=True)
    assert trace().known == 0
    assert holding() == set()
    assert trace().known == 1


def test_a_workspace_that_cannot_be_written_costs_no_reply_and_is_told_once(
    loopback: Loopback, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from schemacast.workspace import file as workspace_file

    monkeypatch.setattr(workspace_file, "WAIT_SECONDS", 0.05)
    model = asker(loopback, oracle(), workspace=workspace)
    searcher = open_searcher("corpus", workspace=workspace)
    searcher.search("Orvik", limit=1)  # the index is made before somebody holds the file
    holder = sqlite3.connect(workspace, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    try:
        assert run(TEXT, searcher=searcher, model=model).attribution == "paraphrase"
    finally:
        holder.rollback()
        holder.close()
    assert len([note for note in model.notes() if "cannot be kept" in note]) == 1


def test_a_recorded_reply_is_read_from_its_file_and_not_kept(workspace: Path, tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"stage": "claim", "reply": {"claims": [{"claim": CLAIM, "context": CLAIM[:-1], "confidence": "low"}]}},
        {"stage": "relevance", "source_id": "m-1", "reply": relevant(QUOTE)},
        {"stage": "relevance", "source_id": "m-2", "reply": relevant(None, 0)},
        {"stage": "compare", "source_id": "m-1", "reply": compared("paraphrase")},
    ]
    path = tmp_path / "replies.jsonl"
    path.write_text("".join(json.dumps({"item": TEXT, "round": 0, **row}) + "\n" for row in rows), encoding="utf-8")
    assert traced(workspace, Asker(f"replay:{path}", workspace=workspace)).attribution == "paraphrase"
    assert kept_replies(workspace) == []
    path.write_text("".join(json.dumps({"item": TEXT, "round": 0, **row}) + "\n" for row in rows[:2]), encoding="utf-8")
    result = traced(workspace, Asker(f"replay:{path}"))
    assert result.attribution == "not_found"
    assert "has no reply for the item" in result.summary


def test_what_cannot_be_opened_is_refused(loopback: Loopback, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such workspace"):
        asker(loopback, oracle(), workspace=tmp_path / "none.db")
    with pytest.raises(UsageError, match="needs a cache"):
        asker(loopback, oracle(), replay_only=True)
    with pytest.raises(InputError, match="1 or more"):
        asker(loopback, oracle(), concurrency=0)
