"""The request key: one hash of everything that is sent, so that a reply can be found again.

The recipe is SHA-256, as hex, over the UTF-8 bytes of

    json.dumps([1, model, endpoint, parameters, [type name, schema], messages],
               ensure_ascii=False, sort_keys=True, separators=(",", ":"))

where `model` is the name after the provider, `endpoint` the base URL without a trailing slash or any
login in it, else the provider's name, and `parameters` the model options that are sent. What is not sent
(time-out, proxy, concurrency) is not in it, nor is the path of a cache or a replay file. A lone surrogate
counts as U+FFFD. A recorded reply does not depend on where it came from: its key has an empty model, an empty
endpoint and no parameters, and is what `prompt_key` gives.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit, urlunsplit

from schemacast.llm.protocol import Message, ReplyType
from schemacast.schema.values import Json

__all__ = ["RequestKeys", "plain_url", "prompt_key", "replace_surrogates", "utf8"]

VERSION = 1

_SURROGATE = re.compile("[\ud800-\udfff]")
_dump = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


class RequestKeys:
    """Makes the keys of one model; what all its requests share is hashed once per reply type."""

    def __init__(self, *, model: str = "", endpoint: str = "", parameters: Mapping[str, Json] | None = None) -> None:
        self._shared = ",".join((str(VERSION), _dump(model), _dump(endpoint), _dump(dict(parameters or {}))))
        self._begun: dict[tuple[str, str], hashlib._Hash] = {}

    def key(self, messages: Sequence[Message], reply_type: ReplyType) -> str:
        """64 hex digits; see the module for the recipe."""
        address = (reply_type.name, reply_type.digest)
        begun = self._begun.get(address)
        if begun is None:
            head = f"[{self._shared},[{_dump(reply_type.name)},{reply_type.text}],"
            begun = self._begun[address] = hashlib.sha256(utf8(head))
        whole = begun.copy()
        whole.update(utf8(_dump(list(messages)) + "]"))
        return whole.hexdigest()


_ANY_MODEL = RequestKeys()


def prompt_key(messages: Sequence[Message], reply_type: ReplyType) -> str:
    """The key of a recorded reply: the hash of what the prompt decides, whichever model answers it."""
    return _ANY_MODEL.key(messages, reply_type)


def shown_key(key: str) -> str:
    """As much of a key as a message needs to tell it from others."""
    return f"{key[:12]}…"


def replace_surrogates(text: str) -> str:
    """`text` with each lone surrogate as U+FFFD, one character for one."""
    return _SURROGATE.sub("\ufffd", text)


def plain_url(url: str) -> str:
    """`url` without login, query and trailing slash: fit to be hashed and shown."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path.rstrip("/"), "", ""))


def utf8(text: str) -> bytes:
    """`text` in UTF-8, each lone surrogate as U+FFFD."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return replace_surrogates(text).encode()
