"""Episodes: the texts a graph is cast from, with what is already known about them.

An episode's text is the JSON string unchanged, line ends and byte-order mark included; a lone
surrogate becomes U+FFFD, one character for one, so that every offset holds. Reading is streamed, and
a file is checked whole (bad lines, doubled source ids) before its first episode is given out.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, JsonValue


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class ContextItem(_Frozen):
    """An earlier text of the same thread: it tells what the episode refers to, and states nothing itself."""

    source_id: str
    text: str


class KnownEntity(_Frozen):
    """A vertex that the source itself states in structured form."""

    ref: str
    type: str
    properties: dict[str, JsonValue] = {}
    label: str | None = None


class KnownRelation(_Frozen):
    """An edge between known entities that the source itself states."""

    relation: str
    source: Annotated[str, Field(alias="from")]
    target: Annotated[str, Field(alias="to")]
    properties: dict[str, JsonValue] = {}


class Known(_Frozen):
    """What the source states in structured form."""

    vertices: tuple[KnownEntity, ...] = ()
    edges: tuple[KnownRelation, ...] = ()


class Episode(_Frozen):
    """One text. `reference_time` resolves relative dates; `metadata` is never shown to a model."""

    source_id: str
    text: str
    reference_time: datetime | None = None
    locale: str | None = None
    metadata: dict[str, JsonValue] = {}
    context: tuple[ContextItem, ...] = ()
    known: Known = Known()
