"""The suite that every adapter passes: subclass it, say where the store is, run pytest.

    import pytest
    from schemacast.conformance import AdapterConformance

    class TestMyStore(AdapterConformance):
        @pytest.fixture
        def address(self, tmp_path):
            return f"mystore:{tmp_path / 'store'}"

The store at `address` may hold things of others; the suite's own types have names of their own, and what
they left is removed before each test. It needs nothing of an adapter but the interface. The names and
values in it are hostile on purpose: they are legal in a schema file and in a text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Any

import pytest

from schemacast.adapters import Adapter, Counts, Lookup, WriteReport, open_adapter
from schemacast.conformance_graphs import (
    COMPANY,
    HOSTILE_PROPERTY,
    HOSTILE_RELATION,
    HOSTILE_TEXTS,
    HOSTILE_TYPE,
    PERSON,
    SCHEMA,
    TICKET,
    edge,
    graph,
    ident,
    person,
    ticket,
)
from schemacast.graph import Edge, Entity
from schemacast.schema.model import EdgeId


def _assert_holds(store: Adapter, *items: Entity | Edge) -> None:
    held, stated = store.read(), graph(*items)
    assert dict(held.entities) == dict(stated.entities)
    assert dict(held.edges) == dict(stated.edges)


class AdapterConformance:
    """Subclass it and give it an `address` fixture."""

    @pytest.fixture
    def address(self) -> str:
        raise NotImplementedError("override the fixture `address`")

    @pytest.fixture
    def store(self, address: str) -> Iterator[Adapter]:
        with open_adapter(address, SCHEMA) as store:
            store.prepare()
            left = store.read()
            store.remove(left.entities, left.edges)
            yield store

    def test_a_prepared_store_is_empty_and_may_be_prepared_again(self, store: Adapter) -> None:
        store.prepare()
        assert isinstance(store, Adapter)
        _assert_holds(store)

    def test_what_is_written_is_read_back_equal_by_whoever_opens_the_store_next(
        self, store: Adapter, address: str
    ) -> None:
        full = ticket(
            1, severity=3, wait=2.5, vip=True, due=date(2026, 3, 2), opened=datetime(2026, 3, 2, 14, 2, tzinfo=UTC),
            clock=time(14, 2), labels=("b", "a"), scores=(3, 1), type="Ticket",
            visits=(datetime(2026, 3, 2, tzinfo=UTC),),
        )  # fmt: skip
        bare, denied = person(1), person(2, stance="negated", id="not ours")
        handles = edge(1, "HANDLES", bare, full, since=date(2026, 3, 2), role="first")
        planned = edge(2, "REPORTS_TO", bare, denied, stance="planned")
        report = store.write(graph(full, bare, denied, handles, planned))
        assert report == WriteReport(Counts(created=3), Counts(created=2))
        _assert_holds(store, full, bare, denied, handles, planned)
        with open_adapter(address, SCHEMA) as other:
            assert other.read() == store.read()
            assert other.read().schema_ref == SCHEMA.ref

    def test_the_second_write_of_a_graph_changes_nothing(self, store: Adapter) -> None:
        one, two = ticket(1, wait=0.1, labels=("a",), seen=(date(2026, 3, 2), "2024")), person(1, email="é")
        written = graph(one, two, edge(1, "HANDLES", two, one, since=date(2026, 3, 2)))
        store.write(written)
        assert store.write(written) == WriteReport(Counts(unchanged=2), Counts(unchanged=1))

    def test_a_changed_value_is_updated_and_a_property_that_is_gone_is_removed(self, store: Adapter) -> None:
        one, two = ticket(1, severity=3, vip=True), person(1)
        link = edge(1, "HANDLES", two, one, since=date(2026, 3, 2), role="first")
        store.write(graph(one, two, link))
        changed = replace(one, props={"number": "HD-1", "severity": 4})
        shorter = replace(link, props={"since": date(2026, 3, 2)})
        report = store.write(graph(changed, two, shorter))
        assert report == WriteReport(Counts(changed=1, unchanged=1), Counts(changed=1))
        _assert_holds(store, changed, two, shorter)

    def test_what_a_later_graph_does_not_name_stays(self, store: Adapter) -> None:
        one, two = person(1), person(2)
        store.write(graph(one, two, edge(1, "REPORTS_TO", one, two)))
        assert store.write(graph(person(3))) == WriteReport(Counts(created=1))
        _assert_holds(store, one, two, person(3), edge(1, "REPORTS_TO", one, two))

    def test_parallel_edges_stay_apart(self, store: Adapter) -> None:
        one, two = person(1), ticket(1)
        edges = [
            edge(1, "HANDLES", one, two, since=date(2026, 3, 2)),
            edge(2, "HANDLES", one, two, since=date(2026, 3, 3)),
            edge(3, "HANDLES", one, two),
            edge(4, "CITES", one, two),
        ]
        assert store.write(graph(one, two, *edges)).edges == Counts(created=4)
        _assert_holds(store, one, two, *edges)

    def test_directions_are_kept_and_an_edge_may_end_where_it_begins(self, store: Adapter) -> None:
        one, two = person(1), person(2)
        edges = [edge(1, "REPORTS_TO", one, two), edge(2, "REPORTS_TO", two, one), edge(3, "REPORTS_TO", one, one)]
        store.write(graph(one, two, *edges))
        _assert_holds(store, one, two, *edges)

    def test_names_are_data_whatever_they_hold(self, store: Adapter) -> None:
        odd = Entity(ident(7), HOSTILE_TYPE, {HOSTILE_PROPERTY: "x"})
        one = person(1)
        link = edge(1, HOSTILE_RELATION, odd, one, **{HOSTILE_PROPERTY: "y"})
        store.write(graph(odd, one, link))
        _assert_holds(store, odd, one, link)
        assert store.look_up([Lookup(HOSTILE_TYPE, {HOSTILE_PROPERTY: "x"})]) == [[odd]]

    @pytest.mark.parametrize("text", HOSTILE_TEXTS, ids=lambda text: ascii(text)[:24])
    def test_texts_are_data_whatever_they_hold(self, store: Adapter, text: str) -> None:
        one, two = ticket(1, type=text, labels=(text, "x")), person(1)
        link = edge(1, "HANDLES", two, one, role=text)
        assert store.write(graph(one, two, link)).refused == ()
        _assert_holds(store, one, two, link)

    def test_numbers_keep_their_type_and_all_their_digits(self, store: Adapter) -> None:
        items = [ticket(1, severity=2**63 - 1, wait=0.1), ticket(2, severity=-(2**63), wait=1e300), ticket(3, wait=5.0)]
        store.write(graph(*items))
        _assert_holds(store, *items)
        held = store.read().entities[items[2].id].props["wait"]
        assert isinstance(held, float)

    def test_a_partial_date_stands_beside_full_ones_and_gives_way_to_one(self, store: Adapter) -> None:
        vague = ticket(1, due="2024-03", opened="2024-03-02", seen=(date(2026, 1, 2), "2024", "2025-01"))
        other = ticket(2, due=date(2024, 3, 2), opened=datetime(2024, 3, 2, tzinfo=UTC), seen=("2024",))
        store.write(graph(vague, other))
        _assert_holds(store, vague, other)
        exact = ticket(1, due=date(2024, 3, 2), opened="2024", seen=(date(2026, 1, 2),))
        assert store.write(graph(exact)) == WriteReport(Counts(changed=1))
        _assert_holds(store, exact, other)

    def test_an_instant_is_one_value_in_whatever_zone_it_is_given(self, store: Adapter) -> None:
        moment = datetime(2026, 1, 11, 0, 0, 0, 123456, tzinfo=UTC)
        oslo = moment.astimezone(timezone(timedelta(hours=1)))
        store.write(graph(ticket(1, opened=oslo)))
        held = store.read().entities[ticket(1).id].props["opened"]
        assert isinstance(held, datetime)
        assert held.isoformat() == moment.isoformat()
        assert store.write(graph(ticket(1, opened=moment))) == WriteReport(Counts(unchanged=1))

    def test_an_entity_is_found_by_its_id_and_by_ids_it_had(self, store: Adapter) -> None:
        merged, other = person(1, aliases=(ident(50), ident(51))), person(2)
        store.write(graph(merged, other))
        assert store.entities([ident(51), ident(2), ident(99)]) == {ident(51): merged, ident(2): other}
        assert store.entities([]) == {}
        late = edge(1, "REPORTS_TO", other, person(50))
        assert store.write(graph(late)) == WriteReport(edges=Counts(created=1))
        assert store.edges([late.id, ident(98)]) == {late.id: replace(late, target=merged.id)}
        assert store.write(graph(late)) == WriteReport(edges=Counts(unchanged=1))

    def test_look_ups_answer_in_order_with_every_entity_that_fits(self, store: Adapter) -> None:
        one = person(1, email="Ada@X.org", name="Ada", city="Oslo")
        two = person(2, email="ada@x.org", name="Ada", city="Hald", stance="negated")
        three = person(3, name="e\u0301va")
        same_values = ticket(1, type="Ada")
        store.write(graph(one, two, three, same_values))
        asked = [
            Lookup(PERSON, {"handle": "h2"}),
            Lookup(PERSON, {"email": "ADA@X.ORG"}),
            Lookup(PERSON, {"name": "Ada", "city": "Oslo"}),
            Lookup(PERSON, {"city": "Oslo", "name": "Ada"}),
            Lookup(PERSON, {"name": "Ada"}),
            Lookup(PERSON, {"name": "ada"}),
            Lookup(PERSON, {"name": " \u00e9va "}),
            Lookup(TICKET, {"number": "HD-1"}),
            Lookup(TICKET, {"number": "HD-2"}),
        ]
        assert store.look_up(asked) == [[two], [one, two], [one], [one], [one, two], [], [three], [same_values], []]
        assert store.look_up([]) == []

    def test_a_look_up_by_likeness_compares_folded_names(self, store: Adapter) -> None:
        company = Entity(ident(5), COMPANY, {"name": "İzmir  Liman"})
        store.write(graph(company))
        folded, exact = Lookup(COMPANY, {"name": "İZMİR LİMAN"}, "match"), Lookup(COMPANY, {"name": "İZMİR LİMAN"})
        assert store.look_up([folded, exact]) == [[company], []]

    def test_the_entities_of_a_type_are_read_with_those_of_others_at_least(self, store: Adapter) -> None:
        one, two, ours = person(1, name="Ada", aliases=(ident(50),)), person(2), person(3, stance="negated")
        store.write(graph(one, ticket(1)))
        store.write(graph(two, one), workspace="w1")
        store.write(graph(ours), workspace="w2")
        assert {each.id: each for each in store.of_type(PERSON)} == {each.id: each for each in (one, two, ours)}
        others = {each.id for each in store.of_type(PERSON, besides="w2")}
        assert {one.id, two.id} <= others <= {one.id, two.id, ours.id}
        assert list(store.of_type(COMPANY)) == []

    def test_a_look_up_sees_what_was_written_and_removed_last(self, store: Adapter) -> None:
        question = [Lookup(PERSON, {"email": "a@x.org"}), Lookup(PERSON, {"email": "b@x.org"})]
        assert store.look_up(question) == [[], []]
        store.write(graph(person(1, email="a@x.org")))
        assert store.look_up(question) == [[person(1, email="a@x.org")], []]
        store.write(graph(person(1, email="b@x.org")))
        assert store.look_up(question) == [[], [person(1, email="b@x.org")]]
        store.remove([person(1).id])
        assert store.look_up(question) == [[], []]

    def test_an_edge_finds_an_end_that_was_written_before_and_is_counted_without_one(self, store: Adapter) -> None:
        one, two = person(1), person(2)
        store.write(graph(one))
        found, lost = edge(1, "REPORTS_TO", two, one), edge(2, "REPORTS_TO", one, person(3))
        report = store.write(graph(two, found, lost))
        assert report == WriteReport(Counts(created=1), Counts(created=1), missing_ends=1)
        _assert_holds(store, one, two, found)
        assert store.write(graph(person(3), lost)).edges == Counts(created=1)

    def test_an_edge_whose_ends_moved_leaves_nothing_at_its_old_ends(self, store: Adapter) -> None:
        one, two, three = person(1), person(2), person(3)
        link = edge(1, "REPORTS_TO", one, two)
        store.write(graph(one, two, three, link))
        moved = replace(link, source=three.id)
        assert store.write(graph(moved)).edges == Counts(changed=1)
        _assert_holds(store, one, two, three, moved)

    @pytest.mark.parametrize(
        "props",
        [
            {"wait": float("nan")},
            {"wait": float("inf")},
            {"type": "\ud800"},
            {"type": {"k": 1}},
            {"type": None},
            {"type": 5},
            {"severity": "5"},
            {"severity": True},
            {"labels": ("a", 1)},
            {"labels": ("a", None)},
            {"due": "soon"},
            {"opened": datetime(2026, 1, 11)},  # without a zone
            {"undeclared": "x"},
        ],
        ids=lambda props: ascii(props)[:40],
    )
    def test_what_cannot_be_held_is_refused_by_name_and_the_rest_is_written(
        self, store: Adapter, props: dict[str, Any]
    ) -> None:
        one, two, wrong = person(1), ticket(2), ticket(1, **props)
        links = [edge(1, "HANDLES", one, wrong), edge(2, "HANDLES", one, two)]
        report = store.write(graph(one, wrong, two, *links))
        assert [refusal.id for refusal in report.refused] == [wrong.id]
        assert next(iter(props)) in report.refused[0].reason
        assert (report.vertices, report.edges, report.missing_ends) == (Counts(created=2), Counts(created=1), 1)
        _assert_holds(store, one, two, links[1])

    def test_types_that_the_schema_lacks_are_refused(self, store: Adapter) -> None:
        one = person(1)
        odd, link = Entity(ident(8), "Nobody", {}), Edge(ident(9), EdgeId(PERSON, PERSON, "NOTHING"), one.id, one.id)
        assert {refusal.id for refusal in store.write(graph(one, odd, link)).refused} == {odd.id, link.id}
        _assert_holds(store, one)

    def test_a_removed_entity_takes_its_edges_and_a_removed_edge_only_itself(self, store: Adapter) -> None:
        one, two, three = person(1), person(2), person(3)
        edges = [
            edge(1, "REPORTS_TO", one, two),
            edge(2, "REPORTS_TO", two, one),
            edge(3, "REPORTS_TO", one, one),
            edge(4, "REPORTS_TO", two, three),
            edge(5, "REPORTS_TO", three, two),
        ]
        store.write(graph(one, two, three, *edges))
        report = store.remove([one.id, ident(99)], [edges[3].id, ident(98)])
        assert report == WriteReport(Counts(removed=1), Counts(removed=4))
        _assert_holds(store, two, three, edges[4])
        assert store.remove([one.id], [edges[0].id]) == WriteReport()

    def test_what_two_workspaces_support_goes_with_the_last_of_them(self, store: Adapter) -> None:
        one, two = person(1), person(2)
        link = edge(1, "REPORTS_TO", one, two)
        store.write(graph(one, two, link), workspace="w1")
        report = store.write(graph(one, two, link), workspace="w2")
        assert (report.vertices.created, report.edges.created) == (0, 0)
        assert store.write(graph(one, two, link), workspace="w1") == WriteReport(
            Counts(unchanged=2), Counts(unchanged=1)
        )
        assert store.write(graph(one, two, link), workspace="w2") == WriteReport(
            Counts(unchanged=2), Counts(unchanged=1)
        )
        assert store.remove([one.id], workspace="w3") == WriteReport()
        assert store.remove([one.id], [link.id], workspace="w1") == WriteReport(Counts(changed=1), Counts(changed=1))
        _assert_holds(store, one, two, link)
        assert store.remove([one.id], workspace="w2") == WriteReport(Counts(removed=1), Counts(removed=1))
        _assert_holds(store, two)
        store.write(graph(one), workspace="w1")
        assert store.remove([one.id, two.id]) == WriteReport(Counts(removed=2))

    def test_a_workspace_takes_back_what_it_said_and_nothing_else(self, store: Adapter) -> None:
        first = person(1, name="Ada", city="Oslo", aliases=(ident(50),))
        second = person(1, name="Ada Lind", email="a@x", aliases=(ident(51),))
        other, ticket_1 = person(2), ticket(1, due="2024-03", opened=datetime(2024, 3, 2, tzinfo=UTC), seen=("2024",))
        exact = ticket(1, due=date(2024, 3, 2), labels=("a",))
        ours, theirs = (
            edge(1, "HANDLES", first, ticket_1, role=role, since=date(2024, 3, 2)) for role in ("first", "second")
        )
        store.write(graph(first, ticket_1, ours, other), workspace="w1")
        store.write(graph(second, exact, theirs), workspace="w2")
        both = person(1, name="Ada Lind", city="Oslo", email="a@x", aliases=(ident(50), ident(51)))
        dated = ticket(1, due=date(2024, 3, 2), opened=ticket_1.props["opened"], seen=("2024",), labels=("a",))
        _assert_holds(store, both, dated, theirs, other)
        assert store.entities([ident(50), ident(51)]) == {ident(50): both, ident(51): both}
        without_mail = person(1, name="Ada Lind", aliases=(ident(51),))
        assert store.write(graph(without_mail), workspace="w2") == WriteReport(Counts(changed=1))
        assert store.look_up([Lookup(PERSON, {"email": "a@x"})]) == [[]]
        store.remove([second.id, exact.id], workspace="w2")
        _assert_holds(store, first, ticket_1, ours, other)

    def test_what_was_written_without_a_workspace_is_taken_away_by_none(self, store: Adapter) -> None:
        one = person(1, name="Ada")
        store.write(graph(one))
        store.write(graph(person(1, city="Oslo")), workspace="w1")
        store.remove([one.id], workspace="w1")
        _assert_holds(store, one)
        assert store.remove([one.id], workspace="w1") == WriteReport()
        assert store.remove([one.id]) == WriteReport(Counts(removed=1))

    def test_a_large_graph_is_written_whole(self, store: Adapter) -> None:
        people = [person(number, name="Ada") for number in range(2_500)]
        edges = [edge(number, "REPORTS_TO", people[number], people[number // 2]) for number in range(2_500)]
        written = graph(*people, *edges)
        assert store.write(written) == WriteReport(Counts(created=2_500), Counts(created=2_500))
        assert store.write(written) == WriteReport(Counts(unchanged=2_500), Counts(unchanged=2_500))
        _assert_holds(store, *people, *edges)
        assert len(store.entities(each.id for each in people)) == 2_500
        assert len(store.look_up([Lookup(PERSON, {"name": "Ada"})])[0]) == 2_500

    def test_an_empty_graph_may_be_written(self, store: Adapter) -> None:
        assert store.write(graph()) == WriteReport()
        _assert_holds(store)

    def test_closing_twice_is_fine(self, address: str) -> None:
        store = open_adapter(address, SCHEMA)
        store.prepare()
        store.close()
        store.close()
