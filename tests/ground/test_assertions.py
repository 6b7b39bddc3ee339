"""Evidence dicts, groundings and the rows of `groundings.jsonl`."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest
from pydantic import ValidationError

from schemacast.episode import ContextItem, Episode
from schemacast.ground import (
    Grounding,
    Span,
    TextSpan,
    UnmappedText,
    evidence,
    grounding_rows,
    groundings,
    quote_of,
    span_of,
)
from schemacast.records import KNOWN, EvidenceDict, Record, RecordGraph, Relation, Stated
from schemacast.schema.model import EdgeId

TEXT = "ACC-1 raised HD-2, labels red and blue, since 2026-03-02."
EPISODE = Episode(
    source_id="mail-1", text=TEXT, context=(ContextItem(source_id="mail-0", text="Ticket HD-2 is open."),)
)
RAISED = EdgeId("Customer", "Ticket", "RAISED")
MOMENT = datetime(2026, 3, 2, 10, 0, tzinfo=timezone(timedelta(hours=1)))


def at(start: int, end: int, context: str | None = None, quote: str = "the model's copy") -> EvidenceDict:
    return evidence(quote, TextSpan(start=start, end=end, context=context))


def graph_of(*records: Record, relations: tuple[Relation, ...] = (), moment: datetime | None = MOMENT) -> RecordGraph:
    return RecordGraph("mail-1", "helpdesk@1.0.0", moment, records, relations)


CUSTOMER = Record("v1", "Customer", at(0, 5), {"account": Stated("ACC-1", at(0, 5))})
TICKET = Record(
    "v2",
    "Ticket",
    at(13, 17),
    {
        "number": Stated("HD-2", at(7, 11, "mail-0")),
        "labels": (Stated("red", at(26, 29)), Stated("blue", at(34, 38))),
    },
)
EDGE = Relation(RAISED, "v1", "v2", at(0, 17), {"since": Stated("2026-03-02", at(46, 56))})


def test_evidence_leaves_out_an_absent_context_and_reads_back() -> None:
    assert at(0, 5, quote="q") == {"quote": "q", "span": {"start": 0, "end": 5}}
    there = at(0, 5, "mail-0")
    assert there["span"] == {"start": 0, "end": 5, "context": "mail-0"}
    assert span_of(there) == Span(start=0, end=5, context="mail-0")
    assert quote_of(there) == "the model's copy"


@pytest.mark.parametrize("nothing", [None, {}, KNOWN, {"quote": 3, "span": None}])
def test_evidence_without_quote_or_span_gives_none(nothing: EvidenceDict | None) -> None:
    assert quote_of(nothing) is None
    assert span_of(nothing) is None


def test_spans_and_unmapped_texts_take_no_other_fields() -> None:
    with pytest.raises(ValidationError):
        TextSpan.model_validate({"start": 0, "end": 1, "quote": "x"})
    with pytest.raises(ValidationError):
        UnmappedText.model_validate({"quote": "x", "note": "", "span": {"start": 0, "end": 1}, "why": ""})


def test_each_record_comes_before_its_properties_and_records_before_relations() -> None:
    made = groundings(graph_of(CUSTOMER, TICKET, relations=(EDGE,)), EPISODE, extractor="schemacast/1", model="m")
    assert [(one.kind, one.ref, one.edge, one.property, one.quote) for one in made] == [
        ("vertex", "v1", None, None, "ACC-1"),
        ("property", "v1", None, "account", "ACC-1"),
        ("vertex", "v2", None, None, "HD-2"),
        ("property", "v2", None, "number", "HD-2"),
        ("property", "v2", None, "labels", "red"),
        ("property", "v2", None, "labels", "blue"),
        ("edge", None, RAISED, None, "ACC-1 raised HD-2"),
        ("property", None, RAISED, "since", "2026-03-02"),
    ]
    edge = made[-1]
    assert (edge.source_ref, edge.target_ref, edge.vertex) == ("v1", "v2", None)
    assert made[3].in_context == "mail-0"
    assert made[3].vertex == "Ticket"


def test_a_grounding_carries_where_it_comes_from() -> None:
    (made,) = groundings(graph_of(Record("v1", "Customer", at(0, 5))), EPISODE, extractor="schemacast/1")
    assert made == Grounding(
        source_id="mail-1",
        kind="vertex",
        vertex="Customer",
        ref="v1",
        char_start=0,
        char_end=5,
        quote="ACC-1",
        extractor="schemacast/1",
        model=None,
        schema_ref="helpdesk@1.0.0",
        reference_time=MOMENT,
    )


def test_what_the_source_itself_states_has_no_grounding() -> None:
    known = Record("k1", "Customer", KNOWN, {"account": Stated("ACC-1", KNOWN)})
    odd = Record("k2", "Customer", {**KNOWN, **at(0, 5)})
    assert groundings(graph_of(known, odd), EPISODE, extractor="x") == []


def test_a_property_that_the_text_states_of_a_known_record_has_one() -> None:
    known = Record("k1", "Customer", KNOWN, {"account": Stated("ACC-1", at(0, 5))})
    (made,) = groundings(graph_of(known), EPISODE, extractor="x")
    assert (made.kind, made.property, made.ref) == ("property", "account", "k1")


def test_rows_keep_nulls_and_say_which_item_they_belong_to() -> None:
    graph = graph_of(CUSTOMER, TICKET, relations=(EDGE, EDGE))
    rows = grounding_rows(graph, EPISODE, extractor="schemacast/1")
    assert [row["item"] for row in rows] == [0, 0, 1, 1, 1, 1, 0, 0, 1, 1]
    assert rows[6]["edge"] == ["Customer", "Ticket", "RAISED"]
    assert all(set(row) == set(Grounding.model_fields) | {"item"} for row in rows)
    assert rows[0]["reference_time"] == "2026-03-02T09:00:00Z"
    assert rows[0]["model"] is None
    json.dumps(rows)


def test_rows_and_groundings_say_the_same() -> None:
    graph = graph_of(CUSTOMER, TICKET, relations=(EDGE,), moment=datetime(2026, 3, 2, tzinfo=UTC))
    rows = grounding_rows(graph, EPISODE, extractor="x", model="m")
    for row, made in zip(rows, groundings(graph, EPISODE, extractor="x", model="m"), strict=True):
        assert {name: value for name, value in row.items() if name != "item"} == made.model_dump(mode="json")


def test_without_a_reference_time_it_is_null() -> None:
    (row,) = grounding_rows(graph_of(Record("v", "T", at(0, 5)), moment=None), EPISODE, extractor="x")
    assert row["reference_time"] is None


@pytest.mark.parametrize("span", [(0, 500, None), (5, 5, None), (-1, 3, None), (0, 3, "mail-9"), (0, 30, "mail-0")])
def test_a_span_outside_of_the_source_is_an_error(span: tuple[int, int, str | None]) -> None:
    with pytest.raises(ValueError, match="does not have"):
        groundings(graph_of(Record("v1", "Customer", at(*span))), EPISODE, extractor="x")


def test_the_wrong_episode_is_an_error() -> None:
    with pytest.raises(ValueError, match="mail-2"):
        groundings(graph_of(CUSTOMER), Episode(source_id="mail-2", text=TEXT), extractor="x")
