"""Constraints and indexes: made once, by whoever comes first, reused, and named when they cannot be made."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from neo4j_server import Database
from probe import SCHEMA, graph, person, ticket

from schemacast.adapters import open_adapter
from schemacast.errors import StoreConflict

pytestmark = pytest.mark.neo4j


@pytest.fixture
def bare(database: Database) -> Iterator[Database]:
    """The database without a definition of the tests, before and after."""
    database.drop_definitions()
    yield database
    database.drop_definitions()


def prepare(database: Database) -> None:
    with open_adapter(database.address, SCHEMA) as store:
        store.prepare()


def definitions(database: Database) -> set[tuple[str, tuple[str, ...], bool]]:
    found = database.run(
        "SHOW INDEXES YIELD labelsOrTypes, properties, owningConstraint, type WHERE type = 'RANGE' "
        "RETURN labelsOrTypes[0] AS name, properties, owningConstraint IS NOT NULL AS unique"
    )
    return {(each["name"], tuple(each["properties"]), each["unique"]) for each in found}


def test_ids_and_plain_keys_are_unique_and_every_other_key_and_alternate_has_an_index(bare: Database) -> None:
    prepare(bare)
    made = definitions(bare)
    assert made >= {
        ("ProbeTicket", ("schemacast_id",), True),
        ("ProbeTicket", ("number",), True),
        ("ProbeTicket", ("email",), False),
        ("ProbeTicket", ("name", "city"), False),
        ("ProbeTicket", ("schemacast_key:email",), False),
        ("ProbePlace", ("street", "town"), False),
        ("ProbeFirm", ("name",), False),
        ("ProbeFirm", ("schemacast_match:name",), False),
        ("PROBE_HANDLES", ("schemacast_id",), True),
        ("PROBE_KNOWS", ("schemacast_id",), True),
    }
    prepare(bare)
    assert definitions(bare) == made


def test_two_processes_may_prepare_at_once(bare: Database) -> None:
    with ThreadPoolExecutor(6) as pool:
        for done in [pool.submit(prepare, bare) for _ in range(6)]:
            done.result()
    prepare(bare)


def test_a_definition_that_exists_under_another_name_is_used(bare: Database) -> None:
    bare.run("CREATE CONSTRAINT probe_theirs FOR (x:ProbeTicket) REQUIRE x.number IS UNIQUE")
    bare.run("CREATE INDEX probe_mail FOR (x:ProbeTicket) ON (x.email)")
    prepare(bare)
    names = {each["name"] for each in bare.run("SHOW INDEXES YIELD name")}
    assert {"probe_theirs", "probe_mail"} <= names


def test_an_index_in_the_way_of_a_constraint_is_named(bare: Database) -> None:
    bare.run("CREATE INDEX FOR (x:ProbeTicket) ON (x.number)")
    with pytest.raises(
        StoreConflict, match=r"'number' of label 'ProbeTicket' cannot be made: .*already exists"
    ) as caught:
        prepare(bare)
    assert caught.value.exit_code == 4


def test_data_in_the_way_of_a_constraint_is_named(bare: Database) -> None:
    bare.run("UNWIND [1, 2] AS each CREATE (:ProbePerson {handle: 'ada'})")
    with pytest.raises(StoreConflict, match=r"'handle' of label 'ProbePerson' cannot be made: .*ada"):
        prepare(bare)


def test_nodes_that_others_loaded_are_counted_or_refused(bare: Database) -> None:
    bare.run("CREATE (:ProbePerson {handle: 'ada'}), (:ProbePerson {handle: 'bo'}), (:ProbeTicket {number: 'HD-1'})")
    with open_adapter(bare.address, SCHEMA) as store:
        store.prepare()
        store.write(graph(ticket("HD-2")))
        assert store.prepare() == {"ProbePerson": 2, "ProbeTicket": 1}
        with pytest.raises(StoreConflict, match="2 :ProbePerson") as caught:
            store.prepare(existing="refuse")
        assert caught.value.exit_code == 4


def test_a_node_that_is_loaded_after_the_check_is_refused_too(bare: Database) -> None:
    with open_adapter(bare.address, SCHEMA) as store:
        store.prepare(existing="refuse")
        bare.run("CREATE (:ProbePerson {handle: 'ada', name: 'Ada'})")
        with pytest.raises(StoreConflict, match="loaded by someone else"):
            store.write(graph(person("ada")))
        assert store.read().entities == {}
