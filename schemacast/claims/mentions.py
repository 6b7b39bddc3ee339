"""The numbers and dates of a sentence, with what says which of another sentence's they correspond to.

A number's unit is a part of it, a number inside a date is none, and one that names a thing (`Building 11`, `page 5`)
is compared with names alone. Which number of a quote answers to which of a claim is decided by the words beside
them: what is counted behind it, then what stands around it, then what the two sentences share.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from schemacast.claims.bounds import Bound, bound_of
from schemacast.claims.calendar_names import CalendarName, calendar_names
from schemacast.claims.function_words import listed
from schemacast.claims.statements import statements
from schemacast.claims.words import is_function_word, language_of, words
from schemacast.language.dates import read_moments
from schemacast.language.moments import Moment, MomentReading
from schemacast.language.numbers import NumberReading, read_numbers
from schemacast.language.qualifiers import qualifier_beside
from schemacast.language.unit_table import ONLY_IN
from schemacast.language.units import fold_word

Kind = Literal["amount", "ordinal", "name"]
RANGE = "range"
"""The link of a date that is one end of a range."""
_CLAUSE_MARK = re.compile(r"[,;:()\[\]!?。、，；：–—]|\.(?=\s|$)")
_AROUND = 3
_MOST = 300
"""Of numbers and of dates; a text with more is a table, of which the first are compared."""
_COMPARATOR_BEFORE = 40
_COMPARATOR_BEHIND = 32
_COMPARATOR_GAP = 10
_TIE = re.compile(
    r"\s*(?:and|to|until|till|through|[-–—]|or|und|bis|oder|et|à|au|ou|y|o|a|al|hasta|から|〜|～)\s*(?:the |le |el )?",
    re.IGNORECASE,
)
_RANGE_BEGINS = frozenset(("between", "from", "zwischen", "von", "vom", "entre", "de", "du", "desde", "del"))
_PART_OF = re.compile(
    r"\s(?:(?:[^\W\d_]+ )?(?:out of|of|von|aus|des|de|sur|parmi|entre)|in|der|from among)"
    r" (?:(?:the|its|their|our|all|these|those|den|diesen|insgesamt|ihren|seinen|les|ses|leurs|los|las|sus) ){0,2}",
    re.IGNORECASE,
)
_SHARE = re.compile(
    r"(?<![^\W_])(?:most|some|many|few|several|none|half|third|quarter|majority|minority|part|any|one|each|only|all but"
    r"|die meisten|einige|viele|wenige|keine[rs]?|hälfte|mehrheit|teil|la plupart|certain[es]*|aucun[e]?|moitié|partie"
    r"|majorité|la mayoría|algun[oa]s|ningun[oa]|mitad|parte)"
    r" (?:of|der|von|des|de) (?:(?:the|its|their|all|den|ihren|seinen|les|ses|los|las|sus) )?",
    re.IGNORECASE,
)
_AMONG = re.compile(r"[^\W\d_]{0,3}?(?:のうち|中|之中|当中)")
"""What makes a whole of the number before it: `40人中3人`."""
_YEAR = re.compile(r"\d{4}")
_DESIGNATORS = listed("""
    no nr num number section chapter page article paragraph figure table room building flight line track
    gate floor version step phase appendix volume part level type model class unit lot item case bill act
    rule clause annex abschnitt kapitel seite artikel absatz abbildung tabelle raum zimmer gebaude flug
    linie gleis version schritt anhang band teil stufe typ modell klasse halle zeile punkt numero chapitre
    page article paragraphe figure tableau salle chambre batiment vol ligne voie etape annexe tome partie
    niveau modele classe point seccion capitulo pagina articulo parrafo figura tabla sala habitacion
    edificio vuelo linea via paso fase anexo tomo parte nivel tipo modelo clase
""")
_ARTICLES = listed("au a aux du de d le la l zum dem der the al el")
_BEFORE_ARTICLES = listed(
    "jusqu partir depuis bis vor nach seit until till before after since by hasta desde avant apres"
)
_DATED_BY = listed("""
    in since until till by of from to before after during year circa early late mid through and the this
    between im in seit bis vor nach ab jahr jahre jahres ende anfang mitte von und zwischen das en depuis
    avant apres jusqu des an annee fin debut de entre l le en desde hasta antes despues ano del de entre y
    el
