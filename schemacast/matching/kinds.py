"""What kind of values a field holds, read off the values, and values as numbers and dates.

A kind that is read off never vetoes: data that looks like codes may be misspelled codes. Reading needs
nine values in ten to agree, so that one stray value changes nothing, and looks at distinct values, so
that a value which half the rows share does not decide.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import date, datetime

from schemacast.matching.model import FieldKind
from schemacast.matching.words import code, words
from schemacast.schema.values import Scalar

_MOST = 0.9
_ISO = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?:[T ].*)?")
_RUN = re.compile(r"(1[0-9]|20)\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])")
_PARTS = re.compile(r"(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2})|(\d{4})[./](\d{1,2})[./](\d{1,2})")
_YEAR = re.compile(r"\D{0,2}(1[4-9]\d{2}|20\d{2})\D{0,2}")
_ADDRESS = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+|(?:https?://|www\.)\S+")
_NUMBER = re.compile(r"[^\d\w.,+-]{0,3}([+-]?\d[\d ,]*(?:\.\d+)?|[+-]?\.\d+)\s*[%\w$€£¥]{0,4}")
_GROUPS = re.compile(r"\+? ?[(\d][\d ()/-]*")
_THOUSANDS = re.compile(r"\d{1,3}(?: \d{3})+")
_DIALLED = 7

Day = tuple[int, int, int]
"""Year, month and day; 0 for what is not stated."""


def as_date(value: Scalar) -> Day | None:
    """A value as a date, or its year, or its year and month; None when it is neither."""
    if isinstance(value, datetime | date):
        return value.year, value.month, value.day
    text = str(value).strip()
    if found := _RUN.fullmatch(text):
        return int(text[:4]), int(found[2]), int(found[3])
    if found := _ISO.fullmatch(text):
        return int(found[1]), int(found[2] or 0), int(found[3] or 0)
    if found := _PARTS.fullmatch(text):
        if found[4]:
            return int(found[4]), int(found[5]), int(found[6])
        year = int(found[3])
        return (year if year > 99 else year + (1900 if year > 30 else 2000)), int(found[2]), int(found[1])
    if found := _YEAR.fullmatch(text):
        return int(found[1]), 0, 0
    return None


def as_number(value: Scalar) -> float | None:
    """A value as a number, without its currency or unit; None when it is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return value
    found = _NUMBER.fullmatch(str(value).strip())
    number = float(found[1].replace(",", "").replace(" ", "")) if found else math.inf
    return number if math.isfinite(number) else None  # what is too long for a number is compared as it stands


def read_kind(values: Sequence[Scalar]) -> FieldKind:
    """The kind of a field's distinct values; `name` when there are none."""
    if not values:
        return "name"
    if all(isinstance(value, bool) for value in values):
        return "exact"
    enough = _MOST * len(values)
    plausible = [day for value in values if (day := as_date(value)) and 1400 <= day[0] <= 2100 and day[1] <= 31]
    if len(plausible) >= enough:
        return "date"
    texts = [str(value) for value in values]
    if sum(as_number(value) is not None for value in values) >= enough:
        digits = [plain for text in texts if (plain := text.strip()).isdigit() or _is_dialled(plain)]
        long = sum(len(text) >= 5 for text in digits) >= len(texts) / 2
        padded = any(text[0] == "0" and len(text) > 1 for text in digits)
        return "code" if len(digits) >= enough and (long or padded) else "number"
    if sum(map(_is_code, texts)) >= 0.7 * len(texts):
        return "code"
    lengths = sorted(len(words(text)) for text in texts)
    return "text" if lengths[len(lengths) // 2] > _LONG_NAME else "name"


_LONG_NAME = 12


def _is_dialled(text: str) -> bool:
    """Seven digits and more with a plus sign, or in groups that are not thousands: a number to call, not one to count.

    Two of them that differ in the last digit are no nearer than any other two.
    """
    if sum(map(str.isdigit, text)) < _DIALLED or not _GROUPS.fullmatch(text):
        return False
    return text[0] == "+" or not (text.isdigit() or _THOUSANDS.fullmatch(text))


def _is_code(text: str) -> bool:
    if _ADDRESS.fullmatch(text.strip()) or _is_dialled(text.strip()):
        return True
    plain = code(text)
    digits = sum(char.isdigit() for char in plain)
    return len(plain) >= 3 and digits * 2 >= len(plain) and len(text.split()) <= 4
