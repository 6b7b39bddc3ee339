"""Text of others on one line of a terminal, and numbers and durations as people say them."""

from __future__ import annotations


def shown(text: object) -> str:
    """A text that came from elsewhere, on one line and without control characters."""
    return "".join(
        " " if char.isspace() else char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in str(text)
    )


_PLURALS = {"vertex": "vertices", "entity": "entities", "property": "properties", "reply": "replies"}


def number(count: int, noun: str) -> str:
    """`1 episode`, `2 episodes`, `1,000 vertices`."""
    return f"{count:,} {noun if count == 1 else _PLURALS.get(noun, noun + 's')}"


def duration(seconds: float) -> str:
    """`3.2 s`, `12 min 5 s`, `3 h 10 min`."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min"
