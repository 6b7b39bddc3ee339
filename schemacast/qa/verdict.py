"""What a judgment says: the audit mode and why, each claim with its status, and the characters that prove it.

Offsets of citations count characters of the episode, those of the answer characters of the answer as the model wrote
it. A verdict is immutable; `to_dict` is what records keep and what the command prints as JSON.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Literal

from schemacast.qa.lattice_parse import INVALID

AuditMode = Literal["STRICT", "HYBRID", "UNGROUNDED"]

SHOWN = 80
"""The most characters that a sentence on an answer shows of it."""

NOT_IN_SOURCES = "Not in the sources."
"""What a model is asked to write when the sources hold no answer."""

_FORM = frozenset({"no_object", "wrong_types"})
"""Reasons that do not say which field is wrong; the violation does."""


@dataclass(frozen=True, slots=True)
class SourceText:
    """A text that an answer may cite: the n-th of those given is `[n]` in quote mode and `En` in a lattice.

    `offset` is where `text` begins in its episode. `locale` and `reference` are the episode's, for numbers and
    relative dates.
    """

    source_id: str
    text: str
    title: str | None = None
    offset: int = 0
    locale: str | None = None
    reference: datetime | None = None
    source_role: str = "unclassified"


@dataclass(frozen=True, slots=True)
class Citation:
    """Characters of a source that prove a unit of the answer.

    `number` is the source's, from 1; `[char_start, char_end)` is in the episode and `quote` the text there;
    `[answer_start, answer_end)` is the unit and `[sentence_start, sentence_end)` its sentence, in the answer.
    """

    number: int
    source_id: str
    char_start: int
    char_end: int
    quote: str
    answer_start: int
    answer_end: int
    sentence_start: int
    sentence_end: int


@dataclass(frozen=True, slots=True)
class AnswerSpan:
    """A stretch of the answer that is not verified, with its status and reasons.

    `suggest` is the number of another source that does say it. `unsupported_part` is what of the stretch no source
    states, where the rest is stated.
    """

    start: int
    end: int
    text: str
    status: str
    reasons: tuple[str, ...] = ()
    suggest: int | None = None
    unsupported_part: str | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """A judgment of one answer. `absent`: it says that the sources hold none. `why` is one sentence for people."""

    audit_mode: AuditMode
    verifier_method: str
    n_quotes: int
    n_verified: int
    unverified_quotes: tuple[str, ...]
    claim_statuses: tuple[dict[str, object], ...]
    violations: tuple[dict[str, object], ...]
    citations: tuple[Citation, ...]
    unverified: tuple[AnswerSpan, ...]
    why: str
    absent: bool = False
    rendered_text: str | None = None
    evidence_id_pairs: tuple[tuple[str, ...], ...] = ()
    json_fixups: tuple[str, ...] = ()
    answer_mode: str = field(default="quote")

    def to_dict(self) -> dict[str, object]:
        """The fields as JSON takes them: tuples as lists."""
        return {name: _listed(value) for name, value in asdict(self).items()}


def _listed(value: object) -> object:
    if isinstance(value, list | tuple):
        return [_listed(each) for each in value]
    return {name: _listed(each) for name, each in value.items()} if isinstance(value, dict) else value


def reasons_of(spans: Sequence[AnswerSpan], violations: Iterable[Mapping[str, object]]) -> Iterator[str]:
    """Why each is not verified, in words. Of a claim without the form asked for its violation says it: there is one
    for each, in the order of the claims."""
    forms = (str(each["detail"]) for each in violations if each["kind"] == INVALID and each["claim"] is not None)
    for span in spans:
        named = (", ".join(span.reasons) or span.status.lower()).replace("_", " ")
        form = next(forms, "") if span.status == INVALID else ""
        yield form if form and _FORM.issuperset(span.reasons) else named


def not_verified(text: str, count: int, reason: str, suggest: int | None) -> str:
    """The sentence on what is not verified: the first of `count` texts, why, and the source that says it instead."""
    first = repr(text if len(text) <= SHOWN else text[: SHOWN - 1] + "…")
    what = f"{first} and {count - 1} more are" if count > 1 else f"{first} is"
    elsewhere = f"; source {suggest} says it" if suggest is not None else ""
    return f"{what} not verified: {reason}{elsewhere}"
