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
from typing import TYPE_CHECKING

from schemacast.adapters import Counts, Existing, Refusal, Store, WriteReport
from schemacast.errors import InputError, OutputError, UsageError
from schemacast.graph import Edge, Entity, Graph, Lookup
from schemacast.schema.comparable import comparable_values
from schemacast.schema.model import Schema
from schemacast.sharing import Claim, together, with_claim
from schemacast_adapters.files import check_writable, folder_lock, replace_file
from schemacast_adapters.graph_file import lines_of, read_json
from schemacast_adapters.held_graph import HeldGraph
from schemacast_adapters.unscanned import unscanned

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
        return networkx.node_link_graph({**self._held.head(), **self._held.items()}, edges="edges")

    def prepare(self, *, existing: Existing = "adopt") -> Mapping[str, int]:  # noqa: ARG002 (a file is all ours)
        """See that the file can be written; its folder is made by the first write."""
        check_writable(self.path)
        return {}

    def close(self) -> None:
        """Let go of the graph; every write is on the disk already."""
        self._held = HeldGraph(self.schema)
        self._closed = True

    def read(self) -> Graph:
        """The graph of the file."""
        self._check_open()
        return Graph(
            schema_ref=self._held.schema_ref,
            entities={ident: self._held.entities[ident] for ident in sorted(self._held.entities)},
            edges={ident: self._held.edges[ident] for ident in sorted(self._held.edges)},
            schema=self.schema,
        )

    def entities(self, ids: Iterable[str]) -> dict[str, Entity]:
        """The entities with these ids, aliases followed."""
        self._check_open()
        found = ((asked, self._held.entities.get(self._held.followed(asked))) for asked in ids)
        return {asked: entity for asked, entity in found if entity is not None}

    def edges(self, ids: Iterable[str]) -> dict[str, Edge]:
        """The edges with these ids."""
        self._check_open()
        return {asked: self._held.edges[asked] for asked in ids if asked in self._held.edges}

    def of_type(self, type: str, *, besides: str | None = None) -> Iterator[Entity]:
        """The entities of a type, without those that only a workspace supports."""
        self._check_open()
        for ident, entity in self._held.entities.items():
            if entity.type == type and (besides is None or not self._held.goes(ident, besides)):
                yield entity

    def look_up(self, lookups: Sequence[Lookup]) -> list[list[Entity]]:
        """For each question the entities that answer it, by id; from an index made when first needed."""
        self._check_open()
        answers: list[list[Entity]] = []
        for lookup in lookups:
            names = tuple(lookup.values)
            declared = self.schema.vertices[lookup.type].properties
            texts = comparable_values(declared, names, lookup.values, lookup.equality)
            index = self._held.index(lookup.type, names, lookup.equality)
            answers.append(list(index.get(texts, ())) if texts is not None else [])
        return answers

    def write(self, graph: Graph, *, workspace: str | None = None) -> WriteReport:
        """Create or update every entity and edge, and save the file when anything changed."""
        refused: list[Refusal] = []
        with unscanned(), self._writing() as changed:
            vertices = self._write_entities(graph, workspace, refused)
            edges, missing = self._write_edges(graph, workspace, refused)
            if vertices.created or vertices.changed or edges.created or edges.changed or self._stamp is None:
                self._held.schema_ref = graph.schema_ref
                changed.append(True)
        return WriteReport(vertices, edges, tuple(refused), missing)

    def remove(
        self, entities: Iterable[str] = (), edges: Iterable[str] = (), *, workspace: str | None = None
    ) -> WriteReport:
        """Remove entities and edges, or a workspace's support of them, and save the file when anything changed."""
        with self._writing() as changed:
            asked = {ident for ident in entities if ident in self._held.entities or ident in self._held.old_nodes}
            nodes = {ident for ident in asked if self._held.goes(ident, workspace)}
            less = {ident for ident in asked - nodes if self._held.is_supported_by(ident, workspace)}
            keys = self._held.edges_at(nodes)
            concerned = {ident for ident in edges if ident in self._held.edges or ident in self._held.old_edges}
            concerned |= self._held.edges_at(less)
            keys |= {ident for ident in concerned if self._held.goes(ident, workspace)}
            weaker = {ident for ident in concerned - keys if self._held.is_supported_by(ident, workspace)}
            for ident in nodes:
                self._held.forget(ident, self._held.entities, self._held.old_nodes)
            for ident in keys:
                self._held.forget(ident, self._held.edges, self._held.old_edges)
            for ident in less:
                props, aliases = self._held.without(ident, workspace, self._held.old_nodes)
                if ident in self._held.entities:
                    self._held.entities[ident] = replace(self._held.entities[ident], props=props, aliases=aliases)
            for ident in weaker:
                props, _ = self._held.without(ident, workspace, self._held.old_edges)
                if ident in self._held.edges:
                    self._held.edges[ident] = replace(self._held.edges[ident], props=props)
            if nodes or keys or less or weaker:
                changed.append(True)
        return WriteReport(
            Counts(removed=len(nodes), changed=len(less)), Counts(removed=len(keys), changed=len(weaker))
        )

    def _write_entities(self, graph: Graph, workspace: str | None, refused: list[Refusal]) -> Counts:
        created = changed = unchanged = 0
        for ident, entity in graph.entities.items():
            refusal = self.refusal(entity)
            if refusal is not None:
                refused.append(refusal)
                continue
            held = self._held.entities.get(ident)
            claim = Claim.of(entity, workspace, self.schema.vertices[entity.type].properties)
            before = self._held.claims_of(ident) if held is not None else ()
            claims = with_claim(before, claim)
            if claims is before and ident not in self._held.old_nodes:
                unchanged += 1
                continue
            created += held is None
            changed += held is not None
            props, aliases = together(claims) if len(claims) > 1 else (claim.props, entity.aliases)
            self._held.entities[ident] = replace(entity, props=props, aliases=aliases)
            self._held.note(ident, claims)
            self._held.old_nodes.pop(ident, None)
        self._held.reindex()
        return Counts(created, changed, unchanged)

    def _write_edges(self, graph: Graph, workspace: str | None, refused: list[Refusal]) -> tuple[Counts, int]:
        created = changed = unchanged = missing = 0
        for ident, stated in graph.edges.items():
            refusal = self.refusal(stated)
            source, target = self._held.followed(stated.source), self._held.followed(stated.target)
            if refusal is not None:
                refused.append(refusal)
                continue
            if source not in self._held.entities or target not in self._held.entities:
                missing += 1
                continue
            held = self._held.edges.get(ident)
            claim = Claim.of(stated, workspace, self.schema.edges[stated.edge_id].properties)
            before = self._held.claims_of(ident) if held is not None else ()
            claims = with_claim(before, claim)
            stays = held is not None and (held.source, held.target) == (source, target)
            if claims is before and stays and ident not in self._held.old_edges:
                unchanged += 1
                continue
            created += held is None
            changed += held is not None
            props = together(claims)[0] if len(claims) > 1 else claim.props
            self._held.edges[ident] = replace(stated, source=source, target=target, props=props)
            self._held.note(ident, claims)
            self._held.old_edges.pop(ident, None)
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
                    replace_file(self.path, lines_of(self._held.head(), self._held.items()))
                    self._stamp = self._stamp_of_file()
            except BaseException:
                self._load()
                raise
            finally:
                self._held.reindex()

    def _load(self) -> None:
        self._held = HeldGraph(self.schema)
        self._stamp = self._stamp_of_file()
        if self._stamp is None:
            return
        data = read_json(self.path)
        try:
            self._held.take(data)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            if isinstance(error, KeyError):
                detail = f"it lacks {error}"
            else:
                detail = f"{error}" if isinstance(error, ValueError) else "a part of it is not what it should be"
            hint = "name another file, or move this one away and `schemacast sync` writes it again"
            raise InputError(f"{self.path}: is no graph of schema {self.schema.name!r}: {detail}; {hint}") from error
        self._held.reindex()

    def _stamp_of_file(self) -> Stamp:
        try:
            status = self.path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise InputError(f"{self.path}: cannot be read: {error.strerror or error}") from error
        return status.st_mtime_ns, status.st_size, status.st_ino

    def _check_open(self) -> None:
        if self._closed:
            raise UsageError(f"{self.path}: the adapter is closed; open it again")
