"""The second node: sources that may say something about the claim.

What a searcher brings is checked before anything is asked about it. A URL counts once. The source of the input is no
source for it, and neither is a copy of it elsewhere. An error page, or a result without text, says nothing. A
searcher that is away gives no results and an error: that nothing was found is then not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count

from schemacast.attribution.addresses import page_of, shown_source, validate_source_url
from schemacast.attribution.copies import are_copies
from schemacast.attribution.models import SearchResult
from schemacast.attribution.node import Node
from schemacast.attribution.pages import is_error_page
from schemacast.attribution.plain_words import one_line
from schemacast.attribution.searching import LIMIT, Searcher
from schemacast.attribution.state import GraphState, with_errors
from schemacast.errors import SchemaCastError, SearchError, UsageError
from schemacast.threads import apart

__all__ = ["LONGEST_QUERY", "SourceRetriever"]

LONGEST_QUERY = 400


class SourceRetriever(Node):
    """`extracted_claim` to `search_results` and `search_query`.

    `source_url` is that of the input. `limit` is how many sources are looked at. `failure` is what the last search
    failed with. Raises UsageError when the searcher cannot be used as it was made, or `source_url` is no URL.
    """

    def __init__(self, searcher: Searcher, *, source_url: str | None = None, limit: int = LIMIT) -> None:
        self._searcher = searcher
        self._limit = limit
        self._own = None if source_url is None else validate_source_url(source_url)
        self.failure: SchemaCastError | None = None
        if source_url is not None and self._own is None:
            raise UsageError(f"{source_url!r} is no URL; give that of the text, or leave it out")
        if limit < 1:
            raise UsageError(f"limit is {limit}; it must be 1 or more")

    async def acall(self, state: GraphState) -> GraphState:
        claim = state.get("extracted_claim")
        self.failure = None
        if claim is None:
            return {"search_results": [], "search_query": None}
        query = one_line(claim.claim, at_most=LONGEST_QUERY)
        try:
            found = await apart(lambda: _asked(self._searcher, query, self._limit))
        except UsageError:
            raise
        except SchemaCastError as error:
            self.failure = error
            return with_errors(state, {"search_results": [], "search_query": query}, [f"the search failed: {error}"])
        errors: list[str] = []
        kept = self._kept(found, errors)
        return with_errors(state, {"search_results": kept, "search_query": query}, errors)

    def _kept(self, found: Sequence[SearchResult], errors: list[str]) -> list[SearchResult]:
        kept: list[SearchResult] = []
        names: set[str] = set()
        pages = set() if self._own is None else {page_of(self._own)}
        own = [one for one in found if page_of(one.url) in pages]
        for result in found:
            page = page_of(result.url)
            if page in pages or any(are_copies(result.text, each.text) for each in own):
                continue
            pages.add(page)
            why = _useless(result)
            if why:
                errors.append(f"{shown_source(result.url, result.source_id)}: {why}")
            elif len(kept) < self._limit:
                kept.append(_named(result, names))
        return kept


def _asked(searcher: Searcher, query: str, limit: int) -> list[SearchResult]:
    """The results; whatever a searcher of another author raises, and what is no result, is a SearchError."""
    try:
        found = searcher.search(query, limit=limit)
        listed = list(found) if isinstance(found, Iterable) else None
    except SchemaCastError:
        raise
    except Exception as error:
        raise SearchError(
            f"{type(searcher).__name__}: {type(error).__name__}: {one_line(str(error), at_most=200)}"
        ) from error
    if listed is None or not all(isinstance(each, SearchResult) for each in listed):
        raise SearchError(f"{type(searcher).__name__} gave something else than search results")
    return listed


def _useless(result: SearchResult) -> str | None:
    """Why a result is not looked at."""
    if not result.text.strip():
        return "has no text"
    return "is an error page" if is_error_page(result.title, result.text) else None


def _named(result: SearchResult, names: set[str]) -> SearchResult:
    """With the source id that it alone goes by; its URL where it has none, or one that is another's."""
    name = result.source_id or str(result.url)
    if name in names:
        name = next(each for each in _names(str(result.url)) if each not in names)
    names.add(name)
    return result if name == result.source_id else result.model_copy(update={"source_id": name})


def _names(url: str) -> Iterator[str]:
    yield url
    yield from (f"{url} ({number})" for number in count(2))
