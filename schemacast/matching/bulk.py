"""Many texts as words at once: what `words` says of each, without a round of Python for every one.

All texts are cleaned as one long text, a line each, and what depends on a word alone is found once for every
distinct word. Only lines with a sign that may belong to a word (`A/S`, `.NET`, `C++`) are looked at by themselves,
so that a column of a million values is read in a second or two. The results are those of the plain functions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, count

import numpy as np

from schemacast.matching.words import (
    LEGAL_FORMS,
    LONGEST,
    SOFT_C,
    SOUND_LETTERS,
    SOUNDS,
    TITLES,
    latin,
    number_word,
    signed_words,
    skeleton,
)

_KEPT = b"abcdefghijklmnopqrstuvwxyz0123456789./+#\n"
_SPACED = bytes(code if code in _KEPT else ord(" ") for code in range(256))
_OF_WORDS = np.asarray([chr(code).isascii() and chr(code).isalnum() for code in range(256)])
_NO_CODE = bytes(code for code in range(256) if chr(code) not in "abcdefghijklmnopqrstuvwxyz0123456789\n")
MOST_JOINED = 4
"""Words that another value may write as one."""
_DROPPED = LEGAL_FORMS | TITLES


def _lines(texts: Sequence[str]) -> str:
    """The texts in lower-case ASCII, a line each."""
    if not all(map(str.isascii, texts)) or max(map(len, texts), default=0) > LONGEST:
        texts = [latin(text) for text in texts]
    whole = "\n".join(texts)
    if whole.count("\n") != len(texts) - 1:
        whole = "\n".join([text.replace("\n", " ") for text in texts])
    return whole.lower()


def words_of(texts: Sequence[str]) -> list[list[str]]:
    """`words` of each text."""
    found = _split(texts)
    numbers = {word: number for word in _distinct(found) if (number := number_word(word)) != word}
    return _replaced(found, numbers, frozenset())


def name_words_of(texts: Sequence[str]) -> list[list[str]]:
    """`name_words` of each text."""
    found = _split(texts)
    distinct = _distinct(found)
    numbers = {word: number for word in distinct if (number := number_word(word)) != word}
    return _replaced(found, numbers, frozenset(word for word in distinct if word in _DROPPED))


def _distinct(lists: Iterable[Iterable[str]]) -> dict[str, None]:
    return dict.fromkeys(chain.from_iterable(lists))


def _split(texts: Sequence[str]) -> list[list[str]]:
    """The words of each text as they are written."""
    if not texts:
        return []
    data = _lines(texts).replace("&", " and ").encode("ascii", "ignore").translate(_SPACED, b"'`")
    whole = _without_ends(data).decode("ascii")
    lines = whole.split("\n")
    if not any(sign in whole for sign in "./+#"):
        return list(map(str.split, lines))
    return [
        signed_words(line) if "." in line or "/" in line or "+" in line or "#" in line else line.split()
        for line in lines
    ]


def _without_ends(data: bytes) -> bytes:
    """The lines with a space for each dot and slash that follows two letters or digits.

    These belong to no word: `.NET` has nothing before its dot, and what is spelled has a single letter.
    """
    if b"." not in data and b"/" not in data:
        return data
    signs = np.frombuffer(bytearray(data), np.uint8)
    inside = _OF_WORDS[signs]
    ends = (signs[2:] == ord(".")) | (signs[2:] == ord("/"))
    ends &= inside[1:-1]
    ends &= inside[:-2]
    signs[2:][ends] = ord(" ")
    return signs.tobytes()


def _replaced(lists: list[list[str]], numbers: Mapping[str, str], dropped: frozenset[str]) -> list[list[str]]:
    """The lists with words written as numbers, and without what is dropped unless nothing else is left."""
    special = dropped.union(numbers)
    if not special:
        return lists
    untouched = special.isdisjoint
    found = []
    for each in lists:
        if not untouched(each):
            each = [numbers.get(word, word) for word in each]
            each = [word for word in each if word not in dropped] or each
        found.append(each)
    return found


def joined(lists: list[list[str]]) -> list[list[str]]:
    """Words that another value writes as one (`micro sd`, `microsd`; `010-10979`, `01010979`) become that one."""
    flat = list(chain.from_iterable(lists))
    ids: defaultdict[str, int] = defaultdict(count().__next__)
    number = np.fromiter(map(ids.__getitem__, flat), np.int64, len(flat))
    distinct = sorted(ids)
    known = {word for word in distinct if len(word) >= 5 or (len(word) > 2 and not word.isalpha())}
    begins = _beginnings(distinct, known)
    ends = {word[::-1] for word in _beginnings(*_backwards(distinct, known))}
    is_begin, is_end = (np.fromiter(map(some.__contains__, ids), bool, len(ids))[number] for some in (begins, ends))
    owner = np.repeat(np.arange(len(lists)), np.fromiter(map(len, lists), np.int64, len(lists)))
    doubtful = np.zeros(len(lists), dtype=bool)
    for step in range(1, MOST_JOINED):
        meet = is_begin[:-step] & is_end[step:] & (owner[:-step] == owner[step:])
        doubtful[owner[step:][meet]] = True
    found = lists.copy()
    for index in np.flatnonzero(doubtful).tolist():
        found[index] = _joined(lists[index], begins, known)
    return found


def _joined(words: list[str], begins: set[str], known: set[str]) -> list[str]:
    result = []
    at = 0
    while at < len(words):
        word, end = words[at], at + 1
        whole = word
        if word in begins:
            for stop in range(at + 1, min(at + MOST_JOINED, len(words))):
                whole += words[stop]
                if whole in known and (len(whole) >= 7 or not whole.isdigit()):
                    word, end = whole, stop + 1
        result.append(word)
        at = end
    return result


def _backwards(distinct: list[str], known: set[str]) -> tuple[list[str], set[str]]:
    return sorted(word[::-1] for word in distinct), {word[::-1] for word in known}


def _beginnings(ordered: list[str], known: set[str]) -> set[str]:
    """The words that a known and longer word begins with: of words in order, those whose next known one does."""
    found = set()
    after = ""
    for word in reversed(ordered):
        if after.startswith(word):
            found.add(word)
        if word in known:
            after = word
    return found


def codes_of(texts: Sequence[str]) -> list[str]:
    """`code` of each text."""
    if not texts:
        return []
    return _lines(texts).encode("ascii", "ignore").translate(None, _NO_CODE).decode("ascii").split("\n")


def skeletons_of(words: Sequence[str]) -> list[str]:
    """`skeleton` of each word of letters; any other as it is."""
    if not words:
        return []
    whole = "\n".join([word if word.isalpha() else "" for word in words])
    if not whole.isascii():
        return [skeleton(word) if word.isalpha() else word for word in words]
    for written, sound in SOUNDS:
        whole = whole.replace(written, sound)
    whole = SOFT_C.sub("S", whole).translate(SOUND_LETTERS)
    letters = np.frombuffer(whole.encode("ascii"), np.uint8)
    before = np.concatenate((np.full(1, ord("\n"), np.uint8), letters))[: len(letters)]
    keep = ((letters != ord(".")) | (before == ord("\n"))) & (letters != before) | (letters == ord("\n"))
    found = letters[keep].tobytes().decode("ascii").split("\n")
    return [each or word for each, word in zip(found, words, strict=True)]
