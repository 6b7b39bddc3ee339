"""Rows as columns: every distinct value once, its words as numbers, so that pairs are compared in bulk."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from itertools import chain, count, pairwise, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schemacast.matching.bulk import codes_of, joined, name_words_of, skeletons_of, words_of
from schemacast.matching.kinds import as_date, as_number, read_kind
from schemacast.matching.model import Field, FieldKind, FieldWeights
from schemacast.matching.sounds import Heard
from schemacast.matching.syllables import Syllables
from schemacast.matching.words import turkish
from schemacast.schema.values import Scalar, Value, canonical_text

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
MOST_VALUES = 8
"""Values of one cell that are compared."""
LONGEST_TYPED = 400
"""Signs of a word, a name or a code that are compared one by one, since that takes time with their square."""
READ_FOR_KIND = 5000
MOST_LETTERS = 6
"""Of an abbreviation."""
MOST_COMMON = 20_000


@dataclass(slots=True)
class Ragged:
    """A list of integers for every index, in one array: those of `i` stand at `start[i]` to `start[i + 1]`."""

    start: Ints
    items: Ints

    @classmethod
    def of(cls, lists: Iterable[Sequence[int]]) -> Ragged:
        lengths: list[int] = []
        items: list[int] = []
        for each in lists:
            lengths.append(len(each))
            items.extend(each)
        start = np.zeros(len(lengths) + 1, dtype=np.int64)
        np.cumsum(np.asarray(lengths, dtype=np.int64), out=start[1:])
        return cls(start, np.asarray(items, dtype=np.int64))

    @classmethod
    def grouped(cls, owner: Ints, items: Ints, count: int) -> Ragged:
        """The items of each of `count` owners in ascending order, each once."""
        order = np.lexsort((items, owner))
        owner, items = owner[order], items[order]
        keep = np.ones(len(owner), bool)
        keep[1:] = (owner[1:] != owner[:-1]) | (items[1:] != items[:-1])
        return cls.by(owner[keep], items[keep], count)

    @classmethod
    def by(cls, owner: Ints, items: Ints, count: int) -> Ragged:
        """The items of each of `count` owners, which stand in ascending order."""
        start = np.zeros(count + 1, dtype=np.int64)
        np.cumsum(np.bincount(owner, minlength=count), out=start[1:])
        return cls(start, items)

    def sets(self, size: int) -> Ragged:
        """The items of every index in ascending order, each once; all are below `size`."""
        code = np.repeat(np.arange(len(self.start) - 1), self.lengths()) * size + self.items
        code.sort()
        code = code[np.diff(code, prepend=-1) != 0]
        owner = code // max(size, 1)
        return Ragged.by(owner, code - owner * size, len(self.start) - 1)

    def lengths(self) -> Ints:
        return np.diff(self.start)

    def take(self, index: Ints) -> tuple[Ints, Ints]:
        """The items of every index in turn, and for each the position in `index` that it belongs to."""
        lengths = self.start[index + 1] - self.start[index]
        owner = np.repeat(np.arange(len(index)), lengths)
        offset = np.arange(len(owner)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return self.items[self.start[index][owner] + offset], owner


def among(codes: Ints, ordered: Ints) -> NDArray[np.bool_]:
    """Whether each code is in an ascending list."""
    if not len(ordered):
        return np.zeros(len(codes), dtype=bool)
    at = np.searchsorted(ordered, codes)
    at[at == len(ordered)] = 0
    found: NDArray[np.bool_] = ordered[at] == codes
    return found


class Vocabulary:
    """The words of a table as numbers, and what comparing words needs to know of each."""

    def __init__(self) -> None:
        self.ids: dict[str, int] = {}
        self.words: list[str] = []

    def tokens(self, lists: Sequence[Sequence[str]]) -> Ragged:
        """The words of texts as numbers, in their order; a new word gets the next number."""
        flat = list(chain.from_iterable(lists))
        new = [word for word in dict.fromkeys(flat) if word not in self.ids]
        self.ids.update(zip(new, range(len(self.words), len(self.words) + len(new)), strict=True))
        self.words += new
        start = np.zeros(len(lists) + 1, dtype=np.int64)
        np.cumsum(np.fromiter(map(len, lists), np.int64, len(lists)), out=start[1:])
        return Ragged(start, np.fromiter(map(self.ids.__getitem__, flat), np.int64, len(flat)))

    def among(self, words: Iterable[str]) -> NDArray[np.bool_]:
        """Which words are some of these."""
        found = np.zeros(len(self.words), bool)
        found[[self.ids[word] for word in words if word in self.ids]] = True
        return found

    def packed(self, index: Ints) -> Ints:
        """The letters of each of these words as one number, a byte each; 0 for a longer word."""
        known, place = np.unique(index, return_inverse=True)
        words = map(self.words.__getitem__, known.tolist())
        few = (int.from_bytes(w.encode("ascii"), "little") if len(w) <= MOST_LETTERS else 0 for w in words)
        return np.fromiter(few, np.int64, len(known))[place]

    def close(self) -> None:
        size = len(self.words)
        self.length = np.fromiter(map(len, self.words), np.int32, size)
        self.first = np.fromiter((ord(word[0]) for word in self.words), np.int32, size)
        self.digits = np.fromiter((not word.isalpha() for word in self.words), bool, size)
        self.skeleton = numbered(skeletons_of(self.words)).astype(np.int32)
        self.prefix = numbered([word[:3] for word in self.words]).astype(np.int32)
        self.letters = _letters(self.words, self.length)


def numbered(keys: Sequence[Hashable]) -> Ints:
    """A number for every key, equal ones for equal keys, in the order in which they are met."""
    ids: defaultdict[Hashable, int] = defaultdict(count().__next__)
    return np.fromiter(map(ids.__getitem__, keys), np.int64, len(keys))


def _letters(words: Sequence[str], length: NDArray[np.int32]) -> NDArray[np.uint32]:
    """The letters of each word as bits."""
    chars = np.frombuffer("".join(words).encode("utf-32-le", "surrogatepass"), np.uint32)
    bits: NDArray[np.uint32] = np.left_shift(np.uint32(1), chars & np.uint32(31))
    if not len(words):
        return bits
    found: NDArray[np.uint32] = np.bitwise_or.reduceat(bits, np.cumsum(length) - length)
    return found


def _none() -> Ints:
    return np.zeros(0, dtype=np.int64)


@dataclass(slots=True)
class Column:
    """One field: `cells` has the distinct values of every row, `norm` an id per value equal when they count as one."""

    field: Field
    kind: FieldKind
    cells: Ragged
    values: list[Scalar]
    norm: Ints
    words: Ragged | None = None
    ordered: list[list[str]] = dataclass_field(default_factory=list)
    tokens: Ragged = dataclass_field(default_factory=lambda: Ragged(np.zeros(1, np.int64), _none()))
    bare: dict[int, str] = dataclass_field(default_factory=dict)
    texts: list[str] = dataclass_field(default_factory=list)
    lengths: Ints = dataclass_field(default_factory=lambda: np.zeros(0, np.int64))
    letters: NDArray[np.uint32] = dataclass_field(default_factory=lambda: np.zeros(0, np.uint32))
    numbers: Floats = dataclass_field(default_factory=lambda: np.zeros(0))
    days: Ints = dataclass_field(default_factory=_none)
    acronym: Ints = dataclass_field(default_factory=_none)
    initials: Ints = dataclass_field(default_factory=_none)
    runs: Ragged = dataclass_field(default_factory=lambda: Ragged(np.zeros(1, np.int64), _none()))
    heard: Heard | None = None
    special: dict[int, str] = dataclass_field(default_factory=dict)
    syllables: list[str] = dataclass_field(default_factory=list)
    keys: list[str] = dataclass_field(default_factory=list)
    total: int = 0
    is_single: bool = True
    least: int = 2
    counts: Ints = dataclass_field(default_factory=lambda: np.zeros(0, np.int64))
    weight: Floats = dataclass_field(default_factory=lambda: np.zeros(0))
    rarity: Floats = dataclass_field(default_factory=lambda: np.zeros(0))


def joined_text(column: Column, value: int) -> str:
    """The words of a value in the order of the alphabet as one, or what it is without any, cut at `LONGEST_TYPED`."""
    return ("".join(sorted(column.ordered[value])) or column.bare[value])[:LONGEST_TYPED]


def intern_cells(given: Sequence[Value | None]) -> tuple[Ragged, list[Scalar], int]:
    """The cells of a field as places in the list of its distinct values, and how many values a bound left out."""
    if set(map(type, given)) <= {str, type(None)}:
        return *_intern_texts(given), 0  # type: ignore[arg-type]  # as has just been seen
    texts: dict[str, int] = {}
    others: dict[tuple[type, Scalar], int] = {}
    lengths, items = [], []
    values: list[Scalar] = []
    cut = 0
    for value in given:
        if value is None:
            lengths.append(0)
            continue
        several = tuple(dict.fromkeys(value)) if isinstance(value, tuple) else (value,)
        several = tuple(each for each in several if each != "")
        if len(several) > MOST_VALUES:
            cut += len(several) - MOST_VALUES
            several = tuple(sorted(several, key=_text)[:MOST_VALUES])
        for each in several:
            found = texts.get(each) if isinstance(each, str) else others.get((type(each), each))
            if found is None:
                found = len(values)
                if isinstance(each, str):
                    texts[each] = found
                else:
                    others[type(each), each] = found
                values.append(each)
            items.append(found)
        lengths.append(len(several))
    start = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(np.asarray(lengths, dtype=np.int64), out=start[1:])
    return Ragged(start, np.asarray(items, dtype=np.int64)), values, cut


def _intern_texts(given: Sequence[str | None]) -> tuple[Ragged, list[Scalar]]:
    """The same for one text or none per row, as nearly every column of a large table is."""
    numbers: defaultdict[str | None, int] = defaultdict(count().__next__)
    items = np.fromiter(map(numbers.__getitem__, given), np.int64, len(given))
    values: list[Scalar] = [text for text in numbers if text]
    place = np.full(len(numbers), -1, dtype=np.int64)
    place[np.fromiter(map(bool, numbers), bool, len(numbers))] = np.arange(len(values))
    items = place[items]
    has = items >= 0
    start = np.zeros(len(given) + 1, dtype=np.int64)
    np.cumsum(has, out=start[1:])
    return Ragged(start, items[has]), values


def _text(value: Scalar) -> str:
    return value if isinstance(value, str) else canonical_text(value)


def in_order(cells: Ragged, values: list[Scalar]) -> tuple[Ragged, list[Scalar], NDArray[np.uint64]]:
    """The same cells with the values in an order that the rows' order does not change, and a number for each value."""
    marks = _marks(values)
    order = np.argsort(marks, kind="stable")
    place = np.empty(len(values), dtype=np.int64)
    place[order] = np.arange(len(values))
    return Ragged(cells.start, place[cells.items]), [values[i] for i in order.tolist()], marks[order]


