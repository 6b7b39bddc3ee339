"""The command line knocked about: flags, streams, locks, interrupts, and folders that several casts share."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_desk import Desk, Ran, lines
from loopback_model import Answer, Loopback, error

Run = Callable[..., Ran]
NOTHING = '{"vertices": [], "edges": []}'
COMMAND = [sys.executable, "-m", "schemacast.cli.main"]


def one_line(ran: Ran, code: int, part: str) -> None:
    assert (ran.code, ran.out) == (code, ""), ran
    assert part in ran.err, ran.err
    assert ran.err.startswith("schemacast: ")
    assert ran.err.count("\n") == 1, ran.err


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ([], "COMMAND"),
        (["casts"], "'casts'"),
        (["cast"], "--schema, --episodes, --model"),
        (["JOB", "--concurrency", "0"], "'0' is not a whole number"),
        (["JOB", "--conc", "3"], "--conc"),
        (["JOB", "--max-failures", "200%"], "percentage"),
        (["JOB", "--max-failures", "nan%"], "percentage"),
        (["JOB", "--max-text", "much"], "'much'"),
        (["JOB", "--model-option", "=1"], "NAME=VALUE"),
        (["JOB", "--out", ""], "--out: is empty"),
        (["JOB", "--to", ""], "--to: is empty"),
        (["JOB", "--template", " "], "--template: is empty"),
        (["JOB", "--locale", "german"], "no locale"),
        (["JOB", "--out", "a" * 300], "too long"),
        (["JOB", "--to", "networkx:~nobody-of-this-name/g.json"], "networkx:~nobody"),
        (["JOB", "--to", "networkx:/dev/null"], "no graph file"),
        (["JOB", "--nope"], "--nope"),
    ],
)
def test_a_mistake_is_one_line_and_writes_nothing(desk: Desk, run: Run, arguments: list[str], part: str) -> None:
    job = ["cast", *desk.job] if arguments[:1] == ["JOB"] else []
    out = [] if "--out" in arguments or not job else ["--out", desk.folder / "out"]
    before = sorted(desk.folder.iterdir())
    one_line(run(*job, *out, *(one for one in arguments if one != "JOB")), 2, part)
    assert sorted(desk.folder.iterdir()) == before


def test_a_model_option_that_cannot_be_json_is_text(desk: Desk, run: Run) -> None:
    for value in ("[" * 100_000, "9" * 5000):
        assert run("cast", *desk.job, "--out", desk.folder / "out", "--model-option", f"a={value}").code == 0


def test_a_terminal_that_lacks_a_character_is_no_error(desk: Desk, shell: Run) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    assert shell("demo", "--out", desk.folder / "out", env=environment).code == 0
    assert shell("lint", desk.folder / "nø→.yaml", env=environment).code == 2
    assert shell("cast", *desk.job, "--out", os.fsdecode(bytes(desk.folder) + b"/\xff"), env=environment).code == 0


def test_streams_that_are_closed_or_full_end_no_cast_half_way(desk: Desk) -> None:
    job = " ".join([*COMMAND, "cast", *desk.job])
    for number, (redirect, code) in enumerate([("2>&-", 0), (">&-", 0), (">/dev/full", 3), ("| true", 0)]):
        out = desk.folder / f"out{number}"
        done = subprocess.run(
            ["bash", "-c", f"{job} --out {out} {redirect}"], capture_output=True, text=True, check=False
        )
        assert (done.returncode, "Traceback" in done.stderr) == (code, False), (redirect, done)
        assert len(list(out.iterdir())) == 8
    told = subprocess.run(
        ["bash", "-c", f"{job} --out {desk.folder / 'out'} | (exec <&-; sleep 0.1); exit ${{PIPESTATUS[0]}}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode in (0, 141)
    assert told.stderr == ""


def test_a_dry_run_needs_no_key_and_makes_no_folder(desk: Desk, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    job = ["cast", "--schema", desk.schema, "--episodes", desk.episodes, "--model", "openai/x", "--dry-run"]
    out, cache = desk.folder / "out", desk.folder / "cache"
    ran = run(*job, "--out", out, "--cache", cache, "--max-text", 40)
    assert (ran.code, ran.err) == (0, "")
    assert "3 episodes: 2 to ask, 0 with a reply at hand, 1 too long" in ran.out
    assert run(*job, "--out", out).code == 0
    one_line(run(*job, "--cache", desk.schema), 2, "no directory")
    assert not out.exists()
    assert not cache.exists()


def test_a_dry_run_knows_what_the_cache_holds(desk: Desk, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with Loopback() as loopback:
        job = ["cast", "--schema", desk.schema, "--episodes", desk.episodes, "--model", "openai/x"]
        job += ["--base-url", loopback.v1, "--cache", desk.folder / "cache", "--out", desk.folder / "out"]
        assert "3 to ask, 0 with" in run(*job, "--dry-run").out
        assert run(*job).code == 0
        assert "0 to ask, 3 with" in run(*job, "--dry-run").out
        assert len(loopback.requests) == 3
        again = run(*job, "--replay-only", "--quiet")
        assert (again, len(loopback.requests)) == (Ran(0, "", ""), 3)


@pytest.mark.parametrize("quiet", [False, True])
def test_what_a_model_has_to_say_about_a_run_is_printed_once(desk: Desk, shell: Run, quiet: bool) -> None:
    with Loopback() as loopback:
        loopback.answer(error(400, "response_format is not supported"), Answer(reply=NOTHING))
        ran = shell(
            "cast",
            *["--schema", desk.schema, "--episodes", desk.episodes, "--model", "openai/x"],
            *["--base-url", loopback.v1, "--out", desk.folder / "out", *(["--quiet"] if quiet else [])],
        )
    assert ran.code == 0
    notes = ran.err.splitlines()
    assert len(notes) == (0 if quiet else 1), ran.err
    assert all(note.startswith("schemacast: note: openai/x does not take the reply's form") for note in notes)
    assert lines(desk.folder / "out" / "episodes.jsonl")[0]["requests"] == 2


def test_the_requests_of_a_cast_that_was_stopped_are_those_that_the_server_saw(desk: Desk, shell: Run) -> None:
    desk.write_episodes(*({"source_id": f"m-{number}", "text": f"Note {number}."} for number in range(30)))
    with Loopback() as loopback:
        loopback.respond = lambda _: (
            error(402, "no credit") if len(loopback.requests) == 9 else Answer(reply=NOTHING, delay=0.1)
        )
        ran = shell(
            "cast",
            *["--schema", desk.schema, "--episodes", desk.episodes, "--model", "openai/x", "--quiet"],
            *["--base-url", loopback.v1, "--out", desk.folder / "out", "--concurrency", 4],
        )
    one_line(ran, 4, "no credit")
    manifest = json.loads((desk.folder / "out" / "manifest.json").read_text())
    assert manifest["usage"]["requests"] == len(loopback.requests)
    rows = lines(desk.folder / "out" / "episodes.jsonl")
    assert manifest["episodes"]["read"] == len(rows) == len(loopback.requests) - 1


def interrupted(command: list[str], loopback: Loopback, after: int) -> tuple[int, str, str]:
    """Run a command and interrupt it when the server has answered so many requests."""
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 20
    while len(loopback.answered) < after and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    return process.returncode, out, err


def test_what_was_finished_before_an_interrupt_is_written_and_not_asked_again(desk: Desk, run: Run) -> None:
    desk.write_episodes(*({"source_id": f"m-{number}", "text": f"Note {number}."} for number in range(8)))

    def respond(seen: object) -> Answer:
        return Answer(reply=NOTHING, delay=20 if "Note 3." in seen.text else 0)  # type: ignore[attr-defined]

    with Loopback(respond=respond) as loopback:
        command = [*COMMAND, "cast", "--schema", str(desk.schema), "--episodes", str(desk.episodes)]
        command += ["--model", "openai/x", "--base-url", loopback.v1, "--out", str(desk.folder / "out")]
        command += ["--cache", str(desk.folder / "cache"), "--quiet"]
        assert interrupted(command, loopback, 7) == (130, "", "schemacast: interrupted\n")
        written = [row["source_id"] for row in lines(desk.folder / "out" / "episodes.jsonl")]
        assert written == ["m-0", "m-1", "m-2", "m-4", "m-5", "m-6", "m-7"]
        loopback.respond = lambda _: Answer(reply=NOTHING)
        before = len(loopback.requests)
        assert run(*command[len(COMMAND) :]).code == 0
        assert len(loopback.requests) == before + 1
    assert sorted(path.name for path in (desk.folder / "out").iterdir())[0] == "episodes.jsonl"


def test_an_interrupt_while_files_are_written_leaves_them_whole(desk: Desk) -> None:
    many = [{"source_id": f"m-{number}", "text": "Thank you!"} for number in range(3000)]
    desk.write_episodes(*many)
    desk.write_replies(*({"source_id": one["source_id"], "round": 0, "reply": {"vertices": []}} for one in many))
    command = [*COMMAND, "cast", *desk.job, "--quiet", "--out"]
    for number, wait in enumerate((0.4, 0.8, 1.1, 1.4)):
        out = desk.folder / f"out{number}"
        process = subprocess.Popen([*command, str(out)], stderr=subprocess.PIPE, text=True)
        time.sleep(wait)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
        # Never by the signal itself, whenever it comes; after the work it changes nothing.
        assert (process.returncode, err) in ((130, "schemacast: interrupted\n"), (0, ""))
        if process.returncode == 130 and not out.exists():
            continue
        assert len(list(out.iterdir())) == 8
        read = json.loads((out / "manifest.json").read_text())["episodes"]["read"]
        assert read == len(lines(out / "episodes.jsonl")) == len(lines(out / "records.jsonl"))
        assert process.returncode == 130 or read == len(many)


@pytest.mark.parametrize("moment", ["while code from a string runs", "in the line about another", "when all is done"])
def test_an_interrupt_at_a_bad_moment_ends_with_its_own_code(moment: str, tmp_path: Path) -> None:
    interrupt = "os.kill(os.getpid(), signal.SIGINT)"
    work = {
        "while code from a string runs": f'exec("""{interrupt}\ntime.sleep(9)""")',
        "in the line about another": f"main._say = lambda _: ({interrupt}, time.sleep(9)); {interrupt}; time.sleep(9)",
        "when all is done": f"atexit.register(lambda: {interrupt}); return 0",
    }[moment]
    program = f"""
