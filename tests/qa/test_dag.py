"""The run DAG: its five shapes, what each stage binds, and that a change anywhere shows."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from schemacast.qa import dag

BASE: dict[str, Any] = {
    "question_hash": "q" * 64,
    "sources": [{"document_root": "r1", "source_role": "primary_answer_source", "score": 1.5}],
    "context_root": "c" * 64,
    "conversation_hash": "m" * 64,
    "answer_text": "Orvik has 6 ships.",
    "audit_mode": "STRICT",
    "verifier_method": "quote",
    "n_quotes": 1,
    "n_verified": 1,
}
LATTICE = {"evidence_map_root": "e" * 64}
PREFLIGHT = {"preflight_hash": "f" * 64}


def stages(built: dict[str, Any]) -> list[str]:
    return [stage for stage, _ in built["nodes"]]


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, ["question", "retrieval", "context", "prompt", "answer", "verify", "final_label"]),
        (PREFLIGHT, ["question", "preflight", "retrieval", "context", "prompt", "answer", "verify", "final_label"]),
        (
            LATTICE,
            ["question", "retrieval", "evidence_map", "prompt", "raw_answer", "parsed_claim_lattice",
             "verify", "render", "final_label"],
        ),
        (
            {**LATTICE, **PREFLIGHT},
            ["question", "preflight", "retrieval", "evidence_map", "prompt", "raw_answer", "parsed_claim_lattice",
             "verify", "render", "final_label"],
        ),
    ],
)  # fmt: skip
def test_a_run_has_seven_eight_nine_or_ten_stages(more: dict[str, Any], expected: list[str]) -> None:
    built = dag.build_run_dag(**BASE, **more)
    assert stages(built) == expected
    assert dag.verify_run_dag(built)
    assert dag.verify_run_dag(json.dumps(built))
    assert dag.build_run_dag(**BASE, **more) == built


def test_a_rejection_has_three_stages_and_binds_its_reason_and_its_text() -> None:
    base = {"question_hash": "q", "preflight_hash": "f", "rejection_reason": "too broad", "answer_text": "No."}
    built = dag.build_reject_run_dag(**base)
    assert stages(built) == ["question", "preflight", "final_label"]
    assert dag.verify_run_dag(built)
    others = [{**base, "rejection_reason": "other"}, {**base, "answer_text": "Nope."}, {**base, "preflight_hash": "g"}]
    assert len({dag.build_reject_run_dag(**each)["root"] for each in [base, *others]}) == 4
    assert dag.build_reject_run_dag(**base, violations=[{"kind": "x"}])["root"] != built["root"]


@pytest.mark.parametrize(
    ("change", "stage"),
    [
        ({"question_hash": "x"}, "question"),
        ({"sources": []}, "retrieval"),
        ({"sources": [{**BASE["sources"][0], "score": 1.0}]}, "retrieval"),
        ({"sources": [{**BASE["sources"][0], "source_role": "background_source"}]}, "retrieval"),
        ({"retrieval_plan_hash": "p"}, "retrieval"),
        ({"context_root": "x"}, "context"),
        ({"conversation_hash": "x"}, "prompt"),
        ({"answer_text": "x"}, "answer"),
        ({"n_verified": 0}, "verify"),
        ({"claim_statuses": [{"status": "EVIDENCE_LINKED"}]}, "verify"),
        ({"lookup_path": "primary"}, "final_label"),
    ],
)
def test_each_input_changes_its_stage_alone_and_the_root(change: dict[str, Any], stage: str) -> None:
    before, after = dag.build_run_dag(**BASE), dag.build_run_dag(**{**BASE, **change})
    changed = [one[0] for one, other in zip(before["nodes"], after["nodes"], strict=True) if one != other]  # type: ignore[call-overload]
    assert changed == [stage]
    assert before["root"] != after["root"]


@pytest.mark.parametrize(
    "change", [{"audit_mode": "HYBRID"}, {"answer_mode": "quote"}, {"violations": [{"kind": "x"}]}]
)
def test_the_verdict_binds_both_the_verification_and_the_label(change: dict[str, Any]) -> None:
    before, after = dag.build_run_dag(**BASE), dag.build_run_dag(**{**BASE, **change})
    changed = [one[0] for one, other in zip(before["nodes"], after["nodes"], strict=True) if one != other]  # type: ignore[call-overload]
    assert changed == ["verify", "final_label"]


@pytest.mark.parametrize(
    ("change", "stage"),
    [
        ({"evidence_map_root": "x"}, "evidence_map"),
        ({"raw_answer_text": "x"}, "raw_answer"),
        ({"parsed_lattice": [["a", ["E1"]]]}, "parsed_claim_lattice"),
        ({"rendered_text": "x"}, "render"),
    ],
)
def test_a_lattice_binds_its_own_stages(change: dict[str, Any], stage: str) -> None:
    before, after = dag.build_run_dag(**BASE, **LATTICE), dag.build_run_dag(**{**BASE, **LATTICE, **change})
    changed = [one[0] for one, other in zip(before["nodes"], after["nodes"], strict=True) if one != other]  # type: ignore[call-overload]
    assert changed == [stage]


def test_what_a_lattice_lacks_falls_back_to_the_answer() -> None:
    full = {"raw_answer_text": BASE["answer_text"], "rendered_text": BASE["answer_text"], "parsed_lattice": []}
    assert dag.build_run_dag(**BASE, **LATTICE) == dag.build_run_dag(**BASE, **LATTICE, **full)


def test_what_was_tampered_with_is_not_verified() -> None:
    payload = dag.build_preflight_node_payload(quantifier={"intensity": "ALL"})
    digest = dag.preflight_node_hash(quantifier={"intensity": "ALL"})
    built = dag.build_run_dag(**BASE, preflight_hash=digest, preflight_payload=payload)
    assert dag.verify_run_dag(built)
    for tamper in (
        lambda blob: blob.update(root="0" * 64),
        lambda blob: blob["nodes"][2].__setitem__(1, "0" * 64),
        lambda blob: blob["nodes"].reverse(),
        lambda blob: blob["nodes"].pop(),
        lambda blob: blob["nodes"].append(["extra", "0" * 64]),
        lambda blob: blob["preflight_payload"]["classifier"].update(intensity="FEW"),
        lambda blob: blob.pop("nodes"),
    ):
        blob = copy.deepcopy(built)
        tamper(blob)
        assert not dag.verify_run_dag(blob)


@pytest.mark.parametrize(
    "blob", ["", "nope", "[]", "{}", "null", '{"nodes": "x"}', '{"nodes": [["question"]]}', "[" * 9999]
)
def test_what_is_no_dag_is_not_verified(blob: str) -> None:
    assert dag.verify_run_dag(blob) is False


def test_the_preflight_payload_has_its_clauses_whatever_is_given() -> None:
    empty = dag.build_preflight_node_payload()
    assert list(empty) == [
        *("node_version", "question_state", "classifier", "answer_contract"),
        *("prompt_contract", "evidence_contract", "policy_refs"),
    ]
    assert dag.build_preflight_node_payload(quantifier={}, policy_refs=None) == empty
    full = dag.build_preflight_node_payload(question_state={"pairs": (("a", "b"),)})
    assert full["question_state"] == {"pairs": [["a", "b"]]}


@pytest.mark.parametrize(
    "clause",
    ["question_state", "quantifier", "answer_contract", "prompt_contract", "evidence_contract", "policy_refs"],
)
def test_every_clause_of_the_preflight_counts(clause: str) -> None:
    assert dag.preflight_node_hash(**{clause: {"a": 1}}) != dag.preflight_node_hash()  # type: ignore[arg-type]
    assert dag.preflight_node_hash(**{clause: {"a": 1, "b": 2}}) == dag.preflight_node_hash(
        **{clause: {"b": 2, "a": 1}}
    )  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("audit_mode", "n_sources", "n_quotes", "n_verified", "stage"),
    [
        ("STRICT", 1, 1, 1, None),
        ("UNGROUNDED", 0, 0, 0, "retrieval"),
        ("UNGROUNDED", 2, 0, 0, "context"),
        ("UNGROUNDED", 2, 3, 0, "answer"),
        ("HYBRID", 2, 3, 1, "answer"),
    ],
)
def test_a_failure_is_laid_at_the_stage_that_made_it(
    audit_mode: str, n_sources: int, n_quotes: int, n_verified: int, stage: str | None
) -> None:
    found = dag.localize_failure(audit_mode=audit_mode, n_sources=n_sources, n_quotes=n_quotes, n_verified=n_verified)
    assert found == stage
