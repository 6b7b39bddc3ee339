"""What several workspaces say about one entity or edge of a store, and what it then holds.

Most things are supported by one workspace, and are what that one wrote. When a second one writes the same
id, each keeps its claim: the properties and aliases it wrote. The thing holds all of them together; where
claims differ, the one written last stands. When a workspace takes its claim back, the thing is again what
the others say, and it goes with the last. Every store does it the same way, with these functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from schemacast.graph import Edge, Entity
from schemacast.schema.model import Property
from schemacast.schema.stored import PARTIAL_SUFFIX, as_read_back, props_from_json, props_to_json
from schemacast.schema.values import Json, Value

NO_WORKSPACE = "-"
"""What stands for the workspace of a write without one; no workspace may have this id."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What one workspace wrote about a thing."""

    workspace: str
    props: Mapping[str, Value] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()

    @classmethod
    def of(cls, item: Entity | Edge, workspace: str | None, declared: Mapping[str, Property]) -> Claim:
        """The claim that writing `item` makes, with its values as a store gives them back."""
        aliases = item.aliases if isinstance(item, Entity) else ()
        return cls(workspace or NO_WORKSPACE, as_read_back(item.props, declared), aliases)

    def to_json(self, declared: Mapping[str, Property]) -> dict[str, Json]:
        """The claim as an object to be stored beside the thing."""
        return {
            "workspace": self.workspace,
            "props": props_to_json(self.props, declared),
            "aliases": list(self.aliases),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], declared: Mapping[str, Property]) -> Claim:
        """Read back what `to_json` gave; properties that the schema no longer declares are left out."""
        props = {
            name: value
            for name, value in data["props"].items()
            if name in declared or name.removesuffix(PARTIAL_SUFFIX) in declared
        }
        return cls(data["workspace"], props_from_json(props, declared), tuple(data["aliases"]))


def with_claim(claims: Iterable[Claim], claim: Claim) -> tuple[Claim, ...]:
    """The claims with this one in place of what its workspace said before; a new or other one stands last."""
    held = tuple(claims)
    if not held:
        return (claim,)
    if claim in held:
        return held
    return (*without_claim(held, claim.workspace), claim)


def without_claim(claims: Iterable[Claim], workspace: str | None) -> tuple[Claim, ...]:
    """The claims of the other workspaces."""
    return tuple(each for each in claims if each.workspace != (workspace or NO_WORKSPACE))


def together(claims: Iterable[Claim]) -> tuple[dict[str, Value], tuple[str, ...]]:
    """The properties and aliases that a thing with these claims holds."""
    props: dict[str, Value] = {}
    aliases: dict[str, None] = {}
    for claim in claims:
        props.update(claim.props)
        aliases.update(dict.fromkeys(claim.aliases))
    return props, tuple(aliases)
