"""Ask the whole corpus: find sources, ask a model, judge the answer, keep the record.

The corpus is one workspace (`single_db`), every workspace of a folder (`shards_dir`), or, when neither is given, the
file that the records are kept in (`qa_db`), which is a workspace too. See `schemacast.qa.asking` for what happens.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from schemacast.errors import InputError, UsageError
from schemacast.qa.asking import answer
from schemacast.qa.client import ChatClient
from schemacast.qa.policy import checked_fidelity, make_policy
from schemacast.qa.prompt import templates
from schemacast.qa.retrieval import MAX_CONTEXT_CHARS, OVER_FETCH, TOP_K, Source, retrieve
from schemacast.qa.run import Question
from schemacast.workspace.file import WorkspaceFile

SHARDS = "*.db"


def query(
    *,
    question: str,
    qa_db: str | Path,
    chat_client: ChatClient,
    model_id: str,
    revision: str = "",
    quantization: str = "",
    shards_dir: str | Path | None = None,
    single_db: str | Path | None = None,
    top_k: int = TOP_K,
    over_fetch: int = OVER_FETCH,
    max_context_chars: int | None = None,
    policy: Mapping[str, Any] | None = None,
    chain: str = "private",
    fidelity: str | None = None,
    burn_existing: bool = False,
    retrieval_keywords: str | None = None,
    price: tuple[float, float] | None = None,
    template: str | Path | None = None,
) -> dict[str, Any]:
    """Answer a question from the corpus, or give out the live record that answers it. A JSON-ready dict.

    `top_k` documents within `max_context_chars` characters are shown to the model; `retrieval_keywords` are looked
    for besides the question's words and shown to nobody. `fidelity` `strict` looks only for a record under the
    policy's own `question_dedup`; the default also takes one of the other mode. `lookup_path` says which key was
    found: `primary`, `cross_mode`, or `miss` when the model was asked. `burn_existing` deletes the live record under
    the primary key first and asks in any case; `burned_existing` says how many there were. Records and events of
    another `chain` are never looked at. `price`, in US dollars for a million tokens in and out, lets the workspace
    tell what asking cost. `template` is a folder whose templates replace the prompt's own.

    Raises UsageError and InputError for what cannot be asked, MissingPackageError without FTS5, the model's errors,
    WorkspaceLocked and OutputError when the record cannot be kept.
    """
    if top_k < 1 or over_fetch < 1 or (max_context_chars is not None and max_context_chars < 1):
        raise UsageError("top_k, over_fetch and max_context_chars have to be 1 or more")
    budget = MAX_CONTEXT_CHARS if max_context_chars is None else max_context_chars
    prompt = templates(Path(template) if template else None)
    made = make_policy(policy, prompt.digest)
    asked = Question(
        question,
        chat_client,
        model_id,
        made,
        plan={
            "top_k": top_k,
            "over_fetch": over_fetch,
            "max_context_chars": budget,
            "keywords": retrieval_keywords,
        },
        templates=prompt,
        revision=revision,
        quantization=quantization,
        chain=chain,
        fidelity=checked_fidelity(fidelity),
        burn_existing=burn_existing,
        price=price,
    )
    with _opened(qa_db, shards_dir, single_db) as (store, corpora):

        def find() -> list[Source]:
            return retrieve(
                corpora,
                question,
                keywords=retrieval_keywords,
                top_k=top_k,
                over_fetch=over_fetch,
                max_context_chars=budget,
                graph=bool(made["graph_evidence"]),
            )

        return answer(store, asked, find)


@contextmanager
def _opened(
    qa_db: str | Path, shards_dir: str | Path | None, single_db: str | Path | None
) -> Iterator[tuple[WorkspaceFile, list[WorkspaceFile]]]:
    """The file of the records, made when there is another for the corpus, and the files of the corpus."""
    if shards_dir is not None and single_db is not None:
        raise UsageError("give shards_dir or single_db, not both")
    paths = [Path(qa_db)] if single_db is None else [Path(single_db)]
    if shards_dir is not None:
        paths = sorted(Path(shards_dir).glob(SHARDS))
        if not paths:
            raise InputError(f"{shards_dir}: holds no workspace ({SHARDS})")
    with ExitStack() as stack:
        files = {path.resolve(): stack.enter_context(WorkspaceFile(path)) for path in paths}
        own = Path(qa_db).resolve()
        store = files.get(own) or stack.enter_context(WorkspaceFile(qa_db, create=True))
        yield store, [files[path.resolve()] for path in paths]
