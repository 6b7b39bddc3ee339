"""Rows as columns: every distinct value once, its words as numbers, so that pairs are compared in bulk."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from schemacast.matching.kinds import as_date, as_number, read_kind
from schemacast.matching.model import Field, FieldKind, FieldWeights, Row
from schemacast.matching.sounds import Heard
from schemacast.matching.syllables import Syllables
from schemacast.matching.words import PARTICLES, code, name_words, skeleton, turkish, words
from schemacast.schema.values import Scalar, canonical_text

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
MOST_VALUES = 8
"""Values of one cell that are compared."""
LONGEST_TYPED = 400
"""Signs of a word, a name or a code that are compared one by one, since that takes time with their square."""
READ_FOR_KIND = 5000
MOST_COMMON = 20_000
_DIGITS = re.compile(r"[0-9]+")


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

    def id(self, word: str) -> int:
        found = self.ids.get(word)
        if found is None:
            found = self.ids[word] = len(self.words)
            self.words.append(word)
        return found

    def close(self) -> None:
        size = len(self.words)
        self.length = np.fromiter(map(len, self.words), np.int64, size)
        self.first = np.fromiter((ord(word[0]) for word in self.words), np.int64, size)
        self.digits = np.fromiter((not word.isalpha() for word in self.words), bool, size)
        self.numeric = np.fromiter((any(c.isdigit() for c in word) for word in self.words), bool, size)
        ids: dict[str, int] = {}
        self.skeleton = np.fromiter(
            (ids.setdefault(skeleton(w) if w.isalpha() else w, len(ids)) for w in self.words), np.int64, size
        )
        ids = {}
        self.prefix = np.fromiter((ids.setdefault(word[:3], len(ids)) for word in self.words), np.int64, size)
        self.letters = np.fromiter(map(_letters, self.words), np.uint32, size)


def _letters(word: str) -> int:
    mask = 0
    for char in word:
        mask |= 1 << (ord(char) & 31)
    return mask


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


def intern_cells(index: int, rows: Sequence[Row]) -> tuple[Ragged, list[Scalar], int]:
    """The cells of a field as places in the list of its distinct values, and how many values a bound left out."""
    texts: dict[str, int] = {}
    others: dict[tuple[type, Scalar], int] = {}
    lengths, items = [], []
    values: list[Scalar] = []
    cut = 0
    for row in rows:
        value = row.values[index]
        if type(value) is str:  # nearly every cell of a large table
            if not value:
                lengths.append(0)
                continue
            found = texts.get(value)
            if found is None:
                found = texts[value] = len(values)
                values.append(value)
            items.append(found)
            lengths.append(1)
            continue
        if value is None:
            lengths.append(0)
            continue
        several = tuple(dict.fromkeys(each for each in value if each != "")) if isinstance(value, tuple) else (value,)
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


def _text(value: Scalar) -> str:
    return value if isinstance(value, str) else canonical_text(value)


def in_order(cells: Ragged, values: list[Scalar]) -> tuple[Ragged, list[Scalar], NDArray[np.uint64]]:
    """The same cells with the values in an order that the rows' order does not change, and a number for each value."""
    marks = np.fromiter((mark(type(each).__name__ + _text(each)) for each in values), np.uint64, len(values))
    order = np.argsort(marks, kind="stable")
    place = np.empty(len(values), dtype=np.int64)
    place[order] = np.arange(len(values))
    return Ragged(cells.start, place[cells.items]), [values[i] for i in order.tolist()], marks[order]


def mark(text: str) -> int:
    """A number of 64 bits that is the same for a text in every process."""
    data = text.encode("utf-8", "surrogatepass")
    return zlib.crc32(data) << 32 | zlib.adler32(data)


