"""The evidence units of an answer: its quotes, its claim sentences, its names, each with its place.

Quotation marks are paired in the order they stand, so that prose between two quotes is never taken for a third.
Short quotes are titles and scare quotes, short sentences prove nothing by being somewhere: both have a least length.
Names count only with several words, since one capital begins every sentence.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache

from schemacast.claims.framing_words import FRAMING
from schemacast.claims.sentences import answer_sentences, without_citations
from schemacast.claims.words import Word, is_function_word, words

MIN_QUOTE_CHARS = 4
"""A quoted stretch shorter than this is no evidence unit."""

MIN_SPAN_CHARS = 10
"""A claim sentence shorter than this is no evidence unit."""

QUOTE_MARKS = '"“”„‟«»＂「」『』'
"""Every double quotation mark; any two that follow each other are a pair."""

UNQUOTED = str.maketrans(dict.fromkeys(QUOTE_MARKS, " "))
"""What blanks the marks of a text."""

_MARK = re.compile(f"[{re.escape(QUOTE_MARKS)}]")
_FRAMING_PREFIX = re.compile(
    r"(?:according to|based on|as stated in|as per|from|in|per|laut|gemäß|nach|zufolge|selon|d['’]après|según"
    r"|de acuerdo con"
    r"|the (?:source|document|text|context|passage|report)s? (?:say|state|mention|note|report|indicate)s?(?: that)?"
    r"|yes|sure|certainly|in summary|in short|to summarize|overall|in conclusion)\b(?P<rest>[^,:.]{0,60})[,:]\s+",
    re.IGNORECASE,
)
_LONGEST_INITIAL = 2
_LEAD = 80
"""How far before a word is looked for what ends a sentence."""
_PARTICLES = frozenset(("of", "de", "von", "van", "der", "den", "del", "da", "di", "du", "la", "le", "el", "al", "bin"))
_GAP = re.compile(r"\.?\s{1,2}|[-’']")


@lru_cache(maxsize=64)
def quote_places(answer_text: str) -> tuple[tuple[int, int], ...]:
    """Where the quoted stretches of an answer stand, marks excluded, whatever their length."""
    marks = [match.start() for match in _MARK.finditer(answer_text)]
    return tuple((marks[at] + 1, marks[at + 1]) for at in range(0, len(marks) - 1, 2))


def within(places: Sequence[tuple[int, int]], start: int, end: int) -> Sequence[tuple[int, int]]:
    """Of ordered places those that begin within `[start, end)`."""
    return places[bisect_left(places, (start, 0)) : bisect_left(places, (end, 0))]


def extract_quotes(answer_text: str) -> list[str]:
    """The quoted stretches of at least `MIN_QUOTE_CHARS` characters, in order."""
    quotes = (answer_text[start:end].strip() for start, end in quote_places(answer_text))
    return [quote for quote in quotes if len(quote) >= MIN_QUOTE_CHARS]


def claim_places(answer_text: str) -> list[tuple[int, int]]:
    """Where the sentences stand that claim something, a framing prefix (`According to the text,`) left out."""
    found = []
    for sentence in answer_sentences(answer_text):
        if sentence.kind != "claim":
            continue
        start = sentence.start
        prefix = _FRAMING_PREFIX.match(answer_text, start, sentence.end)
        if prefix is not None and all(
            word.folded in FRAMING or is_function_word(word, None) for word in words(prefix["rest"])
        ):
            start = prefix.end()
        found.append((start, sentence.end))
    return found


def extract_claim_spans(answer_text: str) -> list[str]:
    """The sentences that claim something, without bullets, framing and citation marks, of `MIN_SPAN_CHARS` or more."""
    spans = (without_citations(answer_text[start:end]).strip() for start, end in claim_places(answer_text))
    return [span for span in spans if len(span) >= MIN_SPAN_CHARS]


@lru_cache(maxsize=16)
def name_places(answer_text: str) -> tuple[tuple[int, int], ...]:
    """Where names of several words stand, in order."""
    found: list[tuple[int, int]] = []
    run: list[Word] = []
    for word in words(answer_text):
        gap = answer_text[run[-1].end : word.start] if run else ""
        joined = bool(run) and _GAP.fullmatch(gap) is not None and ("." not in gap or _abbreviates(run[-1]))
        if run and not joined:
            found += _name(run, answer_text)
            run = []
        if (word.capital and not word.numeric) or (run and word.folded in _PARTICLES):
            run.append(word)
        elif run:
            found += _name(run, answer_text)
            run = []
    return (*found, *_name(run, answer_text))


def _abbreviates(word: Word) -> bool:
    """Whether a point behind a word may stand inside a name: `Thomas A. Anderson`, `St. Gallen`."""
    return word.end - word.start <= _LONGEST_INITIAL


def _opens(word: Word, answer_text: str) -> bool:
    """Whether a word stands where a sentence begins, so that its capital says nothing."""
    before = answer_text[max(0, word.start - _LEAD) : word.start].rstrip(" \t\"'“”„«»([*_-")
    return not before or before[-1] in ".!?:;\n\r。！？"


def _name(run: list[Word], answer_text: str) -> list[tuple[int, int]]:
    """The place of a name, without what only begins a sentence and without particles at its ends."""
    while (
        run
        and _opens(run[0], answer_text)
        and (is_function_word(run[0], "en") or run[0].folded in FRAMING or run[0].folded in _OPENERS)
    ):
        run = run[1:]
    while run and run[-1].folded in _PARTICLES:
        run = run[:-1]
    return [(run[0].start, run[-1].end)] if sum(word.capital for word in run) > 1 else []


_OPENERS = frozenset(("however", "now", "additionally", "furthermore", "moreover", "meanwhile", "today", "finally"))


def extract_proper_nouns(answer_text: str) -> list[str]:
    """Capitalized phrases of several words, each once, in order."""
    return list(dict.fromkeys(answer_text[start:end] for start, end in name_places(answer_text)))