import atexit, os, signal, sys, time
from schemacast.cli import main
def work(_):
    {work}
main.sheet.run = work
main.sheet.register = lambda commands: commands.add_parser("sheet").set_defaults(run=work)
sys.argv = ["schemacast", "sheet"]
main.entry()
"""
    started = time.monotonic()
    (tmp_path / "knock.py").write_text(program)
    command = [sys.executable, "-m", "knock"]  # as a module: such a process ends in another way than a script
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == (0 if moment == "when all is done" else 130), done.stderr
    assert "Traceback" not in done.stderr
    assert time.monotonic() - started < 8


def test_what_a_killed_cast_left_goes_with_the_next_one_but_not_what_a_running_one_holds(desk: Desk, run: Run) -> None:
    out = desk.folder / "out"
    (out / ".cast-dead").mkdir(parents=True)
    (out / ".cast-dead" / "records.jsonl").write_text("half")
    from schemacast.cast.output import CastOutput

    with CastOutput(out):
        assert run("cast", *desk.job, "--out", out).code == 0
        assert len([path for path in out.iterdir() if path.name.startswith(".cast-")]) == 1
    assert not [path for path in out.iterdir() if path.name.startswith(".")]


def test_two_casts_into_one_folder_leave_the_files_of_one(desk: Desk) -> None:
    out = desk.folder / "out"
    command = [*COMMAND, "cast", *desk.job, "--quiet", "--out", str(out)]
    running = [subprocess.Popen(command) for _ in range(3)]
    assert [process.wait(timeout=60) for process in running] == [0, 0, 0]
    assert len(list(out.iterdir())) == 8


@pytest.mark.parametrize("place", ["folder", "file"])
def test_a_store_that_cannot_be_written_is_told_before_the_first_request(desk: Desk, run: Run, place: str) -> None:
    (desk.folder / "mine").write_text("mine")
    address = f"networkx:{desk.folder / 'mine' / 'g.json'}" if place == "file" else f"networkx:{desk.folder}"
    with Loopback() as loopback:
        ran = run(
            "cast",
            *["--schema", desk.schema, "--episodes", desk.episodes, "--model", "openai/x"],
            *["--base-url", loopback.v1, "--out", desk.folder / "out", "--to", address],
        )
        assert loopback.requests == []
    one_line(ran, 2, str(desk.folder))
    assert not (desk.folder / "out").exists()


def test_a_refused_first_call_leaves_no_folder_for_the_store(desk: Desk, run: Run) -> None:
    with Loopback([error(401, "wrong key")]) as loopback:
        ran = run(
            "cast",
            *["--schema", desk.schema, "--episodes", desk.episodes, "--model", "openai/x"],
            *["--base-url", loopback.v1, "--out", desk.folder / "out"],
            *["--to", f"networkx:{desk.folder / 'new' / 'deep' / 'g.json'}"],
        )
    one_line(ran, 4, "wrong key")
    assert not (desk.folder / "new").exists()
    assert not (desk.folder / "out").exists()


def test_a_full_disk_is_told_as_such_whatever_is_being_written(desk: Desk, shell: Run) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))

    ran = shell("cast", *desk.job, "--out", desk.folder / "out", "--quiet", preexec_fn=limit)
    one_line(ran, 3, "out")
    assert not (desk.folder / "out").exists()


def test_what_a_driver_logs_does_not_reach_the_terminal(desk: Desk) -> None:
    # A routing driver that finds nobody logs a warning each time it tries.
    command = [*COMMAND, "ingest", *desk.job, "--to", "neo4j://127.0.0.1:1", "--workspace", str(desk.folder / "w.db")]
    done = subprocess.run([*command, "--wait", "1"], capture_output=True, text=True, check=False)
    assert done.returncode == 3
    told = done.stderr.splitlines()
    assert told[0].startswith("schemacast: the store is away, trying for 1 s: neo4j://127.0.0.1:1: cannot be reached")
    assert [line for line in told if not line.startswith("schemacast: ")] == []
