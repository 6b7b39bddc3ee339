"""What names in different scripts sound like, so that they can be compared at all.

A name that is written in another script is spelled as it sounds there: vowels are left out (Hebrew, Arabic), put in
(Korean, Japanese) or changed, and consonants become the nearest ones. So a name is the row of its consonants, each one
of a few classes, and two rows are alike by a weighted edit distance in which near sounds cost little (as in Editex,
Zobel and Dart 1996, and ALINE, Kondrak 2000). Names in one script are not compared so: there, letters say more.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from schemacast.matching.words import latin

Sounds = NDArray[np.int8]
Floats = NDArray[np.float64]
Costs = NDArray[np.float32]
_SCRIPTS = (
    (1, 0x0370, 0x03FF), (2, 0x0400, 0x052F), (3, 0x0530, 0x058F), (4, 0x0590, 0x05FF), (5, 0x0600, 0x077F),
    (6, 0x0900, 0x097F), (7, 0x0980, 0x09FF), (8, 0x0B80, 0x0BFF), (9, 0x0E00, 0x0E7F), (10, 0x10A0, 0x10FF),
    (11, 0x1100, 0x11FF), (12, 0x3040, 0x30FF), (11, 0x3130, 0x318F), (13, 0x3400, 0x4DBF), (13, 0x4E00, 0x9FFF),
    (11, 0xAC00, 0xD7AF), (13, 0x20000, 0x323AF),
)  # fmt: skip
"""Greek, Cyrillic, Armenian, Hebrew, Arabic, Devanagari, Bengali, Tamil, Thai, Georgian, Hangul, kana and Han."""
LATIN = 0
ENOUGH = 1000
"""One value in so many is in another script than most: then a field is heard."""
LONGEST = 20
"""Consonants that are compared; hardly any name has more."""
PART = 20_000
"""Pairs that are worked through at once, few enough to stay in a processor's memory."""
PER_CONSONANT = 1.7
"""Nats that a consonant tells: there are about six classes of them that are not near each other."""
LOSES = 2.2
"""Of what consonants tell, the part that is lost for each part of them that differs."""
UNLIKE = 0.4
EQUAL_SOUND = 0.95
RUN = 4
MOST_WORDS = 6

CLASSES = "PBFVWUMTD0SZXCJKGHNLR"
"""0: th; X: sh; C: ch; J: as in jet; H: h and kh; U: a letter that is a w, a v or a vowel. Y and vowels are none."""
_NEAR = {
    0.1: "VU WU",
    0.15: "LR",
    0.2: "PB BV FV VW TD 0T SZ KG",
    0.25: "PF 0S ZJ GJ",
    0.3: "SX XC CJ ZC XJ",
    0.35: "0D 0Z SC",
    0.4: "PV BF BW BU SJ ZX KH GH KC FH",
    0.5: "FW FU HJ CH KJ NM TC DJ ZD",
    0.6: "PW TJ XH",
    0.7: "KS",
}
_SWAP = 1.2
_LOSE = {"H": 0.3, "W": 0.35, "U": 0.1, "J": 0.6, "R": 0.6, "N": 0.8}
_COARSE = str.maketrans("PBFVMTD0SZXCJKGNLR", "ppppmttssssssk" + "knrr", "WUH")

