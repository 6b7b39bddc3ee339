"""What a store did not take, for a person: what it is, where a text says so, and why it was refused.

An adapter knows ids and reasons. The record and its quote are known here: from the graph that was written, and from
the groundings of the record graphs it was made of. Reports show the first of the refusals only, each with a few of
the places that state it, since one bad property may have refused a whole night's work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

from schemacast.adapters import Refusal, WriteReport
from schemacast.graph import Edge, Entity, Graph
from schemacast.schema.model import Schema
from schemacast.schema.values import Json, Value, canonical_text

MOST_SHOWN = 100
"""How many refusals are shown; the others are counted."""
MOST_PLACES = 3
LONGEST = 200

Row = Mapping[str, Any]
NO_END = "an end of it is not in the store"


@dataclass(frozen=True, slots=True)
class StatedAt:
    """Where a refused thing, or its refused property, is stated: a source, the quote and its characters.

    What the source itself stated in structured form has no quote.
    """

    source_id: str
    quote: str | None = None
    start: int | None = None
    end: int | None = None
    context: str | None = None

    def to_json(self) -> dict[str, Json]:
        """The object in a report."""
        place: dict[str, Json] = {"source_id": self.source_id, "quote": self.quote}
        return {**place, "char_start": self.start, "char_end": self.end, "in_context": self.context}


@dataclass(frozen=True, slots=True)
class Refused:
    """A vertex or edge that a store did not take. `label` is its key, for an edge those of its ends.

    `property` is the one that stands in the way, when one does.
    """

    id: str
    kind: Literal["vertex", "edge"]
    type: str
    label: str
    property: str | None
    reason: str
    stated: tuple[StatedAt, ...] = ()

    def __str__(self) -> str:
        """What a message says of it."""
        named = self.property is None or repr(self.property) in self.reason
        return f"{self.type} {self.label}{'' if named else f', property {self.property!r}'}: {self.reason}"

    def to_json(self) -> dict[str, Json]:
        """The object in a report."""
        return {
            "id": self.id,
            "kind": self.kind,
            "type": self.type,
            "label": self.label,
            "property": self.property,
            "reason": self.reason,
            "stated": [place.to_json() for place in self.stated],
        }


Places = Callable[[Entity | Edge, str | None], Iterable[StatedAt]]
"""Where an entity or edge is stated, or a property of it when one is named."""


def refused_items(
    report: WriteReport, graph: Graph, schema: Schema, places: Places, *, without_end: Iterable[str] = ()
) -> tuple[Refused, ...]:
    """The first hundred of what a write refused, and of the edges that it had no end for."""
    refusals = [*report.refused, *(Refusal(ident, NO_END) for ident in without_end)]
    found = []
    for refusal in refusals[:MOST_SHOWN]:
        item = graph.entities.get(refusal.id) or graph.edges.get(refusal.id)
        if item is not None:
            stated = islice(places(item, refusal.property), MOST_PLACES)
            found.append(_refused(refusal, item, graph, schema, tuple(stated)))
    return tuple(found)


def _refused(
    refusal: Refusal, item: Entity | Edge, graph: Graph, schema: Schema, stated: tuple[StatedAt, ...]
) -> Refused:
    label = label_of(item, graph.entities, schema)
    if isinstance(item, Entity):
        return Refused(item.id, "vertex", item.type, label, refusal.property, refusal.reason, stated)
    return Refused(item.id, "edge", str(item.edge_id), label, refusal.property, refusal.reason, stated)


def label_of(item: Entity | Edge, entities: Mapping[str, Entity], schema: Schema) -> str:
    """What a person knows an item by: its key, of an edge those of its ends, which `entities` holds by id."""
    if isinstance(item, Entity):
        return _label(item, schema)
    ends = ((ident, entities.get(ident)) for ident in (item.source, item.target))
    return " -> ".join(ident if end is None else _label(end, schema) for ident, end in ends)


def _label(entity: Entity, schema: Schema) -> str:
    """An entity's key, else the first alternate it has, else any property, else its id."""
    kind = schema.vertices.get(entity.type)
    keys = [kind.key.properties, *kind.alternates] if kind is not None else []
    for names in (*keys, *((name,) for name in entity.props)):
        if names and any(name in entity.props for name in names):
            return "|".join(_text(entity.props.get(name)) for name in names)
    return entity.id


def _text(value: Value | None) -> str:
    items = value if isinstance(value, tuple) else () if value is None else (value,)
    text = ", ".join(item if isinstance(item, str) else canonical_text(item) for item in items)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def stated_at(
    rows: Iterable[Row], *, refs: Iterable[str] = (), items: Iterable[int] = (), property: str | None = None
) -> Iterator[StatedAt]:
    """Of the groundings of one source those of its records `refs` or of its relations at `items`.

    With a `property` only that one's, when it has any.
    """
    refs, items = frozenset(refs), frozenset(items)
    own = [row for row in rows if (row["ref"] in refs if row["vertex"] else row["item"] in items)]
    named = [row for row in own if row["property"] == property]
    for row in named or [row for row in own if row["property"] is None]:
        yield StatedAt(row["source_id"], _short(row["quote"]), row["char_start"], row["char_end"], row["in_context"])


def _short(quote: str) -> str:
    return quote if len(quote) <= 2 * LONGEST else f"{quote[: 2 * LONGEST - 1]}…"


def refusal_lines(refused: Iterable[Refused]) -> Iterator[str]:
    """Each on a line, followed by a line for each place that states it."""
    for each in refused:
        yield f"not written {each}"
        for place in each.stated:
            if place.quote is None:
                yield f"  {place.source_id} states it itself"
            else:
                context = "" if place.context is None else f" (in {place.context})"
                yield f"  {place.source_id}:{place.start}-{place.end}{context}  {place.quote!r}"
