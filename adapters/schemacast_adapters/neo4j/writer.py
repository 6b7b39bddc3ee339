"""Writing a graph, batch after batch: packing, order, retries, and what a refused batch says.

Batches hold rows of one type in the order of their ids, so that two writers meet in the same order; two are on
their way at once, and hold no item in common. The driver runs a batch again after a deadlock or a change of
leader; a batch that met another writer's new item is run again here, looking first. A batch that the server
refuses stops the write: the error names batch, record and reason, and holds the report of what was stored.
"""

from __future__ import annotations

import random
import re
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from schemacast.adapters import Counts, Refusal, WriteReport
from schemacast.errors import StoreError, StoreUnavailable
from schemacast.graph import Edge, Entity, Graph
from schemacast.schema.model import EdgeId
from schemacast_adapters.neo4j import cypher
from schemacast_adapters.neo4j.address import as_ours
from schemacast_adapters.neo4j.batches import RacedError, Tally, Terms, write_edges, write_vertices
from schemacast_adapters.neo4j.kinds import Columns, EdgeKind, Kinds, VertexKind
from schemacast_adapters.neo4j.rows import Row, edge_row, entity_row, is_plain, value_refusal, vertex_refusal
from schemacast_adapters.unscanned import unscanned

if TYPE_CHECKING:
    import neo4j

Item = TypeVar("Item", Entity, Edge)
Group = TypeVar("Group", str, EdgeId)

BATCH = 2000
AT_ONCE = 2
"""How many batches are on their way at once; more gained nothing on a server of two cores."""
ATTEMPTS = 20
PAUSE_SECONDS = 0.05
_ITEM = re.compile(r"\(\d+\)")
"""What the server calls a node or relationship; another try meets the same trouble under another number."""


class Writer:
    """One write of one graph. `refusal` is the check that every store makes."""

    def __init__(
        self,
        session: neo4j.Session,
        another_session: Callable[[], neo4j.Session],
        kinds: Kinds,
        terms: Terms,
        refusal: Callable[[Entity | Edge], Refusal | None],
        where: str,
    ) -> None:
        self._session = session
        self._another_session = another_session
        self._kinds = kinds
        self._terms = terms
        self._refusal = refusal
        self._where = where
        self._refused: list[Refusal] = []
        self.vertices = Tally()
        self.edges = Tally()

    def write(self, graph: Graph) -> WriteReport:
        """Write vertices, then edges. An error has what was stored before it as `report`."""
        with unscanned():
            return self._write(graph)

    def _write(self, graph: Graph) -> WriteReport:
        try:
            for name, entities in _by(graph.entities, lambda entity: entity.type).items():
                self._write_type(self._kinds.vertices.get(name), entities)
            for edge_id, edges in _by(graph.edges, lambda edge: edge.edge_id).items():
                self._write_relation(self._kinds.edges.get(edge_id), edges)
        except StoreError as error:
            error.report = self.report()
            raise
        return self.report()

    def report(self) -> WriteReport:
        """What was stored so far."""
        refused = (*self._refused, *self.vertices.refused, *self.edges.refused)
        return WriteReport(_counts(self.vertices), _counts(self.edges), refused, self.edges.missing)

    def _write_type(self, kind: VertexKind | None, entities: Sequence[Entity]) -> None:
        if kind is None:
            self._refused += filter(None, map(self._refusal, entities))
            return
        rows = self._rows(
            kind.columns, entities, lambda item: entity_row(kind, item), lambda item: vertex_refusal(kind, item.props)
        )
        terms = replace(self._terms, fresh=self._is_new(len(entities), cypher.count_vertices(kind)))
        name = f"vertices of type {kind.name!r}"
        self._run(self.vertices, name, rows, terms, lambda tx, batch, how: write_vertices(tx, kind, batch, how))

    def _write_relation(self, kind: EdgeKind | None, edges: Sequence[Edge]) -> None:
        if kind is None:
            self._refused += filter(None, map(self._refusal, edges))
            return
        rows = self._rows(kind.columns, edges, lambda item: edge_row(kind, item))
        terms = replace(self._terms, fresh=self._is_new(len(edges), cypher.count_edges(kind)))
        name = f"edges of type {kind.edge_id}"
        self._run(self.edges, name, rows, terms, lambda tx, batch, how: write_edges(tx, kind, batch, how))

    def _rows(
        self,
        columns: Columns,
        items: Iterable[Item],
        pack: Callable[[Item], Row],
        refuse: Callable[[Item], tuple[str, str] | None] = lambda _: None,
    ) -> Iterator[Row]:
        """The rows of the items that can be written; why the others cannot is kept."""
        for item in items:
            refusal, reason = None, None
            if not (is_plain(columns, item) and _has_plain_ids(item)):
                refusal = self._refusal(item)
                reason = None if refusal else value_refusal(columns, item.props)
            reason = reason or (None if refusal else refuse(item))
            if refusal is None and reason is None:
                yield pack(item)
            else:
                name, why = reason or (None, "")
                self._refused.append(refusal or Refusal(item.id, why, name))

    def _is_new(self, number: int, count: str) -> bool:
        """Whether the store has nothing of a type yet; a small write looks at every row rather than asking."""
        if number < BATCH:
            return False
        return bool(self._session.execute_read(lambda tx: tx.run(count).single(strict=True)["number"] == 0))

    def _run(self, tally: Tally, name: str, rows: Iterable[Row], terms: Terms, work: Work) -> None:
        """Write batch after batch, several at once.

        When one fails, those beside it still come to their end and are counted; the first failure is raised.
        """
        batches = enumerate(_ahead(_batches(rows)), 1)
        with self._another_session() as other, ThreadPoolExecutor(AT_ONCE) as pool:
            free = deque((self._session, other))
            running: deque[tuple[Future[tuple[Tally, Terms]], neo4j.Session]] = deque()
            failed: BaseException | None = None
            while True:
                while free and failed is None and (following := next(batches, None)) is not None:
                    number, batch = following
                    named = f"batch {number} of {name} ({len(batch)} rows)"
                    session = free.popleft()
                    running.append((pool.submit(self._run_batch, session, named, batch, terms, work), session))
                if not running:
                    break
                ended, session = running.popleft()
                free.append(session)
                failed = failed or ended.exception()
                if ended.exception() is None:
                    done, met = ended.result()
                    tally.add(done)
                    terms = replace(terms, fresh=terms.fresh and met.fresh)
        if failed is not None:
            raise failed

    def _run_batch(
        self, session: neo4j.Session, name: str, rows: Sequence[Row], terms: Terms, work: Work
    ) -> tuple[Tally, Terms]:
        import neo4j.exceptions

        last = ""
        for _ in range(ATTEMPTS):
            try:
                return session.execute_write(work, rows, terms), terms
            except RacedError:
                terms = replace(terms, fresh=False)
            except neo4j.exceptions.ConstraintError as error:
                said = _ITEM.sub("", error.message or "")
                if said == last:
                    raise self._refused_batch(session, name, rows, terms, work, error) from error
                last, terms = said, replace(terms, fresh=False)
            except neo4j.exceptions.Neo4jError as error:
                if error.is_retryable():
                    raise as_ours(error, f"{self._where}: {name}: ") from error
                raise self._refused_batch(session, name, rows, terms, work, error) from error
            except (neo4j.exceptions.DriverError, OSError) as error:
                raise as_ours(error, f"{self._where}: {name}: ") from error
            time.sleep(random.uniform(0, PAUSE_SECONDS))
        raise StoreUnavailable(f"{self._where}: {name}: other writers change the same items all the time")

    def _refused_batch(
        self, session: neo4j.Session, name: str, rows: Sequence[Row], terms: Terms, work: Work, error: Exception
    ) -> Exception:
        row = _culprit(session, rows, terms, work)
        record = f"the record {row.id}" if row else "a record"
        return as_ours(error, f"{self._where}: {name}: {record} is refused, earlier batches are stored: ")


