"""What is to be set on an item that stands in the store already.

We set what the item's row says, and take away what we wrote and the row no longer has. An item that several
workspaces support holds all they say (`schemacast.sharing`); each one's claim is kept beside it. A node that
someone else had loaded is adopted: what its properties were before is kept, and comes back when ours go.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from schemacast.graph import Edge, Entity
from schemacast.sharing import NO_WORKSPACE, Claim, together, with_claim
from schemacast_adapters.neo4j.kinds import EdgeKind, Kind, VertexKind
from schemacast_adapters.neo4j.names import ALIASES, BEFORE, CLAIMS, HASH, ID, OURS, STANCE, WORKSPACES
from schemacast_adapters.neo4j.rows import Row, Stored, edge_row, entity_row, ours, read_props


def created(names: Sequence[str], row: Row, workspaces: list[str]) -> list[Any]:
    """A new item as the queries that create one take it; `names` is the kind's `content`."""
    return [row.id, row.hash, workspaces, *map(row.content.get, names)]


def changed(kind: Kind, row: Row, stored: Stored, workspace: str | None) -> Stored:
    """What to set on an item of ours so that it says what `row` says on behalf of a workspace."""
    name = workspace or NO_WORKSPACE
    held = workspaces_of(stored)
    if held in ([], [name]):
        return {**exchanged(kind, stored, row.content, row.hash), WORKSPACES: [name], CLAIMS: None}
    claims = with_claim(claims_of(kind, stored), _claim_of(kind, row.content, name))
    return of_claims(kind, stored, claims)


def of_claims(kind: Kind, stored: Stored, claims: Iterable[Claim]) -> Stored:
    """What to set on an item so that it holds what these claims, at least one, say together."""
    claims = tuple(claims)
    row = _row_of(kind, claims, stored)
    declared = kind.columns.declared
    written = None if len(claims) == 1 else [_encode(each.to_json(declared)) for each in claims]
    return {
        **exchanged(kind, stored, row.content, row.hash),
        WORKSPACES: sorted(each.workspace for each in claims),
        CLAIMS: written,
    }


def exchanged(kind: Kind, stored: Stored, content: Mapping[str, Any], hash: str) -> Stored:
    """What to set so that our content of an item is `content`: null for what goes, the former value if it had one."""
    held = ours(kind, stored)
    change: Stored = {name: stored.get(BEFORE + name) for name in held if name not in content}
    change.update(content)
    if OURS in stored:
        change.update({BEFORE + name: None for name in held if name not in content})
        change.update({BEFORE + name: stored[name] for name in content if name not in held and name in stored})
        change[OURS] = sorted(content)
    change[HASH] = hash
    return change


def adopted(row: Row, stored: Stored, workspace: str | None) -> Stored:
    """What to set on a node of someone else to make it an entity of ours."""
    before = {BEFORE + name: stored[name] for name in row.content if name in stored}
    ours_now = {ID: row.id, HASH: row.hash, WORKSPACES: [workspace or NO_WORKSPACE], OURS: sorted(row.content)}
    return {**row.content, **before, **ours_now}


def workspaces_of(stored: Mapping[str, Any]) -> list[str]:
    """The workspaces that support an item."""
    return list(stored.get(WORKSPACES) or [])


def claims_of(kind: Kind, stored: Stored) -> tuple[Claim, ...]:
    """What each workspace wrote about an item of the store."""
    written = stored.get(CLAIMS)
    if written:
        return tuple(Claim.from_json(json.loads(each), kind.columns.declared) for each in written)
    return tuple(_claim_of(kind, ours(kind, stored), name) for name in workspaces_of(stored)[:1])


def says_the_same(kind: Kind, row: Row, written: Iterable[str] | None, workspace: str | None) -> bool:
    """Whether one of the claims in the store is the one that `row` makes."""
    claim = _claim_of(kind, row.content, workspace or NO_WORKSPACE)
    return _encode(claim.to_json(kind.columns.declared)) in (written or ())


def _claim_of(kind: Kind, content: Mapping[str, Any], workspace: str) -> Claim:
    return Claim(workspace, read_props(kind, content), tuple(content.get(ALIASES, ())))


def _row_of(kind: Kind, claims: tuple[Claim, ...], stored: Stored) -> Row:
    props, aliases = together(claims)
    ident, stance = stored[ID], stored.get(STANCE)
    if isinstance(kind, VertexKind):
        return entity_row(kind, Entity(ident, kind.name, props, aliases, stance))
    kind = cast(EdgeKind, kind)
    return edge_row(kind, Edge(ident, kind.edge_id, "", "", props, stance))


_encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode
