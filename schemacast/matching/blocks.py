"""Which pairs are worth comparing: rows that share a rare enough key, and of those the most promising."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from schemacast.matching.columns import Column, Floats, Ints, Ragged, Vocabulary

PAIRS_PER_ROW = 60
LARGEST_BLOCK = 400
WINDOW = 6
KEEP = 25


@dataclass(slots=True)
class Keys:
    """One way of blocking: rows with the same key meet."""

    name: str
    key: Ints
    row: Ints


@dataclass(slots=True)
class Pairs:
    """Candidate pairs, `a` < `b`, in ascending order, with how much their shared keys tell."""

    a: Ints
    b: Ints
    promise: Floats
    blocks: int
    skipped_blocks: int
    skipped_rows: int


def keys_of(columns: Sequence[Column], vocabulary: Vocabulary, rows: int) -> Iterator[Keys]:
    """Every way of blocking, from the cells of the compared columns."""
    compared = [column for column in columns if column.field.compared]
    every = np.arange(rows)
    pooled_words, pooled_rows = [], []
    for column in compared:
        value, row = column.cells.take(every)
        yield Keys(f"{column.field.name}", column.norm[value], row)
        if column.words is not None:
            word, at = column.words.take(value)
            pooled_words.append(word)
            pooled_rows.append(row[at])
        if column.kind == "name" and column.words is not None:
            short = np.flatnonzero(column.words.lengths()[value] <= 8)
            word, at = column.words.take(value[short])
            sound = vocabulary.skeleton[word]
            yield Keys(f"{column.field.name} by sound", sound, row[short][at])
            acronym, initials = column.acronym[value], column.initials[value]
            one, other = acronym >= 0, initials >= 0
            yield Keys(f"{column.field.name} by initials", np.r_[acronym[one], initials[other]], np.r_[row[one], row[other]])
            yield from _neighbours(column, value, row)
    if pooled_words:
        word, row = np.concatenate(pooled_words), np.concatenate(pooled_rows)
        code = np.unique(row * len(vocabulary.words) + word)
        word, row = code % len(vocabulary.words), code // len(vocabulary.words)
        yield Keys("words", word, row)
        yield _word_pairs(word, row, len(vocabulary.words))
    yield from _field_pairs(compared, rows)


def _neighbours(column: Column, value: Ints, row: Ints) -> Iterator[Keys]:
    """Rows whose values stand next to each other in the order of the alphabet, from either end of the text."""
    texts = [" ".join(words) for words in column.ordered]
    for name, order in (
        ("near in the alphabet", sorted(range(len(texts)), key=texts.__getitem__)),
        ("near from the end", sorted(range(len(texts)), key=lambda i: texts[i][::-1])),
    ):
        rank = np.empty(len(texts), dtype=np.int64)
        rank[order] = np.arange(len(texts))
        place = rank[value]
        for shift in (0, 2):
            yield Keys(f"{column.field.name} {name}", (place + shift) // 4, row)


def _word_pairs(word: Ints, row: Ints, size: int) -> Keys:
    """For rows whose words are all common: two of them together."""
    count = np.bincount(word, minlength=size)
    order = np.lexsort((word, count[word], row))
    word, row = word[order], row[order]
    first = np.flatnonzero(np.r_[True, row[1:] != row[:-1]])
    rank = np.arange(len(row)) - np.repeat(first, np.diff(np.r_[first, len(row)]))
    keep = (rank < 5) & (count[word] > 1)
    word, row = word[keep], row[keep]
    keys, rows = [], []
    for step in range(1, 5):
        same = row[step:] == row[:-step] if len(row) > step else np.zeros(0, bool)
        left, right = word[:-step][same], word[step:][same]
        keys.append(np.minimum(left, right) * size + np.maximum(left, right))
        rows.append(row[step:][same])
    return Keys("two words", np.concatenate(keys), np.concatenate(rows))


def _field_pairs(columns: Sequence[Column], rows: int) -> Iterator[Keys]:
    """Two fields with the same values."""
    single = []
    for column in columns:
        if column.kind == "text" or not len(column.values):
            continue
        first = np.full(rows, -1, dtype=np.int64)
        has = np.flatnonzero(column.cells.lengths() > 0)
        first[has] = column.norm[column.cells.items[column.cells.start[has]]]
        single.append((column.field.name, first, int(column.norm.max(initial=0)) + 1))
    for (name, one, _), (other_name, other, size) in combinations(single[:8], 2):
        both = np.flatnonzero((one >= 0) & (other >= 0))
        yield Keys(f"{name} and {other_name}", one[both] * size + other[both], both)


def candidate_pairs(keys: Iterator[Keys], rows: int, apart: Ints | None) -> Pairs:
    """The pairs of rows that share keys, each row's most promising ones."""
    codes, promises = [], []
    blocks = skipped_blocks = skipped_rows = 0
    for each in keys:
        code, promise, counted = _pairs(each, rows, apart)
        codes.append(code)
        promises.append(promise)
        blocks += counted[0]
        skipped_blocks += counted[1]
        skipped_rows += counted[2]
    code = np.concatenate(codes) if codes else np.zeros(0, np.int64)
    promise = np.concatenate(promises) if promises else np.zeros(0)
    order = np.argsort(code, kind="stable")
    code, promise = code[order], promise[order]
    first = np.flatnonzero(np.r_[True, code[1:] != code[:-1]]) if len(code) else np.zeros(0, np.int64)
    promise = np.add.reduceat(promise, first) if len(first) else promise
    code = code[first]
    a, b = code // rows, code % rows
    keep = _top(a, promise, KEEP) | _top(b, promise, KEEP)
    return Pairs(a[keep], b[keep], promise[keep], blocks, skipped_blocks, skipped_rows)


