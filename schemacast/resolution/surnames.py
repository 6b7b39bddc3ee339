"""A surname alone, in a text that names the person in full: "Dr. Ada Lind chairs Orvik. Lind resigned."

Such a record is not looked for anywhere else; within its episode it is the one person of that surname, and when
two have it, nobody can tell. Only names of people are shortened so: in a text about York and New York the one is
not the other. A type is of people when its name or a synonym says so, in one of the words below; of other types a
name with a personal title ("Mr Lind") is a person's.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from schemacast.matching.words import TITLES
from schemacast.schema.comparable import fold_words
from schemacast.schema.model import VertexType
from schemacast.schema.names import fold_name

_PEOPLE = """
person persons people human humans man woman individual employee author writer patient politician player athlete actor
artist musician director scientist researcher student teacher professor physician doctor nurse worker technician
engineer manager officer founder minister suspect witness victim contact candidate
personne personnes employé auteur auteure mensch menschen mitarbeiter mitarbeiterin autor autorin patientin
persona personas autora empleado empleada 人 人物 人名 氏名
"""
PEOPLE = frozenset(_PEOPLE.split())
"""Words that say of a type that its things are people."""
_PARTICLES = "van von der den de del della di da dos du la le ter ten zu zur af av bin ibn al el"
PARTICLES = frozenset(_PARTICLES.split())
SUFFIXES = frozenset(("jr", "sr", "ii", "iii", "iv", "phd", "md", "esq"))
_WORD = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*")


def is_of_people(kind: VertexType) -> bool:
    """Whether the things of a type are people."""
    return any(word in PEOPLE for text in (kind.name, *kind.synonyms) for word in _words_of(text))


def _words_of(text: str) -> list[str]:
    spread = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    return [fold_name(word) for word in _WORD.findall(spread.replace("_", " "))]


def surnames(names: Mapping[str, str], *, people: bool) -> dict[str, tuple[str, ...]]:
    """By ref of each name that is a surname alone, the refs of the full names that it may stand for.

    `names` are the names of the records of one type in one episode, by ref; `people` says whether the type is
    of people.
    """
    split = {ref: _parts(name) for ref, name in names.items()}
    full = {ref: surname for ref, (_, surname, given, _) in split.items() if surname and given}
    found: dict[str, tuple[str, ...]] = {}
    for ref, (titled, surname, given, words) in split.items():
        if given or not surname or not (people or titled):
            continue
        meant = tuple(
            other
            for other, theirs in full.items()
            if _is_surname(words, theirs) and (people or titled or split[other][0])
        )
        if meant:
            found[ref] = meant
    return found


def _is_surname(words: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether a short name is a surname, with or without its particles."""
    return tuple(words) == tuple(theirs) or tuple(words) == tuple(theirs)[-1:]


def _parts(name: str) -> tuple[bool, tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Whether a name has a title; its surname with particles, what stands before it, and all but titles."""
    text = unicodedata.normalize("NFC", name)
    last, comma, first = text.partition(",")
    words = [fold_words(word) for word in _WORD.findall(text)]
    titled = bool(words) and _bare(words[0]) in TITLES
    while words and _bare(words[0]) in TITLES:
        words.pop(0)
    while len(words) > 1 and _bare(words[-1]) in SUFFIXES:
        words.pop()
    if comma and _WORD.findall(first) and _bare(fold_words(_WORD.findall(first)[0])) not in SUFFIXES:
        surname = [fold_words(word) for word in _WORD.findall(last) if _bare(fold_words(word)) not in TITLES]
        return titled, tuple(surname), tuple(words[len(surname) :]), tuple(words)
    start = len(words) - 1
    while start > 0 and words[start - 1] in PARTICLES:
        start -= 1
    if start == 0:
        return titled, tuple(words), (), tuple(words)
    return titled, tuple(words[start:]), tuple(words[:start]), tuple(words)


def _bare(word: str) -> str:
    return word.replace(".", "")
