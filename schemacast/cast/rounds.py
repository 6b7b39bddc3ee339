"""One episode's rounds with the model: ask, read, validate, and ask for a repair while that may help.

Round 0 is the first reply; rounds 1 and 2 are repairs. A repair is asked for when a finding is of a kind
that the model can mend, and not again when the same findings come back. The best round stands, so a repair
that made things worse, or could not be had, costs nothing. A reply cut by the output limit is not asked
again: the same limit would cut it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from schemacast.cast.outcome import Finding, Fix, Outcome, Reason, Status
from schemacast.cast.repair import MAX_REPAIRS, better, reask_messages, repair_messages, repairable, same_findings
from schemacast.cast.reply import Reply, SchemaEcho, UnreadableReply, read_reply
from schemacast.cast.validate import Validated, validate
from schemacast.errors import ModelAccessError, ModelError, ModelUnavailable, RequestFailed
from schemacast.ground import grounding_rows
from schemacast.llm.protocol import Completion, Message, Model, ReplyType, Tag, Usage
from schemacast.version import __version__

if TYPE_CHECKING:
    from schemacast.cast.template import Templates
    from schemacast.episode import Episode
    from schemacast.schema.model import Schema

EXTRACTOR = f"schemacast/{__version__}"


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked about one episode: the slice it is validated against, the messages, the reply type."""

    schema: Schema
    messages: tuple[Message, ...]
    reply_type: ReplyType


@dataclass(frozen=True, slots=True)
class _Round:
    number: int
    reply: Reply
    validated: Validated
    model: str | None
    over_limit: bool


@dataclass(slots=True)
class Rounds:
    """The rounds of one episode. `run` gives its outcome; only errors that concern every episode escape.

    When a repair meets a refusal of every further call, the outcome is that of the rounds before and `refused` says so.
    """

    model: Model
    request: Request
    episode: Episode
    locale: str | None
    timezone: str
    templates: Templates
    requests: int = 0
    usage: Usage = field(default_factory=Usage)
    unread: tuple[Reason, str] | None = None
    shown: Sequence[Finding] | None = None
    refused: ModelAccessError | None = None

    async def run(self) -> Outcome:
        """Raises ModelAccessError, or ModelUnavailable when not even the first reply could be had."""
        best: _Round | None = None
        messages: Sequence[Message] | None = self.request.messages
        for number in range(MAX_REPAIRS + 1):
            if messages is None:
                break
            try:
                completion = await self._ask(messages, number)
            except (RequestFailed, ModelUnavailable, ModelAccessError) as error:
                if number == 0 and not isinstance(error, RequestFailed):
                    raise
                if isinstance(error, ModelAccessError):
                    self.refused = error
                    error.requests = error.input_tokens = error.output_tokens = 0  # they are in the outcome
                return self._ended(best, "request_failed", str(error))
            if completion.finish_reason == "refused":
                return self._ended(best, "refused", "the model refused to answer")
            current = self._read(completion, number)
            if current is not None and (best is None or better(current.validated, best.validated)):
                best = current
            messages = self._next(completion, current, number)
        return self._ended(best, "unreadable_reply", "the reply cannot be read")

    def _next(self, completion: Completion, current: _Round | None, number: int) -> Sequence[Message] | None:
        """What to ask next; None when asking again cannot help."""
        if completion.finish_reason == "length":
            return None
        if current is None or current.reply.cut:
            if number > 0:
                return None
            reason = self.unread[0] if self.unread else "unreadable_reply"
            return reask_messages(self.request.messages, reason, templates=self.templates)
        mendable = repairable(current.validated.findings)
        if not mendable or (self.shown is not None and same_findings(self.shown, mendable)):
            return None
        self.shown = mendable
        return repair_messages(self.request.messages, completion.text, mendable, templates=self.templates)

    def _ended(self, best: _Round | None, reason: Reason, message: str) -> Outcome:
        """The outcome of the best round; without one, of the failure that came first."""
        if best is not None:
            return self._finished(best)
        return self._failed(*(self.unread or (reason, message)))

    async def _ask(self, messages: Sequence[Message], number: int) -> Completion:
        tag = Tag(source_id=self.episode.source_id, round=number)
        try:
            completion = await self.model.complete(messages, self.request.reply_type, tag)
        except ModelError as error:
            self.requests += error.requests
            self.usage += Usage(error.input_tokens, error.output_tokens)
            raise
        self.requests += completion.requests
        self.usage += completion.usage
        return completion

    def _read(self, completion: Completion, number: int) -> _Round | None:
        """The round as validated; None when the reply cannot be read, with `unread` saying why."""
        try:
            reply = read_reply(completion.text, finish_reason=completion.finish_reason)
        except SchemaEcho:
            self.unread = ("schema_echo", "the model repeated the reply's schema instead of filling it in")
            return None
        except UnreadableReply as error:
            cut = completion.finish_reason == "length"
            self.unread = ("cut_reply" if cut else "unreadable_reply", str(error))
            return None
        if reply.cut and not (reply.vertices or reply.edges or reply.unmapped or reply.malformed):
            self.unread = ("cut_reply", "the output limit cut the reply before its first item; raise max_tokens")
            return None
        validated = validate(
            reply,
            self.request.schema,
            self.episode,
            locale=self.locale,
            timezone=self.timezone,
            round=number,
        )
        return _Round(number, reply, validated, completion.model, completion.finish_reason == "length")

    def _failed(self, reason: Reason, message: str, findings: tuple[Finding, ...] = ()) -> Outcome:
        return Outcome(
            self.episode.source_id,
            "failed",
            reason,
            message,
            findings=findings,
            requests=self.requests,
            usage=self.usage,
        )

    def _finished(self, best: _Round) -> Outcome:
        validated = best.validated
        findings, fixes = validated.findings, validated.fixes
        if best.reply.cut:
            cause = "the output limit cut the reply" if best.over_limit else "the reply breaks off"
            message = f"{cause}; its finished items are kept, the rest is missing"
            findings = (*findings, Finding("cut_reply", "reply", message, round=best.number))
        if best.reply.repaired:
            fixes = (*fixes, *(Fix("reply_repaired", what) for what in best.reply.repaired))
        kept = validated.kept
        anything = kept.vertices or kept.edges or validated.unmapped
        if findings and not anything and not validated.graph.records:
            return self._failed("nothing_valid", "no item of the reply is valid", findings)
        status: Status = "partial" if findings else "ok" if anything else "empty"
        grounded = grounding_rows(
            validated.graph, self.episode, extractor=EXTRACTOR, model=best.model or self.model.name.partition(":")[0]
        )
        return Outcome(
            self.episode.source_id,
            status,
            graph=validated.graph,
            groundings=tuple(grounded),
            unmapped=validated.unmapped,
            findings=findings,
            fixes=fixes,
            kept=kept,
            requests=self.requests,
            usage=self.usage,
        )
