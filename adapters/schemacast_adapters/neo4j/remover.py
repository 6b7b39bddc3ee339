"""Taking away what is ours, and nothing else.

On behalf of a workspace only its support goes; an item that others support becomes what they say. An item
that goes takes our edges with it. A node that someone else holds on to stays: one that was there before us,
and one that has relationships, labels or properties that are not ours. It loses our properties, gets back
what they were before, and is counted as kept.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from schemacast.errors import StoreUnavailable
from schemacast.sharing import NO_WORKSPACE, without_claim
from schemacast_adapters.neo4j import cypher
from schemacast_adapters.neo4j.batches import RacedError, Tally
from schemacast_adapters.neo4j.content import claims_of, of_claims, workspaces_of
from schemacast_adapters.neo4j.find import batches
from schemacast_adapters.neo4j.kinds import EdgeKind, Kinds, VertexKind
from schemacast_adapters.neo4j.names import BEFORE, OURS
from schemacast_adapters.neo4j.rows import Stored, is_reserved, natives, ours

if TYPE_CHECKING:
    import neo4j

ATTEMPTS = 20
PAUSE_SECONDS = 0.05


class Remover:
    """One removal, on behalf of a workspace or of nobody in particular."""

    def __init__(self, session: neo4j.Session, kinds: Kinds, workspace: str | None) -> None:
        self._session = session
        self._kinds = kinds
        self._workspace = workspace
        self.vertices = Tally()
        self.edges = Tally()

    def remove(self, entities: Iterable[str], edges: Iterable[str]) -> None:
        """Remove entities with their edges, then edges."""
        for ids in batches(entities):
            self._run(self._remove_entities, ids)
        for ids in batches(edges):
            self._run(self._remove_edges, ids)

    def _run(self, work: Any, ids: Sequence[str]) -> None:
        import neo4j.exceptions

        for _ in range(ATTEMPTS):
            try:
                vertices, edges = self._session.execute_write(work, ids)
            except (RacedError, neo4j.exceptions.ConstraintError):
                time.sleep(random.uniform(0, PAUSE_SECONDS))
            else:
                self.vertices.add(vertices)
                self.edges.add(edges)
                return
        raise StoreUnavailable("other writers change what is to be removed all the time")

    def _remove_edges(self, tx: neo4j.ManagedTransaction, ids: Sequence[str]) -> tuple[Tally, Tally]:
        edges = Tally()
        for kind, held in self._located_edges(tx, ids).items():
            self._take_edges(tx, self._kinds.edges[kind], held, edges, whole=self._workspace is None)
        return Tally(), edges

    def _located_edges(self, tx: neo4j.ManagedTransaction, ids: Sequence[str]) -> dict[Any, list[str]]:
        relations = self._kinds.relations()
        if not relations:
            return {}
        found = [
            f"MATCH ()-[r:{kind.quoted} {{schemacast_id: id}}]->() {cypher.by_id('r', kind)} RETURN r"
            for kind in relations
        ]
        query = f"""UNWIND $ids AS id {cypher.each_kind(found, "id")}
RETURN id, left(r.schemacast_hash, 8) AS prefix"""
        return self._by_kind(tx.run(query, ids=ids))

    def _by_kind(self, records: Iterable[Any]) -> dict[Any, list[str]]:
        """Ids of edges by edge type; those of another schema are left out."""
        by_prefix = {kind.prefix: edge_id for edge_id, kind in self._kinds.edges.items()}
        located: dict[Any, dict[str, None]] = {}
        for record in records:
            if record["prefix"] in by_prefix:
                located.setdefault(by_prefix[record["prefix"]], {})[record["id"]] = None
        return {edge_id: list(ids) for edge_id, ids in located.items()}

    def _take_edges(
        self, tx: neo4j.ManagedTransaction, kind: EdgeKind, ids: Sequence[str], tally: Tally, *, whole: bool
    ) -> None:
        gone, changes = [], []
        for record in tx.run(cypher.lock_edges(kind), ids=sorted(ids)).fetch(len(ids)):
            stored = natives(record["stored"])
            if whole or self._is_last(stored):
                gone.append(record["id"])
            elif self._supports(stored):
                changes.append({"id": record["id"], "set": self._less(kind, stored)})
        if gone:
            tally.removed += tally.run(tx, cypher.delete_edges(kind), ids=gone)["relationships_deleted"]
        if changes:
            tally.run(tx, cypher.change_edges(kind), rows=changes)
            tally.changed += len(changes)

    def _remove_entities(self, tx: neo4j.ManagedTransaction, ids: Sequence[str]) -> tuple[Tally, Tally]:
        vertices, edges = Tally(), Tally()
        for kind in self._kinds.vertices.values():
            query = f"""UNWIND $ids AS id
