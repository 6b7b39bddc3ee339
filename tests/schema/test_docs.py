"""The reference of the format tells the truth: its schemas load, its Python runs, and it names every field."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from schemacast.schema.edges import EDGE_FIELDS
from schemacast.schema.load import SCHEMA_FIELDS, parse_schema
from schemacast.schema.properties import PROPERTY_FIELDS
from schemacast.schema.vertices import VERTEX_FIELDS

PAGE = (Path(__file__).parents[2] / "docs" / "schema-format.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("text", blocks("yaml"))
def test_a_schema_on_the_page_loads(text: str) -> None:
    schema = parse_schema(text)
    assert parse_schema(schema.to_yaml()) == schema


@pytest.mark.parametrize("code", blocks("python"))
def test_the_python_on_the_page_runs(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, "schema-format.md", "exec"), {})
    assert capsys.readouterr().out.splitlines()[1:] == ["Ticket", "name: helpdesk", "ver"]


@pytest.mark.parametrize(
    ("heading", "fields"),
    [
        ("The file", SCHEMA_FIELDS),
        ("Vertex types", VERTEX_FIELDS),
        ("Properties", PROPERTY_FIELDS),
        ("Edge types", EDGE_FIELDS),
    ],
)
def test_every_field_is_on_the_page(heading: str, fields: tuple[str, ...]) -> None:
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = " ".join(line.split("|")[1] for line in section.splitlines() if line.startswith("| `"))
    assert [field for field in fields if f"`{field}`" not in rows] == []
