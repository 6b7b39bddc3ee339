"""YAML text as a tree of nodes that know their line and column.

The tree is built from parser events in one loop, never by recursion, so that neither deep nesting nor
an alias that holds itself can exhaust the stack; an alias adds the size of what it names, so that a
file that expands without bound is refused as soon as its count passes the limit. Scalars stay the
text that was written, with whether it was quoted: what `NO` or `1.10` means is decided by the field it
stands in. Doubled keys are kept and reported, because both readings of one may hold further mistakes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn

import yaml

from schemacast.errors import Problem
from schemacast.schema.nodes import MAX_DEPTH, MAX_NODES, ListNode, MapNode, Node, ScalarNode, doubled, stop

TEXT_TAGS = frozenset(("!", "tag:yaml.org,2002:str"))


@dataclass(slots=True)
class _Open:
    """A list or mapping whose end has not been read yet."""

    is_map: bool
    line: int
    column: int
    anchor: str | None
    items: list[Node] = field(default_factory=list)
    size: int = 1
    height: int = 1


@dataclass(frozen=True, slots=True)
class _Anchored:
    node: Node
    size: int
    height: int


def read_yaml(text: str, *, file: str) -> tuple[Node, list[Problem]]:
    """The one document in the text, and what is wrong in it without making it unreadable.

    Raises SchemaError when it cannot be read: syntax, several documents, nothing in it, tags, depth,
    size after expanding aliases.
    """
    problems: list[Problem] = []
    builder = _Builder(file, problems)
    try:
        for event in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            builder.take(event)
    except yaml.YAMLError as error:
        _syntax_error(error, text, file)
    if builder.root is None or (isinstance(builder.root, ScalarNode) and builder.root.absent):
        stop(file, 0, 0, "the file is empty; a schema needs at least `vertices`")
    return builder.root, problems


class _Builder:
    """Takes parser events one by one and puts the tree together."""

    def __init__(self, file: str, problems: list[Problem]) -> None:
        self.file = file
        self.problems = problems
        self.root: Node | None = None
        self.documents = 0
        self.open: list[_Open] = []
        self.anchors: dict[str, _Anchored | None] = {}

    def take(self, event: yaml.Event) -> None:
        mark = event.start_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (0, 0)
        match event:
            case yaml.ScalarEvent():
                quoted = bool(event.style) or self._is_text(event.tag, line, column)
                self._add(ScalarNode(event.value, quoted, line, column), 1, 0, event.anchor)
            case yaml.AliasEvent():
                self._alias(event.anchor, line, column)
            case yaml.MappingStartEvent() | yaml.SequenceStartEvent():
                if event.tag not in (None, "!"):
                    self._bad_tag(event.tag, line, column)
                self._check_depth(len(self.open) + 1, line, column)
                if event.anchor:
                    self.anchors[event.anchor] = None
                self.open.append(_Open(isinstance(event, yaml.MappingStartEvent), line, column, event.anchor))
            case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                self._close()
            case yaml.DocumentStartEvent():
                self.documents += 1
                if self.documents > 1:
                    stop(self.file, line, column, "a second document begins here; a file holds one schema")

    def _is_text(self, tag: str | None, line: int, column: int) -> bool:
        if tag is None:
            return False
        if tag not in TEXT_TAGS:
            self._bad_tag(tag, line, column)
        return True

    def _bad_tag(self, tag: str, line: int, column: int) -> NoReturn:
        shown = tag.replace("tag:yaml.org,2002:", "!!")[:60]
        stop(self.file, line, column, f"tags such as {shown!r} are not read in a schema file; leave it out")

    def _check_depth(self, depth: int, line: int, column: int) -> None:
        if depth > MAX_DEPTH:
            stop(self.file, line, column, f"lists and mappings are nested more than {MAX_DEPTH} deep")

    def _alias(self, name: str | None, line: int, column: int) -> None:
        if name is None or name not in self.anchors:
            stop(self.file, line, column, f"there is no anchor &{name} before *{name}")
        target = self.anchors[name]
        if target is None:
            stop(self.file, line, column, f"*{name} stands inside &{name}, so it would hold itself")
        self._check_depth(len(self.open) + target.height, line, column)
        self._add(target.node, target.size, target.height, None)

    def _close(self) -> None:
        done = self.open.pop()
        node: Node
        if done.is_map:
            node = MapNode(self._pairs(done), done.line, done.column)
        else:
            node = ListNode(tuple(done.items), done.line, done.column)
        self._add(node, done.size, done.height, done.anchor)

    def _add(self, node: Node, size: int, height: int, anchor: str | None) -> None:
        if anchor:
            self.anchors[anchor] = _Anchored(node, size, height)
        if not self.open:
            self.root = node
            return
        parent = self.open[-1]
        parent.items.append(node)
        parent.size += size
        parent.height = max(parent.height, height + 1)
        if parent.size > MAX_NODES:
            stop(self.file, node.line, node.column, f"the file expands to more than {MAX_NODES:,} items")

    def _pairs(self, done: _Open) -> tuple[tuple[ScalarNode, Node], ...]:
        """The pairs of a mapping, with those that `<<` merges into it behind its own."""
        own: list[tuple[ScalarNode, Node]] = []
        merged: list[MapNode] = []
        for key, value in zip(done.items[::2], done.items[1::2], strict=True):
            if not isinstance(key, ScalarNode):
                self.problems.append(
                    Problem(self.file, key.line, key.column, "a key must be plain text, not a list or mapping")
                )
            elif key.text == "<<" and not key.quoted:
                merged.extend(self._merged(value))
            else:
                own.append((key, value))
        seen: dict[str, ScalarNode] = {}
        for key, _ in own:
            first = seen.setdefault(key.text, key)
            if first is not key:
                self.problems.append(Problem(self.file, key.line, key.column, doubled(key, first)))
        for other in merged:
            for key, value in other.pairs:
                if key.text not in seen:
                    seen[key.text] = key
                    own.append((key, value))
        return tuple(own)

    def _merged(self, value: Node) -> Iterator[MapNode]:
        for node in value.items if isinstance(value, ListNode) else (value,):
            if isinstance(node, MapNode):
                yield node
            elif not (isinstance(node, ScalarNode) and node.absent):
                self.problems.append(
                    Problem(
                        self.file,
                        node.line,
                        node.column,
                        "`<<` takes a mapping, as in `<<: *anchor`, or a list of them",
                    )
                )


def _syntax_error(error: yaml.YAMLError, text: str, file: str) -> NoReturn:
    mark: yaml.Mark | None = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    said = str(getattr(error, "problem", None) or getattr(error, "reason", None) or error).splitlines()[0]
    if mark is None:
        stop(file, 0, 0, f"not readable as YAML: {said}")
    lines = text.splitlines()
    line = lines[mark.line] if mark.line < len(lines) else ""
    stop(file, mark.line + 1, mark.column + 1, f"not readable as YAML: {said}{_advice(said, line, mark.column)}")


def _advice(said: str, line: str, column: int) -> str:
    char = line[column : column + 1]
    if "mapping values are not allowed" in said:
        return "; a text with `: ` in it must be quoted"
    if "but got '?'" in said:
        return "; within [ ] a name with `?` must be quoted here"
    if "cannot start any token" in said and char == "\t":
        return "; indent with spaces, not with a tab"
    if "cannot start any token" in said:
        return f"; a text that begins with {char!r} must be quoted"
    return ""
