"""An entity or edge as what stands in the store, and back; and why one cannot stand there.

Everything of an item is packed into one map: its values with native dates and times, partial dates apart,
its stance, its aliases, the folded forms that look-ups compare. The content hash is taken of that map, so
that equal hashes mean that nothing is to be set. Instants are in UTC, always with that zone. A value that
the store cannot hold is refused here, before any query: a null key, a number of more than 64 bits, an indexed
value that no index takes.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time
from typing import Any, NamedTuple

from schemacast.graph import Edge, Entity
from schemacast.schema.comparable import comparable_values
from schemacast.schema.model import Property
from schemacast.schema.stored import as_read_back, join_partial, split_partial
from schemacast.schema.values import Scalar, Value
from schemacast_adapters.neo4j.kinds import Columns, EdgeKind, Fold, Kind, VertexKind
from schemacast_adapters.neo4j.names import ALIASES, HAS_ALIASES, HASH, OURS, RESERVED, STANCE

Stored = dict[str, Any]
"""Properties as the driver takes and gives them; what type each has, the schema and the server know."""

INDEXED_BYTES = 8000
_INT64 = range(-(2**63), 2**63)
_FOLD_BYTES = 200


class Row(NamedTuple):
    """An item to be written: what is in the store when it is there, and the hash of that."""

    id: str
    hash: str
    content: Stored
    source: str = ""
    target: str = ""


def _plain(value: object) -> list[str]:
    """What JSON has no form for: a date, an instant, a time, named so that no text is equal to it."""
    if isinstance(value, datetime | date | time):
        return [type(value).__name__, value.isoformat()]
    raise TypeError(f"{type(value).__name__} has no place in a store")


_encode = json.JSONEncoder(ensure_ascii=True, sort_keys=True, separators=(",", ":"), default=_plain).encode


def content_hash(kind: Kind, content: Mapping[str, Any]) -> str:
    """Eight digits for the type, 24 for the content."""
    return kind.prefix + hashlib.blake2b(_encode(content).encode("ascii"), digest_size=12).hexdigest()


def entity_row(kind: VertexKind, entity: Entity) -> Row:
    """An entity as it will stand in the store."""
    content = _columns(kind.columns, entity.props)
    for fold in kind.folds:
        folded = _folded(kind.columns.declared, fold, entity.props)
        if folded is not None:
            content[fold.stored_as] = folded
    if entity.stance:
        content[STANCE] = entity.stance
    if entity.aliases:
        content[ALIASES] = list(entity.aliases)
        content[HAS_ALIASES] = True
    return Row(entity.id, content_hash(kind, content), content)


def edge_row(kind: EdgeKind, edge: Edge) -> Row:
    """An edge as it will stand in the store; its ends are not part of the content."""
    content = _columns(kind.columns, edge.props)
    if edge.stance:
        content[STANCE] = edge.stance
    return Row(edge.id, content_hash(kind, content), content, edge.source, edge.target)


def _columns(columns: Columns, props: Mapping[str, Value]) -> Stored:
    if columns.converted:
        props = as_read_back(props, columns.declared)
        if columns.dated:
            props = split_partial(props, columns.declared)
    return {name: list(value) if isinstance(value, tuple) else value for name, value in props.items()}


def _folded(declared: Mapping[str, Property], fold: Fold, props: Mapping[str, Value]) -> str | None:
    """The folded form of these properties, None when it is what the properties say themselves."""
    for name in fold.names:
        if name not in props:
            return None
    texts = comparable_values(declared, fold.names, props, fold.equality)
    if texts is None or all(
        text == props[name] or not isinstance(props[name], str) for name, text in zip(fold.names, texts, strict=True)
    ):
        return None
    return fold_text(texts)


def fold_text(texts: tuple[str, ...]) -> str:
    """Folded texts as one short text that an index takes."""
    text = texts[0] if len(texts) == 1 else json.dumps(texts, ensure_ascii=False)
    encoded = text.encode()
    return text if len(encoded) <= _FOLD_BYTES else f"sha256:{hashlib.sha256(encoded).hexdigest()}"


def is_plain(columns: Columns, item: Entity | Edge) -> bool:
    """Whether a look is enough to see that no check of values would refuse an item: the common case, done first."""
    for name, value in item.props.items():
        kind = type(value)
        if columns.plain.get(name) is not kind:
            return False
        if kind is str:
            if not value.isascii():  # type: ignore[union-attr]
                return False
        elif kind is float:
            if not math.isfinite(value):  # type: ignore[arg-type]
                return False
        elif value not in _INT64:
            return False
    return item.id.isascii() and item.id != ""


def vertex_refusal(kind: VertexKind, props: Mapping[str, Value]) -> tuple[str, str] | None:
    """The property by which an entity cannot be told by its key here, or not be indexed, and why."""
    if kind.type.key.kind == "plain":
        for name, optional in kind.type.key.parts:
            if not optional and props.get(name) in (None, ()):
                return name, f"key property {name!r} is null"
    for names in kind.indexed:
        size = sum(_bytes(props[name]) for name in names if name in props)
        if size > INDEXED_BYTES:
            shown = ", ".join(repr(name) for name in names)
            why = f"indexed property {shown}: {size} bytes are more than the {INDEXED_BYTES} that an index takes"
            return names[0], why
    return None


def value_refusal(columns: Columns, props: Mapping[str, Value]) -> tuple[str, str] | None:
    """The property whose value any store could hold and this one cannot, and why."""
    for name, value in props.items():
        kind = columns.declared[name].type
        if kind == "integer":
            for number in value if isinstance(value, tuple) else (value,):
                if isinstance(number, int) and number not in _INT64:
                    return name, f"property {name!r}: a number of {number.bit_length()} bits does not fit in 64"
        elif kind == "time":
            for moment in value if isinstance(value, tuple) else (value,):
                if isinstance(moment, time) and moment.tzinfo is not None:
                    return name, f"property {name!r}: a time of day has no zone; {moment.isoformat()} has one"
    return None


def _bytes(value: Value) -> int:
    if isinstance(value, tuple):
        return sum(_bytes(item) + 2 for item in value)
    if isinstance(value, str):
        return len(value) if value.isascii() else len(value.encode())
    return 16


def natives(props: Mapping[str, Any]) -> Stored:
    """Properties as the driver gave them, with Python's dates and times, instants in UTC."""
    return {name: _native(value) for name, value in props.items()}


