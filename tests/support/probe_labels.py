"""A schema and its graph under labels of the tests, so that what a database already holds is left alone."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from schemacast.graph import Graph
from schemacast.schema.model import EdgeId, Schema


def under_labels_of_tests(schema: Schema, graph: Graph) -> tuple[Schema, Graph]:
    """The same schema and graph with `Probe` before every type, so that a database's own tickets are left alone."""

    def renamed(edge_id: EdgeId) -> EdgeId:
        return EdgeId(f"Probe{edge_id.source}", f"Probe{edge_id.target}", edge_id.relation)

    vertices = {f"Probe{name}": replace(each, name=f"Probe{name}") for name, each in schema.vertices.items()}
    edges = {renamed(edge_id): replace(each, id=renamed(edge_id)) for edge_id, each in schema.edges.items()}
    schema = replace(schema, vertices=MappingProxyType(vertices), edges=MappingProxyType(edges))
    entities = {ident: replace(each, type=f"Probe{each.type}") for ident, each in graph.entities.items()}
    links = {ident: replace(each, edge_id=renamed(each.edge_id)) for ident, each in graph.edges.items()}
    return schema, replace(graph, entities=entities, edges=links, schema=schema)
