"""How one sentence of an answer stands to the sources it cites.

The unit of a sentence is each of its quotes, or the sentence itself. A quote must stand in a cited source, in a
sentence that does not say otherwise, and what the answer's sentence says around its quotes must be framing or stand
in that sentence too. A sentence without quotes must be stated in full by one sentence of a cited source. What only
another source holds is a mismatch that names it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from schemacast.claims.framing_words import CONNECTING, FRAMING
from schemacast.claims.sentences import asks, fold_claim, says_nothing, without_citations
from schemacast.claims.support import Support, support
from schemacast.claims.words import content_stems, is_function_word, language_of, words
from schemacast.ground.folded import folded
from schemacast.qa.extract import MIN_QUOTE_CHARS, UNQUOTED, quote_places, within
from schemacast.qa.lead_in import is_borne_out
from schemacast.qa.located import Place, find_unit, said_otherwise, sentence_around
from schemacast.qa.quote_edges import boundary_faults
from schemacast.qa.stitched import stitched
from schemacast.qa.unit import Unit
from schemacast.qa.verdict import SourceText

LEAST_SHARE = 0.5
"""A sentence of which less is stated is not supported, rather than supported in part."""

LONGEST_SENTENCE = 4_000
"""A longer one is no sentence that anyone could check; it is not verified."""

OTHER_STATEMENT = frozenset(("order", "voice", "tense", "weaker"))
"""Faults of support that make another statement of the source's words; the others leave something of it out."""

_BEST_FIRST = ("EVIDENCE_LINKED", "EVIDENCE_LINKED_PARTIAL", "CITATION_MISMATCH")
_LONG_TEXT = 6_000
_AROUND = 300
_MOST_HITS = 12
_MOST_WINDOWS = 3
_NEAR = 0.7
"""Windows that share fewer words than this part of what the best one shares are not looked at."""
_CITED = re.compile(
    r"\[\s*(?:\^|[Ss]|(?:[Ss]ource|[Qq]uelle|[Dd]oc(?:ument)?|[Ff]uente) )?(\d{1,4}(?:\s*[,;–-]\s*\d{1,4})*)\s*\]"
)
_NUMBER = re.compile(r"(\d{1,4})(?:\s*[–-]\s*(\d{1,4}))?")
_ATTRIBUTION = re.compile(
    r"\W{0,3}(?:according to|as stated in|as reported (?:by|in)|in|laut|gemäß|selon|d['’]après|según)\s"
    r"(?P<who>[^,:\"“„«]{1,80})[,:]\s|\W{0,3}(?P<says>[^,:\"“„«]{1,80}?) (?:says?|states?|reports?|notes?"
    r"|mentions?|reads?)"
    r"(?: that)?[:,]?\s(?=[\"“„«])",
    re.IGNORECASE,
)


def cited_numbers(sentence: str) -> list[int]:
    """The numbers of the sources that a sentence cites (`[1]`, `[1, 3]`, `[2-4]`), each once, in order."""
    found: dict[int, None] = {}
    for tag in _CITED.finditer(sentence):
        for match in _NUMBER.finditer(tag[1]):
            first = int(match[1])
            last = int(match[2]) if match[2] and first < int(match[2]) <= first + 50 else first
            found.update(dict.fromkeys(range(first, last + 1)))
    return list(found)


def judge_sentence(
    answer: str,
    start: int,
    end: int,
    sources: Sequence[SourceText],
    cited: Sequence[int],
    question: str | None = None,
) -> list[Unit]:
    """The units of the sentence `answer[start:end]`, judged against the sources it cites, or all when it cites none.

    A quote is bound to the marks that follow it next; one that none follows to all of the sentence's. A number that no
    source has keeps a unit from being verified.
    `question` is what the answer is to; it decides what a lead-in such as `It is Ada Lind:` may pick out of a quote.
    """
    numbers = [number for number in cited if 0 < number <= len(sources)]
    if cited and not numbers:
        text = without_citations(answer[start:end]).strip()
        return [Unit(start, end, text, "UNKNOWN_EVIDENCE_ID", ("unknown_evidence_id",))]
    bound = numbers or list(range(1, len(sources) + 1))
    quotes = [
        (first, last)
        for first, last in within(quote_places(answer), start, end)
        if last <= end and len(answer[first:last].strip()) >= MIN_QUOTE_CHARS
    ]
    if end - start > LONGEST_SENTENCE:
        text = without_citations(answer[start:end]).strip()
        return [Unit(start, end, text, "CITATION_MISMATCH", ("too_long",))]
    if not quotes or _stands_as_it_is(answer[start:end], [sources[number - 1] for number in bound]):
        units = [_best(answer, start, end, (start, end), None, sources, bound, question)]
    else:
        units = [
            _best(answer, start, end, quote, quotes, sources, _bound_to(answer, quote[1], end, bound), question)
            for quote in quotes
        ]
        units = stitched(answer[start:end], units, sources) if len(units) > 1 else units
    return units if len(numbers) == len(cited) else [_with_unknown(unit) for unit in units]


