"""The commands of jobs as a person runs them: what they print, and what they end with."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_desk import SCHEMA, Desk, Ran, prop, raised, vertex

from schemacast import Workspace

Run = Callable[..., Ran]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = Desk(tmp_path, tmp_path / "desk.yaml", tmp_path / "episodes.jsonl", tmp_path / "replies.jsonl")
    made.schema.write_text(SCHEMA, encoding="utf-8")
    made.write_episodes(
        {"source_id": "m-1", "text": "Customer ACC-1 raised HD-2, severity 3."},
        {"source_id": "m-2", "text": "ACC-1 also raised HD-3. About 40 people wait."},
        {"source_id": "m-3", "text": "Thank you!"},
    )
    first = {
        "vertices": [
            vertex("c", "Customer", "Customer ACC-1", prop("account", "ACC-1")),
            vertex("t", "Ticket", "HD-2, severity 3", prop("number", "HD-2"), prop("severity", 3)),
        ],
        "edges": [raised("ACC-1 raised HD-2")],
    }
    second = {
        "vertices": [
            vertex("c", "Customer", "ACC-1", prop("account", "ACC-1")),
            vertex("t", "Ticket", "HD-3", prop("number", "HD-3")),
        ],
        "edges": [raised("ACC-1 also raised HD-3")],
    }
    made.write_replies(
        {"source_id": "m-1", "round": 0, "reply": first},
        {"source_id": "m-2", "round": 0, "reply": second},
    )
    return made


@pytest.fixture
def job(desk: Desk, tmp_path: Path) -> list[str]:
    return ["ingest", *desk.job, "--to", f"networkx:{tmp_path / 'g.json'}", "--workspace", str(tmp_path / "w.db")]


@pytest.fixture
def at(tmp_path: Path) -> list[str]:
    return ["--to", f"networkx:{tmp_path / 'g.json'}", "--workspace", str(tmp_path / "w.db")]


def test_a_run_tells_what_failed_and_a_rerun_tries_it_again(run: Run, job: list[str], desk: Desk) -> None:
    first = run(*job)
    assert first.code == 1
    assert "3 episodes read: 3 new" in first.out
    assert "(2 ok, 1 failed)" in first.out
    assert "failed m-3: request_failed:" in first.out
    assert run(*job, "--max-failures", "34%").code == 0
    desk.write_replies(
        *(json.loads(line) for line in desk.replies.read_text().splitlines()),
        {"source_id": "m-3", "round": 0, "reply": {"vertices": [], "edges": []}},
    )
    second = run(*job)
    assert (second.code, "1 retried, 2 skipped" in second.out) == (0, True)
    third = run(*job)
    assert (third.code, third.out.splitlines()) == (0, ["3 episodes read: 3 skipped", "nothing to do"])
    assert third.err == ""


def test_the_report_is_json_in_a_file_or_on_the_screen(run: Run, job: list[str], tmp_path: Path) -> None:
    report = tmp_path / "reports" / "night.json"
    done = run(*job, "--json", "--report", report, "--max-failures", 1)
    assert done.code == 0
    assert json.loads(done.out) == json.loads(report.read_text())
    made = json.loads(done.out)
    assert made["sources"] == {"new": 3}
    assert made["episodes"] == {"read": 3, "ok": 2, "empty": 0, "partial": 0, "failed": 1}
    assert made["written"]["vertices"]["created"] == 3
    assert [one["source_id"] for one in made["failures"]] == ["m-3"]


def test_a_dry_run_asks_and_makes_nothing(run: Run, job: list[str], tmp_path: Path) -> None:
    done = run(*job, "--dry-run", "--price", "1,2")
    assert done.code == 0
    assert "3 episodes read: 3 new" in done.out
    assert "1 to ask, 2 with a reply at hand" in done.out
    assert "$0.00" in done.out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["desk.yaml", "episodes.jsonl", "replies.jsonl"]
    run(*job)
    counted = json.loads(run(*job, "--dry-run", "--json").out)
    assert counted["sources"] == {"retried": 1, "skipped": 2}


def test_status_tells_how_things_stand(run: Run, job: list[str], at: list[str]) -> None:
    run(*job)
    shown = run("status", *at[2:])
    assert shown.code == 0
    assert "done      2 (2 ok)" in shown.out
    assert "failed    1 (1 request_failed)" in shown.out
    assert "up to date" in shown.out
    failed = run("status", *at[2:], "--failed")
    assert failed.out.startswith("m-3: request_failed: ")
    made = json.loads(run("status", *at[2:], "--failed", "--json").out)
    assert (made["done"], made["waiting"], made["failed"], made["stale"]) == (2, 0, 1, 0)
    assert [one["source_id"] for one in made["failures"]] == ["m-3"]


def test_a_text_is_taken_back_and_put_back(run: Run, job: list[str], at: list[str], tmp_path: Path) -> None:
    run(*job)
    before = (tmp_path / "g.json").read_bytes()
    listed = tmp_path / "gone.txt"
    listed.write_text("m-1\n\n", encoding="utf-8")
    done = run("retract", "m-3", "--from", listed, "--reason", "asked by mail", *at)
    assert done.code == 0
    assert "2 sources retracted" in done.out
    assert b"HD-2" not in (tmp_path / "g.json").read_bytes()
    assert b"HD-3" in (tmp_path / "g.json").read_bytes()
    assert "0 sources retracted, 1 already were" in run("retract", "m-1", *at).out
    assert run("retract", "--reinstate", "m-1", *at).code == 0
    assert (tmp_path / "g.json").read_bytes() == before
    purged = json.loads(run("retract", "m-1", "--purge", "--json", *at).out)
    assert (purged["sources"], purged["purged"]) == (["m-1"], 1)


def test_groundings_of_a_text_that_was_taken_back_say_so(run: Run, job: list[str], at: list[str]) -> None:
    run(*job)
    shown = ("groundings", *at[2:], "--source", "m-1")
    before = run(*shown)
    assert (bool(before.out), before.err) == (True, "")
    run("retract", "m-1", *at)
    for more in ((), ("--json",), ("--entity", "Customer", "ACC-1")):
        done = run(*shown, *more)
        assert (done.code, done.out) == (0, "")
        assert done.err.startswith("note: m-1 is withdrawn")
        assert "`schemacast retract --reinstate m-1`" in done.err
    run("retract", "m-1", "--purge", *at)
    done = run(*shown)
    assert (done.code, done.out) == (0, "")
    assert done.err.startswith("note: m-1 was purged")
    assert "retract --reinstate m-1" in done.err
    run("retract", "--reinstate", "m-1", *at)
    assert run(*shown).code == 2  # as if never seen


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["retract"], 2, "no source is named"),
        (["retract", "nobody"], 2, "has no source 'nobody'; nothing was changed"),
        (["retract", "m-1", "--from", "/nowhere"], 2, "cannot be read"),
        (["retract", "m-1", "--purge", "--reinstate"], 2, "not allowed with"),
    ],
)
def test_a_wrong_retraction_changes_nothing(
    run: Run, job: list[str], at: list[str], arguments: list[str], code: int, says: str
) -> None:
    run(*job)
    done = run(*arguments, *at)
    assert done.code == code
    assert says in done.err


def test_groundings_show_the_quotes_of_an_entity(run: Run, job: list[str], at: list[str]) -> None:
    run(*job)
    shown = run("groundings", *at[2:], "--entity", "Ticket", "HD-2")
    assert shown.out.splitlines() == [
        'm-1:22-38  Ticket  "HD-2, severity 3"',
        'm-1:22-38  Ticket.number  "HD-2, severity 3"',
        'm-1:22-38  Ticket.severity  "HD-2, severity 3"',
        'm-1:9-26  Customer-RAISED->Ticket  "ACC-1 raised HD-2"',
    ]
    rows = [json.loads(line) for line in run("groundings", *at[2:], "--source", "m-2", "--json").out.splitlines()]
    assert {row["source_id"] for row in rows} == {"m-2"}
    assert run("groundings", *at[2:], "--entity", "Ticket", "HD-77").code == 2
    assert run("groundings", *at[2:], "--source", "m-77").code == 2


def test_sync_fills_a_second_store_and_check_finds_what_differs(
    run: Run, job: list[str], at: list[str], tmp_path: Path
) -> None:
    run(*job)
    other = ["--workspace", at[3], "--to", f"networkx:{tmp_path / 'other.json'}"]
    assert run("sync", "--check", *other).code == 1
    assert "other.json" not in run("status", "--workspace", at[3]).out  # a comparison notes nothing
    assert run("sync", *other).code == 0
    assert "other.json" in run("status", "--workspace", at[3], "--json").out
    assert (tmp_path / "other.json").read_bytes() == (tmp_path / "g.json").read_bytes()
    assert run("sync", "--check", *other).code == 0
    node = json.loads((tmp_path / "other.json").read_text())
    node["nodes"][0]["props"] = {}
    (tmp_path / "other.json").write_text(json.dumps(node))
    checked = run("sync", "--check", *other)
    assert checked.code == 1
    changed = node["nodes"][0]
    assert re.search(rf'^different {changed["type"]} ".+" \({changed["id"]}\)$', checked.out, re.MULTILINE)
    gone = node["edges"].pop()
    (tmp_path / "other.json").write_text(json.dumps(node))
    checked = run("sync", "--check", *other)
    assert re.search(rf'^missing \S+ ".+ -> .+" \({gone["key"]}\)$', checked.out, re.MULTILINE)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--max-cost", "5"], "--price"),
        (["--max-cost", "a lot"], "no amount of dollars"),
        (["--price", "1"], "no price"),
        (["--max-time", "soon"], "no duration"),
        (["--retry", "nobody"], "no source 'nobody'"),
        (["--recast", "some"], "invalid choice"),
        (["--prune-limit", "120%"], "no share"),
        (["--max-failures", "-1"], "neither a number nor"),
    ],
)
def test_a_wrong_option_is_one_line_and_exit_2(run: Run, job: list[str], arguments: list[str], says: str) -> None:
    done = run(*job, *arguments)
    assert done.code == 2
    assert says in done.err
    assert "Traceback" not in done.err


def test_a_workspace_that_is_none_is_one_line_and_exit_2(run: Run, job: list[str], desk: Desk) -> None:
    index = job.index("--workspace") + 1
    wrong = [*job[:index], str(desk.schema), *job[index + 1 :]]
    done = run(*wrong)
    assert (done.code, len(done.err.splitlines())) == (2, 1)
    assert "is no workspace" in done.err
    assert run("status", "--workspace", "/nowhere/w.db").code == 2


def test_pruning_too_much_is_refused(run: Run, job: list[str], desk: Desk) -> None:
    run(*job)
    desk.write_episodes({"source_id": "m-1", "text": "Customer ACC-1 raised HD-2, severity 3."})
    done = run(*job, "--prune")
    assert done.code == 2
    assert "2 of 3 sources (67%)" in done.err
    assert run(*job, "--prune", "--prune-limit", "70%").code == 0


ODD = os.fsdecode(b"\xff")
"""What a command line gives for a byte that is no UTF-8."""


@pytest.mark.parametrize(
    "arguments",
    [
        ["retract", ODD],
        ["groundings", "--source", ODD],
        ["groundings", "--entity", "Ticket", ODD],
        ["INGEST", "--retry", ODD],
    ],
)
def test_a_name_that_is_no_text_is_one_line_and_exit_2(
    run: Run, job: list[str], at: list[str], arguments: list[str]
) -> None:
    run(*job)
    to = at if arguments[0] == "retract" else at[2:]
    done = run(*job, *arguments[1:]) if arguments[0] == "INGEST" else run(*arguments, *to)
    assert (done.code, done.out) == (2, "")
    assert done.err == "schemacast: '\\udcff' is no valid Unicode; no name in a workspace is like that\n"


def test_paths_may_hold_any_bytes_and_a_reason_too(run: Run, job: list[str], tmp_path: Path) -> None:
    odd = [*job[:-4], "--to", f"networkx:{tmp_path / ODD}.json", "--workspace", f"{tmp_path / ODD}.db"]
    report = tmp_path / f"{ODD}.report"
    assert run(*odd, "--max-failures", 1, "--report", report, "--cache", tmp_path / f"{ODD}.cache").code == 0
    assert json.loads(report.read_text())["workspace"].endswith(f"{ODD}.db")
    at = odd[-4:]
    assert run("retract", "m-1", "--reason", f"because {ODD}", *at).code == 0
    assert run("status", *at[2:]).code == run("status", *at[2:], "--json").code == 0
    with Workspace(at[3]) as workspace:
        assert [one["why"] for one in workspace.withdrawn()] == ["because \N{REPLACEMENT CHARACTER}"]
    assert "1 skipped, 1 withdrawn" in run(*odd).out
    assert run("sync", "--check", *at).code == 0


@pytest.mark.parametrize("path", ["/dev/null", "/", "."])
def test_a_workspace_that_is_no_file_is_one_line_and_exit_2(run: Run, job: list[str], path: str) -> None:
    done = run(*job[:-1], path)
    assert (done.code, done.err.count("\n"), "is no file" in done.err) == (2, 1, True)


def test_an_empty_argument_is_most_often_a_variable_that_is_not_set(run: Run, job: list[str]) -> None:
    for name in ("--workspace", "--to", "--schema", "--episodes"):
        given = list(job)
        given[given.index(name) + 1] = ""
        done = run(*given)
        assert (done.code, f"{name}: is empty" in done.err) == (2, True)


@pytest.mark.parametrize("address", ["graph.json", "netwrkx:graph.json", "networkx:"])
def test_a_mistyped_address_is_told_before_anything_is_made(run: Run, job: list[str], address: str) -> None:
    there = job.index("--to") + 1
    done = run(*job[:there], address, *job[there + 1 :])
    assert (done.code, len(done.err.splitlines()), done.out) == (2, 1, "")
    assert not Path(job[job.index("--workspace") + 1]).exists()
