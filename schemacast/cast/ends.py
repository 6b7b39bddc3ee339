"""Which edge type a relation between two vertices is, and which way round it stands.

A relation may be declared for several pairs of types, have synonyms, and have inverses, which read from
target to source. What is declared only the other way round is turned; what is declared in no way is
refused.
"""

from __future__ import annotations

from typing import NamedTuple

from schemacast.cast.facts import SchemaFacts
from schemacast.cast.ledger import Refusal, shown
from schemacast.errors import nearest
from schemacast.schema.model import EdgeType


class EdgeFit(NamedTuple):
    """An edge type; `swapped` when the ends as given stand for target and source."""

    type: EdgeType
    swapped: bool


def edge_between(relation: str, source: str, target: str, facts: SchemaFacts) -> EdgeFit | Refusal:
    """The edge type that `relation` means between vertices of two types, in the order given."""
    matches = facts.relation(relation)
    if not matches:
        return Refusal(
            "undeclared_edge", f"no relation is called {shown(relation)}{nearest(relation, facts.relations)}"
        )
    turned: EdgeFit | None = None
    for match in matches:
        ends = match.edge.id[:2]
        if match.reversed:
            ends = ends[1], ends[0]
        if ends == (source, target):
            return EdgeFit(match.edge, match.reversed)
        if ends == (target, source) and turned is None:
            turned = EdgeFit(match.edge, not match.reversed)
    if turned is not None:
        return turned
    declared = ", ".join(dict.fromkeys(str(match.edge.id) for match in matches[:6]))
    return Refusal("undeclared_edge", f"{source}-{relation}->{target} is not declared; there is {declared}")
