"""What a record says about its own identity, read once per vertex type and record.

A complete key identifies; without one a complete alternate may find the entity; a `match` key needs
all of its properties. The values are comparable texts, so that equal ones are equal strings. Owners
(`within`) are found through the relations of the same episode and are not read here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from schemacast.records import Stated
from schemacast.schema.comparable import Equality, comparable
from schemacast.schema.model import KeyPart, Property, Schema, VertexType
from schemacast.schema.values import Scalar, Value, scalar_from_json

KeyValues = tuple[str | None, ...]


class Alternate(NamedTuple):
    """One complete alternate key: which of the type's alternates it is, and its comparable texts."""

    which: int
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KeyReader:
    """Reads the parts of one key."""

    parts: tuple[KeyPart, ...]
    declared: tuple[Property, ...]
    equality: Equality

    @classmethod
    def of(cls, parts: tuple[KeyPart, ...], properties: Mapping[str, Property], equality: Equality) -> KeyReader:
        return cls(parts, tuple(properties[part.property] for part in parts), equality)

    def read(self, values: Mapping[str, Value]) -> KeyValues:
        """The comparable text of every part, None for one that is absent, blank or a list."""
        read: list[str | None] = []
        for declared in self.declared:
            value = values.get(declared.name)
            if value is None or isinstance(value, tuple):
                read.append(None)
            else:
                read.append(comparable(declared, value, self.equality) or None)
        return tuple(read)

    def is_complete(self, read: KeyValues) -> bool:
        """Whether every part that must be there is."""
        if None not in read:
            return True
        return all(value is not None or part.optional for value, part in zip(read, self.parts, strict=True))


class TypeKeys:
    """The key, the alternates and the owners of one vertex type."""

    __slots__ = ("alternate_names", "alternates", "key", "kind", "name_property", "owner_ends", "type", "within")

    def __init__(self, schema: Schema, type: VertexType) -> None:
        self.type = type
        self.kind = type.key.kind
        equality: Equality = "match" if type.key.kind == "match" else "key"
        self.key = KeyReader.of(type.key.parts, type.properties, equality)
        self.alternate_names = type.alternates
        self.alternates = tuple(
            KeyReader.of(tuple(KeyPart(name) for name in names), type.properties, "key") for names in type.alternates
        )
        self.name_property = _name_property(type)
        self.within = type.within
        # By edge type: which of `within` it is, and whether the owner is the edge's source.
        self.owner_ends = {
            edge.id: (type.within.index(edge.id.relation), edge.id.target == type.name)
            for edge in schema.owners(type.name)
        }

    def typed(self, texts: Mapping[str, str]) -> KeyValues:
        """Key values as a person types them, comparable; None for a part that is left out."""
        read: list[str | None] = []
        for declared in self.key.declared:
            text = texts.get(declared.name, "")
            value: Scalar = text
            if text and declared.type != "string":
                try:
                    value = scalar_from_json(declared.type, _literal(text))
                except ValueError:
                    value = text
            read.append(comparable(declared, value, self.key.equality) if text else None)
        return tuple(read)

    def complete_alternates(self, values: Mapping[str, Value]) -> tuple[Alternate, ...]:
        """Every alternate whose properties are all there."""
        found = []
        for index, reader in enumerate(self.alternates):
            read = reader.read(values)
            if None not in read:
                found.append(Alternate(index, tuple(text for text in read if text is not None)))
        return tuple(found)


def _name_property(type: VertexType) -> str | None:
    """The property that holds the name: the first of the key that is compared as one, else its first text."""
    key = [type.properties[name] for name in type.key.properties]
    named = [declared.name for declared in key if declared.match == "name"]
    texts = [declared.name for declared in key if declared.type == "string" and declared.match in (None, "auto")]
    return next(iter(named or texts), None)


def _literal(text: str) -> Any:
    """A number or boolean that was typed, else the text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def plain_values(props: Mapping[str, Stated | tuple[Stated, ...]]) -> dict[str, Value]:
    """The values of a record's properties, without evidence; empty lists are absent."""
    values: dict[str, Value] = {}
    for name, stated in props.items():
        if isinstance(stated, Stated):
            values[name] = stated.value
        elif stated:
            values[name] = tuple(item.value for item in stated)
    return values


def scalars(values: Mapping[str, Value], names: tuple[str, ...]) -> dict[str, Scalar] | None:
    """The values of `names` if all are there and none is a list."""
    found: dict[str, Scalar] = {}
    for name in names:
        value = values.get(name)
        if value is None or isinstance(value, tuple):
            return None
        found[name] = value
    return found
