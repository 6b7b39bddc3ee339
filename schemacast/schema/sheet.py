"""The schema as a model is shown it: short plain text, one line a type, property or edge.

It shows what decides how a text is read (names, synonyms, keys, kinds, units, bounds, listed values
with their forms, descriptions) and leaves out what only concerns resolution and storage. Plain text
is the default and is not said. The same schema gives the same bytes; line breaks in descriptions
become spaces, so that a line is always one thing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from schemacast.schema.model import EdgeType, Property, Schema, VertexType
from schemacast.schema.values import Scalar, canonical_text


def sheet(schema: Schema) -> str:
    """The sheet of a schema, without a line end at its end.

    A vertex type reads `Name [key | other key] (also synonym): description`, its properties follow
    indented; an edge type reads `RELATION: Source -> Target`.
    """
    lines = [line for group in type_lines(schema).values() for line in group]
    for edge in schema.edges.values():
        lines.append(_edge(edge))
        lines.extend(_properties(edge.properties))
    return "\n".join(lines)


def type_lines(schema: Schema) -> dict[str, list[str]]:
    """The lines of each vertex type: what showing it costs."""
    return {vertex.name: [_vertex(vertex), *_properties(vertex.properties)] for vertex in schema.vertices.values()}


def _vertex(vertex: VertexType) -> str:
    if vertex.key.kind == "minted":
        keys = ["new each time"]
    else:
        keys = ["+".join(part.property + "?" * part.optional for part in vertex.key.parts)]
    keys += ["+".join(alternate) for alternate in vertex.alternates]
    within = f" with its {' and '.join(vertex.within)} edge" if vertex.within else ""
    return _line(
        f"{vertex.name} [{' | '.join(keys)}{within}]", _also(vertex.synonyms, vertex.stances), vertex.description
    )


def _edge(edge: EdgeType) -> str:
    arrow = "<->" if edge.symmetric else "->"
    notes = _also(edge.synonyms, edge.stances, edge.inverse)
    return _line(f"{edge.id.relation}: {edge.id.source} {arrow} {edge.id.target}", notes, edge.description)


def _properties(properties: Mapping[str, Property]) -> Iterable[str]:
    return (_property(prop) for prop in properties.values())


def _property(prop: Property) -> str:
    words = [prop.name]
    if prop.many:
        words.append("several")
    if prop.type != "string":
        words.append("true/false" if prop.type == "boolean" else prop.type)
    if prop.minimum is not None or prop.maximum is not None:
        words.append(f"{_bound(prop.minimum)}..{_bound(prop.maximum)}")
    if prop.unit:
        words.append(f"in {_one_line(prop.unit)}")
    if prop.pattern:
        words.append(f"/{_one_line(prop.pattern)}/")
    if not prop.verbatim:
        words.append("in your words")
    if prop.enum:
        words.append("= " + " | ".join(_listed(entry.value, entry.forms) for entry in prop.enum))
    return " " + _line(" ".join(words), _also(prop.synonyms), prop.description)


def _listed(value: Scalar, forms: tuple[str, ...]) -> str:
    shown = _bound(value)
    return f"{shown} ({', '.join(map(_one_line, forms))})" if forms else shown


def _bound(value: Scalar | None) -> str:
    if value is None:
        return ""
    return _one_line(canonical_text(value))


def _also(synonyms: Iterable[str], stances: Iterable[str] = (), inverse: Iterable[str] = ()) -> str:
    parts = []
    if synonyms := tuple(synonyms):
        parts.append("also " + ", ".join(map(_one_line, synonyms)))
    if inverse := tuple(inverse):
        parts.append("reversed " + ", ".join(map(_one_line, inverse)))
    if stances := tuple(stances):
        parts.append("stance " + ", ".join(stances))
    return f" ({'; '.join(parts)})" if parts else ""


def _line(head: str, notes: str, description: str) -> str:
    said = _one_line(description)
    return f"{head}{notes}: {said}" if said else f"{head}{notes}"


def _one_line(text: str) -> str:
    return " ".join(text.split())