def _bound_to(answer: str, quote_end: int, end: int, bound: Sequence[int]) -> list[int]:
    """The sources that the marks right behind a quote, or behind what follows it, name."""
    first = _CITED.search(answer, quote_end, end)
    if first is None:
        return list(bound)
    last = first.end()
    while (more := _CITED.match(answer, last, end)) is not None:
        last = more.end()
    return [number for number in cited_numbers(answer[first.start() : last]) if number in bound] or list(bound)


def _with_unknown(unit: Unit) -> Unit:
    """A unit whose sentence also cites a source that there is not."""
    if not unit.verified:
        return unit
    return replace(unit, status="EVIDENCE_LINKED_PARTIAL", reasons=("unknown_evidence_id",))


def _stands_as_it_is(sentence: str, sources: Sequence[SourceText]) -> bool:
    """Whether a sentence stands in a source with its quotation marks: they are the source's, then."""
    claim = without_citations(sentence).strip().rstrip(".")
    return any(claim in source.text and find_unit(claim, source.text) for source in sources)


def _best(
    answer: str,
    start: int,
    end: int,
    unit: Place,
    quotes: list[Place] | None,
    sources: Sequence[SourceText],
    bound: Sequence[int],
    question: str | None,
) -> Unit:
    """The best verdict that a bound source gives the unit; another source that would verify it is suggested."""

    def judged(number: int) -> Unit:
        source = sources[number - 1]
        if quotes is None:
            found = _judge_prose(answer, start, end, source, number)
        else:
            found = _judge_quote(answer, start, end, unit, quotes, source, number, question)
        return _unless_asked(found, source)

    verdicts = [judged(number) for number in bound]
    best = min(verdicts, key=_rank)
    if best.verified:
        return best
    others = [number for number in range(1, len(sources) + 1) if number not in bound]
    suggest = next((number for number in others if judged(number).verified), None)
    if suggest is None:
        return best
    status = best.status if best.status == "EVIDENCE_LINKED_PARTIAL" else "CITATION_MISMATCH"
    reasons = best.reasons if best.reasons != ("quote_not_found",) else ("not_in_cited_source",)
    return Unit(best.start, best.end, best.text, status, reasons, best.number, best.place, suggest, best.unsupported)


def _unless_asked(unit: Unit, source: SourceText) -> Unit:
    """The unit, which proves nothing where its source only asks (`Did Orvik sell ships?`)."""
    if not unit.verified or unit.place is None:
        return unit
    stated = source.text[slice(*sentence_around(source.text, unit.place))]
    if not asks(stated):
        return unit
    return replace(unit, status="EVIDENCE_LINKED_PARTIAL", reasons=("qualifier_dropped",))


def _rank(unit: Unit) -> int:
    if unit.reasons == ("quote_not_found",):
        return len(_BEST_FIRST)
    return _BEST_FIRST.index(unit.status)


def _judge_quote(
    answer: str,
    start: int,
    end: int,
    unit: Place,
    quotes: list[Place],
    source: SourceText,
    number: int,
    question: str | None,
) -> Unit:
    """A quote against one source."""
    first, last = _stripped(answer, *unit)
    quote = answer[first:last]
    others = [each for each in quotes if each != unit]
    sentence = _masked(answer, start, end, others)
    place = find_unit(quote, source.text, beside=sentence)
    if place is None:
        return Unit(first, last, quote, "CITATION_MISMATCH", ("quote_not_found",))
    window = sentence_around(source.text, place)
    stated = source.text[slice(*window)]
    otherwise = said_otherwise(sentence, stated, locale=source.locale, reference=source.reference)
    if otherwise:
        reasons = tuple(dict.fromkeys(each.reason for each in otherwise))
        return Unit(first, last, quote, "CITATION_MISMATCH", reasons, number, place)
    bare = _without_attribution(sentence, source)
    outside = _masked(bare, 0, len(bare), quote_places(bare))
    if says_nothing(outside) or is_borne_out(bare, stated, source, question):
        if fold_claim(quote) == fold_claim(stated):
            return Unit(first, last, quote, "EVIDENCE_LINKED", (), number, place)
        faults = boundary_faults(quote, stated, source)
        status = "EVIDENCE_LINKED_PARTIAL" if faults else "EVIDENCE_LINKED"
        return Unit(first, last, quote, status, faults, number, place)
    held = support(bare.translate(UNQUOTED), stated, locale=source.locale, reference=source.reference)
    if held.full:
        return Unit(first, last, quote, "EVIDENCE_LINKED", (), number, place)
    shift = start + len(sentence) - len(bare)
    unsupported = tuple((shift + low, shift + high) for low, high in held.missing)
    lacking = ("unsupported_part",) if held.missing else held.faults
    status = "CITATION_MISMATCH" if set(lacking) & OTHER_STATEMENT else "EVIDENCE_LINKED_PARTIAL"
    return Unit(first, last, quote, status, lacking, number, place, None, unsupported)


