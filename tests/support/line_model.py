"""A model that reads texts of a plain form, so that tests of jobs can make any number of them.

A text has one item a line: `v1 Customer account=A1 tier=gold` is a vertex with its ref, type and properties,
`v1 RAISED v2 since=2026-03-02` a relation between refs. `LineModel` is such a model in the process; `answer`
makes the same reply for a model server on loopback.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from loopback_model import Answer, Seen

from schemacast.llm.protocol import Completion, Message, ReplyType, Tag, Usage
from schemacast.llm.request_key import prompt_key

_ITEM = re.compile(r"^(v\d+) (\w+)(?: (v\d+))?((?: \w+=[\w@.:-]+)*)$", re.MULTILINE)
_PROP = re.compile(r"(\w+)=([\w@.:-]+)")


def line_reply(text: str) -> dict[str, Any]:
    """The reply to a text."""
    vertices, edges = [], []
    for match in _ITEM.finditer(text):
        ref, name, target, rest = match.groups()
        props = [{"name": found[1], "value": found[2], "quote": found[0]} for found in _PROP.finditer(rest)]
        quote = match[0]
        if target:
            edges.append({"relation": name, "from": ref, "to": target, "quote": quote, "props": props})
        else:
            vertices.append({"ref": ref, "type": name, "quote": quote, "props": props})
    return {"vertices": vertices, "edges": edges}


def many(count: int) -> dict[str, str]:
    """Texts that speak of each other's customers; every tenth needs a repair."""
    made = {}
    for number in range(count):
        account = f"wobbly{number}" if number % 10 == 9 else f"c{number}"
        made[f"s{number}"] = (
            f"v1 Customer account={account} size={number}\nv2 Customer account=hub{number % 7}\nv1 KNOWS v2\n"
            f"v3 Company name=Big{number % 5} country=NO\nv1 WORKS_AT v3"
        )
    return made


def asked_text(messages: Sequence[Any]) -> str:
    """The episode's text within the messages of a request, as far as lines go."""
    return str(messages[1]["content"])


def reply_to(messages: Sequence[Any]) -> dict[str, Any]:
    """The reply to a request. What is said of a `wobbly` account is right only when it is asked for again."""
    reply = line_reply(asked_text(messages))
    if len(messages) == 2:
        for vertex in reply["vertices"]:
            for prop in vertex["props"]:
                if prop["value"].startswith("wobbly"):
                    prop["quote"] = "nowhere to be found"
    return reply


def answer(seen: Seen) -> Answer:
    """What a server on loopback replies to a request."""
    return Answer(reply_to(seen.body["messages"]))


class LineModel:
    """The model. `asked` lists the source ids that it was asked about; `broken` ones get a reply nobody can read."""

    name = "lines"

    def __init__(self, *, broken: Sequence[str] = ()) -> None:
        self.asked: list[str | None] = []
        self.broken = set(broken)

    def request_key(self, messages: Sequence[Message], reply_type: ReplyType) -> str:
        return prompt_key(messages, reply_type)

    def holds(self, messages: Sequence[Message], reply_type: ReplyType, tag: Tag) -> bool:  # noqa: ARG002
        return False

    async def complete(self, messages: Sequence[Message], reply_type: ReplyType, tag: Tag) -> Completion:  # noqa: ARG002
        self.asked.append(tag.source_id)
        if tag.source_id in self.broken:
            return Completion("I would rather not.", usage=Usage(100, 10), requests=1)
        return Completion(json.dumps(reply_to(messages)), usage=Usage(100, 10), requests=1)

    async def aclose(self) -> None:
        pass