_HEBREW = dict(zip("אבגדהוזחטיךכלםמןנסעףפץצקרשת", ("", *"BGDHUZHT", "", *"KKLMMNNS", "", *"FFZZKRXT"), strict=True))
_ARABIC = dict(
    zip(
        "ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيپچژگکیہھ",
        (*[""] * 7, "B", "", *"T0JHHDZRZSXSDTZ", "", *"GFKKLMNHU", "", "", *"PCJGK", "", "", "H"),
        strict=True,
    )
)
_CONSONANTS = _HEBREW | _ARABIC
_GERESH = re.compile("([גזצ])['\u2019\u05f3]")
_WITH_GERESH = {"ג": "J", "ז": "J", "צ": "C"}
_UNHEARD = str.maketrans("", "", "\u30fc\u30c3\u3063")
"""The long vowel and the doubled consonant of kana."""
_BETWEEN_WORDS = re.compile(r"[\s\u00b7\u30fb,;/&()\[\]-]+")
_WRITTEN = (
    ("tsch", "C"), ("sch", "X"), ("tch", "C"), ("dzh", "J"), ("zh", "J"), ("sh", "X"), ("ch", "C"), ("cz", "C"),
    ("cs", "C"), ("ts", "Z"), ("tz", "Z"), ("dz", "Z"), ("kh", "H"), ("gh", "G"), ("ph", "F"), ("th", "0"),
    ("dj", "J"), ("ck", "K"), ("qu", "K"), ("x", "KS"), ("lr", "L"), ("rl", "L"),
)  # fmt: skip
_SOFT_C = re.compile("c(?=[eiy])")
_LETTERS = str.maketrans("bcdfghjklmnpqrstvwz", "BKDFGHJKLMNPKRSTVWZ", "aeiouy")


def script_of(text: str) -> int:
    """The number of the script of the first letter that is of none of the alphabets near Latin; else `LATIN`."""
    if text.isascii():
        return LATIN
    for char in text:
        place = ord(char)
        if place < 0x370:
            continue
        for number, first, last in _SCRIPTS:
            if first <= place <= last:
                return number
    return LATIN


def sounds(text: str) -> list[str]:
    """The consonants of each word of a text, as classes of sounds."""
    text = unicodedata.normalize("NFKC", text).casefold().translate(_UNHEARD)
    text = _GERESH.sub(lambda found: _WITH_GERESH[found[1]], text)
    return [found for word in _BETWEEN_WORDS.split(text) if (found := _sound(word))]


def _sound(word: str) -> str:
    parts: list[str] = []
    spelled = ""
    for char in word:
        known = char if char in "CJ" else _CONSONANTS.get(char)
        if known is None:
            spelled += char
            continue
        parts += (_of_letters(spelled), known)
        spelled = ""
    return _once("".join((*parts, _of_letters(spelled))))


def _of_letters(text: str) -> str:
    if not text:
        return ""
    written = latin(text)
    if script_of(text) == _HANGUL:
        written = written.replace("ch", "c").replace("c", "ch")
    for letters, sound in _WRITTEN:
        if letters in written:
            written = written.replace(letters, sound)
    written = _SOFT_C.sub("S", written).translate(_LETTERS)
    return "".join(char for char in written if char in _PLACE)


_HANGUL = 11


def _once(text: str) -> str:
    """The text without the second of two equal characters."""
    return "".join(char for place, char in enumerate(text) if char != text[place - 1 : place])


def coarse(sound: str) -> str:
    """A row of consonants with near ones made the same, to find pairs by."""
    return _once(sound.translate(_COARSE))


_PLACE = {char: place for place, char in enumerate(CLASSES, 1)}


def _costs() -> tuple[Costs, Costs]:
    """What it costs to swap one class for another, and to lose one; class 0 stands for nothing."""
    size = len(CLASSES) + 1
    swap = np.full((size, size), _SWAP, dtype=np.float32)
    lose = np.ones(size, dtype=np.float32)
    lose[0] = 0.0
    for char, cost in _LOSE.items():
        lose[_PLACE[char]] = cost
    np.fill_diagonal(swap, 0.0)
    for cost, pairs in _NEAR.items():
        for pair in pairs.split():
            one, other = _PLACE[pair[0]], _PLACE[pair[1]]
            swap[one, other] = swap[other, one] = cost
    swap[0] = swap[:, 0] = lose
    return swap, lose


_SWAP_COST, _LOSE_COST = _costs()