def _judge_prose(answer: str, start: int, end: int, source: SourceText, number: int) -> Unit:
    """A sentence without quotes against one source."""
    raw = answer[start:end]
    text = _without_attribution(_blanked(raw), source)
    shift = end - len(text)
    text_start, text_end = _stripped(text, 0, len(text))
    claim = text[text_start:text_end].rstrip()
    whole = find_unit(claim, source.text)
    unit = (start, end, without_citations(raw).strip())
    if whole is not None:
        near = [sentence_around(source.text, whole)]
        if fold_claim(source.text[slice(*near[0])]) == fold_claim(claim):
            return Unit(*unit, "EVIDENCE_LINKED", (), number, whole)
    else:
        near = relevant(source.text, claim)
    best: tuple[Support, Place] | None = None
    for window in near:
        held = support(claim, source.text[slice(*window)], locale=source.locale, reference=source.reference)
        if best is None or _quality(held) < _quality(best[0]):
            best = held, window
    if best is None or best[0].sentence is None:
        return Unit(*unit, "CITATION_MISMATCH", ("not_stated",), number)
    held, window = best
    assert held.sentence is not None
    place = whole or (window[0] + held.sentence[0], window[0] + held.sentence[1])
    if held.full:
        return Unit(*unit, "EVIDENCE_LINKED", (), number, place)
    if held.contradictions:
        reasons = tuple(dict.fromkeys(each.reason for each in held.contradictions))
        return Unit(*unit, "CITATION_MISMATCH", reasons, number, place)
    if set(held.faults) & OTHER_STATEMENT or share_stated(claim, held) < LEAST_SHARE:
        return Unit(*unit, "CITATION_MISMATCH", held.faults or ("not_stated",), number, place)
    missing = tuple((shift + text_start + low, shift + text_start + high) for low, high in held.missing)
    lacking = ("unsupported_part",) if missing else held.faults
    return Unit(*unit, "EVIDENCE_LINKED_PARTIAL", lacking, number, place, None, missing)


def _quality(held: Support) -> tuple[bool, bool, int, int]:
    missing = sum(end - start for start, end in held.missing)
    return not held.full, held.sentence is None, missing, len(held.faults) + len(held.contradictions)


def share_stated(claim: str, held: Support) -> float:
    """The share of a claim's content words that its source states."""
    language = language_of(claim)
    content = [word for word in words(claim) if not is_function_word(word, language)]
    lacking = [word for word in content if any(start <= word.start < end for start, end in held.missing)]
    return 1 - len(lacking) / len(content) if content else 0.0


def relevant(text: str, claim: str) -> list[Place]:
    """The parts of a text that share most words with a claim: all of a short one, windows of a long one."""
    if len(text) <= _LONG_TEXT:
        return [(0, len(text))]
    source = folded(text)
    hits: list[tuple[int, str]] = []
    for wanted in content_stems(claim, language_of(claim)):
        at = source.folded.find(wanted)
        for _ in range(_MOST_HITS):
            if at < 0:
                break
            hits.append((at, wanted))
            at = source.folded.find(wanted, at + 1)
    hits.sort()
    windows = sorted(_crowded(hits), reverse=True)
    found: list[Place] = []
    for shared, negative in windows:
        if shared < _NEAR * windows[0][0]:
            break
        at = source.unit(-negative).start
        if not any(start <= at < end for start, end in found):
            found.append(sentence_around(text, (max(0, at - _AROUND), min(len(text), at + _AROUND))))
        if len(found) == _MOST_WINDOWS:
            break
    return found


def _crowded(hits: Sequence[tuple[int, str]]) -> Iterator[tuple[int, int]]:
    """For each hit how many different words stand near behind it, and its place as a negative number."""
    inside: dict[str, int] = {}
    last = 0
    for at, wanted in hits:
        while last < len(hits) and hits[last][0] < at + _AROUND:
            inside[hits[last][1]] = inside.get(hits[last][1], 0) + 1
            last += 1
        yield len(inside), -at
        inside[wanted] -= 1
        if not inside[wanted]:
            del inside[wanted]


def _without_attribution(sentence: str, source: SourceText) -> str:
    """The sentence without a lead-in that names its source by words of its title (`According to the report,`)."""
    match = _ATTRIBUTION.match(sentence)
    if match is None:
        return sentence
    title = {word.stem for word in words(source.title or "")}
    named = words(match["who"] or match["says"] or "")
    if any(word.folded in CONNECTING for word in named):
        return sentence
    if all(word.stem in title or word.folded in FRAMING or is_function_word(word, None) for word in named):
        return sentence[match.end() :]
    return sentence


def _masked(answer: str, start: int, end: int, quotes: Sequence[Place]) -> str:
    """The sentence with its citation marks and the given quotes blanked; offsets stay."""
    text = list(_blanked(answer[start:end]))
    for first, last in quotes:
        low, high = max(first - 1 - start, 0), min(last + 1 - start, len(text))
        text[low:high] = " " * (high - low)
    return "".join(text)


def _blanked(sentence: str) -> str:
    return _CITED.sub(lambda match: " " * len(match.group()), sentence)


def _stripped(text: str, start: int, end: int) -> Place:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
