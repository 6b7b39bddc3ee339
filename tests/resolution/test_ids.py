"""Ids are pinned: another program computes the same from the same recipe."""

from __future__ import annotations

from datetime import date

from record_graphs import episode, record, relation

from schemacast.resolution.ids import edge_hash, entity_id, founded_id
from schemacast.resolution.resolve import Resolver
from schemacast.schema.load import parse_schema
from schemacast.schema.model import EdgeId

HELPDESK = """
name: helpdesk
version: 3.1.4
vertices:
  Customer: {key: account, properties: {account: string}}
  Agent: {key: handle, properties: {handle: string}}
  Shift: {within: WORKED, key: [day, part?], properties: {day: date, part: string}}
  Escalation: {key: minted, properties: {reason: string}}
  Ticket: {key: number, properties: {number: string}}
edges:
  RAISED: {source: Customer, target: Ticket}
  HANDLES: {source: Agent, target: Ticket, key: [since?], properties: {since: date}}
  WORKED: {source: Agent, target: Shift}
"""
RAISED, HANDLES = EdgeId("Customer", "Ticket", "RAISED"), EdgeId("Agent", "Ticket", "HANDLES")


def test_the_ids_of_a_resolved_graph_are_those_of_the_recipe() -> None:
    resolver = Resolver(parse_schema(HELPDESK))
    mail = episode(
        "mail-1",
        record("t", "Ticket", number=" HD-2 "),
        record("c", "Customer", account="ACC-1"),
        record("a", "Agent", handle="kari"),
        record("s", "Shift", day=date(2026, 3, 2)),
        record("e", "Escalation", start=34, reason="late"),
        relation(RAISED, "c", "t"),
        relation(HANDLES, "a", "t", since=date(2026, 3, 2)),
        relation(EdgeId("Agent", "Shift", "WORKED"), "a", "s"),
    )
    resolver.add(mail)
    placement = resolver.place(mail)
    assert placement.entities["t"] == "219ea9796844de10692f6ba5f0dee54a"
    assert placement.entities["s"] == "b4000c1f5097883cee50ab4962df31fc"
    assert placement.entities["e"] == "327b0b749ce5c3b5f6d5728e67155e53"
    assert placement.edges[0] == "ec0a43327091cbd140021c474e06cc6a"
    assert placement.edges[1] == "d78d59677138778ab236f99b59dd6c33"


def test_the_recipe_itself_gives_the_pinned_ids() -> None:
    ticket, kari = entity_id("helpdesk", "Ticket", ["HD-2"]), entity_id("helpdesk", "Agent", ["kari"])
    assert ticket == "219ea9796844de10692f6ba5f0dee54a"
    assert entity_id("helpdesk", "Shift", [kari, "2026-03-02", None]) == "b4000c1f5097883cee50ab4962df31fc"
    assert founded_id("helpdesk", "Escalation", "minted", "mail-1", 34, 0) == "327b0b749ce5c3b5f6d5728e67155e53"
    account = entity_id("helpdesk", "Customer", ["ACC-1"])
    assert edge_hash("helpdesk", RAISED, account, ticket, [], None) == "ec0a43327091cbd140021c474e06cc6a"
    assert edge_hash("helpdesk", HANDLES, kari, ticket, ["2026-03-02"], None) == "d78d59677138778ab236f99b59dd6c33"


def test_a_stance_is_a_fifth_part_and_none_is_no_part() -> None:
    plain = entity_id("helpdesk", "Ticket", ["HD-2"])
    assert entity_id("helpdesk", "Ticket", ["HD-2"], stance=None) == plain
    assert entity_id("helpdesk", "Ticket", ["HD-2"], stance="negated") != plain


def test_parts_are_kept_apart_whatever_they_hold() -> None:
    values = [['a","b'], ["a", "b"], ['a"', '"b'], ["a", None], ["a", "null"], ["a"], []]
    assert len({entity_id("s", "T", each) for each in values}) == len(values)


def test_minted_records_at_one_place_are_counted_from_zero() -> None:
    resolver = Resolver(parse_schema(HELPDESK))
    mail = episode(
        "m", *(record(ref, "Escalation", start=start, reason="r") for ref, start in [("a", 3), ("b", 3), ("c", 9)])
    )
    resolver.add(mail)
    expected = [founded_id("helpdesk", "Escalation", "minted", "m", *place) for place in [(3, 0), (3, 1), (9, 0)]]
    assert list(resolver.place(mail).entities.values()) == expected


def test_what_the_source_states_is_minted_without_a_start() -> None:
    resolver = Resolver(parse_schema(HELPDESK))
    mail = episode("m", record("a", "Escalation", start=None), record("b", "Escalation", start=None))
    resolver.add(mail)
    expected = [founded_id("helpdesk", "Escalation", "minted", "m", None, n) for n in (0, 1)]
    assert list(resolver.place(mail).entities.values()) == expected
