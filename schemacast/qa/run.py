"""One question over the sources found for it: its messages, its key, the judgment of an answer, and the record.

Everything here follows from the question, the policy and the sources, without any I/O: the same input gives the same
key and, for the same answer, the same record but for its time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from schemacast.cast.template import Templates
from schemacast.corpus.index import INDEX_VERSION
from schemacast.episode import without_surrogates
from schemacast.language.tags import is_locale
from schemacast.qa.client import ChatClient, ChatReply
from schemacast.qa.dag import build_preflight_node_payload, build_run_dag, localize_failure
from schemacast.qa.evidence import EvidenceObject, build_evidence_map, evidence_map_root
from schemacast.qa.judge import NOT_IN_SOURCES, SourceText, Verdict, judge
from schemacast.qa.keys import (
    CANONICALIZATION_VERSION,
    cache_key,
    canonical_question,
    conversation_hash,
    governance_policy_hash,
    hash_json,
    model_profile_hash,
    question_hash,
    verifier_policy_hash,
)
from schemacast.qa.metacognition import QuestionState, preflight_question
from schemacast.qa.model_client import claims_nothing
from schemacast.qa.prompt import messages
from schemacast.qa.quantifier import classify_question_quantifier
from schemacast.qa.retrieval import Source, context_root
from schemacast.workspace.episodes import now

RECORD_VERSION = "1"
"""The shape of a record: the store's part of the cache key."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and how. `policy` is complete (`make_policy`); `plan` says how sources were looked for; `price`
    is in US dollars for a million tokens in and out."""

    question: str
    client: ChatClient
    model_id: str
    policy: Mapping[str, Any]
    plan: Mapping[str, Any]
    templates: Templates
    revision: str = ""
    quantization: str = ""
    chain: str = "private"
    fidelity: str = "equivalence_class"
    burn_existing: bool = False
    price: tuple[float, float] | None = None

    @property
    def answer_mode(self) -> str:
        return str(self.policy["answer_mode"])

    @property
    def dedup(self) -> str:
        return str(self.policy["question_dedup"])

    def encodable(self) -> Question:
        """The same with what UTF-8 cannot hold replaced, as in episodes."""
        return replace(self, question=without_surrogates(self.question), chain=without_surrogates(self.chain))


class Run:
    """One question over the sources found for it."""

    def __init__(self, asked: Question, sources: tuple[Source, ...], state: QuestionState) -> None:
        self.asked = asked
        self.sources = sources
        self.state = state
        self.evidence: list[EvidenceObject] = build_evidence_map([source.chunk() for source in sources])
        self.context_root = context_root(sources)
        told = state.answer_constraints.get("max_claims")
        most = int(asked.policy["max_claims_per_answer"])
        self.most_claims = min(most, told) if isinstance(told, int) else most

    def messages(self, question: str) -> list[dict[str, str]]:
        """The conversation, with the question in these words."""
        return messages(
            question,
            self.sources,
            answer_mode=self.asked.answer_mode,
            evidence=self.evidence,
            most_claims=self.most_claims,
            absent=NOT_IN_SOURCES,
            templates=self.asked.templates,
        )

    def keys(self, dedup: str) -> dict[str, str]:
        """Every dimension of the cache key under a dedup mode, and the key."""
        asked = self.asked
        policy = {**asked.policy, "question_dedup": dedup}
        parts = {
            "source_root": self.context_root,
            "question_hash": question_hash(asked.question, mode=dedup),
            "model_profile_hash": model_profile_hash(asked.model_id, asked.revision, asked.quantization),
            "conversation_hash": conversation_hash(self.messages(canonical_question(asked.question, mode=dedup))),
            "governance_policy_hash": governance_policy_hash(policy),
            "schema_version": RECORD_VERSION,
            "canonicalization_version": CANONICALIZATION_VERSION,
            "chunking_version": INDEX_VERSION,
            "verifier_policy_hash": verifier_policy_hash(policy),
        }
        return {**parts, "cache_key": cache_key(*parts.values())}

    def judged(self, text: str) -> Verdict:
        """The answer against the sources that it was made from."""
        mode = self.asked.answer_mode
        if mode == "claim_lattice" and claims_nothing(text):
            # An empty list of claims says in JSON what the words say in the other modes.
            mode, text = "claim_lattice_pointer", NOT_IN_SOURCES
        given = [
            SourceText(
                source.source_id,
                source.text,
                title=source.title,
                offset=source.char_start,
                locale=source.locale if source.locale and is_locale(source.locale) else None,
                reference=source.reference_time,
                source_role=source.role,
            )
            for source in self.sources
        ]
        return judge(
            text,
            given,
            answer_mode=mode,
            question=self.asked.question,
            policy=self.asked.policy,
            evidence_map=self.evidence,
        )

    def record(self, keys: Mapping[str, str], reply: ChatReply) -> dict[str, Any]:
        """All that is kept of the answer."""
        asked, verdict = self.asked, self.judged(reply.text)
        told = {**verdict.to_dict(), "answer_mode": asked.answer_mode}
        lattice = asked.answer_mode != "quote"
        rendered = verdict.rendered_text or reply.text
        payload = preflight_payload(asked, self.state, keys, self.most_claims)
        dag = build_run_dag(
            question_hash=keys["question_hash"],
            sources=[source.to_json(n) for n, source in enumerate(self.sources, 1)],
            context_root=self.context_root,
            conversation_hash=keys["conversation_hash"],
            answer_text=reply.text,
            audit_mode=verdict.audit_mode,
            verifier_method=verdict.verifier_method,
            n_quotes=verdict.n_quotes,
            n_verified=verdict.n_verified,
            claim_statuses=verdict.claim_statuses,
            lookup_path="miss",
            evidence_map_root=evidence_map_root(self.evidence) if lattice else None,
            answer_mode=asked.answer_mode,
            violations=verdict.violations,
            raw_answer_text=reply.text if lattice else None,
            parsed_lattice=[list(pair) for pair in verdict.evidence_id_pairs] if lattice else None,
            rendered_text=rendered if lattice else None,
            retrieval_plan_hash=hash_json(dict(asked.plan)),
            preflight_hash=hash_json(payload),
            preflight_payload=payload,
        )
        roots = sorted({source.source_root for source in self.sources})
        return {
            **head_of(asked, keys),
            **told,
            "answer": rendered if lattice else reply.text,
            "raw_answer": reply.text,
            "sources": [source.to_json(n) for n, source in enumerate(self.sources, 1)],
            "merkle_proof": {"context_root": self.context_root, "sources": roots},
            "preflight": self.state.to_dict(),
            "failure_stage": localize_failure(
                audit_mode=verdict.audit_mode,
                n_sources=len(self.sources),
                n_quotes=verdict.n_quotes,
                n_verified=verdict.n_verified,
            ),
            "run_dag": dag,
            "run_dag_root": dag["root"],
            "model_reported": reply.model,
            "usage": usage_of(reply),
        }

    def is_unreadable(self, record: Mapping[str, Any]) -> bool:
        """Whether the answer is not in the form that was asked for, so that asking again is worth a try."""
        kinds = {each["kind"] for each in record["violations"]}
        return self.asked.answer_mode == "claim_lattice" and "SCHEMA_INVALID" in kinds and not record["claim_statuses"]


def preflight(asked: Question, frames: tuple[str, ...]) -> QuestionState:
    rules = dict(asked.policy["preflight"])
    profile = rules.pop("corpus_profile", None)
    return preflight_question(
        asked.question,
        model_profile_id=model_profile_hash(asked.model_id, asked.revision, asked.quantization),
        corpus_profile=profile,
        reference_frames=frames,
        policy=rules,
    )


def head_of(asked: Question, keys: Mapping[str, str]) -> dict[str, Any]:
    """What a record says of the question itself."""
    return {
        "record_version": RECORD_VERSION,
        "created": now(),
        "chain": asked.chain,
        "question": asked.question,
        "answer_mode": asked.answer_mode,
        "model": {"id": asked.model_id, "revision": asked.revision, "quantization": asked.quantization},
        "policy": dict(asked.policy),
        "plan": dict(asked.plan),
        "keys": {name: value for name, value in keys.items() if name != "cache_key"},
        "cache_key": keys["cache_key"],
    }


def preflight_payload(
    asked: Question, state: QuestionState, keys: Mapping[str, str], most_claims: int
) -> dict[str, object]:
    """The clauses of the preflight stage."""
    return build_preflight_node_payload(
        question_state=state.to_dict(),
        quantifier=classify_question_quantifier(asked.question),
        answer_contract={"result": state.preflight_result, "max_claims": most_claims},
        prompt_contract={"template": asked.policy["prompt"], "reminder_injected": bool(most_claims)},
        evidence_contract=dict(asked.plan),
        policy_refs={
            "governance_policy_hash": keys["governance_policy_hash"],
            "model_profile_hash": keys["model_profile_hash"],
            "answer_mode": asked.answer_mode,
        },
    )


def usage_of(reply: ChatReply) -> dict[str, int]:
    return {
        "requests": reply.requests,
        "input_tokens": reply.usage.input_tokens,
        "output_tokens": reply.usage.output_tokens,
    }
