"""The addresses of sources: what is a URL, which URLs are one page, and what a person is shown.

An episode without a URL of its own still needs one where a URL is required; it gets one under a domain that can
never exist, and is shown by its source id instead. Two URLs are one page when they differ only in what never
makes another page: the scheme, `www.`, the fragment, a slash at the end, and parameters that track readers.
"""

from __future__ import annotations

import hashlib
import re
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from pydantic import HttpUrl, TypeAdapter, ValidationError

__all__ = ["episode_url", "is_episode_url", "page_of", "shown_source", "validate_source_url"]

NOWHERE = "https://episode.invalid/"
LONGEST_URL = 2083
_DOTS = (".", "..")
_TRACKING = re.compile(r"utm_\w+|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|ref_src|_hsenc|_hsmi", re.IGNORECASE)
_HTTP = re.compile(r"https?://[^/?#\\]", re.IGNORECASE)
_UNFIT = re.compile(r"[\s\x00-\x1f\x7f]")
_HTTP_URL: TypeAdapter[HttpUrl] = TypeAdapter(HttpUrl)


def validate_source_url(url: object) -> HttpUrl | None:
    """The URL, or None for what is none: another scheme, no host, spaces in it, more than 2,083 characters."""
    text = str(url).strip() if isinstance(url, str | HttpUrl) else ""
    if not _HTTP.match(text) or _UNFIT.search(text):
        return None
    try:
        return _HTTP_URL.validate_python(text)
    except ValidationError:
        return None


def episode_url(source_id: str, url: object = None) -> HttpUrl:
    """The URL of an episode: `url` (its `metadata.url`) when that is one, else one that only says its source id."""
    own = validate_source_url(url)
    if own is not None:
        return own
    name = quote(source_id, safe="", errors="replace")
    if source_id in _DOTS or len(NOWHERE) + len(name) > LONGEST_URL:
        name = "sha256-" + hashlib.sha256(source_id.encode("utf-8", "replace")).hexdigest()
    return _HTTP_URL.validate_python(NOWHERE + name)


def is_episode_url(url: HttpUrl | str) -> bool:
    """Whether a URL only stands for an episode that has none."""
    return str(url).startswith(NOWHERE)


def page_of(url: HttpUrl | str) -> str:
    """What is equal for two URLs of one page."""
    parts = urlsplit(str(url))
    host = (parts.hostname or "").lower().removeprefix("www.").rstrip(".")
    port = "" if parts.port in (None, 80, 443) else f":{parts.port}"
    kept = [(name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if not _tracks(name)]
    query = f"?{urlencode(sorted(kept))}" if kept else ""
    return f"{host}{port}{parts.path.rstrip('/')}{query}"


def _tracks(name: str) -> bool:
    return _TRACKING.fullmatch(name) is not None


def shown_source(url: HttpUrl | str, source_id: str | None) -> str:
    """How a source is named to a person: its URL, or its source id when the URL only stands for that."""
    return source_id if source_id is not None and is_episode_url(url) else str(url)
