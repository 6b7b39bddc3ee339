"""Replies kept on disk under their request key, so that a rerun makes no request.

One file a reply, in 256 folders by the key's first two digits: the operating system then gives what a run
needs (a reply is there whole or not at all, any number of processes may share the folder, one bad file costs
one reply), and 100,000 replies stay quick to find. A file is written beside its place and moved there the
moment the reply arrives. What cannot be read as a reply under its own key is asked again and overwritten. When
the disk is full the reply is used all the same and the run is told once. Of equal requests that are made at the
same time one is sent, and the others wait for its reply.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast, get_args

from schemacast.errors import InputError, OutputError, RequestFailed
from schemacast.llm.client import where
from schemacast.llm.protocol import Completion, FinishReason, Message, Model, ReplyType, Tag, Usage
from schemacast.llm.request_key import shown_key
from schemacast.schema.values import Json

__all__ = ["CachedModel", "ReplyCache"]

log = logging.getLogger("schemacast.llm")

_serial = itertools.count()


class ReplyCache:
    """A folder of replies. `create` makes it; without, a missing folder is an InputError."""

    def __init__(self, folder: str | Path, *, create: bool = True) -> None:
        self._folder = Path(folder)
        if not create:
            if not self._folder.is_dir():
                raise InputError(f"cache {folder} is no directory; nothing can be replayed from it")
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            raise InputError(f"cache {folder} is a file; give a directory") from None
        except OSError as error:
            code = 4 if isinstance(error, PermissionError) else 3
            raise OutputError(f"cache {folder} cannot be made: {error.strerror}", exit_code=code) from None

    def path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"

    def read(self, key: str) -> Completion | None:
        """The reply under a key; None when there is none, or none that can be read."""
        path = self.path(key)
        try:
            text = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            log.warning("cached reply %s cannot be read (%s); asking again", path, error.strerror)
            return None
        try:
            return _completion(json.loads(text), key)
        except (ValueError, RecursionError):
            log.warning("cached reply %s is damaged; asking again", path)
            return None

    def write(self, key: str, completion: Completion) -> None:
        """Keep a reply. Raises OSError, leaving nothing half-written."""
        path = self.path(key)
        entry: dict[str, Json] = {
            "request": key,
            "reply": completion.text,
            "finish_reason": completion.finish_reason,
            "usage": {
                "input_tokens": completion.usage.input_tokens,
                "output_tokens": completion.usage.output_tokens,
            },
            "model": completion.model,
        }
        data = json.dumps(entry, sort_keys=True).encode()
        beside = path.with_name(f".{key}.{os.getpid()}.{next(_serial)}")
        try:
            try:
                beside.write_bytes(data)
            except FileNotFoundError:
                path.parent.mkdir(parents=True, exist_ok=True)
                beside.write_bytes(data)
            beside.replace(path)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise


@dataclass(slots=True)
class _Turn:
    """Who may ask for one key, in one event loop."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    wanted: int = 0


class CachedModel:
    """A model whose replies are kept. With no model behind it, it only replays what is there."""

    def __init__(self, model: Model, cache: ReplyCache, *, replay_only: bool = False) -> None:
        self.name = model.name
        self._model = model
        self._cache = cache
        self._replay_only = replay_only
        self._notes: list[str] = []
        self._asking: dict[tuple[asyncio.AbstractEventLoop, str], _Turn] = {}

    @property
    def notes(self) -> list[str]:
        return [*getattr(self._model, "notes", ()), *self._notes]

    def request_key(self, messages: Sequence[Message], reply_type: ReplyType) -> str:
        return self._model.request_key(messages, reply_type)

    def holds(self, messages: Sequence[Message], reply_type: ReplyType, tag: Tag) -> bool:  # noqa: ARG002
        """Whether the reply is in the cache."""
        return self._cache.read(self._model.request_key(messages, reply_type)) is not None

    async def complete(self, messages: Sequence[Message], reply_type: ReplyType, tag: Tag) -> Completion:
        key = self._model.request_key(messages, reply_type)
        kept = self._cache.read(key)
        if kept is not None:
            return kept
        if self._replay_only:
            missing = f"{where(tag)}: no reply in the cache for request {shown_key(key)}"
            raise RequestFailed(f"{missing}; run without --replay-only to ask for it")
        async with self._one_at_a_time(key) as waited:
            kept = self._cache.read(key) if waited else None
            if kept is not None:
                return kept
            completion = await self._model.complete(messages, reply_type, tag)
            try:
                self._cache.write(key, completion)
            except OSError as error:
                self._cannot_keep(error)
            return completion

    @asynccontextmanager
    async def _one_at_a_time(self, key: str) -> AsyncIterator[bool]:
        """A turn at asking for a key; whether another one had it before, and so may have brought the reply."""
        address = (asyncio.get_running_loop(), key)
        turn = self._asking.setdefault(address, _Turn())
        turn.wanted += 1
        waited = turn.lock.locked()
        try:
            async with turn.lock:
                yield waited
        finally:
            turn.wanted -= 1
            if not turn.wanted:
                del self._asking[address]

    async def aclose(self) -> None:
        await self._model.aclose()

    def _cannot_keep(self, error: OSError) -> None:
        if self._notes:
            return
        reason = error.strerror or str(error)
        note = f"replies cannot be kept in the cache ({reason}); they are used, but a rerun will ask again"
        self._notes.append(note)
        log.warning("%s", note)


def _completion(entry: object, key: str) -> Completion:
    """A stored entry as a completion that cost nothing. Raises ValueError when it is none."""
    if not isinstance(entry, dict) or entry.get("request") != key:
        raise ValueError("not the reply of this request")
    text, finish, model = entry.get("reply"), entry.get("finish_reason"), entry.get("model")
    if (
        not isinstance(text, str)
        or finish not in get_args(FinishReason)
        or not (model is None or isinstance(model, str))
    ):
        raise ValueError("not a reply")
    return Completion(text, cast("FinishReason", finish), Usage(), model, requests=0, cached=True)
