"""`schemacast attribute` as a person runs it."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from asking_desk import fill
from cli_desk import Ran, run  # noqa: F401 - a fixture
from tracing_desk import CLAIM, CONTEXT, TEXT, claims, compared, relevant

REGISTER = "The register counts six ships of Orvik AS."
LETTER = "Orvik AS has 60 ships, Ada Lind wrote."


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    metadata = {"m-1": {"url": "https://register.example/orvik", "title": "Register of Hald"}}
    fill(tmp_path, {"m-1": f"Hald, Monday. {REGISTER}", "m-2": LETTER, "m-3": "Fish of Orvik."}, metadata=metadata)
    write(
        tmp_path,
        {"stage": "claim", "reply": claims((CLAIM, CONTEXT), note="Who says it is left open.")},
        {"stage": "relevance", "source_id": "m-1", "reply": relevant(REGISTER)},
        {"stage": "relevance", "source_id": "m-2", "reply": relevant("Orvik AS has 60 ships", kind="secondary")},
        {"stage": "relevance", "source_id": "m-3", "reply": relevant(None, 0.1)},
        {"stage": "compare", "source_id": "m-1", "reply": compared("paraphrase", "Six ships, as claimed.")},
        {"stage": "compare", "source_id": "m-2", "reply": compared("direct", "It says so.")},
    )
    return tmp_path


def write(folder: Path, *rows: dict[str, Any], text: str = TEXT) -> None:
    made = [json.dumps({"item": text, "round": 0, **row}) + "\n" for row in rows]
    (folder / "replies.jsonl").write_text("".join(made), encoding="utf-8")


@pytest.fixture
def attribute(desk: Path, run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:  # noqa: F811
    monkeypatch.setenv("COLUMNS", "200")

    def attribute(*arguments: object) -> Ran:
        model = ["--model", f"replay:{desk / 'replies.jsonl'}"]
        return run(
            "attribute", *arguments, *([] if "--workspace" in arguments else ["--workspace", desk / "work.db"]), *model
        )

    return attribute


SHOWN = """\
claim  Orvik AS has 6 ships.
       Who says it is left open.
