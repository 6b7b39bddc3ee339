"""The rules of resolution, one by one."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
from record_graphs import episode, record, relation

from schemacast.errors import UnknownNameError, UsageError
from schemacast.graph import Decision, Entity, Graph
from schemacast.records import RecordGraph
from schemacast.resolution.resolve import Resolver, resolve
from schemacast.schema.load import parse_schema
from schemacast.schema.model import EdgeId, Schema

SCHEMA = parse_schema(
    """
name: test
vertices:
  Customer:
    key: account
    alternates: [email, [name, city]]
    stances: [negated]
    properties: {account: string, email: {type: string, match: code}, name: string, city: string, born: string}
  Part: {key: [maker, code, mark?], properties: {maker: string, code: {type: string, match: code}, mark: string}}
  Company: {key: {match: [name]}, properties: {name: {type: string, match: name}, size: string}}
  Ship: {key: {match: [name]}, properties: {name: {type: string, match: name}}}
  Term: {key: {match: [name]}, properties: {name: {type: string, match: name}}}
  Product: {key: name, properties: {name: string}}
  Release: {within: RELEASE_OF, key: number, properties: {number: string}}
  Test: {within: [OF, ON], key: [day?], properties: {day: date}}
  Escalation: {key: minted, alternates: [code], properties: {reason: string, code: string}}
  Person: {key: name, properties: {name: string}}
edges:
  RELEASE_OF:
    - {source: Release, target: Product}
    - {source: Release, target: Customer}
  OF: {source: Test, target: Product}
  ON: {source: Ship, target: Test}
  REPORTS_TO: {source: Person, target: Person, stances: [planned], properties: {role: string}}
  MEETS: {source: Person, target: Person, symmetric: true, key: [day], properties: {day: date, room: string}}
  CALLS: {source: Person, target: Person}
  CITES: {source: Person, target: Person}
  OWNS: {source: Customer, target: Person}
  RAISED: {source: Customer, target: Escalation}
