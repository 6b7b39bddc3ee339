"""What a write to Neo4j does to the server: types, counts, refusals, races, and what an error says."""

from __future__ import annotations

import gc
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Any

import pytest
from neo4j_server import Database
from probe import SCHEMA, edge, entity, graph, person, ticket
from schemacast_adapters.neo4j import Neo4jAdapter, writer

from schemacast.adapters import Counts, WriteReport, open_adapter
from schemacast.errors import StoreConflict
from schemacast.graph import Entity, Lookup
from schemacast.schema.model import EdgeId

pytestmark = pytest.mark.neo4j

NOTHING = {
    "nodes_created": 0, "nodes_deleted": 0, "relationships_created": 0, "relationships_deleted": 0, "properties_set": 0,
}  # fmt: skip


def test_the_second_write_creates_and_changes_nothing_by_the_servers_own_counters(store: Neo4jAdapter) -> None:
    one, two = person("ada", name="Ada"), ticket("HD-1", labels=("a",), opened="2024", email="A@x")
    written = graph(one, two, edge("PROBE_HANDLES", one, two, since=date(2026, 3, 2)))
    store.write(written)
    assert store.server_counts["nodes_created"] == 2
    assert store.server_counts["relationships_created"] == 1
    assert store.write(written) == WriteReport(Counts(unchanged=2), Counts(unchanged=1))
    assert store.server_counts == NOTHING


def test_an_item_of_two_workspaces_is_written_again_by_either_without_a_change(store: Neo4jAdapter) -> None:
    written = graph(person("ada", name="Ada"))
    store.write(written, workspace="w1")
    store.write(graph(person("ada", name="Lind")), workspace="w2")
    store.write(written, workspace="w1")
    assert store.server_counts == NOTHING


def test_values_have_the_servers_own_types_and_one_zone(store: Neo4jAdapter, database: Database) -> None:
    oslo = datetime(2026, 1, 11, 1, tzinfo=timezone(timedelta(hours=1)))
    store.write(
        graph(
            ticket("HD-1", opened=oslo, due=date(2026, 1, 11), clock=time(14, 2), wait=1, levels=(1, 2)),
            ticket("HD-2", opened=datetime(2026, 1, 11, tzinfo=UTC), due="2024-03", labels=()),
            ticket("HD-3", opened="2026-01-11"),
        )
    )
    rows = database.run(
        """MATCH (n:ProbeTicket) UNWIND [key IN keys(n) WHERE NOT key STARTS WITH 'schemacast'] AS key
        WITH n, key WHERE NOT key IN ['labels', 'levels']
        RETURN n.number AS number, key, valueType(n[key]) AS type, toString(n[key]) AS text"""
    )
    shown = {(each["number"], each["key"]): (each["type"].removesuffix(" NOT NULL"), each["text"]) for each in rows}
    assert shown[("HD-1", "opened")] == shown[("HD-2", "opened")] == ("ZONED DATETIME", "2026-01-11T00:00:00Z")
    assert shown[("HD-1", "due")] == ("DATE", "2026-01-11")
    assert shown[("HD-1", "clock")] == ("LOCAL TIME", "14:02:00")
    assert shown[("HD-1", "wait")] == ("FLOAT", "1.0")
    assert shown[("HD-2", "due_partial")] == ("STRING", "2024-03")
    assert shown[("HD-3", "opened_partial")] == ("STRING", "2026-01-11")
    assert ("HD-2", "due") not in shown
    assert ("HD-3", "opened") not in shown
    assert len(database.run("MATCH (n:ProbeTicket) WHERE n.opened = datetime('2026-01-11T00:00:00Z') RETURN n")) == 2


@pytest.mark.parametrize(
    ("props", "reason"),
    [
        ({"severity": 2**63}, "'severity'.*does not fit"),
        ({"severity": -(2**63) - 1}, "'severity'.*does not fit"),
        ({"levels": (1, 2**63)}, "'levels'.*does not fit"),
        ({"wait": float("nan")}, "'wait': nan"),
        ({"wait": float("-inf")}, "'wait': -inf"),
        ({"city": "\ud800"}, "'city'.*surrogate"),
        ({"city": {"a": 1}}, "'city'"),
        ({"labels": ("a", 1)}, "'labels'"),
        ({"labels": ("a", None)}, "'labels'"),
        ({"number": None}, "'number'"),
        ({"email": "e" * 8001}, "'email': 8001 bytes"),
        ({"email": "é" * 4001}, "'email': 8002 bytes"),
        ({"name": "n" * 4001, "city": "c" * 4000}, "'name', 'city': 8001 bytes"),
        ({"clock": time(1, 2, tzinfo=UTC)}, "'clock'.*zone"),
        ({"opened": datetime(2026, 1, 11)}, "'opened'"),
    ],
)
def test_what_the_server_cannot_hold_is_refused_before_the_query_and_the_rest_is_written(
    store: Neo4jAdapter, props: dict[str, Any], reason: str
) -> None:
    good, wrong = ticket("HD-1"), replace(ticket("HD-2"), props={"number": "HD-2", **props})
    report = store.write(graph(good, wrong))
    assert [refusal.id for refusal in report.refused] == [wrong.id]
    assert re.search(reason, report.refused[0].reason), report.refused[0].reason
    assert report.vertices == Counts(created=1)
    assert dict(store.read().entities) == {good.id: good}


