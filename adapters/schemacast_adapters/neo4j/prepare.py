"""The constraints and indexes that a schema needs, made where they do not exist yet.

Ids are unique by label and by relationship type, a plain key of one property is unique too; every other key
and every alternate has an index, and so has each folded form of them. A definition that exists is used as it
is, whatever its name. Several processes may prepare at once: whoever comes second finds what the first one
made. What the server refuses is named, with the data or the definition that stands in its way. What we made for a key
that the type no longer has is dropped, for it may forbid what the new key allows; our names tell it from others'.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
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
_NOT_UNIQUE = "Neo.DatabaseError.Schema.ConstraintCreationFailed"
_MADE_MEANWHILE = (
    "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists",
    "Neo.ClientError.Schema.IndexAlreadyExists",
    "Neo.ClientError.Schema.ConstraintAlreadyExists",
)


@dataclass(frozen=True, slots=True)
class Definition:
    """An index, or a uniqueness constraint with the index behind it. `prefix` is that of the kind it is for."""

    name: str
    quoted: str
    properties: tuple[str, ...]
    prefix: str = field(compare=False)
    unique: bool = False
    of_edges: bool = False

    def __str__(self) -> str:
        what = "uniqueness constraint" if self.unique else "index"
        kind = f"relationship type {self.name!r}" if self.of_edges else f"label {self.name!r}"
        return f"the {what} on {', '.join(map(repr, self.properties))} of {kind}"

    @property
    def own_name(self) -> str:
        """What it is called where we make it."""
        text = json.dumps([self.unique, self.properties], ensure_ascii=False)
        return f"{_own(self.prefix)}{hashlib.blake2b(text.encode(), digest_size=8).hexdigest()}"

    @property
    def statement(self) -> str:
        pattern = f"()-[x:{self.quoted}]-()" if self.of_edges else f"(x:{self.quoted})"
        names = ", ".join(f"x.{quoted(name)}" for name in self.properties)
        if self.unique:
            return f"CREATE CONSTRAINT {self.own_name} IF NOT EXISTS FOR {pattern} REQUIRE ({names}) IS UNIQUE"
        return f"CREATE RANGE INDEX {self.own_name} IF NOT EXISTS FOR {pattern} ON ({names})"


def needed(kinds: Kinds) -> list[Definition]:
    """All that a schema needs, each once."""
    wanted = [each for kind in kinds.vertices.values() for each in _of_vertices(kind)]
    wanted += [
        Definition(kind.name, kind.quoted, (ID,), kind.prefix, unique=True, of_edges=True)
        for kind in kinds.edges.values()
    ]
    return list(dict.fromkeys(wanted))


def _own(prefix: str) -> str:
    return f"schemacast_{prefix}_"


def _of_vertices(kind: VertexKind) -> Iterator[Definition]:
    yield Definition(kind.name, kind.quoted, (ID,), kind.prefix, unique=True)
    yield Definition(kind.name, kind.quoted, (HAS_ALIASES,), kind.prefix)
    for names in kind.indexed:
        unique = kind.unique_key and names == kind.key
        yield Definition(kind.name, kind.quoted, names, kind.prefix, unique=unique)
    for fold in kind.folds:
        yield Definition(kind.name, kind.quoted, (fold.stored_as,), kind.prefix)


def prepare(session: neo4j.Session, kinds: Kinds) -> None:
    """Make what is missing and wait until it can be used. Raises StoreConflict for what cannot be made."""
    _drop_outlived(session, kinds)
    held = _held(session)
    missing = [each for each in needed(kinds) if not _is_in(held, each)]
    for definition in missing:
        _make(session, definition)
    if missing:
        session.run("CALL db.awaitIndexes($seconds)", seconds=ONLINE_SECONDS).consume()


def _drop_outlived(session: neo4j.Session, kinds: Kinds) -> None:
    """Drop what we made for an earlier form of these types. Those of types that are gone are in nobody's way."""
    ours = tuple(_own(kind.prefix) for kind in kinds.vertices.values())
    wanted = {definition.own_name for definition in needed(kinds)}
    query = "SHOW INDEXES YIELD name, owningConstraint RETURN name, owningConstraint AS owner"
    for record in list(session.run(query)):
        if record["name"].startswith(ours) and record["name"] not in wanted:
            what = "INDEX" if record["owner"] is None else "CONSTRAINT"
            session.run(f"DROP {what} {quoted(record['name'])} IF EXISTS").consume()


def _make(session: neo4j.Session, definition: Definition) -> None:
    """Make one, or find that another process made it meanwhile."""
    import neo4j.exceptions

    for _ in range(ATTEMPTS):
        try:
            session.run(definition.statement).consume()
        except (neo4j.exceptions.ClientError, neo4j.exceptions.DatabaseError) as error:
            if error.code == _NOT_UNIQUE and definition.unique and _only_ours_are_alike(session, definition):
                # Of an earlier key, and gone with the next write; the constraint comes with the next job.
                session.run(replace(definition, unique=False).statement).consume()
                return
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


def _only_ours_are_alike(session: neo4j.Session, definition: Definition) -> bool:
    """Whether of the nodes that stand in the way of a constraint none is anyone else's."""
    (name,) = definition.properties
    query = f"""MATCH (x:{definition.quoted}) WHERE x.{quoted(name)} IS NOT NULL
WITH x.{quoted(name)} AS value, collect(x.schemacast_id IS NULL) AS others
WHERE size(others) > 1 AND any(each IN others WHERE each) RETURN count(*) AS number"""
    return bool(session.run(query).single(strict=True)["number"] == 0)


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
