"""The files of a resolution: the graph, what is staged and what it may be, and every decision."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from schemacast.adapters import open_adapter
from schemacast.cast.output import STAGED, disk_errors, line
from schemacast.graph import Graph
from schemacast.run import GRAPH_FILE
from schemacast.schema.model import Schema
from schemacast.schema.values import Json

CANDIDATES = "candidates.jsonl"
DECISIONS = "decisions.jsonl"


def write_resolved(directory: Path, graph: Graph) -> None:
    """Write `graph.json`, `staged.jsonl`, `candidates.jsonl` and `decisions.jsonl`, all or none of them.

    Raises OutputError when the directory cannot be written.
    """
    schema = graph.schema
    assert schema is not None
    with disk_errors(str(directory)):
        directory.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=".resolve-", dir=directory))
        try:
            _write_graph(folder / GRAPH_FILE, graph, schema)
            tables = {
                STAGED: (item.to_json() for item in graph.staged),
                CANDIDATES: _candidates(graph),
                DECISIONS: _decisions(graph),
            }
            for name, rows in tables.items():
                with (folder / name).open("w", encoding="utf-8", newline="\n") as file:
                    file.writelines(line(row) for row in rows)
            for name in (GRAPH_FILE, *tables):
                (folder / name).replace(directory / name)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _write_graph(path: Path, graph: Graph, schema: Schema) -> None:
    with open_adapter(f"networkx:{path}", schema) as adapter:
        adapter.prepare()
        adapter.write(graph)


def _candidates(graph: Graph) -> Iterator[dict[str, Json]]:
    for (source_id, ref), found in graph.candidates.items():
        for each in found:
            yield {
                "source_id": source_id,
                "ref": ref,
                "entity": each.entity,
                "score": round(each.score, 6),
                "agrees": list(each.agrees),
                "contradicts": list(each.contradicts),
            }


def _decisions(graph: Graph) -> Iterator[dict[str, Json]]:
    for decision in graph.decisions:
        entity = graph.entities.get(decision.entity)
        for source_id, ref in decision.records:
            yield {
                "source_id": source_id,
                "ref": ref,
                "entity": decision.entity,
                "type": entity.type if entity else None,
                "by": decision.by,
                "score": round(decision.score, 6),
            }
