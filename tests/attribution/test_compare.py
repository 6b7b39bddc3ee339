"""The fourth node: how each quote relates to the claim, with what was corrected in its reasoning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from loopback_model import Answer, Loopback, error
from tracing_desk import CLAIM, CONTEXT, TEXT, Oracle, asker, compared, source

from schemacast.attribution import (
    Evidence,
    EvidenceAssessment,
    ExtractedClaim,
    GraphState,
    SearchResult,
    SourceComparer,
)
from schemacast.errors import ModelUnavailable
from schemacast.ground import locate
from schemacast.llm.open import open_model
from schemacast.llm.throttle import Patience

SIX = "Orvik AS runs six ships, the register says."
OTHER = "The fleet of Orvik AS counts 60 ships."


def evidence(found: SearchResult, quote: str) -> Evidence:
    span = locate(quote, found.text)
    assert span is not None
    return Evidence(
        source_url=found.url,
        source_title=found.title,
        source_type="primary",  # type: ignore[arg-type]
        verbatim_quote=found.text[span.start : span.end],
        relevance_score=0.9,
        relevance_explanation="",
        source_id=str(found.url),
        span=span,
    )


def state_of(*quotes: str, date: str | None = None) -> GraphState:
    found = [source(f"S{n}", f"Before. {quote} After.", date=date) for n, quote in enumerate(quotes)]
    claim = ExtractedClaim(claim=CLAIM, original_context=CONTEXT, extraction_confidence="high")
    return {
        "input_text": TEXT,
        "extracted_claim": claim,
        "search_results": found,
        "evidence": [evidence(*both) for both in zip(found, quotes, strict=True)],
    }


def compared_by(server: Loopback, oracle: Oracle, *quotes: str, date: str | None = None) -> GraphState:
    return SourceComparer(asker(server, oracle))(state_of(*quotes, date=date))


def told(assessments: Sequence[EvidenceAssessment]) -> list[tuple[str, str]]:
    return [(one.attribution, one.reasoning) for one in assessments]


def test_each_quote_is_assessed_in_the_order_of_the_evidence(loopback: Loopback) -> None:
    oracle = Oracle(
        quotes={SIX: compared("paraphrase", "It runs six."), OTHER: compared("contradiction", "60, not 6.")}
    )
    assert told(compared_by(loopback, oracle, OTHER, SIX)["assessments"]) == [
        ("contradiction", "60, not 6."),
        ("paraphrase", "It runs six."),
    ]


@pytest.mark.parametrize(
    ("quote", "said", "stands", "why"),
    [
        (OTHER, "direct", "contradiction", "It says so. Corrected from direct to contradiction: the number differs"),
        ("Orvik AS has no 6 ships, and never had 6 ships.", "none", None, ""),
        ("Nobody thinks that Orvik AS has not 6 ships.", "contradiction", "contradiction", "It says so."),
        ("Orvik AS does not have 6 ships.", "paraphrase", "contradiction", "It says so. Corrected from paraphrase"),
        (CLAIM, "none", "direct", "It says so. Corrected from none to direct: the quote is the claim itself."),
    ],
)
def test_what_a_rule_decides_is_corrected_and_recorded_in_the_reasoning(
    loopback: Loopback, quote: str, said: str, stands: str | None, why: str
) -> None:
    oracle = Oracle(quotes={quote: compared(said, "It says so")})
    found = compared_by(loopback, oracle, quote)["assessments"]
    assert [one.attribution for one in found] == ([] if stands is None else [stands])
    assert all(one.reasoning.startswith(why) for one in found)


@pytest.mark.parametrize(
    "reply",
    [
        compared("supports"),
        {"attribution": ["direct"], "reasoning": "x"},
        {"reasoning": "direct"},
        "direct",
        Answer("no", finish="content_filter"),
        error(400, "too odd"),
    ],
)
def test_one_unusable_answer_drops_its_evidence_alone_and_is_recorded(loopback: Loopback, reply: Any) -> None:
    oracle = Oracle(quotes={OTHER: reply, SIX: compared("paraphrase")})
    state = compared_by(loopback, oracle, OTHER, SIX)
    assert [one.evidence.verbatim_quote for one in state["assessments"]] == [SIX]
    assert len(state["errors"]) == 1
    assert state["errors"][0].count("https://s0.example/page") == 1


def test_the_claim_itself_is_direct_even_when_the_model_fails(loopback: Loopback) -> None:
    state = compared_by(loopback, Oracle(quotes={CLAIM: "?"}), CLAIM)
    assert [one.attribution for one in state["assessments"]] == ["direct"]
    assert len(state["errors"]) == 1


@pytest.mark.parametrize("said", [" Direct", "PARAPHRASE ", "Contradiction"])
def test_a_classification_is_read_in_any_case(loopback: Loopback, said: str) -> None:
    found = compared_by(loopback, Oracle(quotes={SIX: compared(said)}), SIX)["assessments"]
    assert found[0].attribution == said.strip().lower()


def test_the_model_sees_the_quote_and_the_text_around_it_as_data(loopback: Loopback) -> None:
    compared_by(loopback, Oracle(quotes={SIX: compared("paraphrase")}), SIX, date="2026-03-02")
    user = loopback.requests[0].body["messages"][1]["content"]
    tag = user.splitlines()[0].removeprefix("<claim ").removesuffix(">")
    assert f"<quote {tag}>\n{SIX}\n</quote {tag}>\n<text {tag}>\nBefore. {SIX} After.\n</text {tag}>" in user
    assert "Published 2026-03-02" in user


def test_a_long_reasoning_is_cut_and_control_characters_go(loopback: Loopback) -> None:
    oracle = Oracle(quotes={SIX: compared("paraphrase", "\x1b[31mred \n" + "word " * 900)})
    (one,) = compared_by(loopback, oracle, SIX)["assessments"]
    assert len(one.reasoning) <= 1_000
    assert one.reasoning.isprintable()


def test_an_endpoint_that_is_away_is_raised(loopback: Loopback) -> None:
    loopback.answer(Answer(drop=True))
    patience = Patience(attempts=2, first_wait=0.01)
    model = open_model("openai/test", base_url=loopback.v1, patience=patience)
    with pytest.raises(ModelUnavailable):
        SourceComparer(model)(state_of(SIX))


def test_without_a_claim_nothing_is_compared(loopback: Loopback) -> None:
    assert SourceComparer(asker(loopback, Oracle()))({"input_text": TEXT, "extracted_claim": None}) == {
        "assessments": []
    }