"""
)
RELEASE_OF = EdgeId("Release", "Product", "RELEASE_OF")
RELEASE_FOR = EdgeId("Release", "Customer", "RELEASE_OF")
OF, ON = EdgeId("Test", "Product", "OF"), EdgeId("Ship", "Test", "ON")
OWNS, RAISED = EdgeId("Customer", "Person", "OWNS"), EdgeId("Customer", "Escalation", "RAISED")
MEETS = EdgeId("Person", "Person", "MEETS")


def people(name: str) -> EdgeId:
    return EdgeId("Person", "Person", name)


def run(*graphs: RecordGraph, **options: Any) -> Graph:
    return resolve(SCHEMA, graphs, **options)


def types(graph: Graph) -> list[str]:
    return sorted(entity.type for entity in graph.entities.values())


def reasons(graph: Graph) -> list[tuple[str, str, str]]:
    return [(item.source_id, item.ref, item.reason) for item in graph.staged]


def only(graph: Graph) -> Entity:
    (entity,) = graph.entities.values()
    return entity


def named(kind: str, *names: str) -> Graph:
    return run(*(episode(f"m{number}", record("v", kind, name=name)) for number, name in enumerate(names)))


# --- keys


def test_a_key_is_equal_after_trimming_and_composing_and_else_exactly() -> None:
    assert len(named("Person", "Ada", " Ada ", "ada").entities) == 2
    graph = named("Person", "e\u0301va ", "\u00e9va")
    assert only(graph).props == {"name": "\u00e9va"}


def test_all_parts_of_a_key_are_needed_but_an_optional_one_whose_absence_is_a_value() -> None:
    graph = run(
        episode(
            "m",
            record("a", "Part", maker="O", code="1"),
            record("b", "Part", maker="O", code="1", mark="x"),
            record("c", "Part", maker="O", mark="x"),
            record("d", "Part"),
        )
    )
    assert len(graph.entities) == 2
    assert reasons(graph) == [("m", "c", "partial_key"), ("m", "d", "no_key")]
    assert graph.staged[0].values == {"maker": "O", "mark": "x"}


def test_a_code_in_a_key_ignores_case_and_separators_and_shows_its_first_form() -> None:
    earlier, later = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 2, tzinfo=UTC)
    graphs = [
        episode("a", record("v", "Part", maker="O", code="hd 2"), at=later),
        episode("b", record("v", "Part", maker="O", code="HD-2"), at=earlier),
    ]
    assert only(run(*graphs)).props["code"] == only(run(*reversed(graphs))).props["code"] == "HD-2"


def test_a_blank_key_is_no_key() -> None:
    assert reasons(named("Person", "  ")) == [("m0", "v", "no_key")]


def test_different_types_never_merge_and_no_edge_of_either_is_lost() -> None:
    graph = run(episode("m", record("c", "Company", name="Orvik"), record("s", "Ship", name="Orvik")))
    assert types(graph) == ["Company", "Ship"]


def test_a_stance_is_part_of_the_identity() -> None:
    graph = run(
        episode(
            "m",
            record("a", "Customer", account="A1", email="a@x"),
            record("b", "Customer", stance="negated", account="A1"),
            record("c", "Customer", stance="negated", email="a@x"),
        )
    )
    assert sorted(str(entity.stance) for entity in graph.entities.values()) == ["None", "negated"]
    assert reasons(graph) == [("m", "c", "unmatched")]


# --- within


def test_a_release_is_identified_inside_its_product() -> None:
    mail = episode(
        "m",
        record("r1", "Release", number="4.2"),
        record("r2", "Release", number="4.2"),
        record("p1", "Product", name="Mail"),
        record("p2", "Product", name="Sync"),
        relation(RELEASE_OF, "r1", "p1"),
        relation(RELEASE_OF, "r2", "p2"),
    )
    assert types(run(mail)) == ["Product", "Product", "Release", "Release"]
    assert len(run(mail).edges) == 2


def test_an_owner_may_be_found_by_an_alternate_that_a_later_episode_explains() -> None:
    release = episode(
        "m1",
        record("r", "Release", number="4.2"),
        record("c", "Customer", email="A@x"),
        relation(RELEASE_FOR, "r", "c"),
    )
    direct = episode(
        "m2",
        record("r", "Release", number="4.2"),
        record("c", "Customer", account="A1", email="a@x"),
        relation(RELEASE_FOR, "r", "c"),
    )
    graph = run(release, direct)
    assert types(graph) == ["Customer", "Release"]
    assert len(graph.edges) == 1
    assert graph.staged == ()
    assert reasons(run(release)) == [("m1", "r", "held"), ("m1", "c", "unmatched"), ("m1", "r->c", "held")]


def test_without_an_owner_the_key_is_partial_and_with_a_staged_one_the_record_is_held() -> None:
    graph = run(
        episode(
            "m",
            record("r1", "Release", number="4.2"),
            record("r2", "Release", number="4.2"),
            record("p", "Product"),
            relation(RELEASE_OF, "r2", "p"),
        )
    )
    assert reasons(graph) == [
        ("m", "r1", "partial_key"),
        ("m", "r2", "held"),
        ("m", "p", "no_key"),
        ("m", "r2->p", "held"),
    ]


def test_several_owners_by_one_relation_are_ambiguous_unless_they_are_one_entity() -> None:
    def mail(*names: str) -> RecordGraph:
        products = [record(f"p{number}", "Product", name=name) for number, name in enumerate(names)]
        relations = [relation(RELEASE_OF, "r", product.ref) for product in products]
        return episode("m", record("r", "Release", number="4.2"), *products, *relations)

    assert types(run(mail("Mail", "Mail "))) == ["Product", "Release"]
    graph = run(mail("Mail", "Sync"))
    assert types(graph) == ["Product", "Product"]
    (staged,) = (item for item in graph.staged if item.type == "Release")
    single = [run(mail(name)) for name in ("Mail", "Sync")]
    assert staged.reason == "ambiguous"
    assert set(staged.candidates) == {
        entity.id for each in single for entity in each.entities.values() if entity.type == "Release"
    }


def test_a_fact_is_identified_by_all_that_it_joins_in_the_order_declared() -> None:
    def mail(ship: str, product: str, *, day: date | None = None, joined: bool = True) -> RecordGraph:
        test = record("t", "Test", **({"day": day} if day else {}))
        joins = [relation(ON, "s", "t")] if joined else []
        return episode(
            f"m-{ship}{product}{day}",
            test,
            record("s", "Ship", name=ship),
            record("p", "Product", name=product),
            relation(OF, "t", "p"),
            *joins,
        )

    one_day = date(2026, 3, 2)
    graph = run(mail("A", "P"), mail("a", "P"), mail("A", "Q"), mail("B", "P"), mail("A", "P", day=one_day))
    assert types(graph).count("Test") == 4
    assert ("m-APNone", "t", "partial_key") in reasons(run(mail("A", "P", joined=False)))


# --- alternates


def test_an_alternate_finds_the_one_entity_that_states_it_and_adds_to_it() -> None:
    graph = run(
        episode("m1", record("c", "Customer", email="A-da@x", city="Oslo")),
        episode("m2", record("c", "Customer", account="A1", email="ada@x")),
    )
    assert only(graph).props == {"account": "A1", "city": "Oslo", "email": "ada@x"}
    assert graph.staged == ()


def test_an_alternate_that_nobody_or_several_have_is_staged() -> None:
    graph = run(
        episode(
            "m1", record("a", "Customer", account="A1", email="x"), record("b", "Customer", account="A2", email="X")
        ),
        episode("m2", record("c", "Customer", email="x"), record("d", "Customer", email="y")),
        episode("m3", record("p", "Person", name="Ada"), record("c", "Customer", email="y"), relation(OWNS, "c", "p")),
    )
    assert reasons(graph) == [
        ("m2", "c", "ambiguous"),
        ("m2", "d", "unmatched"),
        ("m3", "c", "unmatched"),
        ("m3", "c->p", "held"),
    ]
    customers = sorted(entity.id for entity in graph.entities.values() if entity.type == "Customer")
    assert list(graph.staged[0].candidates) == customers
    assert graph.edges == {}


def test_a_record_found_by_one_alternate_lends_its_other_one() -> None:
    chain = [
        episode("m1", record("c", "Customer", name="Ada", city="Oslo")),
        episode("m2", record("c", "Customer", email="x", name="Ada", city="Oslo")),
        episode("m3", record("c", "Customer", account="A1", email="x")),
    ]
    assert len(run(*chain).entities) == 1
    assert run(*chain).staged == ()


def test_what_a_keyed_record_states_is_not_made_ambiguous_by_what_was_only_found() -> None:
    graph = run(
        episode(
            "m1",
            record("a", "Customer", account="A1", email="x"),
            record("b", "Customer", account="A2", name="N", city="C"),
        ),
        episode(
            "m2", record("c", "Customer", email="x", name="N", city="C"), record("d", "Customer", name="N", city="C")
        ),
    )
    assert reasons(graph) == [("m2", "c", "ambiguous")]


def test_a_record_whose_part_of_the_key_is_another_is_not_found_by_an_alternate() -> None:
    schema = parse_schema(
        """
        name: t
        vertices:
          T: {key: [a, b], alternates: [c], properties: {a: string, b: string, c: string}}
        """
    )
    graphs = [episode("m1", record("v", "T", a="1", b="2", c="x"))]
    same, other = episode("m2", record("v", "T", a="1", c="x")), episode("m2", record("v", "T", a="9", c="x"))
    assert reasons(resolve(schema, [*graphs, same])) == []
    assert reasons(resolve(schema, [*graphs, other])) == [("m2", "v", "unmatched")]


# --- minted, match


def test_a_minted_type_is_made_by_each_text_and_a_mention_waits_for_an_alternate() -> None:
    mention = record("a", "Escalation", may_create=False, reason="late")
    found = record("b", "Escalation", may_create=False, code="E1")
    graph = run(
        episode("m1", record("a", "Escalation", reason="late"), record("b", "Escalation", reason="late")),
        episode("m2", mention, record("c", "Customer", account="A1"), relation(RAISED, "c", "a")),
        episode("m3", record("a", "Escalation", start=7, code="E1"), found),
    )
    assert types(graph).count("Escalation") == 3
    assert reasons(graph) == [("m2", "a", "keyless_reference"), ("m2", "c->a", "held")]


def test_a_mention_with_a_complete_key_creates() -> None:
    assert len(run(episode("m", record("p", "Person", may_create=False, name="Ada"))).entities) == 1


@pytest.mark.parametrize(
    ("names", "entities"),
    [
        (["DGQA", "DGQA"], 1),
        (["Orvik  AS", "ORVIK AS "], 1),
        (["İzmir Liman İşletmesi", "İZMİR LİMAN İŞLETMESİ", "Işık AS", "İşik AS"], 3),
        (["C", "C++", "C#", ".NET", "Net"], 5),
        (["Harbour Safety Circular HC-2023-052", "Harbour Safety Circular HC-2023-053"], 2),
        (["Northgate Terminal Building 11", "Northgate Terminal Building 12"], 2),
    ],
)
def test_names_are_joined_when_they_are_equal_but_for_case_and_spaces(names: list[str], entities: int) -> None:
    assert len(named("Term", *names).entities) == entities


def test_joining_by_equality_is_a_decision_that_names_the_records() -> None:
    graph = named("Company", "Orvik", "Hald", "orvik")
    (decision,) = graph.decisions
    assert (decision.records, decision.by, decision.score) == ((("m0", "v"), ("m2", "v")), "equal", 1.0)
    assert graph.entities[decision.entity].props["name"] == "Orvik"


def test_the_founder_of_a_joined_entity_does_not_depend_on_the_order() -> None:
    graphs = [episode(name, record("v", "Company", start=start, name="Orvik")) for name, start in [("b", 1), ("a", 9)]]
    assert set(run(*graphs).entities) == set(run(*reversed(graphs)).entities)


def test_ids_given_in_an_earlier_run_stand() -> None:
    first = named("Company", "Orvik", "Brevik")
    later = [
        episode("a-earlier", record("v", "Company", name="ORVIK", size="big")),
        episode("z", record("v", "Company", name="Hald")),
    ]
    second = run(*later, known=first)
    orvik = next(entity.id for entity in first.entities.values() if entity.props["name"] == "Orvik")
    assert second.entities[orvik].props == {"name": "Orvik", "size": "big"}
    assert len(set(second.entities) - set(first.entities)) == 1
    assert [(item.records, item.entity) for item in second.decisions] == [((("a-earlier", "v"),), orvik)]


def test_ids_stand_by_an_earlier_decision_too() -> None:
    earlier = Decision((("m0", "v"), ("gone", "v")), "f" * 32, "equal")
    graph = resolve(SCHEMA, [episode("m0", record("v", "Company", name="Orvik"))], decisions=[earlier])
    assert list(graph.entities) == ["f" * 32]


def test_a_person_may_place_a_record_that_nothing_else_places() -> None:
    graphs = [
        episode("m1", record("c", "Customer", account="A1")),
        episode("m2", record("c", "Customer", city="Oslo")),
    ]
    account = next(iter(run(graphs[0]).entities))
    graph = run(*graphs, decisions=[Decision((("m2", "c"),), account, "person")])
    assert only(graph).props == {"account": "A1", "city": "Oslo"}
    assert reasons(run(*graphs)) == [("m2", "c", "no_key")]


# --- known


def known_graph(*entities: Entity) -> Graph:
    return Graph(SCHEMA.ref, {entity.id: entity for entity in entities}, schema=SCHEMA)


def test_a_known_entity_is_found_by_alternate_and_keeps_what_it_had() -> None:
    known = known_graph(Entity("k1", "Customer", {"account": "A1", "email": "A-da@x", "born": "1950"}))
    graph = run(episode("m", record("c", "Customer", email="ada@x", city="Oslo")), known=known)
    assert graph.entities == {
        "k1": Entity("k1", "Customer", {"account": "A1", "born": "1950", "city": "Oslo", "email": "ada@x"})
    }


def test_a_known_entity_and_one_of_the_batch_make_an_alternate_ambiguous() -> None:
    known = known_graph(Entity("k1", "Customer", {"account": "A1", "email": "x"}))
    graph = run(
        episode("m", record("a", "Customer", account="A2", email="x"), record("b", "Customer", email="x")), known=known
    )
    assert reasons(graph) == [("m", "b", "ambiguous")]
    assert "k1" in graph.staged[0].candidates


def test_an_id_that_became_an_alias_is_followed() -> None:
    old = only(named("Person", "Ada")).id
    known = known_graph(Entity("merged", "Person", {"name": "Ada Lind"}, aliases=(old,)))
    graph = named("Person", "Ada")
    assert only(run(episode("m", record("v", "Person", name="Ada")), known=known)).id == "merged"
    assert only(run(episode("m", record("v", "Person", name="Ada")), known=known)).aliases == (old,)
    assert only(graph).id == old


def test_an_entity_known_by_its_key_under_another_id_keeps_that_id() -> None:
    known = known_graph(Entity("loaded", "Person", {"name": "Ada"}))
    assert only(run(episode("m", record("v", "Person", name="Ada")), known=known)).id == "loaded"


def test_what_is_known_and_not_touched_is_not_in_the_graph() -> None:
    known = known_graph(Entity("k1", "Person", {"name": "Ada"}))
    assert run(known=known).entities == {}


def test_an_edge_that_was_known_keeps_the_properties_it_had() -> None:
    ada = record("a", "Person", name="Ada")
    first = run(episode("m1", ada, relation(people("REPORTS_TO"), "a", "a", role="chair")))
    second = run(episode("m2", ada, relation(people("REPORTS_TO"), "a", "a")), known=first)
    assert second.edges == first.edges


# --- edges


def test_an_edge_may_end_where_it_begins() -> None:
    graph = run(episode("m", record("a", "Person", name="Ada Lind"), relation(people("REPORTS_TO"), "a", "a")))
    (edge,) = graph.edges.values()
    assert edge.source == edge.target


def test_direction_relation_and_stance_keep_edges_apart() -> None:
    mail = episode(
        "m",
        record("a", "Person", name="A"),
        record("b", "Person", name="B"),
        relation(people("CALLS"), "a", "b"),
        relation(people("CITES"), "a", "b"),
        relation(people("CALLS"), "b", "a"),
        relation(people("REPORTS_TO"), "a", "b"),
        relation(people("REPORTS_TO"), "a", "b", "planned"),
        relation(people("CALLS"), "a", "b"),
    )
    assert len(run(mail).edges) == 5


def test_a_symmetric_edge_has_one_direction_whichever_way_it_is_stated() -> None:
    one, two = date(2026, 3, 2), date(2026, 3, 3)
    mail = episode(
        "m",
        record("a", "Person", name="A"),
        record("b", "Person", name="B"),
        relation(MEETS, "a", "b", day=one, room="1"),
        relation(MEETS, "b", "a", day=one),
        relation(MEETS, "b", "a", day=two),
        relation(MEETS, "a", "b", room="2"),
    )
    graph = run(mail)
    assert sorted(str(edge.props) for edge in graph.edges.values()) == sorted(
        [str({"day": one, "room": "1"}), str({"day": two})]
    )
    assert all(edge.source < edge.target for edge in graph.edges.values())
    assert reasons(graph) == [("m", "a->b", "partial_key")]


def test_ends_that_turn_out_to_be_one_entity_make_one_edge() -> None:
    graph = run(
        episode("m1", record("c", "Customer", email="x"), record("p", "Person", name="A"), relation(OWNS, "c", "p")),
        episode(
            "m2",
            record("c", "Customer", account="A1", email="x"),
            record("p", "Person", name="A"),
            relation(OWNS, "c", "p"),
        ),
    )
    assert len(graph.edges) == 1


# --- the whole


def test_a_later_record_without_a_property_does_not_erase_it() -> None:
    graph = run(
        episode("e1", record("p", "Customer", account="ada", born="1950")),
        episode("e2", record("p", "Customer", account="ada", city="Hald")),
    )
    assert only(graph).props == {"account": "ada", "born": "1950", "city": "Hald"}


def test_entities_stand_in_the_order_of_their_first_statement_and_staged_in_that_of_episodes() -> None:
    graph = run(
        episode("z", record("b", "Person", name="B"), record("c", "Customer", account="C"), record("x", "Person")),
        episode("a", record("a", "Company", name="A"), record("x", "Customer", email="?")),
    )
    assert [entity.type for entity in graph.entities.values()] == ["Person", "Customer", "Company"]
    assert [item.source_id for item in graph.staged] == ["z", "a"]


def test_nothing_gives_nothing() -> None:
    assert run() == Graph(SCHEMA.ref)
    assert run(episode("m")) == Graph(SCHEMA.ref)


@pytest.mark.parametrize(
    "graph",
    [
        episode("m", record("p", "Persona", name="A")),
        episode("m", record("p", "Person", nam="A", name="A")),
        episode("m", record("p", "Person", name="A"), relation(people("CALL"), "p", "p")),
    ],
)
def test_names_that_the_schema_lacks_are_named(graph: RecordGraph) -> None:
    with pytest.raises(UnknownNameError, match=r"Persona|nam|CALL"):
        run(graph)


def test_a_relation_to_a_ref_that_is_not_there_is_held() -> None:
    graph = run(episode("m", record("p", "Person", name="A"), relation(people("CALLS"), "p", "q")))
    assert reasons(graph) == [("m", "p->q", "held")]


def test_a_resolver_takes_nothing_after_its_graph_was_made() -> None:
    resolver = Resolver(SCHEMA)
    assert resolver.graph() is resolver.graph()
    with pytest.raises(UsageError):
        resolver.add(episode("m"))


def test_record_graphs_are_read_once_and_not_kept() -> None:
    import weakref

    class Watched(RecordGraph):
        __slots__ = ("__weakref__",)

    seen: list[weakref.ref[RecordGraph]] = []

    def stream(schema: Schema) -> Any:
        for number in range(50):
            plain = episode(f"m{number}", record("a", "Customer", email="x"), record("b", "Company", name="N"))
            watched = Watched(plain.source_id, schema.ref, None, plain.records, plain.relations)
            seen.append(weakref.ref(watched))
            yield watched
            del watched, plain
            assert sum(ref() is not None for ref in seen) <= 2

    assert len(resolve(SCHEMA, stream(SCHEMA)).staged) == 50
