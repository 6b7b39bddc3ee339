"""Reads the JSON in a model's reply, also where the model wrapped, dressed or broke it.

A reply that is plain JSON costs one call of the standard library's reader. Anything else is read by a
reader of our own that mends only what can be read in one way: fences and words around the JSON,
reasoning before it, trailing commas, Python literals and quotes, raw line breaks in strings, stray
brackets, a cut end. It never completes a half value: what stands unfinished is left out and said so.
Every step moves forward through the text or spends from a fixed budget of second looks, and nesting
is kept on a stack of our own, so hostile input costs linear time and no recursion.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import cast

from schemacast.errors import ModelError
from schemacast.llm.scan import Container, Scan, join_pairs, number, scan_value
from schemacast.schema.values import Json

Accept = Callable[[Json], int]
"""How well a value has the wanted shape: 0 not at all; of several values the highest wins, then the last."""

_TOP = re.compile(
    r"\[|\{(?=\s*(?:[\"'}/]|[^\W\d]|\Z))|</(?:think|thinking|thought|thoughts|reasoning|analysis|scratchpad)>",
    re.IGNORECASE,
)
_OPENING = re.compile(r"\A\s*<(?:think|thinking|thought|thoughts|reasoning|analysis|scratchpad)>", re.IGNORECASE)
_BARE_MEMBER = re.compile(r'\A(?:\s|```\w*)*"\w{1,40}"\s*:\s*[\[{]')
_FENCE = re.compile(r"```[\w-]*|~~~[\w-]*")
_GOES_ON = re.compile(r"\s*[,\]}:]")
_BLANK = " \t\r\n\ufeff"
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_SECOND_LOOKS = 2
"""How many times the length of a reply may be spent on looking again at text that a failed start covered."""
_STRICT_LOOKS = 32
"""How many starts are tried with the standard library's reader, each at most one pass over the rest."""


class UnreadableReply(ModelError):
    """No JSON of the wanted shape is in the reply."""


@dataclass(frozen=True, slots=True)
class JsonReading:
    """What was read. `repaired` names what was mended, in order of finding, without repeats.

    `cut`: the JSON breaks off; what was finished before stands in `value`. `blank` says that nothing
    but fences and reasoning stood around it.
    """

    value: Json
    repaired: tuple[str, ...] = ()
    cut: bool = False
    blank: bool = True


def _constant(name: str) -> Json:
    raise ValueError(name)


def _pairs(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    return found if len(found) == len(pairs) else join_pairs(pairs)


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_float=number, parse_int=number, parse_constant=_constant)
_FAILURES = (ValueError, RecursionError)


def read_json(text: str, accept: Accept) -> JsonReading:
    """The JSON value of a reply that `accept` takes.

    Of several values at the top level that with the highest rank wins, of equal ones the last, since
    reasoning and examples come before an answer; values before a closing reasoning tag are never taken.
    Numbers that a float would change and integers over 300 digits are kept as text, NaN and Infinity
    are null, a lone surrogate becomes U+FFFD. Of a doubled key equal values fold, lists are joined,
    else the first stands. Raises UnreadableReply when nothing is accepted.
    """
    try:
        value = cast(Json, _DECODER.decode(text))
    except _FAILURES:
        pass
    else:
        if _SURROGATE_ESCAPE.search(text) or not _encodable(text):
            value = _without_surrogates(value)
        if accept(value):
            return JsonReading(value)
    return _read_loosely(text if _encodable(text) else _SURROGATE.sub("\ufffd", text), accept)


def _read_loosely(text: str, accept: Accept) -> JsonReading:
    opened = _BARE_MEMBER.match(text)
    if opened:
        brace = opened.group().index('"')
        text = f"{text[:brace]}{{{text[brace:]}"
    best: _Found | None = None
    answer = 0
    for found in _candidates(text, accept):
        if isinstance(found, int):
            best, answer = None, found
        elif best is None or found.rank >= best.rank:
            best = found
    if best is None:
        raise UnreadableReply("the reply holds no JSON of the wanted shape")
    before, after = text[answer : best.start], text[best.end :]
    marks = _around(before, after, reasoned=answer > 0)
    blank = "preamble" not in marks and "epilogue" not in marks
    marks += [*best.scan.repaired, *(["stray_bracket"] if opened else [])]
    value = _without_surrogates(best.scan.value) if _SURROGATE_ESCAPE.search(text) else best.scan.value
    return JsonReading(value, tuple(dict.fromkeys(marks)), best.scan.broken, blank)


@dataclass(frozen=True, slots=True)
class _Found:
    start: int
    end: int
    scan: Scan
    rank: int


def _candidates(text: str, accept: Accept) -> Iterator[_Found | int]:
    """Every accepted value at the top level, in order, and where each closed reasoning ends."""
    position = 0
    looks, budget = _STRICT_LOOKS, _SECOND_LOOKS * len(text)
    while (opener := _TOP.search(text, position)) is not None:
        start, position = opener.span()
        if opener.group()[0] == "<":
            yield position
            continue
        scan = None
        if looks:
            looks -= 1
            scan = _strict(text, start)
        if scan is None:
            scan = scan_value(text, start, accept)
        rank = accept(scan.value)
        if rank:
            yield _Found(start, scan.end, scan, rank)
        budget -= scan.end - start
        if rank or not scan.broken or scan.hopeless or budget < 0:
            position = max(scan.end, position)


def _strict(text: str, start: int) -> Scan | None:
    try:
        value, end = _DECODER.raw_decode(text, start)
    except _FAILURES:
        return None
    if _GOES_ON.match(text, end):
        return None  # a bracket too early or too many: the loose reader decides
    return Scan(cast(Json, value), end)


def _around(before: str, after: str, *, reasoned: bool) -> list[str]:
    marks = []
    if _FENCE.search(before):
        marks.append("fence")
    if reasoned or _OPENING.match(before):
        marks.append("reasoning")
    if _FENCE.sub("", before).strip(_BLANK):
        marks.append("preamble")
    if _FENCE.sub("", after).strip(_BLANK):
        marks.append("epilogue")
    return marks


def _encodable(text: str) -> bool:
    return text.isascii() or _SURROGATE.search(text) is None


def _without_surrogates(value: Json) -> Json:
    """The value with every lone surrogate as U+FFFD, walked without recursion."""
    holder: list[Json] = [value]
    pending: list[Container] = [holder]
    while pending:
        container = pending.pop()
        if isinstance(container, dict):
            for key in [key for key in container if _SURROGATE.search(key)]:
                container[_SURROGATE.sub("\ufffd", key)] = container.pop(key)
        items = list(container.items()) if isinstance(container, dict) else list(enumerate(container))
        for key_or_index, item in items:
            if isinstance(item, str):
                container[key_or_index] = _SURROGATE.sub("\ufffd", item)  # type: ignore[index]
            elif isinstance(item, (dict, list)):
                pending.append(item)
    return holder[0]


__all__ = ["Accept", "JsonReading", "UnreadableReply", "read_json"]
