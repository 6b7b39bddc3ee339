"""Bad input ends with one line that says what to do, the documented exit code, and nothing half-written."""

from __future__ import annotations

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

Run = Callable[..., Ran]


def refused(ran: Ran, code: int, part: str) -> None:
    """One line on standard error, without a traceback."""
    assert ran.code == code, ran
    assert part in ran.err, ran.err
    assert ran.err.startswith("schemacast: ")
    assert len(ran.err.splitlines()) == 1, ran.err
    assert "Traceback" not in ran.err
    assert ran.out == ""


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b"", "empty"),
        (b"\x00\x01\x02\xff", "binary"),
        (b"vertices: {}\n", "vertices"),
        (b"name: x\n", "vertices"),
        (b"a: &a [*a]\n", ""),
        (b"{" * 5000, ""),
    ],
    ids=["empty", "binary", "no vertices", "vertices missing", "recursive", "deep"],
)
def test_a_bad_schema_file(desk: Desk, run: Run, content: bytes, part: str) -> None:
    desk.schema.write_bytes(content)
    ran = run("cast", *desk.job, "--out", desk.folder / "out")
    assert ran.code == 2
    assert part in ran.err
    assert "Traceback" not in ran.err
    assert not (desk.folder / "out").exists()


def test_a_schema_that_is_missing_or_a_directory(desk: Desk, run: Run) -> None:
    for path in (desk.folder / "none.yaml", desk.folder):
        ran = run("sheet", path)
        assert ran.code == 2
        assert str(path) in ran.err
    refused(run("sheet", "lib:helpdsk"), 2, "did you mean 'helpdesk'?")


@pytest.mark.parametrize(
    ("content", "part"),
    [
        ("", "holds no episode"),
        ("\x00", "not text"),
        ('{"source_id": "a"}\n', "text is missing"),
        ('{"source_id": "a", "text": " \\n"}\n', "text must not be blank"),
        ("[1]\n", "is no object"),
    ],
)
def test_bad_episodes(desk: Desk, run: Run, content: str, part: str) -> None:
    desk.episodes.write_text(content, encoding="utf-8")
    refused(run("cast", *desk.job, "--out", desk.folder / "out"), 2, part)
    assert not (desk.folder / "out").exists()


def test_an_episode_file_that_is_missing_or_a_directory(desk: Desk, run: Run) -> None:
    job = ["cast", "--schema", desk.schema, "--model", f"replay:{desk.replies}", "--out", desk.folder / "out"]
    refused(run(*job, "--episodes", desk.folder / "none.jsonl"), 2, "no such file")
    refused(run(*job, "--episodes", desk.folder), 2, "is a directory")


def test_a_replay_file_that_is_missing_or_broken(desk: Desk, run: Run) -> None:
    job = ["cast", "--schema", desk.schema, "--episodes", desk.episodes, "--out", desk.folder / "out"]
    refused(run(*job, "--model", f"replay:{desk.folder / 'none.jsonl'}"), 2, "none.jsonl")
    desk.replies.write_text("{\n", encoding="utf-8")
    refused(run(*job, "--model", f"replay:{desk.replies}"), 2, "not JSON")
    assert not (desk.folder / "out").exists()


def test_an_unknown_address_provider_and_option(desk: Desk, run: Run) -> None:
    refused(run("cast", *desk.job, "--out", desk.folder / "out", "--to", "networks:x.json"), 2, "networkx")
    assert not (desk.folder / "out").exists()
    job = ["cast", "--schema", desk.schema, "--episodes", desk.episodes, "--out", desk.folder / "out"]
    refused(run(*job, "--model", "opena/gpt"), 2, "openai")
    assert run(*job, "--model", "openai/x", "--model-option", "temperature").code == 2
    assert run(*job, "--model", "openai/x", "--concurrency", "0").code == 2
    assert run(*job, "--model", "openai/x", "--max-failures", "x").code == 2


