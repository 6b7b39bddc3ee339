"""The claims of an answer in pointer lines: `Claim text. [E12]`, one or more a line.

A tag closes the claim before it; a line that begins with a tag and has no other is read the other way round. Text
behind the last tag of a line is a claim without a pointer, so that nothing hides behind a citation. Framing and
headings claim nothing and are left out; that the sources hold no answer is told apart. Offsets count characters of
the answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from schemacast.claims.sentences import answer_sentences, is_absence

PARSED = "PARSED"
NO_POINTER = "NO_EVIDENCE_POINTER"
INVALID = "SCHEMA_INVALID"

_TAG = re.compile(r"[\[(（【]\s*[Ee]\w{1,12}(?:\s*(?:,|;|、|and|&)?\s*[Ee]\w{1,12})*\s*[\])）】]")
_POINTER = re.compile(r"[Ee]\d+|[Ee][0-9a-fA-F]{8}")
_MEMBER = re.compile(r"[Ee]\w{1,12}")
_LINE = re.compile(r"[^\r\n\x0b\x0c\x85\u2028\u2029]+")
_LIST_MARK = re.compile(r"[ \t]*(?:[-*+•‣▪–—·]|\d{1,3}[.)]|>)[ \t]+|[ \t]+")
_SPACE = " \t\u00a0"


@dataclass(frozen=True, slots=True)
class ParsedClaim:
    """A claim as the model wrote it, with the ids it points at, and where its text stands in the answer.

    `detail` says which of its fields is missing or of another type.
    """

    text: str
    pointer_ids: tuple[str, ...]
    parse_status: str
    start: int = 0
    end: int = 0
    problems: tuple[str, ...] = ()
    detail: str = ""


def parse_pointer_lines(answer_text: str) -> list[ParsedClaim]:
    """The claims of an answer, in order. Absences and framing are none."""
    found: list[ParsedClaim] = []
    for line in _LINE.finditer(answer_text):
        mark = _LIST_MARK.match(line.group())
        start = line.start() + (mark.end() if mark else 0)
        tags = [tag for tag in _TAG.finditer(answer_text, start, line.end()) if _pointers(tag.group())]
        if tags and found and found[-1].parse_status == NO_POINTER and _only_tags(answer_text, start, line.end(), tags):
            last = found.pop()
            pointers = tuple(pointer for tag in tags for pointer in _pointers(tag.group()))
            found.append(ParsedClaim(last.text, pointers, PARSED, last.start, last.end))
            continue  # tags on a line of their own belong to the claim above
        if tags and tags[0].start() == start and len(tags) == 1:
            at = _skip(answer_text, tags[0].end(), line.end())
            if at < line.end():
                found.append(_claim(answer_text, at, line.end(), _pointers(tags[0].group())))
                continue
        at = start
        for number, tag in enumerate(tags):
            if number and _joined(answer_text, tags[number - 1].end(), tag.start()) and found:
                last = found.pop()
                pointers = (*last.pointer_ids, *_pointers(tag.group()))
                found.append(ParsedClaim(last.text, pointers, PARSED, last.start, last.end))
            else:
                found.append(_claim(answer_text, at, tag.start(), _pointers(tag.group())))
            at = tag.end()
        found += _untagged(answer_text, at, line.end())
    return found


def _pointers(tag: str) -> tuple[str, ...]:
    """The ids of a tag; one that looks like none (`[Editor]`) is no tag."""
    members = _MEMBER.findall(tag)
    if not all(_POINTER.fullmatch(member) for member in members):
        return ()
    return tuple(dict.fromkeys("E" + member[1:] for member in members))


def _claim(answer: str, start: int, end: int, pointers: tuple[str, ...]) -> ParsedClaim:
    start, end = _trim(answer, start, end)
    text = answer[start:end]
    if not any(char.isalnum() for char in text):
        return ParsedClaim("", pointers, INVALID, start, end, ("empty_claim",))
    return ParsedClaim(text, pointers, PARSED, start, end)


def _untagged(answer: str, start: int, end: int) -> list[ParsedClaim]:
    """What stands behind the last tag of a line, or on a line without one, as far as it claims something."""
    rest = answer[start:end]
    if not any(char.isalnum() for char in rest):
        return []
    claiming = [each for each in answer_sentences(rest) if each.kind in ("claim", "question")]
    if not claiming:
        return []
    first, last = _trim(answer, start + claiming[0].start, start + claiming[-1].end)
    return [ParsedClaim(answer[first:last], (), NO_POINTER, first, last)]


def is_absent_answer(answer_text: str) -> bool:
    """Whether an answer says, besides framing, only that the sources hold none."""
    kinds = {each.kind for each in answer_sentences(_TAG.sub("", answer_text))} - {"framing", "question"}
    return kinds == {"absence"}


def deflects(text: str) -> bool:
    """Whether a claim says only that the sources hold no answer."""
    return is_absence(text)


def _only_tags(answer: str, start: int, end: int, tags: list[re.Match[str]]) -> bool:
    """Whether a line holds tags and no word besides."""
    edges = [start, *(at for tag in tags for at in tag.span()), end]
    between = (answer[edges[at] : edges[at + 1]] for at in range(0, len(edges), 2))
    return not any(char.isalnum() for text in between for char in text)


def _joined(answer: str, start: int, end: int) -> bool:
    """Whether nothing but a separator stands between two tags."""
    return not answer[start:end].strip(_SPACE + ",;、")


def _skip(answer: str, start: int, end: int) -> int:
    while start < end and answer[start] in _SPACE + ":-–—":
        start += 1
    return start


def _trim(answer: str, start: int, end: int) -> tuple[int, int]:
    while start < end and answer[start] in _SPACE + ",;.:、。":
        start += 1
    while end > start and answer[end - 1] in _SPACE + ",;、":
        end -= 1
    return start, end
