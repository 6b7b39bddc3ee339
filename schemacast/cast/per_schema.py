"""Things computed once for a schema object and dropped with it.

A schema holds mappings and so has no hash; it is told apart by identity, which is also what makes a
look-up cheap. Slices of one schema are schema objects of their own.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Generic, TypeVar

from schemacast.schema.model import Schema

T = TypeVar("T")


class PerSchema(Generic[T]):
    """What `build` makes of a schema, made at the first call for each schema object."""

    def __init__(self, build: Callable[[Schema], T]) -> None:
        self._build = build
        self._held: dict[int, tuple[weakref.ref[Schema], T]] = {}

    def __call__(self, schema: Schema) -> T:
        held = self._held.get(id(schema))
        if held is not None and held[0]() is schema:
            return held[1]
        built = self._build(schema)
        self._held[id(schema)] = (weakref.ref(schema, self._forget(id(schema))), built)
        return built

    def __len__(self) -> int:
        return len(self._held)

    def _forget(self, key: int) -> Callable[[weakref.ref[Schema]], None]:
        held = self._held

        def forget(gone: weakref.ref[Schema]) -> None:
            entry = held.get(key)
            if entry is not None and entry[0] is gone:
                del held[key]

        return forget
