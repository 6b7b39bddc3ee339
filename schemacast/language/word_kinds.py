"""What a single word is inside a number in words, and the values of those that the library does not know.

The kinds: `n` cardinal, `o` ordinal, `h` half, `g` group (dozen), `f` fraction, `p` point, `j` join, `a` article,
`x` a number by itself (twice, anderthalb), `v` vague (several, hundreds); empty for a word that is no part of one.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from schemacast.language.number_lexicon import LEXICONS
from schemacast.language.word_values import place_of, value_of

LONGEST_WORD = 80


@lru_cache(maxsize=4096)
def kind_of(word: str, folded: str, language: str) -> str:
    """What a word is inside a number; empty: no part of one."""
    lexicon = LEXICONS[language]
    groups = (
        ("j", lexicon.joins), ("a", lexicon.articles), ("h", lexicon.halves),
        ("f", lexicon.fractions), ("p", lexicon.points), ("x", lexicon.times),
    )  # fmt: skip
    for kind, members in groups:
        if folded in members:
            return kind
    if singular(folded, language) in lexicon.groups:
        return "g"
    if folded.startswith(lexicon.stems) and len(word) <= LONGEST_WORD:
        if folded in lexicon.scales or value_of(word, language) is not None:
            return "n"
        if own_value(word, folded, language) is not None:
            return "x"
        if folded not in lexicon.vague and place_of(word, language) is not None:
            return "o"
    return "v" if folded in lexicon.vague else ""


def singular(folded: str, language: str) -> str:
    if folded in LEXICONS[language].groups:
        return folded
    return folded.removesuffix("en") if language == "de" else folded.removesuffix("s")


def own_value(word: str, folded: str, language: str) -> Fraction | None:
    """Words the library has not: `twice`, `eineinhalb`, `anderthalb`, `dreimal`, `dreiviertel`."""
    if folded in LEXICONS[language].times:
        return Fraction(LEXICONS[language].times[folded])
    if language != "de":
        return None
    if folded == "anderthalb":
        return Fraction(3, 2)
    if folded == "dreiviertel":
        return Fraction(3, 4)
    for ending, added in (("einhalb", Fraction(1, 2)), ("mal", Fraction(0))):
        stem = word.removesuffix(ending)
        value = value_of(stem, language) if stem and stem != word else None
        if value is not None:
            return value + added
    return None
