"""Which part of a schema an episode is shown: all of it, unless its sheet is long.

Up to 2,000 tokens the whole schema is shown. Above, types are ranked by the words they share with the
text: a name, synonym, listed form or code prefix counts most, then words of properties and
descriptions, rarer ones more. Whatever a text says outright is kept at any length; the rest fills the
sheet up to the limit, neighbours of kept types and much-joined types first, since a person's or
company's name says nothing of its type. A kept type keeps all its properties, the owners it is
identified in, and every edge type between kept types, so that a slice is a valid schema.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from schemacast.cast.cues import Cues
from schemacast.cast.per_schema import PerSchema
from schemacast.schema.model import Example, Schema
from schemacast.schema.sheet import sheet, type_lines

WHOLE_BELOW = 2_000
"""Tokens of a sheet up to which a schema is never sliced."""
CHARACTERS_PER_TOKEN = 4
SLICES_KEPT = 256


@dataclass(frozen=True, slots=True)
class Slice:
    """A valid schema that is all or part of another. `why` says of each type why it is shown; empty: all are."""

    schema: Schema
    why: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


def select(schema: Schema, text: str, *, keep: Collection[str] = ()) -> Slice:
    """The slice for a text; the same Schema object when it is not sliced, or was sliced so before.

    `keep` names types that are shown whatever the text says, such as those of known vertices.
    """
    selector = _selector(schema)
    return selector.whole or selector.select(text, keep)


class _Selector:
    """What slicing needs to know of one schema, and the slices made of it lately."""

    def __init__(self, schema: Schema) -> None:
        budget = WHOLE_BELOW * CHARACTERS_PER_TOKEN
        self.whole = Slice(schema) if len(sheet(schema)) < budget else None
        if self.whole is not None:
            return
        self.schema = schema
        self.budget = budget
        self.cost = {name: sum(len(line) + 1 for line in lines) for name, lines in type_lines(schema).items()}
        self.cues = Cues(schema)
        self.neighbours: dict[str, Counter[str]] = {name: Counter() for name in schema.vertices}
        for edge in schema.edges:
            self.neighbours[edge.source][edge.target] += 1
            self.neighbours[edge.target][edge.source] += 1
        self.order = {name: place for place, name in enumerate(schema.vertices)}
        self.slices: OrderedDict[frozenset[str], Schema] = OrderedDict()

    def select(self, text: str, keep: Collection[str]) -> Slice:
        said, likely = self.cues.find(text)
        why: dict[str, str] = {}
        for name in keep:
            if name in self.schema.vertices:
                self._keep(name, "asked for", why)
        for name, word in said.items():
            self._keep(name, f"the text says {word!r}", why)
        spent = self._spent(why)
        near = Counter(other for name in why for other in self.neighbours[name])
        rest = sorted(
            (name for name in self.schema.vertices if name not in why),
            key=lambda name: (
                -likely.get(name, 0.0) - 0.5 * min(near[name], 4),
                -self.neighbours[name].total(),
                self.order[name],
            ),
        )
        for name in rest:
            if name in why:
                continue
            trial = dict(why)
            self._keep(name, self._reason(name, likely, near), trial)
            cost = self._spent(trial)
            if cost <= self.budget or not why:
                why, spent = trial, cost
            if spent > self.budget:
                break
        kept = frozenset(why)
        ordered = {name: why[name] for name in self.schema.vertices if name in kept}
        return Slice(self._slice(kept), MappingProxyType(ordered))

    def _reason(self, name: str, likely: Mapping[str, float], near: Mapping[str, int]) -> str:
        if likely.get(name):
            return "the text has words of its properties or description"
        if near.get(name):
            return "joined to a type that the text mentions"
        return f"fits in, with {self.neighbours[name].total()} edge types"

    def _keep(self, name: str, reason: str, why: dict[str, str]) -> None:
        """Keep a type, and the types that those of it are identified in."""
        pending = [(name, reason)]
        while pending:
            name, reason = pending.pop()
            if name in why:
                continue
            why[name] = reason
            for edge in self.schema.owners(name):
                owner = edge.id.target if edge.id.source == name else edge.id.source
                pending.append((owner, f"{name} is identified in it through {edge.id.relation}"))

    def _spent(self, kept: Iterable[str]) -> int:
        names = set(kept)
        edges = sum(
            len(edge.relation) + len(edge.source) + len(edge.target) + 8
            for edge in self.schema.edges
            if edge.source in names and edge.target in names
        )
        return sum(self.cost[name] for name in names) + edges

    def _slice(self, kept: frozenset[str]) -> Schema:
        held = self.slices.get(kept)
        if held is None:
            held = self._cut(kept)
            self.slices[kept] = held
            if len(self.slices) > SLICES_KEPT:
                self.slices.popitem(last=False)
        else:
            self.slices.move_to_end(kept)
        return held

    def _cut(self, kept: frozenset[str]) -> Schema:
        schema = self.schema
        if len(kept) == len(schema.vertices):
            return schema
        edges = {key: edge for key, edge in schema.edges.items() if key.source in kept and key.target in kept}
        return replace(
            schema,
            vertices=MappingProxyType({name: vertex for name, vertex in schema.vertices.items() if name in kept}),
            edges=MappingProxyType(edges),
            examples=tuple(example for example in schema.examples if _fits(example, kept)),
        )


def _fits(example: Example, kept: frozenset[str]) -> bool:
    """Whether every type of a worked example is in the slice; its edges then are too."""
    vertices = example.reply.get("vertices")
    if not isinstance(vertices, (list, tuple)):
        return False
    return all(isinstance(item, Mapping) and item.get("type") in kept for item in vertices)


_selector = PerSchema(_Selector)
