"""Resolution against a quadratic one written from the rules, and invariants of its own."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, date, datetime

from hypothesis import given, settings
from hypothesis import strategies as st
from naive_resolution import NaiveResolution
from record_graphs import episode, record, relation

from schemacast.graph import Graph
from schemacast.records import Record, RecordGraph, Relation
from schemacast.resolution.resolve import Resolver, resolve
from schemacast.schema.load import parse_schema
from schemacast.schema.model import EdgeId

SCHEMA = parse_schema(
    """
name: test
vertices:
  Customer:
    key: account
    alternates: [email, [name, city]]
    stances: [negated]
    properties:
      account: string
      email: {type: string, match: code}
      name: string
      city: string
      tier: {type: string, keep: first}
      nicks: {type: string, keep: all}
      since: date
      tags: [string]
      oldest: {type: [string], keep: first}
      every: {type: [string], keep: all}
  Agent:
    key: [team, nick?]
    alternates: [phone]
    properties: {team: {type: string, match: code}, nick: string, phone: string}
  Company:
    key: {match: [name, country]}
    properties: {name: {type: string, match: name}, country: string, size: string}
  Shift:
    within: WORKED
    key: [day, part?]
    alternates: [badge]
    properties: {day: date, part: string, badge: string}
  Escalation: {key: minted, properties: {reason: string}}
edges:
  WORKED: {source: Customer, target: Shift}
  RAISED: {source: Customer, target: Escalation, key: [since?], properties: {since: date, role: string}}
  KNOWS: {source: Customer, target: Customer, stances: [planned]}
  PARTNERS: {source: Company, target: Company, symmetric: true, properties: {role: string}}
