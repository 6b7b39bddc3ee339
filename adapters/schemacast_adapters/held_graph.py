"""The graph of a file, in memory: what the schema sees of it, what it does not, and who said what.

Everything that stands in the file stays in it until its item is written again, also types, properties and values
that the schema no longer has; those are kept as they stood. What each workspace wrote of an item is kept beside
it, so that one of them can take its part back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from schemacast.graph import Edge, Entity, edge_from_json, edge_to_json, entity_from_json, entity_to_json
from schemacast.schema.comparable import Equality
from schemacast.schema.model import EdgeId, Schema
from schemacast.schema.values import Value
from schemacast.sharing import NO_WORKSPACE, Claim, together, without_claim
from schemacast_adapters.graph_file import (
    Index,
    Item,
    check_text,
    claims_from_json,
    claims_to_json,
    declared_only,
    index_of,
    without_other_types,
    without_workspace,
    workspaces_of,
)


class HeldGraph:
    """Entities and edges by id. `old_nodes` and `old_edges` are items of the file of which the schema sees not all."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.schema_ref = schema.ref
        self.entities: dict[str, Entity] = {}
        self.edges: dict[str, Edge] = {}
        self.old_nodes: dict[str, Item] = {}
        self.old_edges: dict[str, Item] = {}
        # What each workspace wrote, of whatever was not written without one.
        self._claims: dict[str, tuple[Claim, ...]] = {}
        self.reindex()

    def edges_at(self, nodes: set[str]) -> set[str]:
        """The edges that have one of these nodes as an end."""
        if not nodes:
            return set()
        keys = {edge.id for edge in self.edges.values() if edge.source in nodes or edge.target in nodes}
        old = self.old_edges.values()
        return keys | {item["key"] for item in old if item["source"] in nodes or item["target"] in nodes}

    def goes(self, ident: str, workspace: str | None) -> bool:
        """Whether nothing supports an item when this workspace's support goes; without one it goes anyway."""
        return workspace is None or all(claim.workspace == workspace for claim in self.claims_of(ident))

    def is_supported_by(self, ident: str, workspace: str | None) -> bool:
        """Whether a workspace wrote this item."""
        return any(claim.workspace == workspace for claim in self.claims_of(ident))

    def claims_of(self, ident: str) -> tuple[Claim, ...]:
        """What each workspace wrote about an item; an item that is noted nowhere was written without one."""
        claims = self._claims.get(ident)
        if claims is not None:
            return claims
        old = self.old_nodes.get(ident) or self.old_edges.get(ident)
        if old is not None:
            return tuple(Claim(name) for name in workspaces_of(old))
        item = self.entities.get(ident) or self.edges.get(ident)
        aliases = item.aliases if isinstance(item, Entity) else ()
        return (Claim(NO_WORKSPACE, item.props if item else {}, aliases),)

    def without(
        self, ident: str, workspace: str | None, old: dict[str, Item]
    ) -> tuple[dict[str, Value], tuple[str, ...]]:
        """What an item is without a workspace's claim, which it also loses as it stands in the file."""
        claims = without_claim(self.claims_of(ident), workspace)
        if ident in self._claims:
            self._claims[ident] = claims
        if ident in old:
            old[ident] = without_workspace(old[ident], workspace)
        return together(claims)

    def forget(self, ident: str, items: dict[str, Any], old: dict[str, Item]) -> None:
        """Drop an item, and what is noted about it."""
        items.pop(ident, None)
        old.pop(ident, None)
        self._claims.pop(ident, None)

    def note(self, ident: str, claims: tuple[Claim, ...]) -> None:
        """Keep what each workspace wrote about an item."""
        if len(claims) == 1 and claims[0].workspace == NO_WORKSPACE:
            self._claims.pop(ident, None)
        else:
            self._claims[ident] = claims

    def take(self, data: Mapping[str, Any]) -> None:
        """Take a file's object in, reading every value, so that a wrong one is found now."""
        if data["directed"] is not True or data["multigraph"] is not True:
            raise ValueError("it is no directed multigraph")
        self.schema_ref = data["graph"]["schema_ref"]
        if self.schema_ref.rpartition("@")[0] != self.schema.name:
            raise ValueError(f"it was written with schema {self.schema_ref!r}")
        for node in data["nodes"]:
            check_text(node["id"])
            vertex_type = self.schema.vertices.get(node["type"])
            props = declared_only(node["props"], vertex_type.properties if vertex_type else {})
            if vertex_type is not None:
                fitted = without_other_types(node, vertex_type.properties)
                entity = entity_from_json({**node, "props": props}, self.schema)
                self.entities[entity.id] = entity
                self.note(entity.id, claims_from_json(fitted, entity, vertex_type.properties))
            if vertex_type is None or len(props) < len(node["props"]):
                self.old_nodes[node["id"]] = node
        ends = self.entities.keys() | self.old_nodes.keys()
        for item in data["edges"]:
            check_text(item["key"])
            edge_type = self.schema.edges.get(EdgeId(*item["edge_id"]))
            props = declared_only(item["props"], edge_type.properties if edge_type else {})
            if edge_type is not None:
                fitted = without_other_types(item, edge_type.properties)
                edge = edge_from_json({**item, "props": props}, self.schema)
                self.edges[edge.id] = edge
                self.note(edge.id, claims_from_json(fitted, edge, edge_type.properties))
            if edge_type is None or len(props) < len(item["props"]):
                self.old_edges[item["key"]] = item
            if item["source"] not in ends or item["target"] not in ends:
                raise ValueError(f"edge {item['key']!r} has an end that is not there")

    def head(self) -> Item:
        """What the file says before its nodes."""
        return {"directed": True, "multigraph": True, "graph": {"schema_ref": self.schema_ref}}

    def items(self) -> dict[str, Iterator[Item]]:
        """The nodes and edges of the file, by id."""
        nodes, edges = self.entities, self.edges
        return {
            "nodes": (
                self.old_nodes.get(ident) or self._node_item(nodes[ident])
                for ident in sorted(nodes.keys() | self.old_nodes.keys())
            ),
            "edges": (
                self.old_edges.get(ident) or self._edge_item(edges[ident])
                for ident in sorted(edges.keys() | self.old_edges.keys())
            ),
        }

    def _node_item(self, entity: Entity) -> Item:
        declared = self.schema.vertices[entity.type].properties
        return {**entity_to_json(entity, self.schema), **claims_to_json(self._claims.get(entity.id), declared)}

    def _edge_item(self, edge: Edge) -> Item:
        declared = self.schema.edges[edge.edge_id].properties
        return {**edge_to_json(edge, self.schema), **claims_to_json(self._claims.get(edge.id), declared)}

    def followed(self, ident: str) -> str:
        """The id of an entity, given that or an alias of it."""
        return ident if ident in self.entities else self._aliases.get(ident, ident)

    def index(self, kind: str, names: tuple[str, ...], equality: Equality) -> Index:
        """The entities of a type by their comparable values, made when first asked for."""
        index = self._indexes.get((kind, names, equality))
        if index is None:
            of_kind = [each for _, each in sorted(self.entities.items()) if each.type == kind]
            index = index_of(of_kind, self.schema.vertices[kind].properties, names, equality)
            self._indexes[kind, names, equality] = index
        return index

    def reindex(self) -> None:
        """Forget indexes; aliases are read again."""
        self._indexes: dict[tuple[str, tuple[str, ...], Equality], Index] = {}
        self._aliases = {alias: ident for ident, entity in self.entities.items() for alias in entity.aliases}
