"""Search the web through Tavily's own client, an optional package.

The page's text is asked for, since a quote is located in that; where Tavily has none, its excerpt of the page is the
text. A result without a URL, or without any text, is none. Dates come in more than one form, or not at all. What
the client raises is told apart by who can act: an outage, a limit or a key.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

from schemacast.attribution.addresses import validate_source_url
from schemacast.attribution.models import SearchResult
from schemacast.errors import MissingPackageError, SearchError, UsageError

__all__ = ["TavilySearcher"]

KEY = "TAVILY_API_KEY"
TIMEOUT = 60.0
LONGEST_QUERY = 400
"""Characters of a query that Tavily takes."""
NO_RESULTS = "Tavily answered with something that is no list of results; is the base URL right?"
_OURS = ("query", "max_results", "include_raw_content", "timeout")


class TavilySearcher:
    """Tavily's search. The key is `TAVILY_API_KEY`; `base_url` is another endpoint that speaks the same protocol.

    `options` are parameters of the request, such as `topic`, `search_depth`, `include_domains`. Raises
    MissingPackageError without `tavily-python`, SearchError (exit 4) without a key, UsageError for an option that is
    ours.
    """

    def __init__(
        self,
        *,
        workspace: Path | None = None,  # noqa: ARG002 (every searcher is given it)
        base_url: str | None = None,
        timeout: float = TIMEOUT,
        **options: Any,
    ) -> None:
        try:
            from tavily import TavilyClient
        except ImportError as error:
            raise MissingPackageError(
                "the searcher 'tavily' needs its client: pip install 'schemacast[tavily]'"
            ) from error
        for name in options:
            if name in _OURS:
                raise UsageError(f"searcher option {name!r} cannot be set: it is part of how a claim is traced")
        key = os.environ.get(KEY, "").strip()
        if not key:
            raise SearchError(f"the searcher 'tavily' needs a key: set {KEY}", exit_code=4)
        if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not timeout > 0:
            raise UsageError(f"searcher option 'timeout' has to be a number of seconds above 0, not {timeout!r}")
        if base_url is not None and validate_source_url(base_url) is None:
            raise UsageError(f"searcher option 'base_url' is no URL: {base_url!r}")
        self._client = TavilyClient(api_key=key, api_base_url=base_url)
        self._timeout = float(timeout)
        self._options = options
        self._key = key

    @property
    def state(self) -> str:
        """Its options: what the web holds nobody knows."""
        return f"tavily {sorted(self._options.items())!r}"

    def search(self, query: str, *, limit: int) -> list[SearchResult]:
        """The pages that Tavily finds. Raises SearchError."""
        answer = self._asked(query[:LONGEST_QUERY], limit)
        listed = answer.get("results") if isinstance(answer, Mapping) else None
        if not isinstance(listed, list):
            raise SearchError(NO_RESULTS)
        return [made for item in listed if (made := _result(item)) is not None][:limit]

    def _asked(self, query: str, limit: int) -> Any:
        import requests
        from tavily import BadRequestError, InvalidAPIKeyError, UsageLimitExceededError
        from tavily.errors import ForbiddenError
        from tavily.errors import TimeoutError as TavilyTimeout

        try:
            return self._client.search(
                query, max_results=limit, include_raw_content="text", timeout=self._timeout, **self._options
            )
        except (InvalidAPIKeyError, ForbiddenError) as error:
            raise SearchError(self._said("Tavily refuses the key", error), exit_code=4) from error
        except UsageLimitExceededError as error:
            raise SearchError(self._said("Tavily's limit is reached; try again later", error)) from error
        except BadRequestError as error:
            raise UsageError(self._said("Tavily does not take the request", error)) from error
        except TavilyTimeout as error:
            raise SearchError(f"Tavily has not answered for {self._timeout:g} seconds; try again later") from error
        except (requests.RequestException, ValueError) as error:
            raise SearchError(self._said("Tavily cannot be reached; try again later", error)) from error
        except (AttributeError, TypeError) as error:  # the client did not expect such an answer
            raise SearchError(NO_RESULTS) from error

    def _said(self, what: str, error: Exception) -> str:
        """One line, never with the key in it."""
        detail = " ".join(str(error).split())[:200].replace(self._key, "***")
        return f"{what} ({type(error).__name__}{': ' if detail else ''}{detail})"


def _result(item: object) -> SearchResult | None:
    """A result as ours; None for one that is none."""
    if not isinstance(item, Mapping):
        return None
    url = validate_source_url(item.get("url"))
    raw, content = _text(item.get("raw_content")), _text(item.get("content"))
    if url is None or not (raw or content):
        return None
    return SearchResult(
        url=url,
        title=_text(item.get("title")) or str(url),
        content=content or raw,
        score=_share(item.get("score")),
        published_date=_moment(item.get("published_date")),
        raw_content=raw or None,
        source_id=str(url),
    )


def _share(score: object) -> float:
    """A score as a share; 0 for what is none."""
    if isinstance(score, bool) or not isinstance(score, int | float) or math.isnan(score):
        return 0.0
    return min(1.0, max(0.0, float(score)))


def _text(value: object) -> str:
    return value if isinstance(value, str) and value.strip() else ""


def _moment(value: object) -> datetime | None:
    """ISO 8601, or the form of mail headers; anything else is no date."""
    if not isinstance(value, str):
        return None
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            return read(value.strip())
        except (ValueError, TypeError, IndexError):
            continue
    return None
