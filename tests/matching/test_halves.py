"""Work in two threads gives what it gives in one, in the same order."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from schemacast.matching.halves import PART, WORTH_THREADS, ahead, both, in_halves


@pytest.mark.parametrize("count", [0, 1, WORTH_THREADS - 1, WORTH_THREADS, WORTH_THREADS + 1, 3 * PART + 1])
def test_the_parts_hold_every_pair_once_and_in_order(count: int) -> None:
    parts = in_halves(count, lambda part: range(count)[part])
    assert [part.start for part in parts] == [0, *(part.stop for part in parts[:-1])]
    assert parts[-1].stop == count
    assert (len(parts) > 1) == (count >= WORTH_THREADS)


def test_both_results_come_in_the_order_of_the_work() -> None:
    assert both(lambda: "one", lambda: 2) == ("one", 2)


def test_what_is_worked_ahead_comes_in_turn() -> None:
    assert list(ahead(lambda number: number * 2, range(10))) == list(range(0, 20, 2))


def test_an_error_of_work_ahead_is_raised_and_ends_it() -> None:
    taken: list[int] = []

    def numbers() -> Iterator[int]:
        for number in range(100):
            taken.append(number)
            yield number

    with pytest.raises(ZeroDivisionError):
        list(ahead(lambda number: 1 // (3 - number), numbers()))
    assert len(taken) < 10
