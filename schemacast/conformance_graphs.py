"""The schema and the graphs that the conformance suite writes: legal in a schema file, hostile to a store.

Names hold quotes, backticks and spaces, texts hold what breaks query languages and file formats. The builders
give entities and edges with ids of their own, which no other data has.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from schemacast.graph import Edge, Entity, Graph
from schemacast.schema.model import EdgeId, EdgeType, Key, KeyPart, Property, Schema, VertexType

HOSTILE_TYPE = "Conformance `Hafen\\u0060 Terminal'"
HOSTILE_RELATION = "gehört-zu `}) //"
HOSTILE_PROPERTY = 'größe "in` m'
TICKET, PERSON, COMPANY = "ConformanceTicket", "ConformancePerson", "ConformanceCompany"
HOSTILE_TEXTS = (
    "",
    " leading and trailing ",
    "quote ' double \" back ` slash \\ dollar $x {y} \\u0060 \\n",
    "line\nbreak\r\nand\ttab",
    "') DETACH DELETE (n) //",
    "<a href='x'>&amp;</a> ]]>",
    "İstanbul ﷽ 東京 👩‍👩‍👧 e\u0301 \u200f\u202e",
    "\u000b\u0001\u007f\ufeff\ufffd",
    "null",
    "x" * 20_000,
)


def _properties(*properties: Property) -> MappingProxyType[str, Property]:
    return MappingProxyType({each.name: each for each in properties})


def _schema() -> Schema:
    person = VertexType(
        PERSON,
        Key("plain", (KeyPart("handle"),)),
        alternates=(("email",), ("name", "city")),
        stances=("negated",),
        properties=_properties(
            Property("handle"), Property("email", match="code"), Property("name"), Property("city"), Property("id")
        ),
    )
    ticket = VertexType(
        TICKET,
        Key("plain", (KeyPart("number"),)),
        properties=_properties(
            Property("number"),
            Property("severity", "integer"),
            Property("wait", "number"),
            Property("vip", "boolean"),
            Property("due", "date"),
            Property("opened", "datetime"),
            Property("clock", "time"),
            Property("labels", many=True),
            Property("scores", "integer", many=True),
            Property("visits", "datetime", many=True),
            Property("seen", "date", keep="all"),
            Property("type"),
        ),
    )
    company = VertexType(
        COMPANY, Key("match", (KeyPart("name"),)), properties=_properties(Property("name", match="name"))
    )
    hostile = VertexType(
        HOSTILE_TYPE, Key("plain", (KeyPart(HOSTILE_PROPERTY),)), properties=_properties(Property(HOSTILE_PROPERTY))
    )
    edges = (
        EdgeType(EdgeId(PERSON, TICKET, "HANDLES"), key=(KeyPart("since", True),), properties=_properties(
            Property("since", "date"), Property("role"))),
        EdgeType(EdgeId(PERSON, TICKET, "CITES")),
        EdgeType(EdgeId(PERSON, PERSON, "REPORTS_TO"), stances=("planned",)),
        EdgeType(
            EdgeId(HOSTILE_TYPE, PERSON, HOSTILE_RELATION), properties=_properties(Property(HOSTILE_PROPERTY))
        ),
    )  # fmt: skip
    vertices = {each.name: each for each in (person, ticket, company, hostile)}
    return Schema(
        "conformance",
        vertices=MappingProxyType(vertices),
        edges=MappingProxyType({each.id: each for each in edges}),
    )


SCHEMA = _schema()


def ident(number: int) -> str:
    return f"{number:032x}"


def person(number: int, *, aliases: tuple[str, ...] = (), stance: str | None = None, **props: Any) -> Entity:
    """A person whose handle follows from the number."""
    return Entity(ident(number), PERSON, {"handle": f"h{number}", **props}, aliases, stance)


def ticket(number: int, **props: Any) -> Entity:
    """A ticket whose number follows from the number."""
    return Entity(ident(1_000_000 + number), TICKET, {"number": f"HD-{number}", **props})


def edge(number: int, relation: str, source: Entity, target: Entity, stance: str | None = None, **props: Any) -> Edge:
    """An edge between two entities."""
    edge_id = EdgeId(source.type, target.type, relation)
    return Edge(ident(2_000_000 + number), edge_id, source.id, target.id, props, stance)


def graph(*items: Entity | Edge) -> Graph:
    """A graph of the suite's schema."""
    return Graph(
        SCHEMA.ref,
        entities={item.id: item for item in items if isinstance(item, Entity)},
        edges={item.id: item for item in items if isinstance(item, Edge)},
        schema=SCHEMA,
    )
