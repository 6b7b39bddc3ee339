"""The last node: the result and its summary, for everything that can have happened before."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tracing_desk import CLAIM, CONTEXT, TEXT, source

from schemacast.attribution import (
    AttributionAssembler,
    Evidence,
    EvidenceAssessment,
    ExtractedClaim,
    GraphState,
    SourceAttribution,
)
from schemacast.attribution.addresses import episode_url
from schemacast.attribution.plain_words import cut_at_sentence, one_line


def assessed(attribution: str, kind: str = "primary", **changed: Any) -> EvidenceAssessment:
    fields = {
        "source_url": f"https://{kind.replace('_', '-')}.example/{attribution}",
        "source_title": "The register",
        "source_type": kind,
        "verbatim_quote": CLAIM,
        "relevance_score": 0.9,
        "relevance_explanation": "",
        **changed,
    }
    return EvidenceAssessment(evidence=Evidence(**fields), attribution=attribution, reasoning="")  # type: ignore[arg-type]


def assembled(*assessments: EvidenceAssessment, **state: Any) -> SourceAttribution:
    claim = ExtractedClaim(claim=CLAIM, original_context=CONTEXT, extraction_confidence="high")
    whole: GraphState = {  # type: ignore[typeddict-item]
        "input_text": TEXT,
        "extracted_claim": claim,
        "assessments": list(assessments),
        **state,
    }
    result = AttributionAssembler()(whole)["result"]
    assert result is not None
    return result


@pytest.mark.parametrize(
    ("kinds", "found"),
    [
        ([], "not_found"),
        (["contradiction"], "contradiction"),
        (["paraphrase", "contradiction"], "paraphrase"),
        (["contradiction", "paraphrase", "direct"], "direct"),
    ],
)
def test_the_attribution_is_the_strongest_thing_that_a_source_says(kinds: list[str], found: str) -> None:
    assert assembled(*map(assessed, kinds)).attribution == found


def test_the_evidence_stands_best_first() -> None:
    parts = [("contradiction", "primary"), ("direct", "secondary"), ("paraphrase", "primary"), ("direct", "unknown")]
    result = assembled(*(assessed(*part) for part in parts))
    assert [(one.attribution, one.evidence.source_type) for one in result.evidence_list] == [
        ("paraphrase", "primary"),
        ("direct", "secondary"),
        ("direct", "unknown"),
        ("contradiction", "primary"),
    ]
    assert result.best_source == result.evidence_list[0]


@pytest.mark.parametrize(
    ("assessments", "summary"),
    [
        (
            [assessed("direct")],
            "Stated directly by a primary source, The register (https://primary.example/direct): “Orvik AS has 6 "
            "ships.”",
        ),
        (
            [
                assessed("paraphrase", "secondary", verbatim_quote="Orvik runs six ships"),
                assessed("contradiction", "primary"),
                assessed("contradiction", "unknown"),
                assessed("direct", "secondary", relevance_score=0.5),
            ],
            "Stated directly by a secondary source, The register (https://secondary.example/direct): “Orvik AS has 6 "
            "ships.” 1 more source paraphrases it. But 2 more sources contradict it. It rests on secondary sources "
            "only.",
        ),
        (
            [assessed("contradiction", "original_reporting", verbatim_quote="Orvik AS has 7 ships")],
            "Contradicted by original reporting, The register (https://original-reporting.example/contradiction): "
            "“Orvik AS has 7 ships”.",
        ),
        (
            [assessed("paraphrase", source_url=episode_url("m-1"), source_id="m-1", source_title="m-1")],
            "Stated in other words by a primary source, m-1: “Orvik AS has 6 ships.”",
        ),
        (
            [assessed("direct", verbatim_quote="word " * 60)],
            "Stated directly by a primary source, The register (https://primary.example/direct).",
        ),
    ],
)
def test_the_summary_names_what_was_found_and_where_the_best_of_it_stands(
    assessments: list[EvidenceAssessment], summary: str
) -> None:
    assert assembled(*assessments).summary == summary


@pytest.mark.parametrize(
    ("state", "summary"),
    [
        ({}, "No source was found for it."),
        (
            {"search_results": [source("A", "x")]},
            "Nothing was found in the one source that states it or conflicts with it.",
        ),
        (
            {"search_results": [source("A", "x"), source("B", "y")]},
            "Nothing was found in any of the 2 sources that states it or conflicts with it.",
        ),
        (
            {"errors": ["the search failed: the index is away"]},
            "No source was found for it. Not everything could be looked at: the search failed: the index is away.",
        ),
        (
            {"search_results": [source("A", "x")], "errors": ["a", "b", "c"]},
            "Nothing was found in the one source that states it or conflicts with it. Not everything could be looked "
            "at: a (and 2 more).",
        ),
        (
            {
                "extracted_claim": None,
                "extraction_failed": True,
                "extraction_error": "the text asks, and claims nothing",
            },
            "No claim was traced: the text asks, and claims nothing.",
        ),
    ],
)
def test_without_evidence_it_is_not_found_with_the_reason_in_the_summary(state: dict[str, Any], summary: str) -> None:
    result = assembled(**state)
    assert (result.attribution, result.summary, result.best_source) == ("not_found", summary, None)
    assert not result.relies_on_secondary_only


def test_a_failed_extraction_has_no_evidence_whatever_the_state_holds() -> None:
    state = {"extracted_claim": None, "extraction_failed": True, "extraction_error": "no"}
    result = assembled(assessed("direct"), **state)
    assert (result.attribution, result.claim, result.evidence_list) == ("not_found", TEXT, [])


def test_the_link_of_an_episode_without_one_is_never_shown() -> None:
    result = assembled(assessed("direct", source_url=episode_url("m 1"), source_id="m 1", source_title="Mail"))
    assert "invalid" not in result.summary
    assert "Mail (m 1)" in result.summary


def test_a_long_summary_is_cut_at_a_sentence() -> None:
    errors = ["the page could not be read. " * 30]
    result = assembled(search_results=[source("A", "x")], errors=errors)
    assert 0 < len(result.summary) <= 500
    assert result.summary.endswith("the page could not be read.")


@given(*[st.text(max_size=900)] * 2, st.text(min_size=10, max_size=600), st.lists(st.text(), max_size=3))
def test_a_result_is_within_its_bounds_whatever_stands_in_the_state(
    title: str, name: str, quote: str, errors: list[str]
) -> None:
    clean = quote.encode("utf-8", "replace").decode()
    one = assessed("direct", source_title=title, source_id=name, verbatim_quote=clean)
    without = {"input_text": title or "x", "extracted_claim": None, "extraction_error": name}
    for result in (assembled(one, errors=errors), assembled(errors=errors, **without)):
        assert len(result.summary) <= 500
        assert result.summary.isprintable()
        assert SourceAttribution.model_validate_json(result.model_dump_json()) == result


@given(st.text(max_size=300), st.integers(1, 120))
def test_cutting_keeps_within_the_bound_and_invents_nothing_but_an_ellipsis(text: str, bound: int) -> None:
    sentence = cut_at_sentence(text, bound)
    assert len(sentence) <= bound
    assert text.startswith(sentence.removesuffix("…").rstrip())
    line = one_line(text, at_most=bound)
    assert len(line) <= bound
    assert line == "" or line.isprintable()
