"""The definitions of vertex types: keys in all their forms, alternates, `within`, properties.

A type may have several definitions as a list; they add up to one, so that shared parts can be an
anchor, and what only one of them may say (a key, a description, a property) is a mistake when two do.
A type without a key is found by the likeness of its texts, or, when it is `within` something, by
that alone; a type with neither could never be told from another of its kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import tzinfo
from types import MappingProxyType

from schemacast.schema.fields import Fields, Notes, is_absent, kind
from schemacast.schema.model import STANCES, Key, KeyPart, Stance, VertexType
from schemacast.schema.nodes import ListNode, MapNode, Node, ScalarNode, shorten
from schemacast.schema.properties import Declared, read_properties
from schemacast.schema.rules import name_problem

VERTEX_FIELDS = ("description", "synonyms", "key", "alternates", "within", "stances", "properties")
ADDING_FIELDS = ("synonyms", "alternates", "within", "stances")


@dataclass(frozen=True, slots=True)
class VertexDraft:
    """A vertex type with the places that later checks point at."""

    name: ScalarNode
    type: VertexType
    fields: Mapping[str, Node]
    properties: Mapping[str, Declared]


def read_vertices(node: Node, notes: Notes, zone: tzinfo) -> dict[str, VertexDraft]:
    """Every vertex type, by name."""
    drafts: dict[str, VertexDraft] = {}
    mapping = notes.mapping(node, "`vertices`")
    if mapping is not None and not mapping.pairs:
        notes.add(node, "`vertices` is empty; a schema needs at least one vertex type")
    for name, value in mapping.pairs if mapping else ():
        problem = name_problem(name)
        if problem:
            notes.add(name, f"vertex type {shorten(name.text)}: {problem}")
        drafts.setdefault(name.text, _Reading(name, notes).read(value, zone))
    return drafts


def read_stances(node: Node | None, what: str, notes: Notes) -> tuple[Stance, ...]:
    """The stances that a type takes besides asserted."""
    read: list[Stance] = []
    for item in notes.scalars(node, f"`stances` of {what}"):
        if item.text == "asserted":
            notes.add(item, f"`stances` of {what}: asserted items are always taken; list only {', '.join(STANCES)}")
            continue
        stance = notes.choice(item, f"a stance of {what}", STANCES)
        if stance in read:
            notes.add(item, f"`stances` of {what} has {stance!r} twice")
        elif stance:
            read.append(stance)
    return tuple(read)


def key_part(node: ScalarNode) -> KeyPart:
    """`name` or `name?`."""
    return KeyPart(node.text.removesuffix("?"), node.text.endswith("?"))


def read_parts(
    nodes: tuple[ScalarNode, ...], what: str, owner: str, properties: Mapping[str, Declared], notes: Notes
) -> tuple[KeyPart, ...]:
    """The parts of a key or alternate, each a single-valued property of its owner, and each once."""
    parts: dict[str, KeyPart] = {}
    for node in nodes:
        part = key_part(node)
        declared = properties.get(part.property)
        if declared is None:
            notes.add(
                node,
                f"{what} names {shorten(part.property)}, which is no property of {owner}"
                f"{notes.near(part.property, properties)}",
            )
        elif declared.property.many:
            notes.add(node, f"{what} names {shorten(part.property)}, which is a list; a part of a key has one value")
        elif part.property in parts:
            notes.add(node, f"{what} names {shorten(part.property)} twice")
        else:
            parts[part.property] = part
    return tuple(parts.values())


class _Reading:
    """Reads one vertex type."""

    def __init__(self, name: ScalarNode, notes: Notes) -> None:
        self.name, self.notes = name, notes
        self.what = f"vertex type {shorten(name.text)}"
        self.garbled = False
        self.owner = name.text if len(name.text) <= 60 else shorten(name.text)

    def read(self, node: Node, zone: tzinfo) -> VertexDraft:
        fields, properties = self._definitions(node, zone)
        notes, what = self.notes, self.what
        within = notes.texts(fields.get("within"), f"`within` of {what}")
        vertex = VertexType(
            name=self.name.text,
            key=self._key(fields.get("key"), properties, bool(within)),
            description=notes.text(fields.get("description"), f"`description` of {what}") or "",
            synonyms=notes.texts(fields.get("synonyms"), f"`synonyms` of {what}"),
            alternates=self._alternates(fields.get("alternates"), properties),
            within=within,
            stances=read_stances(fields.get("stances"), what, notes),
            properties=MappingProxyType({name: declared.property for name, declared in properties.items()}),
        )
        return VertexDraft(self.name, vertex, fields, properties)

    def _definitions(self, node: Node, zone: tzinfo) -> tuple[Fields, dict[str, Declared]]:
        """The fields of the one definition, or of several added up, and the properties of all."""
        merged: Fields = {}
        properties: dict[str, Declared] = {}
        for definition in node.items if isinstance(node, ListNode) else (node,):
            before = len(self.notes)
            fields = self.notes.fields(definition, self.what, VERTEX_FIELDS) or {}
            self.garbled |= len(self.notes) > before
            own = read_properties(fields.pop("properties", None), self.owner, self.notes, zone)
            for name, declared in own.items():
                first = properties.setdefault(name, declared)
                if first is not declared:
                    self._twice(declared.name, f"property {shorten(name)}", first.name)
            for field, value in fields.items():
                if field not in merged:
                    merged[field] = value
                elif field in ADDING_FIELDS:
                    merged[field] = _joined(merged[field], value)
                else:
                    self._twice(value, f"`{field}`", merged[field])
        return merged, properties

    def _twice(self, node: Node, subject: str, first: Node) -> None:
        self.notes.add(node, f"{self.what}: {subject} stands in two of its definitions (first on line {first.line})")

    def _key(self, node: Node | None, properties: Mapping[str, Declared], has_owner: bool) -> Key:
        if node is None:
            return Key("plain") if has_owner else self._default_key(properties)
        if isinstance(node, MapNode):
            return self._match_key(node, properties)
        if isinstance(node, ScalarNode) and node.text == "minted":
            if "minted" in properties:
                self.notes.add(
                    node, f"`key` of {self.what} can mean the property or the kind; write [minted] for the property"
                )
            if has_owner:
                self.notes.add(
                    node, f"`key` of {self.what}: a minted type has an id of its own, so it cannot be `within` another"
                )
            return Key("minted")
        nodes = self.notes.scalars(node, f"`key` of {self.what}")
        if isinstance(node, ListNode) and not node.items:
            self.notes.add(node, f"`key` of {self.what} is an empty list; leave it out, or name a property")
        parts = read_parts(nodes, f"`key` of {self.what}", self.owner, properties, self.notes)
        if parts and len(parts) == len(nodes) and all(part.optional for part in parts) and not has_owner:
            self.notes.add(node, f"`key` of {self.what} has only optional parts; one must be without `?`")
        for part in parts:
            self._check_plain_part(properties[part.property], part)
        return Key("plain", parts)

    def _check_plain_part(self, declared: Declared, part: KeyPart) -> None:
        what = f"property {shorten(part.property)} of {self.owner}"
        if "keep" in declared.fields:
            self.notes.add(
                declared.fields["keep"], f"{what} is in the key; a key has one value, so `keep` has no place on it"
            )
        if not declared.property.verbatim:
            self.notes.add(
                declared.fields["verbatim"], f"{what} is in the key; a key is taken from the text, so it is verbatim"
            )
        if part.optional and declared.property.required:
            self.notes.add(declared.fields["required"], f"{what} is required, but an optional part (`?`) of the key")

    def _match_key(self, node: MapNode, properties: Mapping[str, Declared]) -> Key:
        what = f"`key` of {self.what}"
        before = len(self.notes)
        fields = self.notes.fields(node, what, ("match", "threshold")) or {}
        nodes = self.notes.scalars(fields.get("match"), f"`match` in {what}")
        given = fields.get("match", ListNode((), 0, 0))
        if isinstance(given, ListNode) and not given.items and len(self.notes) == before:
            self.notes.add(node, f"{what} is a mapping without properties; write {{match: [name, …]}}")
        for part in nodes:
            if part.text.endswith("?"):
                self.notes.add(part, f"{what}: likeness needs no `?`; a value that is absent is not compared")
        parts = read_parts(nodes, what, self.owner, properties, self.notes)
        return Key("match", parts, self._threshold(fields.get("threshold"), what))

    def _threshold(self, node: Node | None, what: str) -> float | None:
        text = self.notes.text(node, f"`threshold` in {what}")
        if node is None or text is None:
            return None
        try:
            threshold = float(text)
        except ValueError:
            threshold = -1.0
        if 0 < threshold < 1:
            return threshold
        share = _as_share(text)
        meant = f"; did you mean {share}?" if share else ""
        self.notes.add(
            node,
            f"`threshold` in {what} is {shorten(text)}; write how sure a match must be as a number between 0 and 1,"
            f" such as 0.9{meant}",
        )
        return None

    def _default_key(self, properties: Mapping[str, Declared]) -> Key:
        """Without a key, likeness over what the text says in its own words."""
        alike = [found.property for found in properties.values()]
        names = [found.name for found in alike if found.type == "string" and found.verbatim and not found.many]
        if not names and not self.garbled:  # else the key may be what was misspelled
            self.notes.add(
                self.name,
                f"{self.what} has no `key` and no text to be recognised by; name a property, or write `key: minted`"
                " if each text states a new one",
            )
        return Key("match", tuple(KeyPart(name) for name in names))

    def _alternates(self, node: Node | None, properties: Mapping[str, Declared]) -> tuple[tuple[str, ...], ...]:
        what = f"`alternates` of {self.what}"
        found: dict[tuple[str, ...], None] = {}
        items = () if node is None else node.items if isinstance(node, ListNode) else (node,)
        for item in items:
            if is_absent(item) or isinstance(item, MapNode) or (isinstance(item, ListNode) and not item.items):
                self.notes.add(item, f"{what}: {kind(item)} is no key; name a property, or a list of them")
                continue
            nodes = self.notes.scalars(item, what)
            for part in nodes:
                if part.text.endswith("?"):
                    self.notes.add(part, f"{what}: every part of an alternate is needed; leave the `?` out")
            alternate = tuple(part.property for part in read_parts(nodes, what, self.owner, properties, self.notes))
            if alternate and len(alternate) == len(nodes):
                if alternate in found:
                    self.notes.add(item, f"{what} has {shorten(', '.join(alternate))} twice")
                found[alternate] = None
        return tuple(found)


def _as_share(text: str) -> str | None:
    """`90`, `90%` or `0,9` as a number between 0 and 1; None for anything else."""
    try:
        number = float(text.strip().removesuffix("%").replace(",", "."))
    except ValueError:
        return None
    share = number / 100 if number > 1 else number
    return f"{share:g}" if 0 < share < 1 else None


def _joined(first: Node, second: Node) -> ListNode:
    """Two values of a field that takes one or several, as one list."""
    items = [item for node in (first, second) for item in (node.items if isinstance(node, ListNode) else (node,))]
    return ListNode(tuple(items), first.line, first.column)
