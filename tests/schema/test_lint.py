"""Lint reports every mistake, or else hints about what may not be meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from schemacast.schema.lint import lint

FILES = Path(__file__).parent / "files"


def hints(tmp_path: Path, text: str) -> list[str]:
    file = tmp_path / "s.yaml"
    file.write_text(text)
    found = lint(file)
    assert all(problem.hint for problem in found)
    return [str(problem).removeprefix(f"{file}:") for problem in found]


def test_a_clean_schema_has_nothing_to_report() -> None:
    assert lint(FILES / "helpdesk.yaml") == []
    assert lint("lib:helpdesk") == []


def test_mistakes_come_without_hints(tmp_path: Path) -> None:
    file = tmp_path / "s.yaml"
    file.write_text("vertices: {V: {synonyms: v, properties: {a: strin}}}")
    assert [(problem.hint, problem.line) for problem in lint(file)] == [(False, 1)]
    assert [problem.message for problem in lint(tmp_path / "ss.yaml")] == [
        "there is no such file; did you mean 's.yaml'?"
    ]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        (
            "vertices: {V: {properties: {a: string, b: string}}}",
            "1:12: hint: vertex type 'V' has no `key`: it is found by",
        ),
        ("vertices: {V: {key: minted, synonyms: v}}", "1:39: hint: vertex type 'V': the synonym 'v' is its own name"),
        (
            "vertices: {V: {key: a, alternates: a, properties: {a: string}}}",
            "1:36: hint: vertex type 'V': an alternate is",
        ),
        (
            "vertices: {V: {key: minted, properties: {a: {pattern: a+, enum: [a, b]}}}}",
            "1:65: hint: property 'a': the enum has 'b', which its pattern does not match",
        ),
        (
            "vertices: {V: {key: minted, properties: {a: {type: integer, maximum: 1, enum: [1, 2]}}}}",
            "1:79: hint: property 'a': the enum has '2', which is above its maximum",
        ),
        (
            "vertices: {V: {key: minted}}\nedges: {R: {source: V, target: V, symmetric: true, inverse: s}}",
            "2:61: hint: relation 'R' is symmetric, so `inverse`",
        ),
        (
            "vertices: {V: {within: R}, W: {key: minted}}\nedges: {R: {source: V, target: W}}",
            "1:12: hint: vertex type 'V' has no `key`: there is one of it for each R",
        ),
    ],
)
def test_a_hint_says_what_may_not_be_meant(tmp_path: Path, text: str, hint: str) -> None:
    found = hints(tmp_path, text)
    assert len(found) == 1
    assert found[0].startswith(hint)
