"""A scalar of a schema file as a value of a property's type: bounds and the values of an enum.

The type is the property's, never guessed from how the scalar looks, and a scalar is read the same
whether it was quoted or not. Only plain forms are read (digits, ISO 8601); a datetime without a zone
is in the schema's default one, since every datetime is kept in UTC.
"""

from __future__ import annotations

import math
import re
from datetime import date, datetime, time, tzinfo

from schemacast.schema.model import PropertyType
from schemacast.schema.values import Scalar, utc

INTEGER = re.compile(r"[-+]?[0-9]{1,300}")
NUMBER = re.compile(r"[-+]?(?:[0-9]{1,300}\.?[0-9]{0,300}|\.[0-9]{1,300})(?:[eE][-+]?[0-9]{1,4})?")
DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
FORMS: dict[PropertyType, str] = {
    "integer": "digits, such as 12",
    "number": "a number, such as 12 or 1.5",
    "boolean": "true or false",
    "date": "YYYY-MM-DD",
    "datetime": "YYYY-MM-DDTHH:MM, with a zone or without",
    "time": "HH:MM or HH:MM:SS",
}


def typed(text: str, kind: PropertyType, zone: tzinfo) -> Scalar:
    """The text as a value of that type; raises ValueError with the form that is needed."""
    value: Scalar | None
    try:
        value = _read(text, kind, zone)
    except (ValueError, OverflowError):
        value = None
    if value is None:
        raise ValueError(f"is no {kind}; write {FORMS[kind]}")
    return value


def _read(text: str, kind: PropertyType, zone: tzinfo) -> Scalar | None:
    if kind == "string":
        return text
    if kind == "boolean":
        return {"true": True, "false": False}.get(text)
    if kind == "integer":
        return int(text) if INTEGER.fullmatch(text) else None
    if kind == "number":
        number = float(text) if NUMBER.fullmatch(text) else math.inf
        return number if math.isfinite(number) else None
    if kind == "time":
        clock = time.fromisoformat(text) if ":" in text else None
        return clock if clock is not None and clock.tzinfo is None else None
    if not DATE.fullmatch(text[:10]):
        return None
    if kind == "date":
        return date.fromisoformat(text)
    moment = datetime.fromisoformat(text)
    return utc(moment if moment.tzinfo else moment.replace(tzinfo=zone))
