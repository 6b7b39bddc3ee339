"""Words that make a number negative: `minus 3 degrees`, `3 degrees below zero`, `氷点下3度`.

A sign in words is as much a part of the number as `-`: three degrees are not what `minus 3 degrees`
states. After another number `minus` takes away and is no sign (`10 minus 3`), and in phrases such as
`au moins 3` or `plus or minus 3` the same word says something else. `negative` is a sign only where
the number is plainly an amount: `tested negative 3 times` is not -3. The words of all languages count: a text is
often in another one than its locale says.
"""

from __future__ import annotations

import re

from schemacast.language.units import fold_word, meanings

_WINDOW = 40
_GAPS = " \u00a0\u202f\n"
_WORD_BEFORE = re.compile(rf"(?<![^\W\d_])([^\W\d_]{{3,8}})[{_GAPS}]{{1,2}}$")
_LAST_WORD = re.compile(r"([^\W\d_]+|/)[ \u00a0\n]{0,2}$")
_WORDS = frozenset(("minus", "moins", "menos", "meno", "negative"))
_DUTCH = "min"
_OTHER_SENSE = frozenset(
    ("/", "or", "ou", "o", "oder", "of", "plus", "mas", "au", "du", "le", "pas", "tout", "al", "lo", "ao", "pelo", "a")
)
"""Words before it that make another phrase of it: `au moins`, `por lo menos`, `más o menos`, `plus or minus`."""
_UNSPACED = ("マイナス", "氷点下", "零下", "负", "負", "영하", "마이너스", "ติดลบ")
_OTHER_WORDS = {"负": "胜勝担自抱", "負": "勝担自抱"}
_BELOW = re.compile(
    r"(?: [^\W\d_]{1,12})?[ \u00a0](?:below (?:zero|0)|unter (?:null|0|dem nullpunkt)|onder (?:nul|0)"
    r"|(?:au[- ]dessous de|en[- ]dessous de|sous) (?:zero|zéro|0)|(?:bajo|por debajo de) (?:cero|0)"
    r"|sotto (?:lo )?zero|abaixo de zero)(?![^\W_])",
    re.IGNORECASE,
)
_TIME = ((("s", 1),), (("month", 1),))


def minus_before(text: str, start: int, after: int, *, unit: str | None, language: str | None) -> int | None:
    """Where a word begins that makes the number before which it stands negative; None without one.

    `start` is where the number begins, its currency included; `after` is where the number before it ended, or 0.
    `unit` is the number's own.
    """
    bare = text[max(0, start - 8) : start].rstrip(" \u00a0")
    for word in () if bare.isascii() else _UNSPACED:  # the first character of `零下` is a zero, and no number before it
        if bare.endswith(word) and bare[: -len(word)][-1:] not in tuple(_OTHER_WORDS.get(word, "")):
            return start - len(text[max(0, start - 8) : start]) + len(bare) - len(word)
    if start <= after or text[start - 1] not in _GAPS:
        return None
    window = text[max(after, start - _WINDOW) : start]
    offset = start - len(window)
    match = _WORD_BEFORE.search(window)
    if match is None:
        return None
    word = fold_word(match[1])
    if word not in _WORDS and not (word == _DUTCH and language == "nl"):
        return None
    earlier = window[: match.start()]
    last = _LAST_WORD.search(earlier)
    if (last and fold_word(last[1]) in _OTHER_SENSE) or (after and not earlier.strip()):
        return None
    if word == "negative" and (unit is None or _is_time(unit)):
        return None
    return offset + match.start()


def below_zero_after(text: str, end: int) -> int | None:
    """The end of the words after a number, its unit or one more word, that set it below zero; None without them."""
    match = _BELOW.match(text, end) if text.startswith((" ", "\u00a0"), end) else None
    return match.end() if match else None


def _is_time(unit: str) -> bool:
    return any(meaning.dimension in _TIME for meaning in meanings(unit))
