"""Reading record graphs from a JSON Lines file, as a cast writes it: one episode a line.

The file is read as a stream and every line is checked against the schema: names that the schema lacks, values of
another type and doubled sources are errors that say the line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from schemacast.errors import InputError, nearest
from schemacast.records import RecordGraph
from schemacast.schema.model import EdgeId, Schema

FIELDS = ("source_id", "schema_ref", "reference_time", "records", "relations")


def read_record_graphs(path: str | Path, schema: Schema) -> Iterator[RecordGraph]:
    """The record graphs of a file. Raises InputError, in the middle of it, for the first line that is wrong."""
    seen: set[str] = set()
    number = 0
    try:
        with Path(path).open(encoding="utf-8-sig", newline="\n") as lines:
            for number, text in enumerate(lines, 1):
                if not text.strip():
                    continue
                graph = _read(f"{path}:{number}", text, schema)
                if graph.source_id in seen:
                    raise InputError(f"{path}:{number}: another line has the source {graph.source_id!r} already")
                seen.add(graph.source_id)
                yield graph
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: is not UTF-8 after line {number:,} ({error.reason})") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None


def _read(where: str, text: str, schema: Schema) -> RecordGraph:
    try:
        line = json.loads(text)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deeply"
        raise InputError(f"{where}: is no JSON object: {reason}") from None
    if not isinstance(line, dict):
        raise InputError(f"{where}: is no JSON object; a line of records.jsonl is one")
    for name in FIELDS:
        if name not in line:
            raise InputError(f"{where}: has no {name!r}; a line of records.jsonl has {', '.join(FIELDS)}")
    if str(line["schema_ref"]).rpartition("@")[0] != schema.name:
        raise InputError(f"{where}: was cast with the schema {line['schema_ref']!r}, not with {schema.name!r}")
    try:
        _check_names(line, schema, where)
        return RecordGraph.from_json(line, schema)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        detail = f"{error}" if isinstance(error, ValueError) else f"{type(error).__name__} {error}"
        raise InputError(f"{where}: is no record graph of {schema.ref}: {detail}") from None


def _check_names(line: dict[str, Any], schema: Schema, where: str) -> None:
    """Raises InputError for a name that the schema lacks, with the nearest that it has."""
    for record in line["records"]:
        kind = schema.vertices.get(record["type"])
        if kind is None:
            near = nearest(record["type"], schema.vertices)
            raise InputError(f"{where}: {schema.ref} has no vertex type {record['type']!r}{near}")
        for name in record["props"]:
            if name not in kind.properties:
                near = nearest(name, kind.properties)
                raise InputError(f"{where}: {record['type']} has no property {name!r}{near}")
    for relation in line["relations"]:
        edge_id = EdgeId(*relation["edge_id"])
        edge = schema.edges.get(edge_id)
        if edge is None:
            near = nearest(edge_id.relation, schema.relations)
            raise InputError(f"{where}: {schema.ref} has no edge type {edge_id}{near}")
        for name in relation["props"]:
            if name not in edge.properties:
                raise InputError(f"{where}: {edge_id} has no property {name!r}{nearest(name, edge.properties)}")