@dataclass(frozen=True, slots=True)
class Heard:
    """The values of a field as they sound, where some are in another script than most.

    `script` numbers each value's script; `sound` has its consonants, `turned` those of its words in reverse order,
    since a surname stands first in some scripts. `keys` are what values that may sound alike have in common.
    """

    script: Sounds
    sound: Sounds
    turned: Sounds
    keys: tuple[tuple[str, list[list[int]]], ...]

    @classmethod
    def of(cls, texts: Sequence[str]) -> Heard | None:
        """None where hardly any value is in a script of its own."""
        script = np.fromiter(map(script_of, texts), np.int8, len(texts))
        others = len(texts) - int(np.bincount(script).max(initial=0)) if len(texts) else 0
        if not others or others * ENOUGH < len(texts):
            return None
        heard = [sounds(text) for text in texts]
        return cls(
            script,
            coded(["".join(each) for each in heard]),
            coded(["".join(reversed(each)) for each in heard]),
            (
                ("by consonants", _numbered(map(_runs, heard))),
                ("by two words' consonants", _numbered(map(_pairs, heard))),
            ),
        )

    def likeness(self, a: NDArray[np.int64], b: NDArray[np.int64]) -> tuple[Floats, Floats]:
        """For pairs of values how alike they sound, from 0 to 1, and how much that tells, in nats."""
        one, other = self.sound[a], self.sound[b]
        alike = np.maximum(sound_likeness(one, other), sound_likeness(self.turned[a], other))
        heard = np.minimum(_LOSE_COST[one].sum(axis=1), _LOSE_COST[other].sum(axis=1)).astype(np.float64)
        telling = PER_CONSONANT * heard * np.maximum(1 - LOSES * (1 - alike), 0.0)
        return EQUAL_SOUND * np.clip((alike - UNLIKE) / (1 - UNLIKE), 0.0, 1.0), telling


def _numbered(lists: Iterable[set[str]]) -> list[list[int]]:
    ids: dict[str, int] = {}
    return [sorted(ids.setdefault(each, len(ids)) for each in found) for found in lists]


def _runs(heard: list[str]) -> set[str]:
    """Every few consonants that stand together."""
    whole = coarse("".join(heard))
    return {whole[at : at + RUN] for at in range(len(whole) - RUN + 1)} or ({whole} if whole else set())


def _pairs(heard: list[str]) -> set[str]:
    """The first consonants of every two words."""
    starts = sorted(coarse(each)[:2] for each in heard[:MOST_WORDS])
    return {f"{one} {other}" for one, other in combinations(starts, 2)}


def coded(rows: Sequence[str]) -> Sounds:
    """Rows of consonants as a table of numbers, 0 where a row has ended."""
    table = np.zeros((len(rows), LONGEST), np.int8)
    for at, row in enumerate(rows):
        for place, char in enumerate(row[:LONGEST]):
            table[at, place] = _PLACE[char]
    return table


def sound_likeness(a: Sounds, b: Sounds) -> Floats:
    """How alike rows of consonants are, row by row: 1 less the cost of turning one into the other, as a part of what
    the longer one weighs, and never less than 0."""
    likeness = np.zeros(len(a))
    for start in range(0, len(a), PART):
        part = slice(start, start + PART)
        likeness[part] = _likeness(a[part], b[part])
    return likeness


def _likeness(a: Sounds, b: Sounds) -> Floats:
    """The weighted edit distance of many rows at once: places stand first, rows beside each other."""
    one, other = np.ascontiguousarray(a.T).astype(np.intp), np.ascontiguousarray(b.T).astype(np.intp)
    one, other = one[one.any(axis=1)], other[other.any(axis=1)]
    lose_one, lose_other = _LOSE_COST[one], _LOSE_COST[other]
    before = np.zeros((len(other) + 1, len(a)), np.float32)
    np.cumsum(lose_other, axis=0, out=before[1:])
    for place, lose in zip(one * len(_LOSE_COST), lose_one, strict=True):
        now = np.empty_like(before)
        now[0] = before[0] + lose
        for at in range(len(other)):
            swapped = before[at] + _SWAP_COST.take(place + other[at])
            np.minimum(swapped, before[at + 1] + lose, out=swapped)
            np.minimum(swapped, now[at] + lose_other[at], out=now[at + 1])
        before = now
    whole = np.maximum(lose_one.sum(axis=0), lose_other.sum(axis=0))
    cost = np.divide(before[-1], whole, out=np.zeros(len(a), np.float32), where=whole > 0)
    alike: Floats = np.maximum(1 - cost, 0.0).astype(np.float64)
    return alike
