"""The shape of a reply's items: raw JSON in, items with plain fields out, or the reason why not.

A reply may hold anything, so every field is looked at before it is used, and nothing here raises.
What can be meant only one way is mended: a ref given as a number, a missing ref, properties given as
an object of names and values, a value given as a JSON number or as a list. What cannot is
`malformed`. Names are not looked up here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from schemacast.cast.outcome import FixName
from schemacast.schema.values import Json

ASSERTED = frozenset(("", "asserted", "none", "null"))
FLAGS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False, "": False, "null": False}
PROP_FIELDS = frozenset(("name", "value", "quote"))

Plain = str | int | float | bool


class Malformed(Exception):
    """An item, or a part of it, has a shape that cannot be read."""


@dataclass(slots=True)
class PropItem:
    """One property as the model gave it; `problem` says why it cannot be read, when it cannot."""

    raw: Json
    name: str = ""
    value: Plain = ""
    quote: str | None = None
    problem: str | None = None


@dataclass(slots=True)
class VertexItem:
    """One vertex as the model gave it. `type` is the model's word; a `stance` of None is asserted."""

    raw: Json
    ref: str
    type: str
    quote: str | None
    mention: bool
    stance: str | None
    props: list[PropItem]
    mended: tuple[tuple[FixName, str], ...] = ()


@dataclass(slots=True)
class EdgeItem:
    """One edge as the model gave it; `source` and `target` are refs in the model's order."""

    raw: Json
    relation: str
    source: str
    target: str
    quote: str | None
    stance: str | None
    props: list[PropItem]
    mended: tuple[tuple[FixName, str], ...] = ()


def ref_of(value: object) -> str | None:
    """A ref as text: numbers are taken as written (`1` and `"1"` are one ref), anything else is None."""
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return plain_text(value)


