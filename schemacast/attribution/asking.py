"""Ask a model one of the three questions of an attribution, and get an answer that can be used, or say why not.

It goes as a cast goes: messages from templates, with all that comes from a source in blocks that it cannot close, a
reply type, a tolerant reader, and a repair that says what was wrong, at most twice. What makes an answer usable is
told by its reader, which raises `BadAnswer` with what the model has to mend. Every request in flight has a place, of
which there are a bounded number for each event loop, and every token is counted, those of failed attempts too.
"""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeVar

from schemacast.attribution.kept import open_kept
from schemacast.cast.prompt import block, code
from schemacast.cast.template import Templates, load_templates
from schemacast.errors import InputError, ModelError, RequestFailed
from schemacast.llm.client import where
from schemacast.llm.parse import UnreadableReply, read_json
from schemacast.llm.protocol import Completion, Message, Model, ReplyType, Tag, Usage
from schemacast.schema.values import Json

T = TypeVar("T")
Stage = Literal["claim", "relevance", "compare"]
Answer = Mapping[str, Json]

MEND = "mend.j2"
TEMPLATES = tuple(f"{stage}_{part}.j2" for stage in ("claim", "relevance", "compare") for part in ("system", "user"))
MAX_REPAIRS = 2
_UNREADABLE = "An earlier answer was not the JSON asked for."


class BadAnswer(ModelError):
    """The answer cannot be used; the message says why, `mend` what the model is told, or None when that is useless."""

    def __init__(self, message: str, mend: str | None) -> None:
        self.mend = mend
        super().__init__(message)


