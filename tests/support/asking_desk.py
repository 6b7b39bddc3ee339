"""Workspaces to be asked: texts put into one with what a model says of them, and no store but a file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from schemacast.episode import Episode
from schemacast.jobs.entry import ingest
from schemacast.schema.load import parse_schema

PEOPLE = """
name: people
version: 1.0.0
vertices:
  Person: {key: name, properties: {name: {type: string, match: name}}}
  Company: {key: name, properties: {name: string, ships: integer}}
edges:
  WORKS_AT: {source: Person, target: Company, inverse: [employs]}
  LEADS: {source: Person, target: Company}
"""

EMPTY: dict[str, Any] = {"vertices": [], "edges": []}


def vertex(ref: str, type_: str, name: str, quote: str | None = None) -> dict[str, Any]:
    return {"ref": ref, "type": type_, "quote": quote or name, "props": [{"name": "name", "value": name}]}


def edge(source: str, relation: str, target: str, quote: str) -> dict[str, Any]:
    return {"relation": relation, "from": source, "to": target, "quote": quote, "props": []}


def fill(
    folder: Path,
    texts: Mapping[str, str],
    replies: Mapping[str, Any] | None = None,
    *,
    metadata: Mapping[str, Any] | None = None,
    schema: str = PEOPLE,
) -> Path:
    """A workspace in `folder` that holds these texts, by source id; replies say what each states (nothing)."""
    path = folder / "work.db"
    recorded = folder / "recorded.jsonl"
    lines = [
        {"source_id": name, "round": round_, "reply": (replies or {}).get(name, EMPTY)}
        for name in texts
        for round_ in range(3)
    ]
    recorded.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    ingest(
        parse_schema(schema),
        [
            Episode(source_id=name, text=text, metadata=dict((metadata or {}).get(name, {})))
            for name, text in texts.items()
        ],
        model=f"replay:{recorded}",
        to=store(folder),
        workspace=path,
    )
    return path


def store(folder: Path) -> str:
    return f"networkx:{folder / 'graph.json'}"
