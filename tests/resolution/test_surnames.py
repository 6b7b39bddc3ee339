"""A surname alone, and whom it means."""

from __future__ import annotations

import pytest
from record_graphs import episode, record, relation

from schemacast.graph import Graph
from schemacast.records import Record
from schemacast.resolution.resolve import Resolver, resolve
from schemacast.resolution.surnames import is_of_people, surnames
from schemacast.schema.load import parse_schema
from schemacast.schema.model import EdgeId, VertexType

SCHEMA = parse_schema(
    """
name: test
vertices:
  Person:
    key: {match: [name]}
    stances: [hedged]
    properties: {name: {type: string, match: name}, badge: {type: string, match: exact}, role: string}
  City: {key: {match: [name]}, properties: {name: {type: string, match: name}}}
edges:
  KNOWS: {source: Person, target: Person}
  LIVES_IN: {source: Person, target: City}
"""
)
KNOWS, LIVES_IN = EdgeId("Person", "Person", "KNOWS"), EdgeId("Person", "City", "LIVES_IN")


def people(*records: Record) -> Graph:
    return resolve(SCHEMA, [episode("m", *records)])


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("Lind", "Dr. Ada Lind"),
        ("Dr. Lind", "Ada Lind"),
        ("LIND", "Ada Lind"),
        ("Lind", "Lind, Ada"),
        ("Lind", "Ada Lind Jr."),
        ("von Trapp", "Maria von Trapp"),
        ("Trapp", "Maria von Trapp"),
        ("van der Berg", "Jan van der Berg"),
        ("Lind-Brun", "Ada Lind-Brun"),
        ("O'Hara", "Scarlett O’Hara"),
        ("Åström", "Bo A\u030astro\u0308m"),
        ("Иванов", "Пётр Иванов"),
    ],
)
def test_a_surname_means_the_full_name_that_ends_in_it(short: str, full: str) -> None:
    short, full = short.replace("'", "’"), full
    assert surnames({"s": short, "f": full}, people=True) == {"s": ("f",)}


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("Lind", "Ada Linden"),
        ("Ada", "Ada Lind"),
        ("Lind", "Lind"),
        ("Lind", "Ada Lind-Brun"),
        ("Ada Lind", "Dr. Ada Lind"),
        ("Maria Lind", "Anna Maria Lind"),
        ("Dr.", "Ada Dr."),
        ("", "Ada Lind"),
        ("—", "Ada Lind"),
    ],
)
def test_what_is_no_surname_of_a_full_name_means_none(short: str, full: str) -> None:
    assert surnames({"s": short, "f": full}, people=True) == {}


def test_only_names_of_people_are_shortened_so_and_a_title_says_that_a_name_is_one() -> None:
    assert surnames({"s": "York", "f": "New York"}, people=False) == {}
    assert surnames({"s": "Mr Lind", "f": "Ada Lind"}, people=False) == {"s": ("f",)}
    graph = resolve(SCHEMA, [episode("m", record("a", "City", name="New York"), record("b", "City", name="York"))])
    assert len(graph.entities) == 2


@pytest.mark.parametrize(
    ("name", "synonyms", "expected"),
    [
        ("Person", (), True),
        ("ContactPerson", (), True),
        ("Mitarbeiter", (), True),
        ("Lead", ("employee",), True),
        ("人物", (), True),
        ("Personal_Item", (), False),
        ("Organisation", ("company",), False),
        ("Place", (), False),
    ],
)
def test_a_type_is_of_people_when_its_name_or_a_synonym_says_so(
    name: str, synonyms: tuple[str, ...], expected: bool
) -> None:
    kind = VertexType(name, SCHEMA.vertices["City"].key, synonyms=synonyms)
    assert is_of_people(kind) is expected


def test_with_two_of_a_surname_nobody_can_tell_and_the_record_waits_with_its_edges() -> None:
    mail = episode(
        "m",
        record("a", "Person", name="Ada Lind"),
        record("b", "Person", name="Bo Lind"),
        record("s", "Person", name="Lind", role="chair"),
        record("c", "City", name="Hald"),
        relation(LIVES_IN, "s", "c"),
    )
    graph = resolve(SCHEMA, [mail])
    assert [(item.ref, item.reason) for item in graph.staged] == [("s", "ambiguous"), ("s->c", "held")]
    assert set(graph.staged[0].candidates) == {entity.id for entity in graph.of_type("Person")}
    assert [each.agrees for each in graph.candidates["m", "s"]] == [("name",), ("name",)]


def test_two_full_names_that_are_one_person_are_no_two() -> None:
    graph = people(
        record("a", "Person", name="Ada Lind"),
        record("b", "Person", name="Dr. Ada Lind"),
        record("s", "Person", name="Lind", role="chair"),
    )
    (person,) = graph.entities.values()
    assert person.props == {"name": "Ada Lind", "role": "chair"}
    assert graph.staged == ()


def test_what_contradicts_is_not_meant() -> None:
    graph = people(
        record("a", "Person", name="Ada Lind", badge="7"),
        record("b", "Person", name="Bo Lind", badge="8"),
        record("s", "Person", name="Lind", badge="8"),
        record("h", "Person", name="Lind", stance="hedged"),
    )
    assert sorted(str(entity.props["name"]) for entity in graph.entities.values()) == ["Ada Lind", "Bo Lind", "Lind"]
    assert graph.staged == ()


def test_a_surname_without_a_full_name_in_its_text_is_a_name_of_its_own() -> None:
    graphs = [
        episode("m1", record("a", "Person", name="Ada Lind"), record("s", "Person", name="Lind")),
        episode("m2", record("s", "Person", name="Lind")),
        episode("m3", record("s", "Person", name="LIND ")),
    ]
    graph = resolve(SCHEMA, graphs)
    assert len(graph.entities) == 2
    resolver = Resolver(SCHEMA)
    for each in graphs:
        resolver.add(each)
    placed = [resolver.place(each).entities for each in graphs]
    assert placed[0]["a"] == placed[0]["s"]
    assert placed[1]["s"] == placed[2]["s"] != placed[0]["s"]


def test_a_surname_may_come_before_the_full_name_and_its_form_never_stands_for_it() -> None:
    graph = people(record("s", "Person", start=0, name="Lind"), record("a", "Person", start=50, name="Ada Lind"))
    (person,) = graph.entities.values()
    assert person.props["name"] == "Ada Lind"


def test_an_edge_from_a_person_to_their_own_surname_is_left_out_and_counted() -> None:
    mail = episode(
        "m",
        record("a", "Person", name="Ada Lind"),
        record("s", "Person", name="Lind"),
        relation(KNOWS, "a", "s"),
        relation(KNOWS, "a", "a"),
    )
    graph = resolve(SCHEMA, [mail])
    assert graph.loops == {"KNOWS": 1}
    (edge,) = graph.edges.values()
    assert edge.source == edge.target
