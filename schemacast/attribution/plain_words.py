"""Words of a model or a page, made fit to stand in a result: one line, no control characters, within a bound."""

from __future__ import annotations

from schemacast.episode import without_surrogates
from schemacast.language.sentences import sentences

ELLIPSIS = "…"


def one_line(text: object, *, at_most: int) -> str:
    """The text on one line without what cannot be shown, cut at a word when it is longer than `at_most`."""
    return _cut_at_word(shown_line(text), at_most) if isinstance(text, str) else ""


def shown_line(text: str) -> str:
    """The whole text on one line, without what cannot be shown."""
    shown = "".join(char if char.isprintable() else " " for char in without_surrogates(text))
    return " ".join(shown.split())


def cut_at_sentence(text: str, at_most: int) -> str:
    """As many whole sentences from the beginning as `at_most` characters hold; if not one, the words that fit."""
    if len(text) <= at_most:
        return text
    ends = [end for _, end in sentences(text) if end <= at_most]
    return text[: ends[-1]] if ends else _cut_at_word(text, at_most)


def _cut_at_word(text: str, at_most: int) -> str:
    if len(text) <= at_most:
        return text
    head = text[: at_most - 1]
    space = head.rfind(" ")
    return (head[:space] if space > at_most // 2 else head).rstrip() + ELLIPSIS
