"""A generator run in another thread looks like the generator itself, errors and early ends included."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Generator

import pytest

from schemacast.threads import WAITING, in_thread, run_anywhere


def test_items_come_in_order_from_another_thread() -> None:
    def work() -> Generator[str]:
        for _ in range(20):
            yield threading.current_thread().name

    assert list(in_thread(work())) == ["schemacast"] * 20


def test_an_error_is_raised_where_the_items_are_taken() -> None:
    def work() -> Generator[int]:
        yield 1
        raise LookupError("gone")

    items = in_thread(work())
    assert next(items) == 1
    with pytest.raises(LookupError, match="gone"):
        next(items)


def test_closing_early_closes_the_generator_and_ends_the_thread() -> None:
    closed = threading.Event()

    def work() -> Generator[int]:
        try:
            while True:
                yield 1
        finally:
            closed.set()

    items = in_thread(work())
    assert next(items) == 1
    before = threading.active_count()
    items.close()
    assert closed.is_set()
    assert threading.active_count() == before - 1


def test_a_slow_taker_keeps_the_work_from_running_ahead() -> None:
    made = []

    def work() -> Generator[int]:
        for number in range(100):
            made.append(number)
            yield number

    items = in_thread(work())
    assert next(items) == 0
    time.sleep(0.2)
    assert len(made) <= WAITING + 3
    items.close()


def test_a_coroutine_is_run_from_sync_code_with_and_without_a_loop() -> None:
    async def name() -> str:
        await asyncio.sleep(0)
        return threading.current_thread().name

    async def fails() -> str:
        raise LookupError("gone")

    async def inside() -> tuple[str, str]:
        try:
            run_anywhere(fails)
        except LookupError as error:
            return run_anywhere(name), str(error)
        raise AssertionError

    assert run_anywhere(name) == threading.current_thread().name
    assert asyncio.run(inside()) == ("schemacast", "gone")
    with pytest.raises(LookupError, match="gone"):
        run_anywhere(fails)
