"""One batch of vertices or edges, written inside one transaction.

A batch first asks which of its rows differ from the store, by content hash, and touches only those; a type
of which the store has nothing yet skips the question. An item that exists is locked before it is read and
set, so that two writers lose nothing of each other. An edge's ends are found by id and by alias, whoever
wrote them; one that moved is deleted and created again with all its properties, foreign ones too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from schemacast.adapters import Existing, Refusal
from schemacast.errors import StoreConflict
from schemacast.sharing import NO_WORKSPACE
from schemacast_adapters.neo4j import cypher
from schemacast_adapters.neo4j.content import adopted, changed, created, says_the_same
from schemacast_adapters.neo4j.kinds import EdgeKind, VertexKind
from schemacast_adapters.neo4j.rows import Row, Stored, natives

if TYPE_CHECKING:
    import neo4j

COUNTED = ("nodes_created", "nodes_deleted", "relationships_created", "relationships_deleted", "properties_set")


class RacedError(Exception):
    """Another writer changed the same items meanwhile; the batch is to be run again."""


@dataclass(frozen=True, slots=True)
class Terms:
    """How a write is meant. `fresh`: the store has nothing of the type, so nothing is looked for."""

    workspace: str | None
    existing: Existing
    fresh: bool = False

    @property
    def workspaces(self) -> list[str]:
        return [self.workspace or NO_WORKSPACE]


@dataclass(slots=True)
class Tally:
    """What a batch did, by our counts and by the server's."""

    created: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: int = 0
    adopted: int = 0
    kept: int = 0
    missing: int = 0
    refused: list[Refusal] = field(default_factory=list)
    server: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTED, 0))

    def add(self, other: Tally) -> None:
        """Take in what another batch did."""
        for name in ("created", "changed", "unchanged", "removed", "adopted", "kept", "missing"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.refused += other.refused
        for name in COUNTED:
            self.server[name] += other.server[name]

    def run(self, tx: neo4j.ManagedTransaction, query: str, **parameters: Any) -> dict[str, int]:
        """Run a query that writes; what the server counted is added, and given."""
        counters = tx.run(query, parameters).consume().counters
        counted = {name: getattr(counters, name) for name in COUNTED}
        for name, number in counted.items():
            self.server[name] += number
        return counted


def write_vertices(tx: neo4j.ManagedTransaction, kind: VertexKind, rows: Sequence[Row], terms: Terms) -> Tally:
    """Write vertices of one type."""
    tally = Tally()
    if terms.fresh:
        _create_vertices(tx, kind, rows, terms, tally)
        return tally
    by_id = {row.id: row for row in rows}
    differing = _ask(
        tx,
        cypher.differing_vertices(kind),
        rows=[[row.id, row.hash] for row in rows],
        workspaces=terms.workspaces,
    )
    missing = [by_id[each["id"]] for each in differing if each["missing"]]
    held = [
        each["id"]
        for each in differing
        if not each["missing"] and not says_the_same(kind, by_id[each["id"]], each["claims"], terms.workspace)
    ]
    tally.unchanged = len(rows) - len(missing) - len(held)
    if held:
        changes = []
        for each in _ask(tx, cypher.lock_vertices(kind), ids=held):
            row = by_id[each["id"]]
            changes.append({"id": row.id, "set": changed(kind, row, natives(each["stored"]), terms.workspace)})
        _expect(len(changes), len(held))
        tally.run(tx, cypher.change_vertices(kind), rows=changes)
        tally.changed += len(changes)
    if missing:
        taken = _adopt(tx, kind, missing, terms, tally) if kind.key else set()
        _create_vertices(tx, kind, [row for row in missing if row.id not in taken], terms, tally)
    return tally


def _create_vertices(
    tx: neo4j.ManagedTransaction, kind: VertexKind, rows: Sequence[Row], terms: Terms, tally: Tally
) -> None:
    if rows:
        names = kind.content
        asked = [created(names, row, terms.workspaces) for row in rows]
        tally.run(tx, cypher.create_vertices(kind), rows=asked)
        tally.created += len(rows)


def _adopt(tx: neo4j.ManagedTransaction, kind: VertexKind, rows: Sequence[Row], terms: Terms, tally: Tally) -> set[str]:
    """Take over the nodes that others loaded under the keys of these rows. Gives the ids of rows dealt with."""
    found: dict[str, list[dict[str, Any]]] = {}
    by_id = {row.id: row for row in rows}
    for (present, absent), same in _by_shape(kind, rows).items():
        asked = [{"id": row.id, "key": [row.content[name] for name in present]} for row in same]
        for each in _ask(tx, cypher.vertices_by_key(kind, present, absent), rows=asked):
            if each["owner"] is None or kind.unique_key:
                found.setdefault(each["id"], []).append(each)
    changes = []
    for ident, nodes in found.items():
        owner = nodes[0]["owner"]
        if owner == ident:  # another writer created it since we looked
            raise RacedError
        if owner is not None:
            tally.refused.append(Refusal(ident, f"the key is that of entity {owner}, which the store holds already"))
        elif len(nodes) > 1:
            tally.refused.append(Refusal(ident, f"{len(nodes)} nodes that others loaded have the same key"))
        elif terms.existing == "refuse":
            raise StoreConflict(f"a node :{kind.name} with the key of entity {ident} was loaded by someone else")
        else:
            change = adopted(by_id[ident], natives(nodes[0]["stored"]), terms.workspace)
            changes.append({"node": nodes[0]["node"], "set": change})
    if changes:
        _expect(_ask(tx, cypher.adopt_vertices(kind), rows=changes)[0]["number"], len(changes))
        tally.changed += len(changes)
        tally.adopted += len(changes)
    return set(found)


def _by_shape(kind: VertexKind, rows: Sequence[Row]) -> dict[tuple[tuple[str, ...], tuple[str, ...]], list[Row]]:
    """Rows by which of their key's properties they have; an entity with a stance is nobody else's node."""
    shapes: dict[tuple[tuple[str, ...], tuple[str, ...]], list[Row]] = {}
    names = [name for name in sorted(kind.columns.stored) if name in kind.key or _full_name(name) in kind.key]
    for row in rows:
        if "stance" not in row.content:
            present = tuple(name for name in names if name in row.content)
            shapes.setdefault((present, tuple(name for name in names if name not in present)), []).append(row)
    return shapes


def _full_name(name: str) -> str:
    return name.removesuffix("_partial")


def write_edges(tx: neo4j.ManagedTransaction, kind: EdgeKind, rows: Sequence[Row], terms: Terms) -> Tally:
    """Write edges of one type."""
    tally = Tally()
    if terms.fresh:
        if _create_edges(tx, kind, rows, terms, tally) == len(rows):
            return tally
        there = {each["id"] for each in _ask(tx, cypher.known_edge_ids(kind), ids=[row.id for row in rows])}
        rows = [row for row in rows if row.id not in there]
    by_id = {row.id: row for row in rows}
    asked = [[row.id, row.hash, row.source, row.target] for row in rows]
    differing = _ask(tx, cypher.differing_edges(kind), rows=asked, workspaces=terms.workspaces)
    tally.unchanged = len(rows) - len(differing)
    concerned = [by_id[each["id"]] for each in differing]
    sources = _ends(tx, kind.source, (row.source for row in concerned))
    targets = _ends(tx, kind.target, (row.target for row in concerned))
    fresh, held = [], []
    for each in differing:
        row = by_id[each["id"]]
        source, target = sources.get(row.source), targets.get(row.target)
        if source is None or target is None:
            tally.missing += 1
            continue
        row = row._replace(source=source, target=target)
        if each["missing"]:
            fresh.append(row)
        elif _says(kind, row, each, terms):
            tally.unchanged += 1
        else:
            held.append(row)
    if held:
        _change_edges(tx, kind, held, terms, tally)
    if fresh:
        _expect(_create_edges(tx, kind, fresh, terms, tally), len(fresh))
    return tally


def _says(kind: EdgeKind, row: Row, held: dict[str, Any], terms: Terms) -> bool:
    """Whether a stored edge stands between these ends already and says what the row says."""
    if (held["source"], held["target"]) != (row.source, row.target):
        return False
    if held["workspaces"] == terms.workspaces:
        return bool(held["hash"] == row.hash)
    return says_the_same(kind, row, held["claims"], terms.workspace)


def _create_edges(tx: neo4j.ManagedTransaction, kind: EdgeKind, rows: Sequence[Row], terms: Terms, tally: Tally) -> int:
    names = kind.content
    asked = [[row.source, row.target, *created(names, row, terms.workspaces)] for row in rows]
    number = tally.run(tx, cypher.create_edges(kind), rows=asked)["relationships_created"]
    tally.created += number
    return number


def _change_edges(
    tx: neo4j.ManagedTransaction, kind: EdgeKind, rows: Sequence[Row], terms: Terms, tally: Tally
) -> None:
    by_id = {row.id: row for row in rows}
    changes, moves = [], []
    for each in _ask(tx, cypher.lock_edges(kind), ids=list(by_id)):
        row, stored = by_id[each["id"]], natives(each["stored"])
        change = changed(kind, row, stored, terms.workspace)
        if (each["source"], each["target"]) == (row.source, row.target):
            changes.append({"id": row.id, "set": change})
        else:
            moves.append({"source": row.source, "target": row.target, "id": row.id, "set": _applied(stored, change)})
    _expect(len(changes) + len(moves), len(rows))
    if changes:
        tally.run(tx, cypher.change_edges(kind), rows=changes)
    if moves:
        tally.run(tx, cypher.delete_edges(kind), ids=[each["id"] for each in moves])
        number = tally.run(tx, cypher.create_moved_edges(kind), rows=moves)["relationships_created"]
        _expect(number, len(moves))
    tally.changed += len(rows)


def _applied(stored: Stored, change: Stored) -> Stored:
    return {name: value for name, value in {**stored, **change}.items() if value is not None}


def _ends(tx: neo4j.ManagedTransaction, kind: VertexKind, ids: Iterable[str]) -> dict[str, str]:
    """The ids of the entities that these ids are of, now; ids the store lacks are left out."""
    asked = sorted(set(ids))
    if not asked:
        return {}
    found = {each["id"]: each["id"] for each in _ask(tx, cypher.known_ids(kind), ids=asked)}
    missing = [ident for ident in asked if ident not in found]
    if missing:
        found.update((each["alias"], each["id"]) for each in _ask(tx, cypher.ids_of_aliases(kind), ids=missing))
    return found


def _ask(tx: neo4j.ManagedTransaction, query: str, **parameters: Any) -> list[dict[str, Any]]:
    return [record.data() for record in tx.run(query, parameters)]


def _expect(number: int, expected: int) -> None:
    if number != expected:
        raise RacedError
