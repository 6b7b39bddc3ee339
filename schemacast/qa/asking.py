"""One question, from its preflight to its stored record: what `query` and `ask` have in common.

The sources are chosen first, since they are a part of the key that an answer is found by. A live record under that
key, or under that of the other dedup mode, is given out as it was judged. Else the model is asked once, its answer
is judged against the sources it was shown, and the record is stored with its run DAG before it is given out. A
question that the policy blocks, and one that no source was found for, costs no request. Nothing is stored of an
ask that fails or is interrupted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from schemacast.episode import without_surrogates
from schemacast.errors import ModelError, RequestFailed, WorkspaceLocked
from schemacast.llm.protocol import Usage
from schemacast.qa.client import ChatReply, OpenAICompatibleClient, StubClient
from schemacast.qa.dag import build_reject_run_dag
from schemacast.qa.judge import NOT_IN_SOURCES, judge
from schemacast.qa.keys import hash_json
from schemacast.qa.metacognition import QuestionState
from schemacast.qa.model_client import CLAIMS_REPLY, ModelClient
from schemacast.qa.policy import other_mode
from schemacast.qa.retrieval import Source, context_root, reference_frames
from schemacast.qa.run import Question, Run, head_of, preflight, preflight_payload, usage_of
from schemacast.qa.store import Stored, burn, find_live, save
from schemacast.qa.usage import count_ask
from schemacast.workspace.file import WorkspaceFile

WAITS = 6
"""How often, ten seconds each, the workspace is waited for when there is something to keep."""
PER_MILLION = 1_000_000

T = TypeVar("T")


def answer(store: WorkspaceFile, asked: Question, find: Callable[[], list[Source]]) -> dict[str, Any]:
    """The result of a question, from a record or from the model. `find` gives its sources.

    Raises the model's errors, and RequestFailed when it refuses.
    """
    asked = asked.encodable()
    first = preflight(asked, ())
    if first.preflight_result == "PREFLIGHT_BLOCKED":
        return _rejected(store, asked, first)
    sources = find()
    run = Run(asked, tuple(sources), preflight(asked, reference_frames(sources, asked.question)))
    keys = run.keys(asked.dedup)
    burned = burn(store, asked.chain, keys["cache_key"]) if asked.burn_existing else 0
    held, path = _look_up(store, run, keys["cache_key"])
    if held is not None:
        return _result(held, path, burned)
    reply = _reply(store, run)
    record = run.record(keys, reply)
    cut = reply.finish_reason == "length" or not reply.text.strip()
    stored = _patiently(lambda: save(store, record, state="failed" if cut or run.is_unreadable(record) else "live"))
    return _result(stored, "miss" if stored.fresh else "primary", burned)


def _look_up(store: WorkspaceFile, run: Run, key: str) -> tuple[Stored | None, str]:
    """A live record, and which key found it."""
    asked = run.asked
    held = find_live(store, asked.chain, key)
    if held is not None or asked.fidelity == "strict" or asked.burn_existing:
        return held, "primary"
    return find_live(store, asked.chain, run.keys(other_mode(asked.dedup))["cache_key"]), "cross_mode"


def _reply(store: WorkspaceFile, run: Run) -> ChatReply:
    """The model's reply; what it cost is counted whether or not there is one."""
    asked = run.asked
    if not run.sources:
        return ChatReply(NOT_IN_SOURCES)
    try:
        reply = _ask(asked, run.messages(asked.question))
    except ModelError as error:
        _count(store, asked, Usage(error.input_tokens, error.output_tokens), error.requests, str(error))
        raise
    reply = replace(reply, text=without_surrogates(reply.text))
    refused = reply.finish_reason == "refused"
    _count(store, asked, reply.usage, reply.requests, "refused" if refused else None)
    if refused:
        raise RequestFailed(
            f"{asked.model_id}: the provider refused the question: {' '.join(reply.text.split())[:200]}"
        )
    return reply


def _count(store: WorkspaceFile, asked: Question, usage: Usage, requests: int, failed: str | None) -> None:
    cost = None if asked.price is None else (usage.input_tokens * asked.price[0] + usage.output_tokens * asked.price[1])
    _patiently(lambda: count_ask(store, asked.model_id, usage, requests, failed, cost=cost and cost / PER_MILLION))


def _patiently(write: Callable[[], T]) -> T:
    """Write although a job holds the workspace: what was paid for must not be lost to a wait."""
    for _ in range(WAITS - 1):
        try:
            return write()
        except WorkspaceLocked:
            continue
    return write()


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
    keys = Run(asked, (), state).keys(asked.dedup)
    burned = burn(store, asked.chain, keys["cache_key"]) if asked.burn_existing else 0
    payload = preflight_payload(asked, state, keys, 0)
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
        **head_of(asked, keys),
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
        "usage": usage_of(ChatReply("")),
    }
    held = find_live(store, asked.chain, keys["cache_key"])
    return _result(held or save(store, empty), "miss" if held is None else "primary", burned)


def _result(stored: Stored, path: str, burned: int) -> dict[str, Any]:
    """What the caller gets: the record, and how it was come by."""
    spent = stored.record["usage"] if path == "miss" else usage_of(ChatReply(""))
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