def mark(text: str) -> int:
    """A number of 64 bits that is the same for a text in every process."""
    data = text.encode("utf-8", "surrogatepass")
    return zlib.crc32(data) << 32 | zlib.adler32(data)


def _marks(values: Sequence[Scalar]) -> NDArray[np.uint64]:
    """`mark` of each value's type and text."""
    if not all(type(each) is str for each in values):
        return np.fromiter((mark(type(each).__name__ + _text(each)) for each in values), np.uint64, len(values))
    texts = [each.encode("utf-8", "surrogatepass") for each in values if type(each) is str]
    sums = np.fromiter(map(zlib.crc32, texts, repeat(zlib.crc32(b"str"))), np.uint64, len(texts))
    return sums << np.uint64(32) | np.fromiter(
        map(zlib.adler32, texts, repeat(zlib.adler32(b"str"))), np.uint64, len(texts)
    )


def read_column(
    declared: Field, kind: FieldKind, cells: Ragged, values: list[Scalar], vocabulary: Vocabulary
) -> Column:
    """A field's values as what its kind compares; an `auto` kind is read off the values."""
    column = _column(declared, read_kind(values[:READ_FOR_KIND]) if kind == "auto" else kind, cells, values, vocabulary)
    column.is_single = int(cells.lengths().max(initial=0)) <= 1
    return column


