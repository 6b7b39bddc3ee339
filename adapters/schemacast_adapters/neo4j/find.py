"""Finding what is ours in the store: by id, by an id it had before, by key or alternate, or all of it.

An item is ours when its content hash begins with its type's prefix: other nodes of the label, and those of
another schema, are not. A look-up is one query for all questions about the same properties: it compares the
values as they are and in their folded form, each by an index, and the answers are compared once more here. A
question about properties that are neither key nor alternate reads all entities of its type.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from schemacast.graph import Edge, Entity, Lookup
from schemacast.schema.comparable import Equality, comparable_values
from schemacast.schema.values import Scalar
from schemacast_adapters.neo4j import cypher
from schemacast_adapters.neo4j.kinds import EdgeKind, Fold, Kinds, VertexKind
from schemacast_adapters.neo4j.names import HAS_ALIASES, quoted
from schemacast_adapters.neo4j.rows import asked_values, fold_text, read_edge, read_entity

if TYPE_CHECKING:
    import neo4j

ASKED_AT_ONCE = 2000


def read_entities(tx: neo4j.ManagedTransaction, kind: VertexKind, besides: str | None = None) -> Iterator[Entity]:
    """The entities of a type, as the server streams them; without those that only the workspace `besides` supports."""
    query = f"""MATCH (n:{kind.quoted})
WHERE n.schemacast_hash STARTS WITH $prefix AND ($besides IS NULL OR n.schemacast_workspaces <> [$besides])
RETURN n.schemacast_id AS id, properties(n) AS stored"""
    for record in tx.run(query, prefix=kind.prefix, besides=besides):
        yield read_entity(kind, record["id"], record["stored"])


def read_edges(tx: neo4j.ManagedTransaction, kind: EdgeKind) -> Iterator[Edge]:
    """The edges of a type, as the server streams them."""
    query = f"""MATCH (a:{kind.source.quoted})-[r:{kind.quoted}]->(b:{kind.target.quoted})
WHERE r.schemacast_hash STARTS WITH $prefix
RETURN r.schemacast_id AS id, a.schemacast_id AS source, b.schemacast_id AS target, properties(r) AS stored"""
    for record in tx.run(query, prefix=kind.prefix):
        yield read_edge(kind, record["id"], record["source"], record["target"], record["stored"])


def entities_by_id(tx: neo4j.ManagedTransaction, kinds: Kinds, ids: Sequence[str]) -> dict[str, Entity]:
    """The entities with these ids, of whatever type, aliases followed."""
    found: dict[str, Entity] = {}
    if not kinds.vertices:
        return found
    by_id = [
        f"MATCH (n:{kind.quoted} {{schemacast_id: id}}) {cypher.by_id('n', kind)}"
        f" WHERE n.schemacast_hash STARTS WITH {_text(kind.prefix)}"
        f" RETURN {_text(kind.prefix)} AS prefix, n"
        for kind in kinds.vertices.values()
    ]
    _take(found, tx, kinds, f"UNWIND $ids AS id {cypher.each_kind(by_id, 'id')}", ids)
    missing = [ident for ident in ids if ident not in found]
    if missing:
        by_alias = [
            f"MATCH (n:{kind.quoted}) {cypher.by_index('n', kind, [HAS_ALIASES])}"
            f" WHERE n.schemacast_has_aliases = true AND n.schemacast_hash STARTS WITH {_text(kind.prefix)}"
            f" UNWIND n.schemacast_aliases AS id WITH n, id WHERE id IN $ids"
            f" RETURN {_text(kind.prefix)} AS prefix, n, id"
            for kind in kinds.vertices.values()
        ]
        _take(found, tx, kinds, cypher.each_kind(by_alias), missing)
    return found


def _take(found: dict[str, Entity], tx: neo4j.ManagedTransaction, kinds: Kinds, query: str, ids: Sequence[str]) -> None:
    by_prefix = {kind.prefix: kind for kind in kinds.vertices.values()}
    query += " RETURN id, prefix, n.schemacast_id AS own, properties(n) AS stored"
    for record in tx.run(query, ids=ids):
        found[record["id"]] = read_entity(by_prefix[record["prefix"]], record["own"], record["stored"])


def edges_by_id(tx: neo4j.ManagedTransaction, kinds: Kinds, ids: Sequence[str]) -> dict[str, Edge]:
    """The edges with these ids, of whatever type."""
    by_prefix = {kind.prefix: kind for kind in kinds.edges.values()}
    found: dict[str, Edge] = {}
    if not by_prefix:
        return found
    by_id = [
        f"MATCH (a)-[r:{kind.quoted} {{schemacast_id: id}}]->(b) {cypher.by_id('r', kind)} RETURN a, r, b"
        for kind in kinds.relations()
    ]
    query = f"""UNWIND $ids AS id {cypher.each_kind(by_id, "id")}