def test_a_key_that_is_absent_is_refused_and_an_optional_part_is_not(store: Neo4jAdapter) -> None:
    keyless, optional = Entity("1" * 32, "ProbeTicket", {"city": "Oslo"}), entity("ProbePlace", "Storgata")
    report = store.write(graph(keyless, optional))
    assert report.refused[0].reason == "key property 'number' is null"
    assert dict(store.read().entities) == {optional.id: optional}


def test_the_largest_values_that_fit_are_taken(store: Neo4jAdapter) -> None:
    items = [
        ticket("HD-1", severity=2**63 - 1, levels=(-(2**63),)),
        ticket("HD-2", email="e" * 8000),
        ticket("HD-3", name="n" * 4000, city="c" * 4000),
        ticket("HD-4", name="e\u0301" * 1300, city="x" * 4000),
        person("ada", name="é" * 100_000),
    ]
    assert store.write(graph(*items)).refused == ()
    assert dict(store.read().entities) == {item.id: item for item in items}
    assert store.look_up([Lookup("ProbeTicket", {"name": "é" * 1300, "city": "x" * 4000})]) == [[items[3]]]


def test_eight_writers_of_edges_that_share_five_hubs_lose_none(database: Database, store: Neo4jAdapter) -> None:
    hubs = [ticket(f"HUB-{number}") for number in range(5)]

    def write(worker: int) -> WriteReport:
        people = [person(f"p{worker}-{number}") for number in range(25)]
        edges = [edge("PROBE_HANDLES", each, hubs[number % 5]) for number, each in enumerate(people)]
        with open_adapter(database.address, SCHEMA) as other:
            return other.write(graph(*people, *hubs, *edges))

    with ThreadPoolExecutor(8) as pool:
        reports = [done.result() for done in [pool.submit(write, worker) for worker in range(8)]]
    assert [(report.refused, report.missing_ends) for report in reports] == [((), 0)] * 8
    assert sum(report.edges.created for report in reports) == 200
    assert sum(report.vertices.created for report in reports) == 205
    held = store.read()
    assert (len(held.entities), len(held.edges)) == (205, 200)


def test_writers_in_opposite_orders_do_not_fail(database: Database, store: Neo4jAdapter) -> None:
    people = [person(f"p{number}") for number in range(40)]
    store.write(graph(*people))

    def write(seed: int) -> None:
        order = random.Random(seed)
        with open_adapter(database.address, SCHEMA) as other:
            for turn in range(5):
                some = order.sample(people, 30)
                links = [edge("PROBE_KNOWS", *order.sample(people, 2)) for _ in range(20)]
                changed = [replace(each, props={**each.props, "name": f"{seed}-{turn}"}) for each in some]
                other.write(graph(*changed, *links))

    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(write, seed) for seed in range(8)]:
            done.result()
    assert len(store.read().entities) == 40


def test_a_refused_batch_names_itself_the_record_and_the_reason_and_the_next_run_goes_on(
    store: Neo4jAdapter, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "BATCH", 10)
    people = sorted((person(f"p{number}", name=f"n{number}") for number in range(30)), key=lambda each: each.id)
    bad = people[17]
    # A constraint of the customer's own, which one of our rows breaks.
    database.run("CREATE CONSTRAINT probe_own FOR (n:ProbePerson) REQUIRE n.name IS UNIQUE")
    try:
        database.run("CREATE (:ProbePerson {handle: 'theirs', name: $name})", name=bad.props["name"])
        with pytest.raises(StoreConflict) as caught:
            store.write(graph(*people))
        said = str(caught.value)
        assert "batch 2 of vertices of type 'ProbePerson' (10 rows)" in said
        assert f"the record {bad.id} is refused, earlier batches are stored" in said
        assert "already exists with label `ProbePerson` and property `name`" in said
        assert "\n" not in said
        assert isinstance(caught.value.report, WriteReport)
        # The batch that was on its way beside it came to its end, and is counted.
        assert caught.value.report.vertices == Counts(created=20)
        assert set(store.read().entities) == {each.id for each in (*people[:10], *people[20:])}
        database.run("MATCH (n:ProbePerson {handle: 'theirs'}) DELETE n")
        assert store.write(graph(*people)).vertices == Counts(created=10, unchanged=20)
    finally:
        database.run("DROP CONSTRAINT probe_own")


