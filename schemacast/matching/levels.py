"""How alike two values are, by kind, as one of a few levels whose weight the data shows.

Names and texts have a table of levels: how much of the words is shared, and how rare what is shared is.
Codes and dates are alike when they could be one value mistyped, numbers when they are close. The numbers
inside a name are a line of their own, since names that differ in nothing else are mostly two things.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from schemacast.matching.columns import LONGEST_TYPED, Column, Floats, Ints, Ragged, Vocabulary, among, joined_text
from schemacast.matching.likeness import word_likeness
from schemacast.matching.model import FieldKind

Levels = NDArray[np.uint8]
LineKind = FieldKind | Literal["numbers"]
ABSENT = 255
NAME_STEPS = np.asarray([0.2, 0.35, 0.5, 0.65, 0.78, 0.9, 0.9999])
TEXT_STEPS = np.asarray([0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 0.9999])
RARITY_STEPS = np.asarray([0.4, 0.75, 1.0, 1.3, 1.8])
"""Of what is shared, as parts of what it takes to single out one row."""
SURE_ENOUGH = 0.95
ACRONYM = 0.88
ACRONYM_TELLS = 0.6
MISTYPED_TELLS = 0.6
MOST_TELLING = 2.5
CLOSE, NEAR = 0.02, 0.2


@dataclass(slots=True)
class Leveled:
    """One line of comparison for pairs of values.

    `telling`: nats by which a shared value singles out a row; None where the level says that already.
    """

    name: str
    kind: LineKind
    level: Levels
    likeness: Floats
    telling: Floats | None
    levels: int


def level_values(column: Column, vocabulary: Vocabulary, a: Ints, b: Ints) -> list[Leveled]:
    """The lines of a column for pairs of its values: one, and for a name one more for its numbers."""
    same = column.norm[a] == column.norm[b]
    if column.kind == "name":
        return _names(column, vocabulary, a, b, same)
    if column.kind == "text":
        likeness, shared = word_likeness(column, vocabulary, column.weight, a, b, fuzzy=False)
        return [_tabled(column, likeness, shared, same, TEXT_STEPS)]
    rarity = np.where(same, column.rarity[column.norm[a]], 0.0)
    if column.kind == "code":
        return [_codes(column, a, b, same, rarity)]
    if column.kind == "number":
        return [_numbers(column, a, b, same, rarity)]
    if column.kind == "date":
        return [_dates(column, a, b, same, rarity)]
    return [Leveled(column.field.name, column.kind, same.astype(np.uint8), same.astype(np.float64), rarity, 2)]


def _names(column: Column, vocabulary: Vocabulary, a: Ints, b: Ints, same: NDArray[np.bool_]) -> list[Leveled]:
    from rapidfuzz.distance import Indel
    from rapidfuzz.process import cpdist

    likeness, shared = word_likeness(column, vocabulary, column.weight, a, b, fuzzy=True)
    one_row = np.log(max(column.total, 2))
    numbers = _inner_numbers(column.runs, a, b)
    doubtful = np.flatnonzero((likeness < SURE_ENOUGH) & (numbers != 0))
    doubtful = doubtful[_could_be_alike(column, a[doubtful], b[doubtful], likeness[doubtful])]
    left, right = _joined_texts(column, a[doubtful], b[doubtful])
    whole = 2 * cpdist(left, right, scorer=Indel.normalized_similarity, workers=-1, dtype=np.float64) - 1
    better = whole > likeness[doubtful]
    likeness[doubtful] = np.maximum(likeness[doubtful], whole)
    shared[doubtful] = np.where(better, np.maximum(shared[doubtful], whole * one_row * 0.8), shared[doubtful])
    _count_syllables(column, a, b, likeness, shared)
    _hear(column, a, b, likeness, shared)
    short = (column.acronym[a] >= 0) & (column.acronym[a] == column.initials[b])
    short |= (column.acronym[b] >= 0) & (column.acronym[b] == column.initials[a])
    likeness[short] = np.maximum(likeness[short], ACRONYM)
    shared[short] = np.maximum(shared[short], ACRONYM_TELLS * one_row)
    line = Leveled(f"{column.field.name}: numbers", "numbers", numbers, numbers / 2.0, None, 3)
    return [_tabled(column, likeness, shared, same, NAME_STEPS), line]


def _joined_texts(column: Column, a: Ints, b: Ints) -> tuple[list[str], list[str]]:
    """`joined_text` of either value of each pair, made once for a value."""
    wanted = np.zeros(len(column.values), dtype=bool)
    wanted[a] = wanted[b] = True
    values = np.flatnonzero(wanted)
    texts = [joined_text(column, value) for value in values.tolist()]
    place = np.empty(len(wanted), dtype=np.int64)
    place[values] = np.arange(len(values))
    left, right = (list(map(texts.__getitem__, place[side].tolist())) for side in (a, b))
    return left, right


def _count_syllables(column: Column, a: Ints, b: Ints, likeness: Floats, shared: Floats) -> None:
    """Values written a sign a syllable are at most as alike as their syllables."""
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import cpdist

    if not any(column.syllables):
        return
    written = np.fromiter(map(bool, column.syllables), bool, len(column.syllables))
    both = np.flatnonzero(written[a] & written[b])
    left, right = ([column.syllables[i][:LONGEST_TYPED] for i in side[both]] for side in (a, b))
    most = np.maximum(1.5 * cpdist(left, right, scorer=OSA.normalized_similarity, dtype=np.float64) - 0.5, 0)
    likeness[both] = np.minimum(likeness[both], most)
    shared[both] = np.minimum(shared[both], most * np.log(max(column.total, 2)))


def _hear(column: Column, a: Ints, b: Ints, likeness: Floats, shared: Floats) -> None:
    """Values in different scripts are as alike as they sound, if that is more."""
    if column.heard is None:
        return
    crossing = np.flatnonzero(column.heard.script[a] != column.heard.script[b])
    sound, telling = column.heard.likeness(a[crossing], b[crossing])
    more = sound > likeness[crossing]
    shared[crossing] = np.where(more, np.maximum(shared[crossing], telling), shared[crossing])
    likeness[crossing] = np.maximum(likeness[crossing], sound)


def _tabled(column: Column, likeness: Floats, shared: Floats, same: NDArray[np.bool_], steps: Floats) -> Leveled:
    likeness[same] = 1.0
    one_row = np.log(max(column.total, 2))
    level = np.searchsorted(steps, likeness, side="right")
    rarity = np.searchsorted(RARITY_STEPS, np.minimum(shared / one_row, MOST_TELLING), side="right")
    cell = (level * (len(RARITY_STEPS) + 1) + rarity).astype(np.uint8)
    return Leveled(column.field.name, column.kind, cell, likeness, None, (len(steps) + 1) * (len(RARITY_STEPS) + 1))


def _could_be_alike(column: Column, a: Ints, b: Ints, likeness: Floats) -> NDArray[np.bool_]:
    """Whether whole texts can be more alike than their words: a cheap bound by their lengths and letters."""
    length, letters = column.lengths[a] + column.lengths[b], column.letters[a] ^ column.letters[b]
    differ = np.maximum(np.abs(column.lengths[a] - column.lengths[b]), np.bitwise_count(letters))
    bound: NDArray[np.bool_] = 1 - 2 * differ / np.maximum(length, 1) > likeness
    return bound


def _inner_numbers(runs: Ragged, a: Ints, b: Ints) -> Levels:
    """0: each side has numbers that the other lacks; 1: one side has more; 2: the same; absent: none."""
    has = runs.lengths() > 0
    has_a, has_b = has[a], has[b]
    level = np.where(has_a | has_b, 1, ABSENT).astype(np.uint8)
    at = np.flatnonzero(has_a & has_b)
    if not len(at):
        return level
    known, items = np.unique(runs.items, return_inverse=True)
    numbered = Ragged(runs.start, items.astype(np.int64))
    run_a, pair_a = numbered.take(a[at])
    run_b, pair_b = numbered.take(b[at])
    size = len(known) + 1
    code_a, code_b = pair_a * size + run_a, pair_b * size + run_b
    rest_a = np.bincount(pair_a[~among(code_a, code_b)], minlength=len(at)) > 0
    rest_b = np.bincount(pair_b[~among(code_b, code_a)], minlength=len(at)) > 0
    level[at] = np.where(rest_a & rest_b, 0, np.where(rest_a | rest_b, 1, 2))
    return level


def _codes(column: Column, a: Ints, b: Ints, same: NDArray[np.bool_], rarity: Floats) -> Leveled:
    """4: equal; 3: one slip apart, or one holds the other; 2: two slips; 1: a quarter slips; 0: unlike."""
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import cpdist

    differ = np.flatnonzero(~same)
    left, right = (list(map(column.texts.__getitem__, side[differ].tolist())) for side in (a, b))
    lengths = np.fromiter(map(len, column.texts), np.int64, len(column.texts))
    short, long = np.minimum(lengths[a], lengths[b]), np.maximum(lengths[a], lengths[b])
    typed = left, right
    if int(long.max(initial=0)) > LONGEST_TYPED:
        typed = [each[:LONGEST_TYPED] for each in left], [each[:LONGEST_TYPED] for each in right]
    slips = np.zeros(len(a), dtype=np.int64)
    slips[differ] = cpdist(*typed, scorer=OSA.distance, workers=-1, dtype=np.int64)
    held = np.zeros(len(a), dtype=bool)
    longer = np.flatnonzero((short[differ] >= 4) & (short[differ] < long[differ]))
    held[differ[longer]] = [left[i] in right[i] or right[i] in left[i] for i in longer.tolist()]
    level = np.where(slips * 4 <= long, 1, 0)
    level[(slips == 2) & (short >= 6)] = 2
    level[(slips == 1) & (short >= 3) | held] = 3
    level[same] = 4
    telling = np.where(same, rarity, np.where(level >= 2, MISTYPED_TELLS * np.log(max(column.total, 2)), 0.0))
    likeness = 1 - slips / np.maximum(long, 1)
    return Leveled(column.field.name, column.kind, level.astype(np.uint8), likeness, telling, 5)


def _numbers(column: Column, a: Ints, b: Ints, same: NDArray[np.bool_], rarity: Floats) -> Leveled:
    """3: equal; 2: within a fiftieth; 1: within a fifth; 0: further apart."""
    x, y = column.numbers[a], column.numbers[b]
    with np.errstate(invalid="ignore", over="ignore"):
        off = np.abs(x - y) / np.maximum(np.maximum(np.abs(x), np.abs(y)), 1e-12)
    level = np.where(off <= CLOSE, 2, np.where(off <= NEAR, 1, 0))
    level[same] = 3
    level[~same & (np.isnan(x) | np.isnan(y))] = ABSENT
    likeness = np.where(same, 1.0, np.nan_to_num(1 - np.minimum(off, 1)))
    return Leveled(column.field.name, column.kind, level.astype(np.uint8), likeness, rarity, 4)


def _dates(column: Column, a: Ints, b: Ints, same: NDArray[np.bool_], rarity: Floats) -> Leveled:
    """4: equal; 3: one part differs, or day and month are swapped; 2: the same year; 1: a year apart; 0: else."""
    x, y = column.days[a], column.days[b]
    apart = np.abs(x[:, 0] - y[:, 0])
    full = (x[:, 1] > 0) & (y[:, 1] > 0)
    parts = (x == y).sum(axis=1)
    swapped = (apart == 0) & (x[:, 1] == y[:, 2]) & (x[:, 2] == y[:, 1])
    level = np.where((apart == 1) | (full & (parts == 1)), 1, 0)
    level[apart == 0] = 2
    level[(full & (parts == 2)) | swapped | ((apart == 0) & ~full)] = 3
    level[same] = 4
    level[~same & ((x[:, 0] == 0) | (y[:, 0] == 0))] = ABSENT
    return Leveled(column.field.name, column.kind, level.astype(np.uint8), level / 4.0, rarity, 5)
