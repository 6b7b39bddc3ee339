"""`schemacast.ask`: a question to a workspace as one call, and its answer as an object.

The object is the record as people use it: the text, what it cites, each quote in the sentence of its source, and
what could not be verified. The record itself, with everything that decided it, hangs on it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from schemacast.errors import UsageError
from schemacast.language.sentences import sentence_range, sentences
from schemacast.llm.open import open_model
from schemacast.llm.protocol import Model
from schemacast.llm.request_key import plain_url
from schemacast.qa.judge import NOT_IN_SOURCES, AnswerSpan
from schemacast.qa.model_client import ModelClient
from schemacast.qa.policy import AnswerMode
from schemacast.qa.query import query
from schemacast.qa.retrieval import TOP_K
from schemacast.qa.store import Stored
from schemacast.workspace.file import WorkspaceFile


@dataclass(frozen=True, slots=True)
class Cited:
    """What an answer cites: characters `char_start` to `char_end` of a source, which are `quote`.

    `number` counts the sources that the model was shown, and stands in the answer as `[1]` or `[E1]`. `sentence` is
    the source's own sentence around the quote, which begins at `sentence_start` in it; empty when the source is no
    longer what it was.
    """

    number: int
    source_id: str
    char_start: int
    char_end: int
    quote: str
    title: str = ""
    uri: str = ""
    sentence: str = ""
    sentence_start: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer and how far it is borne out.

    `audit_mode` is STRICT (every claim is verified), HYBRID or UNGROUNDED, and `why` says so in a sentence. `absent`:
    the answer is that the sources do not have it. `unverified` are the stretches of `text` that no citation bears
    out. `record` is what is kept, all dimensions of its key included; `lookup_path` is `miss` when the model was
    asked, and `spent` what that took.
    """

    question: str
    text: str
    audit_mode: str
    why: str
    absent: bool
    citations: tuple[Cited, ...]
    unverified: tuple[AnswerSpan, ...]
    lookup_path: str
    record_id: int
    state: str
    spent: Mapping[str, int]
    record: Mapping[str, Any] = field(repr=False)

    def to_json(self) -> dict[str, Any]:
        """The object that `schemacast ask --json` prints."""
        made = {name: value for name, value in asdict(self).items() if name != "record"}
        return json.loads(json.dumps({**made, "record": dict(self.record)}))  # type: ignore[no-any-return]


def ask(
    question: str,
    *,
    workspace: str | Path,
    model: str | Model,
    base_url: str | None = None,
    cache: str | Path | None = None,
    replay_only: bool = False,
    model_options: Mapping[str, Any] | None = None,
    answer_mode: AnswerMode = "quote",
    keywords: str | None = None,
    top_k: int = TOP_K,
    max_context: int | None = None,
    dedup: str = "equivalence_class",
    fidelity: str | None = None,
    burn: bool = False,
    price: tuple[float, float] | None = None,
    template: str | Path | None = None,
    policy: Mapping[str, Any] | None = None,
) -> Answer:
    """Answer a question from the texts of a workspace; every citation is a span of one of them.

    A question that was answered under the same sources, model and policy is answered from its record. `keywords` are
    looked for besides the question's words, `top_k` sources are shown within `max_context` characters, `burn` asks
    anew, `price` is in US dollars for a million tokens in and out. `template` is a
    folder whose templates replace the prompt's own, `policy` sets what else governs an answer. Works inside a running
    event loop too.

    Raises UsageError and InputError for what cannot be asked, the model's errors (RequestFailed, ModelUnavailable,
    ModelAccessError), WorkspaceLocked, OutputError, MissingPackageError.
    """
    if not Path(workspace).is_file():
        WorkspaceFile(workspace).close()  # says what is wrong
    opened = (
        # A key is looked for with the first request: an answer that is kept needs none.
        open_model(model, base_url=base_url, cache=cache, replay_only=replay_only, options=model_options, check=False)
        if isinstance(model, str)
        else model
    )
    result = query(
        question=question,
        qa_db=workspace,
        chat_client=ModelClient(opened),
        model_id=opened.name,
        revision=plain_url(base_url) if base_url else "",
        top_k=top_k,
        max_context_chars=max_context,
        policy={
            **(policy or {}),
            "answer_mode": answer_mode,
            "question_dedup": dedup,
            "model_options": dict(model_options or {}),
        },
        fidelity=fidelity,
        burn_existing=burn,
        retrieval_keywords=keywords,
        price=price,
        template=template,
    )
    with WorkspaceFile(workspace) as file:
        return answer_of(file, result, notes=getattr(opened, "notes", ()))


def answer_of(file: WorkspaceFile, result: Mapping[str, Any], *, notes: Any = ()) -> Answer:
    """A result of `query` as an object."""
    sources = {source["n"]: source for source in result["sources"]}
    texts: dict[str, str | None] = {}
    return Answer(
        question=result["question"],
        text=readable(result),
        audit_mode=result["audit_mode"],
        why=result["why"],
        absent=result["absent"],
        citations=tuple(_cited(file, each, sources.get(each["number"], {}), texts) for each in result["citations"]),
        unverified=tuple(AnswerSpan(**{**each, "reasons": tuple(each["reasons"])}) for each in result["unverified"]),
        lookup_path=result["lookup_path"],
        record_id=result["record_id"],
        state=result["state"],
        spent={**result["spent"]},
        record={**result, "notes": list(notes)},
    )


def readable(result: Mapping[str, Any]) -> str:
    """The answer for people: as the model wrote it, claims in JSON as one line each."""
    if (
        result["answer_mode"] != "claim_lattice"
        or result["state"] == "failed"
        or result["failure_stage"] == "preflight"
    ):
        return str(result["raw_answer"])
    lines = [f"{each['text']} [{', '.join(each['pointer_ids'])}]" for each in result["claim_statuses"]]
    return "\n".join(lines) or NOT_IN_SOURCES


def answer_in(file: WorkspaceFile, stored: Stored) -> Answer:
    """A stored record as an object. Raises UsageError for one that was erased."""
    if not stored.record:
        raise UsageError(f"answer {stored.id} was erased with one of its sources; nothing of it is left to show")
    nothing = {"requests": 0, "input_tokens": 0, "output_tokens": 0}
    shown = {"record_id": stored.id, "state": stored.state, "lookup_path": "primary", "spent": nothing}
    return answer_of(file, {**stored.record, "audit_event_hash": stored.event, **shown})


def _cited(
    file: WorkspaceFile, citation: Mapping[str, Any], source: Mapping[str, Any], texts: dict[str, str | None]
) -> Cited:
    name, start, end = citation["source_id"], citation["char_start"], citation["char_end"]
    if name not in texts:
        body = file.value("SELECT body FROM texts JOIN episodes ON id = episode WHERE source_id = ?", (name,))
        texts[name] = None if body is None else json.loads(body)["text"]
    text = texts[name]
    sentence, at = "", 0
    if text is not None and text[start:end] == citation["quote"]:
        first, last = sentence_range(text, start, end)
        every = sentences(text)
        at = min(every[first][0], start)
        sentence = text[at : max(every[last][1], end)]
    return Cited(
        citation["number"],
        name,
        start,
        end,
        citation["quote"],
        source.get("title", ""),
        source.get("document_uri", ""),
        sentence,
        at,
    )
