"""The tree that a schema file is read into, before anything in it is understood.

YAML and JSON give the same three kinds of node, each with the line and column where it begins. A
scalar is the text that was written and whether it was quoted; its type comes from the field it stands
in. The limits on nesting and size are here because both readers keep them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from schemacast.errors import Problem, SchemaError

MAX_NODES = 100_000
MAX_DEPTH = 60
NULLS = frozenset(("", "~", "null", "Null", "NULL"))


@dataclass(frozen=True, slots=True)
class ScalarNode:
    """A scalar as written. `absent` for a plain null or nothing at all."""

    text: str
    quoted: bool
    line: int
    column: int

    @property
    def absent(self) -> bool:
        return not self.quoted and self.text in NULLS


@dataclass(frozen=True, slots=True)
class ListNode:
    items: tuple[Node, ...]
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class MapNode:
    """A mapping in the order of the file; a doubled key (reported) is in it twice."""

    pairs: tuple[tuple[ScalarNode, Node], ...]
    line: int
    column: int


Node = ScalarNode | ListNode | MapNode


def stop(file: str, line: int, column: int, message: str) -> NoReturn:
    """Give up on a file that cannot be read any further."""
    raise SchemaError([Problem(file, line, column, message)])


def doubled(key: ScalarNode, first: ScalarNode) -> str:
    """The message for a key that stands twice in one mapping."""
    return f"{shorten(key.text)} stands twice, on lines {first.line} and {key.line}; only one can hold"


def shorten(text: str, length: int = 60) -> str:
    """A text from the file as a message shows it: quoted, on one line, not too long."""
    return repr(text if len(text) <= length else text[: length - 1] + "…")
