"""What differs between a claim and a quote beyond what their numbers, dates and denials say outright.

Two questions. Which values differ that no reader of numbers reads: Roman numerals and digits that are part of a name,
multiples told by a verb (`doubled`), a year before another era, a season of a year. And what keeps a quote from stating
the claim word for word or nearly so, though it contradicts nothing: a number or date of the claim that it does not
state or states less sharply, or a denial on one side that is about something else. The first makes a contradiction;
the second only rules out `direct`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import pairwise

from schemacast.attribution.plain_words import one_line
from schemacast.claims.compare import Held, held_amounts, held_dates
from schemacast.claims.contradictions import Contradiction, Reason
from schemacast.claims.mentions import Amount, Dated, mentions
from schemacast.claims.more_negation_words import negating_language, negating_languages
from schemacast.claims.negation import Clause, clauses
from schemacast.language.units import fold_word

__all__ = ["differing_values", "excused", "other_units", "unstated"]

Place = tuple[int, int]
Valued = tuple[str, str, Place]
"""What is valued (a name, a year), its value, and the place of both."""

LONGEST_SHOWN = 60
_ROMAN = re.compile(r"(?<![^\W_])([^\W\d_][\w'’-]*)[ \u00a0]([IVXLC]+)(?![^\W_])")
_NUMERAL = re.compile(r"(?=.)C{0,3}(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_DESIGNATION = re.compile(r"(?<![\w.,-])([^\W\d_]+)[-‑]?(\d+(?:[^\W_]*\d)?)(?![\w,.]*\d)")
_SINGLE = frozenset("IVX")
_BEFORE = (
    r"BCE?\b|B\. ?C\.(?: ?E\.)?|v\. ?(?:u\. ?Z\.|Chr\.)|vor Christus|av(?:ant)?\.? J\.?-?C\.?|avant notre ère"
    r"|a\. ?(?:de )?C\.(?=\W|$)|antes de Cristo"
)
_ERA = re.compile(rf"(?<!\d)(\d{{1,4}}) ?(?:({_BEFORE})|(?=\D|$))")
_SEASONS = {
    "spring": "spring|frühling|frühjahr|printemps|primavera",
    "summer": "summer|sommer|été|verano",
    "autumn": "autumn|fall|herbst|automne|otoño",
    "winter": "winter|hiver|invierno",
}
_SEASON = re.compile(
    rf"\b(?:({')|('.join(_SEASONS.values())}))(?: (?:of|des jahres|de|del?|du)| im jahr)? ((?:1\d|20)\d\d)\b",
    re.IGNORECASE,
)
_MULTIPLES = {
    "2": r"doubl(?:e|ed|es|ing)|verdoppel\w+|doublé\w*|doubla(?:it|ient)?|duplic(?:ó|aron|a|an|ado)|raddoppi\w+",
    "3": r"tripl(?:e|ed|es|ing)|trebl(?:e|ed|es|ing)|verdreifach\w+|triplé\w*|tripl(?:ó|ic\w+)",
    "4": r"quadrupl(?:e|ed|es|ing)|vervierfach\w+|quadruplé\w*|cuadruplic\w+|quadruplic\w+",
    "5": r"quintupl(?:e|ed|es|ing)|verfünffach\w+|quintuplé\w*|quintuplic\w+",
    "10": r"decupl(?:e|ed|es|ing)|verzehnfach\w+|décuplé\w*",
    "1/2": r"halv(?:e|ed|es|ing)|halbier\w+|dimezz\w+",
}
_MULTIPLE = re.compile(rf"\b(?:({')|('.join(_MULTIPLES.values())}))\b", re.IGNORECASE)
_PART = re.compile(
    r"\s*(?:of|out of|from|von|aus|sur|de|des|di|van|av|из)\s+(?:the |its |their |all |den |der |les |las |los )?",
    re.IGNORECASE,
)
_SCORE = re.compile(r"\s?[-–:]\s?|\s+(?:to|zu|gegen|à|a)\s+")
_NEAR = frozenset(("exact", "approx"))


def differing_values(claim: str, quote: str) -> list[Contradiction]:
    """Values of the claim that the quote states otherwise, of those that are no numbers or dates to our readers."""
    found: list[Contradiction] = []
    kinds: tuple[tuple[Callable[[str], Iterator[Valued]], Reason], ...] = (
        (_romans, "number_differs"),
        (_designations, "number_differs"),
        (_seasons, "date_differs"),
    )
    for valued, reason in kinds:
        theirs = list(valued(quote))
        for name, value, place in valued(claim):
            others = {other: where for what, other, where in theirs if what == name}
            if others and value not in others:
                found.append(Contradiction(reason, place, min(others.values())))
    return [*found, *_eras(claim, quote), *_multiples(claim, quote), *_bounds(claim, quote)]


def _bounds(claim: str, quote: str) -> Iterator[Contradiction]:
    """One number that is the least on one side and the most on the other."""
    for each in held_amounts(mentions(claim, None, None), mentions(quote, None, None)):
        if each.other is not None and {_side(each.mention.bound), _side(each.other.bound)} == {"least", "most"}:
            yield Contradiction("number_differs", each.mention.outer, each.other.outer)


def _side(bound: str) -> str | None:
    return {"gt": "least", "ge": "least", "lt": "most", "le": "most"}.get(bound)


def _romans(text: str) -> Iterator[Valued]:
    """`Harald V`, `World War II`, `phase III`; not the pronoun."""
    for match in _ROMAN.finditer(text):
        name, numeral = match[1], match[2]
        if _NUMERAL.fullmatch(numeral) and (len(numeral) > 1 or (numeral in _SINGLE and name[0].isupper())):
            yield fold_word(name), numeral, match.span()


def _designations(text: str) -> Iterator[Valued]:
    """`G7`, `A2`, `COVID-19`, `H5N1`: what letters and digits name together, where it is no number with its unit."""
    read = mentions(text, None, None)
    taken = [(each.start, each.end) for each in read.amounts] + [(each.start, each.end) for each in read.dates]
    for match in _DESIGNATION.finditer(text):
        if not any(start < match.end() and match.start() < end for start, end in taken):
            yield match[1].casefold(), match[2].casefold(), match.span()


def _seasons(text: str) -> Iterator[Valued]:
    for match in _SEASON.finditer(text):
        season = next(name for name, said in zip(_SEASONS, match.groups(), strict=False) if said is not None)
        yield match[match.re.groups], season, match.span()


def _eras(claim: str, quote: str) -> Iterator[Contradiction]:
    """A year that is before the era on one side alone."""
    mine, theirs = (
        [(match[1], bool(match[2]), match.span()) for match in _ERA.finditer(each)] for each in (claim, quote)
    )
    for year, before, place in mine:
        same = [(other, where) for number, other, where in theirs if number == year]
        if same and all(other != before for other, _ in same):
            yield Contradiction("date_differs", place, same[0][1])


def _multiples(claim: str, quote: str) -> Iterator[Contradiction]:
    """What doubles on one side and triples on the other, where the clauses share most of their words."""
    language = negating_language(f"{claim} {quote}", None)
    mine, theirs = (list(_times(each, language)) for each in (claim, quote))
    for value, clause, place in mine:
        alike = [
            (other, where)
            for other, answering, where in theirs
            if 2 * len(clause & answering) > len(clause) or clause == answering
        ]
        if alike and all(other != value for other, _ in alike):
            yield Contradiction("number_differs", place, alike[0][1])


def _times(text: str, language: str | None) -> Iterator[tuple[str, frozenset[str], Place]]:
    found: tuple[Clause, ...] | None = None
    for match in _MULTIPLE.finditer(text):
        found = clauses(text, language) if found is None else found
        stems = next((each.stems for each in found if each.start <= match.start() < each.end), frozenset[str]())
        own = fold_word(match.group())
        value = next(name for name, said in zip(_MULTIPLES, match.groups(), strict=True) if said is not None)
        yield value, frozenset(stem for stem in stems if not own.startswith(stem)), match.span()


def excused(found: Contradiction, claim: str, quote: str) -> bool:
    """Whether a number only seems to differ: the quote states the claim's number beside it, as a part (`three of the 8
    awards`) or as the same score (`14-7` for `14 votes to 7`).
    """
    if found.reason != "number_differs":
        return False
    own = mentions(claim, None, None).amounts
    listed = mentions(quote, None, None).amounts
    mine = next((each for each in own if (each.start, each.end) == found.in_claim), None)
    at = next((at for at, each in enumerate(listed) if (each.start, each.end) == found.in_quote), None)
    if mine is None or at is None:
        return False
    return _is_whole(own, listed, mine, at, quote) or _is_score(own, listed, mine, at, quote)


def _is_whole(own: Sequence[Amount], listed: Sequence[Amount], mine: Amount, at: int, quote: str) -> bool:
    """Whether a number is what a number of the claim is a part of, and the claim's own is stated too."""
    other = listed[at]
    return (
        at > 0
        and _PART.fullmatch(quote, listed[at - 1].end, other.start) is not None
        and any(_same(listed[at - 1], each) for each in own)
        and any(_same(each, mine) for each in listed)
        and not any(_same(other, each) for each in own)
    )


def _is_score(own: Sequence[Amount], listed: Sequence[Amount], mine: Amount, at: int, quote: str) -> bool:
    """Whether a number is one of two that are tied, which are two numbers of the claim in the same order."""
    return any(
        listed[at] in (first, second)
        and _SCORE.fullmatch(quote, first.end, second.start) is not None
        and any(mine in pair and _same(pair[0], first) and _same(pair[1], second) for pair in pairwise(own))
        for first, second in pairwise(listed)
    )


def _same(one: Amount, other: Amount) -> bool:
    return one.unit == other.unit and bool(set(one.values) & set(other.values))


def other_units(claim: str, quote: str) -> Contradiction | None:
    """A number whose unit the quote writes as another one where both fold to the same (`5 MW`, `5 mW`)."""
    found = held_amounts(mentions(claim, None, None), mentions(quote, None, None))
    other = next((each for each in found if each.standing == "differs" and each.other is not None), None)
    if other is None or other.other is None:
        return None
    return Contradiction(
        "number_differs", (other.mention.start, other.mention.end), (other.other.start, other.other.end)
    )


def unstated(claim: str, quote: str, reference: datetime | None) -> str | None:
    """Why a quote that contradicts nothing does not state the claim word for word or nearly so; None when it may."""
    moment = reference.replace(tzinfo=None) if reference is not None else None
    mine, theirs = mentions(claim, None, moment), mentions(quote, None, moment)
    held: list[Held[Amount] | Held[Dated]] = [*held_amounts(mine, theirs), *held_dates(mine, theirs)]
    held.sort(key=lambda each: each.mention.start)
    for each in held:
        if not _states(each):
            shown = one_line(claim[each.mention.start : each.mention.end], at_most=LONGEST_SHOWN)
            less = "states it less sharply" if each.standing == "open" else "does not state it"
            return f"“{shown}” stands in the claim, and the quote {less}"
    languages = negating_languages(claim, quote, None)
    denies = [
        any(clause.cues for clause in clauses(each, language))
        for each, language in zip((claim, quote), languages, strict=True)
    ]
    if denies[0] != denies[1]:
        return f"something is denied in the {'claim' if denies[0] else 'quote'} alone"
    return None


def _states(held: Held[Amount] | Held[Dated]) -> bool:
    own, other = held.mention, held.other
    if held.standing == "stated" or (isinstance(own, Amount) and own.soft):
        return True
    if held.standing != "open" or not isinstance(own, Amount) or not isinstance(other, Amount):
        return False
    return {own.bound, other.bound} <= _NEAR and (own.unit is None) == (other.unit is None)
