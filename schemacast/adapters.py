"""The adapter interface: where a graph is kept, behind the scheme of an address.

An adapter is found through the entry-point group `schemacast.adapters`, the entry's name being the
scheme: `networkx:graph.json`, `neo4j://host:7687/db`. It is called with the whole address and the schema,
implements a handful of primitives, and inherits the rest from `Store`. Adapters are synchronous; whoever
needs one in an event loop runs it in a worker thread. `schemacast.conformance` is the suite that every
adapter passes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Protocol, Self, cast, runtime_checkable

from schemacast.errors import UsageError
from schemacast.graph import Edge, Entity, Graph, Lookup
from schemacast.plugins import find_plugin, loading, names_of
from schemacast.schema.model import Property, Schema
from schemacast.schema.stored import is_utf8, unstorable

__all__ = ["Adapter", "Counts", "Existing", "Lookup", "Refusal", "Store", "WriteReport", "open_adapter", "scheme_of"]

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINT_GROUP = "schemacast.adapters"
KIND = "adapter for the scheme"
Existing = Literal["adopt", "refuse"]


@dataclass(frozen=True, slots=True)
class Counts:
    """How many vertices or edges a write or a removal touched.

    `adopted` are those among `changed` that someone else had loaded under the same key. `kept` stay after a
    removal, without what was ours, because others hold on to them.
    """

    created: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: int = 0
    adopted: int = 0
    kept: int = 0


@dataclass(frozen=True, slots=True)
class Refusal:
    """A vertex or edge that a store does not take, and why; the rest is written.

    `property` is the one that stands in the way, when one does.
    """

    id: str
    reason: str
    property: str | None = None


@dataclass(frozen=True, slots=True)
class WriteReport:
    """What a write did. Edges whose ends exist nowhere are counted, never dropped in silence."""

    vertices: Counts = Counts()
    edges: Counts = Counts()
    refused: tuple[Refusal, ...] = ()
    missing_ends: int = 0


@runtime_checkable
class Adapter(Protocol):
    """A store of one graph. Made by `open_adapter`; a context manager that closes itself."""

    def prepare(self, *, existing: Existing = "adopt") -> Mapping[str, int]:
        """Make what the store needs before a first write: constraints, indexes, a file's folder.

        Gives, by vertex type, how many vertices of our types the store holds that no adapter wrote. They are
        adopted when an entity with their key is written; with `existing="refuse"` any of them is a
        StoreConflict, here and in a later write.
        """
        ...

    def look_up(self, lookups: Sequence[Lookup]) -> list[list[Entity]]:
        """For each question, in order, the entities that answer it, by id.

        Values are equal when their `schemacast.schema.comparable` texts are.
        """
        ...

    def entities(self, ids: Iterable[str]) -> dict[str, Entity]:
        """The entities with these ids, aliases followed; ids the store lacks are left out."""
        ...

    def edges(self, ids: Iterable[str]) -> dict[str, Edge]:
        """The edges with these ids; ids the store lacks are left out."""
        ...

    def of_type(self, type: str, *, besides: str | None = None) -> Iterable[Entity]:
        """The entities of a type, which new records are compared with; in any order.

        `besides` is the id of a workspace: those that it alone supports may be left out.
        """
        ...

    def write(self, graph: Graph, *, workspace: str | None = None) -> WriteReport:
        """Create or update every entity and edge of `graph`; writing the same twice changes nothing.

        A property that the store has and the graph's entity lacks is removed, unless another workspace
        supports it (`schemacast.sharing`). An end that is not in the graph is looked for in the store, by its
        id or an alias. `workspace` is the id of the workspace on whose behalf it is written; without one
        the support is nobody's in particular, and no workspace's removal takes it away.
        """
        ...

    def remove(
        self, entities: Iterable[str] = (), edges: Iterable[str] = (), *, workspace: str | None = None
    ) -> WriteReport:
        """Remove entities and edges by id; an entity's edges go with it. Ids the store lacks are no error.

        With a `workspace` only its support goes: what others support stays, as they wrote it, and counts as
        changed. Without one the entities and edges go, whoever supports them.
        """
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


class Store(ABC):
    """What every adapter needs: being a context manager, and the check of what no store can hold."""

    place: str | None = None
    """What tells this store from any other, whoever opens it and from where; None: its address does."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema

    def close(self) -> None:  # noqa: B027 (many stores have nothing to release)
        """Release the store; closing twice is fine."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def of_type(self, type: str, *, besides: str | None = None) -> Iterable[Entity]:  # noqa: ARG002
        """The entities of a type, out of everything that is read; a store that can ask for them does better."""
        return self.read().of_type(type)

    @abstractmethod
    def read(self) -> Graph:
        """Everything that is ours in the store."""

    def refusal(self, item: Entity | Edge) -> Refusal | None:
        """Why an entity or edge cannot be stored without loss, whatever the store; None when it can."""
        declared: Mapping[str, Property] | None = None
        if isinstance(item, Entity):
            if item.type in self.schema.vertices:
                declared = self.schema.vertices[item.type].properties
            ids = (item.id, *item.aliases)
            what = f"vertex type {item.type!r}"
        else:
            if item.edge_id in self.schema.edges:
                declared = self.schema.edges[item.edge_id].properties
            ids = (item.id, item.source, item.target)
            what = f"edge type {item.edge_id}"
        if declared is None:
            return Refusal(item.id, f"the schema has no {what}")
        if not all(ids) or not is_utf8("".join(ids)):
            return Refusal(item.id, "an id is empty or holds a lone surrogate")
        found = unstorable(item.props, declared)
        return Refusal(item.id, found[1], found[0]) if found else None


def scheme_of(address: str) -> str:
    """The scheme of an address. Raises UsageError when it has none; `C:` is a drive, not a scheme."""
    scheme, colon, rest = address.partition(":")
    if not colon or len(scheme) < 2 or not scheme.replace("+", "").replace("-", "").replace(".", "").isalnum():
        raise UsageError(f"{address!r} has no scheme; put one in front: {_installed()}")
    if not rest.strip("/"):
        raise UsageError(f"{address!r} names no place after its scheme")
    return scheme.lower()


def adapter_entry(address: str) -> EntryPoint:
    """The entry point of the adapter for an address; nothing is loaded or opened.

    Raises UsageError for an address without a scheme or place, UnknownNameError for a scheme that nobody has.
    """
    return find_plugin(ENTRY_POINT_GROUP, scheme_of(address), kind=KIND)


def open_adapter(address: str, schema: Schema) -> Adapter:
    """Open the store at `address` for graphs of `schema`.

    Raises UnknownNameError for a scheme that no installed adapter has, MissingPackageError when the
    adapter's own imports fail, and what the adapter raises when its store cannot be opened.
    """
    entry = adapter_entry(address)
    with loading(entry, kind=KIND):
        return cast(Adapter, entry.load()(address, schema))


def _installed() -> str:
    return ", ".join(f"{name}:" for name in sorted(names_of(ENTRY_POINT_GROUP)))
