"""The gate that all workers of a run pass through, driven directly."""

from __future__ import annotations

import asyncio
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemacast.errors import ModelAccessError
from schemacast.llm.throttle import Patience, Throttle


def test_refusals_of_one_round_halve_the_number_in_flight_once_and_it_grows_back() -> None:
    async def run() -> list[int]:
        throttle = Throttle(8)
        throttle.answered()
        limits = [throttle.limit]
        entered = [await throttle.enter() for _ in range(8)]
        for at in entered:
            throttle.slow_down(0.0, entered=at)
            throttle.leave()
        limits.append(throttle.limit)
        later = await throttle.enter()
        throttle.slow_down(0.0, entered=later)
        throttle.leave()
        limits.append(throttle.limit)
        for _ in range(80):
            throttle.went_well()
        limits.append(throttle.limit)
        return limits

    assert asyncio.run(run()) == [8, 4, 2, 8]


def test_what_is_tried_again_goes_before_what_is_new() -> None:
    async def run() -> list[str]:
        throttle = Throttle(1)
        order: list[str] = []

        async def worker(name: str, *, again: bool) -> None:
            await throttle.enter(again=again)
            order.append(name)
            throttle.leave()

        await throttle.enter()
        tasks = [asyncio.create_task(worker(name, again=name == "again")) for name in ("new 1", "new 2", "again")]
        await asyncio.sleep(0.01)
        throttle.leave()
        await asyncio.gather(*tasks)
        return order

    assert asyncio.run(run()) == ["again", "new 1", "new 2"]


def test_a_stop_reaches_those_that_wait_and_those_that_come() -> None:
    async def run() -> list[BaseException | float]:
        throttle = Throttle(1)
        await throttle.enter()
        waiting = [asyncio.create_task(throttle.enter()) for _ in range(3)]
        await asyncio.sleep(0)
        throttle.stop(ModelAccessError("no"))
        return await asyncio.gather(*waiting, throttle.enter(), return_exceptions=True)

    errors = asyncio.run(run())
    assert [str(error) for error in errors] == ["no"] * 4
    assert len({id(error) for error in errors}) == 4


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 5), st.integers(1, 25), st.integers(0, 10**6))
def test_whatever_happens_no_place_is_lost_or_doubled(concurrency: int, workers: int, seed: int) -> None:
    chance = random.Random(seed)

    async def run() -> tuple[int, int]:
        throttle = Throttle(concurrency)
        inside = most = 0

        async def worker() -> None:
            nonlocal inside, most
            at = await throttle.enter(again=chance.random() < 0.3)
            inside += 1
            most = max(most, inside)
            try:
                for _ in range(chance.randrange(3)):
                    await asyncio.sleep(0)
                if chance.random() < 0.2:
                    throttle.slow_down(0.001, entered=at)
                elif chance.random() < 0.5:
                    throttle.went_well()
            finally:
                inside -= 1
                throttle.leave()

        tasks = [asyncio.create_task(worker()) for _ in range(workers)]
        for task in tasks:
            await asyncio.sleep(0)
            if chance.random() < 0.2:
                task.cancel()
        await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 5)
        throttle.answered()
        for _ in range(100):
            throttle.went_well()
        places = [await asyncio.wait_for(throttle.enter(), 1) for _ in range(concurrency)]
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(throttle.enter(), 0.001)
        return most, len(places)

    most, places = asyncio.run(run())
    assert most <= concurrency
    assert places == concurrency


@given(st.integers(1, 50))
@settings(max_examples=50, deadline=None)
def test_waits_double_up_to_their_ceiling(attempts: int) -> None:
    wait = Patience(first_wait=0.5, longest_wait=30.0).wait(attempts)
    expected = min(30.0, 0.5 * 2.0 ** (attempts - 1))
    assert expected / 2 <= wait <= expected
