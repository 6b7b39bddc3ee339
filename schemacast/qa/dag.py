"""The provenance of one answer: a hash for each stage of its run, and a Merkle root over them.

Anyone who has the nodes can compute the root again and see that the run was made as recorded. The shape tells what
ran: seven stages for a quoted answer, nine for a claim lattice, one more where a preflight decision was taken, and
three for a question that was rejected before anything was retrieved. The DAG is no part of the cache key: the
key determines the answer, and the answer the DAG.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from schemacast.qa.keys import canonical_json, hash_json, sha256_text
from schemacast.qa.merkle import merkle_root

PREFLIGHT_NODE_VERSION = "preflight-node-v1"
"""The structure of the preflight payload."""

QUOTE_STAGES: tuple[str, ...] = ("question", "retrieval", "context", "prompt", "answer", "verify", "final_label")
LATTICE_STAGES: tuple[str, ...] = (
    *("question", "retrieval", "evidence_map", "prompt", "raw_answer", "parsed_claim_lattice"),
    *("verify", "render", "final_label"),
)
REJECT_STAGES: tuple[str, ...] = ("question", "preflight", "final_label")
"""The three base shapes; the first two gain `preflight` after `question` when there was one."""

Dag = dict[str, object]


def localize_failure(*, audit_mode: str, n_sources: int, n_quotes: int, n_verified: int) -> str | None:  # noqa: ARG001
    """The stage that kept an answer from being STRICT: `retrieval`, `context` or `answer`; None for STRICT.

    No source was admitted; sources were, but the answer cites nothing; it cites what does not verify.
    """
    if audit_mode == "STRICT":
        return None
    if n_sources == 0:
        return "retrieval"
    return "context" if n_quotes == 0 else "answer"


def build_preflight_node_payload(
    *,
    question_state: Mapping[str, object] | None = None,
    quantifier: Mapping[str, object] | None = None,
    answer_contract: Mapping[str, object] | None = None,
    prompt_contract: Mapping[str, object] | None = None,
    evidence_contract: Mapping[str, object] | None = None,
    policy_refs: Mapping[str, object] | None = None,
) -> dict[str, object]:
    """The decision taken before retrieval, as a JSON-ready dict of clauses; an absent clause is empty."""
    clauses: dict[str, Mapping[str, object] | None] = {
        "question_state": question_state,
        "classifier": quantifier,
        "answer_contract": answer_contract,
        "prompt_contract": prompt_contract,
        "evidence_contract": evidence_contract,
        "policy_refs": policy_refs,
    }
    payload: dict[str, object] = {"node_version": PREFLIGHT_NODE_VERSION}
    for name, clause in clauses.items():
        payload[name] = json.loads(canonical_json(dict(clause or {})))  # tuples become lists, as they will be stored
    return payload


def preflight_node_hash(
    *,
    question_state: Mapping[str, object] | None = None,
    quantifier: Mapping[str, object] | None = None,
    answer_contract: Mapping[str, object] | None = None,
    prompt_contract: Mapping[str, object] | None = None,
    evidence_contract: Mapping[str, object] | None = None,
    policy_refs: Mapping[str, object] | None = None,
) -> str:
    """The hash of `build_preflight_node_payload` with the same arguments."""
    return hash_json(
        build_preflight_node_payload(
            question_state=question_state,
            quantifier=quantifier,
            answer_contract=answer_contract,
            prompt_contract=prompt_contract,
            evidence_contract=evidence_contract,
            policy_refs=policy_refs,
        )
    )


def build_run_dag(
    *,
    question_hash: str,
    sources: Sequence[Mapping[str, object]],
    context_root: str,
    conversation_hash: str,
    answer_text: str,
    audit_mode: str,
    verifier_method: str,
    n_quotes: int,
    n_verified: int,
    claim_statuses: Sequence[Mapping[str, object]] | None = None,
    lookup_path: str | None = None,
    evidence_map_root: str | None = None,
    answer_mode: str | None = None,
    violations: Sequence[Mapping[str, object]] | None = None,
    raw_answer_text: str | None = None,
    parsed_lattice: Sequence[object] | None = None,
    rendered_text: str | None = None,
    retrieval_plan_hash: str | None = None,
    preflight_hash: str | None = None,
    preflight_payload: Mapping[str, object] | None = None,
) -> Dag:
    """The stages of a run with their hashes, and the root over them: `{"root", "nodes": [[stage, hash], …]}`.

    Seven stages; nine when `evidence_map_root` is given; one more when `preflight_hash` is. The payload of the
    preflight is kept beside the nodes when given. Deterministic, without any I/O.
    """
    verdict: dict[str, object] = {
        "audit_mode": audit_mode,
        "verifier_method": verifier_method,
        "n_quotes": n_quotes,
        "n_verified": n_verified,
        "claim_statuses": [dict(each) for each in claim_statuses or ()],
    }
    label: dict[str, object] = {
        "audit_mode": audit_mode,
        "verifier_method": verifier_method,
        "lookup_path": lookup_path,
    }
    if answer_mode is not None:
        verdict["answer_mode"] = label["answer_mode"] = answer_mode
    if violations is not None:
        verdict["violations"] = label["violations"] = [dict(each) for each in violations]
    hashes = {
        "question": sha256_text(question_hash),
        "retrieval": _retrieval_hash(sources, retrieval_plan_hash),
        "prompt": conversation_hash,
        "verify": hash_json(verdict),
        "final_label": hash_json(label),
    }
    if evidence_map_root is None:
        hashes |= {"context": context_root, "answer": sha256_text(answer_text)}
        stages = QUOTE_STAGES
    else:
        raw = answer_text if raw_answer_text is None else raw_answer_text
        rendered = answer_text if rendered_text is None else rendered_text
        hashes |= {
            "evidence_map": evidence_map_root,
            "raw_answer": sha256_text(raw),
            "parsed_claim_lattice": hash_json(list(parsed_lattice or ())),
            "render": sha256_text(rendered),
        }
        stages = LATTICE_STAGES
    if preflight_hash is not None:
        hashes["preflight"] = preflight_hash
        stages = (stages[0], "preflight", *stages[1:])
    return _dag(stages, hashes, preflight_payload)


def build_reject_run_dag(
    *,
    question_hash: str,
    preflight_hash: str,
    rejection_reason: str,
    answer_text: str,
    audit_mode: str = "UNGROUNDED",
    verifier_method: str = "claim_lattice_pointer",
    violations: Sequence[Mapping[str, object]] | None = None,
    preflight_payload: Mapping[str, object] | None = None,
) -> Dag:
    """The three stages of a question that preflight rejected; three stages always mean that.

    The final label binds the reason and the text shown, so that two rejections which differ in either have
    different roots.
    """
    label = {
        "audit_mode": audit_mode,
        "verifier_method": verifier_method,
        "rejection_reason": rejection_reason,
        "answer": sha256_text(answer_text),
        "violations": [dict(each) for each in violations or ()],
    }
    hashes = {"question": sha256_text(question_hash), "preflight": preflight_hash, "final_label": hash_json(label)}
    return _dag(REJECT_STAGES, hashes, preflight_payload)


def verify_run_dag(blob: str | Mapping[str, object]) -> bool:
    """Whether the root follows from the nodes, the shape is one that runs have, and the payload has its hash.

    `blob` is what the builders return, or that as JSON. What is no such thing is not verified: False.
    """
    if isinstance(blob, str):
        try:
            blob = json.loads(blob)
        except (ValueError, RecursionError):
            return False
    nodes = _nodes(blob)
    if nodes is None or not isinstance(blob, Mapping):
        return False
    payload = blob.get("preflight_payload")
    if payload is not None and (not isinstance(payload, Mapping) or dict(nodes).get("preflight") != hash_json(payload)):
        return False
    return blob.get("root") == _root(nodes)


def _retrieval_hash(sources: Sequence[Mapping[str, object]], plan: str | None) -> str:
    summary: dict[str, object] = {
        "sources": [
            {
                "document_root": source.get("document_root", source.get("source_root")),
                "source_role": source.get("source_role", source.get("role")),
                "score": source.get("score"),
            }
            for source in sources
        ]
    }
    if plan is not None:
        summary["retrieval_plan_hash"] = plan
    return hash_json(summary)


def _dag(stages: Sequence[str], hashes: Mapping[str, str], payload: Mapping[str, object] | None) -> Dag:
    nodes = [(stage, hashes[stage]) for stage in stages]
    dag: Dag = {"root": _root(nodes), "nodes": [list(node) for node in nodes]}
    if payload is not None:
        dag["preflight_payload"] = json.loads(canonical_json(dict(payload)))
    return dag


def _root(nodes: Sequence[tuple[str, str]]) -> str:
    return merkle_root(f"{stage}:{digest}" for stage, digest in nodes)


def _nodes(blob: object) -> list[tuple[str, str]] | None:
    """The nodes of a blob, if they are pairs of texts in one of the shapes."""
    listed = blob.get("nodes") if isinstance(blob, Mapping) else None
    if not isinstance(listed, Sequence) or isinstance(listed, str):
        return None
    nodes: list[tuple[str, str]] = []
    for node in listed:
        if not isinstance(node, Sequence) or isinstance(node, str) or len(node) != 2:
            return None
        stage, digest = node
        if not isinstance(stage, str) or not isinstance(digest, str):
            return None
        nodes.append((stage, digest))
    stages = tuple(stage for stage, _ in nodes)
    shapes = (QUOTE_STAGES, LATTICE_STAGES, REJECT_STAGES)
    known = {*shapes, *((shape[0], "preflight", *shape[1:]) for shape in shapes[:2])}
    return nodes if stages in known else None