""")


@dataclass(frozen=True, slots=True)
class Place:
    """What stands beside a mention: stems behind and before it in its clause, and those of its sentence."""

    after: tuple[str, ...]
    before: tuple[str, ...]
    sentence: frozenset[str]


@dataclass(frozen=True, slots=True)
class Amount:
    """A number at `[start, end)`, its unit within, with its comparator."""

    start: int
    end: int
    values: tuple[Fraction, ...]
    unit: str | None
    kind: Kind
    bound: Bound
    place: Place
    soft: bool = False
    """`one`, `a`: says a number only beside another number of the same thing."""
    likely: tuple[Fraction, ...] = ()
    """Of several values those that the language of the text would write so (`1,450` in English)."""
    outer: tuple[int, int] = (0, 0)
    """The place of the number with its comparator."""
    next: str | None = None
    """The stem of the word right behind it, when that is an ordinary one."""
    whole: bool = False
    """Whether it is what another number or a share is a part of: the 22 of `14 of the 22 pillars`."""


@dataclass(frozen=True, slots=True)
class Dated:
    """A date or time at `[start, end)`, the moments it may be, and the word that places something beside it."""

    start: int
    end: int
    moments: tuple[Moment, ...]
    link: str
    place: Place
    name: tuple[str, int] | None = None
    """What no moment tells: a weekday, a decade or a quarter, and which one."""


@dataclass(frozen=True, slots=True)
class Mentions:
    """The numbers and dates of a text."""

    amounts: tuple[Amount, ...]
    dates: tuple[Dated, ...]


@lru_cache(maxsize=512)
def mentions(text: str, locale: str | None, reference: datetime | None) -> Mentions:
    """Every number and date of a text, in order. Relative dates need a reference time."""
    language = language_of(text, locale)
    numbers = [_in_language(each, language) for each in read_numbers(text, locale=locale) if each.values][:_MOST]
    moments = [each for each in _dates(text, locale, reference) if not _is_duration(each, numbers)][:_MOST]
    named = [each for each in calendar_names(text, language) if not _overlaps(each.start, each.end, moments)]
    readings = [each for each in numbers if not _overlaps(each.start, each.end, [*moments, *named])]
    if not moments and not readings and not named:
        return Mentions((), ())
    stated: list[MomentReading | CalendarName] = [*moments, *named]
    stated.sort(key=lambda each: each.start)
    taken = sorted([(each.start, each.end) for each in stated] + [(each.start, each.end) for each in readings])
    frames = _Frames(text, language, taken)
    dated = tuple(
        Dated(
            each.start,
            each.end,
            each.values if isinstance(each, MomentReading) else (),
            _link(text, each.start),
            frames.place(each.start, each.end),
            None if isinstance(each, MomentReading) else each.name,
        )
        for each in stated
    )
    amounts = tuple(_amount(text, reading, locale or language, frames) for reading in readings)
    return Mentions(_with_wholes(text, amounts), _with_ranges(text, dated))


def _overlaps(start: int, end: int, others: Iterable[MomentReading | CalendarName]) -> bool:
    return any(each.start < end and start < each.end for each in others)


def _in_language(reading: NumberReading, language: str | None) -> NumberReading:
    """The reading without a unit that is an everyday word in the text's language (`won twice`)."""
    listed_in = ONLY_IN.get(fold_word(reading.unit)) if reading.unit is not None else None
    if listed_in is None or language in listed_in:
        return reading
    return reading._replace(unit=None, unit_start=None, unit_end=None)


def _is_duration(moment: MomentReading, numbers: Iterable[NumberReading]) -> bool:
    """Whether what reads like a time of day is a number of hours (`1 h 30 min`)."""
    return all(each.year is None and each.month is None for each in moment.values) and any(
        each.unit is not None and each.start <= moment.start and moment.end <= each.end for each in numbers
    )


