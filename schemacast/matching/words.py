"""A text as the words it is compared by: case, accents, scripts and punctuation gone, meaning kept.

Every script is written in Latin letters, so that one name in two scripts can be compared at all. Signs
that tell names apart stay on their word (`C++`, `C#`, `.NET`), `&` is the word `and`, Roman numerals of
two letters and more are numbers. Legal forms of companies and titles of people say nothing of which one
is meant and are dropped from names, unless nothing else is left.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache

_LEGAL = (
    "ab ag aktiengesellschaft aktiebolag aksjeselskap aktieselskab aps as asa asoc bhd bv bvba ca cia co company corp "
    "corporation cv cyf doo dba eeig ehf ev eirl eood ek gbr genossenschaft gesellschaft gmbh ggmbh group hf holding "
    "holdings inc incorporated incorporation jsc kabushiki kaisha kft kg kgaa kk kommanditgesellschaft lda limited "
    "limitada llc llp lp ltd ltda ltee mbh nv oao ohg ood ooo oy oyj pao plc pjsc pt pte pty pvt private public sa sae "
    "sab sarl sas sasu sau sca scs se sia slu sl snc soc sociedad societa societe sp spa spk spol spolka spzoo srl sro "
    "stiftung tbk uab ug vof youxian gongsi gufen zao zoo zrt"
)
_CALLED = (
    "mr mrs ms miss mx dr prof professor sir dame lord lady madam herr frau fraulein monsieur mme mlle mgr ing dipl "
    "dott dra phd md esq rev hon dsc msc mba jd"
)
_BETWEEN = "the a an of and for in on at to de la le el der die das und et y del di da"
LEGAL_FORMS = frozenset(_LEGAL.split())
"""Of companies, as they look when dots and slashes are gone; what Russian and Chinese forms become in Latin letters."""
TITLES = frozenset(_CALLED.split())
PARTICLES = frozenset(_BETWEEN.split())
"""Words so common that a name without them is still the name."""

_LONG_VOWEL = "\u30fc"
_LONE = re.compile("[\ud800-\udfff]")
_MARKED = re.compile(r"[^a-z0-9 ]")
_WORD = re.compile(r"(?<![a-z0-9])\.[a-z]{2,}[+#]*|[a-z0-9]+[+#]*")
_PLAIN = re.compile(r"[a-z0-9]+")
_SPELLED = re.compile(r"(?<![a-z0-9])[a-z](?:[./][a-z])+(?![a-z0-9])\.?")
_MAYBE_SPELLED = re.compile(r"[./][a-z](?![a-z0-9])")
"""What every match of `_SPELLED` holds, found many times faster."""
_ROMAN = re.compile(r"(?!xi$)x{0,3}(?:ix|iv|v?i{0,3})")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10}
LONGEST = 20_000
"""Characters of a value that are read; what stands behind them says nothing new of which thing is meant."""


@cache
def _to_latin() -> Callable[[str], str]:
    from unidecode import unidecode

    return unidecode


def latin(text: str) -> str:
    """A text in lower-case ASCII, transliterated; the dotted and the dotless i are both `i` here."""
    if len(text) > LONGEST:
        text = text[:LONGEST]
    if text.isascii():
        return text.lower()
    folded = _LONE.sub(" ", unicodedata.normalize("NFKC", text).casefold()).replace(_LONG_VOWEL, "")
    return _to_latin()(folded).lower()


def turkish(text: str) -> str | None:
    """The text with its dotted and dotless i kept apart, if it has a letter that only Turkish spelling has."""
    if "İ" not in text and "ı" not in text:
        return None
    kept = unicodedata.normalize("NFC", text).replace("İ", "i").replace("ı", "\u0131").casefold()
    return "".join(char for char in kept if char.isalnum())


def words(text: str) -> list[str]:
    """The words of a text in their order; a word may carry the signs that belong to it."""
    folded = latin(text)
    if not _MARKED.search(folded):
        found = folded.split()
    else:
        found = signed_words(folded.replace("'", "").replace("`", "").replace("&", " and "))
    return [number_word(word) for word in found]


def signed_words(folded: str) -> list[str]:
    """The words of a text in lower-case ASCII with the signs that belong to them, as they are written."""
    if _MAYBE_SPELLED.search(folded):
        folded = _SPELLED.sub(_spelled, folded)
    return _WORD.findall(folded)


def _spelled(match: re.Match[str]) -> str:
    """`a/s`, `s.p.a.`: a legal form is one word; letters of anything else are words of their own."""
    joined = match.group().replace(".", "").replace("/", "")
    return joined if joined in LEGAL_FORMS else match.group().replace("/", " ")


def number_word(word: str) -> str:
    """A word as the number it writes, without leading zeros; any other as it is."""
    first = word[0]
    if first == "0" and len(word) > 1 and word.isdigit():
        return word.lstrip("0") or "0"
    if first in "ivx" and len(word) > 1 and _ROMAN.fullmatch(word):
        total = 0
        values = [_ROMAN_VALUES[letter] for letter in word]
        for value, after in zip(values, [*values[1:], 0], strict=True):
            total += -value if value < after else value
        return str(total)
    return word


def name_words(text: str) -> list[str]:
    """The words of a name, without legal forms and titles unless it consists of them."""
    found = words(text)
    kept = [word for word in found if word not in LEGAL_FORMS and word not in TITLES]
    return kept or found


def code(text: str) -> str:
    """A code without case and separators; leading zeros stay, since `007` and `7` are two codes."""
    return "".join(_PLAIN.findall(latin(text)))


def skeleton(word: str) -> str:
    """The consonants of a word as they sound in most languages: a key that spellings and scripts share."""
    text = word
    for written, sound in SOUNDS:
        if written in text:
            text = text.replace(written, sound)
    text = SOFT_C.sub("S", text).translate(SOUND_LETTERS)
    kept = [char for index, char in enumerate(text) if (char != "." or not index) and char != text[index - 1 : index]]
    return "".join(kept)


SOUNDS = (
    ("tsch", "S"), ("sch", "S"), ("tch", "S"), ("zh", "S"), ("kh", "k"), ("gh", "g"), ("ph", "f"), ("th", "t"),
    ("sh", "S"), ("ch", "S"), ("ck", "k"), ("cz", "S"), ("ts", "S"), ("tz", "S"), ("dj", "j"), ("qu", "k"), ("x", "kS"),
)  # fmt: skip
SOFT_C = re.compile("c(?=[eiy])")
SOUND_LETTERS = str.maketrans("aeiouywhjzsqcvbdg", "." * 9 + "SSkkfptk")
