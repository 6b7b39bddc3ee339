"""The nearest right name is offered when it is near, and what exists when none is."""

from __future__ import annotations

import pytest

from schemacast.errors import nearest

KNOWN = ["anthropic", "ollama", "openai", "properties", "Ticket", "networkx", "vertices"]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("opena", "openai"),
        ("OpenAI", "openai"),
        ("oepnai", "openai"),
        ("props", "properties"),
        ("Tikcet", "Ticket"),
        ("icket", "Ticket"),
        ("networks", "networkx"),
        ("vertexes", "vertices"),
        ("antropic", "anthropic"),
    ],
)
def test_a_name_that_is_near_is_offered(name: str, meant: str) -> None:
    assert nearest(name, KNOWN) == f"; did you mean {meant!r}?"


@pytest.mark.parametrize("name", ["nope", "gopher", "", "x", "Spaceship"])
def test_a_name_that_is_near_to_none_lists_what_exists(name: str) -> None:
    assert nearest(name, KNOWN).startswith("; known: Ticket, anthropic, ")


def test_where_nothing_exists_nothing_is_offered() -> None:
    assert nearest("a", []) == ""