class _Frames:
    """The content words of a text by sentence, and where its numbers and dates stand."""

    def __init__(self, text: str, language: str | None, taken: list[tuple[int, int]]) -> None:
        self.text = text
        self.taken = taken
        self.words = [word for word in words(text) if not is_function_word(word, language)]
        self.starts = [word.start for word in self.words]
        self.sentences = statements(text)

    def place(self, start: int, end: int) -> Place:
        """What stands beside the mention at `[start, end)`: up to three words on either side, in its clause, not past
        another number or date.
        """
        first, last = next(((one, other) for one, other in self.sentences if one <= start < other), (start, end))
        inside = self.words[bisect_left(self.starts, first) : bisect_left(self.starts, last)]
        after: list[str] = []
        before: list[str] = []
        for word in inside:
            if word.start >= end and len(after) < _AROUND:
                if self._parted(end, word.end):
                    break
                after.append(word.stem)
        for word in reversed(inside):
            if word.end <= start and len(before) < _AROUND:
                if self._parted(word.start, start):
                    break
                before.append(word.stem)
        own = {word.stem for word in inside if start <= word.start < end}
        return Place(tuple(after), tuple(before), frozenset(word.stem for word in inside) - own)

    def _parted(self, start: int, end: int) -> bool:
        """Whether a clause ends in a stretch, or another number or date stands there."""
        at = bisect_left(self.taken, (start, 0))
        return _CLAUSE_MARK.search(self.text, start, end) is not None or (
            at < len(self.taken) and self.taken[at][0] < end
        )


def _dates(text: str, locale: str | None, reference: datetime | None) -> list[MomentReading]:
    return [
        reading
        for reading in read_moments(text, locale=locale, reference=reference)
        if reading.values and not _is_count(text, reading)
    ]


def _is_count(text: str, reading: MomentReading) -> bool:
    """Whether what reads like a year counts something: `had 2000 ships`, but `in 2000 ships sailed`."""
    if not _YEAR.fullmatch(text[reading.start : reading.end]):
        return False
    before = [word for word in words(text[max(0, reading.start - 40) : reading.start]) if word.end]
    if before and (before[-1].folded in _DATED_BY or text[reading.start - 1 : reading.start] in "(-–/"):
        return False
    following = re.match(r" ([^\W\d_]+)", text[reading.end :])
    if following is None or not before:
        return False
    word = words(following[1])[0]
    if read_numbers(following[1], locale=None):
        return False  # `verkaufte 2020 zwei Schiffe`
    return following[1][0].islower() and not is_function_word(word, None)


def _amount(text: str, reading: NumberReading, locale: str | None, frames: _Frames) -> Amount:
    start = min(reading.start, reading.unit_start if reading.unit_start is not None else reading.start)
    end = max(reading.end, reading.unit_end or 0)
    qualifier = qualifier_beside(text, reading.start, reading.end, locale=locale)
    outer, earlier = (start, end), None
    if qualifier is not None:
        outer = _with_comparator(text, qualifier, start, end)
        previous = words(text[max(0, outer[0] - 24) : outer[0]])
        earlier = previous[-1].folded if previous and outer[0] < start else None
        earlier = "not" if text[outer[0] - 1 : outer[0]] == "不" else earlier
    kind: Kind = "ordinal" if reading.ordinal else "name" if _names(text, reading) else "amount"
    soft = reading.word and reading.values == (Fraction(1),)
    return Amount(
        start,
        end,
        reading.values,
        reading.unit,
        kind,
        bound_of(qualifier, earlier) if kind == "amount" else "exact",
        frames.place(start, end),
        soft,
        _likely(text, reading, locale) if len(reading.values) > 1 else reading.values,
        outer,
        _next(text, end),
    )


def _next(text: str, end: int) -> str | None:
    """The stem of the word that follows a number at once, unless it is a name or a function word."""
    following = re.match(r"[ \u00a0]([^\W\d_]+)", text[end : end + 40])
    if following is None or not following[1].islower():
        return None
    word = words(following[1])[0]
    return None if is_function_word(word, None) else word.stem


def _with_comparator(text: str, qualifier: str, start: int, end: int) -> tuple[int, int]:
    """The place of a number with the comparator that stands before or behind it; a tie to another number is none."""
    if bound_of(qualifier) == "tied":
        return start, end
    before = text.rfind(qualifier, max(0, start - _COMPARATOR_BEFORE), start)
    if before >= 0 and start - before - len(qualifier) <= _COMPARATOR_GAP:
        return before, end
    behind = text.find(qualifier, end, end + _COMPARATOR_BEHIND)
    return (start, behind + len(qualifier)) if behind >= 0 else (start, end)


