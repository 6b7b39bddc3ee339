"""The value of a cardinal or ordinal in words, by the library `text2num`.

The library is loaded when a first word needs it, and asked for whole numbers only; spellings that it does
not know are tried in the form it does. What it refuses has no value.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from schemacast.language.number_lexicon import LEXICONS
from schemacast.language.units import fold_word


@lru_cache(maxsize=4096)
def value_of(words: str, language: str) -> int | None:
    """The value of a cardinal by the library, or None. Its own variants of spelling are tried too."""
    from text_to_num import text2num

    spellings = LEXICONS[language].spellings
    respelled = " ".join(spellings.get(fold_word(word), word) for word in words.split())
    if language == "de":
        respelled = respelled.replace("einstausend", "eintausend")
    for candidate in dict.fromkeys((words, respelled)):
        try:
            return int(text2num(candidate, language))
        except ValueError:
            continue
    return None


@lru_cache(maxsize=4096)
def place_of(words: str, language: str) -> int | None:
    """The place an ordinal names, or None."""
    from text_to_num import find_numbers

    found = find_numbers([_Token(word) for word in words.split()], language, 0)
    if len(found) != 1 or not found[0].is_ordinal or (found[0].start, found[0].end) != (0, len(words.split())):
        return None
    return int(found[0].value) if found[0].value < 10**15 else None


@dataclass(frozen=True, slots=True)
class _Token:
    """A word as the library's token stream wants it."""

    word: str

    def text(self) -> str:
        return self.word

    def nt_separated(self, previous: _Token) -> bool:  # noqa: ARG002 (the library's protocol)
        return False

    def not_a_number_part(self) -> bool:
        return False
