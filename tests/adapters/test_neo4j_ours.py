"""What is ours and what is not, in a database that holds a customer's own nodes, relationships and constraints."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from neo4j_server import Database
from probe import SCHEMA, edge, entity, graph, person, ticket
from schemacast_adapters.neo4j import Neo4jAdapter

from schemacast.adapters import Counts, WriteReport, open_adapter
from schemacast.graph import Lookup
from schemacast.schema.load import parse_schema

pytestmark = pytest.mark.neo4j


@pytest.fixture
def customer(database: Database) -> Iterator[Database]:
    """A customer's database: nodes under our labels and under theirs, relationships, a constraint."""
    database.run("CREATE CONSTRAINT probe_customer IF NOT EXISTS FOR (n:ProbeSite) REQUIRE n.code IS UNIQUE")
    database.run(
        """CREATE (site:ProbeSite {code: 'S1', where: point({latitude: 59.9, longitude: 10.7})})
        CREATE (t:ProbeTicket:ProbeArchived {number: 'HD-1', severity: 2, priority: 'high', opened: 'yesterday'})
        CREATE (t)-[:PROBE_AT {since: 1999}]->(site)
        CREATE (:ProbePerson {handle: 'ada', name: 'A. Lind', age: duration('P30Y')})
        CREATE (:ProbePerson {handle: 'untouched', name: 'U'})"""
    )
    yield database
    database.run("DROP CONSTRAINT probe_customer IF EXISTS")


def snapshot(database: Database) -> list[dict[str, Any]]:
    """All nodes of the customer, with their labels, properties and relationships."""
    rows = database.run(
        """MATCH (n) WHERE any(label IN labels(n) WHERE label STARTS WITH 'Probe')
        OPTIONAL MATCH (n)-[r]->(m)
        WITH n, r, m ORDER BY type(r)
        RETURN labels(n) AS labels, properties(n) AS props, collect([type(r), properties(r), labels(m)]) AS links"""
    )
    return sorted(rows, key=lambda row: str((row["labels"], sorted(row["props"].items(), key=str))))


def node(database: Database, label: str, **key: str) -> dict[str, Any]:
    ((name, value),) = key.items()
    (row,) = database.run(f"MATCH (n:{label}) WHERE n.{name} = $value RETURN properties(n) AS props", value=value)
    return dict(row["props"])


def test_nodes_that_others_loaded_are_adopted_by_key_and_given_back_as_they_were(
    store: Neo4jAdapter, customer: Database
) -> None:
    before = snapshot(customer)
    assert store.prepare() == {"ProbeTicket": 1, "ProbePerson": 2}
    ada, one, new = person("ada", name="Ada Lind"), ticket("HD-1", severity=4, due=date(2026, 3, 2)), person("new")
    link = edge("PROBE_HANDLES", ada, one)
    report = store.write(graph(ada, one, new, link))
    assert report == WriteReport(Counts(created=1, changed=2, adopted=2), Counts(created=1))
    held = store.read()
    assert (dict(held.entities), dict(held.edges)) == ({ada.id: ada, one.id: one, new.id: new}, {link.id: link})
    adopted = node(customer, "ProbeTicket", number="HD-1")
    assert (adopted["severity"], adopted["priority"], adopted["opened"]) == (4, "high", "yesterday")
    assert store.write(graph(ada, one, new, link)) == WriteReport(Counts(unchanged=3), Counts(unchanged=1))
    report = store.remove([ada.id, one.id, new.id])
    assert report == WriteReport(Counts(removed=1, kept=2), Counts(removed=1))
    assert snapshot(customer) == before
    assert store.read().entities == {}


def test_an_adopted_node_gets_back_a_value_as_soon_as_ours_is_gone(store: Neo4jAdapter, customer: Database) -> None:
    store.write(graph(person("ada", name="Ada Lind")))
    assert node(customer, "ProbePerson", handle="ada")["name"] == "Ada Lind"
    bare = person("ada")
    assert store.write(graph(bare)).vertices == Counts(changed=1)
    assert node(customer, "ProbePerson", handle="ada")["name"] == "A. Lind"
    assert dict(store.read().entities) == {bare.id: bare}
    store.write(graph(person("ada", name="Third")), workspace="w1")
    store.remove([bare.id], workspace="w1")
    assert node(customer, "ProbePerson", handle="ada")["name"] == "A. Lind"


