"""The properties of a vertex or edge type: short form (`name: string`) and long form, checked.

A property is checked alone here: its type, its enum, its bounds and pattern, and which of its fields
have a meaning for its type. A field without one is a mistake rather than ignored, because its author
expects something of it. What concerns several properties (keys, names that collide) is checked later.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import tzinfo

from schemacast.schema.fields import Fields, Notes, is_absent, kind, quote_advice
from schemacast.schema.model import KEEPS, MATCH_KINDS, PROPERTY_TYPES, EnumValue, Property, PropertyType
from schemacast.schema.nodes import ListNode, MapNode, Node, ScalarNode, shorten
from schemacast.schema.rules import name_problem, property_name_problem
from schemacast.schema.scalars import typed
from schemacast.schema.values import Scalar, canonical_text

PROPERTY_FIELDS = (
    "type",
    "description",
    "synonyms",
    "enum",
    "pattern",
    "minimum",
    "maximum",
    "unit",
    "required",
    "verbatim",
    "bound",
    "match",
    "veto",
    "keep",
)
RESERVED_TYPES = ("range", "quantity", "money")
OTHER_TYPE_NAMES = {
    "str": "string",
    "text": "string",
    "int": "integer",
    "float": "number",
    "decimal": "number",
    "double": "number",
    "bool": "boolean",
    "timestamp": "datetime",
    "list": "[string]",
    "array": "[string]",
}


@dataclass(frozen=True, slots=True)
class Declared:
    """A property with the places that later checks point at."""

    name: ScalarNode
    property: Property
    fields: Mapping[str, Node]


def read_properties(node: Node | None, owner: str, notes: Notes, zone: tzinfo) -> dict[str, Declared]:
    """Every property of an owner (named as messages name it), by name."""
    declared: dict[str, Declared] = {}
    mapping = None if node is None else notes.mapping(node, f"`properties` of {owner}")
    for name, value in mapping.pairs if mapping else ():
        problem = name_problem(name) or property_name_problem(name.text)
        if problem:
            notes.add(name, f"property {shorten(name.text)} of {owner}: {problem}")
        read = _Reading(name, f"property {shorten(name.text)} of {owner}", notes, zone).read(value)
        declared.setdefault(name.text, read)
    return declared


class _Reading:
    """Reads one property."""

    def __init__(self, name: ScalarNode, what: str, notes: Notes, zone: tzinfo) -> None:
        self.name, self.what, self.notes, self.zone = name, what, notes, zone

    def read(self, node: Node) -> Declared:
        fields: Fields | None
        if isinstance(node, MapNode):
            fields = self.notes.fields(node, self.what, PROPERTY_FIELDS)
        else:
            fields = {} if is_absent(node) else {"type": node}
        fields = fields or {}
        type_, many = self._type(fields.get("type"))
        known = type_ or "string"
        notes, what = self.notes, self.what
        minimum, maximum = self._bounds(fields, type_)
        defaults = Property(self.name.text)
        verbatim = notes.boolean(fields.get("verbatim"), f"`verbatim` of {what}")
        required = notes.boolean(fields.get("required"), f"`required` of {what}")
        bound = notes.boolean(fields.get("bound"), f"`bound` of {what}")
        result = Property(
            name=self.name.text,
            type=known,
            many=many,
            description=notes.text(fields.get("description"), f"`description` of {what}") or "",
            synonyms=notes.texts(fields.get("synonyms"), f"`synonyms` of {what}"),
            enum=self._enum(fields.get("enum"), type_),
            pattern=self._pattern(fields.get("pattern")),
            minimum=minimum,
            maximum=maximum,
            unit=self._unit(fields.get("unit")),
            required=required or False,
            verbatim=verbatim is not False,
            bound=bound or False,
            match=notes.choice(fields.get("match"), f"`match` of {what}", MATCH_KINDS),
            veto=notes.boolean(fields.get("veto"), f"`veto` of {what}"),
            keep=notes.choice(fields.get("keep"), f"`keep` of {what}", KEEPS) or defaults.keep,
        )
        if type_:
            self._check_meaning(result, fields)
        return Declared(self.name, result, fields)

    def _type(self, node: Node | None) -> tuple[PropertyType | None, bool]:
        """The type and whether it is a list; None for a type that cannot be told."""
        if node is None:
            return "string", False
        many = isinstance(node, ListNode)
        inner = node
        if isinstance(node, ListNode):
            if len(node.items) != 1:
                self.notes.add(node, f"{self.what}: a list type has one type in it, such as [string]")
                return None, many
            inner = node.items[0]
        if not isinstance(inner, ScalarNode):
            self.notes.add(inner, f"{self.what}: its type is {kind(inner)}; write one of {', '.join(PROPERTY_TYPES)}")
            return None, many
        if inner.text in PROPERTY_TYPES:
            return inner.text, many
        self.notes.add(inner, f"{self.what}: {self._bad_type(inner)}")
        return None, many

    def _bad_type(self, node: ScalarNode) -> str:
        text = node.text
        if text in RESERVED_TYPES:
            return f"the type {text!r} is reserved for a later version of the format"
        if text.casefold() in OTHER_TYPE_NAMES:
            return f"there is no type {shorten(text)}; did you mean {OTHER_TYPE_NAMES[text.casefold()]!r}?"
        return f"there is no type {shorten(text)}{self.notes.near(text, PROPERTY_TYPES)}"

    def _typed(self, node: ScalarNode, type_: PropertyType, what: str) -> Scalar | None:
        try:
            return typed(node.text, type_, self.zone)
        except ValueError as error:
            self.notes.add(node, f"{what} of {self.what} {shorten(node.text)} {error}")
            return None

    def _bounds(self, fields: Fields, type_: PropertyType | None) -> tuple[Scalar | None, Scalar | None]:
        read: list[Scalar | None] = []
        for field in ("minimum", "maximum"):
            node = fields.get(field)
            value = None
            if node is not None and type_ in ("string", "boolean"):
                self.notes.add(node, f"{self.what}: `{field}` is for numbers, dates and times; the type is {type_}")
            elif (
                node is not None and self.notes.text(node, f"`{field}` of {self.what}") and isinstance(node, ScalarNode)
            ):
                value = self._typed(node, type_, f"`{field}`") if type_ else None
            read.append(value)
        minimum, maximum = read
        if minimum is not None and maximum is not None and minimum > maximum:  # type: ignore[operator]  # both of one type
            self.notes.add(fields["minimum"], f"{self.what}: `minimum` is greater than `maximum`, so nothing would fit")
        return minimum, maximum

    def _pattern(self, node: Node | None) -> str | None:
        pattern = self.notes.text(node, f"`pattern` of {self.what}")
        if node is None or pattern is None:
            return None
        if reason := self.notes.compiles(pattern):
            self.notes.add(node, f"{self.what}: `pattern` {shorten(pattern)} cannot be used: {reason}")
        return pattern

    def _unit(self, node: Node | None) -> str | None:
        unit = self.notes.text(node, f"`unit` of {self.what}")
        if node is not None and unit is not None and (not unit.strip() or unit != unit.strip()):
            self.notes.add(node, f"{self.what}: `unit` is blank or has blanks around it")
        return unit

    def _enum(self, node: Node | None, type_: PropertyType | None) -> tuple[EnumValue, ...]:
        if node is None:
            return ()
        pairs: list[tuple[ScalarNode, Node | None]] = []
        if isinstance(node, MapNode):
            pairs = [(value, None if is_absent(forms) else forms) for value, forms in node.pairs]
        elif isinstance(node, ListNode):
            for item in node.items:
                if isinstance(item, ScalarNode):
                    pairs.append((item, None))
                else:
                    self.notes.add(
                        item, f"`enum` of {self.what}: a value is {kind(item)}; with forms, write {{value: [forms]}}"
                    )
        else:
            self.notes.add(
                node, f"`enum` of {self.what} is {kind(node)}; write a list of values, or {{value: [forms]}}"
            )
            return ()
        if not pairs:
            self.notes.add(node, f"`enum` of {self.what} has no values, so nothing would fit")
        values: list[EnumValue] = []
        meant: dict[str, ScalarNode] = {}
        written: dict[str, ScalarNode] = {}
        for value, forms in pairs:
            read = self._enum_value(value, forms, type_, meant)
            if read is None:
                continue
            first = written.setdefault(canonical_text(read.value), value)
            if first is not value and " ".join(first.text.casefold().split()) != " ".join(
                value.text.casefold().split()
            ):
                self.notes.add(
                    value,
                    f"`enum` of {self.what}: {shorten(value.text)} is the same value as {shorten(first.text)}"
                    f" (line {first.line})",
                )
            values.append(read)
        return tuple(values)

    def _enum_value(
        self, node: ScalarNode, forms: Node | None, type_: PropertyType | None, meant: dict[str, ScalarNode]
    ) -> EnumValue | None:
        if node.absent:
            self.notes.add(node, f"`enum` of {self.what} has an empty value{quote_advice(node)}")
            return None
        value = self._typed(node, type_ or "string", "the value")
        listed = self.notes.scalars(forms, f"a form of {shorten(node.text)} in `enum` of {self.what}")
        for form in (node, *listed):
            first = meant.setdefault(" ".join(form.text.casefold().split()), node)
            if first is node:
                continue
            if form is node and form.text == first.text:
                self.notes.add(
                    form, f"`enum` of {self.what} has the value {shorten(form.text)} twice (line {first.line})"
                )
            else:
                self.notes.add(
                    form,
                    f"`enum` of {self.what}: {shorten(form.text)} stands for {shorten(first.text)} (line {first.line})"
                    f" and for {shorten(node.text)}; a form has one meaning",
                )
        return None if value is None else EnumValue(value, tuple(form.text for form in listed))

    def _check_meaning(self, found: Property, fields: Fields) -> None:
        """Fields that say nothing about a value of this type."""
        is_number = found.type in ("integer", "number")
        for field, node in fields.items():
            if field in ("unit", "bound") and not is_number and not (field == "bound" and not found.bound):
                self.notes.add(node, f"{self.what}: `{field}` is for numbers; the type is {found.type}")
            elif field == "pattern" and found.type != "string":
                self.notes.add(node, f"{self.what}: `pattern` is for strings; the type is {found.type}")
            elif field == "verbatim" and not (found.verbatim or found.type in ("string", "boolean") or found.enum):
                self.notes.add(
                    node, f"{self.what}: `verbatim: false` is for strings; a {found.type} is always read from its quote"
                )
