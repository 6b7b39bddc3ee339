"""Claim lattices in lines and in JSON: each status, each violation, each threshold."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemacast.qa.evidence import EvidenceObject, build_evidence_map
from schemacast.qa.lattice import CLAIM_STATUSES, REASONS
from schemacast.qa.lattice_checks import VIOLATIONS
from schemacast.qa.verify import (
    evidence_map_by_evidence_id_local,
    verify_claim_lattice,
    verify_claim_lattice_json,
)

SPANS = [
    "Orvik moved to Hald. Orvik never owned trucks.",
    "Orvik AS was founded in 1960. Orvik has 6 ships and sold two ships to Brevik. The pump draws 6 kW.",
    "Leonardo painted the Mona Lisa in Florence.",
]
KEYS = {
    *("n_quotes", "n_verified", "audit_mode", "unverified_quotes", "verifier_method", "claim_statuses"),
    *("violations", "rendered_text", "evidence_id_pairs"),
}


def evidence(*roles: str) -> list[EvidenceObject]:
    return build_evidence_map(
        [
            {"source_root": f"r{n}", "document_uri": f"u{n}", "chunk_idx": 0, "chunk_root": f"c{n}", "span": span,
             "source_role": roles[n] if n < len(roles) else "unclassified"}
            for n, span in enumerate(SPANS)
        ]
    )  # fmt: skip


def statuses(found: dict[str, Any]) -> list[tuple[str, list[str]]]:
    return [(each["status"], each["reasons"]) for each in found["claim_statuses"]]


def kinds(found: dict[str, Any]) -> set[str]:
    return {each["kind"] for each in found["violations"]}


def test_linked_claims_are_strict_and_the_result_has_its_shape() -> None:
    found: dict[str, Any] = verify_claim_lattice("Orvik has 6 ships. [E2]\n- Orvik moved to Hald [E1]", evidence())
    assert set(found) == KEYS
    assert (found["audit_mode"], found["verifier_method"]) == ("STRICT", "claim_lattice")
    assert (found["n_quotes"], found["n_verified"], found["unverified_quotes"], found["violations"]) == (2, 2, [], [])
    assert set(found["claim_statuses"][0]) == {"text", "evidence_ids", "pointer_ids", "status", "reasons"}
    assert found["evidence_id_pairs"] == [[evidence()[1].evidence_id], [evidence()[0].evidence_id]]
    assert found["rendered_text"].startswith("- Orvik has 6 ships.\n  [E2: Orvik AS was founded")


@pytest.mark.parametrize(
    ("line", "status", "reason"),
    [
        ("Orvik has 6 ships [E9]", "UNKNOWN_EVIDENCE_ID", "unknown_evidence_id"),
        ("Orvik has 60 ships [E2]", "CITATION_MISMATCH", "number_differs"),
        ("The pump draws 6 MW [E2]", "CITATION_MISMATCH", "number_differs"),
        ("Orvik AS was founded in 1961 [E2]", "CITATION_MISMATCH", "date_differs"),
        ("Orvik owned trucks [E1]", "CITATION_MISMATCH", "negation_differs"),
        ("Orvik never sold two ships to Brevik [E2]", "CITATION_MISMATCH", "negation_differs"),
        ("Tides in Oslo follow the moon [E1]", "CITATION_MISMATCH", "coverage_too_low"),
        ("Orvik has 6 ships", "NO_EVIDENCE_POINTER", "no_pointer"),
        ("- ! [E1]", "SCHEMA_INVALID", "empty_claim"),
        ("The sources do not say so [E1]", "CITATION_MISMATCH", "deflection"),
    ],
)
def test_a_claim_that_is_not_linked_has_its_status_its_reason_and_a_violation(
    line: str, status: str, reason: str
) -> None:
    found: dict[str, Any] = verify_claim_lattice(line, evidence())
    assert statuses(found) == [(status, [reason])]
    assert found["audit_mode"] == "UNGROUNDED"
    assert status in kinds(found)
    assert reason in REASONS
    assert len(found["unverified_quotes"]) == 1


def test_a_role_that_is_not_allowed_blocks() -> None:
    roles = ("primary_answer_source", "background_source")
    answer = "Orvik has 6 ships [E2]\nOrvik moved to Hald [E1]"
    allowed = ("primary_answer_source",)
    found: dict[str, Any] = verify_claim_lattice(answer, evidence(*roles), allowed_source_roles=allowed)
    assert statuses(found) == [("SOURCE_ROLE_BLOCKED", ["source_role_blocked"]), ("EVIDENCE_LINKED", [])]
    assert found["audit_mode"] == "HYBRID"


def test_a_claim_with_one_good_and_one_bad_pointer_is_linked_in_part() -> None:
    found: dict[str, Any] = verify_claim_lattice("Orvik has 6 ships [E2, E9]", evidence())
    assert statuses(found) == [("EVIDENCE_LINKED_PARTIAL", ["unknown_evidence_id"])]
    assert (found["audit_mode"], found["n_verified"], found["n_quotes"]) == ("HYBRID", 1, 2)


def test_a_claim_is_judged_against_its_own_citation() -> None:
    assert verify_claim_lattice("Orvik moved to Hald [E3]", evidence())["audit_mode"] == "UNGROUNDED"


def test_a_number_that_one_of_two_citations_states_is_no_contradiction() -> None:
    found: dict[str, Any] = verify_claim_lattice("Orvik moved and has 6 ships [E1][E2]", evidence())
    assert statuses(found) == [("EVIDENCE_LINKED", [])]


def test_prose_behind_the_last_tag_is_a_claim_without_a_pointer() -> None:
    found: dict[str, Any] = verify_claim_lattice("Orvik has 6 ships [E2], the largest fleet of all.", evidence())
    assert [status for status, _ in statuses(found)] == ["EVIDENCE_LINKED", "NO_EVIDENCE_POINTER"]
    assert (found["audit_mode"], found["n_quotes"], found["n_verified"]) == ("HYBRID", 2, 1)


@pytest.mark.parametrize(
    "answer",
    [
        "[E2] Orvik has 6 ships.",
        "1. Orvik has 6 ships (E2)",
        "Here is what I found:\nOrvik has 6 ships 【e2】",
        "Orvik has 6 ships [E2].",
    ],
)
def test_other_ways_to_write_a_pointer_line_are_read(answer: str) -> None:
    assert verify_claim_lattice(answer, evidence())["audit_mode"] == "STRICT"


def test_too_many_pointers_are_trimmed_and_cap_the_answer() -> None:
    found: dict[str, Any] = verify_claim_lattice("Leonardo painted the Mona Lisa. [E3,E1,E2]", evidence())
    assert (found["n_quotes"], found["n_verified"]) == (3, 1)
    assert "POINTER_OVERFLOW_TRIMMED" in kinds(found)
    loose: dict[str, Any] = verify_claim_lattice("Orvik has 6 ships [E2, E1]", evidence(), max_pointers_per_claim=1)
    assert (loose["audit_mode"], loose["n_quotes"], loose["n_verified"]) == ("HYBRID", 2, 1)
    assert kinds(loose) == {"POINTER_OVERFLOW_TRIMMED"}


def test_the_share_of_words_that_a_citation_must_have_is_a_threshold() -> None:
    claim = "Orvik bought many harbours abroad [E1]"
    assert verify_claim_lattice(claim, evidence())["n_verified"] == 0
    assert verify_claim_lattice(claim, evidence(), min_citation_coverage=0.2)["n_verified"] == 1
    assert verify_claim_lattice("Trucks [E2]", evidence())["n_verified"] == 0
    assert verify_claim_lattice("Ships [E2]", evidence())["n_verified"] == 1


def test_many_lazy_anchors_demote_the_answer() -> None:
    answer = "Orvik moved to Hald [E1]\nTides follow moons [E1]\nSnow falls softly [E1]"
    found: dict[str, Any] = verify_claim_lattice(answer, evidence())
    assert (found["audit_mode"], found["n_verified"]) == ("UNGROUNDED", 1)
    assert "LAZY_ANCHOR_DEMOTED" in kinds(found)
    assert verify_claim_lattice(answer, evidence(), lazy_anchor_demote_threshold=0.9)["audit_mode"] == "HYBRID"
    assert verify_claim_lattice(answer, evidence(), lazy_anchor_demote_min_pairs=4)["audit_mode"] == "HYBRID"


def test_more_claims_than_allowed_cap_the_answer() -> None:
    answer = "\n".join(["Orvik has 6 ships [E2]"] * 3)
    assert verify_claim_lattice(answer, evidence(), max_claims_per_answer=3)["audit_mode"] == "STRICT"
    found: dict[str, Any] = verify_claim_lattice(answer, evidence(), max_claims_per_answer=2)
    assert (found["audit_mode"], kinds(found)) == ("HYBRID", {"CLAIM_COUNT_EXCEEDED"})


def test_an_answer_that_cites_nothing_of_the_questions_words_is_capped() -> None:
    question = "Which comets orbit Jupiter backwards?"
    found: dict[str, Any] = verify_claim_lattice("Orvik has 6 ships [E2]", evidence(), question=question)
    assert (found["audit_mode"], kinds(found)) == ("HYBRID", {"SUBJECT_TOKENS_ABSENT"})
    higher = verify_claim_lattice(
        "Orvik has 6 ships [E2]", evidence(), question=question, subject_tokens_absent_threshold=9
    )
    assert higher["audit_mode"] == "STRICT"
    asked = verify_claim_lattice("Orvik has 6 ships [E2]", evidence(), question="How many ships does Orvik have?")
    assert asked["audit_mode"] == "STRICT"


@pytest.mark.parametrize(
    "claim", ["Orvik moved to Hald because of rent [E1]", "Orvik is the largest mover to Hald [E1]"]
)
def test_a_cause_or_extreme_of_the_models_own_lacks_a_warrant(claim: str) -> None:
    found: dict[str, Any] = verify_claim_lattice(claim, evidence())
    assert (found["audit_mode"], kinds(found)) == ("HYBRID", {"WARRANT_MISSING"})
    assert verify_claim_lattice(claim, evidence(), warrant_check_enabled=False)["audit_mode"] == "STRICT"


def test_a_deflection_that_cites_is_a_violation_and_one_that_does_not_is_an_answer() -> None:
    found: dict[str, Any] = verify_claim_lattice("Not in the sources [E1]", evidence())
    assert "DEFLECTION" in kinds(found)
    assert "DEFLECTION" not in kinds(
        verify_claim_lattice("Not in the sources [E1]", evidence(), deflection_check_enabled=False)
    )
    plain: dict[str, Any] = verify_claim_lattice("Not in the sources.", evidence())
    assert (plain["audit_mode"], plain["n_quotes"], plain["violations"]) == ("UNGROUNDED", 0, [])


def test_an_answer_that_fell_out_of_its_form_says_so() -> None:
    answer = "Orvik has 6 ships [E2]\nIt sails well.\nIt is liked."
    found: dict[str, Any] = verify_claim_lattice(answer, evidence())
    assert "FORMAT_COLLAPSE" in kinds(found)
    assert "FORMAT_COLLAPSE" not in kinds(verify_claim_lattice(answer, evidence(), format_collapse_check_enabled=False))
    paragraph = "Orvik has 6 ships. Orvik sold two ships. Orvik is old. Orvik AS was founded in 1960 [E2]"
    assert "FORMAT_COLLAPSE" in kinds(verify_claim_lattice(paragraph, evidence()))


def test_an_evidence_id_resolves_like_its_pointer() -> None:
    second = evidence()[1]
    assert evidence_map_by_evidence_id_local(evidence(), second.evidence_id) == second
    assert evidence_map_by_evidence_id_local(evidence(), "E00000000") is None
    assert verify_claim_lattice(f"Orvik has 6 ships [{second.evidence_id}]", evidence())["audit_mode"] == "STRICT"


def reply(*claims: tuple[str, list[str]]) -> str:
    return json.dumps({"claims": [{"text": text, "evidence_ids": ids} for text, ids in claims]}, ensure_ascii=False)


def test_plain_json_is_verified_like_lines() -> None:
    found: dict[str, Any] = verify_claim_lattice_json(reply(("Orvik has 6 ships", ["E2"])), evidence())
    assert set(found) == KEYS | {"json_fixups"}
    assert (found["audit_mode"], found["json_fixups"]) == ("STRICT", [])
    wrong: dict[str, Any] = verify_claim_lattice_json(reply(("Orvik has 60 ships", ["E2"])), evidence())
    assert statuses(wrong) == [("CITATION_MISMATCH", ["number_differs"])]


@pytest.mark.parametrize(
    ("text", "fixups"),
    [
        ('```json\n{"claims": [{"text": "Orvik has 6 ships", "evidence_ids": ["E2"]}]}\n```', ["fence"]),
        ('Sure! {"claims": [{"text": "Orvik has 6 ships", "evidence_ids": ["E2"]}]} Done.', ["prose_trim"]),
        ("{“claims”: [{“text”: “Orvik has 6 ships”, “evidence_ids”: [“E2”]}]}", ["curly_quotes"]),
        ('{"claims": [{"text": "Orvik has 6 ships", "evidence_ids": ["E2",]},]}', ["trailing_comma"]),
    ],
)
def test_what_the_lenient_reader_mends_is_named(text: str, fixups: list[str]) -> None:
    found: dict[str, Any] = verify_claim_lattice_json(text, evidence())
    assert (found["audit_mode"], found["json_fixups"]) == ("STRICT", fixups)


@pytest.mark.parametrize("text", ["", "nope", "[]", '{"claim": []}', '{"claims": "x"}', "null"])
def test_what_is_no_lattice_is_invalid_and_ungrounded(text: str) -> None:
    found: dict[str, Any] = verify_claim_lattice_json(text, evidence())
    assert (found["audit_mode"], found["n_quotes"], kinds(found)) == ("UNGROUNDED", 0, {"SCHEMA_INVALID"})


@pytest.mark.parametrize(
    ("claim", "reason", "violation"),
    [
        ({"text": 'Orvik has "6 ships"', "evidence_ids": ["E2"]}, "double_quote", "DOUBLE_QUOTE_IN_CLAIM"),
        ({"text": "Orvik has “6 ships”", "evidence_ids": ["E2"]}, "double_quote", "DOUBLE_QUOTE_IN_CLAIM"),
        (
            {"text": "Orvik has 6 ships", "evidence_ids": ["E1", "E2", "E3"]},
            "too_many_evidence_ids",
            "EVIDENCE_OVERFLOW",
        ),
        ({"text": " ", "evidence_ids": ["E2"]}, "empty_claim", "SCHEMA_INVALID"),
        ({"text": 5, "evidence_ids": ["E2"]}, "wrong_types", "SCHEMA_INVALID"),
        ({"text": "Orvik has 6 ships", "evidence_ids": "E2"}, "wrong_types", "SCHEMA_INVALID"),
        ("Orvik has 6 ships", "no_object", "SCHEMA_INVALID"),
    ],
)
def test_a_json_claim_of_the_wrong_form_is_invalid(claim: object, reason: str, violation: str) -> None:
    found: dict[str, Any] = verify_claim_lattice_json(json.dumps({"claims": [claim]}), evidence())
    assert statuses(found) == [("SCHEMA_INVALID", [reason])]
    assert violation in kinds(found)
    assert found["audit_mode"] == "UNGROUNDED"
    assert reason in REASONS


@pytest.mark.parametrize(
    ("claim", "detail"),
    [
        ({"claim": "Orvik has 6 ships", "evidence_ids": ["E2"]}, 'a claim has no "text"'),
        ({"text": None, "evidence_ids": ["E2"]}, 'a claim has a "text" that is no string'),
        ({"text": "Orvik has 6 ships", "sources": ["E2"]}, 'a claim has no "evidence_ids"'),
        ({"text": "Orvik has 6 ships", "evidence_ids": [2]}, 'a claim has "evidence_ids" that are no list of strings'),
        ({}, 'a claim has no "text" and no "evidence_ids"'),
        ("Orvik has 6 ships", 'a claim is no object with "text" and "evidence_ids"'),
    ],
)
def test_the_violation_names_the_field_that_a_json_claim_lacks(claim: object, detail: str) -> None:
    right = {"text": "Orvik has 6 ships", "evidence_ids": ["E2"]}
    found: dict[str, Any] = verify_claim_lattice_json(json.dumps({"claims": [right, claim]}), evidence())
    assert found["violations"] == [{"kind": "SCHEMA_INVALID", "claim": 1, "detail": detail}]
    assert found["audit_mode"] == "HYBRID"


def test_a_json_claim_without_ids_cites_nothing() -> None:
    found: dict[str, Any] = verify_claim_lattice_json(reply(("Orvik has 6 ships", [])), evidence())
    assert statuses(found) == [("NO_EVIDENCE_POINTER", ["no_pointer"])]


def test_a_reply_that_breaks_off_is_verified_as_far_as_it_goes_and_never_strict() -> None:
    text = reply(("Orvik has 6 ships", ["E2"]), ("Orvik moved to Hald", ["E1"]))[:-30]
    found: dict[str, Any] = verify_claim_lattice_json(text, evidence())
    assert (found["audit_mode"], "CUT_REPLY" in kinds(found)) == ("HYBRID", True)


def test_every_status_and_violation_that_can_be_given_is_listed() -> None:
    assert set(CLAIM_STATUSES) == {
        *("EVIDENCE_LINKED", "EVIDENCE_LINKED_PARTIAL", "UNKNOWN_EVIDENCE_ID", "SOURCE_ROLE_BLOCKED"),
        *("CITATION_MISMATCH", "NO_EVIDENCE_POINTER", "SCHEMA_INVALID"),
    }
    assert list(VIOLATIONS) == sorted(VIOLATIONS)


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="[]E123, .\nabOrvik6ships", max_size=80))
def test_any_answer_in_lines_has_a_verdict_whose_counts_agree(answer: str) -> None:
    found: dict[str, Any] = verify_claim_lattice(answer, evidence())
    assert 0 <= found["n_verified"] <= found["n_quotes"]
    assert len(found["claim_statuses"]) == len(found["evidence_id_pairs"])
    if found["audit_mode"] == "STRICT":
        assert found["n_verified"] == found["n_quotes"] > 0
        assert found["violations"] == found["unverified_quotes"] == []
