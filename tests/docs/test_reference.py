"""The reference is complete: what the code can say, do or be told is on the page, with nothing beside it."""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from schemacast import errors
from schemacast.cast.outcome import REPAIRABLE, FindingName, FixName, ItemKind, Reason, Status
from schemacast.cli.main import EXIT_CODES, main, parser
from schemacast.episode import Episode, Known, KnownEntity, KnownRelation
from schemacast.graph import StagedReason
from schemacast.ground import Grounding
from schemacast.llm.providers import PROVIDERS
from schemacast.llm.replay import RecordedReply
from schemacast.records import Support

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")


def section(heading: str) -> str:
    """What stands under a heading, up to the next one of its level or above."""
    found = re.search(rf"^(#+) {re.escape(heading)}$\n(.*?)(?=^#{{1,2}} |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None, heading
    body = found[2]
    return body.split("\n### ")[0] if found[1] == "###" else body


def first_column(heading: str) -> set[str]:
    """The names in the first column of a section's tables."""
    rows = [line.split("|")[1] for line in section(heading).splitlines() if line.startswith("| `")]
    return {name for row in rows for name in re.findall(r"`([^`]+)`", row)}


@pytest.mark.parametrize(
    ("heading", "names"),
    [
        ("Findings", get_args(FindingName)),
        ("Fixes", get_args(FixName)),
        ("Staged reasons", get_args(StagedReason)),
        ("Statuses and reasons", get_args(Status) + get_args(Reason)),
        ("Episodes", tuple(Episode.model_fields)),
    ],
)
def test_a_table_has_every_name_and_no_other(heading: str, names: tuple[str, ...]) -> None:
    assert first_column(heading) == set(names)


def test_the_mark_of_repair_is_right() -> None:
    rows = [line.split("|") for line in section("Findings").splitlines() if line.startswith("| `")]
    marked = {row[1].strip(" `") for row in rows if len(row) == 6 and row[3].strip() == "↻"}
    assert marked == REPAIRABLE


@pytest.mark.parametrize("name", get_args(Support) + get_args(ItemKind))
def test_every_support_and_kind_is_explained(name: str) -> None:
    assert f"`{name}`" in section("Output files")


def test_the_fields_of_known_items_are_named() -> None:
    listed = section("Episodes")
    for model in (Known, KnownEntity, KnownRelation):
        for name, field in model.model_fields.items():
            assert f'"{field.alias or name}"' in listed


def test_the_fields_of_a_replay_line_are_named() -> None:
    fields = {name for name in RecordedReply.__slots__ if name != "text"}
    assert first_column("Replay lines") == fields | {"reply"}


def test_every_command_and_option_has_a_row() -> None:
    for words, command in commands_behind(parser(), "schemacast"):
        listed = section(words)
        for action in command._actions:
            for option in action.option_strings:
                assert f"`{option}" in listed or option in ("-h", "--help"), (words, option)


def commands_behind(above: argparse.ArgumentParser, words: str) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Every command behind a parser, with the words that call it."""
    for action in above._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                yield f"{words} {name}", command
                yield from commands_behind(command, f"{words} {name}")


def test_every_exit_code_and_error_has_a_place() -> None:
    listed = section("Exit codes")
    for code in re.findall(r"^ *(\d+) ", EXIT_CODES, re.MULTILINE):
        assert f"\n| {code} |" in listed
    for name in errors.__all__:
        error = getattr(errors, name)
        if (
            isinstance(error, type)
            and issubclass(error, Exception)
            and error.__name__
            not in (
                "SchemaCastError",
                "ModelError",
                "StoreError",
            )
        ):
            row = next((line for line in listed.splitlines() if f"`{name}`" in line), None)
            assert row is not None, name
            codes = [3, 4] if name in ("OutputError", "SearchError") else [error.exit_code]
            for code in codes:
                row = next(line for line in listed.splitlines() if line.startswith(f"| {code} "))
                assert f"`{name}`" in row, (name, code)


def test_every_key_variable_is_named() -> None:
    listed = section("Environment variables")
    for provider in PROVIDERS.values():
        for variable in provider.keys:
            assert f"`{variable}`" in listed


def test_every_file_and_field_of_a_cast_is_named(tmp_path: Path) -> None:
    tickets = ROOT / "examples" / "tickets"
    replies = tmp_path / "replies.jsonl"
    first, *rest = (tickets / "replies.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    lost = json.loads(first)
    lost["reply"]["vertices"][0]["props"] = []  # so that one record is staged
    replies.write_text("".join([json.dumps(lost) + "\n", *rest]), encoding="utf-8")
    out = tmp_path / "out"
    options = (
        "--episodes",
        str(tickets / "episodes.jsonl"),
        "--model",
        f"replay:{replies}",
        "--out",
        str(out),
        "--quiet",
    )
    assert main(["cast", "--schema", str(tickets / "schema.yaml"), *options]) == 0
    for path in sorted(out.iterdir()):
        text = path.read_text(encoding="utf-8")
        listed = section(path.name)
        rows = [json.loads(line) for line in text.splitlines()] if path.suffix == ".jsonl" else [json.loads(text)]
        assert rows, path.name
        for row in rows:
            for name, value in row.items():
                assert f"`{name}`" in listed, (path.name, name)
                if name in ("records", "relations", "nodes", "edges", "kept", "usage", "span"):
                    for item in value if isinstance(value, list) else [value]:
                        for inner in item if path.name != "manifest.json" or name == "usage" else ():
                            assert f"`{inner}`" in listed or f'"{inner}"' in listed, (path.name, name, inner)
    assert {*Grounding.model_fields, "item"} == first_column("groundings.jsonl")


@pytest.mark.parametrize("script", ["reference_tables.py", "rules_page.py"])
def test_what_is_generated_is_up_to_date(script: str) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / script), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_argument_says_what_its_value_is() -> None:
    assert "--recast none|changed|all" in PAGE.replace("\\|", "|")
    assert "--entity TYPE KEY" in PAGE
    assert not re.search(r"`--[a-z-]+ None`|%%", section("Commands"))
