"""How much of what two rows say agrees: one number from 0 to 1 that needs nothing learned.

Every field counts by how much it tells, in nats, up to what it takes to single out one row, so that a long
text does not outweigh a name; a field that one row lacks does not count. Beside it stands the same of all
words of a row together, whichever field they are in. Both are the measure known from weighted retrieval
(TF-IDF; Salton and Buckley, 1988), with misspelled words matched as well.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from schemacast.matching.columns import Column, Floats, Ints, Ragged, Vocabulary
from schemacast.matching.compare import Compared
from schemacast.matching.levels import ABSENT, RARITY_STEPS
from schemacast.matching.likeness import word_likeness
from schemacast.matching.table import Table

OF_NAME = np.asarray([0.08, 0.28, 0.43, 0.58, 0.72, 0.84, 0.95, 1.0])
OF_TEXT = np.asarray([0.05, 0.15, 0.25, 0.38, 0.53, 0.7, 0.9, 1.0])
OF_STEPS = {
    2: np.asarray([0.0, 1.0]),
    4: np.asarray([0.0, 0.3, 0.8, 1.0]),
    5: np.asarray([0.0, 0.1, 0.4, 0.7, 1.0]),
}
UNCERTAIN = 0.3


def likeness_of(each: Compared) -> Floats:
    if each.kind in ("name", "text"):
        steps = OF_NAME if each.kind == "name" else OF_TEXT
        return steps[np.minimum(each.level // (len(RARITY_STEPS) + 1), len(steps) - 1)]
    return OF_STEPS[each.levels][np.minimum(each.level, each.levels - 1)]


def information(column: Column, units: int) -> Floats:
    value, unit = column.cells.take(np.arange(units))
    if column.words is not None:
        word, owner = column.words.take(np.arange(len(column.values)))
        of_value = np.bincount(owner, column.weight[word], len(column.values))
    else:
        of_value = column.rarity[column.norm]
    told = np.zeros(units)
    np.maximum.at(told, unit, of_value[value])
    return told


def agreed(table: Table, compared: Sequence[Compared], a: Ints, b: Ints):
    one_row = np.log(max(table.units, 50))
    agrees, told = np.zeros(len(a)), np.zeros(len(a))
    by_name = {each.name: each for each in compared if each.kind != "numbers"}
    for column in table.columns:
        each = by_name.get(column.field.name)
        if each is None:
            continue
        info = information(column, table.units)
        both = (info[a] + info[b]) / 2 * (each.level != ABSENT)
        both = one_row * (1 - np.exp(-both / one_row))
        agrees += likeness_of(each) * both
        told += both
    return agrees / np.maximum(told + UNCERTAIN * one_row, 1e-9)


def pooled(table: Table, a: Ints, b: Ints) -> Floats:
    from schemacast.matching.words import words

    size = len(table.vocabulary.words)
    codes = []
    for column in table.columns:
        if not column.field.compared:
            continue
        value, unit = column.cells.take(np.arange(table.units))
        if column.words is not None:
            word, at = column.words.take(value)
            codes.append(unit[at] * size + word)
        else:
            ids = Ragged.of([[table.vocabulary.ids.get(w, -1) for w in words(str(x))] for x in column.values])
            word, at = ids.take(value)
            codes.append((unit[at] * size + word)[word >= 0])
    code = np.unique(np.concatenate(codes))
    unit, word = code // size, code % size
    start = np.zeros(table.units + 1, dtype=np.int64)
    np.cumsum(np.bincount(unit, minlength=table.units), out=start[1:])
    count = np.bincount(word, minlength=size)
    weight = np.log((table.units + 1) / np.maximum(count, 1)) + 0.1
    whole = _Whole(Ragged(start, word))
    return word_likeness(whole, table.vocabulary, weight, a, b, fuzzy=len(word) < 12 * table.units)[0]


class _Whole:
    def __init__(self, words: Ragged) -> None:
        self.words = words
