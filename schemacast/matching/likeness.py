"""How alike two texts are: words matched one to one, exactly or nearly, each counting by how rare it is."""

from __future__ import annotations

from itertools import product
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from schemacast.matching.columns import LONGEST_TYPED, Floats, Ints, Ragged, Vocabulary, among

Words = NDArray[np.int32]
CONTAINED = 0.5
CHUNK = 200_000
FEW_WORDS = 8
MOST_UNMATCHED = 10
SOUND_LEAST = 0.5


class Worded(Protocol):
    """Values with their words: a column, or whatever has them."""

    words: Ragged | None


def word_likeness(
    column: Worded, vocabulary: Vocabulary, weight: Floats, a: Ints, b: Ints, *, fuzzy: bool
) -> tuple[Floats, Floats]:
    """For pairs of values: likeness from 0 to 1, and the weight of what they share in nats.

    Values of few words, which nearly all are, are compared as rows of a table; long ones as sorted lists.
    """
    assert column.words is not None
    likeness, shared = np.zeros(len(a)), np.zeros(len(a))
    lengths = column.words.lengths()
    longest = np.maximum(lengths[a], lengths[b])
    low = 0
    for high in (1, 2, 3, 4, 6, FEW_WORDS):
        at = np.flatnonzero((longest > low) & (longest <= high))
        if len(at):
            for part in np.array_split(at, -(-len(at) * high // CHUNK)):
                of_a, of_b = (_table(column.words, side[part], high) for side in (a, b))
                likeness[part], shared[part] = _few(of_a, of_b, vocabulary, weight, fuzzy)
        low = high
    at = np.flatnonzero(longest > FEW_WORDS)
    for start in range(0, len(at), CHUNK):
        part = at[start : start + CHUNK]
        likeness[part], shared[part] = _many(column.words, vocabulary, weight, a[part], b[part], fuzzy)
    return likeness, shared


def _table(words: Ragged, values: Ints, width: int) -> Words:
    """The words of each of these values, `width` at the most, as a column of a table, filled up with -1."""
    start = words.start.take(values)
    length = words.start.take(values + 1) - start
    table = np.empty((width, len(values)), dtype=np.int32)
    for place in range(width):
        table[place] = np.where(length > place, words.items.take(start + place, mode="clip"), -1)
    return table


def _few(words_a: Words, words_b: Words, vocabulary: Vocabulary, weight: Floats, fuzzy: bool) -> tuple[Floats, Floats]:
    """Every word of one value beside every word of the other, pair after pair in one go."""
    width, count = words_a.shape
    is_a, is_b = words_a >= 0, words_b >= 0
    in_b, in_a = np.zeros((width, count), bool), np.zeros((width, count), bool)
    for i, j in product(range(width), repeat=2):
        equal = words_a[i] == words_b[j]
        equal &= is_a[i]
        in_b[i] |= equal
        in_a[j] |= equal
    weight_a, weight_b = weight.take(words_a) * is_a, weight.take(words_b) * is_b
    whole_a, whole_b = _sum(weight_a), _sum(weight_b)
    shared = _sum(weight_a * in_b)
    matched = 2.0 * shared
    if fuzzy:
        rest_a = is_a & ~in_b & ~vocabulary.digits.take(words_a)
        rest_b = is_b & ~in_a & ~vocabulary.digits.take(words_b)
        places = []
        for i, j in product(range(width), repeat=2):
            at = np.flatnonzero(rest_a[i] & rest_b[j])
            at = at[_worth(vocabulary, words_a[i].take(at), words_b[j].take(at))]
            places.append((at, i * count + at, j * count + at))
        pair, left, right = (np.concatenate(each) for each in zip(*places, strict=True))
        extra, info = _matched(
            vocabulary,
            left,
            right,
            pair,
            words_a.ravel(),
            words_b.ravel(),
            weight_a.ravel(),
            weight_b.ravel(),
            count,
        )
        matched += extra
        shared += info
    return _likeness(matched, whole_a, whole_b, contained=fuzzy), shared


def _sum(rows: Floats) -> Floats:
    """The sum of each column, added as numpy adds a short row."""
    if len(rows) == FEW_WORDS:
        rows = rows[::2] + rows[1::2]
        rows = rows[::2] + rows[1::2]
    total: Floats = rows[0].copy()
    for row in rows[1:]:
        total += row
    return total


def _likeness(matched: Floats, whole_a: Floats, whole_b: Floats, *, contained: bool) -> Floats:
    """The part of all words that is matched; in names, drawn half-way to the part of the shorter name that is."""
    total, less = whole_a + whole_b, np.minimum(whole_a, whole_b)
    likeness = np.divide(matched, total, out=np.zeros(len(matched)), where=total > 0)
    if not contained:
        return likeness
    within = np.divide(matched / 2, less, out=np.zeros(len(matched)), where=less > 0)
    return (1 - CONTAINED) * likeness + CONTAINED * np.maximum(np.minimum(within, 1.0), likeness)


def _many(
    words: Ragged, vocabulary: Vocabulary, weight: Floats, a: Ints, b: Ints, fuzzy: bool
) -> tuple[Floats, Floats]:
    count = len(a)
    size = len(vocabulary.words) + 1
    word_a, pair_a = words.take(a)
    word_b, pair_b = words.take(b)
    code_a, code_b = pair_a * size + word_a, pair_b * size + word_b
    in_b = among(code_a, code_b)
    in_a = among(code_b, code_a)
    w_a, w_b = weight[word_a], weight[word_b]
    whole_a = np.bincount(pair_a, w_a, count).astype(np.float64)
    whole_b = np.bincount(pair_b, w_b, count).astype(np.float64)
    shared = np.bincount(pair_a[in_b], w_a[in_b], count).astype(np.float64)
    matched = 2.0 * shared
    rest_a, rest_b = ~in_b, ~in_a
    if fuzzy and rest_a.any() and rest_b.any():
        pa, ta, wa = _heaviest(pair_a[rest_a], word_a[rest_a], w_a[rest_a])
        pb, tb, wb = _heaviest(pair_b[rest_b], word_b[rest_b], w_b[rest_b])
        start_b = np.searchsorted(pb, np.arange(count + 1))
        per = (start_b[1:] - start_b[:-1])[pa]
        left = np.repeat(np.arange(len(pa)), per)
        right = start_b[pa[left]] + np.arange(len(left)) - np.repeat(np.cumsum(per) - per, per)
        near = np.flatnonzero(_worth(vocabulary, ta[left], tb[right]))
        left, right = left[near], right[near]
        extra, info = _matched(vocabulary, left, right, pa[left], ta, tb, wa, wb, count)
        matched += extra
        shared += info
    return _likeness(matched, whole_a, whole_b, contained=fuzzy), shared


def _heaviest(pair: Ints, word: Ints, weight: Floats) -> tuple[Ints, Ints, Floats]:
    """At most the heaviest few words of every pair, ordered by pair."""
    order = np.lexsort((word, -weight, pair))
    pair, word, weight = pair[order], word[order], weight[order]
    first = np.flatnonzero(np.r_[True, pair[1:] != pair[:-1]])
    rank = np.arange(len(pair)) - np.repeat(first, np.diff(np.r_[first, len(pair)]))
    keep = rank < MOST_UNMATCHED
    return pair[keep], word[keep], weight[keep]


def _matched(
    vocabulary: Vocabulary,
    left: Ints,
    right: Ints,
    pair: Ints,
    words_a: Ints | Words,
    words_b: Ints | Words,
    weight_a: Floats,
    weight_b: Floats,
    count: int,
) -> tuple[Floats, Floats]:
    """Words that may be near, matched one to one, the best first: what that adds to the match and to what is shared.

    `left` and `right` are places in the lists of words of either side, `pair` the pair of values they belong to.
    """
    matched, info = np.zeros(count), np.zeros(count)
    if not len(left):
        return matched, info
    x, y = words_a[left].astype(np.int64), words_b[right].astype(np.int64)
    size = len(vocabulary.words)
    codes, inverse = np.unique(np.minimum(x, y) * size + np.maximum(x, y), return_inverse=True)
    quality = word_quality(vocabulary, codes // size, codes % size)[inverse]
    good = np.flatnonzero(quality > 0)
    left, right, pair, quality = left[good], right[good], pair[good], quality[good]
    gain = quality * (weight_a[left] + weight_b[right])
    for _ in range(3):
        if not len(left):
            break
        best = _best_of(left, gain, right) & _best_of(right, gain, left)
        matched += np.bincount(pair[best], gain[best], count)
        low_weight = np.minimum(weight_a[left[best]], weight_b[right[best]])
        info += np.bincount(pair[best], np.maximum(quality[best] * low_weight - 1.0, 0), count)
        used_left, used_right = np.zeros(len(words_a), bool), np.zeros(len(words_b), bool)
        used_left[left[best]] = True
        used_right[right[best]] = True
        rest = ~(used_left[left] | used_right[right])
        left, right, pair, quality, gain = left[rest], right[rest], pair[rest], quality[rest], gain[rest]
    return matched, info


def _best_of(group: Ints, gain: Floats, other: Ints) -> NDArray[np.bool_]:
    """Whether an entry has the greatest gain of its group; of equal ones the first by `other`."""
    order = np.lexsort((other, -gain, group))
    first = np.r_[True, group[order][1:] != group[order][:-1]]
    best = np.zeros(len(group), bool)
    best[order[first]] = True
    return best


def _worth(vocabulary: Vocabulary, x: Ints | Words, y: Ints | Words) -> NDArray[np.bool_]:
    """Whether two words could be near: a cheap test that rules most pairs out."""
    length_x, length_y = vocabulary.length.take(x), vocabulary.length.take(y)
    plain = ~(vocabulary.digits.take(x) | vocabulary.digits.take(y))
    short, long = np.minimum(length_x, length_y), np.maximum(length_x, length_y)
    differ = np.bitwise_count(vocabulary.letters.take(x) ^ vocabulary.letters.take(y))
    typo = (long - short <= 3) & (short >= 3) & (differ <= 2 * np.maximum(1, long // 3))
    initial = (short == 1) & (vocabulary.first.take(x) == vocabulary.first.take(y))
    prefix = (short >= 3) & (vocabulary.prefix.take(x) == vocabulary.prefix.take(y))
    sound = vocabulary.skeleton.take(x) == vocabulary.skeleton.take(y)
    worth: NDArray[np.bool_] = plain & (typo | initial | prefix | sound)
    return worth


def _cut(words: list[str], index: Ints) -> list[str]:
    """The words at these places, cut where comparing them would take too long."""
    found = list(map(words.__getitem__, index.tolist()))
    return found if max(map(len, found), default=0) <= LONGEST_TYPED else [word[:LONGEST_TYPED] for word in found]


def word_quality(vocabulary: Vocabulary, x: Ints, y: Ints) -> Floats:
    """How surely two different words are one, from 0 to 1: misspelled, abbreviated, or heard alike."""
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import cpdist

    left, right = _cut(vocabulary.words, x), _cut(vocabulary.words, y)
    edit = cpdist(left, right, scorer=OSA.normalized_similarity, workers=-1, dtype=np.float64)
    length_x, length_y = vocabulary.length[x], vocabulary.length[y]
    short, long = np.minimum(length_x, length_y), np.maximum(length_x, length_y)
    quality = np.where(edit >= 0.7, edit, 0.0)
    initial = (short == 1) & (vocabulary.first[x] == vocabulary.first[y])
    quality[initial] = 0.7
    sound = (vocabulary.skeleton[x] == vocabulary.skeleton[y]) & (short >= 4) & (long - short <= 3)
    sound &= edit >= SOUND_LEAST
    quality[sound] = np.maximum(quality[sound], 0.8)
    prefix = np.flatnonzero(
        (short >= 3) & (short < long) & (vocabulary.prefix[x] == vocabulary.prefix[y]) & (quality < 0.75)
    )
    begins = [left[i].startswith(right[i]) or right[i].startswith(left[i]) for i in prefix.tolist()]
    quality[prefix[np.asarray(begins, bool)]] = 0.75
    return quality
