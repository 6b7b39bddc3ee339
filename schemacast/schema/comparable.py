"""When two values of a property count as one: as part of a key, and as part of a `match` key.

Key values are equal after NFC and trimming, else exactly; `match: code` also ignores case and
separators. Values of a `match` key are folded by the property's kind: names and texts lose case and
runs of white space, and nothing else, because a sign or an accent may be all that tells two names
apart (`C` and `C++`). The same texts are hashed into ids, indexed by stores and compared in
resolution, so that all three agree.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal

from schemacast.schema.model import Property
from schemacast.schema.values import Scalar, Value, canonical_text

Equality = Literal["key", "match"]
_DOTTED_I = "i\u0307"  # what case folding makes of the dotted capital I


def comparable(declared: Property, value: Scalar, equality: Equality = "key") -> str:
    """The text that is the same for two values that count as one; `""` when nothing is left of it."""
    if declared.match == "code" and isinstance(value, str):
        return _code(value)
    if equality == "key" or declared.match in ("exact", "number", "date") or not isinstance(value, str):
        return canonical_text(value)
    return fold_words(value)


@lru_cache(maxsize=8192)
def _code(value: str) -> str:
    return canonical_text(value, code=True)


@lru_cache(maxsize=8192)
def fold_words(text: str) -> str:
    """A name or text without case and runs of white space; the dotted I is an i, the dotless one stays.

    The folded form is composed again, so that canonically equal texts fold alike.
    """
    folded = unicodedata.normalize("NFC", text).casefold().replace(_DOTTED_I, "i")
    return unicodedata.normalize("NFC", " ".join(folded.split()))


def comparable_values(
    declared: Mapping[str, Property], names: Sequence[str], values: Mapping[str, Value], equality: Equality = "key"
) -> tuple[str, ...] | None:
    """The comparable texts of `names` in order, or None when one of them is absent, blank or a list."""
    texts = []
    for name in names:
        value = values.get(name)
        if value is None or isinstance(value, tuple):
            return None
        text = comparable(declared[name], value, equality)
        if not text:
            return None
        texts.append(text)
    return tuple(texts)
