"""The embedded store: a NetworkX multigraph, kept in one node-link JSON file.

The address is `networkx:PATH`. The file is what `graph.json` is, so that any program with NetworkX reads
it as it is; `NetworkXAdapter.graph` is the same as a `MultiDiGraph`. It is written whole after every
change, atomically, one node or edge on a line. A writer holds the folder's lock and first takes in what
another process has written since, so that two writers lose nothing. Types and properties that the schema
no longer declares are left in the file until their entity is written again, and are not shown.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
from schemacast.schema.stored import PARTIAL_SUFFIX, as_read_back
from schemacast_adapters.files import check_writable, folder_lock, replace_file

if TYPE_CHECKING:
    import networkx

Item = dict[str, Any]
Index = dict[tuple[str, ...], list[Entity]]
Stamp = tuple[int, int, int] | None
_encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True, allow_nan=False).encode


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
        self._closed = False
        self._stamp: Stamp = None
        self._load()

    @property
    def graph(self) -> networkx.MultiDiGraph:
        """The graph of the file as NetworkX has it: a copy, whose attributes are those of the file."""
        import networkx

        self._check_open()
        return networkx.node_link_graph({**self._head(), **self._items()}, edges="edges")

    def prepare(self) -> None:
        """See that the file can be written; its folder is made by the first write."""
        check_writable(self.path)

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

    def write(self, graph: Graph) -> WriteReport:
        """Create or update every entity and edge, and save the file when anything changed."""
        refused: list[Refusal] = []
        with self._writing() as changed:
            vertices = self._write_entities(graph, refused)
            edges, missing = self._write_edges(graph, refused)
            if vertices.created or vertices.changed or edges.created or edges.changed or self._stamp is None:
                self._schema_ref = graph.schema_ref
                changed.append(True)
        return WriteReport(vertices, edges, tuple(refused), missing)

    def remove(self, entities: Iterable[str] = (), edges: Iterable[str] = ()) -> WriteReport:
        """Remove entities and edges, and save the file when anything changed."""
        with self._writing() as changed:
            nodes = {ident for ident in entities if ident in self._entities or ident in self._old_nodes}
            keys = {ident for ident in edges if ident in self._edges or ident in self._old_edges}
            keys.update(edge.id for edge in self._edges.values() if edge.source in nodes or edge.target in nodes)
            keys.update(
                item["key"] for item in self._old_edges.values() if item["source"] in nodes or item["target"] in nodes
            )
            for ident in nodes:
                self._entities.pop(ident, None)
                self._old_nodes.pop(ident, None)
            for ident in keys:
                self._edges.pop(ident, None)
                self._old_edges.pop(ident, None)
            if nodes or keys:
                changed.append(True)
        return WriteReport(Counts(removed=len(nodes)), Counts(removed=len(keys)))

    def _write_entities(self, graph: Graph, refused: list[Refusal]) -> Counts:
        created = changed = unchanged = 0
        for ident, entity in graph.entities.items():
            refusal = self.refusal(entity)
            held = self._entities.get(ident)
            if refusal is not None:
                refused.append(refusal)
            elif held == entity and ident not in self._old_nodes:
                unchanged += 1
            else:
                created += held is None
                changed += held is not None
                props = as_read_back(entity.props, self.schema.vertices[entity.type].properties)
                self._entities[ident] = entity if props is entity.props else replace(entity, props=props)
                self._old_nodes.pop(ident, None)
        self._reindex()
        return Counts(created, changed, unchanged)

    def _write_edges(self, graph: Graph, refused: list[Refusal]) -> tuple[Counts, int]:
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
            props = as_read_back(stated.props, self.schema.edges[stated.edge_id].properties)
            moved = (source, target) != (stated.source, stated.target)
            edge = (
                replace(stated, source=source, target=target, props=props)
                if moved or props is not stated.props
                else stated
            )
            held = self._edges.get(ident)
            if held == edge and ident not in self._old_edges:
                unchanged += 1
            else:
                created += held is None
                changed += held is not None
                self._edges[ident] = edge
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
                    replace_file(self.path, self._lines())
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
        self._reindex()

    def _load(self) -> None:
        self._clear()
        self._stamp = self._stamp_of_file()
        if self._stamp is None:
            return
        data = _read_json(self.path)
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
            _check_text(node["id"])
            vertex_type = self.schema.vertices.get(node["type"])
            props = _declared(node["props"], vertex_type.properties if vertex_type else {})
            if vertex_type is not None:
                self._entities[node["id"]] = entity_from_json({**node, "props": props}, self.schema)
            if vertex_type is None or len(props) < len(node["props"]):
                self._old_nodes[node["id"]] = node
        ends = self._entities.keys() | self._old_nodes.keys()
        for item in data["edges"]:
            _check_text(item["key"])
            edge_type = self.schema.edges.get(EdgeId(*item["edge_id"]))
            props = _declared(item["props"], edge_type.properties if edge_type else {})
            if edge_type is not None:
                self._edges[item["key"]] = edge_from_json({**item, "props": props}, self.schema)
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
                self._old_nodes.get(ident) or entity_to_json(nodes[ident], self.schema)
                for ident in sorted(nodes.keys() | self._old_nodes.keys())
            ),
            "edges": (
                self._old_edges.get(ident) or edge_to_json(edges[ident], self.schema)
                for ident in sorted(edges.keys() | self._old_edges.keys())
            ),
        }

    def _lines(self) -> Iterator[str]:
        """The file: the same bytes for the same graph, whatever was written in which order."""
        items = self._items()
        separator = "{"
        for name, value in sorted({**self._head(), **items}.items()):
            yield f"{separator}{_encode(name)}: "
            if name in items:
                yield from _lines_of(items[name])
            else:
                yield _encode(value)
            separator = ", "
        yield "}\n"

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
            index = self._indexes[kind, names, equality] = {}
            declared = self.schema.vertices[kind].properties
            for ident in sorted(self._entities):
                entity = self._entities[ident]
                texts = comparable_values(declared, names, entity.props, equality) if entity.type == kind else None
                if texts is not None:
                    index.setdefault(texts, []).append(entity)
        return index

    def _reindex(self) -> None:
        self._indexes: dict[tuple[str, tuple[str, ...], Equality], Index] = {}
        self._aliases = {alias: ident for ident, entity in self._entities.items() for alias in entity.aliases}

    def _check_open(self) -> None:
        if self._closed:
            raise UsageError(f"{self.path}: the adapter is closed; open it again")


def _lines_of(items: Iterator[Item]) -> Iterator[str]:
    separator = "[\n"
    for item in items:
        yield separator + _encode(item)
        separator = ",\n"
    yield "\n]" if separator == ",\n" else "[]"


def _check_text(ident: object) -> None:
    if not isinstance(ident, str):
        raise TypeError(f"the id {ident!r} is no text")


def _declared(props: Mapping[str, Any], declared: Mapping[str, Property]) -> dict[str, Any]:
    return {
        name: value
        for name, value in props.items()
        if name in declared or name.removesuffix(PARTIAL_SUFFIX) in declared
    }


def _read_json(path: Path) -> Mapping[str, Any]:
    try:
        content = path.read_bytes()
        data = json.loads(content)
        if b"\\ud" in content.lower():
            _encode(data).encode()  # a lone surrogate could not be written again
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: is no graph file: {' '.join(str(error).split())[:200]}") from error
    if not isinstance(data, dict):
        raise InputError(f"{path}: is no graph file: it holds no JSON object")
    return data
