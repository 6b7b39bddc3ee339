"""A property's value as its type: in Python, in JSON, and as the canonical text that ids hash.

A value in memory is a plain Python object of its property's type. A date or datetime that the text
states only in part (`2024`, `2024-03`, or the day of a datetime) is that part as text; everything
that stores values keeps it apart from full ones under `<name>_partial`. A datetime always has a
zone and is kept in UTC, so that equal instants are equal values with equal bytes.
"""

from __future__ import annotations

import unicodedata
from datetime import UTC, date, datetime, time

Scalar = str | int | float | bool | date | datetime | time
Value = Scalar | tuple[Scalar, ...]
SEPARATORS = frozenset("./\\:,;·")
SEPARATOR_CATEGORIES = frozenset(("Zs", "Zl", "Zp", "Cc", "Cf", "Pd", "Pc"))
Json = str | int | float | bool | None | list["Json"] | dict[str, "Json"]


def utc(moment: datetime) -> datetime:
    """The same instant in UTC. The moment must have a zone."""
    return moment.astimezone(UTC)


def scalar_to_json(value: Scalar) -> str | int | float | bool:
    """A value as JSON: dates and times in ISO 8601, a zone as UTC with `Z`."""
    if isinstance(value, str):
        return value
    if isinstance(value, datetime):
        text = (utc(value) if value.tzinfo else value).isoformat()
        return text.removesuffix("+00:00") + "Z" if value.tzinfo else text
    if isinstance(value, date | time):
        return value.isoformat()
    return value


def to_json(value: Value) -> Json:
    """A value or a list of values as JSON."""
    if isinstance(value, tuple):
        return [scalar_to_json(item) for item in value]
    return scalar_to_json(value)


def scalar_from_json(kind: str, value: str | int | float | bool) -> Scalar:
    """The value of a property of type `kind` from its JSON; partial dates stay text.

    Raises ValueError when the JSON is no value of that type.
    """
    if kind == "string" and isinstance(value, str):
        return value
    if kind == "boolean":
        if not isinstance(value, bool):
            raise ValueError(f"{value!r} is no boolean")
        return value
    if kind in ("integer", "number"):
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError(f"{value!r} is no {kind}")
        return value if kind == "integer" and isinstance(value, int) else float(value)
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is no {kind}")
    if is_partial(kind, value):
        return value
    if kind == "date":
        return date.fromisoformat(value)
    if kind == "time":
        return time.fromisoformat(value)
    return datetime.fromisoformat(value)


def is_partial(kind: str, value: Scalar) -> bool:
    """Whether a date or datetime is known only in part, and so kept as text.

    `2024` and `2024-03` are partial dates; these and `2024-03-01` are partial datetimes.
    """
    if not isinstance(value, str):
        return False
    return (kind == "date" and len(value) < 10) or (kind == "datetime" and len(value) <= 10)


def canonical_text(value: Scalar, *, code: bool = False) -> str:
    """The text of a value that ids hash: NFC, trimmed, numbers in shortest form, ISO dates.

    With `code` (the property says `match: code`) case and separators do not count.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e16 else repr(value)
    if isinstance(value, str):
        text = unicodedata.normalize("NFC", value).strip()
        return fold_code(text) if code else text
    return str(scalar_to_json(value))


def fold_code(text: str) -> str:
    """A code without case and separators (spaces, dashes, underscores, dots, slashes, colons).

    A dot or comma between two digits stays: release 3.11 and release 31.1 are not one.
    """
    folded = unicodedata.normalize("NFC", text).casefold()
    kept = []
    for index, char in enumerate(folded):
        separates = char in SEPARATORS or unicodedata.category(char) in SEPARATOR_CATEGORIES
        between_digits = folded[index - 1 : index].isdigit() and folded[index + 1 : index + 2].isdigit()
        if not separates or (char in ".," and between_digits):
            kept.append(char)
    return "".join(kept) or folded
