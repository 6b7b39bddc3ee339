"""A schema as YAML that loads back equal, in the forms a person would write.

Short forms are used wherever they say the same, block style for what has structure and flow style for
a property or an edge that fits in a line. Texts are written as strings to any YAML reader: what a
reader could take for a number, a boolean or nothing is quoted, although ours would not need it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import yaml

from schemacast.schema.model import EdgeType, EnumValue, Example, Key, KeyPart, Property, Schema, VertexType
from schemacast.schema.values import Scalar, scalar_to_json

LINE = 100
Plain = object
Fields = dict[object, Plain]


class _Flow(dict[object, Plain]):
    """A mapping to be written in one line."""


class _FlowList(list[Plain]):
    """A list to be written in one line."""


class _Dumper(yaml.SafeDumper):
    """Writes our plain structure; nothing is ever written as an alias."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002  # the signature is PyYAML's
        return True

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002
        super().increase_indent(flow, False)


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    lines = text.split("\n")
    if not all(line.isprintable() for line in lines):
        style: str | None = '"'  # the one style that can escape, so that no reader takes U+0085 for a line break
    else:
        is_block = text.strip() and not text.endswith("\n\n") and all(line == line.rstrip() for line in lines)
        style = "|" if len(lines) > 1 and is_block else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)
_Dumper.add_representer(
    _Flow, lambda dumper, data: dumper.represent_mapping("tag:yaml.org,2002:map", data.items(), flow_style=True)
)
_Dumper.add_representer(
    _FlowList, lambda dumper, data: dumper.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=True)
)


def dump_schema(schema: Schema) -> str:
    """The schema as YAML text; `parse_schema` of it gives an equal schema.

    A worked reply may hold texts, booleans and null; a number in one loads back as its text.
    """
    head: Fields = {"name": schema.name, "version": schema.version}
    if schema.description:
        head["description"] = schema.description
    defaults = {"locale": schema.defaults.locale, "timezone": schema.defaults.timezone}
    told = {name: value for name, value in defaults.items() if value and (name, value) != ("timezone", "UTC")}
    if told:
        head["defaults"] = _Flow(told)
    if schema.instructions:
        head["instructions"] = schema.instructions
    if schema.examples:
        head["examples"] = [_example(example) for example in schema.examples]
    parts = [head, {"vertices": {name: _vertex(vertex) for name, vertex in schema.vertices.items()}}]
    if schema.edges:
        parts.append({"edges": {name: _relation(edges) for name, edges in schema.relations.items()}})
    return "\n".join(_yaml(part) for part in parts)


def _yaml(part: object) -> str:
    return yaml.dump(part, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=10**9, default_flow_style=False)


def _vertex(vertex: VertexType) -> Fields:
    fields: Fields = {"description": vertex.description, "synonyms": _words(vertex.synonyms)}
    fields["within"] = _words(vertex.within)
    fields["key"] = _key(vertex.key)
    fields["alternates"] = _FlowList(
        alternate[0] if len(alternate) == 1 else _FlowList(alternate) for alternate in vertex.alternates
    )
    fields["stances"] = _words(vertex.stances)
    fields["properties"] = _properties(vertex.properties)
    return _compact(fields)


def _relation(edges: tuple[EdgeType, ...]) -> Fields | list[Plain]:
    definitions = [_edge(edge) for edge in edges]
    return definitions[0] if len(definitions) == 1 else list(definitions)


def _edge(edge: EdgeType) -> Fields:
    fields: Fields = {"source": edge.id.source, "target": edge.id.target, "description": edge.description}
    fields["synonyms"] = _words(edge.synonyms)
    fields["inverse"] = _words(edge.inverse)
    fields["symmetric"] = edge.symmetric
    fields["key"] = _parts(edge.key)
    fields["stances"] = _words(edge.stances)
    fields["properties"] = _properties(edge.properties)
    return _compact(fields)


def _properties(properties: Mapping[str, Property]) -> Fields:
    return {name: _property(found) for name, found in properties.items()}


def _property(found: Property) -> Plain:
    type_: Plain = _FlowList([found.type]) if found.many else found.type
    fields: Fields = {"type": type_, "description": found.description, "synonyms": _words(found.synonyms)}
    fields["enum"] = _enum(found.enum)
    if found.pattern is not None:
        fields["pattern"] = found.pattern
    for bound, value in (("minimum", found.minimum), ("maximum", found.maximum)):
        if value is not None:
            fields[bound] = scalar_to_json(value)
    fields["unit"] = found.unit
    fields["required"] = found.required
    if not found.verbatim:
        fields["verbatim"] = False
    fields["bound"] = found.bound
    fields["match"] = found.match
    if found.veto is not None:
        fields["veto"] = found.veto
    fields["keep"] = None if found.keep == "latest" else found.keep
    kept = _kept(fields, "pattern", "minimum", "maximum", "verbatim", "veto")
    return type_ if len(kept) == 1 else _one_line(kept)


def _enum(values: tuple[EnumValue, ...]) -> Plain:
    if not any(value.forms for value in values):
        return _FlowList(_scalar(value.value) for value in values)
    enum = _Flow({_scalar(value.value): _words(value.forms) or _FlowList() for value in values})
    return enum if len(_yaml({"": enum})) <= LINE else dict(enum)


def _scalar(value: Scalar) -> Plain:
    return scalar_to_json(value)


def _key(key: Key) -> Plain:
    if key.kind == "minted":
        return "minted"
    if key.kind == "match":
        limit = {} if key.threshold is None else {"threshold": key.threshold}
        return _Flow({"match": _FlowList(key.properties), **limit})
    parts = _parts(key.parts)
    return _FlowList([parts]) if parts == "minted" else parts  # the property of that name, not the kind


def _parts(parts: tuple[KeyPart, ...]) -> Plain:
    return _words(part.property + ("?" if part.optional else "") for part in parts)


def _words(words: Iterable[str]) -> Plain:
    """One word as itself, several as a list; none as None."""
    listed = _FlowList(words)
    return listed[0] if len(listed) == 1 else listed or None


def _example(example: Example) -> Fields:
    return {"text": example.text, "reply": dict(example.reply)}


def _kept(fields: Fields, *always: str) -> Fields:
    """The fields that say something; those in `always` even when they are false or zero."""
    return {name: value for name, value in fields.items() if value or (name in always and value is not None)}


def _compact(fields: Fields) -> Fields:
    return _one_line(_kept(fields))


def _one_line(fields: Fields) -> Fields:
    """The fields in flow style if that fits in a line."""
    if any(isinstance(value, str) and "\n" in value for value in fields.values()):
        return fields
    nested = any(isinstance(value, dict) and not isinstance(value, _Flow) for value in fields.values())
    flow = _Flow(fields)
    return flow if not nested and len(_yaml({"": flow})) <= LINE else fields
