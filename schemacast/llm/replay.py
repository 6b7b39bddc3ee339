"""Recorded replies: a model that makes no request.

A replay file has one reply a line, addressed by source id and round, by the item and stage of a question, or
by the key of its prompt (`request_key.prompt_key`). A line that has a source id is found by it, and its
`request` only says which prompt it was recorded for. The file is read once and checked whole, so that every
bad or doubled line is reported together; only addresses and offsets stay in memory, and a reply is read again
when it is asked for, so that a file may be larger than memory. A lone surrogate becomes U+FFFD, as in episodes.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from schemacast.errors import InputError, Problem, RequestFailed
from schemacast.llm.protocol import Completion, FinishReason, Message, ReplyType, Tag, Usage
from schemacast.llm.request_key import prompt_key, replace_surrogates, shown_key
from schemacast.llm.wires import FINISH

__all__ = ["RecordedReply", "ReplayModel", "read_recorded"]

Address = tuple[object, ...]
_ORDINARY = frozenset(("stop", "end_turn", "stop_sequence", "tool_use", "tool_calls", "function_call", "eos"))
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class RecordedReply:
    """One line. `request` is the key of the prompt that it was recorded for, when it says so."""

    text: str
    source_id: str | None
    round: int
    item: str | None
    stage: str | None
    request: str | None
    finish_reason: FinishReason
    usage: Usage
    model: str | None

    @property
    def address(self) -> Address:
        if self.item is not None:
            return ("item", self.item, self.stage, self.source_id, self.round)
        if self.source_id is not None:
            return (self.source_id, self.round)
        return ("request", self.request)


def read_recorded(line: str | bytes) -> RecordedReply:
    """A line of a replay file. Raises ValueError saying what is wrong with it."""
    try:
        data = json.loads(line)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except UnicodeDecodeError:
        raise ValueError("not UTF-8") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg} at column {error.colno}") from None
    if not isinstance(data, dict):
        raise ValueError("not an object")
    if "reply" not in data:
        raise ValueError("no 'reply'")
    item, stage = _name(data, "item"), _name(data, "stage")
    source_id, request = _name(data, "source_id"), _name(data, "request")
    if item is None and source_id is None and request is None:
        raise ValueError("no 'source_id', 'request' or 'item' to find it by")
    if item is not None and stage is None:
        raise ValueError("an 'item' without its 'stage'")
    finish = data.get("finish_reason")
    if finish is not None and not (isinstance(finish, str) and (finish.lower() in FINISH or finish in _ORDINARY)):
        raise ValueError(f"'finish_reason' is {finish!r}; it has to be stop, length or refused")
    model = data.get("model")
    if model is not None and not isinstance(model, str):
        raise ValueError("'model' is no string")
    return RecordedReply(
        text=_reply_text(data["reply"]),
        source_id=source_id,
        round=_round(data.get("round")),
        item=item,
        stage=stage,
        request=request.lower() if request is not None else None,
        finish_reason=FINISH.get(finish.lower(), "stop") if finish else "stop",
        usage=_usage(data.get("usage")),
        model=model or None,
    )


class ReplayModel:
    """Serves the replies of one file. Raises InputError, with every bad line, when it is opened."""

    def __init__(self, path: str | Path) -> None:
        self.name = f"replay:{path}"
        self.notes: list[str] = []
        self._path = str(path)
        self._file = _open(self._path)
        self._lock = threading.Lock()
        self._offsets: dict[Address, int] = {}
        self._by_request = False
        try:
            self._index()
        except BaseException:
            self._file.close()
            raise

    def request_key(self, messages: Sequence[Message], reply_type: ReplyType) -> str:
        """The key of the prompt alone: a recorded reply stands for any model."""
        return prompt_key(messages, reply_type)

    def holds(self, messages: Sequence[Message], reply_type: ReplyType, tag: Tag) -> bool:
        """Whether the file has a line for it."""
        return self._find(messages, reply_type, tag) is not None

    async def complete(self, messages: Sequence[Message], reply_type: ReplyType, tag: Tag) -> Completion:
        offset = self._find(messages, reply_type, tag)
        if offset is None:
            raise RequestFailed(self._missing(messages, reply_type, tag))
        try:
            with self._lock:
                if self._file.closed:
                    self._file = _open(self._path)
                self._file.seek(offset)
                line = self._file.readline()
            recorded = read_recorded(line)
        except (ValueError, OSError, InputError) as error:
            raise RequestFailed(f"{self._path} changed while it was in use ({error}); run again") from None
        return Completion(
            recorded.text,
            recorded.finish_reason,
            recorded.usage,
            recorded.model or "replay",
        )

    async def aclose(self) -> None:
        """Close the file; the next reply opens it again."""
        with self._lock:
            self._file.close()

    def __len__(self) -> int:
        return len(self._offsets)

    def _find(self, messages: Sequence[Message], reply_type: ReplyType, tag: Tag) -> int | None:
        offsets = self._offsets
        found: int | None = None
        if tag.item is not None:
            item = replace_surrogates(tag.item)
            found = offsets.get(("item", item, tag.stage, tag.source_id, tag.round))
            if found is None:
                found = offsets.get(("item", item, tag.stage, None, tag.round))
        elif tag.source_id is not None:
            found = offsets.get((tag.source_id, tag.round))
        if found is None and self._by_request:
            found = offsets.get(("request", prompt_key(messages, reply_type)))
        return found

    def _missing(self, messages: Sequence[Message], reply_type: ReplyType, tag: Tag) -> str:
        if tag.item is not None:
            what = f"the item {tag.item[:60]!r}, stage {tag.stage!r}"
        else:
            what = f"source_id {tag.source_id!r}"
        return (
            f"{self._path} has no reply for {what}, round {tag.round} "
            f"(request {shown_key(prompt_key(messages, reply_type))}); add the line or use another model"
        )

    def _index(self) -> None:
        problems: list[Problem] = []
        lines: dict[Address, int] = {}
        offset = 0
        for number, line in enumerate(self._file, 1):
            start, offset = offset, offset + len(line)
            if number == 1 and line.startswith(b"\xef\xbb\xbf"):
                start, line = start + 3, line[3:]
            if not line.strip():
                continue
            try:
                recorded = read_recorded(line)
            except ValueError as error:
                problems.append(Problem(self._path, number, 0, str(error)))
                continue
            address = recorded.address
            if address in lines:
                problems.append(Problem(self._path, number, 0, f"the same address as line {lines[address]}"))
                continue
            lines[address] = number
            self._offsets[address] = start
            self._by_request = self._by_request or address[0] == "request"
        if problems:
            raise InputError(_summary(self._path, problems), problems)
        if not self._offsets:
            raise InputError(f"replay file {self._path} is empty: give one recorded reply a line")


def _open(path: str) -> BinaryIO:
    try:
        if not Path(path).is_file():
            what = (
                "is a directory" if Path(path).is_dir() else "is no file" if Path(path).exists() else "does not exist"
            )
            raise InputError(f"replay file {path} {what}")
        return Path(path).open("rb")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"replay file {path} cannot be read: {reason}") from None


def _summary(path: str, problems: Sequence[Problem]) -> str:
    shown = "; ".join(f"line {problem.line}: {problem.message}" for problem in problems[:_SHOWN])
    more = f"; and {len(problems) - _SHOWN} more" if len(problems) > _SHOWN else ""
    return f"replay file {path} has {len(problems)} bad line{'s' if len(problems) > 1 else ''}: {shown}{more}"


def _name(data: dict[str, Any], field: str) -> str | None:
    value = data.get(field)
    if value is None:
        return None
    if not isinstance(value, str) or not value:
        raise ValueError(f"{field!r} is no text")
    return replace_surrogates(value)


def _round(value: object) -> int:
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"'round' is {value!r}; it has to be 0, 1, 2, …")
    return value


def _usage(value: object) -> Usage:
    if value is None:
        return Usage()
    if isinstance(value, dict):
        counts = [value.get(name, 0) for name in ("input_tokens", "output_tokens")]
        if all(isinstance(count, int) and not isinstance(count, bool) and count >= 0 for count in counts):
            return Usage(*counts)
    raise ValueError("'usage' has to be {input_tokens, output_tokens}, whole numbers")


def _reply_text(reply: object) -> str:
    if isinstance(reply, str):
        return replace_surrogates(reply)
    if isinstance(reply, dict | list):
        return replace_surrogates(json.dumps(reply, ensure_ascii=False))
    raise ValueError("'reply' is neither text nor an object")
