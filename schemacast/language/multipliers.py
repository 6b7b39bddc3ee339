"""Words and letters after a numeral that multiply it: `3 million`, `2.5k`, `3 Mio.`, `5 dozen`.

A word has the size that its text's language gives it, and those of all others when that has no such word
(`3 Millionen` in a text that is said to be English); where they differ all its values stand. Single letters that are
units too count only beside a currency, except `k` and `M`, which touch their number.
"""

from __future__ import annotations

import re
from functools import cache

from schemacast.language.units import fold_word

MULTIPLIERS: dict[str, dict[int, str]] = {
    "en": {
        12: "dozen dozens", 100: "hundred", 10**3: "thousand", 10**5: "lakh lakhs", 10**6: "million millions mn mln",
        10**7: "crore crores", 10**9: "billion billions bn", 10**12: "trillion trillions tn trn",
    },
    "de": {
        12: "dutzend", 100: "hundert", 10**3: "tausend tsd", 10**6: "million millionen mio mill",
        10**9: "milliarde milliarden mrd mia", 10**12: "billion billionen",
        10**18: "trillion trillionen",
    },
    "fr": {
        12: "douzaine douzaines", 10**3: "mille milliers", 10**6: "million millions mio",
        10**9: "milliard milliards md mds mrd", 10**12: "billion billions", 10**18: "trillion trillions",
    },
    "es": {
        12: "docena docenas", 10**3: "mil miles", 10**6: "millón millones mill",
        10**9: "millardo millardos mil_millones", 10**12: "billón billones",
        10**18: "trillón trillones",
    },
    "it": {12: "dozzina dozzine", 10**3: "mila", 10**6: "milione milioni mln", 10**9: "miliardo miliardi mld"},
    "pt": {12: "dúzia dúzias", 10**3: "mil", 10**6: "milhão milhões mi", 10**9: "mil_milhões bilhão bilhões bi"},
    "nl": {12: "dozijn", 10**3: "duizend", 10**6: "miljoen mln", 10**9: "miljard mld", 10**12: "biljoen"},
}  # fmt: skip
_OWN_LANGUAGE_ONLY = frozenset(("miles", "mi", "bi", "mill", "md", "mds", "mia", "mille"))
"""Words that are everyday ones or units elsewhere."""
_FOLLOWING = re.compile(r"[ \u00a0\u202f\u2009-]?([^\W\d_]{2,12}(?: [^\W\d_]{6,9})?)(?![^\W_])")
_LETTERS = {"k": 10**3, "M": 10**6}
_BESIDE_MONEY = {
    "K": 10**3,
    "m": 10**6,
    "mm": 10**6,
    "MM": 10**6,
    "b": 10**9,
    "B": 10**9,
    "T": 10**12,
    "t": 10**12,
    "Md": 10**9,
    "G": 10**9,
}


def multiplier_after(text: str, pos: int, *, language: str | None) -> tuple[int, tuple[int, ...]] | None:
    """The end and the sizes of the multiplying word right after `pos`; an abbreviation's dot belongs to it."""
    match = _FOLLOWING.match(text, pos)
    if match is None:
        return None
    words = _words(language if language in MULTIPLIERS else None)
    name = fold_word(match[1])
    end = match.end()
    sizes = words.get(name.replace(" ", "_"))
    if sizes is None and " " in name:
        name = name.partition(" ")[0]
        end = match.start(1) + len(match[1].partition(" ")[0])
        sizes = words.get(name)
    if sizes is None:
        return None
    if text[end : end + 1] == "." and len(name) < 5 and name not in ("mil", "mila"):
        end += 1
    return end, sizes


def letter_after(text: str, pos: int, *, money: bool) -> tuple[int, int] | None:
    """The end and the size of a multiplying letter that touches the number, or a space away before a currency."""
    spaced = text[pos : pos + 1] in ("\u00a0", "\u202f", " ")
    start = pos + 1 if spaced else pos
    for length in (2, 1):
        letters = text[start : start + length]
        after = text[start + length : start + length + 1]
        before_sign = bool(after) and after in "€$£¥"
        if len(letters) < length or after.isalnum() or (spaced and not before_sign):
            continue
        size = _LETTERS.get(letters) or (_BESIDE_MONEY.get(letters) if money or before_sign else None)
        if size:
            return start + length, size
    return None


@cache
def _words(language: str | None) -> dict[str, tuple[int, ...]]:
    """The words with their sizes: a language's own, and those of others that it has not."""
    sizes: dict[str, set[int]] = {}
    own = {fold_word(word) for words in MULTIPLIERS.get(language or "", {}).values() for word in words.split()}
    for name, table in MULTIPLIERS.items():
        for size, words in table.items():
            for word in map(fold_word, words.split()):
                if name == language or (word not in _OWN_LANGUAGE_ONLY and word not in own):
                    sizes.setdefault(word, set()).add(size)
    return {word: tuple(sorted(found)) for word, found in sizes.items()}
