"""Which sentences of an answer claim something, and when two sentences are the same.

An answer has framing (`Here is what I found:`), headings of a word and marks of citation besides its claims. A sentence
is framing when all its words speak of the answer itself or of the sources; one name, number or other word makes it a
claim, so that nothing slips through as framing. That the sources do not hold an answer is a statement of its own
kind: an absence. Offsets count characters of the answer.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from schemacast.claims.framing_words import ABSENCES, CONNECTING, FRAMING, OFFERS
from schemacast.claims.words import Word, is_function_word, words
from schemacast.ground.characters import fold
from schemacast.language.sentences import sentences

Kind = Literal["claim", "framing", "absence", "question"]

_LIST_MARK = re.compile(r"[ \t]*(?:[-*+•‣▪–—·]|\(?\d{1,3}[.)]|#{1,6}|>)[ \t]+")
_CITED = r"(?:\^|[EeSs]|(?:[Ss]ource|[Qq]uelle|[Dd]oc(?:ument)?|[Ff]uente) )?\d{1,4}"
_CITATION = re.compile(rf"[ \u00a0]?\[\s*{_CITED}(?:\s*[,;–-]\s*{_CITED})*\s*\]")
_LINE = re.compile(r"[^\r\n\x0b\x0c\x85\u2028\u2029]+")
_LED_IN = re.compile(r"[^:：\n]{2,120}[:：](?=\s|[\"“„«]|$)")


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """A sentence of an answer at `[start, end)`, list marks left out, citation marks within."""

    start: int
    end: int
    kind: Kind


def answer_sentences(answer: str) -> tuple[AnswerSentence, ...]:
    """The sentences of an answer, in order, each with its kind.

    Lines are read one by one, since answers list. A citation mark that follows the point belongs to the sentence
    before it; a framing lead-in (`I found this:`) is a sentence of its own.
    """
    found: list[AnswerSentence] = []
    for line in _LINE.finditer(answer):
        mark = _LIST_MARK.match(line.group())
        start = line.start() + (mark.end() if mark else 0)
        if found and not without_citations(line.group()).strip():
            found[-1] = AnswerSentence(found[-1].start, line.start() + len(line.group().rstrip()), found[-1].kind)
            continue  # marks on a line of their own belong to the sentence above
        heading = mark is not None and mark.group().strip().startswith("#")
        for first, last in _parts(answer, start, line.end()):
            kind = _kind(answer[first:last])
            if heading and kind == "claim" and len(words(answer[first:last])) == 1:
                kind = "framing"
            found.append(AnswerSentence(first, last, kind))
    return tuple(found)


def claim_sentences(answer: str) -> tuple[tuple[int, int], ...]:
    """The places of the sentences that claim something."""
    return tuple((each.start, each.end) for each in answer_sentences(answer) if each.kind == "claim")


def _parts(answer: str, start: int, end: int) -> list[tuple[int, int]]:
    """The sentences of a line, citation marks behind a point drawn to it, lead-ins cut off."""
    line = answer[start:end]
    parts: list[tuple[int, int]] = []
    for first, last in sentences(line):
        mark = _leading_marks(line, first, last)
        if parts and mark > first:
            parts[-1] = (parts[-1][0], mark)
            first = mark + len(line[mark:last]) - len(line[mark:last].lstrip())
        if first < last:
            parts.append((first, last))
    cut: list[tuple[int, int]] = []
    for first, last in parts:
        lead = _LED_IN.match(line, first, last)
        if lead is not None and lead.end() < last and says_nothing(lead.group()):
            cut.append((first, lead.end()))
            first = lead.end() + len(line[lead.end() : last]) - len(line[lead.end() : last].lstrip())
        cut.append((first, last))
    return [(start + first, start + last) for first, last in cut if line[first:last].strip()]


def _leading_marks(line: str, first: int, last: int) -> int:
    """Where citation marks that open a stretch end."""
    at = first
    while (match := _CITATION.match(line, at, last)) is not None:
        at = match.end()
    return at


@lru_cache(maxsize=1024)
def _kind(sentence: str) -> Kind:
    bare = without_citations(sentence)
    if is_absence(bare):
        return "absence"
    if bare.rstrip(" \t\"'”’*_)").endswith(("?", "？")):
        offers = any(re.fullmatch(pattern, fold_claim(bare)) for pattern in OFFERS)
        return "framing" if offers or _is_framing(bare) else "question"
    return "framing" if _is_framing(bare) else "claim"


def says_nothing(text: str) -> bool:
    """Whether what stands around a quote adds nothing to it: framing that connects it to nothing else."""
    return _is_framing(text) and not any(word.folded in CONNECTING or _names(word, text) for word in words(text))


def _names(word: Word, text: str) -> bool:
    """Whether a word that is a function word elsewhere is a name here: `It is Per`, not `Per the source`."""
    before = text[: word.start].rstrip()
    opens = not before or before[-1] in '.!?:;\n"“”„«»(*_-–—'
    return word.capital and not opens and word.end - word.start > 1 and word.folded not in FRAMING


def _is_framing(text: str) -> bool:
    """Whether a text has no number, and every word of it is a function word or speaks of answers and sources."""
    inside = words(text)
    return not any(char.isdecimal() for char in text) and all(
        word.folded in FRAMING or word.stem in FRAMING or is_function_word(word, None) for word in inside
    )


def is_absence(sentence: str) -> bool:
    """Whether a sentence says, and says only, that the sources do not hold an answer."""
    return any(pattern.fullmatch(fold_claim(sentence)) for pattern in _absences())


@lru_cache(maxsize=1)
def _absences() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern) for pattern in ABSENCES)


def without_citations(text: str) -> str:
    """A text without its citation marks (`[1]`, `[E2, E3]`)."""
    return _CITATION.sub("", text)


def asks(sentence: str) -> bool:
    """Whether a sentence is a question, which states nothing."""
    return sentence.rstrip(" \t\r\n\"'”’»」)*_").endswith(("?", "？"))


_LEADING = re.compile(r"(?:[-+][.,]?|(?<![.,])[.,])\Z")
"""What belongs to a number that it stands right before: a sign, the point of `.5`; the end of an ellipsis does not."""


@lru_cache(maxsize=1024)
def fold_claim(text: str) -> str:
    """What claims and quotes are compared by: folded as `locate` folds, without the punctuation around them."""
    folded = fold(without_citations(text)).strip()
    start, end = 0, len(folded)
    while start < end and _wraps(folded[start]):
        start += 1
    while end > start and _wraps(folded[end - 1]) and not (folded[end - 1] in "%‰" and end - 2 >= start):
        end -= 1
    leading = _LEADING.search(folded, 0, start) if folded[start : start + 1].isdecimal() else None
    start = leading.start() if leading is not None else start
    return folded[start:end]


def _wraps(char: str) -> bool:
    return char.isspace() or char in "`*_|~" or unicodedata.category(char)[0] == "P"
