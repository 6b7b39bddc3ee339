"""Which pairs are worth comparing: rows that share a rare enough key, and of those the most promising."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from schemacast.matching.columns import Column, Floats, Ints, Ragged, Vocabulary
from schemacast.matching.halves import ahead, both

PAIRS_PER_ROW = 60
LARGEST_BLOCK = 400
WINDOW = 6
KEEP = 50
FEW_ROWS = 20_000
LEAST_PAIRS = 2
LEAST_KEPT = 3
MANY_ROWS = 50_000
MOST_ASKED = 0.8
PART = 250_000
"""Numbers that are summed at once: fresh memory costs more than the sums, so that small arrays are used again."""


@dataclass(slots=True)
class Keys:
    """One way of blocking: rows with the same key meet; if `kind` numbers the rows, only those of different numbers."""

    name: str
    key: Ints
    row: Ints
    kind: Ints | None = None


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
            sound = vocabulary.skeleton[word].astype(np.int64)
            yield Keys(f"{column.field.name} by sound", sound, row[short][at])
            acronym, initials = column.acronym[value], column.initials[value]
            one, other = acronym >= 0, initials >= 0
            yield Keys(
                f"{column.field.name} by initials", np.r_[acronym[one], initials[other]], np.r_[row[one], row[other]]
            )
            yield from _neighbours(column, value, row)
            yield from _heard(column, value, row, rows)
    if pooled_words:
        word, row = np.concatenate(pooled_words), np.concatenate(pooled_rows)
        code = row * len(vocabulary.words) + word
        code.sort()
        code = code[np.diff(code, prepend=-1) != 0]
        row = code // len(vocabulary.words)
        word = code - row * len(vocabulary.words)
        yield Keys("words", word, row)
        yield _word_pairs(word, row, len(vocabulary.words))
    yield from _field_pairs(compared, rows)


def _heard(column: Column, value: Ints, row: Ints, rows: int) -> Iterator[Keys]:
    """Rows whose values are in different scripts and may sound alike."""
    if column.heard is None:
        return
    script = np.zeros(rows, dtype=np.int64)
    script[row] = column.heard.script[value]
    for name, keys in column.heard.keys:
        key, at = Ragged.of(keys).take(value)
        yield Keys(f"{column.field.name} {name}", key, row[at], script)


def _neighbours(column: Column, value: Ints, row: Ints) -> Iterator[Keys]:
    """Rows whose values stand next to each other in the order of the alphabet, from either end of the text."""
    texts = list(map(" ".join, column.ordered))
    for name in ("near in the alphabet", "near from the end"):
        order = sorted(range(len(texts)), key=texts.__getitem__)
        texts = [text[::-1] for text in texts]
        rank = np.empty(len(texts), dtype=np.int64)
        rank[order] = np.arange(len(texts))
        place = rank[value]
        for shift in (0, 2):
            yield Keys(f"{column.field.name} {name}", (place + shift) // 4, row)


def _word_pairs(word: Ints, row: Ints, size: int) -> Keys:
    """For rows whose words are all common: two of them together."""
    count = np.bincount(word, minlength=size)
    rarest = np.argsort(count, kind="stable")
    rank_of = np.empty(size, dtype=np.int64)
    rank_of[rarest] = np.arange(size)
    keep = count[word] > 1
    code = row[keep] * size + rank_of[word[keep]]
    code.sort()
    row = code // size
    word = rarest[code - row * size]
    first = np.flatnonzero(np.diff(row, prepend=-1))
    place = np.arange(len(row)) - np.repeat(first, np.diff(np.append(first, len(row))))
    word, row = word[place < 5], row[place < 5]
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
    """The pairs of rows that share keys, each row's most promising ones.

    A pair is one integer (its rows, then the promise of one shared key in thousandths of a nat), so that millions are
    put together by sorting plain numbers. What is cut is cut by promise alone, never by the order of rows.
    """
    middle = (rows // 2 * rows) << PROMISE_BITS
    halves: tuple[list[Ints], list[Ints]] = ([], [])
    blocks = skipped_blocks = skipped_rows = 0
    for pairs, counted in ahead(lambda each: _pairs(each, rows, apart), keys):
        low = pairs < middle
        halves[0].append(pairs[low])
        halves[1].append(pairs[~low])
        blocks += counted[0]
        skipped_blocks += counted[1]
        skipped_rows += counted[2]
    least = _least_promise(rows)
    (code, promise), (more, its_promise) = both(lambda: _summed(halves[0], least), lambda: _summed(halves[1], least))
    code, promise = np.concatenate((code, more)), np.concatenate((promise, its_promise))
    a = code // rows
    b = code - a * rows
    keep = _promising(a, b, promise, rows)
    return Pairs(a[keep], b[keep], promise[keep] / PER_NAT, blocks, skipped_blocks, skipped_rows)


PER_NAT = 1000
PROMISE_BITS = 15
PROMISE_MASK = (1 << PROMISE_BITS) - 1
"""Promise of one key: at most the logarithm of the rows, which stays under 32 for any number of rows that fits."""


def _thinned(most: float, least: float, rows: int, power: float) -> int:
    """A bound that falls from `most` to `least` as rows grow beyond the first twenty thousand."""
    return int(max(least, most * min(1.0, (FEW_ROWS / max(rows, 1)) ** power)))


def _least_promise(rows: int) -> int:
    """What the keys of a pair must tell together. Among few rows nothing is asked; among many, not much less than it
    takes to single one row out, since what tells less can never outweigh how many others there are."""
    asked = min(MOST_ASKED, 0.4 * float(np.log2(max(rows, MANY_ROWS) / MANY_ROWS)))
    return int(asked * np.log(max(rows, 1)) * PER_NAT)


def _summed(found: list[Ints], least: int) -> tuple[Ints, Ints]:
    """Every pair of some arrays once, in order, with the sum of its promises, if it is `least` at least.

    Summed in parts, to spare memory.
    """
    packed = np.concatenate(found) if found else np.zeros(0, np.int64)
    found.clear()
    packed.sort()
    codes, promises = [], []
    start = 0
    while start < len(packed):
        end = min(start + PART, len(packed))
        if end < len(packed):
            end = int(np.searchsorted(packed, ((packed[end] >> PROMISE_BITS) + 1) << PROMISE_BITS))
        part = packed[start:end]
        code = part >> PROMISE_BITS
        last = np.append(np.flatnonzero(code[1:] != code[:-1]), len(code) - 1)
        promise = np.diff(np.cumsum(part & PROMISE_MASK)[last], prepend=0)
        keep = promise >= least
        codes.append(code[last[keep]])
        promises.append(promise[keep])
        start = end
    empty = np.zeros(0, np.int64)
    return np.concatenate([empty, *codes]), np.concatenate([empty, *promises])


def _promising(a: Ints, b: Ints, promise: Ints, rows: int) -> NDArray[np.bool_]:
    """Whether a pair is among the most promising of either of its rows; equally promising ones stay or go together."""
    if not len(a):
        return np.zeros(0, bool)
    count = _thinned(KEEP, LEAST_KEPT, rows, 1.2)
    bits = int(promise.max()).bit_length()
    top = (1 << bits) - 1
    rank = top - promise
    middle = rows // 2

    def least_of(first: int, end: int, ranked: Ints) -> Ints:
        """What a pair of each of these rows must promise; `ranked` has the rows' pairs, best first once sorted."""
        if not len(ranked):
            return np.zeros(end - first, np.int64)
        ranked.sort()
        start = np.searchsorted(ranked, np.arange(first, end + 1) << bits)
        last = np.minimum(start[:-1] + count, start[1:]) - 1
        return np.where(start[1:] > start[:-1], top - (ranked[np.maximum(last, 0)] & top), 0)

    def of_lower_rows() -> Ints:
        inside = b[:split] < middle
        return least_of(0, middle, np.append(of_a[:split], (b[:split][inside] << bits) | rank[:split][inside]))

    def of_higher_rows() -> Ints:
        inside = b >= middle
        return least_of(middle, rows, np.append(of_a[split:], (b[inside] << bits) | rank[inside]))

    of_a = (a << bits) | rank
    split = int(np.searchsorted(a, middle))
    least = np.concatenate(both(of_lower_rows, of_higher_rows))
    keep: NDArray[np.bool_] = (promise >= least[a]) | (promise >= least[b])
    return keep