def test_a_missing_key_names_the_variable(desk: Desk, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    job = ["cast", "--schema", desk.schema, "--episodes", desk.episodes, "--out", desk.folder / "out"]
    refused(run(*job, "--model", "openai/x"), 4, "OPENAI_API_KEY")
    assert not (desk.folder / "out").exists()


def test_a_client_that_is_not_installed_names_the_package(desk: Desk, shell: Run, tmp_path: Path) -> None:
    block = tmp_path / "sitecustomize.py"
    block.write_text("import sys\nsys.modules['anthropic'] = None\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "ANTHROPIC_API_KEY": "k"}
    job = ["cast", "--schema", desk.schema, "--episodes", desk.episodes, "--out", desk.folder / "out"]
    refused(shell(*job, "--model", "anthropic/x", env=environment), 2, "schemacast[anthropic]")


def test_an_output_that_is_a_file(desk: Desk, run: Run) -> None:
    (desk.folder / "out").write_text("mine", encoding="utf-8")
    refused(run("cast", *desk.job, "--out", desk.folder / "out"), 2, "out")
    assert (desk.folder / "out").read_text(encoding="utf-8") == "mine"


def test_a_full_disk_leaves_the_files_of_the_earlier_cast(desk: Desk, run: Run, shell: Run) -> None:
    out = desk.folder / "out"
    assert run("cast", *desk.job, "--out", out).code == 0
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    many = [{"source_id": f"m-{number}", "text": "Thank you! " * 50} for number in range(2000)]
    desk.write_episodes(*many)
    desk.write_replies(*({"source_id": one["source_id"], "round": 0, "reply": {"vertices": []}} for one in many))

    def limit() -> None:
        # As on a full disk, writing past the limit fails; the signal that usually comes first is ignored by Python.
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    ran = shell("cast", *desk.job, "--out", out, "--quiet", preexec_fn=limit)
    refused(ran, 3, "out")
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before


def test_an_interrupt_ends_with_its_code_and_nothing_half_written(desk: Desk) -> None:
    from loopback_model import Answer, Loopback

    with Loopback() as loopback:
        loopback.answer(Answer(reply='{"vertices": [], "edges": []}', delay=20))
        job = ["--schema", desk.schema, "--episodes", desk.episodes, "--model", "openai/x"]
        command = [sys.executable, "-m", "schemacast.cli.main", "cast", *map(str, job)]
        command += ["--base-url", loopback.v1, "--out", str(desk.folder / "out")]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 20
        while not loopback.requests and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert err.splitlines() == ["schemacast: interrupted"]
    assert out == ""
    assert not (desk.folder / "out").exists()


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f"{sys.executable} -m schemacast.cli.main json-schema | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.stderr == ""


def test_a_failing_provider_stops_at_once_with_its_words_and_without_the_key(
    desk: Desk, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from loopback_model import Answer, Loopback

    key = "sk-secret-1234567890"
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with Loopback() as loopback:
        loopback.answer(Answer(status=401, body={"error": {"message": f"Incorrect API key provided: {key}"}}))
        ran = run(
            "cast",
            *["--schema", desk.schema, "--episodes", desk.episodes, "--model", "openai/x"],
            *["--base-url", loopback.v1, "--out", desk.folder / "out"],
        )
        assert len(loopback.requests) == 1
    refused(ran, 4, "Incorrect API key provided")
    assert key not in ran.err
    assert not (desk.folder / "out").exists()


def test_what_was_cast_before_the_quota_ran_out_is_written(desk: Desk, run: Run) -> None:
    from loopback_model import Answer, Loopback

    good = Answer(reply='{"vertices": [], "edges": []}')
    spent = Answer(status=429, body={"error": {"code": "insufficient_quota", "message": "You exceeded your quota"}})
    with Loopback() as loopback:
        loopback.answer(good, spent)
        ran = run(
            "cast",
            *["--schema", desk.schema, "--episodes", desk.episodes, "--model", "openai/x", "--concurrency", 1],
            *["--base-url", loopback.v1, "--out", desk.folder / "out", "--quiet"],
        )
    refused(ran, 4, "You exceeded your quota")
    assert [row["source_id"] for row in lines(desk.folder / "out" / "episodes.jsonl")] == ["m-1"]
