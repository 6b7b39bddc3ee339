"""Every file under `examples/` is used: cast, linted, run, or shown on a page that is run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from schemacast.cast.examples import lint_schema
from schemacast.cli.main import main

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
SCRIPTS = sorted((EXAMPLES / "python").glob("*.py"))
CASTS = [
    (
        EXAMPLES / "tickets" / "schema.yaml",
        EXAMPLES / "tickets" / "episodes.jsonl",
        EXAMPLES / "tickets" / "replies.jsonl",
    ),
    (
        EXAMPLES / "guide" / "step-3.yaml",
        EXAMPLES / "guide" / "episodes.jsonl",
        EXAMPLES / "guide" / "step-3.replies.jsonl",
    ),
]
TRIED = [(EXAMPLES / "guide" / f"step-{n}.yaml", EXAMPLES / "guide" / f"step-{n}.replies.jsonl") for n in (1, 2)]
ATTRIBUTION = {path for path in (EXAMPLES / "attribution").iterdir() if path.suffix == ".jsonl"}
"""Traced by tests/attribution/test_example.py and on the page about it."""
PRINTS = {
    "frame.py": "users was read at 135 to 156 of mail-101: 'It hits 35 users here'",
    "own_model.py": "['HD-2'] 1 edge",
}


def test_every_example_file_is_used_here_or_on_a_page() -> None:
    used = (
        {path for files in (*CASTS, *TRIED) for path in files} | set(SCRIPTS) | {EXAMPLES / "tickets" / "answers.jsonl"}
    )
    used |= ATTRIBUTION
    assert {path for path in EXAMPLES.rglob("*") if path.is_file() and path.suffix not in (".md", ".pyc")} == used


@pytest.mark.parametrize("schema", [*(files[0] for files in (*CASTS, *TRIED))], ids=lambda path: path.stem)
def test_the_schema_of_an_example_has_no_mistake(schema: Path) -> None:
    assert [problem for problem in lint_schema(schema) if not problem.hint] == []


@pytest.mark.parametrize(("schema", "episodes", "replies"), CASTS, ids=lambda path: path.stem)
def test_an_example_casts_without_a_failure(schema: Path, episodes: Path, replies: Path, tmp_path: Path) -> None:
    options = ["--episodes", str(episodes), "--model", f"replay:{replies}", "--out", str(tmp_path / "out"), "--quiet"]
    assert main(["cast", "--schema", str(schema), *options]) == 0


@pytest.mark.parametrize("files", TRIED, ids=lambda files: files[0].stem)
def test_what_the_guide_tries_is_on_its_page(files: tuple[Path, Path]) -> None:
    page = (ROOT / "docs" / "schema-guide.md").read_text(encoding="utf-8")
    for path in files:
        assert str(path.relative_to(ROOT)) in page


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_script_runs_and_prints(script: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=False, cwd=tmp_path, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert PRINTS[script.name] in done.stdout
