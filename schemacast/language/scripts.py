"""Which characters make words, and which scripts write without spaces between them.

Python's `re` knows letters and digits but not combining marks, and no scripts, so the ranges stand
here as bodies of character classes. Marks come from the interpreter's own Unicode tables, so that they
agree with its normalization; the scan takes some milliseconds and happens on the first text that is
not plain ASCII. Hangul counts among the scripts without word boundaries because its particles are
written onto the word: the name in `서울에서` is `서울`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

UNSPACED = (
    "\u0e00-\u0e3e\u0e40-\u0eff"  # Thai (less the baht sign), Lao
    "\u0f00-\u0fff\u1000-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f"  # Tibetan, Myanmar
    "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"  # Hangul
    "\u1780-\u17ff\u1950-\u19ff\u1a20-\u1aaf\u1b00-\u1b7f"  # Khmer, Tai Le and New Tai Lue, Tai Tham, Balinese
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u303c\u3040-\u312f\u31a0-\u31bf\u31f0-\u31ff"  # kana, Bopomofo
    "\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua980-\ua9df\uaa80-\uaadf\uf900-\ufaff"  # Han, Yi, Javanese, Tai Viet
    "\uff66-\uff9f\uffa0-\uffdc"  # half-width kana and Hangul
    "\U00016fe0-\U00018dff\U0001aff0-\U0001b2ff\U00020000-\U0003ffff"  # Tangut, kana and Han supplements
)
"""The body of a character class: scripts that write without spaces, and Hangul."""

_MARK_BLOCKS = (range(0x300, 0x3400), range(0xA66F, 0xAC00), range(0xFB1E, 0xFE30))
_ASTRAL_MARK_BLOCKS = (range(0x10000, 0x1F000), range(0xE0100, 0xE01F0))
"""Where the Unicode of this interpreter has marks; between are Han and Hangul."""

_UNSPACED = re.compile(f"[{UNSPACED}]")


def is_unspaced(char: str) -> bool:
    """Whether a character belongs to a script without word boundaries."""
    return char > "\u0dff" and _UNSPACED.match(char) is not None


def class_body(codes: list[int]) -> str:
    """The body of a character class that holds exactly these code points, given in ascending order."""
    parts: list[str] = []
    first = last = -2
    for code in [*codes, -2]:
        if code == last + 1:
            last = code
            continue
        if first >= 0:
            parts.append(f"\\U{first:08x}-\\U{last:08x}" if last > first else f"\\U{first:08x}")
        first = last = code
    return "".join(parts)


def _mark_codes(blocks: Iterable[range]) -> list[int]:
    """The code points of the categories Mn, Mc and Me."""
    category = unicodedata.category
    return [code for block in blocks for code in block if category(chr(code))[0] == "M"]


@cache
def marks(*, astral: bool) -> str:
    """The body of a character class: every combining mark; only those up to U+FFFF without `astral`.

    `re` looks up what stands beyond U+FFFF range by range, so a text that has none should not pay for it.
    """
    return class_body(_mark_codes(_MARK_BLOCKS + _ASTRAL_MARK_BLOCKS if astral else _MARK_BLOCKS))


@cache
def word_marks() -> str:
    """The body of a character class: the combining marks of scripts that have word boundaries.

    Beyond U+FFFF only those of Adlam, the one such script in daily use.
    """
    spaced = [code for code in _mark_codes(_MARK_BLOCKS) if not is_unspaced(chr(code))]
    return class_body(spaced) + "\U0001e944-\U0001e94a"
