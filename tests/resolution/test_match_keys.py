"""What records of a type are compared by, and what they must state."""

from __future__ import annotations

import pytest
from record_graphs import episode, record

from schemacast.graph import Graph
from schemacast.matching.model import Field
from schemacast.resolution.match_keys import MatchKey
from schemacast.resolution.resolve import resolve
from schemacast.schema.load import parse_schema
from schemacast.schema.model import Schema


def schema(key: str, properties: str, more: str = "") -> Schema:
    return parse_schema(f"name: t\nvertices:\n  T: {{key: {key}, {more} properties: {{{properties}}}}}\n")


def fields(key: str, properties: str, more: str = "") -> dict[str, tuple[str, bool | None, bool]]:
    made = MatchKey(schema(key, properties, more).vertices["T"]).fields
    assert all(isinstance(each, Field) for each in made)
    return {each.name: (each.kind, each.veto, each.compared) for each in made}


def test_a_property_of_the_key_is_read_off_its_values_unless_it_says_how() -> None:
    assert fields("{match: [a, b]}", "a: {match: name}, b: string, c: string") == {
        "a": ("name", None, True),
        "b": ("auto", None, True),
    }


def test_other_properties_are_compared_when_they_say_how_and_rule_out_when_they_say_so() -> None:
    found = fields(
        "{match: [a]}", "a: string, b: {match: date, type: date}, c: {veto: true}, d: {veto: false}, e: string"
    )
    assert found == {
        "a": ("auto", None, True),
        "b": ("date", None, True),
        "c": ("auto", True, False),
    }


def test_an_alternate_of_one_property_identifies_and_one_of_several_does_not() -> None:
    found = fields(
        "{match: [a]}", "a: string, n: {match: code}, m: string, x: string, y: string", "alternates: [n, m, [x, y]],"
    )
    assert found == {"a": ("auto", None, True), "n": ("code", True, True), "m": ("exact", True, True)}
    assert fields("{match: [a]}", "a: string, n: {veto: false}", "alternates: [n],")["n"] == ("exact", False, True)


def test_a_type_that_can_be_in_several_scopes_is_compared_within_them() -> None:
    assert fields("{match: [a]}", "a: string", "stances: [planned],")["_scope"] == ("exact", True, False)


@pytest.mark.parametrize(
    ("properties", "stated", "reason"),
    [
        ("a: {match: name}, b: {match: exact}", {"a": "x"}, None),
        ("a: {match: name}, b: {match: exact}", {"b": "x"}, "partial_key"),
        ("a: {match: name}, b: {match: exact}", {"c": "x"}, "no_key"),
        ("a: {match: name}, b: {match: exact}", {"a": "  ", "b": "x"}, "partial_key"),
        ("a: {match: name}, b: {match: code}", {"b": "x"}, None),
        ("a: string, b: string", {"b": "x"}, None),
        ("a: {match: exact}, b: {match: exact}", {"b": "x"}, None),
    ],
)
def test_a_record_needs_something_that_names_it(properties: str, stated: dict[str, str], reason: str | None) -> None:
    made = schema("{match: [a, b]}", f"{properties}, c: string")
    graph = resolve(made, [episode("m", record("v", "T", **stated))])
    assert [item.reason for item in graph.staged] == ([] if reason is None else [reason])
    assert len(graph.entities) == (reason is None)


def two(made: Schema, one: dict[str, str], other: dict[str, str]) -> Graph:
    return resolve(made, [episode("m", record("v", "T", **one)), episode("n", record("v", "T", **other))])


def test_a_veto_parts_what_is_alike_and_none_lets_it_be_one() -> None:
    same = {"a": "Orvik Shipping"}
    strict, loose = "{match: [a]}", "a: {match: name}, b: {match: exact%s}"
    assert len(two(schema(strict, loose % ""), {**same, "b": "1"}, {**same, "b": "2"}).entities) == 2
    assert len(two(schema(strict, loose % ", veto: true"), {**same, "b": "1"}, {**same, "b": "2"}).entities) == 2
    assert len(two(schema(strict, loose % ""), {**same, "b": "1"}, same).entities) == 1
    assert len(two(schema(strict, loose % ""), {**same, "b": "1"}, {**same, "b": "1"}).entities) == 1


def test_one_alternate_makes_one_of_what_is_nothing_alike_and_two_make_two() -> None:
    made = schema("{match: [a]}", "a: {match: name}, n: {match: code}", "alternates: [n],")
    graph = two(made, {"a": "Orvik", "n": "NO-1"}, {"a": "Hald", "n": "no 1"})
    assert [(len(graph.entities), decision.by) for decision in graph.decisions] == [(1, "alternate")]
    assert len(two(made, {"a": "Orvik", "n": "1"}, {"a": "Orvik", "n": "2"}).entities) == 2


def test_one_alternate_joins_nothing_that_another_one_rules_out() -> None:
    made = schema("{match: [a]}", "a: {match: name}, n: {match: code}, m: {match: code}", "alternates: [n, m],")
    graph = two(made, {"a": "Orvik", "n": "1", "m": "7"}, {"a": "Orvik", "n": "1", "m": "8"})
    assert len(graph.entities) == 2


def test_a_threshold_says_how_sure_it_must_be() -> None:
    one, other = {"a": "Orvik Shipping Lines"}, {"a": "Orvik Shiping Line"}
    assert len(two(schema("{match: [a], threshold: 0.01}", "a: {match: name}"), one, other).entities) == 1
    assert len(two(schema("{match: [a], threshold: 0.999999}", "a: {match: name}"), one, other).entities) == 2
