"""One question, from its preflight to its stored record: what `query` and `ask` have in common.

The sources are chosen first, since they are a part of the key that an answer is found by. A live record under that
key, or under that of the other dedup mode, is given out as it was judged. Else the model is asked once, its answer
is judged against the sources it was shown, and the record is stored with its run DAG before it is given out. A
question that the policy blocks, and one that no source was found for, costs no request. Nothing is stored of an
ask that fails or is interrupted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from schemacast.corpus.index import INDEX_VERSION
from schemacast.errors import ModelError, RequestFailed
from schemacast.language.tags import is_locale
from schemacast.llm.protocol import Usage
from schemacast.qa.client import ChatClient, ChatReply, OpenAICompatibleClient, StubClient
from schemacast.qa.dag import (
    build_preflight_node_payload,
    build_reject_run_dag,
    build_run_dag,
    localize_failure,
)
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
from schemacast.qa.model_client import CLAIMS_REPLY, ModelClient, claims_nothing
from schemacast.qa.policy import other_mode
from schemacast.qa.prompt import messages
from schemacast.qa.quantifier import classify_question_quantifier
from schemacast.qa.retrieval import Source, context_root, reference_frames
from schemacast.qa.store import Stored, burn, find_live, save
from schemacast.qa.usage import count_ask
from schemacast.workspace.episodes import now
from schemacast.workspace.file import WorkspaceFile

RECORD_VERSION = "1"
"""The shape of a record: the store's part of the cache key."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and how. `policy` is complete (`make_policy`); `plan` says how sources were looked for."""

    question: str
    client: ChatClient
    model_id: str
    policy: Mapping[str, Any]
    plan: Mapping[str, Any]
    revision: str = ""
    quantization: str = ""
    chain: str = "private"
    fidelity: str = "equivalence_class"
    burn_existing: bool = False

    @property
    def answer_mode(self) -> str:
        return str(self.policy["answer_mode"])

    @property
    def dedup(self) -> str:
        return str(self.policy["question_dedup"])


def answer(store: WorkspaceFile, asked: Question, find: Callable[[], list[Source]]) -> dict[str, Any]:
    """The result of a question, from a record or from the model. `find` gives its sources.

    Raises the model's errors, and RequestFailed when it refuses.
    """
    first = _preflight(asked, ())
    if first.preflight_result == "PREFLIGHT_BLOCKED":
        return _rejected(store, asked, first)
    sources = find()
    run = _Run(asked, tuple(sources), _preflight(asked, reference_frames(sources, asked.question)))
    keys = run.keys(asked.dedup)
    burned = burn(store, asked.chain, keys["cache_key"]) if asked.burn_existing else 0
    held, path = _look_up(store, run, keys["cache_key"])
    if held is not None:
        return _result(held, path, burned)
    reply = _reply(store, run)
    record = run.record(keys, reply)
    cut = reply.finish_reason == "length"
    stored = save(store, record, state="failed" if cut or run.is_unreadable(record) else "live")
    return _result(stored, "miss" if stored.fresh else "primary", burned)


class _Run:
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
        payload = _payload(asked, self.state, keys, self.most_claims)
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
            **_head(asked, keys),
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
            "usage": _usage(reply),
        }

    def is_unreadable(self, record: Mapping[str, Any]) -> bool:
        """Whether the answer is not in the form that was asked for, so that asking again is worth a try."""
        kinds = {each["kind"] for each in record["violations"]}
        return self.asked.answer_mode == "claim_lattice" and "SCHEMA_INVALID" in kinds and not record["claim_statuses"]


def _preflight(asked: Question, frames: tuple[str, ...]) -> QuestionState:
    rules = dict(asked.policy["preflight"])
    profile = rules.pop("corpus_profile", None)
    return preflight_question(
        asked.question,
        model_profile_id=model_profile_hash(asked.model_id, asked.revision, asked.quantization),
        corpus_profile=profile,
        reference_frames=frames,
        policy=rules,
    )


def _look_up(store: WorkspaceFile, run: _Run, key: str) -> tuple[Stored | None, str]:
    """A live record, and which key found it."""
    asked = run.asked
    held = find_live(store, asked.chain, key)
    if held is not None or asked.fidelity == "strict" or asked.burn_existing:
        return held, "primary"
    return find_live(store, asked.chain, run.keys(other_mode(asked.dedup))["cache_key"]), "cross_mode"