def _likely(text: str, reading: NumberReading, language: str | None) -> tuple[Fraction, ...]:
    """The values that a number has when it is read as the language writes numbers."""
    again = read_numbers(text[reading.start : reading.end], locale=language)
    return again[0].values if len(again) == 1 else reading.values


def _names(text: str, reading: NumberReading) -> bool:
    """Whether the number names what stands before it: `Building 11`, `page 5`, `No. 7`, `#3`."""
    if reading.unit is not None or reading.word or any(value.denominator != 1 for value in reading.values):
        return False
    before = text[max(0, reading.start - 30) : reading.start]
    if before.endswith("#"):
        return True
    match = re.search(r"([^\W\d_]+)\.?[ \u00a0]$", before)
    if match is None:
        return False
    word = words(match[1])[-1] if words(match[1]) else None
    if word is None:
        return False
    if word.folded in _DESIGNATORS:
        return True
    following = re.match(r"[ -]([^\W\d_]+)", text[reading.end :])
    counted = following is not None and following[1][0].islower() and not is_function_word(words(following[1])[0], None)
    opens = not text[: reading.start - len(match.group())].strip() or before[: match.start()].rstrip()[-1:] in ".!?:"
    return word.capital and not counted and not (opens and is_function_word(word, None))


def _with_ranges(text: str, dated: tuple[Dated, ...]) -> tuple[Dated, ...]:
    """The dates, the two of a range (`between 1950 and 1960`) marked so."""
    found = list(dated)
    for at in range(len(found) - 1):
        first, second = found[at : at + 2]
        tie = _TIE.fullmatch(text, first.end, second.start)
        joins = tie is not None and tie.group().strip().lower() in ("and", "und", "et", "y")
        if tie is not None and (first.link in _RANGE_BEGINS or not joins):
            found[at] = replace(first, link=RANGE)
            found[at + 1] = replace(second, link=RANGE)
    return tuple(found)


def _with_wholes(text: str, amounts: tuple[Amount, ...]) -> tuple[Amount, ...]:
    """The numbers, those marked that others are a part of."""
    found = list(amounts)
    for at, each in enumerate(amounts):
        last = amounts[at - 1].end if at else 0
        first = max(last, each.outer[0] - _COMPARATOR_BEFORE)
        following = amounts[at + 1].start if at + 1 < len(amounts) else -1
        among = _AMONG.match(text, each.end)
        if (
            (at and _PART_OF.fullmatch(text, last, each.outer[0]) is not None)
            or any(share.end() == each.outer[0] for share in _SHARE.finditer(text, first, each.outer[0]))
            or (among is not None and among.end() == following)
        ):
            found[at] = replace(each, whole=True)
    return tuple(found)


def _link(text: str, start: int) -> str:
    """The word right before a date that says how it stands to what happened: `before`, `until`; empty for none."""
    previous = [word.folded for word in words(text[max(0, start - 32) : start])]
    if len(previous) > 1 and previous[-1] in _ARTICLES and previous[-2] in _BEFORE_ARTICLES:
        return previous[-2]
    return previous[-1] if previous else ""


def shared(claim: Place, quote: Place) -> int:
    """How many words the sentences of two mentions share."""
    return len(claim.sentence & quote.sentence)


def closeness(claim: Place, quote: Place) -> int:
    """How well two mentions correspond: what they count weighs most, then what stands around, then their sentences."""
    score = shared(claim, quote)
    if claim.after and quote.after and (claim.after[0] in quote.after or quote.after[0] in claim.after):
        score += 40
    elif set(claim.after) & set(quote.after):
        score += 20
    around = set(claim.after + claim.before) & set(quote.after + quote.before)
    score += 8 * min(len(around), 3)
    if claim.before and quote.before and claim.before[0] == quote.before[0]:
        score += 10
    return score


def counts_the_same(claim: Place, quote: Place) -> bool:
    """Whether the words behind two numbers say that they count the same thing."""
    return bool(claim.after and quote.after and (claim.after[0] in quote.after or quote.after[0] in claim.after))
