"""The definitions of edge types: one for each pair of types that a relation joins.

An edge type is its source, target and relation together, and one such triple may stand once. A
relation between several pairs is a list of definitions, each with properties and synonyms of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import tzinfo
from types import MappingProxyType

from schemacast.schema.fields import Notes, kind
from schemacast.schema.model import EdgeId, EdgeType, KeyPart
from schemacast.schema.nodes import ListNode, MapNode, Node, ScalarNode, shorten
from schemacast.schema.properties import Declared, read_properties
from schemacast.schema.rules import name_problem
from schemacast.schema.vertices import read_parts, read_stances

EDGE_FIELDS = ("description", "source", "target", "synonyms", "inverse", "symmetric", "key", "stances", "properties")


@dataclass(frozen=True, slots=True)
class EdgeDraft:
    """An edge type with the places that later checks point at."""

    name: ScalarNode
    place: Node
    type: EdgeType
    fields: Mapping[str, Node]
    properties: Mapping[str, Declared]


def read_edges(node: Node | None, vertices: Collection[str], notes: Notes, zone: tzinfo) -> dict[EdgeId, EdgeDraft]:
    """Every edge type whose ends are known, by its id."""
    drafts: dict[EdgeId, EdgeDraft] = {}
    mapping = None if node is None else notes.mapping(node, "`edges`")
    for name, value in mapping.pairs if mapping else ():
        problem = name_problem(name)
        if problem:
            notes.add(name, f"relation {shorten(name.text)}: {problem}")
        for definition in _definitions(name, value, notes):
            draft = _read(name, definition, vertices, notes, zone)
            if draft is None:
                continue
            first = drafts.setdefault(draft.type.id, draft)
            if first is not draft:
                notes.add(
                    draft.place,
                    f"{draft.type.id} stands twice, on lines {first.place.line} and {draft.place.line};"
                    " one relation between two types has one definition",
                )
    return drafts


def _definitions(name: ScalarNode, value: Node, notes: Notes) -> tuple[MapNode, ...]:
    found = []
    items = value.items if isinstance(value, ListNode) else (value,)
    for item in items:
        if isinstance(item, MapNode):
            found.append(item)
        else:
            notes.add(
                item if not (isinstance(item, ScalarNode) and item.absent) else name,
                f"relation {shorten(name.text)}: a definition is {kind(item)}; write {{source: …, target: …}}",
            )
    if not items:
        notes.add(value, f"relation {shorten(name.text)} has no definition; write {{source: …, target: …}}")
    return tuple(found)


def _read(name: ScalarNode, node: MapNode, vertices: Collection[str], notes: Notes, zone: tzinfo) -> EdgeDraft | None:
    what = f"relation {shorten(name.text)}"
    fields = notes.fields(node, what, EDGE_FIELDS) or {}
    source = _end(fields.get("source"), "source", what, node, vertices, notes)
    target = _end(fields.get("target"), "target", what, node, vertices, notes)
    owner = f"{source or '…'}-{name.text}->{target or '…'}"
    properties = read_properties(fields.get("properties"), shorten(owner, 80), notes, zone)
    symmetric = notes.boolean(fields.get("symmetric"), f"`symmetric` of {what}") or False
    edge = EdgeType(
        id=EdgeId(source or "", target or "", name.text),
        description=notes.text(fields.get("description"), f"`description` of {what}") or "",
        synonyms=notes.texts(fields.get("synonyms"), f"`synonyms` of {what}"),
        inverse=notes.texts(fields.get("inverse"), f"`inverse` of {what}"),
        symmetric=symmetric,
        key=_key(fields.get("key"), what, shorten(owner, 80), properties, notes),
        stances=read_stances(fields.get("stances"), what, notes),
        properties=MappingProxyType({prop: declared.property for prop, declared in properties.items()}),
    )
    if symmetric and source and target and source != target:
        notes.add(
            fields["symmetric"],
            f"{what} is symmetric, but joins {shorten(source)} to {shorten(target)}; its two ends must be of one type",
        )
    if source is None or target is None:
        return None
    return EdgeDraft(name, node, edge, fields, properties)


def _end(node: Node | None, field: str, what: str, place: Node, vertices: Collection[str], notes: Notes) -> str | None:
    """A vertex type at one end; None when there is none of that name."""
    if node is None:
        notes.add(place, f"{what} has no `{field}`")
        return None
    if isinstance(node, ListNode):
        notes.add(
            node,
            f"`{field}` of {what} is a list; write one definition for each pair of types, as a list of definitions",
        )
        return None
    name = notes.text(node, f"`{field}` of {what}")
    if name is None or name in vertices:
        return name
    notes.add(node, f"`{field}` of {what} is {shorten(name)}, which is no vertex type{notes.near(name, vertices)}")
    return None


def _key(
    node: Node | None, what: str, owner: str, properties: Mapping[str, Declared], notes: Notes
) -> tuple[KeyPart, ...]:
    nodes = notes.scalars(node, f"`key` of {what}")
    parts = read_parts(nodes, f"`key` of {what}", owner, properties, notes)
    for part in parts:
        fields = properties[part.property].fields
        if "keep" in fields:
            notes.add(
                fields["keep"],
                f"property {shorten(part.property)} of {what} is in the key;"
                " a key has one value, so `keep` has no place on it",
            )
    return parts
