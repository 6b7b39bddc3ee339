"""The interface of a searcher: a claim in, sources with their texts out.

A searcher is found through the entry-point group `schemacast.searchers`, the entry's name being its own, and is
called with the workspace and the options that a person gave. It is synchronous and runs in a worker thread, perhaps
in several at once. It decides nothing: what a source says about the claim is looked at afterwards, in the text that
it brings.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol, cast, runtime_checkable

from schemacast.attribution.models import SearchResult
from schemacast.errors import UsageError
from schemacast.plugins import find_plugin, loading, package_of
from schemacast.schema.values import Json

__all__ = ["DEFAULT_SEARCHER", "ENTRY_POINT_GROUP", "LIMIT", "Searcher", "open_searcher"]

ENTRY_POINT_GROUP = "schemacast.searchers"
KIND = "searcher"
DEFAULT_SEARCHER = "corpus"
LIMIT = 10
"""Sources that are looked at for one claim."""


@runtime_checkable
class Searcher(Protocol):
    """Finds sources for a claim. Made by `open_searcher`, or anything with these members."""

    @property
    def state(self) -> str:
        """What its answers depend on besides the query, as far as it knows: results under one state can be kept."""
        ...

    def search(self, query: str, *, limit: int) -> Sequence[SearchResult]:
        """At most `limit` sources, the best first, each with its whole text where there is one.

        Raises SearchError when it is away or refuses, UsageError when it cannot be used as it was made.
        """
        ...


def open_searcher(
    name: str = DEFAULT_SEARCHER, *, workspace: str | Path | None = None, options: Mapping[str, Json] | None = None
) -> Searcher:
    """The searcher of a name: `corpus`, `graph`, `tavily`, or that of another package.

    Raises UnknownNameError for a name that nobody has, MissingPackageError when its own imports fail, UsageError when
    it lacks a workspace or does not take an option, and whatever it raises itself.
    """
    entry = find_plugin(ENTRY_POINT_GROUP, name, kind=KIND)
    given = dict(options or {})
    with loading(entry, kind=KIND):
        make = entry.load()
        try:
            made = make(workspace=Path(workspace) if workspace else None, **given)
        except TypeError as error:
            unknown = re.search(r"unexpected keyword argument '(\w+)'", str(error))
            if unknown and unknown[1] in given:
                raise UsageError(f"the searcher {name!r} has no option {unknown[1]!r}") from error
            raise UsageError(f"the searcher {name!r} of {package_of(entry)} cannot be made: {error}") from error
    if not callable(getattr(made, "search", None)) or not hasattr(made, "state"):
        raise UsageError(f"the searcher {name!r} of {package_of(entry)} lacks `search` or `state`")
    return cast(Searcher, made)
