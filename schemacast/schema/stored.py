"""How the properties of an entity or edge are written down outside Python, and read back equal.

Rows, JSON and every store agree on it: dates and times in ISO 8601 where the target has no type for
them, a list as a list, and a date known only in part under `<name>_partial`, so that a column never
has two types. What no store can hold without loss (a value of another type than declared, infinity,
a lone surrogate) is named here too; adapters refuse the item with that reason and write the rest.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from typing import TypeGuard

from schemacast.schema.model import Property
from schemacast.schema.values import Json, Scalar, Value, is_partial, scalar_from_json, to_json, utc

PARTIAL_SUFFIX = "_partial"
_PARTIAL = re.compile(r"\d{4}(-\d\d){0,2}", re.ASCII)
_TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "date": date,
    "datetime": datetime,
    "time": time,
}


def split_partial(props: Mapping[str, Value], declared: Mapping[str, Property]) -> dict[str, Value]:
    """The properties with partial dates moved to `<name>_partial`; a list is split into full and partial."""
    split: dict[str, Value] = {}
    for name, value in props.items():
        kind = declared[name].type if name in declared else "string"
        if kind not in ("date", "datetime"):
            split[name] = value
        elif isinstance(value, tuple):
            partial = tuple(item for item in value if is_partial(kind, item))
            if partial:
                split[name + PARTIAL_SUFFIX] = partial
            if len(partial) < len(value) or not partial:
                split[name] = tuple(item for item in value if not is_partial(kind, item))
        else:
            split[name + PARTIAL_SUFFIX if is_partial(kind, value) else name] = value
    return split


def join_partial(props: Mapping[str, Value], declared: Mapping[str, Property]) -> dict[str, Value]:
    """What `split_partial` was given; in a list the full values stand first."""
    joined: dict[str, Value] = {name: value for name, value in props.items() if name in declared}
    for name, value in props.items():
        base = name.removesuffix(PARTIAL_SUFFIX)
        if name not in declared and base != name and base in declared:
            full = joined.get(base)
            if isinstance(value, tuple) and isinstance(full, tuple):
                joined[base] = full + value
            elif full is None:
                joined[base] = value
    return joined


def props_to_json(props: Mapping[str, Value], declared: Mapping[str, Property]) -> dict[str, Json]:
    """Properties as a JSON object, partial dates apart."""
    return {name: to_json(value) for name, value in split_partial(props, declared).items()}


def props_from_json(props: Mapping[str, object], declared: Mapping[str, Property]) -> dict[str, Value]:
    """Read back what `props_to_json` gave.

    Raises ValueError for a property that is not declared or a value of another type.
    """
    read: dict[str, Value] = {}
    for name, item in props.items():
        base = name if name in declared else name.removesuffix(PARTIAL_SUFFIX)
        if base not in declared:
            raise ValueError(f"the schema declares no property {name!r}")
        read[name] = _value_from_json(declared[base].type, item)
    return join_partial(read, declared)


def as_read_back(props: Mapping[str, Value], declared: Mapping[str, Property]) -> Mapping[str, Value]:
    """The properties as a store would give them back: instants in UTC, numbers as floats, full dates first.

    The same object when nothing is to be done, which is the common case.
    """
    changed: dict[str, Value] = {}
    for name, value in props.items():
        if type(value) is float:
            continue
        kind = declared[name].type
        if kind in ("number", "date", "datetime"):
            items = tuple(_as_read(kind, item) for item in (value if isinstance(value, tuple) else (value,)))
            if isinstance(value, tuple):
                changed[name] = tuple(sorted(items, key=lambda item: is_partial(kind, item)))
            elif items[0] is not value:
                changed[name] = items[0]
    return {**props, **changed} if changed else props


def _as_read(kind: str, value: Scalar) -> Scalar:
    if isinstance(value, datetime):
        return value if value.tzinfo is UTC else utc(value)
    return float(value) if kind == "number" and isinstance(value, int) else value


def _value_from_json(kind: str, item: object) -> Value:
    if isinstance(item, list):
        return tuple(_scalar_from_json(kind, one) for one in item)
    return _scalar_from_json(kind, item)


def _scalar_from_json(kind: str, item: object) -> Scalar:
    if not isinstance(item, str | int | float | bool):
        raise ValueError(f"{item!r} is no {kind}")
    return scalar_from_json(kind, item)


def unstorable(props: Mapping[str, object], declared: Mapping[str, Property]) -> tuple[str, str] | None:
    """The first property that cannot be stored without loss, and why; None when all can."""
    for name, value in props.items():
        if name not in declared:
            return name, f"property {name!r} is not declared"
        items = value if isinstance(value, tuple) else (value,)
        for item in items:
            reason = _unstorable_scalar(item, declared[name].type)
            if reason:
                return name, f"property {name!r}: {reason}"
    return None


def _unstorable_scalar(value: object, kind: str) -> str | None:
    if not _is_of(value, kind):
        return f"{_shown(value)} is no {kind}"
    if isinstance(value, float) and not math.isfinite(value):
        return f"{value!r} is no finite number"
    if isinstance(value, int) and kind == "number" and not _is_exact(value):
        return f"{_shown(value)} is no exact number"
    if isinstance(value, str) and not is_utf8(value):
        return f"{_shown(value)} holds a lone surrogate"
    return None


def is_utf8(text: str) -> bool:
    """Whether a text can be written as UTF-8, which a lone surrogate cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_exact(value: int) -> bool:
    try:
        return float(value) == value
    except OverflowError:
        return False


def _is_of(value: object, kind: str) -> TypeGuard[Scalar]:
    if isinstance(value, str) and is_partial(kind, value):
        return _PARTIAL.fullmatch(value) is not None
    if isinstance(value, bool):
        return kind == "boolean"
    if isinstance(value, datetime):
        return kind == "datetime" and value.tzinfo is not None
    return isinstance(value, _TYPES[kind])


def _shown(value: object) -> str:
    text = ascii(value)
    return text if len(text) <= 60 else text[:57] + "..."