def finish(columns: Sequence[Column], vocabulary: Vocabulary) -> None:
    """What needs the whole vocabulary."""
    vocabulary.close()
    for column in columns:
        if column.words is not None:
            word, owner = column.words.take(np.arange(len(column.values)))
            column.letters = np.zeros(len(column.values), np.uint32)
            np.bitwise_or.at(column.letters, owner, vocabulary.letters[word])


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
        split = name_words if kind == "name" else words
        lists = [split(text) for text in texts]
        lists = _joined(lists)
        column.ordered = lists
        column.words = Ragged.of(sorted({vocabulary.id(word) for word in each}) for each in lists)
        # What has no words, such as an emoji, is compared as it stands.
        column.texts = [
            ("".join(sorted(each)) or text.strip())[:LONGEST_TYPED] for each, text in zip(lists, texts, strict=True)
        ]
        column.lengths = np.fromiter(map(len, column.texts), np.int64, len(lists))
        keys = [" ".join(sorted(set(each))) for each in lists]
        keys = [key or text.strip() for key, text in zip(keys, texts, strict=True)]
        if kind == "name":
            column.acronym, column.initials = _acronyms(lists)
            column.runs = Ragged.of(_runs(lists))
            column.heard = Heard.of(texts)
            if not all(map(str.isascii, texts)):
                column.syllables = list(map(Syllables().of, texts))
        for i, text in enumerate(texts):
            form = turkish(text)
            if form is not None:
                column.special[i] = form
                keys[i] = (keys[i], form)
    elif kind == "number":
        column.numbers = np.asarray([np.nan if (n := as_number(v)) is None else n for v in values], dtype=np.float64)
        keys = [text if np.isnan(n) else n for text, n in zip(texts, column.numbers, strict=True)]
    elif kind == "date":
        days = [as_date(value) for value in values]
        column.days = np.asarray([day or (0, 0, 0) for day in days], dtype=np.int64).reshape(-1, 3)
        keys = [day or text for day, text in zip(days, texts, strict=True)]
    elif kind == "code":
        column.texts = [code(text) or text for text in texts]
        keys = list(column.texts)
    else:
        keys = texts
        column.texts = texts
    ids: dict[Any, int] = {}
    column.norm = np.asarray([ids.setdefault(key, len(ids)) for key in keys], dtype=np.int64)
    if column.words is None:
        column.keys = list(map(str, ids))
    return column


def _joined(lists: list[list[str]]) -> list[list[str]]:
    """Words that another value writes as one (`micro sd`, `microsd`; `010-10979`, `01010979`) become that one."""
    known = {word for each in lists for word in each}
    known = {word for word in known if len(word) >= 5 or (len(word) > 2 and not word.isalpha())}
    found = []
    for each in lists:
        if len(each) < 2:
            found.append(each)
            continue
        result = []
        at = 0
        while at < len(each):
            word, end = each[at], at + 1
            whole = word
            for stop in range(at + 1, min(at + 4, len(each))):
                whole += each[stop]
                if whole in known and (len(whole) >= 7 or not whole.isdigit()):
                    word, end = whole, stop + 1
            result.append(word)
            at = end
        found.append(result)
    return found


def _acronyms(lists: list[list[str]]) -> tuple[Ints, Ints]:
    """For every value the id of what it may abbreviate to and the id of what it may abbreviate; -1 for none."""
    ids: dict[str, int] = {}
    short, long = [], []
    for each in lists:
        one = "".join(each) if len(each) == 1 or all(len(word) == 1 for word in each) else ""
        short.append(ids.setdefault(one, len(ids)) if 2 <= len(one) <= 6 and one.isalpha() else -1)
        telling = [word for word in each if word not in PARTICLES]
        several = "".join(word[0] for word in telling)
        fits = 2 <= len(several) <= 6 and len(telling) > 1 and any(len(word) > 1 for word in telling)
        long.append(ids.setdefault(several, len(ids)) if fits else -1)
    return np.asarray(short, dtype=np.int64), np.asarray(long, dtype=np.int64)


def _runs(lists: list[list[str]]) -> Iterator[list[int]]:
    """The runs of digits in every value, as numbers; a word is looked through once."""
    known: dict[str, tuple[int, ...]] = {}
    for each in lists:
        found: set[int] = set()
        for word in each:
            runs = known.get(word)
            if runs is None:
                runs = known[word] = tuple(int(run[-15:]) for run in _DIGITS.findall(word))
            if runs:
                found.update(runs)
        yield sorted(found)