def count_words(column: Column, vocabulary: Vocabulary, stored: FieldWeights | None) -> None:
    """How rare each word or value is: in these rows, or in those that the weights were learned from.

    Only counts of `least` rows and more tell; below, all are as rare as can be. So a large table is stored small,
    and scores the same with its stored counts as with its own.
    """
    if column.words is None:
        names, items = column.keys, column.norm[column.cells.items]
    else:
        names, items = vocabulary.words, column.words.take(column.cells.items)[0]
    if stored is None:
        column.total = len(column.cells.items)
        least = max(2, column.total // MOST_COMMON)
        counts = np.bincount(items, minlength=len(names))
    else:
        column.total, least = stored.rows, stored.least
        counts = np.fromiter((stored.common.get(name, 0) for name in names), np.int64, len(names))
    column.least = least
    column.counts = counts
    rows = max(column.total, 1)
    known = np.where(counts >= least, counts, least - 1)
    if column.words is None:
        column.rarity = np.log(np.maximum(rows / known, 1.0))
    else:
        column.weight = np.log((rows + 1) / known) + 0.1


def common(column: Column, vocabulary: Vocabulary) -> dict[str, int]:
    """The counts that `count_words` needs to weigh words as it did."""
    names = column.keys if column.words is None else vocabulary.words
    return {names[i]: int(column.counts[i]) for i in np.flatnonzero(column.counts >= column.least).tolist()}


def _column(declared: Field, kind: FieldKind, cells: Ragged, values: list[Scalar], vocabulary: Vocabulary) -> Column:
    texts = [_text(value) for value in values]
    column = Column(declared, kind, cells, values, np.zeros(0, np.int64))
    keys: list[Any]
    if kind in ("name", "text"):
        keys = _read_words(column, texts, vocabulary)
    elif kind == "number":
        column.numbers = np.asarray([np.nan if (n := as_number(v)) is None else n for v in values], dtype=np.float64)
        keys = [text if np.isnan(n) else n for text, n in zip(texts, column.numbers, strict=True)]
    elif kind == "date":
        days = [as_date(value) for value in values]
        column.days = np.asarray([day or (0, 0, 0) for day in days], dtype=np.int64).reshape(-1, 3)
        keys = [day or text for day, text in zip(days, texts, strict=True)]
    elif kind == "code":
        column.texts = [found or text for found, text in zip(codes_of(texts), texts, strict=True)]
        keys = list(column.texts)
    else:
        keys = texts
        column.texts = texts
    column.norm = numbered(keys)
    if column.words is None:
        column.keys = list(map(str, dict.fromkeys(keys)))
    return column


def _read_words(column: Column, texts: list[str], vocabulary: Vocabulary) -> list[Hashable]:
    """Read a column's values as words; what two values have in common when they count as one, value by value."""
    lists = joined(name_words_of(texts) if column.kind == "name" else words_of(texts))
    column.ordered = lists
    column.tokens = vocabulary.tokens(lists)
    column.words = column.tokens.sets(len(vocabulary.words))
    # What has no words, such as an emoji, is compared as it stands.
    bare = {i: texts[i].strip() for i in np.flatnonzero(column.tokens.lengths() == 0).tolist()}
    numbers = column.words.items.tobytes()
    ends = (column.words.start * column.words.items.itemsize).tolist()
    keys: list[Hashable] = [numbers[start:end] for start, end in pairwise(ends)]
    for i, text in bare.items():
        keys[i] = text
    if all(map(str.isascii, texts)):
        column.bare = bare
        return keys
    if any("İ" in text or "ı" in text for text in texts):
        for i, text in enumerate(texts):
            form = turkish(text)
            if form is not None:
                column.special[i] = form
                keys[i] = (keys[i], form)
    column.bare = bare
    if column.kind == "name":
        column.heard = Heard.of(texts)
        column.syllables = list(map(Syllables().of, texts))
    return keys
