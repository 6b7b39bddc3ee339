"""What a schema's author should know before a job runs: every mistake, or else hints.

A hint is about something that loads and works, but may not be what was meant: a field that changes
nothing, an enum value that its own bounds exclude, a type that is recognised by likeness only because
nobody gave it a key. Checking `examples` needs the validator of replies and so happens in `cast`.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from schemacast.errors import Problem, SchemaError
from schemacast.language.units import is_unit
from schemacast.schema.edges import EdgeDraft
from schemacast.schema.fields import Notes
from schemacast.schema.library import resolve_schema
from schemacast.schema.load import Draft, read_draft
from schemacast.schema.names import fold_name
from schemacast.schema.nodes import ListNode, Node, ScalarNode, shorten
from schemacast.schema.patterns import compile_pattern
from schemacast.schema.properties import Declared
from schemacast.schema.source import read_source
from schemacast.schema.vertices import VertexDraft


def lint(path: str | Path) -> list[Problem]:
    """Every mistake in a schema file (a path, or `lib:NAME`); when there is none, its hints."""
    file = resolve_schema(path)
    try:
        draft = read_draft(read_source(file), file=str(file))
    except SchemaError as error:
        return list(error.problems)
    return hints(draft, file=str(file))


def hints(draft: Draft, *, file: str) -> list[Problem]:
    """What a schema that loads may not have meant, in the order of the file."""
    notes = Notes(file)
    for vertex in draft.vertices.values():
        _vertex_hints(vertex, notes)
        _property_hints(vertex.properties.values(), notes)
    for edge in draft.edges.values():
        _edge_hints(edge, notes)
        _property_hints(edge.properties.values(), notes)
    return notes.problems


def _vertex_hints(draft: VertexDraft, notes: Notes) -> None:
    vertex = draft.type
    what = f"vertex type {shorten(vertex.name)}"
    _own_name(draft.name, draft.fields.get("synonyms"), what, notes)
    if "key" not in draft.fields and vertex.within:
        notes.hint(draft.name, f"{what} has no `key`: there is one of it for each {' and '.join(vertex.within)}")
    elif "key" not in draft.fields:
        alike = ", ".join(vertex.key.properties)
        notes.hint(
            draft.name,
            f"{what} has no `key`: it is found by the likeness of {alike}; `key: {{match: [{alike}]}}` says so",
        )
    if vertex.key.kind == "plain" and vertex.key.properties in vertex.alternates and not vertex.within:
        notes.hint(draft.fields["alternates"], f"{what}: an alternate is the same as the key")


def _edge_hints(draft: EdgeDraft, notes: Notes) -> None:
    what = f"relation {shorten(draft.name.text)}"
    _own_name(draft.name, draft.fields.get("synonyms"), what, notes)
    if draft.type.symmetric and draft.type.inverse:
        notes.hint(draft.fields["inverse"], f"{what} is symmetric, so `inverse` is the same as `synonyms`")


def _own_name(name: ScalarNode, synonyms: Node | None, what: str, notes: Notes) -> None:
    items = () if synonyms is None else synonyms.items if isinstance(synonyms, ListNode) else (synonyms,)
    for item in items:
        if isinstance(item, ScalarNode) and fold_name(item.text) == fold_name(name.text):
            notes.hint(
                item, f"{what}: the synonym {shorten(item.text)} is its own name; case and separators never count"
            )


def _property_hints(properties: Iterable[Declared], notes: Notes) -> None:
    for declared in properties:
        found = declared.property
        what = f"property {shorten(found.name)}"
        _own_name(declared.name, declared.fields.get("synonyms"), what, notes)
        if found.unit is not None and not is_unit(found.unit):
            notes.hint(
                declared.fields["unit"],
                f"{what}: the unit {shorten(found.unit)} is not a known one, so nothing is converted to it",
            )
        for value in found.enum:
            if found.pattern is not None and not compile_pattern(found.pattern)(str(value.value)):
                reason = "its pattern does not match"
            elif found.minimum is not None and value.value < found.minimum:  # type: ignore[operator]  # both of its type
                reason = "is below its minimum"
            elif found.maximum is not None and value.value > found.maximum:  # type: ignore[operator]
                reason = "is above its maximum"
            else:
                continue
            notes.hint(declared.fields["enum"], f"{what}: the enum has {shorten(str(value.value))}, which {reason}")
