"""How a cast of one episode ended: what was kept, what was mended, what was removed and why.

A finding removes something and goes to the quarantine with its text; a fix mends something and is
counted. Counts always add up: every item of a reply is kept, or has a finding.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from schemacast.llm.protocol import Usage
from schemacast.records import RecordGraph
from schemacast.schema.values import Json

if TYPE_CHECKING:
    from schemacast.ground import UnmappedText

Status = Literal["ok", "empty", "partial", "failed"]
Reason = Literal[
    "unreadable_reply",
    "schema_echo",
    "cut_reply",
    "refused",
    "too_long",
    "request_failed",
    "over_budget",
    "nothing_valid",
]
ItemKind = Literal["vertex", "edge", "property", "unmapped", "reply"]
FindingName = Literal[
    "malformed",
    "duplicate_ref",
    "unknown_type",
    "undeclared_property",
    "duplicate_property",
    "dangling_ref",
    "undeclared_edge",
    "endpoint_removed",
    "quote_not_found",
    "quote_cuts_token",
    "quote_unrelated",
    "value_not_in_quote",
    "value_type",
    "value_constraint",
    "value_ambiguous",
    "value_qualified",
    "not_asserted",
    "key_insufficient",
    "cut_reply",
]
FixName = Literal[
    "name_mended",
    "edge_reversed",
    "ref_coerced",
    "properties_folded",
    "evidence_widened",
    "evidence_narrowed",
    "quote_normalized",
    "value_coerced",
    "unit_converted",
    "key_in_context",
    "known_stands",
    "reply_repaired",
]

REPAIRABLE: frozenset[FindingName] = frozenset(
    (
        "quote_not_found",
        "quote_cuts_token",
        "quote_unrelated",
        "value_not_in_quote",
        "value_type",
        "key_insufficient",
    )
)
"""The findings a model is shown and asked to mend (↻ in the rules); the others it cannot."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that was removed, or staged, and why. `item` is what the model gave.

    `known` marks a finding about what the source itself states, which no model can mend. `kept` marks one
    about what an item lacks that stands nevertheless: its key, or a required property.
    """

    finding: FindingName
    kind: ItemKind
    message: str
    item: Json = None
    quote: str | None = None
    round: int = 0
    known: bool = False
    kept: bool = False

    @property
    def repairable(self) -> bool:
        """Whether a better reply could avoid it and would be worth a request: not for a remark that is lost."""
        return self.finding in REPAIRABLE and self.kind != "unmapped" and not self.known

    def to_json(self, source_id: str) -> dict[str, Json]:
        """The object that stands on a line of `quarantine.jsonl`."""
        return {
            "source_id": source_id,
            "finding": self.finding,
            "kind": self.kind,
            "item": self.item,
            "quote": self.quote,
            "message": self.message,
            "round": self.round,
        }


@dataclass(frozen=True, slots=True)
class Fix:
    """Something that was mended. `message` says what became what."""

    fix: FixName
    message: str


@dataclass(frozen=True, slots=True)
class Kept:
    """How many items of a reply stand, as the record graph holds them. Known vertices and edges are not counted.

    Of each kind, the items that a reply gives are those kept, those that a finding removed (those
    marked `kept` removed nothing; a property of a removed item stands in that item's finding), and those that a
    `properties_folded` or `known_stands` fix names.
    """

    vertices: int = 0
    edges: int = 0
    properties: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of one episode's cast. `graph` is None when it failed."""

    source_id: str
    status: Status
    reason: Reason | None = None
    message: str | None = None
    graph: RecordGraph | None = None
    groundings: tuple[dict[str, Json], ...] = ()
    unmapped: tuple[UnmappedText, ...] = ()
    findings: tuple[Finding, ...] = ()
    fixes: tuple[Fix, ...] = ()
    kept: Kept = Kept()
    requests: int = 0
    usage: Usage = field(default_factory=Usage)

    def to_json(self) -> dict[str, Json]:
        """The object that stands on a line of `episodes.jsonl`."""
        return {
            "source_id": self.source_id,
            "status": self.status,
            "reason": self.reason,
            "kept": {
                "vertices": self.kept.vertices,
                "edges": self.kept.edges,
                "properties": self.kept.properties,
            },
            "findings": _count([finding.finding for finding in self.findings]),
            "fixes": _count([fix.fix for fix in self.fixes]),
            "requests": self.requests,
            "usage": {"input_tokens": self.usage.input_tokens, "output_tokens": self.usage.output_tokens},
        }


def _count(names: Sequence[str]) -> dict[str, Json]:
    counted: Mapping[str, int] = Counter(names) if names else {}
    return {name: counted[name] for name in sorted(counted)}
