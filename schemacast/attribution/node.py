"""What the five nodes share: an awaitable form, a plain call, and work done for all sources at once.

A node is a callable from the state to the keys it writes. The plain call works anywhere, inside a running event
loop too; `acall` is for who has a loop. Both do the same.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

from schemacast.attribution.state import GraphState
from schemacast.threads import run_anywhere

T = TypeVar("T")
GRACE_SECONDS = 10.0
"""How long requests in flight are waited for when an error has ended the rest."""


class Node(ABC):
    """A step from the state to what it writes."""

    def __call__(self, state: GraphState) -> GraphState:
        """The keys that this node writes. Works inside a running event loop too."""
        return run_anywhere(lambda: self.acall(state))

    @abstractmethod
    async def acall(self, state: GraphState) -> GraphState:
        """The plain call for async code."""


async def together(work: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """The results of all, in order, or the first exception.

    After that the others have a moment to arrive, because they are paid for and their replies are kept; then they are
    cancelled, as they are at once when the whole is.
    """
    tasks = [asyncio.ensure_future(each) for each in work]
    try:
        return list(await asyncio.gather(*tasks))
    except Exception:
        await asyncio.wait(tasks, timeout=GRACE_SECONDS)
        raise
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
