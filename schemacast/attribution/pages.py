"""A source's text: whether it is one at all, which parts of a long one a model is shown, and where a quote stands in
it.

An error page has a text too, short and about itself; what its title or beginning says is told by a list of phrases,
and only a short text is taken for one. Of a long text a model sees the passages that share the rarest words with the
claim, the first always among them. A quote is looked for in these first. It is widened to whole sentences, since half
a sentence can say the opposite of the whole ("it is false that …"); headings and menus that stand before it on lines of
their own are left out.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass

from schemacast.attribution.models import SHORTEST_QUOTE
from schemacast.corpus.passages import passages
from schemacast.ground import TextSpan, locate
from schemacast.ground.characters import fold
from schemacast.language.scripts import UNSPACED
from schemacast.language.sentences import sentence_range, sentences
from schemacast.language.tokens import widen

__all__ = ["Shown", "around", "is_error_page", "quoted", "shown_parts", "word_list"]

MOST_SHOWN = 8_000
"""Characters of a source that a model is shown."""
LONGEST_WIDENED = 1_000
"""Characters up to which a quote is widened to its sentences: as many as a quote may have."""
MARGIN = 600
"""Characters of the text around a quote on either side."""
_WORD_END = re.compile(r"\S+")
_ANNOUNCING = (":", ",", ";", "-", "–", "：")
_LINE_BREAK = re.compile(r"\s*[\n\r\u2028]\s*")
LEFT_OUT = "\n[…]\n"
_ERROR_LENGTH = 1_500
_BEGINNING = 200

_WORDS = re.compile(f"[{UNSPACED}]|[^\\W_{UNSPACED}]+")
_ERROR_START = re.compile(
    r"\W*(?:(?:error|http|status|fehler|erreur|code)\W{0,3})*(?:40[0-9]|410|429|451|50[0-4]|52[0-7])\b"
    r"(?=\W*(?:error|not found|forbidden|unauthori[sz]ed|bad request|bad gateway|service|gateway|internal|too many|gone"
    r"|unavailable|page|\||$))",
    re.IGNORECASE,
)
_ERROR_PHRASE = re.compile(
    r"page (?:could )?not (?:be )?found|(?:page|url|resource|file) (?:was )?not found"
    r"|page (?:you (?:requested|are looking for|were looking for) )?"
    r"(?:cannot|can['’]t|could not|couldn['’]t|does not|doesn['’]t|no longer) (?:be found|exists?)"
    r"|access (?:to this page (?:has been|is) )?denied|403 forbidden|internal server error|bad gateway"
    r"|service (?:temporarily )?unavailable|too many requests|just a moment\b|checking your browser"
    r"|verify (?:that )?you are (?:a )?human|are you a robot|enable javascript(?: and cookies)?|you have been blocked"
    r"|(?:site|domain) (?:is )?(?:for sale|under maintenance)|seite (?:konnte )?nicht gefunden|zugriff verweigert"
    r"|page (?:introuvable|non trouvée)|accès refusé|página no encontrada|acceso denegado|ページが見つかりません",
    re.IGNORECASE,
)


def is_error_page(title: str, text: str) -> bool:
    """Whether a page tells only that there is no page: a short text whose title or beginning says so."""
    stripped = text.strip()
    if len(stripped) > _ERROR_LENGTH:
        return False
    if _ERROR_START.match(title) or _ERROR_START.match(stripped):
        return True
    return any(_ERROR_PHRASE.search(part) is not None for part in (title, stripped[:_BEGINNING]))


@dataclass(frozen=True, slots=True)
class Shown:
    """What a model sees of a text: the parts, in order, and these as one text."""

    parts: tuple[tuple[int, int], ...]
    text: str


def shown_parts(text: str, claim: str, *, at_most: int = MOST_SHOWN) -> Shown:
    """The whole text if it is short enough, else its first passage and those nearest to the claim."""
    if len(text) <= at_most:
        return Shown(((0, len(text)),), text)
    found = passages(text)
    words = [Counter(word_list(text[start:end])) for start, end in found]
    wanted = set(word_list(claim))
    holding = Counter(word for counts in words for word in wanted & counts.keys())
    score = [sum(math.log(1 + len(found) / holding[word]) for word in wanted & counts.keys()) for counts in words]
    taken, length = [], 0
    for number in sorted(range(len(found)), key=lambda each: (each > 0, -score[each], each)):
        size = found[number].end - found[number].start + len(LEFT_OUT)
        if length + size <= at_most:
            taken.append(number)
            length += size
    parts: list[tuple[int, int]] = []
    for number in sorted(taken):
        start, end = found[number]
        if parts and number - 1 in taken:
            start = parts.pop()[0]
        parts.append((start, end))
    return Shown(tuple(parts), LEFT_OUT.join(text[start:end] for start, end in parts))


def quoted(quote: str, text: str, shown: Shown) -> TextSpan | None:
    """Where a source says what a model quotes, in whole sentences; None when it does not."""
    found = None
    for start, end in shown.parts:
        here = locate(quote, text[start:end])
        if here is not None:
            found = (here.start + start, here.end + start)
            break
    if found is None:
        anywhere = locate(quote, text)
        if anywhere is None:
            return None
        found = (anywhere.start, anywhere.end)
    start, end = _whole(text, *found)
    return TextSpan(start=start, end=end)


def _whole(text: str, start: int, end: int) -> tuple[int, int]:
    """A span widened to its sentences, less the lines of these that only stand beside them; or to its words."""
    first, last = sentence_range(text, start, end)
    spans = sentences(text)
    wide = min(start, spans[first][0]), max(end, spans[last][1])
    lines = _lines(text, wide, start, end)
    for begin, stop in (lines, wide):
        if SHORTEST_QUOTE <= stop - begin <= LONGEST_WIDENED:
            return begin, stop
    return widen(text, start, end)


def _lines(text: str, wide: tuple[int, int], start: int, end: int) -> tuple[int, int]:
    """A sentence from the last deliberate line break before a span to the first one behind it.

    A text that is broken at a width is broken only where the next word goes beyond it; a break where it would still
    have fitted is deliberate, unless the line announces what follows.
    """
    begin, stop = wide
    if end - start > LONGEST_WIDENED:
        return wide
    near = max(begin, start - LONGEST_WIDENED), min(stop, end + LONGEST_WIDENED)
    width = max(map(len, text[slice(*near)].splitlines()), default=0)
    line = near[0]
    for match in _LINE_BREAK.finditer(text, *near):
        ended = text[line : match.start()].rstrip()
        next_word = _WORD_END.match(text, match.end(), near[1])
        line = match.end()
        if next_word is None or ended.endswith(_ANNOUNCING) or len(ended) + 1 + len(next_word[0]) > width:
            continue
        if match.end() <= start:
            begin = match.end()
        elif match.start() >= end:
            stop = match.start()
            break
    return begin, stop


def around(text: str, span: TextSpan) -> str:
    """The sentences around a span."""
    first, last = sentence_range(text, max(0, span.start - MARGIN), min(len(text), span.end + MARGIN))
    spans = sentences(text)
    start, end = min(spans[first][0], span.start), max(spans[last][1], span.end)
    if end - start > 4 * MARGIN + span.end - span.start:  # no sentences to speak of
        start, end = widen(text, max(start, span.start - MARGIN), min(end, span.end + MARGIN))
    return text[start:end]


def word_list(text: str) -> list[str]:
    """The words of a text, folded; in scripts without spaces each character is one."""
    return _WORDS.findall(fold(text))
