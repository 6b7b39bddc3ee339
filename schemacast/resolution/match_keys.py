"""How the records of a vertex type with a `match` key are compared: which properties, and which of them name it.

The properties of the key are compared, and every other one that says how (`match`). A property that is an
alternate by itself identifies, so that differing values of it rule a match out, as a declared `veto` does. A
record is an entity when it states at least one property that can name it: one of the key that is compared as a
name, a text or a code, or, in a key that says no such kind, any property of the key. So a country alone is no
company.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from schemacast.matching.model import Field
from schemacast.resolution.keep import Cells, Keepers
from schemacast.schema.comparable import comparable
from schemacast.schema.model import Property, VertexType
from schemacast.schema.values import Value

SCOPE = "_scope"
"""The field that holds what two records must have in common to be compared at all: owners and stance."""
NAMING = ("name", "text", "code")

Rest = tuple[object, ...]
Vetoing = tuple[tuple[str, ...] | None, ...]


class MatchKey:
    """The comparison of one vertex type."""

    __slots__ = ("_alternates", "_declared", "_naming", "_rest", "fields", "names", "scoped", "threshold", "type")

    def __init__(self, type: VertexType) -> None:
        self.type = type
        self.threshold = type.key.threshold
        key = type.key.properties
        alone = {names[0] for names in type.alternates if len(names) == 1}
        fields = [_key_field(type.properties[name], alternate=name in alone and len(key) > 1) for name in key]
        fields += [
            field
            for name, declared in type.properties.items()
            if name not in key and (field := _other_field(declared, alternate=name in alone)) is not None
        ]
        self.names = tuple(field.name for field in fields)
        self.scoped = bool(type.within or type.stances)
        if self.scoped:
            fields.append(Field(SCOPE, "exact", veto=True, compared=False))
        self.fields = tuple(fields)
        self._rest = tuple(type.properties[name] for name in self.names[len(key) :])
        self._declared = tuple(type.properties[name] for name in self.names)
        self._alternates = tuple(place for place, name in enumerate(self.names) if name in alone)
        naming = tuple(type.properties[name].match in NAMING for name in key)
        self._naming = naming if any(naming) else (True,) * len(key)

    def is_named(self, read: Sequence[object]) -> bool:
        """Whether a record with these key values states something that can name an entity."""
        return any(naming and value is not None for value, naming in zip(read, self._naming, strict=True))

    def rest(self, values: Mapping[str, Value]) -> Rest:
        """The comparable values besides the key; records that are equal in all are one row."""
        return tuple(_comparable(declared, values.get(declared.name)) for declared in self._rest)

    def row(self, keepers: Keepers, cells: Cells, scope: str) -> tuple[Value | None, ...]:
        """The values of what was folded into `cells`, in the order of `fields`."""
        values = [keepers.value(cells, name) for name in self.names]
        return (*values, scope) if self.scoped else tuple(values)

    def row_of(self, props: Mapping[str, Value], scope: str) -> tuple[Value | None, ...]:
        """The values of a known entity, in the order of `fields`."""
        values = [props.get(name) for name in self.names]
        return (*values, scope) if self.scoped else tuple(values)

    def contradict(self, one: Sequence[Value | None], other: Sequence[Value | None]) -> bool:
        """Whether two rows state differing values of a property that rules a match out."""
        return contradict(self.vetoing(one), self.vetoing(other))

    def alternates(self, row: Sequence[Value | None]) -> list[tuple[int, str]]:
        """The alternates of one property that a row states: the place of the property, and its comparable value."""
        found = ((place, _comparable(self._declared[place], row[place])) for place in self._alternates)
        return [(place, texts[0]) for place, texts in found if texts is not None and len(texts) == 1]

    def vetoing(self, row: Sequence[Value | None]) -> Vetoing:
        """What a row states of the properties that rule a match out."""
        stated = zip(self.fields, self._declared, row, strict=False)
        return tuple(_comparable(declared, value) for field, declared, value in stated if _vetoes(field))

    def agree(self, rows: Sequence[Sequence[Value | None]]) -> bool:
        """Whether rows differ in nothing that more than one of them states."""
        for place, declared in enumerate(self._declared):
            stated = {_comparable(declared, row[place]) for row in rows}
            stated.discard(None)
            if len(stated) > 1:
                return False
        return True

    @property
    def signature(self) -> str:
        """What weights were learned for; those of another signature say nothing."""
        return repr([(field.name, field.kind, field.veto, field.compared) for field in self.fields])


def _key_field(declared: Property, *, alternate: bool) -> Field:
    veto = declared.veto if declared.veto is not None else (True if alternate else None)
    return Field(declared.name, declared.match or "auto", veto=veto)


def _other_field(declared: Property, *, alternate: bool) -> Field | None:
    if alternate:
        return Field(declared.name, declared.match or "exact", veto=declared.veto is not False)
    if declared.match is not None:
        return Field(declared.name, declared.match, veto=declared.veto)
    return Field(declared.name, "auto", veto=True, compared=False) if declared.veto else None


def _comparable(declared: Property, value: Value | None) -> tuple[str, ...] | None:
    if value is None:
        return None
    items = value if isinstance(value, tuple) else (value,)
    return tuple(sorted({text for item in items if (text := comparable(declared, item, "match"))})) or None


def _vetoes(field: Field) -> bool:
    return field.veto if field.veto is not None else field.kind == "exact"


def contradict(one: Vetoing, other: Vetoing) -> bool:
    """Whether both state something of a property that rules a match out, and nothing in common."""
    return any(
        mine is not None and theirs is not None and not set(mine) & set(theirs)
        for mine, theirs in zip(one, other, strict=True)
    )
