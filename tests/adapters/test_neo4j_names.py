"""Names reach Cypher only from a schema, escaped, and values only as parameters."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import pytest
from neo4j_server import Database
from probe import edge, entity, graph

from schemacast.adapters import open_adapter
from schemacast.errors import UsageError
from schemacast.schema.model import EdgeId, EdgeType, Key, KeyPart, Property, Schema, VertexType

pytestmark = pytest.mark.neo4j

NAMES = (
    "X`]->(n) DETACH DELETE n //",
    "name` = 1 SET n.admin",
    "a\\u0060b",
    "a\\\\u0060b",
    "a\\u005Cu0060b",
    "a\\U0060b",
    "ends in a backslash \\",
    "``",
    "gehört-zu",
    "Hafen Terminal",
    "line\nbreak",
    "$rows",
    "{curly: 'quotes\"'}",
    "/* comment",
    "n.x",
    "東京 \u202e",
    "x" * 300,
)


def schema_named(name: str) -> Schema:
    def props(*names: str) -> Any:
        return MappingProxyType({each: Property(each) for each in names})

    vertex = VertexType(
        f"Probe {name}", Key("plain", (KeyPart(name),)), alternates=((f"b{name}",), (name, f"b{name}")),
        properties=props(name, f"b{name}"),
    )  # fmt: skip
    link = EdgeType(EdgeId(vertex.name, vertex.name, name), properties=props(name))
    return Schema("probe", vertices={vertex.name: vertex}, edges={link.id: link})


@pytest.mark.parametrize("name", NAMES, ids=lambda name: ascii(name)[:30])
def test_a_name_is_read_back_as_it_is_and_does_nothing(database: Database, name: str) -> None:
    schema = schema_named(name)
    database.run("CREATE (:ProbeBystander {x: 1})")
    one = entity(f"Probe {name}", "1", schema=schema, **{f"b{name}": "e\u0301"})
    two = entity(f"Probe {name}", "2", schema=schema)
    link = edge(name, one, two, schema=schema, **{name: "v"})
    with open_adapter(database.address, schema) as store:
        store.prepare()
        store.write(graph(one, two, link, schema=schema))
        held = store.read()
        assert (dict(held.entities), dict(held.edges)) == ({one.id: one, two.id: two}, {link.id: link})
        assert store.entities([one.id, two.id]) == {one.id: one, two.id: two}
        assert store.edges([link.id]) == {link.id: link}
        (stored,) = database.run(
            "MATCH (n {schemacast_id: $id})-[r]->() RETURN labels(n) AS l, type(r) AS t", id=one.id
        )
        assert stored == {"l": [f"Probe {name}"], "t": name}
        assert database.run("MATCH (n:ProbeBystander) RETURN properties(n) AS p") == [{"p": {"x": 1}}]
        store.remove([one.id, two.id])
        assert store.read().entities == {}
    database.drop_definitions()


@pytest.mark.parametrize("name", ["", "null\x00character"])
def test_what_cannot_be_a_name_in_neo4j_is_refused_at_opening(database: Database, name: str) -> None:
    with pytest.raises(UsageError, match="cannot be a name in Neo4j"):
        open_adapter(database.address, schema_named(name))


def test_a_property_with_a_name_of_ours_is_refused_at_opening(database: Database) -> None:
    with pytest.raises(UsageError, match="are ours"):
        open_adapter(database.address, schema_named("schemacast_claims"))