@pytest.mark.usefixtures("customer")
def test_a_foreign_node_may_have_wrong_types_and_is_still_read(store: Neo4jAdapter) -> None:
    one = ticket("HD-1")
    store.write(graph(one))
    assert dict(store.read().entities) == {one.id: one}
    assert store.entities([one.id]) == {one.id: one}


@pytest.mark.usefixtures("customer")
def test_nodes_of_others_are_no_answer_to_a_question(store: Neo4jAdapter) -> None:
    assert store.look_up([Lookup("ProbePerson", {"handle": "ada"}), Lookup("ProbePerson", {"name": "U"})]) == [[], []]
    assert store.read().entities == {}


def test_a_composite_key_adopts_too_and_an_absent_part_is_a_value(store: Neo4jAdapter, database: Database) -> None:
    database.run("CREATE (:ProbePlace {street: 'S', town: 'T'}), (:ProbePlace {street: 'S'})")
    both, half = entity("ProbePlace", "S", "T", note="a"), entity("ProbePlace", "S", note="b")
    assert store.write(graph(both, half)).vertices == Counts(changed=2, adopted=2)
    assert dict(store.read().entities) == {both.id: both, half.id: half}


def test_a_key_that_two_foreign_nodes_have_is_refused(store: Neo4jAdapter, database: Database) -> None:
    database.run("CREATE (:ProbePlace {street: 'S', town: 'T'}), (:ProbePlace {street: 'S', town: 'T'})")
    report = store.write(graph(entity("ProbePlace", "S", "T"), entity("ProbePlace", "S", "U")))
    assert report.vertices == Counts(created=1)
    assert "2 nodes that others loaded" in report.refused[0].reason


def test_what_others_hang_on_our_nodes_stays_and_is_counted(store: Neo4jAdapter, database: Database) -> None:
    linked, labelled, noted, plain = (person(name, name="N") for name in ("linked", "labelled", "noted", "plain"))
    ours = edge("PROBE_KNOWS", linked, plain)
    store.write(graph(linked, labelled, noted, plain, ours))
    database.run("MATCH (n:ProbePerson {handle: 'linked'}) CREATE (n)<-[:PROBE_SAW {at: 1}]-(:ProbeSite {code: 'S'})")
    database.run("MATCH (n:ProbePerson {handle: 'labelled'}) SET n:ProbeVip")
    database.run("MATCH (n:ProbePerson {handle: 'noted'}) SET n.rating = 5")
    report = store.remove([linked.id, labelled.id, noted.id, plain.id])
    assert report == WriteReport(Counts(removed=1, kept=3), Counts(removed=1))
    left = database.run("MATCH (n) WHERE n:ProbePerson OR n:ProbeVip RETURN labels(n) AS l, properties(n) AS p")
    assert sorted(left, key=str) == [
        {"l": ["ProbePerson"], "p": {"rating": 5}},
        {"l": ["ProbePerson"], "p": {}},
        {"l": ["ProbeVip"], "p": {}},
    ]
    assert database.run("MATCH (:ProbeSite)-[r:PROBE_SAW]->(:ProbePerson) RETURN r.at AS at") == [{"at": 1}]


def test_foreign_properties_labels_and_relationships_outlive_an_update(store: Neo4jAdapter, database: Database) -> None:
    one, two = person("ada", name="N"), ticket("HD-1")
    link = edge("PROBE_HANDLES", one, two, role="r")
    store.write(graph(one, two, link))
    database.run("MATCH (n:ProbePerson)-[r:PROBE_HANDLES]->() SET n.rating = 5, n:ProbeVip, r.rating = 6")
    store.write(graph(person("ada"), edge("PROBE_HANDLES", one, two)))
    (row,) = database.run("MATCH (n:ProbePerson)-[r]->() RETURN n.rating, labels(n), r.rating, n.name, r.role")
    assert row == {
        "n.rating": 5,
        "labels(n)": ["ProbePerson", "ProbeVip"],
        "r.rating": 6,
        "n.name": None,
        "r.role": None,
    }


