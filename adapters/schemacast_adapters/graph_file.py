"""The graph file of the embedded store: node-link JSON, one node or edge on a line.

What one workspace wrote stands under `workspaces`; of what several wrote, each one's `claims` stand beside it.
What was written without a workspace has neither, and is what `graph.json` is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from schemacast.errors import InputError
from schemacast.graph import Edge, Entity
from schemacast.schema.comparable import Equality, comparable_values
from schemacast.schema.model import Property
from schemacast.schema.stored import PARTIAL_SUFFIX, props_from_json
from schemacast.sharing import NO_WORKSPACE, Claim

Item = dict[str, Any]
Index = dict[tuple[str, ...], list[Entity]]
_encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True, allow_nan=False).encode


def lines_of(head: Item, items: Mapping[str, Iterator[Item]]) -> Iterator[str]:
    """The file: the same bytes for the same graph, whatever was written in which order."""
    separator = "{"
    for name, value in sorted({**head, **items}.items()):
        yield f"{separator}{_encode(name)}: "
        if name in items:
            yield from _lines(items[name])
        else:
            yield _encode(value)
        separator = ", "
    yield "}\n"


def _lines(items: Iterator[Item]) -> Iterator[str]:
    separator = "[\n"
    for item in items:
        yield separator + _encode(item)
        separator = ",\n"
    yield "\n]" if separator == ",\n" else "[]"


def declared_only(props: Mapping[str, Any], declared: Mapping[str, Property]) -> dict[str, Any]:
    """The properties that the schema declares, and of the type that it declares: a schema may have changed since."""
    named = {
        name: value
        for name, value in props.items()
        if name in declared or name.removesuffix(PARTIAL_SUFFIX) in declared
    }
    if not _is_of_another_type(named, declared):
        return named
    return {name: value for name, value in named.items() if not _is_of_another_type({name: value}, declared)}


def _is_of_another_type(props: Mapping[str, Any], declared: Mapping[str, Property]) -> bool:
    try:
        props_from_json(props, declared)
    except ValueError:
        return True
    return False


def without_other_types(item: Item, declared: Mapping[str, Property]) -> Item:
    """An item of a file, its claims as the schema declares their properties now."""
    if "claims" not in item:
        return item
    claims = [{**each, "props": declared_only(each["props"], declared)} for each in item["claims"]]
    return {**item, "claims": claims}


def claims_to_json(claims: tuple[Claim, ...] | None, declared: Mapping[str, Property]) -> Item:
    """What stands on an item about who wrote it; nothing for what was written without a workspace."""
    if claims is None:
        return {}
    names = sorted(claim.workspace for claim in claims)
    if len(claims) == 1:
        return {"workspaces": names}
    return {"workspaces": names, "claims": [claim.to_json(declared) for claim in claims]}


def claims_from_json(
    item: Mapping[str, Any], read: Entity | Edge, declared: Mapping[str, Property]
) -> tuple[Claim, ...]:
    """Who wrote an item, and what each one did. Raises like `Claim.from_json`."""
    if "claims" in item:
        return tuple(Claim.from_json(each, declared) for each in item["claims"])
    aliases = read.aliases if isinstance(read, Entity) else ()
    names = item.get("workspaces") or [NO_WORKSPACE]
    return tuple(Claim(name, read.props, aliases) for name in names)


def workspaces_of(item: Mapping[str, Any]) -> list[str]:
    """Who wrote an item of a file."""
    return item.get("workspaces") or [NO_WORKSPACE]


def without_workspace(item: Item, workspace: str | None) -> Item:
    """An item as it stands in a file, without what one of several workspaces wrote; nothing else of it is read."""
    claims = [each for each in item.get("claims", ()) if each["workspace"] != workspace]
    rest = {name: value for name, value in item.items() if name not in ("claims", "workspaces")}
    props = {name: value for each in claims for name, value in each["props"].items()}
    aliases = list(dict.fromkeys(alias for each in claims for alias in each["aliases"]))
    made = {**rest, "props": props, "workspaces": sorted(each["workspace"] for each in claims)}
    return {**made, **({"aliases": aliases} if "aliases" in item else {}), **({"claims": claims} if claims[1:] else {})}


def index_of(
    entities: Iterable[Entity], declared: Mapping[str, Property], names: tuple[str, ...], equality: Equality
) -> Index:
    """Entities by the comparable texts of some properties; those that lack one are in no place."""
    index: Index = {}
    for entity in entities:
        texts = comparable_values(declared, names, entity.props, equality)
        if texts is not None:
            index.setdefault(texts, []).append(entity)
    return index


def check_text(ident: object) -> None:
    """Raises TypeError for an id that is none."""
    if not isinstance(ident, str):
        raise TypeError(f"the id {ident!r} is no text")


def read_json(path: Path) -> Mapping[str, Any]:
    """The object of a file. Raises InputError for a file that holds none."""
    try:
        content = path.read_bytes()
        data = json.loads(content)
        if b"\\ud" in content.lower():
            _encode(data).encode()  # a lone surrogate could not be written again
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: is no graph file: {' '.join(str(error).split())[:200]}") from error
    if not isinstance(data, dict):
        raise InputError(f"{path}: is no graph file: it holds no JSON object")
    return data
