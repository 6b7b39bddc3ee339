"""What a name in a reply means: exactly, by case and separators, as a synonym, or read backwards."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemacast.schema.load import load_schema, parse_schema
from schemacast.schema.model import EdgeId
from schemacast.schema.names import fold_name

HELPDESK = load_schema(Path(__file__).parent / "files" / "helpdesk.yaml")


@pytest.mark.parametrize(
    "name",
    ["WORKS_AT", "WorksAt", "worksAt", "works at", "works-at", "Works  At", "works\u00a0at", "works‐at", "__works_at"],
)
def test_case_and_separators_do_not_count(name: str) -> None:
    assert fold_name(name) == "worksat"


def test_what_is_no_separator_counts() -> None:
    assert len({fold_name(name) for name in ("C", "C#", "C++", "C.", "Ç", "step_1_1", "step_11", "step_1.1")}) == 8
    assert fold_name("Step 1-1") == fold_name("step_1_1") == "step1_1"
    assert fold_name("STRASSE") == fold_name("Straße")
    assert fold_name("A\u030angstrom") == fold_name("ångstrom")


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=20))
def test_folding_twice_changes_nothing_more(name: str) -> None:
    assert fold_name(fold_name(name)) == fold_name(name)


@pytest.mark.parametrize(
    ("name", "found"),
    [("Ticket", "Ticket"), ("ticket", "Ticket"), ("TICKET ", "Ticket"), ("Case", "Ticket"), ("client", "Customer")],
)
def test_a_vertex_type_is_found_by_any_of_its_names(name: str, found: str) -> None:
    vertex = HELPDESK.names.vertex_type(name)
    assert vertex is HELPDESK.vertices[found]


def test_what_has_no_meaning_is_not_found() -> None:
    names = HELPDESK.names
    assert names.vertex_type("Spaceship") is None
    assert names.vertex_type("") is None
    assert names.relation("FLIES") == ()
    assert names.property(HELPDESK.vertices["Agent"], "email") is None


def test_a_property_is_looked_up_in_its_owner() -> None:
    schema = parse_schema("""\
vertices:
  A: {key: full_name, properties: {full_name: {synonyms: [called]}}}
  B: {key: minted, properties: {called: string}}
edges:
  R: {source: A, target: B, properties: {full_name: date}}
""")
    names = schema.names
    assert names.property(schema.vertices["A"], "Called") is schema.vertices["A"].properties["full_name"]
    assert names.property(schema.vertices["B"], "called") is schema.vertices["B"].properties["called"]
    edge = schema.edges[EdgeId("A", "B", "R")]
    assert names.property(edge, "fullName") is edge.properties["full_name"]
    assert names.property(edge, "called") is None


def test_a_relation_is_found_with_its_direction() -> None:
    assert [(match.edge.id, match.reversed) for match in HELPDESK.names.relation("Raised-By")] == [
        (EdgeId("Customer", "Ticket", "RAISED"), True)
    ]
    assert [(match.edge.id.relation, match.reversed) for match in HELPDESK.names.relation("opened")] == [
        ("RAISED", False)
    ]
    assert [match.edge.id.source for match in HELPDESK.names.relation("works at")] == ["Agent", "Customer"]


def test_the_inverse_of_a_symmetric_relation_is_not_reversed() -> None:
    schema = parse_schema(
        "vertices: {A: {key: minted}}\nedges: {R: {source: A, target: A, symmetric: true, inverse: [s, r]}}"
    )
    assert [match.reversed for match in schema.names.relation("s")] == [False]


def test_the_index_is_built_once() -> None:
    assert HELPDESK.names is HELPDESK.names