def plain_text(value: Plain) -> str:
    """A JSON scalar as the text a person would write for it."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e16:
        return str(int(value))
    try:
        return str(value)
    except ValueError:  # an integer of more digits than Python prints
        return hex(value) if isinstance(value, int) else repr(value)


def read_vertex(raw: Json, position: int) -> VertexItem:
    """A vertex item. One without a ref is called `#` and its position, so that it can still be named.

    Raises Malformed.
    """
    fields = _object(raw)
    given = fields.get("ref", fields.get("id"))
    ref = ref_of(given)
    if ref is None and not (given is None or given == ""):
        raise Malformed(f"its ref is {_kind(given)}")
    kind = fields.get("type")
    if not isinstance(kind, str) or not kind.strip():
        raise Malformed("it has no type" if kind is None or kind == "" else f"its type is {_kind(kind)}")
    mended = _mended_props(fields)
    if ref is None:
        ref = f"#{position}"
        mended.append(("ref_coerced", f"it had no ref and is called {ref}"))
    elif not isinstance(given, str):
        mended.append(("ref_coerced", f"its ref was {_kind(given)}"))
    return VertexItem(
        raw=raw,
        ref=ref,
        type=kind.strip(),
        quote=_quote(fields.get("quote")),
        mention=_flag(fields.get("mention")),
        stance=_stance(fields.get("stance")),
        props=_props(fields),
        mended=tuple(mended),
    )


def read_edge(raw: Json) -> EdgeItem:
    """An edge item. `source` and `target` are read where `from` and `to` are missing. Raises Malformed."""
    fields = _object(raw)
    relation = fields.get("relation", fields.get("type"))
    if not isinstance(relation, str) or not relation.strip():
        raise Malformed(
            "it has no relation" if relation is None or relation == "" else f"its relation is {_kind(relation)}"
        )
    ends: list[str] = []
    mended = _mended_props(fields)
    for name, other in (("from", "source"), ("to", "target")):
        given = fields.get(name, fields.get(other))
        ref = ref_of(given)
        if ref is None:
            missing = given is None or given == ""
            raise Malformed(f"it has no `{name}`" if missing else f"its `{name}` is {_kind(given)}")
        if not isinstance(given, str):
            mended.append(("ref_coerced", f"its `{name}` was {_kind(given)}"))
        ends.append(ref)
    return EdgeItem(
        raw=raw,
        relation=relation.strip(),
        source=ends[0],
        target=ends[1],
        quote=_quote(fields.get("quote")),
        stance=_stance(fields.get("stance")),
        props=_props(fields),
        mended=tuple(mended),
    )


def read_unmapped(raw: Json) -> tuple[str, str]:
    """The quote and the note of an unmapped item; a bare text is its quote. Raises Malformed."""
    if isinstance(raw, str):
        return raw, ""
    fields = _object(raw)
    quote, note = _quote(fields.get("quote")), fields.get("note")
    return quote or "", note if isinstance(note, str) else ""


def values_of(value: Any) -> list[Any]:
    """The values of a property item: those of a list, else the one there is."""
    return value if isinstance(value, list) and value else [value]


def _given_props(fields: Mapping[str, Any]) -> Any:
    given = fields.get("props")
    return fields.get("properties") if given is None else given


def _mended_props(fields: Mapping[str, Any]) -> list[tuple[FixName, str]]:
    if isinstance(given := _given_props(fields), dict) and given:
        return [("value_coerced", "its properties were an object instead of a list")]
    return []


def _props(fields: Mapping[str, Any]) -> list[PropItem]:
    given = _given_props(fields)
    if isinstance(given, list):
        return [item for raw in given for item in _prop(raw)]
    if isinstance(given, dict):
        return list(_props_of_object(given))
    return [] if given is None else [PropItem(given, problem=f"the properties are {_kind(given)}")]


def _prop(raw: Json) -> Iterable[PropItem]:
    if not isinstance(raw, dict):
        return (PropItem(raw, problem=f"the property is {_kind(raw)}"),)
    name = raw.get("name")
    if not isinstance(name, str) or not (name := name.strip()):
        if len(raw) == 1 and "name" not in raw and "value" not in raw:  # {"number": "HD-2"}
            return _props_of_object(raw)
        return (PropItem(raw, problem="the property has no name"),)
    value, quote = raw.get("value"), raw.get("quote")
    if isinstance(value, list) and value:
        return [_value(raw, name, one, quote) for one in value]
    return (_value(raw, name, value, quote),)


def _props_of_object(given: Mapping[str, Any]) -> Iterator[PropItem]:
    """Properties as `{name: value}`, or `{name: {"value": …, "quote": …}}`; or the object is one property."""
    if "name" in given and "value" in given and given.keys() <= PROP_FIELDS:
        yield from _prop(dict(given))
        return
    for name, value in given.items():
        raw: Json = {"name": name, "value": value}
        if isinstance(value, dict) and "value" in value and value.keys() <= PROP_FIELDS:
            said, quote = value["value"], value.get("quote")
            yield from (_value({"name": name, **value}, name, one, quote) for one in values_of(said))
        elif value is not None:  # an object lists every name there is; null is what it does not know
            yield from (_value(raw, name, one, None) for one in values_of(value))


def _value(raw: Json, name: str, value: Any, quote: Any) -> PropItem:
    if isinstance(value, str):
        if not value.strip():
            return PropItem(raw, name, problem="the property has no value")
    elif value is None or value == []:
        return PropItem(raw, name, problem="the property has no value")
    elif not isinstance(value, int | float):
        return PropItem(raw, name, problem=f"the value is {_kind(value)}")
    if not (quote is None or isinstance(quote, str | int | float)):
        return PropItem(raw, name, problem=f"the quote is {_kind(quote)}")
    return PropItem(raw, name, value, _quote(quote))


def _object(raw: Json) -> dict[str, Any]:
    if not isinstance(raw, dict):
        raise Malformed(f"the item is {_kind(raw)}")
    return cast("dict[str, Any]", raw)


def _quote(value: object) -> str | None:
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, str):
        return value if value.strip() else None
    if isinstance(value, int | float):
        return plain_text(value)
    raise Malformed(f"its quote is {_kind(value)}")


def _flag(value: object) -> bool:
    if value is None or isinstance(value, bool):
        return bool(value)
    word = plain_text(value).strip().casefold() if isinstance(value, str | int | float) else None
    if word in FLAGS:
        return FLAGS[word]
    raise Malformed(f"its `mention` is {_kind(value)}")


def _stance(value: object) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise Malformed(f"its stance is {_kind(value)}")
    word = value.strip().casefold()
    return None if word in ASSERTED else word


def _kind(value: object) -> str:
    """What a JSON value is, in words for a message."""
    if isinstance(value, str):
        return f"the text {value[:40]!r}"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"the number {plain_text(value)[:40]}"
    return "a list" if isinstance(value, list) else "an object"
