"""The groundings of a record graph: each assertion with the characters it was read from.

Records come first, each followed by its properties, then the relations likewise. What the source
itself stated about a known entity was not read from the text and has no grounding. The quote is taken
from the source at the span, never from the evidence, so a grounding shows what the text says.
Rows are plain dicts, because a cast writes thousands of them.
"""

from __future__ import annotations

from collections.abc import Mapping

from schemacast.episode import Episode
from schemacast.ground.model import Grounding
from schemacast.records import EvidenceDict, RecordGraph, Stated
from schemacast.schema.values import Json, scalar_to_json


def groundings(graph: RecordGraph, episode: Episode, *, extractor: str, model: str | None = None) -> list[Grounding]:
    """One grounding for every record, relation and stated property of `graph` that has a span.

    `extractor` is `schemacast/<version>`, `model` the model that produced the reply. Raises ValueError when
    `episode` is not the one the graph was read from, or a span points outside of its text.
    """
    moment = graph.reference_time
    return [
        Grounding.model_validate({**fields, "reference_time": moment})
        for _, fields in _assertions(graph, episode, extractor, model)
    ]


def grounding_rows(
    graph: RecordGraph, episode: Episode, *, extractor: str, model: str | None = None
) -> list[dict[str, Json]]:
    """`groundings` as the objects that stand on the lines of `groundings.jsonl`.

    Each also has `item`, the position of its record among the records or of its relation among the
    relations, and nulls are kept.
    """
    moment = None if graph.reference_time is None else scalar_to_json(graph.reference_time)
    rows = []
    for item, fields in _assertions(graph, episode, extractor, model):
        fields["item"] = item
        fields["reference_time"] = moment
        rows.append(fields)
    return rows


def _assertions(
    graph: RecordGraph, episode: Episode, extractor: str, model: str | None
) -> list[tuple[int, dict[str, Json]]]:
    """The position of the item and the fields of each grounding, its reference time left open."""
    if graph.source_id != episode.source_id:
        raise ValueError(f"the record graph was read from {graph.source_id!r}, not from {episode.source_id!r}")
    texts: dict[str | None, str] = {item.source_id: item.text for item in reversed(episode.context)}
    texts[None] = episode.text
    common: dict[str, Json] = {
        "source_id": graph.source_id,
        "kind": "vertex",
        "vertex": None,
        "ref": None,
        "edge": None,
        "source_ref": None,
        "target_ref": None,
        "property": None,
        "extractor": extractor,
        "model": model,
        "schema_ref": graph.schema_ref,
    }
    found: list[tuple[int, dict[str, Json]]] = []
    for item, record in enumerate(graph.records):
        owner = {**common, "vertex": record.type, "ref": record.ref}
        found += [(item, fields) for fields in _owner_and_properties(owner, record.evidence, record.props, texts)]
    for item, relation in enumerate(graph.relations):
        owner = {
            **common,
            "kind": "edge",
            "edge": list(relation.edge_id),
            "source_ref": relation.source,
            "target_ref": relation.target,
        }
        found += [(item, fields) for fields in _owner_and_properties(owner, relation.evidence, relation.props, texts)]
    return found


def _owner_and_properties(
    owner: dict[str, Json],
    evidence: EvidenceDict,
    props: Mapping[str, Stated | tuple[Stated, ...]],
    texts: Mapping[str | None, str],
) -> list[dict[str, Json]]:
    found: list[dict[str, Json]] = []
    if "known" not in evidence and (place := _place(evidence, texts)):
        found.append(owner | place)
    for name, stated in props.items():
        found += [
            {**owner, "kind": "property", "property": name, **place}
            for one in (stated if isinstance(stated, tuple) else (stated,))
            if (place := _place(one.evidence, texts))
        ]
    return found


def _place(evidence: EvidenceDict, texts: Mapping[str | None, str]) -> dict[str, Json] | None:
    """The span of an evidence as fields of a grounding, with the source's text; None without a span."""
    span = evidence.get("span")
    if not isinstance(span, dict):
        return None
    start, end, context = span["start"], span["end"], span.get("context")
    text = texts.get(context)
    if text is None or not 0 <= start < end <= len(text):
        where = "the episode" if context is None else f"its context item {context!r}"
        raise ValueError(f"evidence points at characters {start} to {end}, which {where} does not have")
    return {"char_start": start, "char_end": end, "in_context": context, "quote": text[start:end]}
