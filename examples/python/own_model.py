"""A model of your own behind the protocol: anything that turns messages into the text of a reply.

This one is a few patterns, so that it runs anywhere; a call into your own inference code has the same shape.
Run it from the project's folder: python examples/python/own_model.py
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from schemacast import Caster, Episode, load_schema, resolve
from schemacast.llm.protocol import Completion, Message, ReplyType, Tag
from schemacast.llm.request_key import RequestKeys


class Patterns:
    """Finds account and ticket numbers. It may be wrong as often as it likes: validation looks at every quote."""

    name = "patterns:accounts"

    def __init__(self) -> None:
        self._keys = RequestKeys(model=self.name)

    def request_key(self, messages: Sequence[Message], reply_type: ReplyType) -> str:
        return self._keys.key(messages, reply_type)

    def holds(self, messages: Sequence[Message], reply_type: ReplyType, tag: Tag) -> bool:  # noqa: ARG002
        return True  # asking costs nothing

    async def complete(self, messages: Sequence[Message], reply_type: ReplyType, tag: Tag) -> Completion:  # noqa: ARG002
        text = messages[-1]["content"]
        vertices, edges = [], []
        for ref, (kind, name, pattern) in {
            "c": ("Customer", "account", r"ACC-\d+"),
            "t": ("Ticket", "number", r"HD-\d+"),
        }.items():
            if found := re.search(pattern, text):
                prop = {"name": name, "value": found[0], "quote": None}
                vertices.append({"ref": ref, "type": kind, "quote": found[0], "props": [prop]})
        if len(vertices) == 2 and (said := re.search(r"ACC-\d+ (?:raised|opened) HD-\d+", text)):
            edges.append({"relation": "RAISED", "from": "c", "to": "t", "quote": said[0]})
        return Completion(json.dumps({"vertices": vertices, "edges": edges}), model=self.name, requests=1)

    async def aclose(self) -> None:
        """Nothing to release."""


def main() -> None:
    schema = load_schema("lib:helpdesk")
    episodes = [
        Episode(source_id="a", text="ACC-1 raised HD-2 this morning."),
        Episode(source_id="b", text="Any news about HD-2?"),
    ]
    result = Caster(schema, model=Patterns()).cast(episodes)
    graph = resolve(schema, result.graphs)
    print([outcome.status for outcome in result.outcomes])
    print([row["number"] for row in graph.rows("Ticket")], len(graph.edge_rows("RAISED")), "edge")


if __name__ == "__main__":
    main()
