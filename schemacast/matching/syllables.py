"""Names written a sign a syllable, in Chinese characters or Hangul, as rows of syllables.

Three signs are a whole name there, and one other sign mostly another person. Spelled in Latin letters such names are
long and so alike that those who share nothing seem one. So two names of such a script are at most as alike as their
rows of syllables. Syllables, not signs, since a simplified and a traditional form are read alike.
"""

from __future__ import annotations

import unicodedata

from schemacast.matching.words import latin

HANGUL, HAN, KANA = (0xAC00, 0xD7A3), (0x4E00, 0x9FFF), (0x3005, 0x30FF)
_FIRST = 0xF0000
_LEGAL = (
    "股份有限公司",
    "有限责任公司",
    "有限責任公司",
    "有限公司",
    "株式会社",
    "集团",
    "集團",
    "주식회사",
    "유한회사",
)


class Syllables:
    """Reads values as rows of syllables; a syllable becomes the same sign in all of them."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def of(self, text: str) -> str:
        """The syllables of a value in Hangul or Chinese characters, with kana or without, a sign each; else nothing."""
        if text.isascii():
            return ""
        text = unicodedata.normalize("NFKC", text)
        signs = [char for char in text if char.isalpha()]
        if not (_all_within(signs, HANGUL) or _all_within(signs, HAN, KANA)) or _all_within(signs, KANA):
            return ""
        for form in _LEGAL:
            text = text.replace(form, " ")
        kept = [char for char in text if char.isalpha()] or signs
        return "".join(self._known.setdefault(latin(char).strip(), chr(_FIRST + len(self._known))) for char in kept)


def _all_within(signs: list[str], *blocks: tuple[int, int]) -> bool:
    return all(any(first <= ord(char) <= last for first, last in blocks) for char in signs)
