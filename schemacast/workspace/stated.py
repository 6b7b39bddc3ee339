"""Where an entity, or what a source says, is stated: groundings found through mentions.

An entity is named by its type and its key, the parts joined by `|`, or by its id, also one that was merged. A plain
key is hashed into the id. What is found by its owner, by likeness, or is minted, is looked for among the records
that state these parts, and more than one entity may answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from schemacast.errors import UnknownNameError, UsageError, nearest
from schemacast.resolution.ids import entity_id
from schemacast.resolution.verdicts import Earlier
from schemacast.schema.comparable import comparable
from schemacast.schema.model import Schema, VertexType
from schemacast.schema.values import scalar_from_json
from schemacast.workspace.decisions import Decisions
from schemacast.workspace.file import WorkspaceFile
from schemacast.workspace.mentions import Mentions

Grounded = dict[str, Any]


def groundings_of_source(file: WorkspaceFile, source_id: str) -> Iterator[Grounded]:
    """The groundings of one source that counts. Raises UnknownNameError for one that was never seen."""
    row = file.row(
        "SELECT withdrawn, groundings FROM episodes LEFT JOIN outcomes ON episode = id WHERE source_id = ?",
        (source_id,),
    )
    if row is None:
        raise UnknownNameError(f"{file.path}: has no source {source_id!r}")
    if row[0] is None and row[1] is not None:
        yield from json.loads(row[1])


def all_groundings(file: WorkspaceFile) -> Iterator[Grounded]:
    """The groundings of every source that counts."""
    query = "SELECT groundings FROM outcomes JOIN episodes ON id = episode WHERE withdrawn IS NULL ORDER BY id"
    for (text,) in file.rows(query):
        yield from json.loads(text)


def groundings_of_entity(file: WorkspaceFile, schema: Schema, type: str, key: str) -> Iterator[Grounded]:
    """The groundings of an entity, its properties and its edges.

    Raises UnknownNameError for a type that the schema lacks, and when nothing in the graph has that key;
    UsageError for a key with another number of parts.
    """
    kind = schema.vertices.get(type)
    if kind is None:
        raise UnknownNameError(f"the schema has no vertex type {type!r}{nearest(type, schema.vertices)}")
    mentions = Mentions(file)
    present = Earlier(Decisions(file).revisions()).present(key)
    idents = [present] if _is_mentioned(file, present) else _ids(file, schema, kind, key)
    if not idents:
        raise UnknownNameError(f"{file.path}: no {type} in the graph has the key {key!r}")
    for ident in idents:
        for episode, refs in mentions.of(ident):
            text = file.value("SELECT groundings FROM outcomes WHERE episode = ?", (episode,))
            for row in json.loads(text or "[]"):
                if row["ref"] in refs or row["source_ref"] in refs or row["target_ref"] in refs:
                    yield {**row, "entity": ident}


def _is_mentioned(file: WorkspaceFile, ident: str) -> bool:
    return file.value("SELECT 1 FROM mentions WHERE entity = ? LIMIT 1", (ident,)) is not None


def _ids(file: WorkspaceFile, schema: Schema, kind: VertexType, key: str) -> list[str]:
    """The ids of the entities of a type that have a key."""
    names = kind.key.properties or tuple(dict.fromkeys(name for each in kind.alternates for name in each))
    if not names:
        raise UsageError(f"a {kind.name} has no key of its own; give its id")
    parts: list[str] = key.split("|") if len(names) > 1 else [key]
    if len(parts) > len(names) or (len(parts) < len(names) and kind.key.kind != "match"):
        raise UsageError(f"the key of a {kind.name} has {len(names)} parts, joined by |: {'|'.join(names)}")
    wanted = {name: _canonical(kind, name, part) for name, part in zip(names, parts, strict=False) if part}
    if kind.key.kind == "plain" and not kind.within:
        ident = entity_id(schema.name, kind.name, [wanted.get(name) for name in names])
        if _is_mentioned(file, ident):
            return [ident]
    return _ids_by_records(file, kind, wanted)


def _ids_by_records(file: WorkspaceFile, kind: VertexType, wanted: dict[str, str]) -> list[str]:
    """The ids of what the records that state these values became."""
    found: dict[str, None] = {}
    query = "SELECT episode, graph FROM records JOIN episodes ON id = episode WHERE withdrawn IS NULL ORDER BY id"
    for episode, text in file.rows(query):
        if json.dumps(kind.name, ensure_ascii=False) not in text:
            continue
        refs = {
            record["ref"]
            for record in json.loads(text)["records"]
            if record["type"] == kind.name and _states(kind, record["props"], wanted)
        }
        if refs:
            for entity, held in file.rows("SELECT entity, refs FROM mentions WHERE episode = ?", (episode,)):
                if refs & set(json.loads(held)):
                    found[entity] = None
    return list(found)


def _states(kind: VertexType, props: dict[str, Any], wanted: dict[str, str]) -> bool:
    for name, text in wanted.items():
        stated = props.get(name)
        if not isinstance(stated, dict) or _canonical(kind, name, stated["value"]) != text:
            return False
    return True


def _canonical(kind: VertexType, name: str, value: Any) -> str:
    """A value, or what a person typed for it, as the text that ids hash."""
    declared = kind.properties[name]
    if isinstance(value, str) and declared.type in ("integer", "number", "boolean"):
        try:
            value = json.loads(value)
        except ValueError:
            return str(value)
    try:
        value = scalar_from_json(declared.type, value)
    except ValueError:
        return str(value)
    return comparable(declared, value, "match" if kind.key.kind == "match" else "key")
