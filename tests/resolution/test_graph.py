"""A graph as rows and as JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import networkx
import pytest

from schemacast.conformance_graphs import SCHEMA, edge, graph, person, ticket
from schemacast.errors import UnknownNameError
from schemacast.graph import Edge, Graph
from schemacast.schema.model import EdgeId


def test_rows_are_flat_and_keep_a_partial_date_in_a_column_of_its_own() -> None:
    made = graph(ticket(1, due="2024-03", labels=("a",)), ticket(2, due=date(2024, 3, 2)), person(1, stance="negated"))
    assert made.rows("ConformanceTicket") == [
        {
            "_id": ticket(1).id,
            "_type": "ConformanceTicket",
            "number": "HD-1",
            "due_partial": "2024-03",
            "labels": ["a"],
        },
        {"_id": ticket(2).id, "_type": "ConformanceTicket", "number": "HD-2", "due": date(2024, 3, 2)},
    ]
    assert made.rows("ConformancePerson")[0]["stance"] == "negated"
    with pytest.raises(UnknownNameError, match="no vertex type 'ConformancePersons'; did you mean 'ConformancePerson'"):
        made.rows("ConformancePersons")
    with pytest.raises(UnknownNameError, match="no relation 'HANDLE'; did you mean 'HANDLES'"):
        made.edge_rows("HANDLE")


def test_edge_rows_name_their_ends() -> None:
    link = edge(1, "HANDLES", person(1), ticket(1), since="2024")
    assert graph(person(1), ticket(1), link).edge_rows("HANDLES") == [
        {"_id": link.id, "_type": "HANDLES", "_source": person(1).id, "_target": ticket(1).id, "since_partial": "2024"}
    ]


def test_a_graph_without_a_schema_still_gives_rows() -> None:
    bare = replace(graph(ticket(1, due="2024")), schema=None)
    assert bare.rows("ConformanceTicket")[0]["due"] == "2024"
    assert bare == graph(ticket(1, due="2024"))


def test_json_is_sorted_loads_in_networkx_and_reads_back_equal() -> None:
    one, two = person(2, aliases=("b", "a")), ticket(1, opened=datetime(2026, 3, 2, tzinfo=UTC), seen=("2024",))
    made = graph(one, two, edge(2, "HANDLES", one, two, since=date(2026, 3, 2)), edge(1, "CITES", one, two))
    text = json.dumps(made.to_json())
    assert Graph.from_json(json.loads(text), SCHEMA) == made
    assert [item["key"] for item in json.loads(text)["edges"]] == sorted(made.edges)
    assert networkx.node_link_graph(json.loads(text), edges="edges").number_of_edges() == 2


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"directed": True},
        {"directed": True, "multigraph": False, "graph": {"schema_ref": "x"}, "nodes": [], "edges": []},
        {"directed": True, "multigraph": True, "graph": {"schema_ref": "x"}, "nodes": 5, "edges": []},
        {"directed": True, "multigraph": True, "graph": {"schema_ref": "x"}, "nodes": [{"type": "N"}], "edges": []},
        {"directed": True, "multigraph": True, "graph": {}, "nodes": [], "edges": [{"edge_id": ["a", "b", "c"]}]},
    ],
)
def test_an_object_that_is_no_graph_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"graph|schema"):
        Graph.from_json(data, SCHEMA)


def test_an_edge_of_a_type_that_the_schema_lacks_has_rows_all_the_same() -> None:
    odd = Edge("e", EdgeId("A", "B", "ODD"), "a", "b", {"x": 1})
    assert graph(odd).edge_rows("ODD") == [{"_id": "e", "_type": "ODD", "_source": "a", "_target": "b", "x": 1}]