"""
)
TYPES = ["Customer", "Agent", "Company", "Escalation", "Shift"]
PARTIALS = ["2024", "2024-03", "2025-01", date(2024, 3, 2), date(2024, 3, 5), date(2025, 1, 1)]
VALUES = {
    "Customer": {
        "account": ["A1", "A2", " A1 ", "a1"],
        "email": ["x@y", "X-@Y", "z@y"],
        "name": ["Ada", "Lin"],
        "city": ["Oslo", "e\u0301", "\u00e9"],
        "tier": ["gold", "tin"],
        "nicks": ["n1", "n2", "n3"],
        "since": PARTIALS,
        "tags": [("t1",), ("t2", "t1"), ("t3",)],
        "oldest": [("t1",), ("t2", "t1")],
        "every": [("t1", "t2"), ("t3", "t1")],
    },
    "Agent": {"team": ["blue", "BL-UE", "red"], "nick": ["b", "c"], "phone": ["1", "2"]},
    "Company": {
        "name": ["Orvik", "ORVIK ", "Orvik AS", "Hald"],
        "country": ["NO", "no", "SE"],
        "size": ["big", "small"],
    },
    "Shift": {"day": [date(2026, 3, 2), date(2026, 3, 3)], "part": ["late"], "badge": ["7", "8"]},
    "Escalation": {"reason": ["late", "lost"]},
}
EDGES = [EdgeId("Customer", "Shift", "WORKED"), EdgeId("Customer", "Escalation", "RAISED"),
         EdgeId("Customer", "Customer", "KNOWS"), EdgeId("Company", "Company", "PARTNERS")]  # fmt: skip


@st.composite
def records(draw: st.DrawFn, ref: str) -> Record:
    kind = draw(st.sampled_from(TYPES))
    values = VALUES[kind]
    names = draw(st.sets(st.sampled_from(sorted(values)), max_size=4))
    props = {name: draw(st.sampled_from(values[name])) for name in sorted(names)}
    stance = draw(st.sampled_from([None, None, "negated"])) if kind == "Customer" else None
    start = draw(st.sampled_from([0, 0, 5]))
    return record(ref, kind, start=start, may_create=draw(st.booleans()), stance=stance, **props)


@st.composite
def episodes(draw: st.DrawFn, source_id: str) -> RecordGraph:
    made = [draw(records(f"v{number}")) for number in range(draw(st.integers(0, 5)))]
    relations: list[Relation] = []
    for edge_id in EDGES:
        sources = [each.ref for each in made if each.type == edge_id.source]
        targets = [each.ref for each in made if each.type == edge_id.target]
        for _ in range(draw(st.integers(0, 2)) if sources and targets else 0):
            props = {}
            if edge_id.relation == "RAISED" and draw(st.booleans()):
                props["since"] = draw(st.sampled_from([date(2026, 3, 2), date(2026, 3, 3)]))
            if edge_id.relation in ("RAISED", "PARTNERS") and draw(st.booleans()):
                props["role"] = draw(st.sampled_from(["r1", "r2"]))
            stance = draw(st.sampled_from([None, "planned"])) if edge_id.relation == "KNOWS" else None
            ends = draw(st.sampled_from(sources)), draw(st.sampled_from(targets))
            relations.append(relation(edge_id, *ends, stance, **props))
    times = [None, datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 2, 1, tzinfo=UTC)]
    return episode(source_id, *made, *relations, at=draw(st.sampled_from(times)))


@st.composite
def runs(draw: st.DrawFn) -> list[RecordGraph]:
    return [draw(episodes(f"mail-{number}")) for number in range(draw(st.integers(0, 5)))]


def as_bytes(graph: Graph) -> str:
    """Everything that a graph says, in an order of its own."""
    staged = sorted(json.dumps(item.to_json(), sort_keys=True, ensure_ascii=False) for item in graph.staged)
    decisions = sorted(repr(decision) for decision in graph.decisions)
    return json.dumps([graph.to_json(), staged, decisions], ensure_ascii=False)


@settings(max_examples=80, deadline=None)
@given(runs())
def test_entities_edges_and_staged_records_are_those_of_the_naive_oracle(graphs: list[RecordGraph]) -> None:
    graph = resolve(SCHEMA, graphs)
    oracle = NaiveResolution(SCHEMA, graphs, TYPES)
    assert {ident: _ordered_dates(entity.props) for ident, entity in graph.entities.items()} == {
        ident: _ordered_dates(props) for ident, props in oracle.entities().items()
    }
    edges = {ident: (edge.source, edge.target, dict(edge.props)) for ident, edge in graph.edges.items()}
    expected = {ident: (s, t, _typed(props)) for ident, (s, t, props) in oracle.edges().items()}
    assert bool(graph.loops) == any(oracle.is_dropped(mail, relation) for mail, _, relation in oracle.relations)
    assert {ident: (s, t, _typed(props)) for ident, (s, t, props) in edges.items()} == expected
    assert {(item.source_id, item.ref, item.reason) for item in graph.staged} == {
        (source, ref, reason.replace("several owners", "ambiguous")) for source, ref, reason in oracle.staged()
    }


def _typed(props: dict[str, object]) -> dict[str, str]:
    return {name: str(value) for name, value in props.items()}


def _ordered_dates(props: object) -> dict[str, str]:
    assert hasattr(props, "items")
    return {name: str(value) for name, value in props.items()}


@settings(max_examples=50, deadline=None)
@given(runs(), st.randoms(use_true_random=False))
def test_the_order_of_episodes_changes_nothing(graphs: list[RecordGraph], random: object) -> None:
    shuffled = list(graphs)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert as_bytes(resolve(SCHEMA, shuffled)) == as_bytes(resolve(SCHEMA, graphs))


@settings(max_examples=30, deadline=None)
@given(runs())
def test_the_same_episodes_twice_state_nothing_new(graphs: list[RecordGraph]) -> None:
    once, twice = resolve(SCHEMA, graphs), resolve(SCHEMA, [*graphs, *graphs])
    assert twice.to_json() == once.to_json()
    assert set(twice.decisions) == set(once.decisions)


@settings(max_examples=30, deadline=None)
@given(runs())
def test_a_graph_known_already_is_found_again_and_not_changed(graphs: list[RecordGraph]) -> None:
    first = resolve(SCHEMA, graphs)
    again = resolve(SCHEMA, graphs, known=first)
    assert set(again.entities) == set(first.entities)
    assert set(again.edges) >= set(first.edges)
    for ident, entity in again.entities.items():
        for name, value in first.entities[ident].props.items():
            if SCHEMA.vertices[entity.type].properties[name].keep == "latest":
                assert entity.props[name] == value


@settings(max_examples=30, deadline=None)
@given(runs(), st.integers(0, 5))
def test_batches_that_know_the_ones_before_give_the_entities_of_one_run(graphs: list[RecordGraph], cut: int) -> None:
    keyed = [_without(graph, lambda item: item.type != "Company" and _is_keyed(item)) for graph in graphs]
    whole = resolve(SCHEMA, keyed)
    first = resolve(SCHEMA, keyed[:cut])
    second = resolve(SCHEMA, keyed[cut:], known=first)
    assert set(first.entities) | set(second.entities) == set(whole.entities)
    assert set(first.edges) | set(second.edges) == set(whole.edges)


def _is_keyed(item: Record) -> bool:
    key = SCHEMA.vertices[item.type].key
    return all(part.optional or part.property in item.props for part in key.parts)


def _without(graph: RecordGraph, keep: object) -> RecordGraph:
    assert callable(keep)
    kept = tuple(item for item in graph.records if keep(item))
    refs = {item.ref for item in kept}
    relations = tuple(each for each in graph.relations if each.source in refs and each.target in refs)
    return replace(graph, records=kept, relations=relations)


@settings(max_examples=30, deadline=None)
@given(runs())
def test_every_record_and_relation_is_placed_or_staged_and_never_both(graphs: list[RecordGraph]) -> None:
    resolver = Resolver(SCHEMA)
    for graph in graphs:
        resolver.add(graph)
    resolved = resolver.graph()
    staged = [(item.source_id, item.ref) for item in resolved.staged]
    placed_entities, placed_edges = set(), set()
    unplaced = 0
    for graph in graphs:
        placement = resolver.place(graph)
        placed_entities |= set(placement.entities.values())
        placed_edges |= set(placement.edges)
        for each in graph.records:
            assert (each.ref in placement.entities) != ((graph.source_id, each.ref) in staged)
        unplaced += placement.edges.count(None) - sum(
            source == graph.source_id and "->" in ref for source, ref in staged
        )
    assert bool(unplaced) <= bool(resolved.loops)
    assert placed_entities == set(resolved.entities)
    assert placed_edges - {None} == set(resolved.edges)
