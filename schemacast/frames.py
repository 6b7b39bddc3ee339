"""Rows of a table in memory, taken by duck typing: mappings, a pandas frame, a Polars frame."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any
from uuid import UUID

from schemacast.errors import InputError

LARGEST_EXACT = 2**53
"""Above it a float no longer tells whole numbers apart."""


def mappings(rows: Any) -> Iterable[Mapping[str, Any]]:
    """The rows of a frame or of an iterable of mappings. Raises InputError for anything else."""
    if hasattr(rows, "iter_rows"):  # Polars
        named: Iterable[Mapping[str, Any]] = rows.iter_rows(named=True)
        return named
    if hasattr(rows, "itertuples") and hasattr(rows, "columns"):  # pandas
        names = [str(name) for name in rows.columns]
        doubled = next((name for name in names if names.count(name) > 1), None)
        if doubled is not None:
            raise InputError(f"the frame has two columns {doubled!r}; a column needs a name of its own")
        return (dict(zip(names, values, strict=True)) for values in rows.itertuples(index=False, name=None))
    if isinstance(rows, Mapping | str | bytes) or not isinstance(rows, Iterable):
        raise InputError(f"rows must be an iterable of mappings or a data frame, not {type(rows).__name__}")
    return _checked(rows)


def _checked(rows: Iterable[Any]) -> Iterator[Mapping[str, Any]]:
    for number, row in enumerate(rows, 1):
        if not isinstance(row, Mapping):
            raise InputError(f"row {number} is of type {type(row).__name__}; each row must be a mapping of columns")
        yield row


def present(value: Any) -> Any:
    """The value, or None for what data frames use to say that there is none."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return None
    if (isinstance(value, float) and math.isnan(value)) or (isinstance(value, Decimal) and value.is_nan()):
        return None
    with contextlib.suppress(TypeError, ValueError):
        if hasattr(value, "item") and math.isnan(value.item()):
            return None
    return value


def id_text(value: Any) -> Any:
    """An id as text. A frame with a gap turns whole numbers into floats; they are read as whole again."""
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, bool) or (isinstance(value, float | Decimal) and not math.isfinite(value)):
        return value
    if isinstance(value, float | Decimal):
        whole = int(value)
        if abs(whole) <= LARGEST_EXACT and value == whole:
            value = whole
    return str(value) if isinstance(value, int | float | Decimal | UUID) else value