MATCH (n:{kind.quoted} {{schemacast_id: id}}) {cypher.by_id("n", kind)}
WHERE n.schemacast_hash STARTS WITH $prefix
SET n.schemacast_hash = n.schemacast_hash
RETURN id, properties(n) AS stored, labels(n) AS labels"""
            held = list(tx.run(query, ids=sorted(ids), prefix=kind.prefix))
            if held:
                self._take_entities(tx, kind, held, vertices, edges)
        return vertices, edges

    def _take_entities(
        self, tx: neo4j.ManagedTransaction, kind: VertexKind, held: Sequence[Any], vertices: Tally, edges: Tally
    ) -> None:
        """Remove entities of one type, whose nodes are locked."""
        leaving: dict[str, tuple[Stored, list[str]]] = {}
        changes = []
        for record in held:
            stored = natives(record["stored"])
            if self._workspace is None or self._is_last(stored):
                leaving[record["id"]] = (stored, record["labels"])
            elif self._supports(stored):
                changes.append({"id": record["id"], "set": self._less(kind, stored)})
        self._take_edges_of(tx, kind, list(leaving), edges, whole=True)
        self._take_edges_of(tx, kind, [each["id"] for each in changes], edges, whole=False)
        if changes:
            vertices.run(tx, cypher.change_vertices(kind), rows=changes)
            vertices.changed += len(changes)
        if leaving:
            self._take_nodes(tx, kind, leaving, vertices)

    def _take_edges_of(
        self, tx: neo4j.ManagedTransaction, kind: VertexKind, ids: Sequence[str], edges: Tally, *, whole: bool
    ) -> None:
        query = f"""UNWIND $ids AS id
MATCH (n:{kind.quoted} {{schemacast_id: id}})-[r]-() {cypher.by_id("n", kind)}
WHERE left(r.schemacast_hash, 8) IN $prefixes
RETURN r.schemacast_id AS id, left(r.schemacast_hash, 8) AS prefix"""
        prefixes = [each.prefix for each in self._kinds.edges.values()]
        if ids and prefixes:
            located = self._by_kind(tx.run(query, ids=ids, prefixes=prefixes))
            for edge_id, held in located.items():
                self._take_edges(tx, self._kinds.edges[edge_id], held, edges, whole=whole)

    def _take_nodes(
        self, tx: neo4j.ManagedTransaction, kind: VertexKind, leaving: dict[str, tuple[Stored, list[str]]], tally: Tally
    ) -> None:
        match = f"MATCH (n:{kind.quoted} {{schemacast_id: id}}) {cypher.by_id('n', kind)}"
        query = f"UNWIND $ids AS id {match} WHERE EXISTS {{ (n)--() }} RETURN id"
        linked = {record["id"] for record in tx.run(query, ids=list(leaving))}
        gone, kept, unlabelled = [], [], []
        for ident, (stored, labels) in leaving.items():
            if ident not in linked and len(labels) == 1 and not _is_held(kind, stored):
                gone.append(ident)
                continue
            kept.append({"id": ident, "set": _stripped(kind, stored)})
            if OURS not in stored and len(labels) > 1:
                unlabelled.append(ident)
        if gone:
            query = f"UNWIND $ids AS id {match} DELETE n"
            tally.removed += tally.run(tx, query, ids=gone)["nodes_deleted"]
        if kept:
            query = f"""UNWIND $rows AS row
MATCH (n:{kind.quoted} {{schemacast_id: row.id}}) {cypher.by_id("n", kind)}
SET n += row.set
FOREACH (_ IN CASE WHEN row.id IN $unlabelled THEN [1] ELSE [] END | REMOVE n:{kind.quoted})"""
            tally.run(tx, query, rows=kept, unlabelled=unlabelled)
            tally.kept += len(kept)

    def _is_last(self, stored: Stored) -> bool:
        return workspaces_of(stored) in ([], [self._name])

    def _supports(self, stored: Stored) -> bool:
        return self._name in workspaces_of(stored)

    def _less(self, kind: EdgeKind | VertexKind, stored: Stored) -> Stored:
        return of_claims(kind, stored, without_claim(claims_of(kind, stored), self._workspace))

    @property
    def _name(self) -> str:
        return self._workspace or NO_WORKSPACE


def _is_held(kind: VertexKind, stored: Stored) -> bool:
    """Whether someone else has a part in a node: it was there before us, or has properties that are not ours."""
    if OURS in stored:
        return True
    content = ours(kind, stored)
    return any(name not in content and not is_reserved(name) for name in stored)


def _stripped(kind: VertexKind, stored: Stored) -> Stored:
    """What to set on a node so that nothing of ours is left, and what was there before is back."""
    change: Stored = {name: None for name in stored if is_reserved(name)}
    change.update((name, stored.get(BEFORE + name)) for name in ours(kind, stored))
    return change