@dataclass(slots=True)
class Spent:
    """What the requests of one attribution took."""

    requests: int = 0
    usage: Usage = field(default_factory=Usage)

    def add(self, requests: int, usage: Usage) -> None:
        self.requests += requests
        self.usage += usage


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked. `blocks` are texts of others by the name that the template has for them, `plain` our own."""

    stage: Stage
    reply_type: ReplyType
    blocks: Mapping[str, str]
    plain: Mapping[str, str]
    tag: Tag


@dataclass(slots=True)
class _Loop:
    """What the questions of one event loop share."""

    places: asyncio.Semaphore
    users: int = 0


class Asker:
    """A model and the templates that it is asked with.

    `model` is a name, which is opened here and closed with its last use in an event loop, or an object with the
    methods of `schemacast.llm.protocol.Model`, which its owner closes. `template` is a folder whose files stand in
    for the packaged ones. Replies are kept in `cache`, a directory, else in `workspace`, when one is given. Raises
    what `open_model` raises, and InputError for a template that is broken.
    """

    def __init__(
        self,
        model: str | Model,
        *,
        base_url: str | None = None,
        cache: str | Path | None = None,
        replay_only: bool = False,
        concurrency: int = 8,
        template: str | Path | None = None,
        model_options: Mapping[str, Json] | None = None,
        workspace: str | Path | None = None,
    ) -> None:
        if concurrency < 1:
            raise InputError(f"concurrency is {concurrency}; it must be 1 or more")
        self.templates: Templates = load_templates(Path(template) if template else None, (*TEMPLATES, MEND))
        self.spent = Spent()
        self._owns_model = isinstance(model, str)
        self._concurrency = concurrency
        self._loops: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, _Loop] = weakref.WeakKeyDictionary()
        self.model: Model = (
            model
            if not isinstance(model, str)
            else open_kept(
                model,
                workspace=Path(workspace) if workspace else None,
                base_url=base_url,
                cache=Path(cache) if cache else None,
                replay_only=replay_only,
                concurrency=concurrency,
                options=model_options,
            )
        )

    @classmethod
    def of(cls, model: str | Model | Asker) -> Asker:
        """The asker itself, or one for a model."""
        return model if isinstance(model, Asker) else cls(model)

    def counting(self) -> Asker:
        """The same asker with a count of its own."""
        other = object.__new__(Asker)
        other.__dict__.update(self.__dict__, spent=Spent())
        return other

    def notes(self) -> Sequence[str]:
        """What the model has to say about the run so far, once each."""
        return getattr(self.model, "notes", ())

    @asynccontextmanager
    async def used(self) -> AsyncIterator[None]:
        """While it is used in this event loop; with the last use here a model of our own lets go of its connections."""
        here = self._here()
        here.users += 1
        try:
            yield
        finally:
            here.users -= 1
            if not here.users and self._owns_model:
                await self.model.aclose()

    def messages(self, question: Question) -> list[Message]:
        """What is sent first. Raises InputError when a user's template fails or leaves out or repeats a block."""
        tag = code(list(question.blocks.values()))
        blocks = {name: block(name, tag, text) if text else "" for name, text in question.blocks.items()}
        user = f"{question.stage}_user.j2"
        content = self.templates.render(user, **blocks, **question.plain)
        for whole in blocks.values():
            if whole and content.count(whole) != 1:
                raise InputError(f"{self.templates.paths[user]}: every block must stand in the message once")
        return [
            {"role": "system", "content": self.templates.render(f"{question.stage}_system.j2").rstrip("\n")},
            {"role": "user", "content": content.rstrip("\n")},
        ]

    async def ask(self, question: Question, read: Callable[[Answer], T]) -> T:
        """What `read` makes of the answer.

        Raises BadAnswer when no round gave one that it takes, RequestFailed, ModelUnavailable, ModelAccessError.
        """
        first = self.messages(question)
        messages: Sequence[Message] = first
        failed: BadAnswer | None = None
        for number in range(MAX_REPAIRS + 1):
            try:
                completion = await self._complete(messages, question, number)
            except RequestFailed:
                if failed is not None:  # the repair could not be had: what was wrong before stands
                    raise failed from None
                raise
            try:
                return read(_answer(completion, question))
            except BadAnswer as bad:
                again = failed is not None and bad.mend == failed.mend
                failed = bad
                if bad.mend is None or again:
                    break
                messages = self._again(first, completion, bad)
        assert failed is not None
        raise failed

    def _again(self, first: Sequence[Message], completion: Completion, bad: BadAnswer) -> list[Message]:
        """The request to mend an answer. One that could not be read is not shown, since models go on as they began."""
        asked = self.templates.render(MEND, problem=bad.mend).rstrip("\n")
        if bad.mend == _UNREADABLE:
            *before, last = first
            return [*before, {"role": last["role"], "content": f"{last['content']}\n\n{asked}"}]
        return [*first, {"role": "assistant", "content": completion.text}, {"role": "user", "content": asked}]

    async def _complete(self, messages: Sequence[Message], question: Question, number: int) -> Completion:
        tag = Tag(question.tag.source_id, number, question.tag.item, question.stage)
        async with self._here().places:
            try:
                completion = await self.model.complete(messages, question.reply_type, tag)
            except ModelError as error:
                self.spent.add(error.requests, Usage(error.input_tokens, error.output_tokens))
                raise
        self.spent.add(completion.requests, completion.usage)
        if completion.finish_reason == "refused":
            raise RequestFailed(f"{where(tag)}: the model refused to answer")
        return completion

    def _here(self) -> _Loop:
        loop = asyncio.get_running_loop()
        here = self._loops.get(loop)
        if here is None:
            here = self._loops[loop] = _Loop(asyncio.Semaphore(self._concurrency))
        return here


def _answer(completion: Completion, question: Question) -> Answer:
    """The object of a reply. Raises BadAnswer when there is none with a member that the reply type names."""
    names = question.reply_type.schema["properties"]
    assert isinstance(names, dict)

    def rank(value: Json) -> int:
        return sum(name in value for name in names) if isinstance(value, dict) else 0

    cut = completion.finish_reason == "length"
    try:
        reading = read_json(completion.text, rank)
    except UnreadableReply:
        what = "the output limit cut the answer; raise max_tokens" if cut else "the answer cannot be read"
        raise BadAnswer(what, None if cut else _UNREADABLE) from None
    if isinstance(reading.value, dict) and not _is_schema(reading.value):
        return reading.value
    raise BadAnswer("the answer cannot be read", _UNREADABLE)


def _is_schema(value: Answer) -> bool:
    """Whether the model repeated the form instead of filling it."""
    return all(isinstance(member, dict) and "type" in member for member in value.values())


def reply_object(name: str, members: Mapping[str, Json]) -> ReplyType:
    """A reply type in the strict subset of JSON Schema that all providers take."""
    return ReplyType(name, object_of(members))


def object_of(members: Mapping[str, Json]) -> dict[str, Json]:
    """The schema of an object whose members are all there."""
    return {
        "type": "object",
        "properties": dict(members),
        "required": list(members),
        "additionalProperties": False,
    }
