"""The two keys of an episode: what it says, and what decides the outcome of its cast.

The content key is over what a source gives: text, context, known, reference time and locale. When it changes,
the source is always cast again. The cast key adds what we bring: the effective locale, the schema, the
template, the model with its endpoint and parameters, and the version of the rules. When only that changes, the
stored replies are validated again where the request is still the same, and else the source is stale.
"""

from __future__ import annotations

import hashlib
import json

from schemacast.cast.caster import Caster
from schemacast.episode import Episode
from schemacast.llm.protocol import Model, ReplyType
from schemacast.schema.model import Schema
from schemacast.version import __version__

VERSION = 1
_encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode
_NOTHING = ReplyType("nothing", {})


def content_key(episode: Episode) -> str:
    """The hash of what the source gives."""
    return _hash(
        [
            VERSION,
            episode.text,
            [[item.source_id, item.text] for item in episode.context],
            episode.known.model_dump(mode="json", by_alias=True),
            episode.reference_time.isoformat() if episode.reference_time else None,
            episode.locale,
        ]
    )


def schema_sha(schema: Schema) -> str:
    """The hash of a schema's whole content, as manifests carry it."""
    return hashlib.sha256(schema.to_yaml().encode()).hexdigest()


class CastKeys:
    """Makes the cast keys of one run."""

    def __init__(self, caster: Caster, model: Model, sha: str) -> None:
        self._caster = caster
        # The key of a request that asks for nothing: it hashes the model, its endpoint and its parameters.
        asked = model.request_key([], _NOTHING)
        self._common = [VERSION, sha, caster.template_digest, model.name, asked, __version__]

    def key(self, episode: Episode, content: str) -> str:
        """The hash of all that decides the outcome of an episode whose content key is known."""
        return _hash([*self._common, content, self._caster.locale_of(episode)])


def _hash(parts: list[object]) -> str:
    return hashlib.sha256(_encode(parts).encode()).hexdigest()