def _culprit(session: neo4j.Session, rows: Sequence[Row], terms: Terms, work: Work) -> Row | None:
    """The row at which a batch fails: the last one of the shortest beginning of it that fails."""
    works, fails = 0, len(rows)
    if not _fails(session, rows, terms, work):
        return None
    while fails - works > 1:
        middle = (works + fails) // 2
        if _fails(session, rows[:middle], terms, work):
            fails = middle
        else:
            works = middle
    return rows[fails - 1]


def _fails(session: neo4j.Session, rows: Sequence[Row], terms: Terms, work: Work) -> bool:
    """Whether the server refuses these rows; nothing of the attempt stays."""
    import neo4j.exceptions

    tx = session.begin_transaction()
    try:
        work(tx, rows, terms)
    except (neo4j.exceptions.ClientError, neo4j.exceptions.DatabaseError):
        return True
    finally:
        tx.close()
    return False


def _has_plain_ids(item: Entity | Edge) -> bool:
    if isinstance(item, Entity):
        return not item.aliases
    return bool(item.source and item.target) and item.source.isascii() and item.target.isascii()


Work = Callable[[Any, Sequence[Row], Terms], Tally]


def _counts(tally: Tally) -> Counts:
    return Counts(tally.created, tally.changed, tally.unchanged, tally.removed, tally.adopted, tally.kept)


def _by(items: Mapping[str, Item], group: Callable[[Item], Group]) -> dict[Group, list[Item]]:
    """Items by group, in the order of their ids."""
    groups: dict[Group, list[Item]] = {}
    for ident in sorted(items):
        groups.setdefault(group(items[ident]), []).append(items[ident])
    return groups


def _ahead(batches: Iterator[list[Row]]) -> Iterator[list[Row]]:
    """The same batches; while one is written the next one is packed."""
    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(next, batches, None)
        while (batch := coming.result()) is not None:
            coming = pool.submit(next, batches, None)
            yield batch


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    batch: list[Row] = []
    for row in rows:
        batch.append(row)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