def test_another_schema_with_the_same_label_is_left_alone(store: Neo4jAdapter, database: Database) -> None:
    other_schema = parse_schema("name: other\nvertices: {ProbeFirm: {key: minted, properties: {name: integer}}}\n")
    mine = replace(entity("ProbeFirm", "Orvik"), id="a" * 32)
    theirs = replace(mine, id="b" * 32, props={"name": 7})
    with open_adapter(database.address, other_schema) as other:
        other.prepare()
        other.write(graph(theirs, schema=other_schema))
        store.write(graph(mine))
        assert dict(store.read().entities) == {mine.id: mine}
        assert dict(other.read().entities) == {theirs.id: theirs}
        assert store.entities([theirs.id]) == {}
        assert store.remove([theirs.id]) == WriteReport()
        assert other.remove([theirs.id]) == WriteReport(Counts(removed=1))


def test_a_property_that_a_later_schema_drops_goes_with_the_next_write(store: Neo4jAdapter, database: Database) -> None:
    shorter = parse_schema("name: probe\nvertices: {ProbePerson: {key: handle, properties: {handle: string}}}\n")
    ada, bo, cy = person("ada", name="N"), person("bo", name="N"), person("cy", name="N")
    store.write(graph(ada, bo, cy))
    database.run("MATCH (n:ProbePerson {handle: 'cy'}) SET n.rating = 5")
    with open_adapter(database.address, shorter) as later:
        later.prepare()
        bare = person("ada")
        assert later.read().entities[ada.id] == bare
        assert later.write(graph(bare, schema=shorter)).vertices == Counts(changed=1)
        assert "name" not in node(database, "ProbePerson", handle="ada")
        assert later.remove([bo.id, cy.id]) == WriteReport(Counts(removed=1, kept=1))


def test_workspaces_stand_on_nodes_and_relationships(store: Neo4jAdapter, database: Database) -> None:
    one, two = person("ada"), ticket("HD-1")
    link = edge("PROBE_HANDLES", one, two)
    store.write(graph(one, two, link), workspace="w2")
    store.write(graph(one), workspace="w1")
    rows = database.run(
        "MATCH (n)-[r]->(m:ProbeTicket) RETURN n.schemacast_workspaces AS n, r.schemacast_workspaces AS r"
    )
    assert rows == [{"n": ["w1", "w2"], "r": ["w2"]}]
    assert store.remove([one.id], workspace="w2") == WriteReport(Counts(changed=1), Counts(removed=1))
    rows = database.run("MATCH (n:ProbePerson) RETURN n.schemacast_workspaces AS n, n.schemacast_claims AS claims")
    assert rows == [{"n": ["w1"], "claims": None}]


def test_two_workspaces_writing_the_same_at_once_both_support_it(store: Neo4jAdapter, database: Database) -> None:
    people = [person(f"p{number}", name="N") for number in range(50)]
    links = [edge("PROBE_KNOWS", each, people[0]) for each in people]

    def write(name: str) -> None:
        with open_adapter(database.address, SCHEMA) as other:
            other.write(graph(*people, *links), workspace=name)

    names = [f"w{number}" for number in range(6)]
    with ThreadPoolExecutor(6) as pool:
        for done in [pool.submit(write, name) for name in names]:
            done.result()
    both = "n.schemacast_workspaces AS n, r.schemacast_workspaces AS r"
    query = f"MATCH (n:ProbePerson) OPTIONAL MATCH (n)-[r]->() RETURN DISTINCT {both}"
    assert database.run(query) == [{"n": names, "r": names}]
    for name in names[:-1]:
        assert store.remove([each.id for each in people], workspace=name).vertices == Counts(changed=50)
    held = store.read()
    assert (len(held.entities), len(held.edges)) == (50, 50)
    assert store.remove([each.id for each in people], workspace=names[-1]).edges == Counts(removed=50)
