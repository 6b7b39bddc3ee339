"""Which characters a folded comparison ignores, and which it takes for others.

Accents are the generic combining diacritics. On a letter or digit they are ignored; on a sign they
make another sign (`≠`), so there they stay. The marks of one script (kana voicing, Thai tones, nukta,
virama, Hebrew and Arabic points) change what is written and are no accents. Only ligatures,
presentation forms and width variants are taken for their plain letters: a superscript or a fraction
is not the digits that a compatibility decomposition would make of it.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from schemacast.language.scripts import marks

INVISIBLE_CONTROLS = "\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff"
"""Invisible characters that are a grapheme cluster of their own: a span does not end with one."""

_INVISIBLE_IN_BMP = (
    INVISIBLE_CONTROLS + "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u200c\u200d\u3164\uffa0\ufe00-\ufe0f"
)
INVISIBLE = _INVISIBLE_IN_BMP + "\U000e0100-\U000e01ef"
"""Every character that is ignored because nobody sees it: joiners, fillers and variation selectors too."""

_IOTA = "\u0345"
_ACCENTS = "\u0300-\u0344\u0346-\u034e\u0350-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
_SIGNS = (
    "!-/:-@\\[-`{-~\u00a1-\u00a9\u00ab\u00ac\u00ae-\u00b1\u00b4\u00b6-\u00b8\u00bb\u00bf\u00d7\u00f7"
    "\u2010-\u2027\u2030-\u205e\u20a0-\u20cf\u2190-\u2bff\u3001-\u3003\u3008-\u3020\u3030\U0001f000-\U0001faff"
)
EXTENDING = "\u1160-\u11ff\ud7b0-\ud7ff\uff9e\uff9f"
"""What continues a character besides marks: Hangul vowels and finals, half-width voicing marks."""

_QUOTES = {**dict.fromkeys("“”„‟«»″", '"'), **dict.fromkeys("‘’‚‛‹›′", "'")}
_DASHES = dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\u058a\u05be", "-")
_TYPOGRAPHIC = {**_QUOTES, **_DASHES}

# Case folding and ligatures write several letters for one; the Indic letters, `⫝̸` and the musical notes have a
# canonical decomposition that NFC does not put together again.
_SEVERAL = (
    "\u00df\u0132\u0133\u0149\u0152\u0153\u01f0\u0390\u03b0\u0587\u1e96-\u1e9a\u1e9e\u1f50-\u1fff\ufb00-\ufdff\ufe70-\ufefc"
    "\u0958-\u095f\u09dc-\u09df\u0a33\u0a36\u0a59-\u0a5e\u0b5c\u0b5d\u0f43\u0f4d\u0f52\u0f57\u0f5c\u0f69\u2adc"
)
_SEVERAL_ASTRAL = "\U0001d15e-\U0001d164\U0001d1bb-\U0001d1c0"
# Presentation forms, ligatures and width variants; `œ` and `ĳ` are ligatures by their Unicode names.
_VARIANT_BODY = "\u0132\u0133\u0152\u0153\ufb00-\ufbb1\ufbd3-\ufdff\ufe70-\ufefc\uff01-\uffbe\uffe0-\uffe6"
_VARIANTS = re.compile(f"[{_VARIANT_BODY}]")
_INVISIBLE = re.compile(f"[{INVISIBLE}]+")
_INVISIBLE_OR_VARIANT = re.compile(f"[{INVISIBLE}{_VARIANT_BODY}]")
# Each pattern begins with a class, so that `re` skips to it quickly.
_ACCENT_RUN = re.compile(f"[{_ACCENTS}](?<![{_SIGNS}{_ACCENTS}][{_ACCENTS}])[{_ACCENTS}]*")
_TYPOGRAPHIC_CLASS = re.compile(f"[{''.join(_TYPOGRAPHIC)}]")
_STRAY_IOTA = re.compile(f"(?<![αηωΑΗΩ]){_IOTA}+")


@cache
def _plain(variant: str) -> str:
    """The plain letters of a ligature, presentation form or width variant."""
    if variant in "œŒ":
        return "oe"
    if variant == "\uffe3":
        return "\u00af"
    plain = unicodedata.normalize("NFKC", variant)
    # Forms whose decomposition starts with a space stand for a mark without a letter.
    return variant if plain.startswith(" ") else plain


def _plain_match(variant: re.Match[str]) -> str:
    return _plain(variant[0])


def _has_odd_space(text: str) -> bool:
    """Whether a text may hold whitespace other than a space and a line feed, asked in the fastest way."""
    if not text.isascii():
        return not text.isprintable()  # a space is the only printable whitespace
    controls = "\t" in text or "\r" in text or "\v" in text or "\f" in text
    return controls or "\x1c" in text or "\x1d" in text or "\x1e" in text or "\x1f" in text


def collapse(text: str) -> str:
    """Every run of whitespace as one space."""
    if "\n" in text:
        text = text.replace("\n", " ")
    if "  " in text:
        text = text.replace("  ", " ")
    if "  " not in text and not _has_odd_space(text):
        return text
    words = " ".join(text.split())
    if not words:
        return text and " "
    return " " * text[0].isspace() + words + " " * text[-1].isspace()


def fold(text: str) -> str:
    """A text as level 2 compares it: without case, accents, whitespace runs and invisible characters.

    Canonically equivalent texts fold to equal strings: NFC is the last step. Apart from whitespace runs
    the fold of a text is the fold of its characters (letters with their marks), one after the other.
    """
    return collapse(text.lower() if text.isascii() else fold_characters(text))


def fold_characters(text: str) -> str:
    """`fold` without the collapsing of whitespace."""
    if _INVISIBLE_OR_VARIANT.search(text):
        text = _VARIANTS.sub(_plain_match, _INVISIBLE.sub("", text))
    text = _ACCENT_RUN.sub("", unicodedata.normalize("NFD", text))
    if _IOTA in text:
        # Under a Greek vowel the iota is a letter and case folding writes it out; elsewhere it is an accent.
        text = _STRAY_IOTA.sub("", text)
    text = unicodedata.normalize("NFC", text.casefold()).replace("ı", "i")
    # In a long text asking for each is faster than looking for any.
    for char in _TYPOGRAPHIC if len(text) > 100 else _TYPOGRAPHIC_CLASS.findall(text):
        text = text.replace(char, _TYPOGRAPHIC[char])
    return text


def is_blank(quote: str) -> bool:
    """Whether a quote shows nothing: only whitespace and ignorable characters."""
    return not quote or quote.isspace() or (not quote.isascii() and not _INVISIBLE.sub("", quote).strip())


@cache
def uneven(*, astral: bool) -> re.Pattern[str]:
    """Matches where the fold may not be one character for one; `astral` for texts beyond U+FFFF.

    A match is a run of whitespace (with the invisible characters in it), or a character that folds to
    several or to none with what continues it (then group 1 took part), or only what continues the
    character before the match. What lies between folds one to one.
    """
    invisible = INVISIBLE if astral else _INVISIBLE_IN_BMP
    several = _SEVERAL + _SEVERAL_ASTRAL if astral else _SEVERAL
    continuing = f"{marks(astral=astral)}{_ACCENTS}{EXTENDING}{invisible}"
    rest = f"(?<=[{several}])()[{continuing}]*|(?<!\\s)[{continuing}]*|[\\s{invisible}{_ACCENTS}{_IOTA}]+"
    return re.compile(f"[\\s{several}{continuing}](?:{rest})")