def _pairs(keys: Keys, rows: int, apart: Ints | None) -> tuple[Ints, tuple[int, int, int]]:
    """The pairs of one way of blocking, packed; how many blocks there were, how many over the bound, their rows."""
    key, row = _sorted(keys, rows)
    first = np.flatnonzero(np.diff(key, prepend=-1)) if len(key) else np.zeros(0, np.int64)
    size = np.diff(np.append(first, len(key)))
    shared = size > 1
    inside = np.repeat(shared, size)
    row, size = row[inside], size[shared]
    first = np.cumsum(size) - size
    bound = _bound(size, rows)
    over = size > bound
    window = WINDOW if rows <= FEW_ROWS else 0
    reach = np.repeat(np.where(over, window, size - 1), size)
    position = np.arange(len(row)) - np.repeat(first, size)
    reach = np.minimum(np.repeat(size, size) - 1 - position, reach)
    left = np.repeat(np.arange(len(row)), reach)
    right = left + 1 + np.arange(len(left)) - np.repeat(np.cumsum(reach) - reach, reach)
    promise = np.minimum(np.log(rows / size) * PER_NAT, PROMISE_MASK).astype(np.int64)
    packed = (row[left] * rows + row[right]) << PROMISE_BITS
    packed |= np.repeat(promise, size)[left]
    meet = np.ones(len(left), bool)
    if apart is not None:
        side = apart[row]
        meet &= (side[left] != side[right]) | (side[left] < 0)
    if keys.kind is not None:
        kind = keys.kind[row]
        meet &= kind[left] != kind[right]
    packed = packed[meet]
    return packed, (int(shared.sum()), int(over.sum()), int(size[over].sum()))


def _sorted(keys: Keys, rows: int) -> tuple[Ints, Ints]:
    """Keys and rows in the order of keys, then rows, each pair of them once."""
    key = keys.key
    if int(key.max(initial=0)) >= (1 << 62) // max(rows, 1):
        key = np.unique(key, return_inverse=True)[1]
    both = key * rows + keys.row
    both.sort()
    if len(both):
        both = both[np.diff(both, prepend=-1) != 0]
    key = both // rows
    return key, both - key * rows


def _bound(size: Ints, rows: int) -> int:
    """The largest block that is compared whole, such that all blocks up to it stay within the pairs for these rows."""
    budget = _thinned(PAIRS_PER_ROW, LEAST_PAIRS, rows, 1.2) * rows
    by_size = np.bincount(np.minimum(size, LARGEST_BLOCK + 1), minlength=LARGEST_BLOCK + 2)
    sizes = np.arange(len(by_size))
    made = np.cumsum(by_size * sizes * (sizes - 1) // 2)
    return max(int(np.searchsorted(made[: LARGEST_BLOCK + 1], budget, side="right")) - 1, 2)
