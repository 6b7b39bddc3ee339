"""Ask one document, named by its fingerprint: the same flow as `query`, with that document as the only source."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from schemacast.corpus.search import bring_up_to_date
from schemacast.errors import UnknownNameError, UsageError
from schemacast.qa.asking import answer
from schemacast.qa.client import ChatClient
from schemacast.qa.policy import checked_fidelity, make_policy
from schemacast.qa.prompt import templates
from schemacast.qa.retrieval import MAX_CONTEXT_CHARS, Source, whole_source
from schemacast.qa.run import Question
from schemacast.workspace.file import WorkspaceFile


def ask(
    conn: WorkspaceFile | sqlite3.Connection,
    *,
    document_root: str,
    question: str,
    client: ChatClient,
    model_id: str,
    revision: str = "",
    quantization: str = "",
    policy: Mapping[str, Any] | None = None,
    chain: str = "private",
    fidelity: str | None = None,
) -> dict[str, Any]:
    """Answer a question from one document of a workspace, or give out the live record that answers it.

    `conn` is an open workspace, or a connection to its file. `document_root` is the fingerprint of the source
    (`schemacast.corpus.index.source_root`). The result is that of `schemacast.qa.query.query`, `lookup_path` and
    all. Raises like it, and UnknownNameError when no source that counts has the fingerprint.
    """
    prompt = templates()
    made = make_policy(policy, prompt.digest)
    plan = {"document_root": document_root, "max_context_chars": MAX_CONTEXT_CHARS}
    asked = Question(
        question,
        client,
        model_id,
        made,
        plan,
        prompt,
        revision=revision,
        quantization=quantization,
        chain=chain,
        fidelity=checked_fidelity(fidelity),
    )
    with _file_of(conn) as file:

        def find() -> list[Source]:
            bring_up_to_date(file)
            sources = whole_source(file, document_root, question, max_context_chars=MAX_CONTEXT_CHARS)
            if sources is None:
                raise UnknownNameError(f"{file.path}: has no source with the fingerprint {document_root!r}")
            return sources

        return answer(file, asked, find)


@contextmanager
def _file_of(conn: WorkspaceFile | sqlite3.Connection) -> Iterator[WorkspaceFile]:
    if isinstance(conn, WorkspaceFile):
        yield conn
        return
    path = next((row[2] for row in conn.execute("PRAGMA database_list") if row[1] == "main"), "")
    if not path:
        raise UsageError("a connection to a workspace in memory cannot be asked; give one to its file")
    with WorkspaceFile(path) as file:
        yield file
