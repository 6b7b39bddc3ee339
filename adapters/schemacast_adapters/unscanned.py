"""Writing a large graph without searching it for garbage over and over.

A write makes and drops many small objects; the searches for cyclic garbage that these set off would go through
the whole graph each time, which has no cycles and stays. So what is there when a write begins is set apart
until it ends.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def unscanned() -> Iterator[None]:
    """Have the search for cyclic garbage leave out what is there already; what someone else set apart stays so."""
    if gc.get_freeze_count():
        yield
        return
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