def test_a_key_that_another_entity_has_is_refused_by_name(store: Neo4jAdapter) -> None:
    held, other = person("ada"), Entity("f" * 32, "ProbePerson", {"handle": "ada"})
    store.write(graph(held))
    report = store.write(graph(other, person("bo")))
    assert report.refused[0].id == other.id
    assert held.id in report.refused[0].reason
    assert report.vertices == Counts(created=1)


def test_an_end_that_an_earlier_run_wrote_is_found_and_a_missing_one_is_counted(
    store: Neo4jAdapter, database: Database
) -> None:
    one, two = person("ada"), ticket("HD-1")
    store.write(graph(two))
    with open_adapter(database.address, SCHEMA) as later:
        found, lost = edge("PROBE_HANDLES", one, two), edge("PROBE_HANDLES", one, ticket("HD-2"))
        report = later.write(graph(one, found, lost))
    assert (report.edges, report.missing_ends) == (Counts(created=1), 1)
    assert set(store.read().edges) == {found.id}


def test_many_edges_of_a_new_type_with_some_ends_missing_are_all_accounted_for(store: Neo4jAdapter) -> None:
    number = writer.BATCH + 500
    people = [person(f"p{each}") for each in range(number)]
    merged = replace(people[1], aliases=("a" * 32,))
    old = replace(people[0], id="a" * 32)
    links = [edge("PROBE_KNOWS", each, people[0]) for each in people]
    links += [edge("PROBE_KNOWS", old, people[2]), edge("PROBE_KNOWS", people[2], person("nobody"))]
    report = store.write(graph(*people[:1], merged, *people[2:], *links))
    assert report == WriteReport(Counts(created=number), Counts(created=number + 1), missing_ends=1)
    assert store.write(graph(*links)) == WriteReport(edges=Counts(unchanged=number + 1), missing_ends=1)


def test_an_edge_to_itself_is_one_edge(store: Neo4jAdapter) -> None:
    one = person("ada")
    store.write(graph(one, edge("PROBE_KNOWS", one, one)))
    (held,) = store.read().edges.values()
    assert held.source == held.target == one.id


def test_a_moved_edge_keeps_what_others_put_on_it(store: Neo4jAdapter, database: Database) -> None:
    one, two, three = person("ada"), person("bo"), person("cy")
    link = edge("PROBE_KNOWS", one, two)
    store.write(graph(one, two, three, link))
    database.run("MATCH (:ProbePerson)-[r:PROBE_KNOWS]->() SET r.theirs = 7")
    moved = replace(link, target=three.id)
    assert store.write(graph(moved)).edges == Counts(changed=1)
    assert store.server_counts["relationships_deleted"] == store.server_counts["relationships_created"] == 1
    (row,) = database.run("MATCH (a)-[r:PROBE_KNOWS]->(b) RETURN a.handle AS a, b.handle AS b, r.theirs AS theirs")
    assert row == {"a": "ada", "b": "cy", "theirs": 7}


def test_merged_entities_move_their_edges_and_old_ids_are_followed(store: Neo4jAdapter) -> None:
    one, two, three = person("ada"), person("ada2"), person("bo")
    link = edge("PROBE_KNOWS", two, three)
    store.write(graph(one, two, three, link))
    store.remove([two.id])
    merged = replace(one, aliases=(two.id,))
    report = store.write(graph(merged, link))
    assert report == WriteReport(Counts(changed=1), Counts(created=1))
    assert store.edges([link.id])[link.id].source == one.id
    assert store.entities([two.id]) == {two.id: merged}


def test_an_entity_may_have_more_aliases_than_an_index_takes(store: Neo4jAdapter) -> None:
    merged = replace(person("ada"), aliases=tuple(f"{number:032x}" for number in range(1000)))
    store.write(graph(merged))
    assert store.entities([f"{999:032x}"]) == {f"{999:032x}": merged}


