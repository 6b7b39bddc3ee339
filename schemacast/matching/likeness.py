"""How alike two texts are: words matched one to one, exactly or nearly, each counting by how rare it is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from schemacast.matching.columns import Column, Floats, Ints, Ragged, Vocabulary

CHUNK = 400_000
MOST_UNMATCHED = 10


def word_likeness(
    column: Column, vocabulary: Vocabulary, weight: Floats, a: Ints, b: Ints, *, fuzzy: bool
) -> tuple[Floats, Floats, Ints]:
    """For pairs of values: likeness from 0 to 1, weight of what they share (nats), and how their numbers compare."""
    parts = [
        _chunk(column, vocabulary, weight, a[at : at + CHUNK], b[at : at + CHUNK], fuzzy)
        for at in range(0, len(a), CHUNK)
    ]
    if not parts:
        return np.zeros(0), np.zeros(0), np.zeros(0, np.int64)
    return tuple(np.concatenate(each) for each in zip(*parts, strict=True))  # type: ignore[return-value]


def _chunk(column, vocabulary, weight, a, b, fuzzy):
    words: Ragged = column.words
    count = len(a)
    size = len(vocabulary.words) + 1
    word_a, pair_a = words.take(a)
    word_b, pair_b = words.take(b)
    code_a, code_b = pair_a * size + word_a, pair_b * size + word_b
    in_b = _among(code_a, code_b)
    in_a = _among(code_b, code_a)
    w_a, w_b = weight[word_a], weight[word_b]
    total = np.bincount(pair_a, w_a, count) + np.bincount(pair_b, w_b, count)
    shared = np.bincount(pair_a[in_b], w_a[in_b], count)
    matched = 2.0 * shared
    rest_a, rest_b = ~in_b, ~in_a
    pa, ta, wa = pair_a[rest_a], word_a[rest_a], w_a[rest_a]
    pb, tb, wb = pair_b[rest_b], word_b[rest_b], w_b[rest_b]
    if fuzzy and len(pa) and len(pb):
        extra, info = _near(vocabulary, pa, ta, wa, pb, tb, wb, count)
        matched += extra
        shared = shared + info
    with np.errstate(divide="ignore", invalid="ignore"):
        likeness = np.where(total > 0, matched / total, 0.0)
    return likeness, shared, np.zeros(count, np.int64)


def _among(codes: Ints, sorted_codes: Ints) -> NDArray[np.bool_]:
    at = np.searchsorted(sorted_codes, codes)
    at[at == len(sorted_codes)] = 0
    return sorted_codes[at] == codes if len(sorted_codes) else np.zeros(len(codes), bool)


def _heaviest(pair: Ints, word: Ints, weight: Floats) -> tuple[Ints, Ints, Floats]:
    """At most the heaviest few words of every pair, ordered by pair."""
    order = np.lexsort((word, -weight, pair))
    pair, word, weight = pair[order], word[order], weight[order]
    first = np.flatnonzero(np.r_[True, pair[1:] != pair[:-1]])
    rank = np.arange(len(pair)) - np.repeat(first, np.diff(np.r_[first, len(pair)]))
    keep = rank < MOST_UNMATCHED
    return pair[keep], word[keep], weight[keep]


def _near(vocabulary, pa, ta, wa, pb, tb, wb, count):
    pa, ta, wa = _heaviest(pa, ta, wa)
    pb, tb, wb = _heaviest(pb, tb, wb)
    start_b = np.searchsorted(pb, np.arange(count + 1))
    per = (start_b[1:] - start_b[:-1])[pa]
    left = np.repeat(np.arange(len(pa)), per)
    offset = np.arange(len(left)) - np.repeat(np.cumsum(per) - per, per)
    right = start_b[pa[left]] + offset
    x, y = ta[left], tb[right]
    near = np.flatnonzero(_worth(vocabulary, x, y))
    left, right, x, y = left[near], right[near], x[near], y[near]
    if not len(left):
        return np.zeros(count), np.zeros(count)
    low, high = np.minimum(x, y), np.maximum(x, y)
    codes, inverse = np.unique(low * len(vocabulary.words) + high, return_inverse=True)
    quality = word_quality(vocabulary, codes // len(vocabulary.words), codes % len(vocabulary.words))[inverse]
    good = np.flatnonzero(quality > 0)
    left, right, quality = left[good], right[good], quality[good]
    gain = quality * (wa[left] + wb[right])
    matched, info = np.zeros(count), np.zeros(count)
    for _ in range(3):
        if not len(left):
            break
        best = _best_of(left, gain, right) & _best_of(right, gain, left)
        pair = pa[left[best]]
        matched += np.bincount(pair, gain[best], count)
        low_weight = np.minimum(wa[left[best]], wb[right[best]])
        info += np.bincount(pair, np.maximum(quality[best] * low_weight - 1.0, 0), count)
        used_left, used_right = np.zeros(len(pa), bool), np.zeros(len(pb), bool)
        used_left[left[best]] = True
        used_right[right[best]] = True
        rest = ~(used_left[left] | used_right[right])
        left, right, quality, gain = left[rest], right[rest], quality[rest], gain[rest]
    return matched, info


def _best_of(group: Ints, gain: Floats, other: Ints) -> NDArray[np.bool_]:
    """Whether an entry has the greatest gain of its group; of equal ones the first by `other`."""
    order = np.lexsort((other, -gain, group))
    first = np.r_[True, group[order][1:] != group[order][:-1]]
    best = np.zeros(len(group), bool)
    best[order[first]] = True
    return best


def _worth(vocabulary: Vocabulary, x: Ints, y: Ints) -> NDArray[np.bool_]:
    """Whether two words could be near: a cheap test that rules most pairs out."""
    length_x, length_y = vocabulary.length[x], vocabulary.length[y]
    plain = ~(vocabulary.digits[x] | vocabulary.digits[y])
    short, long = np.minimum(length_x, length_y), np.maximum(length_x, length_y)
    differ = np.bitwise_count(vocabulary.letters[x] ^ vocabulary.letters[y])
    typo = (long - short <= 3) & (short >= 3) & (differ <= 2 * np.maximum(1, long // 3))
    initial = (short == 1) & (vocabulary.first[x] == vocabulary.first[y])
    prefix = (short >= 3) & (vocabulary.prefix[x] == vocabulary.prefix[y])
    sound = vocabulary.skeleton[x] == vocabulary.skeleton[y]
    return plain & (typo | initial | prefix | sound)


def word_quality(vocabulary: Vocabulary, x: Ints, y: Ints) -> Floats:
    """How surely two different words are one, from 0 to 1: misspelled, abbreviated, or heard alike."""
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import cpdist

    words = vocabulary.words
    left, right = [words[i] for i in x], [words[i] for i in y]
    edit = cpdist(left, right, scorer=OSA.normalized_similarity, workers=-1, dtype=np.float64)
    length_x, length_y = vocabulary.length[x], vocabulary.length[y]
    short, long = np.minimum(length_x, length_y), np.maximum(length_x, length_y)
    quality = np.where(edit >= 0.7, edit, 0.0)
    initial = (short == 1) & (vocabulary.first[x] == vocabulary.first[y])
    quality[initial] = 0.7
    sound = (vocabulary.skeleton[x] == vocabulary.skeleton[y]) & (short >= 4) & (long - short <= 3)
    quality[sound] = np.maximum(quality[sound], 0.8)
    prefix = np.flatnonzero((short >= 3) & (short < long) & (vocabulary.prefix[x] == vocabulary.prefix[y]) & (quality < 0.75))
    begins = [left[i].startswith(right[i]) or right[i].startswith(left[i]) for i in prefix]
    quality[prefix[np.asarray(begins, bool)]] = 0.75
    return quality
