"""Reading the nodes of a schema file field by field, collecting what is wrong instead of stopping.

Every question about a node (is it text, one of these words, a list of names) answers with a value or,
after noting a Problem, with None, so that one pass over a file finds every mistake in it. Suggestions
of the nearest name and trials of patterns are rationed: they are what costs time, and a file with
thousands of wrong names is not mended by thousands of guesses.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TypeVar

from schemacast.errors import Problem, nearest
from schemacast.schema.nodes import ListNode, MapNode, Node, ScalarNode, shorten
from schemacast.schema.patterns import pattern_problem

MAX_SUGGESTIONS = 60
MAX_PROBLEMS = 500
MAX_PATTERNS = 200
MAX_BAD_PATTERNS = 10
RESERVED_FIELDS = ("was", "is", "during")
LOOSE_BOOLEANS = frozenset(("yes", "no", "on", "off", "y", "n", "true", "false", "0", "1"))
T = TypeVar("T", bound=str)
Fields = dict[str, Node]


class Notes:
    """The mistakes found so far in one file."""

    def __init__(self, file: str, problems: Iterable[Problem] = ()) -> None:
        self.file = file
        self._found: dict[Problem, None] = dict.fromkeys(problems)
        self._suggestions = MAX_SUGGESTIONS
        self._patterns: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._found)

    def add(self, node: Node, message: str) -> None:
        """Note a mistake at a node. What an anchor repeats is one mistake."""
        self._found[Problem(self.file, node.line, node.column, message)] = None

    def hint(self, node: Node, message: str) -> None:
        """Note what is allowed, but may not be what was meant."""
        self._found[Problem(self.file, node.line, node.column, message, hint=True)] = None

    def near(self, name: str, known: Iterable[str]) -> str:
        """The nearest of the known names, as the end of a message."""
        names = [candidate for candidate in known if len(candidate) <= 100][:1000]
        if self._suggestions <= 0 or len(name) > 100:
            return ""
        self._suggestions -= 1
        return nearest(name, names)

    @property
    def problems(self) -> list[Problem]:
        """Every mistake, in the order of the file; of more than a person can read, the first ones."""
        ordered = sorted(self._found, key=lambda problem: (problem.line, problem.column, problem.message))
        if len(ordered) <= MAX_PROBLEMS:
            return ordered
        rest = len(ordered) - MAX_PROBLEMS
        return [*ordered[:MAX_PROBLEMS], Problem(self.file, 0, 0, f"and {rest:,} more mistakes")]

    def compiles(self, pattern: str) -> str | None:
        """Why a pattern cannot be used, or None; after too many, or too many bad ones, no more are tried."""
        known = self._patterns.get(pattern)
        if known is None:
            if len(self._patterns) >= MAX_PATTERNS:
                return f"a schema has {MAX_PATTERNS} different patterns at most"
            if sum(map(bool, self._patterns.values())) >= MAX_BAD_PATTERNS:
                return None
            known = self._patterns[pattern] = pattern_problem(pattern) or ""
        return known or None

    # What a node is -----------------------------------------------------------------------------

    def mapping(self, node: Node, what: str) -> MapNode | None:
        if isinstance(node, MapNode):
            return node
        if not is_absent(node):
            self.add(node, f"{what} is {kind(node)}; a mapping is needed")
        return None

    def fields(self, node: Node, what: str, known: Collection[str]) -> Fields | None:
        """The fields of a mapping whose keys are ours; empty ones and `x-` ones are left out."""
        mapping = self.mapping(node, what)
        if mapping is None:
            return {} if is_absent(node) else None
        fields: Fields = {}
        for key, value in mapping.pairs:
            if key.text in known:
                if not is_absent(value):
                    fields.setdefault(key.text, value)
            elif key.text in RESERVED_FIELDS:
                self.add(key, f"{key.text!r} is reserved for a later version of the format")
            elif not key.text.startswith("x-"):
                self.add(key, f"{what} has no field {shorten(key.text)}{self._unknown(key.text, value, known)}")
        return fields

    def _unknown(self, name: str, value: Node, known: Collection[str]) -> str:
        if " " in name and is_absent(value):
            return "; within { } a text with a comma must be quoted"
        return self.near(name, known)

    def text(self, node: Node | None, what: str) -> str | None:
        if node is None:
            return None
        if isinstance(node, ScalarNode):
            if not node.absent:
                return node.text
            self.add(node, f"{what} is empty{quote_advice(node)}")
        else:
            self.add(node, f"{what} is {kind(node)}; text is needed")
        return None

    def boolean(self, node: Node | None, what: str) -> bool | None:
        if node is None:
            return None
        if isinstance(node, ScalarNode) and not node.quoted and node.text in ("true", "false"):
            return node.text == "true"
        text = node.text if isinstance(node, ScalarNode) else ""
        if text.casefold() in LOOSE_BOOLEANS:
            meant = "true" if text.casefold() in ("yes", "on", "y", "true", "1") else "false"
            self.add(node, f"{what} is {shorten(text)}; write {meant}, without quotes")
        else:
            self.add(node, f"{what} is {shown(node)}; write true or false")
        return None

    def choice(self, node: Node | None, what: str, allowed: Collection[T]) -> T | None:
        """One of the allowed words."""
        text = self.text(node, what)
        if node is None or text is None:
            return None
        for word in allowed:
            if word == text:
                return word
        self.add(
            node, f"{what} is {shorten(text)}, which is none of {', '.join(allowed)}{self._near_only(text, allowed)}"
        )
        return None

    def _near_only(self, text: str, allowed: Iterable[str]) -> str:
        suggestion = self.near(text, allowed)
        return suggestion if "did you mean" in suggestion else ""

    def scalars(self, node: Node | None, what: str) -> tuple[ScalarNode, ...]:
        """One text or a list of them, as nodes; nothing else, and none of them empty."""
        if node is None:
            return ()
        items = node.items if isinstance(node, ListNode) else (node,)
        good = []
        for item in items:
            if self.text(item, what) is not None and isinstance(item, ScalarNode):
                if item.text.strip():
                    good.append(item)
                else:
                    self.add(item, f"{what} is blank")
        return tuple(good)

    def texts(self, node: Node | None, what: str) -> tuple[str, ...]:
        return tuple(item.text for item in self.scalars(node, what))


def is_absent(node: Node) -> bool:
    return isinstance(node, ScalarNode) and node.absent


def quote_advice(node: ScalarNode) -> str:
    return f"; if the text {node.text!r} is meant, quote it" if node.text else ""


def kind(node: Node) -> str:
    """What a node is, in a message."""
    if isinstance(node, ListNode):
        return "a list"
    return "a mapping" if isinstance(node, MapNode) else f"the text {shorten(node.text)}"


def shown(node: Node) -> str:
    return shorten(node.text) if isinstance(node, ScalarNode) else kind(node)
