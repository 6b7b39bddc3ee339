"""`schemacast ask` and `schemacast qa` as a person runs them."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from asking_desk import fill, store
from cli_desk import Ran
from loopback_model import Answer, Loopback, error
from loopback_model import loopback as loopback

from schemacast.jobs.retraction import retract
from schemacast.qa.client import StubClient
from schemacast.qa.query import query

Run = Callable[..., Ran]
TEXTS = {
    "fleet": "Orvik AS moved to Hald in 2021. Ada Lind leads Orvik AS, which has 6 ships. Nobody objects.",
    "mill": "The mill at Hald stands still.",
}
WHO = "Who leads Orvik AS?"
SAID = '"Ada Lind leads Orvik AS" [1].'


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return fill(tmp_path, TEXTS)


@pytest.fixture
def asking(workspace: Path, tmp_path: Path) -> Callable[..., list[object]]:
    """The arguments that ask a question which has this recorded answer."""

    def asking(question: str = WHO, answer: object = SAID, *more: object) -> list[object]:
        path = tmp_path / "answers.jsonl"
        line = {"item": question or "-", "stage": "answer", "reply": answer}
        path.write_text(json.dumps(line) + "\n", encoding="utf-8")
        return ["ask", question, "--workspace", workspace, "--model", f"replay:{path}", *more]

    return asking


def test_an_answer_is_printed_with_each_quote_in_its_sentence(run: Run, asking: Callable[..., list[object]]) -> None:
    done = run(*asking())
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == SAID
    assert "[1] fleet, characters 32 to 55: «Ada Lind leads Orvik AS», which has 6 ships." in lines
    assert lines[-1].startswith("STRICT: ")


def test_what_is_not_borne_out_is_marked_and_strict_exits_1(run: Run, asking: Callable[..., list[object]]) -> None:
    answer = f'{SAID} "Bo Berg leads the mill" [1].'
    done = run(*asking(WHO, answer, "--strict"))
    assert done.code == 1
    assert "⟨" in done.out.splitlines()[0]
    assert "not verified" in done.out
    assert done.out.splitlines()[-1].startswith("HYBRID: ")
    assert run(*asking(WHO, answer)).code == 0
    assert run(*asking("Who leads the mill?", '"The mill at Hald stands still" [1].', "--strict")).code == 0


def test_not_in_the_sources_is_an_answer(run: Run, asking: Callable[..., list[object]]) -> None:
    done = run(*asking("Who leads Brevik AS?", "Not in the sources."))
    assert (done.code, done.out.splitlines()[0]) == (0, "Not in the sources.")
    assert "[1]" not in done.out
    assert run(*asking("Who leads Brevik AS?", "Not in the sources.", "--strict")).code == 1


@pytest.mark.parametrize("question", ["", "?", 'zzz "(C++)', "AND", "NOT NOT", '"'])
def test_a_question_that_finds_nothing_needs_no_model(
    run: Run, asking: Callable[..., list[object]], question: str
) -> None:
    done = run(*asking(question))
    assert (done.code, done.out.splitlines()[0]) == (0, "Not in the sources.")


def test_json_has_the_answer_its_citations_and_the_record(run: Run, asking: Callable[..., list[object]]) -> None:
    made = json.loads(run(*asking(WHO, SAID, "--json")).out)
    assert (made["text"], made["audit_mode"], made["absent"], made["lookup_path"]) == (SAID, "STRICT", False, "miss")
    (citation,) = made["citations"]
    assert TEXTS["fleet"][citation["char_start"] : citation["char_end"]] == citation["quote"]
    assert citation["sentence"] == "Ada Lind leads Orvik AS, which has 6 ships."
    assert made["record"]["run_dag"]["root"] == made["record"]["run_dag_root"]
    assert run(*asking(WHO, SAID, "--quiet")).out == ""


@pytest.mark.parametrize(
    ("mode", "reply"),
    [
        ("claim_lattice_pointer", "Ada Lind leads Orvik AS. [E1]"),
        ("claim_lattice", {"claims": [{"text": "Ada Lind leads Orvik AS.", "evidence_ids": ["E1"]}]}),
    ],
)
def test_the_lattice_modes_point_at_sources(
    run: Run, asking: Callable[..., list[object]], mode: str, reply: object
) -> None:
    done = run(*asking(WHO, reply, "--answer-mode", mode, "--strict"))
    assert done.code == 0
    assert "Ada Lind leads Orvik AS." in done.out
    assert "fleet, characters " in done.out
    assert "STRICT: " in done.out


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ({"claim": "Ada Lind leads Orvik AS.", "evidence_ids": ["E1"]}, '  a claim has no "text"'),
        (
            {"text": "Ada Lind leads Orvik AS.", "evidence_id": "E1"},
            '  ⟨Ada Lind leads Orvik AS.⟩  a claim has no "evidence_ids"; [E1] has it',
        ),
        (
            {"text": 'Ada Lind leads "Orvik AS".', "evidence_ids": ["E1"]},
            '  ⟨Ada Lind leads "Orvik AS".⟩  double quote',
        ),
    ],
)
def test_a_claim_of_the_wrong_form_is_told_by_its_field(
    run: Run, asking: Callable[..., list[object]], claim: object, said: str
) -> None:
    done = run(*asking(WHO, {"claims": [claim]}, "--answer-mode", "claim_lattice"))
    assert said in done.out.splitlines()
    assert "⟨⟩" not in done.out
    assert done.out.splitlines()[-1].startswith("UNGROUNDED: ")
    assert said.split("  ")[-1].partition(";")[0] in done.out.splitlines()[-1]


def test_a_question_is_asked_once(run: Run, workspace: Path, loopback: Loopback) -> None:
    loopback.answer(Answer({"answer": SAID}))
    arguments = ["--workspace", workspace, "--model", "m", "--base-url", loopback.v1]
    assert run("ask", WHO, *arguments).code == 0
    again = run("ask", "who leads the Orvik AS", *arguments)
    assert (again.code, len(loopback.requests)) == (0, 1)
    assert run("ask", WHO, *arguments, "--burn").code == 0
    assert len(loopback.requests) == 2
    assert run("ask", WHO.upper(), *arguments, "--dedup", "strict", "--fidelity", "strict").code == 0
    assert len(loopback.requests) == 3
    status = run("status", "--workspace", workspace)
    assert "3 requests, 33 tokens in, 21 out" in status.out
    assert "last job  ingest" in status.out


def test_what_asking_took_is_told_with_its_price(run: Run, workspace: Path, loopback: Loopback) -> None:
    loopback.answer(Answer({"answer": SAID}, usage=(100_000, 2_000)))
    arguments = ["--workspace", workspace, "--model", "m", "--base-url", loopback.v1, "--price", "1,5"]
    assert run("ask", WHO, *arguments).out.endswith("spent 1 requests, 100,000 tokens in, 2,000 out, $0.1100\n")
    assert "spent" not in run("ask", WHO, *arguments).out
    assert "$0.1100" in run("status", "--workspace", workspace).out
    assert run("ask", WHO, *arguments[:-1], "much").code == 2


def test_an_answer_that_is_kept_needs_no_key(run: Run, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    policy = {"answer_mode": "quote", "question_dedup": "equivalence_class", "model_options": {}}
    query(question=WHO, qa_db=workspace, chat_client=StubClient(SAID), model_id="openai/big", policy=policy)
    arguments = ["--workspace", workspace, "--model", "openai/big"]
    assert run("ask", WHO, *arguments, "--strict").code == 0
    assert run("ask", "zzz", *arguments).out.startswith("Not in the sources.")
    other = run("ask", "What of the mill?", *arguments)
    assert (other.code, "OPENAI_API_KEY" in other.err) == (4, True)


def test_replies_are_cached_as_in_casting(run: Run, workspace: Path, loopback: Loopback, tmp_path: Path) -> None:
    loopback.answer(Answer({"answer": SAID}))
    arguments = ["--workspace", workspace, "--model", "m", "--base-url", loopback.v1, "--cache", tmp_path / "cache"]
    assert run("ask", WHO, *arguments).code == 0
    assert run("ask", WHO, *arguments, "--burn", "--replay-only", "--strict").code == 0
    assert len(loopback.requests) == 1
    missing = run("ask", "What of the mill?", *arguments, "--replay-only")
    assert (missing.code, "no reply in the cache" in missing.err) == (1, True)


def test_a_question_without_a_recorded_answer_fails(run: Run, asking: Callable[..., list[object]]) -> None:
    arguments = asking()
    arguments[1] = "Where does Orvik AS sit?"
    done = run(*arguments)
    assert done.code == 1
    assert "no reply for the item 'Where does Orvik AS sit?', stage 'answer'" in done.err


@pytest.mark.parametrize(
    ("answer", "code"), [(error(401), 4), (error(404, "no model"), 4), (error(400, "no"), 1)], ids=str
)
def test_a_failing_model_is_one_line_and_its_exit_code(
    run: Run, workspace: Path, loopback: Loopback, answer: Answer, code: int
) -> None:
    loopback.answer(answer)
    done = run("ask", WHO, "--workspace", workspace, "--model", "m", "--base-url", loopback.v1)
    assert (done.code, len(done.err.splitlines())) == (code, 1)
    assert run("qa", "list", "--workspace", workspace).out == ""


def test_wrong_input_is_one_line_and_exit_2(run: Run, workspace: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.db"
    text.write_text("no database " * 100)
    for path in (tmp_path / "none.db", text):
        for command in (["ask", WHO, "--model", "replay:x"], ["qa", "list"], ["qa", "show", "1"], ["qa", "verify"]):
            done = run(*command, "--workspace", path)
            assert (done.code, len(done.err.splitlines())) == (2, 1), command
    assert run("ask", WHO, "--workspace", workspace, "--model", "replay:none").code == 2
    assert run("ask", WHO, "--workspace", workspace, "--model", "x", "--answer-mode", "prose").code == 2
    assert run("qa", "show", "77", "--workspace", workspace).code == 2
    assert run("qa").code == 2
    assert not (tmp_path / "none.db").exists()


def test_answers_are_listed_and_shown(run: Run, asking: Callable[..., list[object]], workspace: Path) -> None:
    run(*asking())
    run(*asking("Does the mill run?", '"The mill at Hald stands still" [1].'))
    listed = run("qa", "list", "--workspace", workspace).out.splitlines()
    assert [line.split()[0] for line in listed] == ["1", "2"]
    assert listed[0].endswith(f"live         STRICT      {WHO}")
    rows = [json.loads(line) for line in run("qa", "list", "--workspace", workspace, "--json").out.splitlines()]
    assert [(row["id"], row["state"], row["audit_mode"]) for row in rows] == [
        (1, "live", "STRICT"),
        (2, "live", "STRICT"),
    ]
    shown = run("qa", "show", 1, "--workspace", workspace)
    assert shown.out.startswith("answer 1, live, 20")
    assert "«Ada Lind leads Orvik AS», which has 6 ships." in shown.out
    assert json.loads(run("qa", "show", 1, "--workspace", workspace, "--json").out)["record"]["question"] == WHO


def test_an_answer_whose_source_went_says_so(
    run: Run, asking: Callable[..., list[object]], workspace: Path, tmp_path: Path
) -> None:
    run(*asking())
    retract(workspace, ["fleet"], to=store(tmp_path))
    assert "stale" in run("qa", "list", "--workspace", workspace).out
    assert "answer 1, stale" in run("qa", "show", 1, "--workspace", workspace).out
    retract(workspace, ["fleet"], to=store(tmp_path), purge=True)
    assert "erased with one of its sources" in run("qa", "list", "--workspace", workspace).out
    gone = run("qa", "show", 1, "--workspace", workspace)
    assert (gone.code, "was erased" in gone.err) == (2, True)
    assert run("qa", "verify", "--workspace", workspace).code == 0


def test_verify_tells_a_sound_trail_from_a_broken_one(
    run: Run, asking: Callable[..., list[object]], workspace: Path
) -> None:
    run(*asking())
    sound = run("qa", "verify", "--workspace", workspace)
    assert sound.code == 0
    assert sound.out.startswith("sound: 1 events, 1 answers, 1 citations compared")
    head = sound.out.split()[-1]
    assert run("qa", "verify", "--workspace", workspace, "--expect", head).code == 0
    assert run("qa", "verify", "--workspace", workspace, "--expect", "0" * 64).code == 1
    with sqlite3.connect(workspace) as file:
        file.execute("UPDATE answers SET record = replace(record, 'STRICT', 'HYBRID')")
    broken = run("qa", "verify", "--workspace", workspace)
    assert broken.code == 1
    assert "answer 1: its record was changed" in broken.out
    assert json.loads(run("qa", "verify", "--workspace", workspace, "--json").out)["sound"] is False


def test_an_answer_that_was_changed_is_not_shown_as_one(
    run: Run, asking: Callable[..., list[object]], workspace: Path
) -> None:
    run(*asking())
    with sqlite3.connect(workspace) as file:
        file.execute("UPDATE answers SET record = replace(record, 'Ada Lind leads', 'Bo Berg leads')")
    assert "quarantined" in run("qa", "list", "--workspace", workspace).out
    shown = run("qa", "show", 1, "--workspace", workspace)
    assert (shown.code, shown.out) == (2, "")
    assert "answer 1 was changed after it was kept; `schemacast qa verify` tells what is wrong" in shown.err


def test_a_text_with_control_characters_is_shown_without_them(run: Run, tmp_path: Path) -> None:
    workspace = fill(tmp_path, {"a\x1b[31m": "Ada\x1b]0;evil\x07 Lind leads Orvik."})
    path = tmp_path / "answers.jsonl"
    reply = 'It is\x1b[2J "Ada\x1b]0;evil\x07 Lind leads Orvik" [1].'
    path.write_text(json.dumps({"item": WHO, "stage": "answer", "reply": reply}) + "\n")
    done = run("ask", WHO, "--workspace", workspace, "--model", f"replay:{path}")
    assert done.code == 0
    assert "\x1b" not in done.out
    assert "\x07" not in done.out
    assert "\x1b" not in run("qa", "show", 1, "--workspace", workspace).out


def test_the_demo_asks_a_question_at_its_end_and_shows_the_cited_answer(run: Run, tmp_path: Path) -> None:
    for _ in range(2):
        done = run("demo", "--out", tmp_path / "out")
        assert (done.code, done.err) == (0, "")
        asked = done.out.partition("a question about them: ")[2].splitlines()
        assert asked[0] == "Why did Orvik Sync stop, and for how long?"
        assert "[4] status-105, characters 84 to 117: «Service was back after 95 minutes»." in asked
        assert asked[-1].startswith("STRICT: ")


def start(*arguments: object, **options: Any) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "schemacast.cli.main", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def test_an_interrupted_ask_keeps_nothing_half(workspace: Path, loopback: Loopback, run: Run) -> None:
    loopback.answer(Answer({"answer": SAID}, delay=30))
    arguments = ["--workspace", workspace, "--model", "m", "--base-url", loopback.v1]
    process = start("ask", WHO, *arguments)
    while not loopback.requests:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (130, "")
    assert err == "schemacast: interrupted\n"
    assert run("qa", "list", "--workspace", workspace).out == ""
    assert run("qa", "verify", "--workspace", workspace).code == 0
    loopback.answer(Answer({"answer": SAID}))
    assert run("ask", WHO, *arguments, "--strict").code == 0


@pytest.mark.slow
def test_an_ask_that_is_killed_keeps_nothing_half(workspace: Path, loopback: Loopback, run: Run) -> None:
    loopback.answer(Answer({"answer": SAID}, delay=30))
    process = start("ask", WHO, "--workspace", workspace, "--model", "m", "--base-url", loopback.v1)
    while not loopback.requests:
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=20)
    assert run("qa", "list", "--workspace", workspace).out == ""
    assert run("qa", "verify", "--workspace", workspace).code == 0


def test_many_ask_while_texts_are_ingested(workspace: Path, tmp_path: Path, run: Run) -> None:
    answers = tmp_path / "answers.jsonl"
    questions = [f"{WHO} {number}" for number in range(3)]
    lines = [json.dumps({"item": question, "stage": "answer", "reply": SAID}) for question in questions]
    answers.write_text("\n".join(lines), encoding="utf-8")
    arguments = ["--workspace", workspace, "--model", f"replay:{answers}"]
    askers = [start("ask", question, *arguments) for question in questions]
    fill(tmp_path, {**TEXTS, **{f"s{number}": f"Text {number} of the harbour." for number in range(60)}})
    for asker in askers:
        out, err = asker.communicate(timeout=60)
        assert (asker.returncode, err) == (0, "")
        assert "Ada Lind" in out
    assert run("qa", "verify", "--workspace", workspace).code == 0
    assert len(run("qa", "list", "--workspace", workspace).out.splitlines()) == 3
    assert "done      62" in run("status", "--workspace", workspace).out
