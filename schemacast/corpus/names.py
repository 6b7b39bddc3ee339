"""The names by which a text can speak of an entity, and the entities that a text speaks of.

A name is a value of a key, an alternate or a `match` property, or of a property that is called like one, as the
folded words of its text joined by spaces. A company is also known without its legal form. A text speaks of an
entity when its words hold such a name as a whole; in scripts without spaces a stretch of characters may be one.
The longest names win: who asks about `Orvik Mail` does not ask about `Orvik`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from schemacast.corpus.frequent_words import is_frequent
from schemacast.episode import without_surrogates
from schemacast.ground.characters import fold
from schemacast.language.scripts import UNSPACED
from schemacast.schema.model import VertexType
from schemacast.workspace.file import WorkspaceFile

CALLED = frozenset(("name", "title", "label", "alias", "aliases", "nickname", "handle"))
"""Properties that name their vertex whether or not they identify it."""
LONGEST_NAME = 12
"""Words of a name at most."""
LONGEST_STRETCH = 16
"""Characters of a name in a script without spaces at most."""
LONGEST_TEXT = 4_000
"""Characters of a text that are looked through for names."""
SHORTEST_NUMBER = 3
"""Digits that a number must have to name something by itself."""

_FORMS = "ab ag as asa bv co corp corporation gmbh inc kg limited llc llp ltd nv oy oyj plc pte sa sarl sas spa srl"
LEGAL_FORMS = frozenset(_FORMS.split())

_WORD = re.compile(r"[^\W_]+")
_UNSPACED_RUN = re.compile(f"[{UNSPACED}]+")
_SOME = 400


@dataclass(frozen=True, slots=True)
class Named:
    """A record that a text names: its episode and ref there, and how many words or characters the name has."""

    name: str
    episode: int
    ref: str
    weight: int


def names_of(props: Mapping[str, Any], kind: VertexType) -> set[str]:
    """The names of a record of a type, from its properties as `records.jsonl` has them."""
    found: set[str] = set()
    for name, stated in props.items():
        declared = kind.properties.get(name)
        if name in kind.identifying or name in CALLED or (declared is not None and declared.match == "name"):
            for one in stated if isinstance(stated, list) else (stated,):
                found.update(_forms(one["value"]))
    return found


def named_in(file: WorkspaceFile, text: str) -> list[Named]:
    """The records of sources that count which a text names, those with the longest names first."""
    folded = fold(without_surrogates(text[:LONGEST_TEXT]))
    candidates = dict(_candidates(folded))
    found = [
        Named(name, episode, ref, candidates[name][0])
        for some in _in_parts(list(candidates))
        for name, episode, ref in file.rows(
            "SELECT name, episode, ref FROM names JOIN episodes ON id = episode"
            f" WHERE name IN ({','.join('?' * len(some))}) AND withdrawn IS NULL",
            some,
        )
    ]
    outer = [candidates[name] for name in {one.name for one in found}]
    kept = [one for one in found if not _inside_another(candidates[one.name], outer)]
    return sorted(kept, key=lambda one: (-one.weight, one.name, one.episode, one.ref))


def entities_of(file: WorkspaceFile, records: Iterable[Named]) -> dict[str, int]:
    """The ids of the entities that these records became, each with the weight of the longest name."""
    found: dict[str, int] = {}
    for one in records:
        for entity, refs in file.rows("SELECT entity, refs FROM mentions WHERE episode = ?", (one.episode,)):
            if one.ref in json.loads(refs):
                found[entity] = max(found.get(entity, 0), one.weight)
    return found


def _forms(value: object) -> Iterator[str]:
    if isinstance(value, bool) or not isinstance(value, str | int):
        return
    words = _WORD.findall(fold(str(value)))
    if isinstance(value, int) and len(str(abs(value))) < SHORTEST_NUMBER:
        return
    if words and len(words) <= LONGEST_NAME:
        yield " ".join(words)
        if len(words) > 1 and words[-1] in LEGAL_FORMS:
            yield " ".join(words[:-1])


def _candidates(folded: str) -> Iterator[tuple[str, tuple[int, int, int]]]:
    """What may be a name in a text: the name, and its weight, start and end. Of equal ones the last is kept."""
    words = list(_WORD.finditer(folded))
    for first in range(len(words)):
        name = ""
        for length, word in enumerate(words[first : first + LONGEST_NAME], 1):
            name = f"{name} {word[0]}" if name else word[0]
            if not (length == 1 and (len(name) == 1 or is_frequent(name))):
                yield name, (10 * length, words[first].start(), word.end())
    for run in _UNSPACED_RUN.finditer(folded):
        for start in range(run.start(), run.end() - 1):
            for end in range(start + 2, min(start + LONGEST_STRETCH, run.end()) + 1):
                yield folded[start:end], (end - start, start, end)


def _inside_another(place: tuple[int, int, int], others: list[tuple[int, int, int]]) -> bool:
    """Whether a name stands within a longer one that is a name too."""
    return any(start <= place[1] and place[2] <= end and end - start > place[2] - place[1] for _, start, end in others)


def _in_parts(names: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(names), _SOME):
        yield names[start : start + _SOME]
