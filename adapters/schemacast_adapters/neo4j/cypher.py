"""The text of every query that writes or finds an item by its id.

Each is one statement over a batch (`UNWIND`), and holds nothing but names from the schema, quoted, and our
own reserved names: every value is a parameter. None needs an extension of the server. Each says which index to
use: the server's statistics lag behind a write, and a plan made of them may read a whole type for every row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from schemacast_adapters.neo4j.kinds import EdgeKind, Kind, VertexKind
from schemacast_adapters.neo4j.names import HASH, ID, WORKSPACES, quoted


def by_id(variable: str, kind: Kind) -> str:
    """The hint that a node or relationship is found by its id."""
    return by_index(variable, kind, (ID,))


def by_index(variable: str, kind: Kind, names: Iterable[str]) -> str:
    """The hint that a node or relationship is found by the index on these properties."""
    return f"USING INDEX SEEK {variable}:{kind.quoted}({', '.join(quoted(name) for name in names)})"


def count_vertices(kind: VertexKind) -> str:
    """How many nodes have the label; the server keeps the number, so that it costs nothing."""
    return f"MATCH (n:{kind.quoted}) RETURN count(n) AS number"


def count_edges(kind: EdgeKind) -> str:
    """How many relationships have the type; the server keeps the number."""
    return f"MATCH ()-[r:{kind.quoted}]->() RETURN count(r) AS number"


def unclaimed(kind: VertexKind) -> str:
    """How many nodes have the label and no id of ours."""
    return f"MATCH (n:{kind.quoted}) WHERE n.schemacast_id IS NULL RETURN count(n) AS number"


def differing_vertices(kind: VertexKind) -> str:
    """Of rows `[id, hash]`, those that the store lacks, or holds otherwise or for others too."""
    return f"""UNWIND $rows AS row
OPTIONAL MATCH (n:{kind.quoted} {{schemacast_id: row[0]}}) {by_id("n", kind)}
WITH row, n
WHERE n IS NULL OR coalesce(n.schemacast_hash, '') <> row[1] OR coalesce(n.schemacast_workspaces, []) <> $workspaces
RETURN row[0] AS id, n IS NULL AS missing, n.schemacast_claims AS claims"""


def lock_vertices(kind: VertexKind) -> str:
    """Hold nodes until the transaction ends, and what stands in them."""
    return f"""UNWIND $ids AS id
MATCH (n:{kind.quoted} {{schemacast_id: id}}) {by_id("n", kind)}
SET n.schemacast_hash = n.schemacast_hash
RETURN id, properties(n) AS stored"""


def create_vertices(kind: VertexKind) -> str:
    """Create nodes from rows `[id, hash, workspaces, values of the kind's content]`; null is no property.

    Lists and named properties cost the server a third less than maps do.
    """
    return f"""UNWIND $rows AS row
CREATE (n:{kind.quoted} {_named(kind, 0)})"""


def change_vertices(kind: VertexKind) -> str:
    """Set properties of nodes; null removes one."""
    return f"""UNWIND $rows AS row
MATCH (n:{kind.quoted} {{schemacast_id: row.id}}) {by_id("n", kind)}
SET n += row.set"""


def vertices_by_key(kind: VertexKind, present: Sequence[str], absent: Sequence[str]) -> str:
    """The nodes that have the key values of rows `{id, key}`, whoever loaded them."""
    tests = [f"n.{quoted(name)} = row.key[{position}]" for position, name in enumerate(present)]
    tests += [f"n.{quoted(name)} IS NULL" for name in absent]
    hint = by_index("n", kind, kind.key) if set(present) == set(kind.key) else ""
    return f"""UNWIND $rows AS row
MATCH (n:{kind.quoted}) {hint}
WHERE {" AND ".join(tests)}
RETURN row.id AS id, elementId(n) AS node, n.schemacast_id AS owner, properties(n) AS stored"""


def adopt_vertices(kind: VertexKind) -> str:
    """Make nodes of others entities of ours."""
    return f"""UNWIND $rows AS row
MATCH (n:{kind.quoted})
WHERE elementId(n) = row.node AND n.schemacast_id IS NULL
SET n += row.set
RETURN count(n) AS number"""


def known_ids(kind: VertexKind) -> str:
    """Of `$ids`, those that the store has."""
    return f"""UNWIND $ids AS id
