"""A model whose replies a workspace keeps, as a job's are: nothing is paid for twice, and nothing is lost.

A reply is kept under its request key the moment it arrives, with the source that it is about, so that erasing that
source erases what a model said of it too; what it took is counted where jobs count. A workspace that cannot be
written for now costs no reply: it is used, and the run is told once that a rerun will ask again.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from schemacast.errors import ModelError, OutputError, RequestFailed, WorkspaceLocked
from schemacast.llm.client import where
from schemacast.llm.open import REPLAY, open_model
from schemacast.llm.protocol import Completion, Message, Model, ReplyType, Tag, Usage
from schemacast.llm.request_key import replace_surrogates
from schemacast.qa.usage import count_ask
from schemacast.schema.values import Json
from schemacast.workspace.file import WorkspaceFile
from schemacast.workspace.replies import Replies

__all__ = ["KeptModel", "open_kept"]

FIRST_ATTEMPT = 0


def open_kept(
    name: str,
    *,
    workspace: Path | None,
    base_url: str | None,
    cache: Path | None,
    replay_only: bool,
    concurrency: int,
    options: Mapping[str, Json] | None,
) -> Model:
    """The model behind a name, its replies kept in `cache`, else in `workspace`. Raises what `open_model` raises."""
    kept_here = workspace is not None and cache is None
    model = open_model(
        name,
        base_url=base_url,
        cache=cache,
        replay_only=replay_only and not kept_here,
        concurrency=concurrency,
        options=options,
        check=not (kept_here and replay_only),
    )
    if workspace is None or cache is not None or name.startswith(REPLAY):
        return model
    return KeptModel(model, workspace, replay_only=replay_only)


class KeptModel:
    """A model behind the replies of a workspace; with `replay_only` it gives out what is kept and asks nothing.

    Raises InputError for a workspace that is none.
    """

    def __init__(self, model: Model, workspace: Path, *, replay_only: bool = False) -> None:
        self.name = model.name
        self._model = model
        self._workspace = workspace
        self._replay_only = replay_only
        self._notes: list[str] = []
        self._requests, self._usage = 0, Usage()
        self._lock = threading.Lock()
        self._file: WorkspaceFile | None = WorkspaceFile(workspace)

    @property
    def notes(self) -> list[str]:
        """What the run should be told about the model."""
        return [*getattr(self._model, "notes", ()), *self._notes]

    def request_key(self, messages: Sequence[Message], reply_type: ReplyType) -> str:
        return self._model.request_key(messages, reply_type)

    def holds(self, messages: Sequence[Message], reply_type: ReplyType, tag: Tag) -> bool:
        """Whether the reply is kept, or at hand behind it."""
        if self._model.holds(messages, reply_type, tag):
            return True
        with self._lock:
            return self._replies().holds(self._model.request_key(messages, reply_type), FIRST_ATTEMPT)

    async def complete(self, messages: Sequence[Message], reply_type: ReplyType, tag: Tag) -> Completion:
        if self._model.holds(messages, reply_type, tag):
            return await self._model.complete(messages, reply_type, tag)
        key = self._model.request_key(messages, reply_type)
        with self._lock:
            kept = self._replies().read(key, FIRST_ATTEMPT)
        if kept is not None:
            return kept
        if self._replay_only:
            raise RequestFailed(
                f"{where(tag)}: {self._workspace} keeps no reply for request {key}; run without --replay-only to ask"
            )
        try:
            completion = await self._model.complete(messages, reply_type, tag)
        except ModelError as error:
            self._count(error.requests, Usage(error.input_tokens, error.output_tokens))
            raise
        self._count(completion.requests, completion.usage)
        completion = replace(completion, text=replace_surrogates(completion.text))
        try:
            with self._lock:
                self._replies().keep(key, FIRST_ATTEMPT, completion, tag.source_id)
        except (OutputError, WorkspaceLocked) as error:
            if not self._notes:
                self._notes.append(f"replies cannot be kept ({error}); they are used, but a rerun will ask again")
        return completion

    async def aclose(self) -> None:
        """Let go of the file and of the model's connections; the next reply opens them again."""
        with self._lock:
            if self._file is not None:
                with suppress(OutputError, WorkspaceLocked):  # a count is not worth an answer
                    count_ask(self._file, self.name, self._usage, self._requests, None)
                self._usage, self._requests = Usage(), 0
                self._file.close()
                self._file = None
        await self._model.aclose()

    def _count(self, requests: int, usage: Usage) -> None:
        self._requests += requests
        self._usage += usage

    def _replies(self) -> Replies:
        if self._file is None:
            self._file = WorkspaceFile(self._workspace)
        return Replies(self._file)