def test_look_ups_of_one_kind_are_one_query(store: Neo4jAdapter, database: Database) -> None:
    tickets = [ticket(f"HD-{number}", email=f"A.{number}@X.org", name="Ada", city=f"c{number}") for number in range(50)]
    firm = entity("ProbeFirm", "İzmir  Liman A/S")
    firm = replace(firm, id="b" * 32)
    store.write(graph(*tickets, firm))
    asked = [Lookup("ProbeTicket", {"email": f"a{number}@xorg"}) for number in range(50)]
    asked += [Lookup("ProbeTicket", {"city": f"c{number}", "name": " Ada "}) for number in range(50)]
    asked += [
        Lookup("ProbeFirm", {"name": "İZMİR LİMAN a/s"}, "match"),
        Lookup("ProbeFirm", {"name": "Izmir"}, "match"),
    ]
    queries: list[str] = []
    session = store._session

    class Counting:
        def __init__(self, tx: Any) -> None:
            self.tx = tx

        def run(self, query: str, **parameters: Any) -> Any:
            queries.append(query)
            return self.tx.run(query, **parameters)

    from schemacast_adapters.neo4j import find

    with session() as open_session:
        answers = open_session.execute_read(lambda tx: find.look_up(Counting(tx), store._kinds, asked))  # type: ignore[arg-type]
    assert answers == [*([each] for each in tickets), *([each] for each in tickets), [firm], []]
    assert len(queries) == 3
    for query in queries:
        plan = database.driver.execute_query(f"EXPLAIN {query}", rows=[], prefix="").summary.plan
        assert "NodeByLabelScan" not in str(plan)
        assert "AllNodesScan" not in str(plan)


def test_no_query_of_a_write_reads_all_nodes_of_a_type(store: Neo4jAdapter, database: Database) -> None:
    from schemacast_adapters.neo4j import cypher

    vertex = store._kinds.vertices["ProbePerson"]
    link = store._kinds.edges[EdgeId("ProbePerson", "ProbePerson", "PROBE_KNOWS")]
    for query in (
        cypher.differing_vertices(vertex), cypher.lock_vertices(vertex), cypher.change_vertices(vertex),
        cypher.vertices_by_key(vertex, ["handle"], []), cypher.known_ids(vertex), cypher.ids_of_aliases(vertex),
        cypher.differing_edges(link), cypher.lock_edges(link), cypher.create_edges(link), cypher.change_edges(link),
        cypher.delete_edges(link), cypher.known_edge_ids(link),
    ):  # fmt: skip
        plan = database.driver.execute_query(f"EXPLAIN {query}", rows=[], ids=[], workspaces=[]).summary.plan
        assert "Scan" not in str(plan), query


def test_the_same_content_is_the_same_hash_in_every_process() -> None:
    code = """
import sys; sys.path.insert(0, "tests/support")
from datetime import UTC, date, datetime
from probe import SCHEMA, ticket
from schemacast_adapters.neo4j.kinds import Kinds
from schemacast_adapters.neo4j.rows import entity_row
one = ticket("HD-1", opened=datetime(2026, 1, 1, tzinfo=UTC), due=date(2026, 1, 1), labels=("b", "a"), wait=1)
print(entity_row(Kinds.of(SCHEMA).vertices["ProbeTicket"], one).hash)
"""
    said = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1


def test_the_plain_driver_works_where_the_compiled_one_has_no_wheel(store: Neo4jAdapter, database: Database) -> None:
    code = """
import sys; sys.path.insert(0, "tests/support"); sys.modules["neo4j._rust"] = None
from datetime import UTC, date, datetime
from probe import SCHEMA, graph, ticket
from schemacast.adapters import open_adapter
import neo4j._codec.packstream.v1 as packing
assert packing._rust_pack is None
one = ticket("HD-1", opened=datetime(2026, 1, 1, tzinfo=UTC), due=date(2026, 1, 1), labels=("b",), wait=1.5)
with open_adapter(sys.argv[1], SCHEMA) as store:
    store.write(graph(one))
    assert dict(store.read().entities) == {one.id: one}
"""
    subprocess.run([sys.executable, "-c", code, database.address], check=True)
    one = ticket("HD-1", opened=datetime(2026, 1, 1, tzinfo=UTC), due=date(2026, 1, 1), labels=("b",), wait=1.5)
    assert store.write(graph(one)) == WriteReport(Counts(unchanged=1))


def test_a_write_leaves_the_search_for_garbage_as_it_was(store: Neo4jAdapter) -> None:
    before = gc.get_freeze_count()
    store.write(graph(person("p1")))
    assert (gc.isenabled(), gc.get_freeze_count()) == (True, before)
    gc.freeze()  # as a server does before it forks
    try:
        apart = gc.get_freeze_count()
        store.write(graph(person("p2")))
        assert apart > before
        assert gc.get_freeze_count() > before
    finally:
        gc.unfreeze()
