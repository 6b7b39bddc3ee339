"""A file of texts whose claims are to be traced: one object a line, with `text`, and `source_url` and `id` if wanted.

The file is read once and checked whole, so that every bad line is reported together. A text that is too short or too
long is no bad line: that text fails, and the others are traced.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from schemacast.attribution.addresses import validate_source_url
from schemacast.episode import without_surrogates
from schemacast.errors import InputError, Problem, nearest

__all__ = ["ClaimLine", "read_claims"]

FIELDS = ("text", "source_url", "id")
SHOWN_PROBLEMS = 20


@dataclass(frozen=True, slots=True)
class ClaimLine:
    """One text. `number` is its line; `id` is what its author calls it."""

    number: int
    text: str
    source_url: str | None = None
    id: str | None = None


def read_claims(path: str | Path) -> list[ClaimLine]:
    """The texts of a file, in order; blank lines are skipped. Raises InputError that names every bad line."""
    name = str(path)
    try:
        data = Path(path).read_bytes()
    except IsADirectoryError:
        raise InputError(f"{name}: is a directory; give a JSON Lines file of texts") from None
    except FileNotFoundError:
        raise InputError(f"{name}: no such file; give a JSON Lines file of texts") from None
    except OSError as error:
        raise InputError(f"{name}: cannot be read: {error.strerror or error}") from None
    problems: list[Problem] = []
    found: list[ClaimLine] = []
    first_with: dict[str, int] = {}
    for number, raw in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not raw.strip():
            continue
        try:
            line = _line(raw, number)
            if line.id is not None and first_with.setdefault(line.id, number) != number:
                raise ValueError(
                    f"the id {line.id!r} stands on line {first_with[line.id]} already; each must be unique"
                )
            found.append(line)
        except ValueError as error:
            problems.append(Problem(name, number, 0, str(error)))
    if problems:
        raise InputError(_summary(problems), problems)
    if not found:
        raise InputError(f"{name}: holds no text; each line is an object with `text`")
    return found


def _line(raw: bytes, number: int) -> ClaimLine:
    try:
        item = json.loads(raw.decode())
    except UnicodeDecodeError:
        raise ValueError("is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"is not JSON: {error.msg} at column {error.colno}") from None
    except RecursionError:
        raise ValueError("is nested too deeply") from None
    if not isinstance(item, dict):
        raise ValueError("is no object; each line is an object with `text`")
    for field in item:
        if field not in FIELDS:
            raise ValueError(f"{field} is no field of a text to trace{nearest(field, FIELDS)}")
    text = item.get("text")
    if not isinstance(text, str):
        raise ValueError("text is missing" if text is None else "text is no string")
    url = _string(item, "source_url")
    if url is not None and validate_source_url(url) is None:
        raise ValueError(f"source_url {url[:100]!r} is no URL")
    return ClaimLine(number, without_surrogates(text), url, _string(item, "id"))


def _string(item: dict[str, object], field: str) -> str | None:
    value = item.get(field)
    if value is None:
        return None
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{field} is no text")
    return without_surrogates(value)


def _summary(problems: Sequence[Problem]) -> str:
    shown = [str(problem) for problem in problems[:SHOWN_PROBLEMS]]
    if len(problems) > SHOWN_PROBLEMS:
        shown.append(f"and {len(problems) - SHOWN_PROBLEMS} more")
    return "\n".join(shown)
