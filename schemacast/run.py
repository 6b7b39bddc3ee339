"""A cast from files to files: episodes in, a resolved graph in a store and its files out.

This is what `schemacast cast` and `schemacast demo` do. Outcomes stream through the writer into resolution,
so that neither outcomes nor record graphs are kept. When the model refuses every further call, or a person
interrupts, what was cast until then is resolved, written and reported before the error is raised. So an
interrupt is held back while something is being written; a second one ends everything at once.
"""

from __future__ import annotations

import hashlib
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from schemacast.adapters import WriteReport, open_adapter
from schemacast.cast.output import GROUNDINGS, RECORDS, CastOutput, Tally
from schemacast.errors import InputError, ModelAccessError, ModelError, ModelUnavailable
from schemacast.records import RecordGraph
from schemacast.refusals import MOST_PLACES, MOST_SHOWN, Refused, StatedAt, refused_items, stated_at
from schemacast.resolution.resolve import Resolver
from schemacast.schema.values import Json, scalar_to_json
from schemacast.version import __version__

if TYPE_CHECKING:
    from schemacast.cast.caster import Caster
    from schemacast.cast.outcome import Outcome
    from schemacast.episode import Episode
    from schemacast.graph import Edge, Entity, Graph
    from schemacast.schema.model import Schema

GRAPH_FILE = "graph.json"


@dataclass(frozen=True, slots=True)
class CastReport:
    """What a cast did. `stopped` is the error that ended it early, with the work until then written.

    `refusals` are the first of what the store did not take, each with where it is stated. `old_graph` is the graph of
    an earlier cast that still stands among the files, when this one's went elsewhere.
    """

    directory: Path
    address: str
    graph: Graph
    write: WriteReport
    tally: Tally
    stopped: BaseException | None = None
    refusals: tuple[Refused, ...] = ()
    old_graph: Path | None = None

    @property
    def counts(self) -> dict[str, Counter[str]]:
        """How many vertices of each type and edges of each relation the graph has."""
        return type_counts(self.graph)

    @property
    def failures(self) -> list[tuple[str, str]]:
        """The first failed episodes, with why."""
        return self.tally.failures

    @property
    def failed(self) -> int:
        return self.tally.statuses["failed"]


def cast_to_files(
    caster: Caster,
    episodes: Iterable[Episode],
    *,
    out: Path,
    to: str | None = None,
    progress: Callable[[Outcome], None] | None = None,
) -> CastReport:
    """Cast `episodes`, write the output files into `out` and the graph to the store at `to`.

    Without `to` the graph goes to `graph.json` in `out`, which then holds this cast and nothing else; a store
    that is named is added to. Nothing is written when the first call already ends the cast.

    Raises OutputError, StoreError, ModelAccessError, ModelUnavailable, InputError, KeyboardInterrupt.
    """
    schema = caster.schema
    with (
        held_interrupts() as interrupts,
        CastOutput(out) as output,
        closing(caster.stream(episodes)) as outcomes,
    ):
        stream = _Stoppable(outcomes, interrupts)
        address = to or f"networkx:{output.beside(GRAPH_FILE)}"
        with open_adapter(address, schema) as adapter:
            adapter.prepare()  # a store that cannot be written is told before the first request
            resolver = Resolver(schema, known=adapter if to else None)
            for record_graph in _written(stream, output, progress):
                resolver.add(record_graph)
            graph = resolver.graph()
            if stream.error is not None and not output.tally.read:
                raise stream.error
            if isinstance(stream.error, ModelError):
                output.tally.add_unfinished(stream.error)
            output.stage(iter(graph.staged))
            written = adapter.write(graph)
            refusals: tuple[Refused, ...] = ()
            if written.refused:
                wanted = {refusal.id for refusal in written.refused[:MOST_SHOWN]}
                refusals = refused_items(written, graph, schema, _FilePlaces(output, resolver, schema, wanted))
        output.finish(_manifest(caster, output, graph))
        stopped = stream.error or (KeyboardInterrupt() if interrupts.held else None)
    shown = to or f"networkx:{out / GRAPH_FILE}"
    return CastReport(out, shown, graph, written, output.tally, stopped, refusals, _old_graph(out, to))


def _old_graph(out: Path, to: str | None) -> Path | None:
    """The graph file in `out` that this cast did not write. It may be another job's store, so that it stays."""
    old = out / GRAPH_FILE
    if to is None or not old.exists():
        return None
    scheme, _, path = to.partition(":")
    own = scheme == "networkx" and Path(path).expanduser().resolve() == old.resolve()
    return None if own else old


