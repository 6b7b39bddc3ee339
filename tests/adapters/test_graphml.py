"""GraphML holds every value by one rule, and its file reads back equal."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from schemacast_adapters.graphml import export_graphml, read_graphml

from schemacast.conformance_graphs import (
    HOSTILE_PROPERTY,
    HOSTILE_RELATION,
    HOSTILE_TYPE,
    SCHEMA,
    edge,
    graph,
    person,
    ticket,
)
from schemacast.errors import InputError, OutputError
from schemacast.graph import Entity, Graph


def back(written: Graph, tmp_path: Path) -> Graph:
    path = tmp_path / "graph.graphml"
    export_graphml(written, path)
    networkx.read_graphml(path)
    return read_graphml(path, SCHEMA)


def test_a_graph_with_every_kind_of_value_reads_back_equal(tmp_path: Path) -> None:
    full = ticket(
        1, severity=2**70, wait=0.1, vip=False, due="2024-03", opened=datetime(2026, 3, 2, 1, 2, 3, 4, tzinfo=UTC),
        clock=time(1, 2), labels=("b", "a"), scores=(), seen=(date(2026, 1, 2), "2024"), type="",
    )  # fmt: skip
    one, two = person(1, aliases=("old",), name="Ada"), person(2, stance="negated")
    links = [edge(1, "HANDLES", one, full), edge(2, "HANDLES", one, full, since=date(2026, 3, 2)),
             edge(3, "REPORTS_TO", two, two, "planned")]  # fmt: skip
    written = graph(full, one, two, *links, ticket(2, severity=5, due=date(2024, 3, 2)))
    assert back(written, tmp_path) == written
    assert back(graph(), tmp_path) == graph()


@pytest.mark.parametrize(
    "text", ["a\u000bb", "\ud800", "\\u000b", "\\", "a\r\nb\rc\u0085\u2028", " ", "]]>&<\"'", "\ufffe"]
)
def test_a_text_reads_back_equal_whatever_it_holds(tmp_path: Path, text: str) -> None:
    odd = Entity("7", HOSTILE_TYPE, {HOSTILE_PROPERTY: text})
    link = edge(1, HOSTILE_RELATION, odd, person(1), **{HOSTILE_PROPERTY: text})
    written = graph(odd, person(1), link, ticket(1, labels=(text, "x")))
    assert back(written, tmp_path) == written


@settings(max_examples=50, deadline=None)
@given(st.text(st.characters(exclude_categories=())), st.floats(allow_nan=False), st.integers())
def test_any_text_and_number_reads_back_equal(
    tmp_path_factory: pytest.TempPathFactory, text: str, number: float, whole: int
) -> None:
    written = graph(ticket(1, type=text, wait=number, severity=whole, labels=(text,)))
    assert back(written, tmp_path_factory.mktemp("g")) == written


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, {}),
        (("a",), {"type": ("a",)}),
        ({"k": 1}, {"type": '{"k": 1}'}),
        (["a", 1, None], {"type": '["a", 1, null]'}),
        (date(2024, 1, 2), {"type": "2024-01-02"}),
    ],
)
def test_what_no_property_holds_is_left_out_or_becomes_text(
    tmp_path: Path, value: Any, expected: dict[str, Any]
) -> None:
    read = back(graph(ticket(1, type=value)), tmp_path)
    (entity,) = read.entities.values()
    assert entity.props == {"number": "HD-1", **expected}


def test_the_same_graph_gives_the_same_bytes(tmp_path: Path) -> None:
    one, two = person(1), person(2)
    for name, items in (("a", [one, two]), ("b", [two, one])):
        export_graphml(graph(*items, edge(1, "REPORTS_TO", one, two)), tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize(
    "content", [b"", b"<a/>", b"{}", b"\xff\x00", b"<graphml", b"<!DOCTYPE a [<!ENTITY b 'c'>]><a/>"]
)
def test_another_file_is_no_graphml_of_ours(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.graphml"
    path.write_bytes(content)
    with pytest.raises(InputError, match="is no GraphML") as caught:
        read_graphml(path, SCHEMA)
    assert "\n" not in str(caught.value)


def test_a_file_of_networkx_itself_is_refused_in_one_line(tmp_path: Path) -> None:
    networkx.write_graphml(networkx.path_graph(3), tmp_path / "x.graphml")
    with pytest.raises(InputError, match="is no GraphML of schema 'conformance'"):
        read_graphml(tmp_path / "x.graphml", SCHEMA)


def test_missing_files_and_folders_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_graphml(tmp_path / "none.graphml", SCHEMA)
    with pytest.raises(OutputError, match="cannot be written"):
        export_graphml(graph(), tmp_path)
