"""Each node runs on the keys that it is said to read, and on no others."""

from __future__ import annotations

from typing import Any

import pytest
from loopback_model import Loopback
from tracing_desk import CLAIM, CONTEXT, TEXT, Oracle, Shelf, asker, claims, compared, relevant, source

from schemacast.attribution import (
    AttributionAssembler,
    ClaimExtractor,
    EvidenceFilter,
    ExtractedClaim,
    GraphState,
    SourceComparer,
    SourceRetriever,
)

EXTRACTED = ExtractedClaim(claim=CLAIM, original_context=CONTEXT, extraction_confidence="high")
ORACLE = Oracle(sources={"A": relevant(CLAIM)}, quotes={CLAIM: compared("direct")})


def test_each_node_needs_the_keys_that_it_reads_and_no_other(loopback: Loopback) -> None:
    model = asker(loopback, ORACLE)
    found = [source("A", f"News. {CLAIM} The end.")]
    assert set(ClaimExtractor(model)({"input_text": TEXT})) == {
        "extracted_claim",
        "extraction_failed",
        "extraction_error",
    }
    results = SourceRetriever(Shelf(found))({"extracted_claim": EXTRACTED})
    assert set(results) == {"search_results", "search_query"}
    evidence = EvidenceFilter(model)({"search_results": found, "extracted_claim": EXTRACTED})
    assert set(evidence) == {"evidence"}
    assessed = SourceComparer(model)({"evidence": evidence["evidence"], "extracted_claim": EXTRACTED})
    assert set(assessed) == {"assessments"}
    result = AttributionAssembler()({"assessments": assessed["assessments"], "extracted_claim": EXTRACTED})
    assert set(result) == {"result"}
    assert result["result"] is not None
    assert result["result"].attribution == "direct"


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"extraction_failed": True, "extraction_error": "no"},
        {"extracted_claim": None, "assessments": None},
        {"extracted_claim": None, "search_results": None, "errors": None, "input_text": TEXT},
    ],
)
def test_without_a_claim_every_node_writes_its_empty_keys(loopback: Loopback, state: GraphState) -> None:
    model = asker(loopback, ORACLE)
    assert SourceRetriever(Shelf())(state) == {"search_results": [], "search_query": None}
    assert EvidenceFilter(model)(state) == {"evidence": []}
    assert SourceComparer(model)(state) == {"assessments": []}
    result = AttributionAssembler()(state)["result"]
    assert result is not None
    assert (result.attribution, result.evidence_list) == ("not_found", [])
    assert result.summary.startswith("No claim was traced: ")


def test_a_failed_extraction_is_not_found_even_where_a_claim_and_assessments_stand(loopback: Loopback) -> None:
    model = asker(loopback, ORACLE)
    found = [source("A", f"News. {CLAIM} The end.")]
    state: dict[str, Any] = {"search_results": found, "extracted_claim": EXTRACTED}
    state.update(EvidenceFilter(model)(state))  # type: ignore[arg-type]
    state.update(SourceComparer(model)(state))  # type: ignore[arg-type]
    state.update({"extraction_failed": True, "extraction_error": "the text asks"})
    result = AttributionAssembler()(state)["result"]  # type: ignore[arg-type]
    assert result is not None
    assert (result.attribution, result.summary) == ("not_found", "No claim was traced: the text asks.")


def test_a_url_is_used_once_whoever_put_the_results_into_the_state(loopback: Loopback) -> None:
    twice = [
        source("A", f"News. {CLAIM} The end.", url="https://a.example/page"),
        source("B", f"Other words first. {CLAIM} Then more.", url="http://www.a.example/page/#top"),
    ]
    model = asker(loopback, Oracle(claim=claims((CLAIM, CONTEXT)), otherwise=relevant(CLAIM)))
    evidence = EvidenceFilter(model)({"search_results": twice, "extracted_claim": EXTRACTED})["evidence"]
    assert [str(one.source_url) for one in evidence] == ["https://a.example/page"]
