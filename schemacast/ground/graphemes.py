"""Where one character, as a reader sees it, ends and the next begins.

The rules of Unicode's extended grapheme clusters (UAX #29) come from the `regex` package; Python's own
library has none. Plain letters are decided without it, so that it is imported only for a text that has
combining marks, emoji or a script that needs the rules.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Protocol, cast

_LOOK_BACK = 64
_PLAIN = re.compile(
    "[\u0370-\u0482\u048a-\u0559\u0560-\u0588\u05d0-\u05ea\u0620-\u064a\u0904-\u0939\u0e01-\u0e30\u0e40-\u0e46"
    "\u1e00-\u1fff\u2010-\u2027\u2030-\u203b\u20a0-\u20c0\u3001-\u3029\u3041-\u3096\u309b-\u9fff\uac00-\ud7a3\uff01-\uff9d]"
    "|[^\u0300-\U0010ffff]"
)
"""Characters that neither continue the one before nor take in the one after."""

_ANCHOR = re.compile(f"(?![\u0904-\u0939])(?:{_PLAIN.pattern})")
"""Plain characters whose left neighbours have no say in what follows; an Indic consonant may continue a conjunct."""

_FLAG_LETTER = re.compile("[\U0001f1e6-\U0001f1ff]")


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
    if _PLAIN.match(before) and _PLAIN.match(after):
        return True
    if _FLAG_LETTER.match(before) and _FLAG_LETTER.match(after):
        return _even_before(text, index)
    if unicodedata.category(after) in ("Mn", "Me") and unicodedata.category(before)[0] in "LMNPS":
        return False
    start, limit = index - 1, max(0, index - _LOOK_BACK)
    while start > limit and not _ANCHOR.match(text[start]):
        start -= 1
    window = text[start : index + 1]
    match, place = _cluster(), 0
    while place < index - start:
        found = match(window, place)
        if found is None:
            return True
        place = found.end()
    return place == index - start


def _even_before(text: str, index: int) -> bool:
    """Whether an even number of flag letters stands right before `index`: flags are pairs of them."""
    start = index
    while start > 0 and _FLAG_LETTER.match(text[start - 1]):
        start -= 1
    return (index - start) % 2 == 0
