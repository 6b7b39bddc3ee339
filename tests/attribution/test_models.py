"""The models: their fields and bounds, and what is computed whatever is given."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from schemacast.attribution import (
    AttributionType,
    Evidence,
    EvidenceAssessment,
    ExtractedClaim,
    InputText,
    SearchResult,
    SourceAttribution,
    SourceType,
)
from schemacast.ground import TextSpan

QUOTE = "Orvik AS has 6 ships."


def evidence(**changed: Any) -> Evidence:
    fields = {
        "source_url": "https://a.example/x",
        "source_title": "A",
        "source_type": "primary",
        "verbatim_quote": QUOTE,
        "relevance_score": 0.9,
        "relevance_explanation": "It says so.",
        "source_id": "a",
        "span": TextSpan(start=0, end=len(QUOTE)),
    }
    return Evidence(**{**fields, **changed})


def assessed(attribution: str, kind: str = "primary", score: float = 0.9) -> EvidenceAssessment:
    return EvidenceAssessment(
        evidence=evidence(source_type=kind, relevance_score=score, source_url=f"https://{kind}.example/{attribution}"),
        attribution=attribution,  # type: ignore[arg-type]
        reasoning="r",
    )


def attributed(*assessments: EvidenceAssessment, attribution: str, **more: Any) -> SourceAttribution:
    return SourceAttribution(
        claim="c",
        attribution=attribution,  # type: ignore[arg-type]
        summary="s",
        evidence_list=list(assessments),
        **more,
    )


@pytest.mark.parametrize(("length", "fits"), [(9, False), (10, True), (5_000, True), (5_001, False)])
def test_an_input_has_10_to_5000_characters(length: int, fits: bool) -> None:
    if fits:
        assert InputText(text="x" * length).text == "x" * length
    else:
        with pytest.raises(ValidationError):
            InputText(text="x" * length)


def test_the_whitespace_of_an_input_is_collapsed_before_it_is_counted() -> None:
    assert InputText(text="  one\r\n\u00a0 two\tthree ").text == "one two three"
    assert InputText(text="a" + " " * 9_000 + "b" * 9).text == "a " + "b" * 9
    with pytest.raises(ValidationError):
        InputText(text="   tiny " + " " * 20)


def test_a_lone_surrogate_becomes_a_replacement_character() -> None:
    assert InputText(text="Orvik \ud800 has 6 ships").text == "Orvik \ufffd has 6 ships"


@pytest.mark.parametrize(
    ("model", "fields"),
    [
        (ExtractedClaim, {"claim": "c", "original_context": "c", "extraction_confidence": "sure"}),
        (ExtractedClaim, {"claim": "", "original_context": "c", "extraction_confidence": "low"}),
        (SearchResult, {"url": "nowhere", "title": "t", "content": "c", "score": 0.5}),
        (SearchResult, {"url": "https://a.example", "title": "t", "content": "c", "score": 1.01}),
        (SearchResult, {"url": "https://a.example", "title": "t", "content": "c", "score": -0.01}),
        (SearchResult, {"url": "https://a.example", "title": "t", "content": "c", "score": float("nan")}),
        (SearchResult, {"url": "https://a.example", "title": "t", "content": "c", "score": 0.5, "other": 1}),
    ],
)
def test_what_is_out_of_bounds_is_refused(model: Any, fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        model(**fields)


@pytest.mark.parametrize(
    "changed",
    [
        {"verbatim_quote": "x" * 9},
        {"relevance_score": 1.1},
        {"source_type": "blog"},
        {"source_url": "ftp://a.example"},
        {"extra": 1},
    ],
)
def test_evidence_out_of_bounds_is_refused(changed: dict[str, Any]) -> None:
    assert evidence(verbatim_quote="x" * 10).verbatim_quote == "x" * 10
    with pytest.raises(ValidationError):
        evidence(**changed)


def test_an_assessment_is_direct_paraphrase_or_contradiction_and_nothing_else() -> None:
    with pytest.raises(ValidationError):
        assessed("not_found")


def test_a_summary_has_at_most_500_characters_and_at_most_five_are_evidence() -> None:
    fields = {"claim": "c", "attribution": "not_found"}
    assert len(SourceAttribution(**fields, summary="s" * 500).summary) == 500
    with pytest.raises(ValidationError):
        SourceAttribution(**fields, summary="s" * 501)
    one = assessed("direct")
    assert len(attributed(*[one] * 5, attribution="direct").evidence_list) == 5
    with pytest.raises(ValidationError):
        attributed(*[one] * 6, attribution="direct")


ORDER = [
    assessed("direct", "primary"),
    assessed("paraphrase", "primary"),
    assessed("direct", "original_reporting"),
    assessed("paraphrase", "original_reporting"),
    assessed("direct", "secondary"),
    assessed("paraphrase", "secondary"),
    assessed("direct", "unknown"),
    assessed("paraphrase", "unknown"),
    assessed("contradiction", "primary"),
    assessed("contradiction", "secondary"),
]


@pytest.mark.parametrize("place", range(len(ORDER) - 1))
def test_the_best_source_is_the_nearest_one_that_supports_and_then_the_most_direct(place: int) -> None:
    better, worse = ORDER[place], ORDER[place + 1]
    found = min((better.attribution, worse.attribution), key=["direct", "paraphrase", "contradiction"].index)
    for both in permutations((better, worse)):
        assert attributed(*both, attribution=found).best_source == better


def test_of_equal_sources_the_more_relevant_one_is_best() -> None:
    less, more = assessed("direct", score=0.6), assessed("direct", score=0.8)
    assert attributed(less, more, attribution="direct").best_source == more


@pytest.mark.parametrize(
    ("kinds", "only"),
    [
        ([("direct", "secondary")], True),
        ([("direct", "secondary"), ("paraphrase", "secondary")], True),
        ([("direct", "secondary"), ("paraphrase", "primary")], False),
        ([("direct", "secondary"), ("direct", "unknown")], False),
        ([("direct", "secondary"), ("contradiction", "primary")], True),
        ([("contradiction", "secondary")], True),
        ([("contradiction", "primary")], False),
        ([], False),
    ],
)
def test_it_relies_on_secondary_sources_only_when_all_that_carries_it_is_secondary(
    kinds: list[tuple[str, str]], only: bool
) -> None:
    found = [kind for kind, _ in kinds]
    order = ["direct", "paraphrase", "contradiction"]
    attribution = min(found, key=order.index) if found else "not_found"
    made = attributed(*(assessed(*kind) for kind in kinds), attribution=attribution)
    assert made.relies_on_secondary_only is only


def test_what_is_computed_is_computed_whatever_was_given() -> None:
    one = assessed("direct", "secondary")
    made = attributed(one, attribution="direct", best_source=None, relies_on_secondary_only=False)
    assert made.best_source == one
    assert made.relies_on_secondary_only


@pytest.mark.parametrize("claimed", [kind for kind in AttributionType if kind is not AttributionType.PARAPHRASE])
def test_an_attribution_that_its_evidence_does_not_carry_cannot_be_made(claimed: AttributionType) -> None:
    both = (assessed("paraphrase"), assessed("contradiction"))
    assert attributed(*both, attribution="paraphrase").attribution is AttributionType.PARAPHRASE
    with pytest.raises(ValidationError):
        attributed(*both, attribution=claimed)


def test_a_source_is_not_invented_where_there_is_no_evidence() -> None:
    with pytest.raises(ValidationError, match="not_found"):
        attributed(attribution="direct")


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["direct", "paraphrase", "contradiction"]),
            st.sampled_from([kind.value for kind in SourceType]),
            st.floats(0, 1),
        ),
        max_size=5,
    )
)
def test_an_attribution_survives_being_written_and_read(parts: list[tuple[str, str, float]]) -> None:
    each = [assessed(*part) for part in parts]
    order = ["direct", "paraphrase", "contradiction"]
    found = min((one.attribution for one in each), key=order.index) if each else "not_found"
    made = attributed(*each, attribution=found)
    assert SourceAttribution.model_validate_json(made.model_dump_json()) == made
    assert made.best_source is None or made.best_source in made.evidence_list
