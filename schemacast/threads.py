"""Work in a thread of its own: a generator or a coroutine for a caller whose loop runs already, a slow call for a loop.

The consumer of `in_thread` sees an ordinary generator. At most a few items wait for it, so memory stays bounded, and
closing it early closes the generator in its thread and waits for the thread to end.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable, Coroutine, Generator
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")
WAITING = 4
POLL_SECONDS = 0.05


def in_thread(work: Generator[T]) -> Generator[T]:
    """The items of `work`, produced in another thread. Its exception is raised here."""
    items: queue.Queue[tuple[bool, T | BaseException | None]] = queue.Queue(maxsize=WAITING)
    stopped = threading.Event()

    def put(going_on: bool, value: T | BaseException | None) -> None:
        while not stopped.is_set():
            try:
                items.put((going_on, value), timeout=POLL_SECONDS)
            except queue.Full:
                continue
            return

    def run() -> None:
        try:
            for item in work:
                put(True, item)
                if stopped.is_set():
                    break
            put(False, None)
        except BaseException as error:  # noqa: BLE001 (it is raised again in the consumer's thread)
            put(False, error)
        finally:
            work.close()

    thread = threading.Thread(target=run, name="schemacast", daemon=True)
    thread.start()
    try:
        while True:
            going_on, value = items.get()
            if isinstance(value, BaseException):
                raise value
            if not going_on:
                return
            yield value  # type: ignore[misc]
    finally:
        stopped.set()
        thread.join()


async def apart(work: Callable[[], T]) -> T:
    """The result of `work`, done in a thread while the loop goes on.

    The thread does not keep the process alive, so that a person who wants it to end at once is obeyed; what
    `work` does must therefore be safe to break off.
    """
    loop = asyncio.get_running_loop()
    result: asyncio.Future[T] = loop.create_future()

    def tell(value: T | None, error: BaseException | None) -> None:
        if result.done():
            return
        if error is not None:
            result.set_exception(error)
        else:
            result.set_result(value)  # type: ignore[arg-type]

    def run() -> None:
        value, failed = None, None
        try:
            value = work()
        except BaseException as error:  # noqa: BLE001 (it is raised again in the loop)
            failed = error
        with suppress(RuntimeError):  # the loop was closed meanwhile
            loop.call_soon_threadsafe(tell, value, failed)

    threading.Thread(target=run, name="schemacast", daemon=True).start()
    return await result


def run_anywhere(make: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """The result of a coroutine, for sync code: in a thread with a loop of its own when a loop runs here already."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(make())
    result: Future[T] = Future()

    def run() -> None:
        try:
            result.set_result(asyncio.run(make()))
        except BaseException as error:  # noqa: BLE001 (it is raised again in the caller's thread)
            result.set_exception(error)

    threading.Thread(target=run, name="schemacast", daemon=True).start()
    return result.result()
