"""A small schema for tests that write to Neo4j, and entities and edges of it by their key."""

from __future__ import annotations

from typing import Any

from schemacast.graph import Edge, Entity, Graph
from schemacast.resolution.ids import edge_hash, entity_id
from schemacast.schema.comparable import comparable
from schemacast.schema.load import parse_schema
from schemacast.schema.model import EdgeId, Schema

SCHEMA = parse_schema(
    """
name: probe
vertices:
  ProbeTicket:
    key: number
    alternates: [email, [name, city]]
    properties:
      number: string
      email: {type: string, match: code}
      name: string
      city: string
      severity: integer
      wait: number
      due: date
      opened: datetime
      clock: time
      labels: [string]
      levels: [integer]
  ProbePerson: {key: handle, properties: {handle: string, name: string}}
  ProbePlace: {key: [street, town?], properties: {street: string, town: string, note: string}}
  ProbeFirm: {key: {match: [name]}, properties: {name: {type: string, match: name}}}
edges:
  PROBE_HANDLES: {source: ProbePerson, target: ProbeTicket, key: [since?], properties: {since: date, role: string}}
  PROBE_KNOWS: {source: ProbePerson, target: ProbePerson}
"""
)


def entity(type: str, *key: str, schema: Schema = SCHEMA, **props: Any) -> Entity:
    """An entity with this key and the id that follows from it."""
    vertex = schema.vertices[type]
    named = dict(zip(vertex.key.properties, key, strict=False))
    texts = [
        comparable(vertex.properties[name], named[name]) if name in named else None for name in vertex.key.properties
    ]
    return Entity(entity_id(schema.name, type, texts), type, {**named, **props})


def person(handle: str, **props: Any) -> Entity:
    return entity("ProbePerson", handle, **props)


def ticket(number: str, **props: Any) -> Entity:
    return entity("ProbeTicket", number, **props)


def edge(relation: str, source: Entity, target: Entity, *, schema: Schema = SCHEMA, **props: Any) -> Edge:
    """An edge between two entities, with the id that follows from them and its key."""
    edge_id = EdgeId(source.type, target.type, relation)
    parts = [str(props[part.property]) if part.property in props else None for part in schema.edges[edge_id].key]
    ident = edge_hash(schema.name, edge_id, source.id, target.id, parts, None)
    return Edge(ident, edge_id, source.id, target.id, props)


def graph(*items: Entity | Edge, schema: Schema = SCHEMA) -> Graph:
    return Graph(
        schema.ref,
        {item.id: item for item in items if isinstance(item, Entity)},
        {item.id: item for item in items if isinstance(item, Edge)},
        schema=schema,
    )