class _Interrupts:
    """Whether an interrupt is held back. `allowed` lets it through for a while, at once if one is held."""

    def __init__(self) -> None:
        self.held = False
        self.active = threading.current_thread() is threading.main_thread() and (
            signal.getsignal(signal.SIGINT) is signal.default_int_handler
        )

    def hold(self, number: int, frame: FrameType | None) -> None:
        """The first one is remembered, the second one raised."""
        if self.held:
            signal.default_int_handler(number, frame)
        self.held = True

    @contextmanager
    def allowed(self) -> Iterator[None]:
        if not self.active:
            yield
            return
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            if self.held:
                self.held = False
                raise KeyboardInterrupt
            yield
        finally:
            signal.signal(signal.SIGINT, self.hold)


@contextmanager
def held_interrupts() -> Iterator[_Interrupts]:
    """Hold interrupts back within the block, but for `allowed`; in another thread there are none to hold."""
    interrupts = _Interrupts()
    if not interrupts.active:
        yield interrupts
        return
    signal.signal(signal.SIGINT, interrupts.hold)
    try:
        yield interrupts
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


class _Stoppable:
    """The outcomes until their end, or until an error that would meet every further one."""

    def __init__(self, outcomes: Iterator[Outcome], interrupts: _Interrupts) -> None:
        self._outcomes = outcomes
        self._interrupts = interrupts
        self.error: ModelError | InputError | KeyboardInterrupt | None = None

    def __iter__(self) -> Iterator[Outcome]:
        while self.error is None:
            try:
                with self._interrupts.allowed():
                    outcome = next(self._outcomes)
            except StopIteration:
                return
            except (ModelAccessError, ModelUnavailable, InputError, KeyboardInterrupt) as error:
                self.error = error
            else:
                yield outcome


def _written(
    outcomes: Iterable[Outcome], output: CastOutput, progress: Callable[[Outcome], None] | None
) -> Iterator[RecordGraph]:
    """Write each outcome as it passes and hand on its record graph."""
    for outcome in outcomes:
        output.add(outcome)
        if progress is not None:
            progress(outcome)
        if outcome.graph is not None:
            yield outcome.graph


class _FilePlaces:
    """Where the files of a cast state what `wanted` names: read again only when a store refused something."""

    def __init__(self, output: CastOutput, resolver: Resolver, schema: Schema, wanted: set[str]) -> None:
        self._found: dict[str, list[tuple[str, list[str], list[int]]]] = {ident: [] for ident in wanted}
        self._rows: dict[str, list[dict[str, Any]]] = {}
        for line in output.lines(RECORDS):
            placed = resolver.place(RecordGraph.from_json(line, schema))
            for ident in wanted.intersection((*placed.entities.values(), *placed.edges)):
                refs = [ref for ref, entity in placed.entities.items() if entity == ident]
                items = [position for position, edge in enumerate(placed.edges) if edge == ident]
                if len(self._found[ident]) < MOST_PLACES:
                    self._found[ident].append((line["source_id"], refs, items))
                    self._rows[line["source_id"]] = []
        for row in output.lines(GROUNDINGS):
            if row["source_id"] in self._rows:
                self._rows[row["source_id"]].append(row)

    def __call__(self, item: Entity | Edge, property: str | None) -> Iterator[StatedAt]:
        for source_id, refs, items in self._found[item.id]:
            found = list(stated_at(self._rows[source_id], refs=refs, items=items, property=property))
            yield from found or [StatedAt(source_id)]


def type_counts(graph: Graph) -> dict[str, Counter[str]]:
    """How many vertices of each type, and edges of each relation."""
    return {
        "vertices": Counter(entity.type for entity in graph.entities.values()),
        "edges": Counter(edge.edge_id.relation for edge in graph.edges.values()),
    }


def _manifest(caster: Caster, output: CastOutput, graph: Graph) -> dict[str, Json]:
    schema = caster.schema
    properties = sum(len(entity.props) for entity in graph.entities.values())
    properties += sum(len(edge.props) for edge in graph.edges.values())
    return {
        "schema_ref": schema.ref,
        "schema_sha256": hashlib.sha256(schema.to_yaml().encode()).hexdigest(),
        "model": caster.model.name,
        "version": __version__,
        "started": scalar_to_json(output.started),
        "finished": scalar_to_json(datetime.now(UTC)),
        **output.tally.to_json(),
        "vertices": len(graph.entities),
        "edges": len(graph.edges),
        "properties": properties,
        "staged": dict(sorted(Counter(item.reason for item in graph.staged).items())),
    }
