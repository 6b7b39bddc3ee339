"""Records as bad as they come: a clear result, in bounded time, and nothing merged that contradicts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

import pytest
from record_graphs import episode, record

from schemacast.graph import Graph
from schemacast.records import RecordGraph
from schemacast.resolution.resolve import resolve
from schemacast.schema.load import parse_schema

SCHEMA = parse_schema(
    """
name: test
vertices:
  Person:
    key: {match: [name]}
    properties: {name: {type: string, match: name}, born: {type: date, match: date}, note: {type: string, match: text}}
  Thing: {key: {match: [name, code]}, properties: {name: string, code: {type: string, match: exact}}}
"""
)


def people(*names: str) -> Graph:
    made = [episode(f"m{number:05}", record("p", "Person", name=name)) for number, name in enumerate(names)]
    return resolve(SCHEMA, made)


def partition(graph: Graph) -> int:
    return len(graph.entities)


@pytest.mark.parametrize(
    ("names", "entities"),
    [
        (["Ada Lind", "Dr. Ada Lind", "ADA LIND", "Lind, Ada"], 1),
        (["Ada Lind", "Bo Lind"], 2),
        (["Ada Lind", "Bo Lind", "Cy Lind", "Ada Brun", "Bo Brun"], 5),
        (["Orvik AS", "Hald AS"], 2),
        (["North Star", "North Start"], 1),
        (["Building 11", "Building 12", "Building 11"], 2),
        (["123", "124", "123"], 2),
        (["محمد علي", "محمد حسن"], 2),
        (["Иван Петров", "Ivan Petrov"], 1),
        (["Åse Øvrebø", "Ase Ovrebo"], 1),
        (["😀", "😀", "🚢"], 2),
        (["C", "C++", "C#"], 3),
    ],
)
def test_a_handful_of_names_is_told_apart_as_a_reader_would(names: list[str], entities: int) -> None:
    assert partition(people(*names)) == entities
    assert partition(people(*reversed(names))) == entities


def test_one_name_of_thousands_of_records_is_one_row() -> None:
    assert partition(people(*["Ada Lind"] * 10_000)) == 1


def test_one_name_with_thousands_of_other_values_is_bounded() -> None:
    first = date(1900, 1, 1)

    def mails() -> Iterator[RecordGraph]:
        for number in range(3_000):
            born = first + timedelta(days=number * 7)
            yield episode(f"m{number}", record("p", "Person", name="Ada Lind", born=born))

    graph = resolve(SCHEMA, mails())
    assert 1 <= partition(graph) <= 3_000


def test_very_long_values_and_mixed_scripts_are_read_as_far_as_they_tell() -> None:
    long = "Ada " * 25_000
    graph = people(long, long + "!", "\u202eLind Ada\u202c", "Ada Линд", "ada\u0000lind", "\u200b", "-", "()")
    assert 3 <= partition(graph) <= 8


def test_a_value_that_half_of_the_records_share_joins_nothing_by_itself() -> None:
    made = [
        episode(f"m{number}", record("t", "Thing", name=f"Unit {chr(65 + number)}{number}", code="X"))
        for number in range(40)
    ]
    assert partition(resolve(SCHEMA, made)) == 40


def test_differing_exact_values_never_meet_whatever_the_names() -> None:
    made = [
        episode(f"m{number}", record("t", "Thing", name="Feed pump", **({"code": code} if code else {})))
        for number, code in enumerate(["A", "B", "", "A", "C"])
    ]
    graph = resolve(SCHEMA, made)
    codes = [entity.props.get("code") for entity in graph.entities.values()]
    assert sorted(code for code in codes if code) == ["A", "B", "C"]


def test_among_a_few_people_of_one_surname_nobody_is_another() -> None:
    stated = [("Dr. Ada Lind", 1950), ("Ada Lind", None), ("Bo Lind", None), ("A. Lind", None), ("Cy Lind", 1981)]
    graph = resolve(
        SCHEMA,
        [
            episode(f"m{n}", record("p", "Person", name=name, **({"born": date(year, 1, 1)} if year else {})))
            for n, (name, year) in enumerate(stated)
        ],
    )
    names = sorted(str(entity.props["name"]) for entity in graph.entities.values())
    assert [name for name in names if name != "A. Lind"] == ["Bo Lind", "Cy Lind", "Dr. Ada Lind"]
