"""Asks a model to mend its reply, and says which of its replies stands.

Only findings that a better reply could avoid are shown, grouped by what to do, each with its item as
the model gave it. The conversation is kept as it was, so that the providers' prefix caches still hit.
The loop itself is the caster's: at most two repairs, none when the same findings come back, and the
best round stands. A reply that cannot be read or repeats the schema is asked for once more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from schemacast.cast.outcome import Finding, FindingName, Kept
from schemacast.cast.prompt import compact, packaged
from schemacast.cast.template import Templates
from schemacast.llm.protocol import Message
from schemacast.schema.values import Json

MAX_REPAIRS = 2
"""How often a reply with findings is asked for again."""
MAX_ITEMS = 40
"""How many items are shown of one kind of finding; more would only repeat the point."""
MAX_ITEM_CHARACTERS = 600

_ADVICE: dict[FindingName, str] = {
    "quote_not_found": "The quote is not in the text. Copy one unbroken passage of it, character for character:",
    "quote_cuts_token": "The value is only a part of a word or number of the quote. Give the whole one:",
    "quote_unrelated": "The quote is not about the item. Quote where the text names the thing with its key, "
    "or states the relation and names an end of it:",
    "value_not_in_quote": "The quote does not hold the value. Quote the words that give it, or correct the value:",
    "value_type": "The value cannot be read as the property's type:",
    "key_insufficient": "The vertex has no key. Add the key properties if the text gives them:",
}
_PROBLEMS: dict[str, str] = {
    "unreadable_reply": "An earlier answer was not the JSON asked for.",
    "schema_echo": "An earlier answer repeated the form instead of filling it from the text.",
}


class Judged(Protocol):
    """What rounds are compared by: the result of validating one."""

    @property
    def kept(self) -> Kept: ...

    @property
    def findings(self) -> Sequence[Finding]: ...


class RepairGroup(NamedTuple):
    """What a template gets of one kind of finding: what to do, and the items as JSON."""

    finding: FindingName
    advice: str
    items: tuple[str, ...]


def repairable(findings: Iterable[Finding]) -> list[Finding]:
    """The findings worth asking about."""
    return [finding for finding in findings if finding.repairable]


def repair_messages(
    messages: Sequence[Message], reply_text: str, findings: Iterable[Finding], *, templates: Templates | None = None
) -> list[Message]:
    """The conversation with the model's reply and the request to mend what was found.

    `templates` are those of the prompter (`prompter.templates`), the packaged ones by default.
    Findings that a model cannot mend are left out; ValueError when none is left.
    """
    groups = _groups(repairable(findings))
    if not groups:
        raise ValueError("none of the findings can be mended by asking again")
    asked = (templates or packaged()).render("repair.j2", groups=groups, problem="")
    return [*messages, {"role": "assistant", "content": reply_text}, {"role": "user", "content": asked}]


def reask_messages(messages: Sequence[Message], reason: str, *, templates: Templates | None = None) -> list[Message]:
    """The request for a reply that could be read, `reason` being `unreadable_reply` or `schema_echo`.

    The failed reply is not shown, since models go on as they began; the request stands at the end of
    the last message, because some models take no two messages of one role in a row.
    """
    problem = _PROBLEMS.get(reason, _PROBLEMS["unreadable_reply"])
    asked = (templates or packaged()).render("repair.j2", groups=(), problem=problem)
    *before, last = messages
    return [*before, {"role": last["role"], "content": f"{last['content']}\n\n{asked}"}]


def same_findings(before: Iterable[Finding], after: Iterable[Finding]) -> bool:
    """Whether a repair brought back exactly the findings it was asked to mend."""
    return _signatures(before) == _signatures(after)


def better(candidate: Judged, best: Judged) -> bool:
    """Whether a round stands before the best so far: more items kept, then fewer findings."""
    items, best_items = _items(candidate.kept), _items(best.kept)
    return items > best_items or (items == best_items and len(candidate.findings) < len(best.findings))


def _items(kept: Kept) -> int:
    return kept.vertices + kept.edges + kept.properties


def _signatures(findings: Iterable[Finding]) -> list[tuple[str, str, str, str]]:
    return sorted(
        (finding.finding, finding.kind, finding.quote or "", _item_text(finding.item))
        for finding in repairable(findings)
    )


def _groups(findings: Sequence[Finding]) -> tuple[RepairGroup, ...]:
    groups = []
    for name, advice in _ADVICE.items():
        items = dict.fromkeys(_shown(finding) for finding in findings if finding.finding == name)
        if items:
            groups.append(RepairGroup(name, advice, tuple(items)[:MAX_ITEMS]))
    return tuple(groups)


def _shown(finding: Finding) -> str:
    item = _item_text(finding.item)
    if len(item) > MAX_ITEM_CHARACTERS:
        item = item[:MAX_ITEM_CHARACTERS] + "…"
    message = " ".join(finding.message.split())
    return f"{item}: {message}" if message else item


def _item_text(item: Json) -> str:
    return compact(item)
