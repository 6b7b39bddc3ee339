"""The adapter interface: where a graph is kept, behind the scheme of an address.

An adapter is found through the entry-point group `schemacast.adapters`, the entry's name being the
scheme: `networkx:graph.json`, `neo4j://host:7687/db`. It implements a handful of primitives; everything
that can be shared is not in it. Adapters are synchronous; whoever needs one in an event loop runs it in
a worker thread.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self, runtime_checkable

from schemacast.graph import Entity, Graph
from schemacast.schema.model import Schema
from schemacast.schema.values import Scalar

ENTRY_POINT_GROUP = "schemacast.adapters"


@dataclass(frozen=True, slots=True)
class Lookup:
    """A question to a store: the entities of `type` whose properties equal all of `values`."""

    type: str
    values: Mapping[str, Scalar]


@dataclass(frozen=True, slots=True)
class Counts:
    """How many vertices or edges a write touched."""

    created: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: int = 0


@dataclass(frozen=True, slots=True)
class Refusal:
    """A vertex or edge that a store does not take, and why; the rest is written."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class WriteReport:
    """What a write did. Ends that exist nowhere are counted, never dropped in silence."""

    vertices: Counts = Counts()
    edges: Counts = Counts()
    refused: tuple[Refusal, ...] = ()
    missing_ends: int = 0


@runtime_checkable
class Adapter(Protocol):
    """A store of one graph. Made by `open_adapter`; a context manager that closes itself."""

    def prepare(self) -> None:
        """Make what the store needs before a first write: constraints, indexes, an empty file's folder."""
        ...

    def look_up(self, lookups: Sequence[Lookup]) -> list[list[Entity]]:
        """For each question, in order, the entities that answer it, by id."""
        ...

    def entities(self, ids: Iterable[str]) -> dict[str, Entity]:
        """The entities with these ids, aliases followed; ids the store lacks are left out."""
        ...

    def write(self, graph: Graph) -> WriteReport:
        """Create or update every entity and edge of `graph`; writing the same twice changes nothing."""
        ...

    def remove(self, entities: Iterable[str] = (), edges: Iterable[str] = ()) -> WriteReport:
        """Remove entities and edges by id; an entity's edges go with it."""
        ...

    def read(self) -> Graph:
        """Everything that is ours in the store, equal to what was written."""
        ...

    def close(self) -> None:
        """Release the store; closing twice is fine."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def open_adapter(address: str, schema: Schema) -> Adapter:
    """Open the store at `address` for graphs of `schema`.

    Raises UnknownNameError for a scheme that no installed adapter has.
    """
    raise NotImplementedError