MATCH (n:{kind.quoted} {{schemacast_id: id}}) {by_id("n", kind)}
RETURN id"""


def ids_of_aliases(kind: VertexKind) -> str:
    """Whose alias each of `$ids` is. Few nodes have aliases, and an index knows which."""
    return f"""MATCH (n:{kind.quoted})
USING INDEX SEEK n:{kind.quoted}(schemacast_has_aliases)
WHERE n.schemacast_has_aliases = true
UNWIND n.schemacast_aliases AS alias
WITH n, alias
WHERE alias IN $ids
RETURN alias, n.schemacast_id AS id"""


def differing_edges(kind: EdgeKind) -> str:
    """Of rows `[id, hash, source, target]`, those that the store lacks, or holds otherwise, elsewhere or for others."""
    return f"""UNWIND $rows AS row
OPTIONAL MATCH (a)-[r:{kind.quoted} {{schemacast_id: row[0]}}]->(b) {by_id("r", kind)}
WITH row, a, r, b
WHERE r IS NULL OR coalesce(r.schemacast_hash, '') <> row[1] OR coalesce(r.schemacast_workspaces, []) <> $workspaces
  OR coalesce(a.schemacast_id, '') <> row[2] OR coalesce(b.schemacast_id, '') <> row[3]
RETURN row[0] AS id, r IS NULL AS missing, r.schemacast_claims AS claims, r.schemacast_hash AS hash,
  r.schemacast_workspaces AS workspaces, a.schemacast_id AS source, b.schemacast_id AS target"""


def lock_edges(kind: EdgeKind) -> str:
    """Hold relationships until the transaction ends, and what stands in them."""
    return f"""UNWIND $ids AS id
MATCH (a)-[r:{kind.quoted} {{schemacast_id: id}}]->(b) {by_id("r", kind)}
SET r.schemacast_hash = r.schemacast_hash
RETURN id, properties(r) AS stored, a.schemacast_id AS source, b.schemacast_id AS target"""


def create_edges(kind: EdgeKind) -> str:
    """Create relationships from rows `[source, target, id, hash, workspaces, values of the kind's content]`.

    A row with an end that is not there creates none.
    """
    return f"""UNWIND $rows AS row
MATCH (a:{kind.source.quoted} {{schemacast_id: row[0]}}) {by_id("a", kind.source)}
MATCH (b:{kind.target.quoted} {{schemacast_id: row[1]}}) {by_id("b", kind.target)}
CREATE (a)-[r:{kind.quoted} {_named(kind, 2)}]->(b)"""


def _named(kind: Kind, start: int) -> str:
    """The properties of a new item, named, their values in a row from this position on."""
    names = [ID, HASH, WORKSPACES, *kind.content]
    return "{" + ", ".join(f"{quoted(name)}: row[{place}]" for place, name in enumerate(names, start)) + "}"


def create_moved_edges(kind: EdgeKind) -> str:
    """Create relationships with whatever properties they had elsewhere."""
    return f"""UNWIND $rows AS row
MATCH (a:{kind.source.quoted} {{schemacast_id: row.source}}) {by_id("a", kind.source)}
MATCH (b:{kind.target.quoted} {{schemacast_id: row.target}}) {by_id("b", kind.target)}
CREATE (a)-[r:{kind.quoted}]->(b)
SET r = row.set"""


def change_edges(kind: EdgeKind) -> str:
    """Set properties of relationships; null removes one."""
    return f"""UNWIND $rows AS row
MATCH ()-[r:{kind.quoted} {{schemacast_id: row.id}}]->() {by_id("r", kind)}
SET r += row.set"""


def delete_edges(kind: EdgeKind) -> str:
    """Delete relationships."""
    return f"""UNWIND $ids AS id
MATCH ()-[r:{kind.quoted} {{schemacast_id: id}}]->() {by_id("r", kind)}
DELETE r"""


def known_edge_ids(kind: EdgeKind) -> str:
    """Of `$ids`, those that the store has."""
    return f"""UNWIND $ids AS id
MATCH ()-[r:{kind.quoted} {{schemacast_id: id}}]->() {by_id("r", kind)}
RETURN id"""


def each_kind(queries: Iterable[str], *given: str) -> str:
    """One query out of several with the same columns, each run for the row at hand."""
    return f"CALL ({', '.join(given)}) {{\n" + "\nUNION ALL\n".join(queries) + "\n}"
