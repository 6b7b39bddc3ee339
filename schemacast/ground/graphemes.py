"""Where one character, as a reader sees it, ends and the next begins.

The rules of Unicode's extended grapheme clusters (UAX #29) come from the `regex` package; Python's own
library has none. Plain letters are decided without it, so that it is imported only for a text that has
combining marks, emoji or a script that needs the rules.
"""

from __future__ import annotations

from functools import cache
from typing import Protocol, cast

_LOOK_BACK = 64


class _Match(Protocol):
    def end(self) -> int: ...


class _Matcher(Protocol):
    def __call__(self, text: str, pos: int, /) -> _Match | None: ...


@cache
def _cluster() -> _Matcher:
    import regex

    return cast(_Matcher, regex.compile(r"\X").match)


def is_boundary(text: str, index: int) -> bool:
    """Whether a character begins, or the text ends, at `index`."""
    if not 0 < index < len(text):
        return True
    before, after = text[index - 1], text[index]
    if before < "\u0300" and after < "\u0300":
        return before != "\r" or after != "\n"
    match = _cluster()
    # Nothing joins across a space or a line end, so clusters can be counted from there.
    start = max(0, index - _LOOK_BACK)
    start = max(text.rfind(" ", start, index - 1), text.rfind("\n", start, index - 1), start)
    while start < index:
        found = match(text, start)
        if found is None:
            return True
        start = found.end()
    return start == index
