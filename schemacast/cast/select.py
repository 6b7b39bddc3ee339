"""Which part of a schema an episode is shown: all of it, unless its sheet is long."""

from __future__ import annotations

from dataclasses import dataclass

from schemacast.schema.model import Schema


@dataclass(frozen=True, slots=True)
class Slice:
    """A valid schema that is all or part of another, and why each part is in it (empty: not sliced)."""

    schema: Schema
    why: tuple[str, ...] = ()
