"""Reads one JSON value out of a text that is almost JSON, on a stack of its own.

Each thing it mends has one reading only. A closing bracket that fits no open one, or after which the
text goes on as if it were not there, is stray; one that fits an outer bracket closes the inner ones,
if the text goes on accordingly. Where no reading is left the value ends as if the text were cut
there. Of a cut value the half parts are left out: an unfinished item of a list goes as a whole, while
an unfinished member of an object keeps its finished items.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from schemacast.schema.values import Json

MAX_DEPTH = 64
"""How deep brackets may nest in a reply that is not plain JSON; replies need six."""
MAX_INT_DIGITS = 300

Container = dict[str, Json] | list[Json]
_Expect = Literal["value", "key", "colon", "after"]

_SPACE = re.compile(r"(?:[\s\ufeff\u200b]+|//[^\n]*)*")
_STRING = {
    '"': re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)"', re.DOTALL),
    "'": re.compile(r"'([^'\\]*(?:\\.[^'\\]*)*)'", re.DOTALL),
}
_NAME = re.compile(r"[^\W\d]\w{0,63}")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?", re.ASCII)
_NUMBER_GOES_ON = re.compile(r"[\w.+-]")
_KEY_FOLLOWS = re.compile(r",\s*(?:\"[^\"\\\n]{0,100}\"|'[^'\\\n]{0,100}'|[^\W\d]\w{0,63})\s*:")
_MEMBER_FOLLOWS = re.compile(r",\s*(?:\"[^\"\\\n]{0,100}\"|'[^'\\\n]{0,100}')\s*:\s*[\[{\"'\w-]")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|U(00(?:0[0-9a-fA-F]|10)[0-9a-fA-F]{4})|(.))", re.DOTALL)
_SURROGATE_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", '"': '"', "'": "'", "\\": "\\", "/": "/"}
_LITERALS: dict[str, tuple[Json, str | None]] = {
    "true": (True, None),
    "false": (False, None),
    "null": (None, None),
    "True": (True, "python_literal"),
    "False": (False, "python_literal"),
    "None": (None, "python_literal"),
    "undefined": (None, "constant"),
    "NaN": (None, "constant"),
    "nan": (None, "constant"),
    "Infinity": (None, "constant"),
    "inf": (None, "constant"),
}
_CONTROL = re.compile(r"[\x00-\x1f]")


@dataclass(frozen=True, slots=True)
class Scan:
    """A value and where it ends. `broken`: it was cut, by the end of the text or by something unreadable.

    `hopeless`: it nests too deep, and so does whatever begins inside it.
    """

    value: Json
    end: int
    repaired: tuple[str, ...] = ()
    broken: bool = False
    hopeless: bool = False


def number(text: str) -> Json:
    """A JSON number, as the text itself where a float or a short integer would not give it back."""
    if len(text) > MAX_INT_DIGITS:
        return text
    if text.lstrip("-").isdigit():
        return int(text)
    value = float(text)
    return value if repr(value) == text else text


def join_pairs(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    """An object with doubled keys: equal values fold, lists are joined, else the first stands."""
    found: dict[str, Json] = {}
    for key, value in pairs:
        _put(found, key, value)
    return found


def _put(container: dict[str, Json], key: str, value: Json) -> bool:
    """Add a member; False when the key was there."""
    if key not in container:
        container[key] = value
        return True
    stands = container[key]
    if isinstance(stands, list) and isinstance(value, list) and stands != value:
        container[key] = [*stands, *value]
    return False


class _Stop(Exception):
    """The value ends here, unfinished: at the end of the text or at something unreadable."""


@dataclass(slots=True)
class _Frame:
    container: Container
    key: str | None = None

    @property
    def closer(self) -> str:
        return "}" if isinstance(self.container, dict) else "]"


def scan_value(text: str, start: int, accept: Callable[[Json], int]) -> Scan:
    """The object or list that begins at `start`, where `{` or `[` stands.

    `accept` says whether a half object inside a list is worth keeping as the value itself (a whole
    reply inside a stray bracket). Never raises; a value that breaks off is `broken`.
    """
    return _Scanner(text, start, accept).run()


@dataclass(slots=True)
class _Scanner:
    text: str
    position: int
    accept: Callable[[Json], int]
    stack: list[_Frame] = field(default_factory=list)
    root: Json = None
    done: bool = False
    repaired: dict[str, None] = field(default_factory=dict)
    expect: _Expect = "value"
    comma: bool = False
    after_bracket: bool = False
    hopeless: bool = False

    def run(self) -> Scan:
        broken = False
        try:
            while not self.done:
                self._step()
        except _Stop:
            broken = True
            self._cut()
        return Scan(self.root, self.position, tuple(self.repaired), broken, self.hopeless)

    def _step(self) -> None:
        self._skip_space()
        if self.position >= len(self.text):
            raise _Stop
        char = self.text[self.position]
        if char in "]}":
            self._close(char)
        elif self.expect == "after":
            self._separator(char)
        elif self.expect == "colon":
            if char != ":":
                raise _Stop
            self.position += 1
            self.expect = "value"
        elif char == ",":
            self._extra_comma()
        elif self.expect == "key":
            self.stack[-1].key = self._key(char)
            self.expect = "colon"
        else:
            self._value(char)

    def _skip_space(self) -> None:
        found = _SPACE.match(self.text, self.position)
        if found is not None:
            self.position = found.end()

    def _separator(self, char: str) -> None:
        if char == ",":
            self.position += 1
            self.comma = True
        elif self.after_bracket and char in "{[\"'":
            self._mend("missing_comma")
        else:
            raise _Stop
        self.expect = "key" if isinstance(self.stack[-1].container, dict) else "value"

    def _extra_comma(self) -> None:
        frame = self.stack[-1]
        if isinstance(frame.container, dict) and frame.key is not None:
            raise _Stop
        self._mend("trailing_comma")
        self.position += 1

    def _key(self, char: str) -> str:
        if char in _STRING:
            return self._string(char)
        found = _NAME.match(self.text, self.position)
        if found is None:
            raise _Stop
        self._mend("bare_key")
        self.position = found.end()
        return found.group()

    def _value(self, char: str) -> None:
        if char in "{[":
            if len(self.stack) >= MAX_DEPTH:
                self.hopeless = True
                raise _Stop
            self.stack.append(_Frame({} if char == "{" else []))
            self.position += 1
            self.expect = "key" if char == "{" else "value"
            self.comma = False
            return
        if char in _STRING:
            self._put(self._string(char))
        elif char.isdigit() or (char == "-" and self.text[self.position + 1 : self.position + 2].isdigit()):
            self._put(self._number())
        else:
            self._put(self._literal())

    def _string(self, quote: str) -> str:
        found = _STRING[quote].match(self.text, self.position)
        if found is None:
            self.position = len(self.text)
            raise _Stop
        body = found.group(1)
        if quote == "'":
            self._mend("python_literal")
        if _CONTROL.search(body):
            self._mend("raw_line_break")
        self.position = found.end()
        return _unescape(body) if "\\" in body else body

    def _number(self) -> Json:
        found = _NUMBER.match(self.text, self.position)
        if found is None or found.end() >= len(self.text) or _NUMBER_GOES_ON.match(self.text, found.end()):
            raise _Stop  # at the end of the text more digits may have been meant
        self.position = found.end()
        return number(found.group())

    def _literal(self) -> Json:
        sign = self.text.startswith("-", self.position)
        found = _NAME.match(self.text, self.position + sign)
        if found is None or found.group() not in _LITERALS:
            raise _Stop
        value, mark = _LITERALS[found.group()]
        if mark:
            self._mend(mark)
        self.position = found.end()
        return value

    def _put(self, value: Json) -> None:
        """Hand a finished value to the bracket it stands in."""
        self.comma = self.after_bracket = False
        if not self.stack:
            self.root, self.done = value, True
            return
        frame = self.stack[-1]
        if isinstance(frame.container, list):
            frame.container.append(value)
        else:
            if not _put(frame.container, frame.key or "", value):
                self._mend("doubled_key")
            frame.key = None
        self.expect = "after"

    def _close(self, char: str) -> None:
        """Close a bracket, or skip one that is stray."""
        if isinstance(self.stack[-1].container, dict) and self.stack[-1].key is not None:
            raise _Stop  # a key without its value
        depth = next((index for index in range(len(self.stack) - 1, -1, -1) if self.stack[index].closer == char), None)
        self.position += 1
        if depth is None or not self._goes_on(depth):
            self._mend("stray_bracket")
            return
        if self.comma:
            self._mend("trailing_comma")
        if depth < len(self.stack) - 1:
            self._mend("missing_bracket")
        while len(self.stack) > depth:
            self._put(self.stack.pop().container)
        self.after_bracket = True

    def _goes_on(self, depth: int) -> bool:
        """Whether the text after this bracket goes on as it would if the frame at `depth` closed here."""
        space = _SPACE.match(self.text, self.position)
        after = space.end() if space else self.position
        char = self.text[after : after + 1]
        if depth == 0:
            return self._ends(char, after)
        outer = self.stack[depth - 1].container
        if char == ",":
            if isinstance(outer, dict):
                return self._after_comma(after) not in ("{", "[")
            return _KEY_FOLLOWS.match(self.text, after) is None
        return True

    def _ends(self, char: str, after: int) -> bool:
        """Whether the whole value may end before `char`, which stands at `after`."""
        root = self.stack[0].container
        if char == "," and isinstance(root, dict):
            return len(self.stack) == 1 and _MEMBER_FOLLOWS.match(self.text, after) is None
        if char == "," and isinstance(root, list) and root and isinstance(root[-1], dict):
            return self._after_comma(after) not in ("{", "[")
        return len(self.stack) == 1 or char not in ("]", "}", ",") or not char

    def _after_comma(self, comma: int) -> str:
        space = _SPACE.match(self.text, comma + 1)
        after = space.end() if space else comma + 1
        return self.text[after : after + 1]

    def _mend(self, what: str) -> None:
        self.repaired[what] = None

    def _cut(self) -> None:
        """Close what is open, leaving out what is half."""
        value: Json = None
        keep = False
        while self.stack:
            frame = self.stack.pop()
            if keep and isinstance(frame.container, dict) and frame.key is not None:
                _put(frame.container, frame.key, value)
            elif keep and not self.stack and not frame.container and self.accept(value):
                self.root = value
                return
            value, keep = frame.container, True
        self.root = value


def _unescape(body: str) -> str:
    text = _ESCAPE.sub(_one_escape, body)
    return _SURROGATE_PAIR.sub(_one_pair, text)


def _one_escape(found: re.Match[str]) -> str:
    code = found.group(1) or found.group(2) or found.group(3)
    if code:
        return chr(int(code, 16))
    char = found.group(4)
    return _ESCAPED.get(char, found.group())


def _one_pair(found: re.Match[str]) -> str:
    return found.group().encode("utf-16", "surrogatepass").decode("utf-16")
