r"""GraphML, an exchange format: a graph written for other programs, and read back equal.

GraphML knows four kinds of value, so one rule holds for each of ours. Integers are `long`, numbers
`double`, booleans `boolean`; an integer beyond 64 bits, dates and times (ISO 8601) and text are
`string`. A date known only in part stands under `<name>_partial`. A list is the text of a JSON array
and read back as one; a map or a list of mixed kinds, which no property can hold, becomes its JSON text
and stays text; a null is left out, as an absent property is. In text a backslash is doubled, and a
character that XML cannot hold or would change is written as `\uXXXX`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml
from xml.sax.saxutils import escape, quoteattr

from schemacast.errors import InputError
from schemacast.graph import (
    Graph,
    edge_from_json,
    edge_to_json,
    entity_from_json,
    entity_to_json,
)
from schemacast.schema.model import Schema
from schemacast_adapters.files import replace_file

NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
_OURS = {
    "node": ("type", "stance", "aliases"),
    "edge": ("source_type", "target_type", "relation", "stance"),
    "graph": ("schema_ref",),
}
_LONG = range(-(2**63), 2**63)
# Backslash; what XML 1.0 excludes; carriage returns and such line ends, which a parser would change.
_ESCAPED = re.compile("[\\\\\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\ud800-\udfff\ufffe\uffff]")
_ESCAPE = re.compile(r"\\(\\|u[0-9a-f]{4})")

Json = Any
Key = tuple[str, str, str]
"""For what (node, edge), the property, and the kind of its value."""


def export_graphml(graph: Graph, path: str | Path) -> None:
    """Write `graph` as GraphML; what is staged is not in it. Raises OutputError when the disk refuses."""
    schema = graph.schema
    nodes = [entity_to_json(graph.entities[ident], schema) for ident in sorted(graph.entities)]
    edges = [edge_to_json(graph.edges[ident], schema) for ident in sorted(graph.edges)]
    replace_file(Path(path), _lines(graph.schema_ref, nodes, edges))


def _lines(schema_ref: str, nodes: list[dict[str, Json]], edges: list[dict[str, Json]]) -> Iterator[str]:
    keys = _keys(nodes, edges)
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="{NAMESPACE}">\n'
    for target, names in _OURS.items():
        for name in names:
            yield f'<key id="{target}.{name}" for="{target}" attr.name="{name}" attr.type="string"/>\n'
    for (target, name, kind), ident in keys.items():
        typed = kind if kind in ("long", "double", "boolean") else "string"
        yield f'<key id="{ident}" for="{target}" attr.name={_attribute(name)} attr.type="{typed}"/>\n'
    yield f'<graph edgedefault="directed">\n{_data("graph.schema_ref", schema_ref)}\n'
    for node in nodes:
        ours = {"type": node["type"], "stance": node["stance"], "aliases": node["aliases"] or None}
        yield f"<node id={_attribute(node['id'])}>{''.join(_datas('node', ours, node['props'], keys))}</node>\n"
    for edge in edges:
        source_type, target_type, relation = edge["edge_id"]
        ours = {
            "source_type": source_type,
            "target_type": target_type,
            "relation": relation,
            "stance": edge["stance"],
        }
        head = " ".join(
            f"{name}={_attribute(edge[member])}"
            for name, member in (("id", "key"), ("source", "source"), ("target", "target"))
        )
        yield f"<edge {head}>{''.join(_datas('edge', ours, edge['props'], keys))}</edge>\n"
    yield "</graph>\n</graphml>\n"


def _keys(nodes: Iterable[Mapping[str, Json]], edges: Iterable[Mapping[str, Json]]) -> dict[Key, str]:
    """An id for every (target, property, kind), in order; its end tells the reader how to read text."""
    used = {
        (target, name, _kind(value))
        for target, items in (("node", nodes), ("edge", edges))
        for item in items
        for name, value in item["props"].items()
        if value is not None
    }
    return {key: f"p{number}.{key[2]}" for number, key in enumerate(sorted(used))}


def _kind(value: Json) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "long" if value in _LONG else "big"
    if isinstance(value, float):
        return "double"
    if isinstance(value, list) and len({type(item) for item in value} - {str, int, float, bool}) == 0:
        return "list" if len({type(item) for item in value}) <= 1 else "string"
    return "string"


def _datas(target: str, ours: Mapping[str, Json], props: Mapping[str, Json], keys: Mapping[Key, str]) -> Iterator[str]:
    for name, value in ours.items():
        if value is not None:
            yield _data(f"{target}.{name}", value if isinstance(value, str) else _json(value))
    for name in sorted(props):
        value = props[name]
        if value is not None:
            kind = _kind(value)
            text = value if isinstance(value, str) else repr(value) if kind == "double" else _json(value)
            yield _data(keys[target, name, kind], text)


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _data(key: str, text: str) -> str:
    return f'<data key="{key}">{escape(_without_control(text))}</data>'


def _attribute(text: str) -> str:
    return quoteattr(_without_control(text), {"\n": "&#10;", "\t": "&#9;"})


def _without_control(text: str) -> str:
    return _ESCAPED.sub(lambda found: "\\\\" if found[0] == "\\" else f"\\u{ord(found[0]):04x}", text)


def _with_control(text: str) -> str:
    return _ESCAPE.sub(lambda found: "\\" if found[1] == "\\" else chr(int(found[1][1:], 16)), text)


def read_graphml(path: str | Path, schema: Schema) -> Graph:
    """Read what `export_graphml` wrote. Raises InputError for any other file, or one of another schema."""
    path = Path(path)
    try:
        root = Xml.parse(path).getroot()
        return _graph(root, schema)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (Xml.ParseError, UnicodeError) as error:
        raise InputError(f"{path}: is no GraphML: {error}") from error
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise InputError(f"{path}: is no GraphML of schema {schema.name!r}: {error}") from error


def _graph(root: Xml.Element, schema: Schema) -> Graph:
    tag = f"{{{NAMESPACE}}}"
    names = {item.attrib["id"]: _with_control(item.attrib["attr.name"]) for item in root.iter(f"{tag}key")}
    graph = root.find(f"{tag}graph")
    if graph is None:
        raise ValueError("it has no graph")
    ours, _ = _read(graph, "graph", names)
    entities = {}
    for node in graph.iter(f"{tag}node"):
        own, props = _read(node, "node", names)
        entity = entity_from_json(
            {
                "id": _with_control(node.attrib["id"]),
                "type": own["type"],
                "props": props,
                "aliases": json.loads(own.get("aliases", "[]")),
                "stance": own.get("stance"),
            },
            schema,
        )
        entities[entity.id] = entity
    edges = {}
    for item in graph.iter(f"{tag}edge"):
        own, props = _read(item, "edge", names)
        edge = edge_from_json(
            {
                "key": _with_control(item.attrib["id"]),
                "edge_id": [own["source_type"], own["target_type"], own["relation"]],
                "source": _with_control(item.attrib["source"]),
                "target": _with_control(item.attrib["target"]),
                "props": props,
                "stance": own.get("stance"),
            },
            schema,
        )
        edges[edge.id] = edge
    return Graph(ours["schema_ref"], entities, edges, schema=schema)


def _read(item: Xml.Element, target: str, names: Mapping[str, str]) -> tuple[dict[str, str], dict[str, Json]]:
    """What is ours of an element, and its properties."""
    ours: dict[str, str] = {}
    props: dict[str, Json] = {}
    for data in item.findall(f"{{{NAMESPACE}}}data"):
        key = data.attrib["key"]
        text = _with_control(data.text or "")
        kind = key.rpartition(".")[2]
        if key.startswith(f"{target}."):
            ours[names[key]] = text
        elif kind == "string":
            props[names[key]] = text
        else:
            props[names[key]] = float(text) if kind == "double" else json.loads(text)
    return ours, props
