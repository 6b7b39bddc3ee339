"""What people say stands against every score, whatever the order, until it is undone."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from record_graphs import episode, record

from schemacast.errors import UnknownNameError
from schemacast.graph import Decision, Entity, Graph, Named, Revision, Verdict
from schemacast.records import RecordGraph
from schemacast.resolution.keys import KeyValues
from schemacast.resolution.resolve import Resolver, resolve
from schemacast.resolution.verdicts import Earlier, Spoken, Verdicts, key_digest
from schemacast.schema.load import parse_schema

SCHEMA = parse_schema(
    """
name: test
vertices:
  Company:
    key: {match: [name, country]}
    stances: [planned]
    properties:
      name: {type: string, match: name}
      country: {type: string, match: exact}
      code: {type: string, match: code, veto: true}
      size: integer
"""
)
NAMES = ["Orvik", "ORVIK ", "Orvik AS", "Hald", "Brevik Lines"]


def mails(*names: str) -> list[RecordGraph]:
    return [episode(f"m{number}", record("v", "Company", name=name)) for number, name in enumerate(names)]


def said(kind: str, *sides: str, number: int = 1) -> Verdict:
    """A verdict over records of `mails`; each side is their numbers."""
    named = tuple(tuple(Named(f"m{each}", "v") for each in side) for side in sides)
    return Verdict(kind, "Company", named, number)  # type: ignore[arg-type]


def groups(graph: Graph, graphs: list[RecordGraph], *verdicts: Verdict) -> list[str]:
    """The numbers of the records of each entity."""
    resolver = Resolver(SCHEMA, decisions=verdicts)
    for each in graphs:
        resolver.add(each)
    found: dict[str, str] = {}
    for each in graphs:
        for ident in resolver.place(each).entities.values():
            found[ident] = found.get(ident, "") + each.source_id[1:]
    assert set(found) == set(graph.entities)
    return sorted(found.values())


def after(names: list[str], *verdicts: Verdict) -> list[str]:
    graphs = mails(*names)
    straight = groups(resolve(SCHEMA, graphs, decisions=verdicts), graphs, *verdicts)
    back = graphs[::-1]
    turned = groups(resolve(SCHEMA, back, decisions=verdicts[::-1]), graphs, *verdicts)
    assert straight == turned
    return straight


def test_a_join_makes_one_of_what_is_nothing_alike_and_takes_along_what_is_equal() -> None:
    assert after(["Orvik", "Hald", "HALD", "Brevik"], said("join", "01")) == ["012", "3"]


def test_a_join_is_stronger_than_what_rules_a_match_out() -> None:
    graphs = [
        episode("m0", record("v", "Company", name="Orvik", country="NO", code="1")),
        episode("m1", record("v", "Company", name="Orvik", country="SE", code="2")),
    ]
    assert len(resolve(SCHEMA, graphs).entities) == 2
    assert len(resolve(SCHEMA, graphs, decisions=[said("join", "01")]).entities) == 1


def test_a_split_parts_equal_names() -> None:
    assert after(["Orvik", "Orvik", "Hald"], said("split", "0", "1")) == ["0", "1", "2"]


def test_each_side_of_a_split_is_one() -> None:
    assert after(["Orvik", "Hald", "Brevik", "Lunde"], said("split", "01", "23")) == ["01", "23"]
    again = said("split", "2", "3", number=2)
    assert after(["Orvik", "Hald", "Brevik", "Lunde"], said("split", "01", "23"), again) == ["01", "2", "3"]


def test_joins_add_up() -> None:
    assert after(["Orvik", "Hald", "Brevik"], said("join", "01"), said("join", "12", number=2)) == ["012"]


def test_of_verdicts_that_contradict_the_last_one_stands() -> None:
    names = ["Orvik", "Hald", "Brevik"]
    join, split = said("join", "012", number=1), said("split", "0", "12", number=2)
    assert after(names, join, split) == ["0", "12"]
    assert after(names, join, split, said("join", "01", number=3)) == ["012"]
    assert after(["Orvik", "Orvik"], said("split", "0", "1"), said("join", "01", number=2)) == ["01"]


def test_a_record_without_a_name_is_what_it_was_joined_with_and_staged_when_that_is_gone() -> None:
    named = episode("m0", record("v", "Company", name="Orvik"))
    bare = episode("m1", record("v", "Company", size=3))
    graph = resolve(SCHEMA, [named, bare], decisions=[said("join", "01")])
    (entity,) = graph.entities.values()
    assert entity.props == {"name": "Orvik", "size": 3}
    assert [item.reason for item in resolve(SCHEMA, [named, bare]).staged] == ["no_key"]
    alone = resolve(SCHEMA, [bare], decisions=[said("join", "01")])
    assert ([item.reason for item in alone.staged], alone.entities) == (["no_key"], {})
    country = episode("m1", record("v", "Company", country="NO"))
    assert [item.reason for item in resolve(SCHEMA, [country], decisions=[said("join", "01")]).staged] == [
        "partial_key"
    ]


def test_a_verdict_finds_its_record_under_another_ref_by_its_key() -> None:
    read: KeyValues = ("orvik", None)
    named = Named("m0", "v", key_digest(read))
    verdicts = Verdicts([Verdict("split", "Company", ((named,), (Named("m1", "v"),)), 4)])
    graph = episode("m0", record("v", "Company", name="Hald"), record("w", "Company", name="Orvik"))
    keys: dict[str, KeyValues] = {"v": ("hald", None), "w": read}
    assert verdicts.of(graph, keys) == {"w": Spoken(((4, 0),), ("4/0:[]",))}
    assert set(verdicts.of(graph, {"v": read, "w": read})) == {"v"}
    assert verdicts.of(replace(graph, source_id="m9"), keys) == {}
    assert key_digest((None, None)) == ""


def test_a_digest_does_not_say_what_the_key_is() -> None:
    assert "orvik" not in key_digest(("orvik", "no"))
    assert key_digest(("orvik", None)) != key_digest((None, "orvik"))


def test_merges_give_aliases_at_the_end_of_their_chain() -> None:
    def merge(entity: str, *others: str) -> Revision:
        return Revision("merge", "Company", entity, others, "likeness", 0.9)

    assert Earlier([merge("b", "a"), merge("c", "b")]).aliases == {"c": {"a", "b"}}
    assert Earlier([merge("b", "a"), merge("a", "b")]).aliases == {"a": {"b"}}
    split = Revision("split", "Company", "b", ("a",), "person", 1.0)
    assert Earlier([merge("b", "a"), split]).aliases == {}
    assert [Earlier([merge("b", "a"), merge("c", "b")]).present(ident) for ident in "abcd"] == ["c", "c", "c", "d"]


# --- ids


def decided(entity: str, *numbers: int) -> Decision:
    return Decision(tuple((f"m{number}", "v") for number in numbers), entity, "likeness", 0.9)


def test_a_cluster_of_two_earlier_entities_is_a_merge_into_the_one_with_more_records() -> None:
    graph = resolve(SCHEMA, mails("Orvik", "Orvik", "Orvik"), decisions=[decided("a", 0), decided("b", 1, 2)])
    (entity,) = graph.entities.values()
    assert (entity.id, entity.aliases) == ("b", ("a",))
    assert [(each.kind, each.entity, each.others, each.by) for each in graph.revisions] == [
        ("merge", "b", ("a",), "equal")
    ]


def test_an_earlier_entity_in_two_clusters_is_a_split_and_most_of_its_records_keep_the_id() -> None:
    graph = resolve(SCHEMA, mails("Hald", "Orvik", "Orvik"), decisions=[decided("a", 0, 1, 2)])
    assert graph.entities["a"].props["name"] == "Orvik"
    (other,) = set(graph.entities) - {"a"}
    assert [(each.kind, each.entity, each.others) for each in graph.revisions] == [("split", "a", (other,))]


def test_a_record_that_moves_from_one_to_another_takes_no_id_along() -> None:
    graph = resolve(SCHEMA, mails("Orvik", "Orvik", "Hald", "Hald"), decisions=[decided("a", 0), decided("b", 1, 2, 3)])
    assert graph.entities["a"].props["name"] == "Orvik"
    assert graph.entities["b"].props["name"] == "Hald"
    assert [each.kind for each in graph.revisions] == ["split"]


def test_the_id_of_a_known_entity_stands_before_all() -> None:
    known = Graph(SCHEMA.ref, {"k": Entity("k", "Company", {"name": "Orvik"})}, schema=SCHEMA)
    graph = resolve(SCHEMA, mails("ORVIK", "Hald"), known=known, decisions=[decided("a", 0)])
    assert graph.entities["k"].aliases == ("a",)
    assert [each.kind for each in graph.revisions] == ["merge"]


def test_known_entities_are_never_made_one() -> None:
    known = Graph(
        SCHEMA.ref,
        {ident: Entity(ident, "Company", {"name": "Orvik AS"}) for ident in ("k1", "k2")},
        schema=SCHEMA,
    )
    graph = resolve(SCHEMA, mails("Orvik AS", "Orvik AS"), known=known)
    assert set(graph.entities) == {"k1"}


def test_types_stances_and_owners_are_never_mixed() -> None:
    schema = parse_schema(
        """
        name: t
        vertices:
          Book: {key: isbn, properties: {isbn: string}}
          Chapter:
            within: IN
            key: {match: [title]}
            stances: [planned]
            properties: {title: {type: string, match: text}}
          Figure: {within: IN, key: {match: [title]}, properties: {title: {type: string, match: text}}}
        edges: {IN: [{source: Chapter, target: Book}, {source: Figure, target: Book}]}
        """
    )
    from record_graphs import relation

    from schemacast.schema.model import EdgeId

    def mail(name: str, kind: str, isbn: str, stance: str | None = None) -> RecordGraph:
        inside = relation(EdgeId(kind, "Book", "IN"), "c", "b")
        return episode(name, record("c", kind, title="The sea", stance=stance), record("b", "Book", isbn=isbn), inside)

    graphs = [
        mail("1", "Chapter", "A"),
        mail("2", "Chapter", "A"),
        mail("3", "Chapter", "B"),
        mail("4", "Chapter", "A", "planned"),
        mail("5", "Figure", "A"),
    ]
    graph = resolve(schema, graphs)
    assert Counter(entity.type for entity in graph.entities.values()) == {"Chapter": 3, "Figure": 1, "Book": 2}


def test_distinct_within_keeps_records_of_one_source_apart() -> None:
    graphs = [
        episode("m0", record("v", "Company", name="Orvik"), record("w", "Company", name="Orvik")),
        episode("m1", record("v", "Company", name="Hald"), record("w", "Company", name="HALD ")),
    ]
    assert len(resolve(SCHEMA, graphs).entities) == 2
    graph = resolve(SCHEMA, graphs, distinct_within="source_id")
    names = sorted(str(entity.props["name"]) for entity in graph.entities.values())
    assert names == ["HALD", "Hald", "Orvik", "Orvik"]
    with pytest.raises(UnknownNameError, match="has a property 'sise'; did you mean 'size'"):
        resolve(SCHEMA, graphs, distinct_within="sise")


# --- all of it at once

numbers = st.integers(0, 5)
verdicts = st.lists(st.tuples(st.sampled_from(["join", "split"]), st.sets(numbers, min_size=2, max_size=3)), max_size=3)


def _verdict(number: int, kind: str, records: set[int]) -> Verdict:
    first, *rest = sorted(records)
    sides = ([first], rest) if kind == "split" else (sorted(records),)
    return said(kind, *("".join(map(str, side)) for side in sides), number=number)


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.sampled_from(NAMES), min_size=6, max_size=6),
    verdicts,
    st.lists(st.tuples(numbers, st.sampled_from("abc")), max_size=6),
    st.randoms(use_true_random=False),
)
def test_no_order_changes_anything_and_the_last_verdict_always_stands(
    names: list[str], drawn: list[tuple[str, set[int]]], earlier: list[tuple[int, str]], random: object
) -> None:
    made = [_verdict(number, *each) for number, each in enumerate(drawn, 1)]
    decisions = [*(decided(ident, number) for number, ident in earlier), *made]
    graphs = mails(*names)
    graph = resolve(SCHEMA, graphs, decisions=decisions)
    shuffled = list(graphs)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert resolve(SCHEMA, shuffled, decisions=decisions).to_json() == graph.to_json()
    found = groups(graph, graphs, *decisions)  # type: ignore[arg-type]
    of = {int(each): group for group in found for each in group}
    assert sorted(of) == list(range(6))
    if drawn:
        kind, records = drawn[-1]
        first, *rest = sorted(records)
        assert all((of[first] == of[other]) == (kind == "join") for other in rest)
    held = {ident for entity in graph.entities.values() for ident in (entity.id, *entity.aliases)}
    assert set(dict(earlier).values()) <= held


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sampled_from(NAMES), min_size=2, max_size=6), st.integers(0, 6))
def test_runs_one_after_the_other_give_what_one_run_gives_and_keep_every_id(names: list[str], cut: int) -> None:
    graphs = mails(*names)
    first = Resolver(SCHEMA, every_decision=True)
    for each in graphs[:cut]:
        first.add(each)
    earlier = first.graph()
    given = [*earlier.decisions, *earlier.revisions]
    second = resolve(SCHEMA, graphs, decisions=given)
    assert groups(second, graphs, *given) == groups(resolve(SCHEMA, graphs), graphs)  # type: ignore[arg-type]
    held = {ident for entity in second.entities.values() for ident in (entity.id, *entity.aliases)}
    assert set(earlier.entities) <= held
