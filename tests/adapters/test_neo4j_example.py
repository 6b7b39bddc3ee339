"""The example, written to Neo4j: the page's question has the page's answer, and both stores read back one graph."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from neo4j_server import Database
from probe_labels import under_labels_of_tests

from schemacast import Caster, load_schema, read_episodes
from schemacast.adapters import open_adapter
from schemacast.graph import Graph
from schemacast.resolution.resolve import resolve
from schemacast.schema.model import Schema

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "tickets"
PAGE = ROOT / "docs" / "populate-neo4j.md"


@pytest.fixture(scope="module")
def example() -> tuple[Schema, Graph]:
    schema = load_schema(EXAMPLE / "schema.yaml")
    caster = Caster(schema, model=f"replay:{EXAMPLE / 'replies.jsonl'}")
    outcomes = list(caster.stream(read_episodes(EXAMPLE / "episodes.jsonl")))
    graph = resolve(schema, [outcome.graph for outcome in outcomes if outcome.graph is not None])
    return under_labels_of_tests(schema, graph)


def plain(graph: Graph) -> tuple[Mapping[str, object], Mapping[str, object]]:
    return dict(graph.entities), dict(graph.edges)


@pytest.mark.neo4j
def test_the_page_answers_its_question(example: tuple[Schema, Graph], database: Database) -> None:
    schema, graph = example
    page = PAGE.read_text(encoding="utf-8")
    (query,) = re.findall(r"```cypher\n(.*?)```", page, re.DOTALL)
    (answer,) = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    for name in schema.vertices:
        query = query.replace(f":{name.removeprefix('Probe')})", f":{name})")
    with open_adapter(database.address, schema) as store:
        store.prepare()
        store.write(graph)
        rows = database.run(query)
        for row in rows:
            row["tickets"].sort(key=lambda each: each["ticket"])
        assert rows == json.loads(answer), "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    database.clear()
    database.drop_definitions()


@pytest.mark.neo4j
def test_both_stores_read_back_the_graph_that_was_written(
    example: tuple[Schema, Graph], database: Database, tmp_path: Path
) -> None:
    schema, graph = example
    for address in (database.address, f"networkx:{tmp_path / 'graph.json'}"):
        with open_adapter(address, schema) as store:
            store.prepare()
            report = store.write(graph, workspace="desk")
            assert (report.vertices.created, report.edges.created) == (len(graph.entities), len(graph.edges))
            assert (report.refused, report.missing_ends) == ((), 0)
            assert plain(store.read()) == plain(graph)
            again = store.write(graph, workspace="desk")
            assert (again.vertices.unchanged, again.edges.unchanged) == (len(graph.entities), len(graph.edges))
    database.clear()
    database.drop_definitions()
