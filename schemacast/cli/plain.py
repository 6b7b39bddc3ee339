"""Text of others on one line of a terminal, and durations as people say them."""

from __future__ import annotations


def shown(text: object) -> str:
    """A text that came from elsewhere, on one line and without control characters."""
    return "".join(
        " " if char.isspace() else char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in str(text)
    )


def duration(seconds: float) -> str:
    """`3.2 s`, `12 min 5 s`, `3 h 10 min`."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min"