def _native(value: Any) -> Any:
    if isinstance(value, str | int | float) or value is None:
        return value
    if isinstance(value, list):
        return [_native(item) for item in value]
    to_native = getattr(value, "to_native", None)
    if to_native is None:
        return value
    moment = to_native()
    if isinstance(moment, datetime):
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    return moment


def ours(kind: Kind, stored: Mapping[str, Any]) -> Stored:
    """Of an item's properties in the store, those that we wrote: the content that its hash was taken of.

    On an adopted node its own list says which; elsewhere they are the declared ones, and others too when the
    hash says that an earlier schema declared them.
    """
    named = stored.get(OURS)
    if named is not None:
        return {name: stored[name] for name in named if name in stored}
    content = {name: value for name, value in stored.items() if name in kind.columns.stored or is_content(name)}
    others = {name: value for name, value in stored.items() if name not in content and not is_reserved(name)}
    if others and _written_whole(kind, {**content, **others}, stored.get(HASH)):
        content.update(others)
    return content


def _written_whole(kind: Kind, content: Stored, hash: str | None) -> bool:
    try:
        return content_hash(kind, content) == hash
    except TypeError:  # a value of a type that we never write
        return False


def is_content(name: str) -> bool:
    """Whether a reserved property is part of the content, rather than of the keeping of it."""
    return name in (STANCE, ALIASES, HAS_ALIASES) or name.startswith((f"{RESERVED}key:", f"{RESERVED}match:"))


def is_reserved(name: str) -> bool:
    """Whether a property is ours by its name alone, whatever the schema declares."""
    return name == STANCE or name.startswith(RESERVED)


def read_props(kind: Kind, content: Mapping[str, Any]) -> dict[str, Value]:
    """The properties of an item from its content in the store."""
    columns = kind.columns
    read: dict[str, Value] = {}
    for name, value in content.items():
        if name in columns.stored:
            read[name] = tuple(value) if isinstance(value, list) else value
    return join_partial(read, columns.declared) if columns.converted else read


def read_entity(kind: VertexKind, ident: str, stored: Mapping[str, Any]) -> Entity:
    """An entity from its node's properties."""
    content = ours(kind, natives(stored))
    return Entity(ident, kind.name, read_props(kind, content), tuple(content.get(ALIASES, ())), content.get(STANCE))


def read_edge(kind: EdgeKind, ident: str, source: str, target: str, stored: Mapping[str, Any]) -> Edge:
    """An edge from its relationship's properties."""
    content = ours(kind, natives(stored))
    return Edge(ident, kind.edge_id, source, target, read_props(kind, content), content.get(STANCE))


def asked_values(columns: Columns, names: Iterable[str], values: Mapping[str, Scalar]) -> Stored:
    """The values of a look-up as they would stand in the store."""
    return _columns(columns, {name: values[name] for name in names})
