"""Stored record graphs as the present schema sees them.

What was cast under an earlier version of the schema still counts until its source is cast again. Types,
relations and properties that the schema has no longer, and values that it would no longer take, are left out and
counted: those of another type, unit or listing now, those that break a pattern or a bound, summaries and hedged
numbers where it asks for exact ones. Keys are read anew, since resolution takes them from the schema. A record graph
that was cast under the present schema is read as it stands.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from schemacast.cast.facts import OwnerFacts, PropertyFacts, facts_of
from schemacast.cast.fidelity import breach
from schemacast.records import RecordGraph
from schemacast.schema.model import EdgeId, EdgeType, Property, Schema, VertexType
from schemacast.schema.values import scalar_from_json
from schemacast.workspace.episodes import Episodes
from schemacast.workspace.schemas import earlier_schema

NONE: Mapping[str, Property] = {}


class StoredGraphs:
    """The record graphs that make the graph. `left_out` counts what the schema no longer takes, by name."""

    def __init__(self, episodes: Episodes, schema: Schema, schema_sha: str) -> None:
        self._episodes = episodes
        self._schema = schema
        self._sha = schema_sha
        self._earlier: dict[str | None, Schema | None] = {}
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
            if sha not in self._earlier:
                self._earlier[sha] = earlier_schema(self._episodes.file, sha)
            line = self._fitted(line, self._earlier[sha])
        return RecordGraph.from_json(line, self._schema)

    def _fitted(self, line: dict[str, Any], earlier: Schema | None) -> dict[str, Any]:
        """The line, cast under an earlier schema, without what the present one does not take."""
        schema, facts = self._schema, facts_of(self._schema)
        records = []
        for record in line["records"]:
            kind = schema.vertices.get(record["type"])
            if kind is None:
                self.left_out[record["type"]] += 1
            elif record["stance"] is not None and record["stance"] not in kind.stances:
                self.left_out[f"{record['type']} ({record['stance']})"] += 1
            else:
                before = earlier.vertices.get(kind.name) if earlier else None
                props = self._fitting(record["props"], facts.vertex(kind.name), before)
                records.append({**record, "props": props})
        refs = {record["ref"] for record in records}
        relations = []
        for relation in line["relations"]:
            ident = EdgeId(*relation["edge_id"])
            edge = schema.edges.get(ident)
            if edge is None or not refs.issuperset((relation["source"], relation["target"])):
                self.left_out[ident.relation] += 1
            elif relation["stance"] is not None and relation["stance"] not in edge.stances:
                self.left_out[f"{ident.relation} ({relation['stance']})"] += 1
            else:
                was = earlier.edges.get(ident) if earlier else None
                relations.append({**relation, "props": self._fitting(relation["props"], facts.edge(edge), was)})
        return {**line, "records": records, "relations": relations}

    def _fitting(
        self, props: Mapping[str, Any], facts: OwnerFacts | None, earlier: VertexType | EdgeType | None
    ) -> dict[str, Any]:
        kept = {}
        before = earlier.properties if earlier is not None else NONE
        for name, stated in props.items():
            found = facts.property(name) if facts is not None and name in facts.names else None
            if found is not None and _fits(stated, found, before.get(name)):
                kept[name] = stated
            else:
                self.left_out[name] += 1
        return kept


def _fits(stated: Any, facts: PropertyFacts, before: Property | None) -> bool:
    """Whether the present schema takes what was read when the property was as `before` (None: not known)."""
    declared = facts.prop
    if isinstance(stated, list) != declared.many or (before is not None and _means_another(before, declared)):
        return False
    return all(_takes(one, facts) for one in (stated if isinstance(stated, list) else (stated,)))


def _means_another(before: Property, declared: Property) -> bool:
    """Whether what a property held is not what it now asks for, though it may look like it."""
    same_type = before.type == declared.type or (before.type, declared.type) == ("integer", "number")
    return not same_type or before.unit != declared.unit or (before.bound and not declared.bound)


def _takes(one: Mapping[str, Any], facts: PropertyFacts) -> bool:
    declared = facts.prop
    try:
        value = scalar_from_json(declared.type, one["value"])
    except ValueError:
        return False
    if declared.type == "integer" and not isinstance(value, int):
        return False
    if declared.type == "string" and declared.verbatim and one["support"] == "judged":
        return False
    if facts.listed is not None:
        return value in [choice.value for choice in facts.listed.choices]
    return breach(facts, value) is None
