"""The embedded store: a NetworkX multigraph in memory, kept in one node-link JSON file.

The address is `networkx:PATH`. Nodes and edges carry exactly what `graph.json` holds, so that any
program with NetworkX reads the file as it is. It is written whole after every change, atomically, with
one node or edge on a line. A writer holds the folder's lock and first takes in what another process has
written since, so that two writers lose nothing. Types and properties that the schema no longer declares
are left in the file until their entity is written again, and are not shown.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import networkx

from schemacast.adapters import Counts, Refusal, Store, WriteReport
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
from schemacast.schema.model import EdgeId, Property, Schema
from schemacast.schema.stored import PARTIAL_SUFFIX
from schemacast_adapters.files import check_writable, folder_lock, replace_file

Attributes = dict[str, Any]
Index = dict[tuple[str, ...], list[str]]
Stamp = tuple[int, int, int] | None


class NetworkXAdapter(Store):
    """A graph file. Opening reads it; a file that does not exist yet is an empty graph.

    Raises InputError for a file that holds no graph of this schema, OutputError for a folder.
    """

    def __init__(self, address: str, schema: Schema) -> None:
        super().__init__(schema)
        self.path = Path(address.partition(":")[2]).expanduser()
        if self.path.is_dir():
            raise OutputError(f"{self.path}: is a folder; give the path of a file", exit_code=2)
        self._graph: networkx.MultiDiGraph | None = None
        self._ends: dict[str, tuple[str, str]] = {}
        self._aliases: dict[str, str] = {}
        self._indexes: dict[tuple[str, tuple[str, ...], Equality], Index] = {}
        self._stamp: Stamp = None
        self._load()

    @property
    def graph(self) -> networkx.MultiDiGraph:
        """The graph in memory: node and edge attributes are those of the file."""
        if self._graph is None:
            raise UsageError(f"{self.path}: the adapter is closed; open it again")
        return self._graph

    def prepare(self) -> None:
        """Make the file's folder, and see that it can be written to."""
        check_writable(self.path)

    def close(self) -> None:
        """Let go of the graph; every write is on the disk already."""
        self._graph = None
        self._ends, self._aliases, self._indexes = {}, {}, {}

    def read(self) -> Graph:
        """The graph of the file."""
        entities = (self._entity(node) for node in sorted(self.graph.nodes))
        edges = (self._edge(key) for key in sorted(self._ends))
        return Graph(
            schema_ref=self.graph.graph.get("schema_ref", self.schema.ref),
            entities={entity.id: entity for entity in entities if entity is not None},
            edges={edge.id: edge for edge in edges if edge is not None},
            schema=self.schema,
        )

    def entities(self, ids: Iterable[str]) -> dict[str, Entity]:
        """The entities with these ids, aliases followed."""
        found = ((asked, self._entity(self._followed(asked))) for asked in ids)
        return {asked: entity for asked, entity in found if entity is not None}

    def edges(self, ids: Iterable[str]) -> dict[str, Edge]:
        """The edges with these ids."""
        found = ((asked, self._edge(asked)) for asked in ids)
        return {asked: edge for asked, edge in found if edge is not None}

    def look_up(self, lookups: Sequence[Lookup]) -> list[list[Entity]]:
        """For each question the entities that answer it, by id; from an index made when first needed."""
        answers: list[list[Entity]] = []
        for lookup in lookups:
            names = tuple(lookup.values)
            declared = self.schema.vertices[lookup.type].properties
            texts = comparable_values(declared, names, lookup.values, lookup.equality)
            ids = self._index(lookup.type, names, lookup.equality).get(texts, []) if texts is not None else []
            entities = (self._entity(node) for node in ids)
            answers.append([entity for entity in entities if entity is not None])
        return answers

    def write(self, graph: Graph) -> WriteReport:
        """Create or update every entity and edge, and save the file when anything changed."""
        refused: list[Refusal] = []
        with self._writing() as changed:
            vertices = self._write_entities(graph, refused)
            edges, missing = self._write_edges(graph, refused)
            changed.append(_touched(vertices) or _touched(edges) or self._stamp is None)
            if changed[0]:
                self.graph.graph["schema_ref"] = graph.schema_ref
        return WriteReport(vertices, edges, tuple(refused), missing)

    def remove(self, entities: Iterable[str] = (), edges: Iterable[str] = ()) -> WriteReport:
        """Remove entities and edges, and save the file when anything changed."""
        with self._writing() as changed:
            gone = [node for node in dict.fromkeys(entities) if node in self.graph]
            keys = {key for key in edges if key in self._ends}
            for node in gone:
                keys.update(key for *_, key in self.graph.in_edges(node, keys=True))
                keys.update(key for *_, key in self.graph.out_edges(node, keys=True))
            for key in keys:
                self.graph.remove_edge(*self._ends.pop(key), key=key)
            self.graph.remove_nodes_from(gone)
            changed.append(bool(gone or keys))
        return WriteReport(Counts(removed=len(gone)), Counts(removed=len(keys)))

    def _write_entities(self, graph: Graph, refused: list[Refusal]) -> Counts:
        created = changed = unchanged = 0
        for entity in graph.entities.values():
            refusal = self.refusal(entity)
            if refusal is not None:
                refused.append(refusal)
                continue
            attributes = entity_to_json(entity, self.schema)
            node = attributes.pop("id")
            held = self.graph.nodes.get(node)
            if held is None:
                self.graph.add_node(node, **attributes)
                created += 1
            elif held == attributes:
                unchanged += 1
            else:
                held.clear()
                held.update(attributes)
                changed += 1
        self._reindex()
        return Counts(created, changed, unchanged)

    def _write_edges(self, graph: Graph, refused: list[Refusal]) -> tuple[Counts, int]:
        created = changed = unchanged = missing = 0
        for edge in graph.edges.values():
            refusal = self.refusal(edge)
            if refusal is not None:
                refused.append(refusal)
                continue
            source, target = self._followed(edge.source), self._followed(edge.target)
            if source not in self.graph or target not in self.graph:
                missing += 1
                continue
            attributes = _edge_attributes(edge, self.schema)
            ends = self._ends.get(edge.id)
            if ends is not None and ends == (source, target):
                held = self.graph.edges[source, target, edge.id]
                if held == attributes:
                    unchanged += 1
                    continue
            if ends is not None:
                self.graph.remove_edge(*ends, key=edge.id)
                changed += 1
            else:
                created += 1
            self.graph.add_edge(source, target, key=edge.id, **attributes)
            self._ends[edge.id] = (source, target)
        return Counts(created, changed, unchanged), missing

    @contextmanager
    def _writing(self) -> Iterator[list[bool]]:
        """Hold the file; take in what another process wrote; save when the block says that it changed something.

        When the block or the disk fails, the graph in memory is read again from the file.
        """
        changed: list[bool] = []
        with folder_lock(self.path):
            if self._stamp_of_file() != self._stamp:
                self._load()
            try:
                yield changed
                if changed and changed[0]:
                    replace_file(self.path, self._bytes())
                    self._stamp = self._stamp_of_file()
            except BaseException:
                self._load()
                raise
            finally:
                self._reindex()

    def _load(self) -> None:
        self._stamp = self._stamp_of_file()
        data = _read_json(self.path) if self._stamp is not None else None
        graph = networkx.MultiDiGraph()
        self._ends = {}
        if data is not None:
            try:
                self._fill(graph, data)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                detail = f"{error}" if isinstance(error, ValueError) else f"{type(error).__name__} {error}"
                raise InputError(f"{self.path}: is no graph of schema {self.schema.name!r}: {detail}") from error
        self._graph = graph
        self._reindex()

    def _fill(self, graph: networkx.MultiDiGraph, data: Mapping[str, Any]) -> None:
        """Put a file's object into a graph, reading every value once so that a wrong one is found now."""
        if data["directed"] is not True or data["multigraph"] is not True:
            raise ValueError("it is no directed multigraph")
        written_with = data["graph"]["schema_ref"]
        if written_with.rpartition("@")[0] != self.schema.name:
            raise ValueError(f"it was written with schema {written_with!r}")
        graph.graph["schema_ref"] = written_with
        for node in data["nodes"]:
            self._shown_entity(node)
            graph.add_node(node["id"], **{name: value for name, value in node.items() if name != "id"})
        for edge in data["edges"]:
            self._shown_edge(edge)
            source, target, key = edge["source"], edge["target"], edge["key"]
            if source not in graph or target not in graph or key in self._ends:
                raise ValueError(f"edge {key!r} stands twice, or has an end that is not there")
            rest = {name: value for name, value in edge.items() if name not in ("source", "target", "key")}
            graph.add_edge(source, target, key=key, **rest)
            self._ends[key] = (source, target)

    def _bytes(self) -> bytes:
        """The file: the same bytes for the same graph, whatever was written in which order."""
        encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True, allow_nan=False).encode
        graph = self.graph
        nodes = ",\n".join(encode({"id": node, **graph.nodes[node]}) for node in sorted(graph.nodes))
        edges = ",\n".join(encode(self._edge_item(key)) for key in sorted(self._ends))
        head = f'"graph": {encode(graph.graph)}, "multigraph": true'
        text = f'{{"directed": true, "edges": [\n{edges}\n], {head}, "nodes": [\n{nodes}\n]}}\n'
        return text.encode()

    def _edge_item(self, key: str) -> Attributes:
        source, target = self._ends[key]
        return {"source": source, "target": target, "key": key, **self.graph.edges[source, target, key]}

    def _stamp_of_file(self) -> Stamp:
        try:
            status = self.path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise InputError(f"{self.path}: cannot be read: {error.strerror or error}") from error
        return status.st_mtime_ns, status.st_size, status.st_ino

    def _followed(self, ident: str) -> str:
        return ident if ident in self.graph else self._aliases.get(ident, ident)

    def _entity(self, node: str) -> Entity | None:
        held = self.graph.nodes.get(node)
        return None if held is None else self._shown_entity({"id": node, **held})

    def _shown_entity(self, node: Attributes) -> Entity | None:
        """A node as an entity, without what the schema no longer declares."""
        vertex_type = self.schema.vertices.get(node["type"])
        if vertex_type is None:
            return None
        return entity_from_json({**node, "props": _declared(node["props"], vertex_type.properties)}, self.schema)

    def _edge(self, key: str) -> Edge | None:
        return self._shown_edge(self._edge_item(key)) if key in self._ends else None

    def _shown_edge(self, item: Attributes) -> Edge | None:
        edge_type = self.schema.edges.get(EdgeId(*item["edge_id"]))
        if edge_type is None:
            return None
        return edge_from_json({**item, "props": _declared(item["props"], edge_type.properties)}, self.schema)

    def _index(self, kind: str, names: tuple[str, ...], equality: Equality) -> Index:
        index = self._indexes.get((kind, names, equality))
        if index is None:
            index = self._indexes[kind, names, equality] = {}
            declared = self.schema.vertices[kind].properties
            for node in sorted(self.graph.nodes):
                entity = self._entity(node) if self.graph.nodes[node]["type"] == kind else None
                texts = comparable_values(declared, names, entity.props, equality) if entity is not None else None
                if texts is not None:
                    index.setdefault(texts, []).append(node)
        return index

    def _reindex(self) -> None:
        self._indexes = {}
        if self._graph is not None:
            self._aliases = {alias: node for node, held in self._graph.nodes.items() for alias in held["aliases"]}


def _edge_attributes(edge: Edge, schema: Schema) -> Attributes:
    attributes = edge_to_json(edge, schema)
    return {name: value for name, value in attributes.items() if name not in ("source", "target", "key")}


def _declared(props: Mapping[str, Any], declared: Mapping[str, Property]) -> dict[str, Any]:
    return {
        name: value
        for name, value in props.items()
        if name in declared or name.removesuffix(PARTIAL_SUFFIX) in declared
    }


def _touched(counts: Counts) -> bool:
    return bool(counts.created or counts.changed)


def _read_json(path: Path) -> Mapping[str, Any]:
    try:
        data = json.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: is no graph file: {' '.join(str(error).split())[:200]}") from error
    if not isinstance(data, dict):
        raise InputError(f"{path}: is no graph file: it holds no JSON object")
    return data
