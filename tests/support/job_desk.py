"""Schemas and stores that the tests of jobs share, and how two graphs are compared.

The types begin with `Probe`, as all that tests write to a real database do; models call them by their synonyms.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from schemacast.adapters import open_adapter
from schemacast.episode import Episode
from schemacast.graph import Entity, Graph
from schemacast.schema.load import parse_schema
from schemacast.schema.model import Schema
from schemacast.schema.values import to_json

SCHEMA_TEXT = """
name: lines
version: {version}
vertices:
  ProbeCustomer:
    synonyms: [Customer{client}]
    key: account
    {alternates}
    properties:
      account: string
      email: string
      tier: {{type: string, keep: {keep}}}
      since: date
      size: integer
  ProbeCompany:
    synonyms: [Company]
    key: {{match: [name, country]}}
    properties: {{name: {{type: string, match: name}}, country: string, tier: string}}
  ProbeShift:
    synonyms: [Shift]
    within: WORKED
    key: [day, part?]
    properties: {{day: date, part: string, size: integer}}
  ProbeEscalation: {{synonyms: [Escalation], key: minted, properties: {{tier: string}}}}
edges:
  WORKED: {{source: ProbeCustomer, target: ProbeShift}}
  RAISED:
    source: ProbeCustomer
    target: ProbeEscalation
    key: [{edge_key}]
    properties: {{since: date, tier: string}}
  KNOWS: {{source: ProbeCustomer, target: ProbeCustomer, properties: {{tier: {{type: string, keep: {keep}}}}}}}
  PARTNERS: {{source: ProbeCompany, target: ProbeCompany, symmetric: true}}
  WORKS_AT: {{source: ProbeCustomer, target: ProbeCompany}}
"""


def lines_schema(
    *, version: str = "1.0.0", keep: str = "latest", alternates: bool = True, edge_key: bool = True
) -> Schema:
    """A schema with every kind of key."""
    return parse_schema(
        SCHEMA_TEXT.format(
            version=version,
            keep=keep,
            client="" if alternates else ", Client",
            alternates="alternates: [email]" if alternates else "x-alternates: none",
            edge_key="since?" if edge_key else "",
        )
    )


@dataclass(frozen=True)
class StoreAt:
    """A place where stores of tests are: `address(name)` is one of its own for each name.

    With a `database` there is one store only, which is cleared before each test; its types are named as
    `neo4j_server` asks for.
    """

    folder: Path
    database: str | None = None

    def address(self, name: str = "graph") -> str:
        return self.database or f"networkx:{self.folder / name}.json"

    def read(self, schema: Schema, name: str = "graph") -> Graph:
        with open_adapter(self.address(name), schema) as adapter:
            return adapter.read()


def texts(**by_source: str) -> list[Episode]:
    """Episodes of these texts."""
    return [Episode(source_id=source_id, text=text) for source_id, text in by_source.items()]


def plain(graph: Graph, schema: Schema) -> dict[str, Any]:
    """Everything that a graph says, the ids of `match` entities replaced by what they are found by."""
    names = {ident: _name(entity, schema) for ident, entity in graph.entities.items()}
    return {
        "entities": sorted(
            [names[entity.id], _props(entity.props), entity.stance or ""] for entity in graph.entities.values()
        ),
        "edges": sorted(
            [str(edge.edge_id), *_ends(names[edge.source], names[edge.target], schema.edges[edge.edge_id].symmetric),
             _props(edge.props), edge.stance or ""]
            for edge in graph.edges.values()
        ),
    }  # fmt: skip


def _name(entity: Entity, schema: Schema) -> str:
    key = schema.vertices[entity.type].key
    if key.kind != "match":
        return f"{entity.type} {entity.id}"
    return f"{entity.type} " + "|".join(str(entity.props.get(name, "")).casefold() for name in key.properties)


def _ends(source: str, target: str, symmetric: bool) -> tuple[str, str]:
    return (target, source) if symmetric and target < source else (source, target)


def _props(props: Any) -> str:
    return str({name: to_json(props[name]) for name in sorted(props)})
