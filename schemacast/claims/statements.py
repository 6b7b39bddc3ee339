"""Where the statements of a source begin and end: its sentences, and the lines that are entries of their own.

A log, a chat, a list or a table has no end marks, and its lines are one sentence to the splitter of sentences. What one
line says at 10:02 was not said at 10:04, so a line that begins with a stamp, a bullet or a label ends the one
before it. A line break alone ends nothing, since prose is wrapped.
"""

from __future__ import annotations

import re
from functools import lru_cache

from schemacast.language.sentences import sentences

_ENTRY = re.compile(
    r"[\r\n]+[ \t]*(?="
    r"\[|[-*•·–][ \t]|\||#{1,6}[ \t]|\d{4}-\d\d-\d\d(?!\d)"
    r"|(?:\d{1,2}[:.]\d\d(?:[:.]\d\d)?[ \t]+)?[^\W\d_][\w.'’ -]{0,24}:[ \t]"
    r")"
)


@lru_cache(maxsize=64)
def statements(text: str) -> tuple[tuple[int, int], ...]:
    """The statements of a text, in order, as (start, end) in characters, end exclusive; only whitespace is outside."""
    found: list[tuple[int, int]] = []
    for start, end in sentences(text):
        at = start
        for match in _ENTRY.finditer(text, start, end):
            found.append((at, at + len(text[at : match.start()].rstrip())))
            at = match.end()
        found.append((at, end))
    return tuple((start, end) for start, end in found if start < end)