RETURN id, left(r.schemacast_hash, 8) AS prefix, a.schemacast_id AS source, b.schemacast_id AS target,
  properties(r) AS stored"""
    for record in tx.run(query, ids=ids):
        if record["prefix"] in by_prefix:
            kind = by_prefix[record["prefix"]]
            found[record["id"]] = read_edge(kind, record["id"], record["source"], record["target"], record["stored"])
    return found


Question = tuple[int, Mapping[str, Scalar], tuple[str, ...]]
"""The place of a look-up among all, its values, and their folded texts in the order of its names."""


def look_up(tx: neo4j.ManagedTransaction, kinds: Kinds, lookups: Sequence[Lookup]) -> list[list[Entity]]:
    """For each question the entities that answer it, by id."""
    answers: list[dict[str, Entity]] = [{} for _ in lookups]
    for (name, names, equality), questions in _alike(kinds, lookups).items():
        kind = kinds.vertices[name]
        fold = Fold.of(names, equality)
        if fold in kind.folds:
            _by_index(tx, kind, fold, questions, answers)
        else:
            _by_reading(tx, kind, fold, questions, answers)
    return [[found[ident] for ident in sorted(found)] for found in answers]


def _alike(kinds: Kinds, lookups: Sequence[Lookup]) -> dict[tuple[str, tuple[str, ...], Equality], list[Question]]:
    """The questions that have an answer, those about the same properties together."""
    groups: dict[tuple[str, tuple[str, ...], Equality], list[Question]] = {}
    for place, lookup in enumerate(lookups):
        names = tuple(sorted(lookup.values))
        declared = kinds.vertices[lookup.type].columns.declared
        texts = comparable_values(declared, names, lookup.values, lookup.equality)
        if texts is not None:
            groups.setdefault((lookup.type, names, lookup.equality), []).append((place, lookup.values, texts))
    return groups


def _by_index(
    tx: neo4j.ManagedTransaction,
    kind: VertexKind,
    fold: Fold,
    questions: Sequence[Question],
    answers: list[dict[str, Entity]],
) -> None:
    texts_at = {place: texts for place, _, texts in questions}
    shapes: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for place, values, texts in questions:
        folded = {
            name: text
            if isinstance(values[name], str) and kind.columns.declared[name].type == "string"
            else values[name]
            for name, text in zip(fold.names, texts, strict=True)
        }
        stored = asked_values(kind.columns, fold.names, folded)
        row = {"place": place, "values": list(stored.values()), "fold": fold_text(texts)}
        shapes.setdefault(tuple(stored), []).append(row)
    for names, rows in shapes.items():
        tests = " AND ".join(f"n.{quoted(name)} = row.values[{position}]" for position, name in enumerate(names))
        hint = next((cypher.by_index("n", kind, each) for each in kind.indexed if set(each) == set(names)), "")
        as_it_is = f"MATCH (n:{kind.quoted}) {hint} WHERE {tests} RETURN n"
        hint = cypher.by_index("n", kind, [fold.stored_as])
        folded_form = f"MATCH (n:{kind.quoted}) {hint} WHERE n.{quoted(fold.stored_as)} = row.fold RETURN n"
        query = f"""UNWIND $rows AS row {cypher.each_kind([as_it_is, folded_form], "row")}
WITH row, n
WHERE n.schemacast_hash STARTS WITH $prefix
RETURN row.place AS place, n.schemacast_id AS id, properties(n) AS stored"""
        for record in tx.run(query, rows=rows, prefix=kind.prefix):
            entity = read_entity(kind, record["id"], record["stored"])
            if _texts(kind, fold, entity) == texts_at[record["place"]]:
                answers[record["place"]][entity.id] = entity


def _by_reading(
    tx: neo4j.ManagedTransaction,
    kind: VertexKind,
    fold: Fold,
    questions: Sequence[Question],
    answers: list[dict[str, Entity]],
) -> None:
    places: dict[tuple[str, ...], list[int]] = {}
    for place, _, texts in questions:
        places.setdefault(texts, []).append(place)
    for entity in read_entities(tx, kind):
        found = _texts(kind, fold, entity)
        for place in places.get(found, ()) if found is not None else ():
            answers[place][entity.id] = entity


def _texts(kind: VertexKind, fold: Fold, entity: Entity) -> tuple[str, ...] | None:
    return comparable_values(kind.columns.declared, fold.names, entity.props, fold.equality)


def batches(ids: Iterable[str]) -> Iterator[list[str]]:
    """Ids in lists of a size that one query takes."""
    rest = iter(dict.fromkeys(ids))
    while batch := list(islice(rest, ASKED_AT_ONCE)):
        yield batch


def _text(prefix: str) -> str:
    """A prefix of ours, hex digits, as a text in a query."""
    return f"'{prefix}'"
