"""Stored record graphs as the present schema sees them.

What was cast under an earlier version of the schema still counts until its source is cast again. Types,
relations and properties that the schema has no longer, and values that are of another type now, are left out
and counted; keys are read anew, since resolution takes them from the schema. A record graph that was cast
under the present schema is read as it stands.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from schemacast.records import RecordGraph
from schemacast.schema.model import EdgeId, Property, Schema
from schemacast.schema.values import scalar_from_json
from schemacast.workspace.episodes import Episodes


class StoredGraphs:
    """The record graphs that make the graph. `left_out` counts what the schema no longer has, by name."""

    def __init__(self, episodes: Episodes, schema: Schema, schema_sha: str) -> None:
        self._episodes = episodes
        self._schema = schema
        self._sha = schema_sha
        self.left_out: Counter[str] = Counter()

    def __iter__(self) -> Iterator[RecordGraph]:
        return (graph for _, graph in self.numbered())

    def numbered(self) -> Iterator[tuple[int, RecordGraph]]:
        """Each with the id of its source."""
        for ident, text, sha in self._episodes.counting():
            yield ident, self._read(text, sha)

    def of(self, ident: int) -> RecordGraph | None:
        """That of one source; None when it has none that counts."""
        found = self._episodes.counted(ident)
        return None if found is None else self._read(*found)

    def _read(self, text: str, sha: str | None) -> RecordGraph:
        line = json.loads(text)
        if sha != self._sha:
            line = self._fitted(line)
        return RecordGraph.from_json(line, self._schema)

    def _fitted(self, line: dict[str, Any]) -> dict[str, Any]:
        """The line without what the schema does not have."""
        schema = self._schema
        records = []
        for record in line["records"]:
            kind = schema.vertices.get(record["type"])
            if kind is None:
                self.left_out[record["type"]] += 1
            else:
                stance = record["stance"] if record["stance"] in kind.stances else None
                if stance == record["stance"]:
                    records.append({**record, "props": self._fitting(record["props"], kind.properties)})
                else:
                    self.left_out[f"{record['type']} ({record['stance']})"] += 1
        refs = {record["ref"] for record in records}
        relations = []
        for relation in line["relations"]:
            edge = schema.edges.get(EdgeId(*relation["edge_id"]))
            if edge is None or not refs.issuperset((relation["source"], relation["target"])):
                self.left_out[relation["edge_id"][2]] += 1
            elif relation["stance"] is not None and relation["stance"] not in edge.stances:
                self.left_out[f"{relation['edge_id'][2]} ({relation['stance']})"] += 1
            else:
                relations.append({**relation, "props": self._fitting(relation["props"], edge.properties)})
        return {**line, "records": records, "relations": relations}

    def _fitting(self, props: Mapping[str, Any], declared: Mapping[str, Property]) -> dict[str, Any]:
        kept = {}
        for name, stated in props.items():
            if name in declared and _fits(stated, declared[name]):
                kept[name] = stated
            else:
                self.left_out[name] += 1
        return kept


def _fits(stated: Any, declared: Property) -> bool:
    if isinstance(stated, list) != declared.many:
        return False
    try:
        for one in stated if isinstance(stated, list) else (stated,):
            scalar_from_json(declared.type, one["value"])
    except ValueError:
        return False
    return True
