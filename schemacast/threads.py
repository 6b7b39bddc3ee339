"""Run a generator in a thread of its own, for a caller whose thread already runs an event loop.

The consumer sees an ordinary generator. At most a few items wait for it, so memory stays bounded, and
closing it early closes the generator in its thread and waits for the thread to end.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Generator
from typing import TypeVar

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
