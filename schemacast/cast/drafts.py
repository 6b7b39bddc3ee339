"""Items that stand so far, while the rest of their episode is still being read.

A draft keeps places as plain spans, because most are compared several times before the evidence is
written once, at the end.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from schemacast.cast.facts import EdgeFacts, VertexFacts
from schemacast.cast.place import Place
from schemacast.records import Support
from schemacast.schema.values import Scalar


@dataclass(slots=True)
class Found:
    """A value, the place of its quote, and where in the same text the value itself stands.

    `place` is None for a value that the source states itself.
    """

    value: Scalar
    support: Support
    place: Place | None
    span: tuple[int, int]


@dataclass(slots=True)
class Draft:
    """A vertex that stands. `place` is None for a known one."""

    ref: str
    facts: VertexFacts
    place: Place | None
    props: dict[str, list[Found]] = field(default_factory=dict)
    mention: bool = False
    stance: str | None = None


@dataclass(slots=True)
class EdgeDraft:
    """An edge that stands. `place` is None for a known one."""

    facts: EdgeFacts
    source: Draft
    target: Draft
    place: Place | None
    props: dict[str, list[Found]] = field(default_factory=dict)
    stance: str | None = None