paraphrase  Stated in other words by a primary source, Register of Hald (https://register.example/orvik): “The \
register counts six ships of Orvik AS.” But 1 more source contradicts it.

paraphrase  https://register.example/orvik Register of Hald  (primary)
  characters 14 to 56: Hald, Monday. «The register counts six ships of Orvik AS.»
  It says so.
  Six ships, as claimed.

contradiction  m-2  (secondary)
  characters 0 to 38: «Orvik AS has 60 ships, Ada Lind wrote.»
  It says so.
  It says so. Corrected from direct to contradiction: the number differs, “6” in the claim, “60” in the quote.
"""


def test_a_person_sees_the_claim_what_was_found_and_each_quote_in_its_text(attribute: Callable[..., Ran]) -> None:
    assert attribute(TEXT) == Ran(0, SHOWN, "")


def test_json_is_the_object_of_a_line(attribute: Callable[..., Ran]) -> None:
    done = attribute(TEXT, "--json")
    row = json.loads(done.out)
    assert set(row) == {"text", "status", "reason", "message", "claim", "attribution", "errors", "sources"}
    assert (row["status"], row["attribution"]["attribution"]) == ("ok", "paraphrase")
    assert row["claim"]["extraction_notes"] == "Who says it is left open."
    assert row["attribution"]["best_source"]["evidence"]["span"] == {"start": 14, "end": 56, "context": None}
    assert done.out == json.dumps(row, ensure_ascii=False, sort_keys=True, indent=2) + "\n"


def test_quiet_prints_nothing_and_the_source_of_the_text_is_left_out(attribute: Callable[..., Ran]) -> None:
    assert attribute(TEXT, "--quiet") == Ran(0, "", "")
    done = attribute(TEXT, "--source-url", "http://register.example/orvik#x")
    assert "contradiction  Contradicted by a secondary source, m-2" in done.out
    assert "register.example" not in done.out


def test_a_piped_text_is_the_same_text_without_its_last_line_end(
    attribute: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(f"{TEXT}\n".encode())))
    assert attribute("-") == attribute(TEXT)


def test_the_graph_is_a_searcher_too(attribute: Callable[..., Ran]) -> None:
    done = attribute(TEXT, "--searcher", "graph")
    claim = "claim  Orvik AS has 6 ships.\n       Who says it is left open.\n"
    assert done == Ran(0, f"{claim}not found  No source was found for it.\n", "")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ([], 2, "give one TEXT, or --file"),
        (["x" * 20, "--file", "c.jsonl"], 2, "give one TEXT, or --file"),
        (["tiny text"], 2, "the text has 9 characters; 10 to 5,000 can be traced"),
        (["x" * 5_001], 2, "the text has 5,001 characters"),
        (["x" * 20, "--searcher", "corpse"], 2, "did you mean 'corpus'"),
        (["x" * 20, "--searcher-option", "colour=red"], 2, "the searcher 'corpus' has no option 'colour'"),
        (["x" * 20, "--searcher-option", "red"], 2, "not of the form NAME=VALUE"),
        (["x" * 20, "--source-url", "here"], 2, "'here' is no URL"),
        (["x" * 20, "--workspace", "none.db"], 2, "no such workspace"),
        (["x" * 20, "--template", "none"], 2, "no such folder of templates"),
        (["--file", "none.jsonl"], 2, "no such file"),
        (["--file", "c.jsonl", "--json"], 2, "--json is for one TEXT"),
        (["--file", "c.jsonl", "--source-url", "https://a.example"], 2, "--source-url is for one TEXT"),
        (["A text of another kind."], 1, "has no reply for the item 'A text of another kind.', stage 'claim'"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_mistake_is_one_line_and_an_exit_code(
    attribute: Callable[..., Ran], arguments: list[str], code: int, said: str
) -> None:
    done = attribute(*arguments)
    assert (done.code, done.out) == (code, "")
    assert said in done.err
    assert done.err.startswith("schemacast: ")
    assert done.err.count("\n") == 1


def test_a_text_without_a_claim_is_not_found_with_the_reason(desk: Path, attribute: Callable[..., Ran]) -> None:
    assert attribute("Does Orvik AS have 6 ships?") == Ran(
        0, "not found  No claim was traced: the text asks, and claims nothing.\n", ""
    )
    write(desk, {"stage": "claim", "reply": claims(nothing="opinion")}, text="Orvik is the finest of all lines.")
    done = attribute("Orvik is the finest of all lines.")
    assert done.out.startswith("not found  No claim was traced: the text holds opinion only")


def test_a_searcher_that_is_down_is_no_finding(attribute: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAVILY_API_KEY", "tvly-1")
    done = attribute(TEXT, "--searcher", "tavily", "--searcher-option", "base_url=http://127.0.0.1:9")
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith("schemacast: Tavily cannot be reached; try again later")
    monkeypatch.delenv("TAVILY_API_KEY")
    done = attribute(TEXT, "--searcher", "tavily")
    assert (done.code, done.err) == (4, "schemacast: the searcher 'tavily' needs a key: set TAVILY_API_KEY\n")


def test_when_no_source_could_be_looked_at_it_is_said(desk: Path, attribute: Callable[..., Ran]) -> None:
    write(desk, {"stage": "claim", "reply": claims((CLAIM, CONTEXT))})
    done = attribute(TEXT)
    assert done.code == 1
    assert "not found  Nothing was found in any of the 3 sources" in done.out
    assert "Not everything could be looked at" in done.out
    assert done.out.count("\nnote: ") == 3


def test_a_file_of_texts_is_traced_with_a_report(desk: Path, attribute: Callable[..., Ran]) -> None:
    lines = [{"text": TEXT, "id": "a"}, {"text": "tiny"}, {"text": "Is Orvik AS rich?"}]
    path = desk / "claims.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    done = attribute("--file", path, "--out", desk / "out")
    assert done == Ran(
        1,
        "3 texts read, 2 traced, 1 failed\n  not found 1\n  paraphrase 1\n"
        f"failed line 2: bad_input: the text has 4 characters; 10 to 5,000 can be traced\nfiles: {desk / 'out'}\n",
        "",
    )
    again = attribute("--file", path, "--out", desk / "out", "--max-failures", "50%", "--quiet")
    assert again == Ran(0, "", "")
    assert len((desk / "out" / "attributions.jsonl").read_text(encoding="utf-8").splitlines()) == 3


def test_a_folder_that_cannot_be_written_is_told(desk: Path, attribute: Callable[..., Ran]) -> None:
    path = desk / "claims.jsonl"
    path.write_text(json.dumps({"text": TEXT}), encoding="utf-8")
    done = attribute("--file", path, "--out", path / "below")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "choose another folder" in done.err


def test_text_of_others_cannot_drive_the_terminal(desk: Path, attribute: Callable[..., Ran]) -> None:
    reply = relevant(LETTER, why="\x1b[2J\x07 Look [bold]here[/bold]")
    write(
        desk,
        {"stage": "claim", "reply": claims((CLAIM, CONTEXT), note="\x1b]0;title\x07")},
        {"stage": "relevance", "source_id": "m-2", "reply": reply},
        {"stage": "compare", "source_id": "m-2", "reply": compared("contradiction", "[red]no\x1b[0m")},
    )
    done = attribute(TEXT)
    assert "\x1b" not in done.out
    assert "\x07" not in done.out
    assert "Look [bold]here[/bold]" in done.out


def test_a_text_may_come_from_standard_input(desk: Path) -> None:
    command = [sys.executable, "-m", "schemacast.cli.main", "attribute", "-", "--workspace", desk / "work.db"]
    done = subprocess.run(
        [*map(str, command), "--model", f"replay:{desk / 'replies.jsonl'}"],
        input=TEXT.encode(),
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().startswith("claim  Orvik AS has 6 ships.\n")