def _reply(store: WorkspaceFile, run: _Run) -> ChatReply:
    """The model's reply; what it cost is counted whether or not there is one."""
    asked = run.asked
    if not run.sources:
        return ChatReply(NOT_IN_SOURCES)
    try:
        reply = _ask(asked, run.messages(asked.question))
    except ModelError as error:
        count_ask(store, asked.model_id, Usage(error.input_tokens, error.output_tokens), error.requests, str(error))
        raise
    refused = reply.finish_reason == "refused"
    count_ask(store, asked.model_id, reply.usage, reply.requests, "refused" if refused else None)
    if refused:
        raise RequestFailed(
            f"{asked.model_id}: the provider refused the question: {' '.join(reply.text.split())[:200]}"
        )
    return reply


def _ask(asked: Question, told: list[dict[str, str]]) -> ChatReply:
    """Ask whatever client there is, once."""
    as_claims = asked.answer_mode == "claim_lattice"
    client = asked.client
    if isinstance(client, ModelClient):
        return client.reply(told, item=asked.question, as_claims=as_claims)
    options = {name: asked.policy[name] for name in ("temperature", "max_tokens", "top_p")}
    extra: dict[str, Any] = {"guided_json": dict(CLAIMS_REPLY.schema)} if as_claims else {}
    if isinstance(client, OpenAICompatibleClient):
        return client.reply({"model": asked.model_id, "messages": told, **options, **extra})
    text = client.chat_completion(told, model=asked.model_id, **options, extra_body=extra or None)
    return ChatReply(text, requests=0 if isinstance(client, StubClient) else 1)


def _rejected(store: WorkspaceFile, asked: Question, state: QuestionState) -> dict[str, Any]:
    """The record of a question that the policy blocks: three stages, no sources, no request."""
    statuses = ", ".join(state.logical_statuses)
    reason = f"preflight rejection: the policy blocks questions that are {statuses}"
    text = f"Not asked: this question is {statuses.replace('_', ' ')}."
    violations = [{"kind": "PREFLIGHT_REJECTED", "reason": reason}]
    keys = _Run(asked, (), state).keys(asked.dedup)
    burned = burn(store, asked.chain, keys["cache_key"]) if asked.burn_existing else 0
    payload = _payload(asked, state, keys, 0)
    dag = build_reject_run_dag(
        question_hash=keys["question_hash"],
        preflight_hash=hash_json(payload),
        rejection_reason=reason,
        answer_text=text,
        verifier_method="none",
        violations=violations,
        preflight_payload=payload,
    )
    empty: dict[str, Any] = {
        **_head(asked, keys),
        **judge(NOT_IN_SOURCES, [], answer_mode="quote", question=asked.question).to_dict(),
        "answer": text,
        "raw_answer": text,
        "rendered_text": text,
        "audit_mode": "UNGROUNDED",
        "verifier_method": "none",
        "absent": False,
        "why": reason,
        "violations": violations,
        "sources": [],
        "merkle_proof": {"context_root": context_root([]), "sources": []},
        "preflight": state.to_dict(),
        "failure_stage": "preflight",
        "run_dag": dag,
        "run_dag_root": dag["root"],
        "model_reported": None,
        "usage": _usage(ChatReply("")),
    }
    held = find_live(store, asked.chain, keys["cache_key"])
    return _result(held or save(store, empty), "miss" if held is None else "primary", burned)


def _head(asked: Question, keys: Mapping[str, str]) -> dict[str, Any]:
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


def _payload(asked: Question, state: QuestionState, keys: Mapping[str, str], most_claims: int) -> dict[str, object]:
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


def _usage(reply: ChatReply) -> dict[str, int]:
    return {
        "requests": reply.requests,
        "input_tokens": reply.usage.input_tokens,
        "output_tokens": reply.usage.output_tokens,
    }


def _result(stored: Stored, path: str, burned: int) -> dict[str, Any]:
    """What the caller gets: the record, and how it was come by."""
    spent = stored.record["usage"] if path == "miss" else _usage(ChatReply(""))
    return {
        **stored.record,
        "record_id": stored.id,
        "state": stored.state,
        "audit_event_hash": stored.event,
        "context_root": stored.record["merkle_proof"]["context_root"],
        "lookup_path": path,
        "burned_existing": burned,
        "spent": spent,
    }
