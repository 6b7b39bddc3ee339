"""Patterns of property values: whole-value matching in time linear in the value.

Python's `re` backtracks, so that one careless pattern of a schema author could stop a job for hours
on one long value, and a time limit would make results depend on the machine. pydantic-core, which is
installed anyway, exposes Rust's regex engine: a finite automaton without backtracking, with Unicode
classes. It refuses what cannot be matched in linear time (look-around, back-references) and programs
that grow too large, so a pattern is judged once, when its schema is loaded.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

MAX_PATTERN = 2_000


class PatternError(ValueError):
    """A pattern that cannot be used; the message says why, without the pattern itself."""


@lru_cache(maxsize=1024)
def compile_pattern(pattern: str) -> Callable[[str], bool]:
    """A test of whether a whole value matches the pattern; it costs about 0.1 µs on a short value.

    Raises PatternError for a pattern that does not compile, or not to linear time.
    """
    if len(pattern) > MAX_PATTERN:
        raise PatternError(f"it is {len(pattern)} characters long; at most {MAX_PATTERN} are allowed")
    _build(pattern)  # alone first: `a)|(b` is only well-formed inside the group below
    return _build(rf"\A(?:{pattern})\z")


def pattern_problem(pattern: str) -> str | None:
    """Why a pattern cannot be used; None when it can."""
    try:
        compile_pattern(pattern)
    except PatternError as error:
        return str(error)
    return None


def _build(pattern: str) -> Callable[[str], bool]:
    from pydantic_core import SchemaError, SchemaValidator, core_schema

    try:
        validator = SchemaValidator(core_schema.str_schema(pattern=pattern, regex_engine="rust-regex"))
    except SchemaError as error:
        raise PatternError(_reason(str(error))) from None
    return validator.isinstance_python


def _reason(message: str) -> str:
    """The engine's own words, in one line and without its drawing of the place."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    reason = lines[-1].removeprefix("error: ").removeprefix("SchemaError: ")
    if reason.startswith("Compiled regex exceeds"):
        return "it describes too many possibilities; use smaller or no repeat counts"
    if reason.startswith(("look-around", "backreferences")):
        return f"{reason}, since they can take more than linear time"
    return reason
