"""JSON text as the same tree of nodes that YAML gives.

YAML readers take nearly all JSON but not all of it (escaped surrogate pairs, for one), and the
standard library's JSON reader keeps no positions. This one is a loop over tokens, so that nesting
cannot exhaust the stack. Strings count as quoted; numbers and `true` stay as they were written.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from dataclasses import dataclass, field
from json.decoder import scanstring  # type: ignore[attr-defined]  # public, but not in the stubs
from typing import NoReturn

from schemacast.errors import Problem
from schemacast.schema.nodes import MAX_DEPTH, MAX_NODES, ListNode, MapNode, Node, ScalarNode, doubled, stop

SPACE = re.compile(r"[ \t\r\n]*")
WORD = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null")


@dataclass(slots=True)
class _Open:
    is_map: bool
    start: int
    items: list[Node] = field(default_factory=list)
    key: ScalarNode | None = None


def read_json(text: str, *, file: str) -> tuple[Node, list[Problem]]:
    """The value in the text, and doubled keys. Raises SchemaError when the text is no JSON."""
    return _Reader(text, file).read()


class _Reader:
    def __init__(self, text: str, file: str) -> None:
        self.text, self.file = text, file
        self.problems: list[Problem] = []
        self.starts = [0, *(match.end() for match in re.finditer("\n", text))]
        self.open: list[_Open] = []
        self.count = 0
        self.pos = 0

    def read(self) -> tuple[Node, list[Problem]]:
        self._skip()
        if self.pos == len(self.text):
            stop(self.file, 0, 0, "the file is empty; a schema needs at least `vertices`")
        while True:
            node = self._value()
            while node is not None and self.open:
                node = self._put(node)
            if node is not None:
                break
        self._skip()
        if self.pos < len(self.text):
            self._fail("more text after the end of the JSON value")
        return node, self.problems

    def _value(self) -> Node | None:
        """The scalar or empty container at the current place; None when a container has opened."""
        self._skip()
        char = self.text[self.pos : self.pos + 1]
        self.count += 1
        if self.count > MAX_NODES:
            self._fail(f"the file has more than {MAX_NODES:,} items")
        if char in ("{", "["):
            if len(self.open) >= MAX_DEPTH:
                self._fail(f"lists and mappings are nested more than {MAX_DEPTH} deep")
            self.open.append(_Open(char == "{", self.pos))
            self.pos += 1
            self._skip()
            if self._take("}" if char == "{" else "]"):
                return self._close()
            if char == "{":
                self._key()
            return None
        return self._string() if char == '"' else self._word()

    def _put(self, node: Node) -> Node | None:
        """Put a finished value into its container; gives the container when that ends it."""
        top = self.open[-1]
        if top.key is not None:
            top.items.append(top.key)
        top.items.append(node)
        self._skip()
        if self._take(","):
            if top.is_map:
                self._key()
            return None
        if self._take("}" if top.is_map else "]"):
            return self._close()
        return self._fail(f"expected a comma or {'}' if top.is_map else ']'!r}")

    def _key(self) -> None:
        self._skip()
        if self.text[self.pos : self.pos + 1] != '"':
            self._fail("expected a key in double quotes")
        self.open[-1].key = self._string()
        self._skip()
        if not self._take(":"):
            self._fail("expected a colon after the key")

    def _close(self) -> Node:
        done = self.open.pop()
        line, column = self._place(done.start)
        if not done.is_map:
            return ListNode(tuple(done.items), line, column)
        pairs = [
            (key, value)
            for key, value in zip(done.items[::2], done.items[1::2], strict=True)
            if isinstance(key, ScalarNode)
        ]
        seen: dict[str, ScalarNode] = {}
        for key, _ in pairs:
            first = seen.setdefault(key.text, key)
            if first is not key:
                self.problems.append(Problem(self.file, key.line, key.column, doubled(key, first)))
        return MapNode(tuple(pairs), line, column)

    def _string(self) -> ScalarNode:
        start = self.pos
        try:
            text, self.pos = scanstring(self.text, start + 1, True)
        except json.JSONDecodeError as error:
            self.pos = error.pos
            self._fail(error.msg)
        if any("\ud800" <= char <= "\udfff" for char in text):
            self._fail("half of a surrogate pair stands alone in this string")
        return ScalarNode(text, True, *self._place(start))

    def _word(self) -> ScalarNode:
        found = WORD.match(self.text, self.pos)
        if not found:
            self._fail("expected a value")
        start, self.pos = self.pos, found.end()
        return ScalarNode(found[0], False, *self._place(start))

    def _skip(self) -> None:
        self.pos = SPACE.match(self.text, self.pos).end()  # type: ignore[union-attr]  # it matches everywhere

    def _take(self, char: str) -> bool:
        if self.text.startswith(char, self.pos):
            self.pos += 1
            return True
        return False

    def _place(self, pos: int) -> tuple[int, int]:
        line = bisect_right(self.starts, pos)
        return line, pos - self.starts[line - 1] + 1

    def _fail(self, message: str) -> NoReturn:
        stop(self.file, *self._place(self.pos), f"not readable as JSON: {message}")
