"""What is read off the words of a column once the whole vocabulary is known: abbreviations, numbers, letters.

Everything is worked out on the numbers of words, for all values of a column at once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from schemacast.matching.columns import MOST_LETTERS, Column, Ints, Ragged, Vocabulary
from schemacast.matching.words import PARTICLES

_DIGITS = re.compile(r"[0-9]+")


def finish(columns: Sequence[Column], vocabulary: Vocabulary) -> None:
    """What needs the whole vocabulary."""
    vocabulary.close()
    for column in columns:
        if column.words is None:
            continue
        word, owner = column.words.take(np.arange(len(column.values)))
        column.letters = np.zeros(len(column.values), np.uint32)
        np.bitwise_or.at(column.letters, owner, vocabulary.letters[word])
        tokens = column.tokens
        column.lengths = np.zeros(len(column.values), np.int64)
        np.add.at(
            column.lengths, np.repeat(np.arange(len(column.values)), tokens.lengths()), vocabulary.length[tokens.items]
        )
        for index, text in column.bare.items():
            column.lengths[index] = len(text)
        if column.kind == "name":
            column.acronym, column.initials = _acronyms(tokens, vocabulary)
            column.runs = _runs(tokens, vocabulary)
        column.tokens = Ragged(np.zeros(1, np.int64), np.zeros(0, np.int64))


def _acronyms(tokens: Ragged, vocabulary: Vocabulary) -> tuple[Ints, Ints]:
    """For every value a number for what it may abbreviate to and for what it may abbreviate; -1 for none.

    The letters of either, two to six of them, are packed into one number.
    """
    lengths = tokens.lengths()
    count = len(lengths)
    owner = np.repeat(np.arange(count), lengths)
    size, first = vocabulary.length[tokens.items], vocabulary.first[tokens.items].astype(np.int64)
    longest = np.zeros(count, dtype=np.int64)
    np.maximum.at(longest, owner, size)
    signs = np.bincount(owner[vocabulary.digits[tokens.items]], minlength=count)
    spelled = (longest == 1) & (lengths >= 2) & (lengths <= MOST_LETTERS) & (signs == 0)
    short = np.where(spelled, _packed(owner, first, tokens.start, count), -1)
    single = np.flatnonzero((lengths == 1) & (longest >= 2) & (longest <= MOST_LETTERS) & (signs == 0))
    short[single] = vocabulary.packed(tokens.items[tokens.start[single]])
    telling = ~vocabulary.among(PARTICLES)[tokens.items]
    told = np.bincount(owner[telling], minlength=count)
    start = np.concatenate((np.zeros(1, np.int64), np.cumsum(told)))
    whole = np.bincount(owner[telling & (size > 1)], minlength=count) > 0
    fits = (told >= 2) & (told <= MOST_LETTERS) & whole
    long = np.where(fits, _packed(owner[telling], first[telling], start, count), -1)
    known, numbers = np.unique(np.concatenate((short, long)), return_inverse=True)
    numbers = numbers - int(len(known) > 0 and known[0] == -1)
    return numbers[:count], numbers[count:]


def _packed(owner: Ints, letter: Ints, start: Ints, count: int) -> Ints:
    """The first letters of each owner as one number, a byte each."""
    place = np.arange(len(owner)) - start[owner]
    few = place < MOST_LETTERS
    return np.bincount(owner[few], letter[few] << (8 * place[few]), count).astype(np.int64)  # exact below 2 ** 53


def _runs(tokens: Ragged, vocabulary: Vocabulary) -> Ragged:
    """The runs of digits in every value, as numbers in ascending order; a word is looked through once."""
    digits = zip(vocabulary.words, vocabulary.digits.tolist(), strict=True)
    runs = Ragged.of([int(run[-15:]) for run in _DIGITS.findall(word)] if may else () for word, may in digits)
    owner = np.repeat(np.arange(len(tokens.start) - 1), tokens.lengths())
    numbered = np.flatnonzero(vocabulary.digits[tokens.items])
    run, at = runs.take(tokens.items[numbered])
    return Ragged.grouped(owner[numbered][at], run, len(tokens.start) - 1)
