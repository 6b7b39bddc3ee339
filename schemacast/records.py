"""What one episode states, before anything is known about which entities its records are.

A record graph is the output of a cast and the input of resolution. Its JSON form is one line of
`records.jsonl`; `RecordGraph.to_json` and `from_json` are the only writer and reader of that form.
Evidence is the dict that `schemacast.ground.evidence` writes, or `{"known": true}` for what the
source itself stated in structured form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from schemacast.schema.model import EdgeId, Property, Schema
from schemacast.schema.values import Json, Scalar, scalar_from_json, scalar_to_json

Support = Literal["stated", "listed", "judged"]
EvidenceDict = dict[str, Any]
KNOWN: EvidenceDict = {"known": True}


@dataclass(frozen=True, slots=True)
class Stated:
    """A property's value, where it was read, and how the text supports it.

    `stated`: read from the quote; `listed`: through a form that the schema's enum lists;
    `judged`: the model's word, for booleans and summaries.
    """

    value: Scalar
    evidence: EvidenceDict
    support: Support = "stated"


Props = Mapping[str, "Stated | tuple[Stated, ...]"]


@dataclass(frozen=True, slots=True)
class Record:
    """One vertex as an episode states it. `ref` is its name within the episode."""

    ref: str
    type: str
    evidence: EvidenceDict
    props: Props = field(default_factory=dict)
    may_create: bool = True
    stance: str | None = None

    @property
    def known(self) -> bool:
        """Whether the source stated it in structured form, instead of the text."""
        return "known" in self.evidence


@dataclass(frozen=True, slots=True)
class Relation:
    """One edge as an episode states it; `source` and `target` are refs of records."""

    edge_id: EdgeId
    source: str
    target: str
    evidence: EvidenceDict
    props: Props = field(default_factory=dict)
    stance: str | None = None


@dataclass(frozen=True, slots=True)
class RecordGraph:
    """Everything one episode states."""

    source_id: str
    schema_ref: str
    reference_time: datetime | None
    records: tuple[Record, ...] = ()
    relations: tuple[Relation, ...] = ()

    def to_json(self) -> dict[str, Json]:
        """The object that stands on a line of `records.jsonl`."""
        return {
            "source_id": self.source_id,
            "schema_ref": self.schema_ref,
            "reference_time": scalar_to_json(self.reference_time) if self.reference_time else None,
            "records": [
                {
                    "ref": record.ref,
                    "type": record.type,
                    "may_create": record.may_create,
                    "stance": record.stance,
                    "evidence": record.evidence,
                    "props": _props_to_json(record.props),
                }
                for record in self.records
            ],
            "relations": [
                {
                    "edge_id": list(relation.edge_id),
                    "source": relation.source,
                    "target": relation.target,
                    "stance": relation.stance,
                    "evidence": relation.evidence,
                    "props": _props_to_json(relation.props),
                }
                for relation in self.relations
            ],
        }

    @classmethod
    def from_json(cls, line: Mapping[str, Any], schema: Schema) -> RecordGraph:
        """Read back what `to_json` gave; values take the types that `schema` declares.

        Raises KeyError for a type or property the schema lacks, ValueError for a value of another type.
        """
        reference_time = line["reference_time"]
        return cls(
            source_id=line["source_id"],
            schema_ref=line["schema_ref"],
            reference_time=datetime.fromisoformat(reference_time) if reference_time else None,
            records=tuple([_record_from_json(item, schema) for item in line["records"]]),
            relations=tuple([_relation_from_json(item, schema) for item in line["relations"]]),
        )


def _record_from_json(item: Mapping[str, Any], schema: Schema) -> Record:
    kind = item["type"]
    props = _props_from_json(item["props"], schema.vertices[kind].properties)
    return Record(item["ref"], kind, item["evidence"], props, item["may_create"], item["stance"])


def _relation_from_json(item: Mapping[str, Any], schema: Schema) -> Relation:
    edge = schema.edges[EdgeId(*item["edge_id"])]
    props = _props_from_json(item["props"], edge.properties) if item["props"] else {}
    return Relation(edge.id, item["source"], item["target"], item["evidence"], props, item["stance"])


def _props_to_json(props: Props) -> dict[str, Json]:
    return {
        name: [_stated_to_json(item) for item in stated] if isinstance(stated, tuple) else _stated_to_json(stated)
        for name, stated in props.items()
    }


def _stated_to_json(stated: Stated) -> Json:
    return {"value": scalar_to_json(stated.value), "evidence": stated.evidence, "support": stated.support}


def _props_from_json(props: Mapping[str, Any], declared: Mapping[str, Property]) -> Props:
    read: dict[str, Stated | tuple[Stated, ...]] = {}
    for name, item in props.items():
        kind = declared[name].type
        if isinstance(item, list):
            read[name] = tuple([_stated_from_json(kind, one) for one in item])
        else:
            read[name] = _stated_from_json(kind, item)
    return read


def _stated_from_json(kind: str, item: Mapping[str, Any]) -> Stated:
    return Stated(scalar_from_json(kind, item["value"]), item["evidence"], item["support"])
