"""The constraints and indexes that a schema needs, made where they do not exist yet.

Ids are unique by label and by relationship type, a plain key of one property is unique too; every other key
and every alternate has an index, and so has each folded form of them. A definition that exists is used as it
is, whatever its name. Several processes may prepare at once: whoever comes second finds what the first one
made. What the server refuses is named, with the data or the definition that stands in its way.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from schemacast.errors import StoreConflict, StoreUnavailable
from schemacast_adapters.neo4j.address import reason_of
from schemacast_adapters.neo4j.kinds import Kinds, VertexKind
from schemacast_adapters.neo4j.names import HAS_ALIASES, ID, quoted

if TYPE_CHECKING:
    import neo4j

ATTEMPTS = 20
PAUSE_SECONDS = 0.25
ONLINE_SECONDS = 600
_MADE_MEANWHILE = (
    "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists",
    "Neo.ClientError.Schema.IndexAlreadyExists",
    "Neo.ClientError.Schema.ConstraintAlreadyExists",
)


@dataclass(frozen=True, slots=True)
class Definition:
    """An index, or a uniqueness constraint with the index behind it."""

    name: str
    quoted: str
    properties: tuple[str, ...]
    unique: bool = False
    of_edges: bool = False

    def __str__(self) -> str:
        what = "uniqueness constraint" if self.unique else "index"
        kind = f"relationship type {self.name!r}" if self.of_edges else f"label {self.name!r}"
        return f"the {what} on {', '.join(map(repr, self.properties))} of {kind}"

    @property
    def statement(self) -> str:
        pattern = f"()-[x:{self.quoted}]-()" if self.of_edges else f"(x:{self.quoted})"
        names = ", ".join(f"x.{quoted(name)}" for name in self.properties)
        if self.unique:
            return f"CREATE CONSTRAINT IF NOT EXISTS FOR {pattern} REQUIRE ({names}) IS UNIQUE"
        return f"CREATE RANGE INDEX IF NOT EXISTS FOR {pattern} ON ({names})"


def needed(kinds: Kinds) -> list[Definition]:
    """All that a schema needs, each once."""
    wanted = [each for kind in kinds.vertices.values() for each in _of_vertices(kind)]
    wanted += [Definition(kind.name, kind.quoted, (ID,), unique=True, of_edges=True) for kind in kinds.edges.values()]
    return list(dict.fromkeys(wanted))


def _of_vertices(kind: VertexKind) -> Iterator[Definition]:
    yield Definition(kind.name, kind.quoted, (ID,), unique=True)
    yield Definition(kind.name, kind.quoted, (HAS_ALIASES,))
    for names in kind.indexed:
        yield Definition(kind.name, kind.quoted, names, unique=kind.unique_key and names == kind.key)
    for fold in kind.folds:
        yield Definition(kind.name, kind.quoted, (fold.stored_as,))


def prepare(session: neo4j.Session, kinds: Kinds) -> None:
    """Make what is missing and wait until it can be used. Raises StoreConflict for what cannot be made."""
    held = _held(session)
    missing = [each for each in needed(kinds) if not _is_in(held, each)]
    for definition in missing:
        _make(session, definition)
    if missing:
        session.run("CALL db.awaitIndexes($seconds)", seconds=ONLINE_SECONDS).consume()


def _make(session: neo4j.Session, definition: Definition) -> None:
    """Make one, or find that another process made it meanwhile."""
    import neo4j.exceptions

    for _ in range(ATTEMPTS):
        try:
            session.run(definition.statement).consume()
        except (neo4j.exceptions.ClientError, neo4j.exceptions.DatabaseError) as error:
            if error.code not in _MADE_MEANWHILE:
                raise StoreConflict(f"{definition} cannot be made: {reason_of(error)}") from error
            if _is_in(_held(session), definition):
                return
            raise StoreConflict(f"{definition} cannot be made: {reason_of(error)}") from error
        except neo4j.exceptions.TransientError:
            time.sleep(PAUSE_SECONDS)
        else:
            return
    raise StoreUnavailable(f"{definition} cannot be made now: other writers hold it")


Held = dict[tuple[str, str, tuple[str, ...]], bool]
"""The range indexes of a database: of what, on what, and whether a constraint stands behind one."""


def _held(session: neo4j.Session) -> Held:
    query = """SHOW INDEXES YIELD type, entityType, labelsOrTypes, properties, owningConstraint
WHERE type = 'RANGE'
RETURN entityType AS entity, labelsOrTypes[0] AS name, properties, owningConstraint IS NOT NULL AS unique"""
    return {
        (record["entity"], record["name"], tuple(record["properties"])): record["unique"]
        for record in session.run(query)
    }


def _is_in(held: Held, definition: Definition) -> bool:
    entity = "RELATIONSHIP" if definition.of_edges else "NODE"
    unique = held.get((entity, definition.name, definition.properties))
    return unique is not None and (unique or not definition.unique)