def _top(row: Ints, promise: Floats, count: int):
    order = np.lexsort((-promise, row))
    sorted_row = row[order]
    first = np.flatnonzero(np.r_[True, sorted_row[1:] != sorted_row[:-1]]) if len(row) else np.zeros(0, np.int64)
    rank = np.arange(len(row)) - np.repeat(first, np.diff(np.r_[first, len(row)]))
    keep = np.zeros(len(row), bool)
    keep[order[rank < count]] = True
    return keep


def _pairs(keys: Keys, rows: int, apart: Ints | None):
    order = np.lexsort((keys.row, keys.key))
    key, row = keys.key[order], keys.row[order]
    new = np.r_[True, (key[1:] != key[:-1]) | (row[1:] != row[:-1])] if len(key) else np.zeros(0, bool)
    key, row = key[new], row[new]
    first = np.flatnonzero(np.r_[True, key[1:] != key[:-1]]) if len(key) else np.zeros(0, np.int64)
    size = np.diff(np.r_[first, len(key)])
    budget = PAIRS_PER_ROW * rows
    by_size = np.bincount(np.minimum(size, LARGEST_BLOCK + 1), minlength=LARGEST_BLOCK + 2)
    made = np.cumsum(by_size * np.arange(len(by_size)) * (np.arange(len(by_size)) - 1) // 2)
    bound = int(np.searchsorted(made[: LARGEST_BLOCK + 1], budget, side="right")) - 1
    bound = max(bound, 2)
    per_block = np.where(size <= bound, size, WINDOW + 1)
    over = size > bound
    position = np.arange(len(key)) - np.repeat(first, size)
    reach = np.minimum(np.repeat(size, size) - 1 - position, np.repeat(per_block, size) - 1)
    left = np.repeat(np.arange(len(key)), reach)
    right = left + 1 + np.arange(len(left)) - np.repeat(np.cumsum(reach) - reach, reach)
    promise = np.repeat(np.log(rows / size), size)[left] if len(left) else np.zeros(0)
    a, b = row[left], row[right]
    if apart is not None and len(a):
        fine = (apart[a] != apart[b]) | (apart[a] < 0)
        a, b, promise = a[fine], b[fine], promise[fine]
    return a * rows + b, promise, (int((size > 1).sum()), int(over.sum()), int(size[over].sum()))
