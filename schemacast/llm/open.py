"""From a model's name to a model: the one place that knows providers, replay and cache together.

`replay:FILE` serves recorded replies; `PROVIDER/MODEL` asks a provider; with a base URL any name asks an
OpenAI-compatible endpoint there. Mistakes a person can mend (an unknown provider, a missing package or key, a
bad option) are raised here, before anything is sent. With a cache, package and key are looked for only when
a reply is not in it, and with `replay_only` never.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from schemacast.errors import InputError, UsageError
from schemacast.llm.cache import CachedModel, ReplyCache
from schemacast.llm.client import ProviderModel
from schemacast.llm.protocol import Model
from schemacast.llm.providers import split_name
from schemacast.llm.replay import ReplayModel
from schemacast.llm.throttle import Patience
from schemacast.schema.values import Json

__all__ = ["look_at_model", "open_model"]

REPLAY = "replay:"


def open_model(
    name: str,
    *,
    base_url: str | None = None,
    cache: str | Path | None = None,
    replay_only: bool = False,
    concurrency: int = 8,
    options: Mapping[str, Json] | None = None,
    patience: Patience | None = None,
    check: bool = True,
) -> Model:
    """The model behind a name, for one run; close it with `aclose`.

    `cache` is a directory, made when missing; with `replay_only` a request that it does not hold raises
    RequestFailed and nothing is sent. Without `check`, package and key are looked for with the first request.
    `concurrency` bounds the requests in flight. `options` are sent as parameters of each request, but for
    `timeout` (seconds) and `proxy` (a URL), which are the connection's.

    Raises UnknownNameError, MissingPackageError, ModelAccessError (no key), InputError (replay file, cache)
    and UsageError (anything else that cannot be carried out).
    """
    model = _made(name, base_url, cache, replay_only, concurrency, options, patience)
    if isinstance(model, ReplayModel):
        return model
    if cache is None:
        if check:
            model.check()
        return model
    return CachedModel(model, ReplyCache(cache, create=not replay_only), replay_only=replay_only)


def look_at_model(
    name: str,
    *,
    base_url: str | None = None,
    cache: str | Path | None = None,
    replay_only: bool = False,
    options: Mapping[str, Json] | None = None,
) -> Model:
    """The model behind a name, to ask what it holds and for request keys: needs no key and makes no folder.

    Raises like `open_model`.
    """
    model = _made(name, base_url, cache, replay_only, 1, options, None)
    if isinstance(model, ReplayModel) or cache is None or not (replay_only or Path(cache).exists()):
        return model
    return CachedModel(model, ReplyCache(cache, create=False), replay_only=replay_only)


def _made(
    name: str,
    base_url: str | None,
    cache: str | Path | None,
    replay_only: bool,
    concurrency: int,
    options: Mapping[str, Json] | None,
    patience: Patience | None,
) -> ReplayModel | ProviderModel:
    """The model itself, without a cache."""
    if name.startswith(REPLAY):
        file = name.removeprefix(REPLAY)
        if not file:
            raise InputError("model 'replay:' names no file; write replay:FILE")
        return ReplayModel(file)
    provider, model_name = split_name(name, base_url=base_url)
    if base_url is not None:
        _check_url(base_url)
    if concurrency < 1:
        raise UsageError(f"concurrency has to be 1 or more, not {concurrency}")
    if replay_only and cache is None:
        raise UsageError("replay-only needs a cache to replay from")
    return ProviderModel(
        name,
        provider,
        model_name,
        base_url=base_url,
        concurrency=concurrency,
        options=_checked(options or {}),
        patience=patience,
    )


def _check_url(base_url: str) -> None:
    try:
        parts = urlsplit(base_url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise UsageError(f"base URL {base_url!r} is no http:// or https:// address")


def _checked(options: Mapping[str, Json]) -> Mapping[str, Json]:
    for option, value in options.items():
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError):
            raise UsageError(f"model option {option!r} has a value that cannot be sent: {value!r}") from None
    return options
