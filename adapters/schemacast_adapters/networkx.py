"""The embedded store: a NetworkX multigraph, kept in one node-link JSON file.

The address is `networkx:PATH`. The file is what `graph.json` is, so that any program with NetworkX reads
it as it is; `NetworkXAdapter.graph` is the same as a `MultiDiGraph`. It is written whole after every
change, atomically, one node or edge on a line. A writer holds the folder's lock and first takes in what
another process has written since, so that two writers lose nothing. What the schema no
longer declares, and values of another type than it does, stay in the file until their entity is written again, unseen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schemacast.adapters import Counts, Existing, Refusal, Store, WriteReport
from schemacast.errors import InputError, OutputError, UsageError
from schemacast.graph import (
    Edge,
    Entity,
    Graph,
    Lookup,
    edge_from_json,
    edge_to_json,
    entity_from_json,
    entity_to_json,
)
from schemacast.schema.comparable import Equality, comparable_values
from schemacast.schema.model import EdgeId, Schema
from schemacast.schema.values import Value
from schemacast.sharing import NO_WORKSPACE, Claim, together, with_claim, without_claim
from schemacast_adapters.files import check_writable, folder_lock, replace_file
from schemacast_adapters.graph_file import (
    Index,
    Item,
    check_text,
    claims_from_json,
    claims_to_json,
    declared_only,
    index_of,
    lines_of,
    read_json,
    without_other_types,
    without_workspace,
    workspaces_of,
)

if TYPE_CHECKING:
    import networkx

Stamp = tuple[int, int, int] | None


class NetworkXAdapter(Store):
    """A graph file. Opening reads it; a file that does not exist yet is an empty graph.

    Raises InputError for a file that holds no graph of this schema, OutputError for a folder.
    """

    def __init__(self, address: str, schema: Schema) -> None:
        super().__init__(schema)
        try:
            self.path = Path(address.partition(":")[2]).expanduser()
        except RuntimeError as error:
            raise UsageError(f"{address}: {error}") from None
        if self.path.is_dir():
            raise OutputError(f"{self.path}: is a folder; give the path of a file", exit_code=2)
        self.place = f"networkx:{self.path.resolve()}"
        self._closed = False
        self._stamp: Stamp = None
        self._load()

    @property
    def graph(self) -> networkx.MultiDiGraph:
        """The graph of the file as NetworkX has it: a copy, whose attributes are those of the file."""
        import networkx

        self._check_open()
        return networkx.node_link_graph({**self._head(), **self._items()}, edges="edges")

    def prepare(self, *, existing: Existing = "adopt") -> Mapping[str, int]:  # noqa: ARG002 (a file is all ours)
        """See that the file can be written; its folder is made by the first write."""
        check_writable(self.path)
        return {}

    def close(self) -> None:
        """Let go of the graph; every write is on the disk already."""
        self._clear()
        self._closed = True

    def read(self) -> Graph:
        """The graph of the file."""
        self._check_open()
        return Graph(
            schema_ref=self._schema_ref,
            entities={ident: self._entities[ident] for ident in sorted(self._entities)},
            edges={ident: self._edges[ident] for ident in sorted(self._edges)},
            schema=self.schema,
        )

    def entities(self, ids: Iterable[str]) -> dict[str, Entity]:
        """The entities with these ids, aliases followed."""
        self._check_open()
        found = ((asked, self._entities.get(self._followed(asked))) for asked in ids)
        return {asked: entity for asked, entity in found if entity is not None}

    def edges(self, ids: Iterable[str]) -> dict[str, Edge]:
        """The edges with these ids."""
        self._check_open()
        return {asked: self._edges[asked] for asked in ids if asked in self._edges}

    def of_type(self, type: str, *, besides: str | None = None) -> Iterator[Entity]:
        """The entities of a type, without those that only a workspace supports."""
        self._check_open()
        for ident, entity in self._entities.items():
            if entity.type == type and (besides is None or not self._goes(ident, besides)):
                yield entity

    def look_up(self, lookups: Sequence[Lookup]) -> list[list[Entity]]:
        """For each question the entities that answer it, by id; from an index made when first needed."""
        self._check_open()
        answers: list[list[Entity]] = []
        for lookup in lookups:
            names = tuple(lookup.values)
            declared = self.schema.vertices[lookup.type].properties
            texts = comparable_values(declared, names, lookup.values, lookup.equality)
            index = self._index(lookup.type, names, lookup.equality)
            answers.append(list(index.get(texts, ())) if texts is not None else [])
        return answers

    def write(self, graph: Graph, *, workspace: str | None = None) -> WriteReport:
        """Create or update every entity and edge, and save the file when anything changed."""
        refused: list[Refusal] = []
        with self._writing() as changed:
            vertices = self._write_entities(graph, workspace, refused)
            edges, missing = self._write_edges(graph, workspace, refused)
            if vertices.created or vertices.changed or edges.created or edges.changed or self._stamp is None:
                self._schema_ref = graph.schema_ref
                changed.append(True)
        return WriteReport(vertices, edges, tuple(refused), missing)

    def remove(
        self, entities: Iterable[str] = (), edges: Iterable[str] = (), *, workspace: str | None = None
    ) -> WriteReport:
        """Remove entities and edges, or a workspace's support of them, and save the file when anything changed."""
        with self._writing() as changed:
            asked = {ident for ident in entities if ident in self._entities or ident in self._old_nodes}
            nodes = {ident for ident in asked if self._goes(ident, workspace)}
            less = {ident for ident in asked - nodes if self._is_supported_by(ident, workspace)}
            keys = self._edges_at(nodes)
            concerned = {ident for ident in edges if ident in self._edges or ident in self._old_edges}
            concerned |= self._edges_at(less)
            keys |= {ident for ident in concerned if self._goes(ident, workspace)}
            weaker = {ident for ident in concerned - keys if self._is_supported_by(ident, workspace)}
            for ident in nodes:
                self._forget(ident, self._entities, self._old_nodes)
            for ident in keys:
                self._forget(ident, self._edges, self._old_edges)
            for ident in less:
                props, aliases = self._without(ident, workspace, self._old_nodes)
                if ident in self._entities:
                    self._entities[ident] = replace(self._entities[ident], props=props, aliases=aliases)
            for ident in weaker:
                props, _ = self._without(ident, workspace, self._old_edges)
                if ident in self._edges:
                    self._edges[ident] = replace(self._edges[ident], props=props)
            if nodes or keys or less or weaker:
                changed.append(True)
        return WriteReport(
            Counts(removed=len(nodes), changed=len(less)), Counts(removed=len(keys), changed=len(weaker))
        )

    def _edges_at(self, nodes: set[str]) -> set[str]:
        """The edges that have one of these nodes as an end."""
        if not nodes:
            return set()
        keys = {edge.id for edge in self._edges.values() if edge.source in nodes or edge.target in nodes}
        old = self._old_edges.values()
        return keys | {item["key"] for item in old if item["source"] in nodes or item["target"] in nodes}

    def _goes(self, ident: str, workspace: str | None) -> bool:
        """Whether nothing supports an item when this workspace's support goes; without one it goes anyway."""
        return workspace is None or all(claim.workspace == workspace for claim in self._claims_of(ident))

    def _is_supported_by(self, ident: str, workspace: str | None) -> bool:
        return any(claim.workspace == workspace for claim in self._claims_of(ident))

    def _claims_of(self, ident: str) -> tuple[Claim, ...]:
        """What each workspace wrote about an item; an item that is noted nowhere was written without one."""
        claims = self._claims.get(ident)
        if claims is not None:
            return claims
        old = self._old_nodes.get(ident) or self._old_edges.get(ident)
        if old is not None:
            return tuple(Claim(name) for name in workspaces_of(old))
        item = self._entities.get(ident) or self._edges.get(ident)
        aliases = item.aliases if isinstance(item, Entity) else ()
        return (Claim(NO_WORKSPACE, item.props if item else {}, aliases),)

    def _without(
        self, ident: str, workspace: str | None, old: dict[str, Item]
    ) -> tuple[dict[str, Value], tuple[str, ...]]:
        """What an item is without a workspace's claim, which it also loses as it stands in the file."""
        claims = without_claim(self._claims_of(ident), workspace)
        if ident in self._claims:
            self._claims[ident] = claims
        if ident in old:
            old[ident] = without_workspace(old[ident], workspace)
        return together(claims)

    def _forget(self, ident: str, items: dict[str, Any], old: dict[str, Item]) -> None:
        items.pop(ident, None)
        old.pop(ident, None)
        self._claims.pop(ident, None)

    def _write_entities(self, graph: Graph, workspace: str | None, refused: list[Refusal]) -> Counts:
        created = changed = unchanged = 0
        for ident, entity in graph.entities.items():
            refusal = self.refusal(entity)
            if refusal is not None:
                refused.append(refusal)
                continue
            held = self._entities.get(ident)
            claim = Claim.of(entity, workspace, self.schema.vertices[entity.type].properties)
            before = self._claims_of(ident) if held is not None else ()
            claims = with_claim(before, claim)
            if claims is before and ident not in self._old_nodes:
                unchanged += 1
                continue
            created += held is None
            changed += held is not None
            props, aliases = together(claims) if len(claims) > 1 else (claim.props, entity.aliases)
            self._entities[ident] = replace(entity, props=props, aliases=aliases)
            self._note(ident, claims)
            self._old_nodes.pop(ident, None)
        self._reindex()
        return Counts(created, changed, unchanged)

    def _note(self, ident: str, claims: tuple[Claim, ...]) -> None:
        if len(claims) == 1 and claims[0].workspace == NO_WORKSPACE:
            self._claims.pop(ident, None)
        else:
            self._claims[ident] = claims

    def _write_edges(self, graph: Graph, workspace: str | None, refused: list[Refusal]) -> tuple[Counts, int]:
        created = changed = unchanged = missing = 0
        for ident, stated in graph.edges.items():
            refusal = self.refusal(stated)
            source, target = self._followed(stated.source), self._followed(stated.target)
            if refusal is not None:
                refused.append(refusal)
                continue
            if source not in self._entities or target not in self._entities:
                missing += 1
                continue
            held = self._edges.get(ident)
            claim = Claim.of(stated, workspace, self.schema.edges[stated.edge_id].properties)
            before = self._claims_of(ident) if held is not None else ()
            claims = with_claim(before, claim)
            stays = held is not None and (held.source, held.target) == (source, target)
            if claims is before and stays and ident not in self._old_edges:
                unchanged += 1
                continue
            created += held is None
            changed += held is not None
            props = together(claims)[0] if len(claims) > 1 else claim.props
            self._edges[ident] = replace(stated, source=source, target=target, props=props)
            self._note(ident, claims)
            self._old_edges.pop(ident, None)
        return Counts(created, changed, unchanged), missing

    @contextmanager
    def _writing(self) -> Iterator[list[bool]]:
        """Hold the file; take in what another process wrote; save when the block says that it changed something.

        When the block or the disk fails, the graph in memory is read again from the file.
        """
        self._check_open()
        changed: list[bool] = []
        with folder_lock(self.path):
            if self._stamp_of_file() != self._stamp:
                self._load()
            try:
                yield changed
                if changed:
                    replace_file(self.path, lines_of(self._head(), self._items()))
                    self._stamp = self._stamp_of_file()
            except BaseException:
                self._load()
                raise
            finally:
                self._reindex()

    def _clear(self) -> None:
        self._schema_ref = self.schema.ref
        self._entities: dict[str, Entity] = {}
        self._edges: dict[str, Edge] = {}
        # As they stand in the file: what has types or properties that the schema no longer declares.
        self._old_nodes: dict[str, Item] = {}
        self._old_edges: dict[str, Item] = {}
        # What each workspace wrote, of whatever was not written without one.
        self._claims: dict[str, tuple[Claim, ...]] = {}
        self._reindex()

    def _load(self) -> None:
        self._clear()
        self._stamp = self._stamp_of_file()
        if self._stamp is None:
            return
        data = read_json(self.path)
        try:
            self._take(data)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            detail = f"{error}" if isinstance(error, ValueError) else f"{type(error).__name__} {error}"
            raise InputError(f"{self.path}: is no graph of schema {self.schema.name!r}: {detail}") from error
        self._reindex()

    def _take(self, data: Mapping[str, Any]) -> None:
        """Take a file's object in, reading every value, so that a wrong one is found now."""
        if data["directed"] is not True or data["multigraph"] is not True:
            raise ValueError("it is no directed multigraph")
        self._schema_ref = data["graph"]["schema_ref"]
        if self._schema_ref.rpartition("@")[0] != self.schema.name:
            raise ValueError(f"it was written with schema {self._schema_ref!r}")
        for node in data["nodes"]:
            check_text(node["id"])
            vertex_type = self.schema.vertices.get(node["type"])
            props = declared_only(node["props"], vertex_type.properties if vertex_type else {})
            if vertex_type is not None:
                fitted = without_other_types(node, vertex_type.properties)
                entity = entity_from_json({**node, "props": props}, self.schema)
                self._entities[entity.id] = entity
                self._note(entity.id, claims_from_json(fitted, entity, vertex_type.properties))
            if vertex_type is None or len(props) < len(node["props"]):
                self._old_nodes[node["id"]] = node
        ends = self._entities.keys() | self._old_nodes.keys()
        for item in data["edges"]:
            check_text(item["key"])
            edge_type = self.schema.edges.get(EdgeId(*item["edge_id"]))
            props = declared_only(item["props"], edge_type.properties if edge_type else {})
            if edge_type is not None:
                fitted = without_other_types(item, edge_type.properties)
                edge = edge_from_json({**item, "props": props}, self.schema)
                self._edges[edge.id] = edge
                self._note(edge.id, claims_from_json(fitted, edge, edge_type.properties))
            if edge_type is None or len(props) < len(item["props"]):
                self._old_edges[item["key"]] = item
            if item["source"] not in ends or item["target"] not in ends:
                raise ValueError(f"edge {item['key']!r} has an end that is not there")

    def _head(self) -> Item:
        return {"directed": True, "multigraph": True, "graph": {"schema_ref": self._schema_ref}}

    def _items(self) -> dict[str, Iterator[Item]]:
        """The nodes and edges of the file, by id."""
        nodes, edges = self._entities, self._edges
        return {
            "nodes": (
                self._old_nodes.get(ident) or self._node_item(nodes[ident])
                for ident in sorted(nodes.keys() | self._old_nodes.keys())
            ),
            "edges": (
                self._old_edges.get(ident) or self._edge_item(edges[ident])
                for ident in sorted(edges.keys() | self._old_edges.keys())
            ),
        }

    def _node_item(self, entity: Entity) -> Item:
        declared = self.schema.vertices[entity.type].properties
        return {**entity_to_json(entity, self.schema), **claims_to_json(self._claims.get(entity.id), declared)}

    def _edge_item(self, edge: Edge) -> Item:
        declared = self.schema.edges[edge.edge_id].properties
        return {**edge_to_json(edge, self.schema), **claims_to_json(self._claims.get(edge.id), declared)}

    def _stamp_of_file(self) -> Stamp:
        try:
            status = self.path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise InputError(f"{self.path}: cannot be read: {error.strerror or error}") from error
        return status.st_mtime_ns, status.st_size, status.st_ino

    def _followed(self, ident: str) -> str:
        return ident if ident in self._entities else self._aliases.get(ident, ident)

    def _index(self, kind: str, names: tuple[str, ...], equality: Equality) -> Index:
        index = self._indexes.get((kind, names, equality))
        if index is None:
            of_kind = [each for _, each in sorted(self._entities.items()) if each.type == kind]
            index = index_of(of_kind, self.schema.vertices[kind].properties, names, equality)
            self._indexes[kind, names, equality] = index
        return index

    def _reindex(self) -> None:
        self._indexes: dict[tuple[str, tuple[str, ...], Equality], Index] = {}
        self._aliases = {alias: ident for ident, entity in self._entities.items() for alias in entity.aliases}

    def _check_open(self) -> None:
        if self._closed:
            raise UsageError(f"{self.path}: the adapter is closed; open it again")
