"""The store in Neo4j: a node per entity, a relationship per edge, over Bolt with the official driver.

Opening connects, so that a wrong address or login shows before anything is paid for. A node has its type as
label, its properties, and of ours `schemacast_id`, `schemacast_hash` and `schemacast_workspaces`; a
relationship likewise. We set only what the schema declares and what is ours by name, and remove only what we
wrote. Every method runs in managed transactions, batch by batch; an error of the driver comes out as one of
ours.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from schemacast.adapters import Counts, Existing, Store, WriteReport
from schemacast.errors import StoreConflict, UsageError
from schemacast.graph import Edge, Entity, Graph, Lookup
from schemacast.schema.model import Schema
from schemacast_adapters.neo4j import cypher, find
from schemacast_adapters.neo4j.address import IDLE_SECONDS, connect, errors_of, read_address
from schemacast_adapters.neo4j.batches import COUNTED, Tally, Terms
from schemacast_adapters.neo4j.kinds import Kinds
from schemacast_adapters.neo4j.prepare import prepare
from schemacast_adapters.neo4j.remover import Remover
from schemacast_adapters.neo4j.writer import Writer

if TYPE_CHECKING:
    import neo4j


class Neo4jAdapter(Store):
    """A graph in a Neo4j database.

    Raises UsageError for an address that names no server or has credentials in it, StoreUnavailable for a
    server that does not answer, StoreConflict for a login that it refuses.
    """

    def __init__(self, address: str, schema: Schema) -> None:
        super().__init__(schema)
        self._kinds = Kinds.of(schema)
        self.address = read_address(address)
        self.server_counts: dict[str, int] = dict.fromkeys(COUNTED, 0)
        """What the server itself counted in the last write or removal."""
        self._existing: Existing = "adopt"
        self._driver: neo4j.Driver | None = connect(self.address)
        self._used = time.monotonic()
        with errors_of(self.address), self._session() as session:
            self.place = f"neo4j:{session.run('CALL db.info() YIELD id').single(strict=True)['id']}"

    def prepare(self, *, existing: Existing = "adopt") -> Mapping[str, int]:
        """Make the constraints and indexes that do not exist yet, and count the nodes that nobody claims."""
        self._existing = existing
        found: dict[str, int] = {}
        with errors_of(self.address), self._session() as session:
            prepare(session, self._kinds)
            for name, kind in self._kinds.vertices.items():
                number = session.run(cypher.unclaimed(kind)).single(strict=True)["number"]
                if number:
                    found[name] = number
        if found and existing == "refuse":
            shown = ", ".join(f"{number} :{name}" for name, number in found.items())
            raise StoreConflict(f"{self.address}: holds nodes that someone else loaded: {shown}")
        return found

    def close(self) -> None:
        """Close the connections; closing twice is fine."""
        if self._driver is not None:
            self._driver.close()
            self._driver = None

    def read(self) -> Graph:
        """Everything that is ours and of this schema."""

        def whole(tx: neo4j.ManagedTransaction) -> tuple[list[Entity], list[Edge]]:
            entities = [each for kind in self._kinds.vertices.values() for each in find.read_entities(tx, kind)]
            return entities, [each for kind in self._kinds.edges.values() for each in find.read_edges(tx, kind)]

        with errors_of(self.address), self._session() as session:
            entities, edges = session.execute_read(whole)
        return Graph(
            schema_ref=self.schema.ref,
            entities={each.id: each for each in sorted(entities, key=lambda entity: entity.id)},
            edges={each.id: each for each in sorted(edges, key=lambda edge: edge.id)},
            schema=self.schema,
        )

    def entities(self, ids: Iterable[str]) -> dict[str, Entity]:
        """The entities with these ids, aliases followed."""
        found: dict[str, Entity] = {}
        with errors_of(self.address), self._session() as session:
            for batch in find.batches(ids):
                found.update(session.execute_read(find.entities_by_id, self._kinds, batch))
        return found

    def edges(self, ids: Iterable[str]) -> dict[str, Edge]:
        """The edges with these ids."""
        found: dict[str, Edge] = {}
        with errors_of(self.address), self._session() as session:
            for batch in find.batches(ids):
                found.update(session.execute_read(find.edges_by_id, self._kinds, batch))
        return found

    def of_type(self, type: str, *, besides: str | None = None) -> list[Entity]:
        """The entities of a type, without those that only a workspace supports."""
        kind = self._kinds.vertices.get(type)
        if kind is None:
            return []
        with errors_of(self.address), self._session() as session:
            return session.execute_read(lambda tx: list(find.read_entities(tx, kind, besides)))

    def look_up(self, lookups: Sequence[Lookup]) -> list[list[Entity]]:
        """For each question the entities that answer it; one query for all about the same properties."""
        with errors_of(self.address), self._session() as session:
            return session.execute_read(find.look_up, self._kinds, lookups)

    def write(self, graph: Graph, *, workspace: str | None = None) -> WriteReport:
        """Create or update every entity and edge, batch by batch.

        Raises StoreConflict or StoreError for a batch that the server refuses, with its name, the record and
        the reason; `report` of the error is what was stored before it.
        """
        terms = Terms(workspace, self._existing)
        with errors_of(self.address), self._session() as session:
            writer = Writer(session, self._session, self._kinds, terms, self.refusal, str(self.address))
            try:
                return writer.write(graph)
            finally:
                self._count(writer.vertices, writer.edges)

    def remove(
        self, entities: Iterable[str] = (), edges: Iterable[str] = (), *, workspace: str | None = None
    ) -> WriteReport:
        """Remove entities, with their edges, and edges, or only a workspace's support of them."""
        with errors_of(self.address), self._session() as session:
            remover = Remover(session, self._kinds, workspace)
            remover.remove(entities, edges)
        self._count(remover.vertices, remover.edges)
        return WriteReport(_removed(remover.vertices), _removed(remover.edges))

    def _count(self, *tallies: Tally) -> None:
        self.server_counts = {name: sum(tally.server[name] for tally in tallies) for name in COUNTED}

    def _session(self) -> neo4j.Session:
        if self._driver is None:
            raise UsageError(f"{self.address}: the adapter is closed; open it again")
        if time.monotonic() - self._used > IDLE_SECONDS:
            # What the driver tries again it tries for half a minute before it says that nobody is there.
            with self._driver.session(database=self.address.database) as session:
                session.run("RETURN 1").consume()
        self._used = time.monotonic()
        # What one session wrote, the next one sees, on every member of a cluster.
        return self._driver.session(
            database=self.address.database, bookmark_manager=self._driver.execute_query_bookmark_manager
        )


def _removed(tally: Tally) -> Counts:
    return Counts(changed=tally.changed, removed=tally.removed, kept=tally.kept)
