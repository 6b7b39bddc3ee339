"""One evidence unit of an answer's sentence, and what became of it when it was held against the sources.

A unit is a quote, or a whole sentence where nothing is quoted. It is immutable; a rule that takes evidence back makes
another one of it. Its place in the source stays even when it is not verified, so that a reader sees what came near.
"""

from __future__ import annotations

from dataclasses import dataclass

from schemacast.qa.located import Place


@dataclass(frozen=True, slots=True)
class Unit:
    """One evidence unit of a sentence and what became of it.

    `[start, end)` is in the answer. `number` and `place` tell the source and the characters of its text, for a unit
    that was found there, verified or not.
    """

    start: int
    end: int
    text: str
    status: str
    reasons: tuple[str, ...] = ()
    number: int | None = None
    place: Place | None = None
    suggest: int | None = None
    unsupported: tuple[Place, ...] = ()

    @property
    def verified(self) -> bool:
        """Whether the unit counts as evidence."""
        return self.status == "EVIDENCE_LINKED"
