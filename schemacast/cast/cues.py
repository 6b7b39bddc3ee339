"""The words by which a text gives away which types of a schema it speaks of.

A strong cue is said of the type itself: its name, a synonym, the name of a relation it takes part in,
a listed value or form, the letters that its codes begin with. A weak one is a word of its properties
or descriptions, and counts less the more types share it. Words are compared without case and common
endings; in scripts without spaces a cue is searched in the text as it stands.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from schemacast.schema.model import EdgeType, Property, Schema, VertexType

_WORD = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_CODE = re.compile(r"\^?\(?(?:\?:)?([A-Za-z][A-Za-z0-9]+)(?![*?+{A-Za-z0-9])")
_LETTERS_OF_CODE = re.compile(r"\b[^\W\d_]{2,}(?=\d)")
_ENDINGS = ("ings", "ing", "ies", "ied", "ers", "er", "ed", "es", "en", "s", "e", "n", "y")
_SHORTEST_STEM = 3
_SHORTEST_WEAK = 4
_MOST_NAMED = 8
"""A phrase that would name more types than this names none of them; it only makes them likelier."""


def words_of(text: str) -> set[str]:
    """The stems of the words of a text, names in camel case taken apart."""
    return {stem(word) for word in _WORD.findall(_HUMP.sub(" ", text).casefold())}


def stem(word: str) -> str:
    """A word without one common ending, if enough is left of it."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return word[: -len(ending)]
    return word


class Cues:
    """The cues of a schema, indexed by word."""

    def __init__(self, schema: Schema) -> None:
        self._strong: dict[str, list[tuple[frozenset[str], str, str]]] = defaultdict(list)
        self._unspaced: list[tuple[str, str]] = []
        self._weak: dict[str, set[str]] = defaultdict(set)
        for vertex in schema.vertices.values():
            self._add(vertex.name, _strong_of_vertex(vertex), _weak_of_vertex(vertex))
        for edge in schema.edges.values():
            for name in dict.fromkeys(edge.id[:2]):
                self._add(name, _strong_of_edge(edge), _weak_of_edge(edge))
        for word, entries in self._strong.items():
            named = Counter(phrase for phrase, _ in {(phrase, name) for _, phrase, name in entries})
            common = [entry for entry in entries if named[entry[1]] > _MOST_NAMED]
            entries[:] = [entry for entry in entries if named[entry[1]] <= _MOST_NAMED]
            self._weak[word].update(name for _, _, name in common)

    def _add(self, name: str, strong: Iterable[str], weak: Iterable[str]) -> None:
        for phrase in strong:
            words = frozenset(words_of(phrase))
            if _UNSPACED.search(phrase):
                self._unspaced.append((phrase.casefold(), name))
            elif any(len(word) >= _SHORTEST_STEM for word in words) or (len(words) == 1 and phrase.isupper()):
                self._strong[max(words, key=lambda word: (len(word), word))].append((words, phrase, name))
        for text in weak:
            for word in words_of(text):
                if len(word) >= _SHORTEST_WEAK:
                    self._weak[word].add(name)

    def find(self, text: str) -> tuple[dict[str, str], dict[str, float]]:
        """The types that the text names, each with the phrase, and how likely the others are."""
        folded = text.casefold()
        words = words_of(text)
        words.update(map(stem, _WORD.findall(folded)))
        words.update(map(stem, _LETTERS_OF_CODE.findall(folded)))
        said: dict[str, str] = {}
        likely: dict[str, float] = defaultdict(float)
        for word in sorted(words):
            for needed, phrase, name in self._strong.get(word, ()):
                if needed <= words:
                    said.setdefault(name, phrase)
            sharing = self._weak.get(word)
            if sharing:
                for name in sharing:
                    likely[name] += 1 / len(sharing)
        for phrase, name in self._unspaced:
            if phrase in folded:
                said.setdefault(name, phrase)
        return said, dict(likely)


def _strong_of_vertex(vertex: VertexType) -> Iterator[str]:
    yield vertex.name
    yield from vertex.synonyms
    for prop in vertex.properties.values():
        yield from _strong_of_property(prop)


def _strong_of_property(prop: Property) -> Iterator[str]:
    for entry in prop.enum:
        if isinstance(entry.value, str):
            yield entry.value
        yield from entry.forms
    code = _CODE.match(prop.pattern) if prop.pattern else None
    if code:
        yield code.group(1)


def _strong_of_edge(edge: EdgeType) -> Iterator[str]:
    yield edge.id.relation
    yield from edge.synonyms
    yield from edge.inverse


def _weak_of_vertex(vertex: VertexType) -> Iterator[str]:
    yield vertex.description
    yield from _weak_of_properties(vertex.properties.values())


def _weak_of_edge(edge: EdgeType) -> Iterator[str]:
    yield edge.description
    yield from _weak_of_properties(edge.properties.values())


def _weak_of_properties(properties: Iterable[Property]) -> Iterator[str]:
    for prop in properties:
        yield prop.name
        yield from prop.synonyms
        yield prop.description
        yield prop.unit or ""
