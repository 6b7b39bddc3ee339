"""Where a quote says otherwise than a claim: another number, another date, a negation on one side only.

Nothing here decides whether a quote supports a claim; it only finds what rules that out whatever words the two
share. The unit is a part of a number, so `6 kW` and `6 MW` differ and `6000 W` and `6 kW` do not. A contradiction
names its place on both sides. In doubt about which number answers to which there is none: what the quote does not
state is missing, not contradicted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from schemacast.claims.compare import Held, held_amounts, held_dates
from schemacast.claims.mentions import Amount, Dated, mentions
from schemacast.claims.negation import one_sided
from schemacast.claims.sentences import fold_claim

Reason = Literal["number_differs", "date_differs", "negation_differs"]
_LONGEST = 20_000
"""Texts longer than a passage are compared in their first part only."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """One contradiction: why, and where it stands in the claim and in the quote (start, end; in characters)."""

    reason: Reason
    in_claim: tuple[int, int]
    in_quote: tuple[int, int]


def contradictions(
    claim: str, quote: str, *, locale: str | None = None, reference: datetime | None = None
) -> tuple[Contradiction, ...]:
    """Every contradiction between a claim and a quote, in the order of the claim.

    `locale` (BCP 47) decides how digits are read and which words count; without one all languages are tried.
    `reference` is what relative dates (`yesterday`) are counted from. A negation stands in one side only: on the
    other its place is the clause that lacks it. Never raises on any text.
    """
    claim, quote = claim[:_LONGEST], quote[:_LONGEST]
    if fold_claim(claim) == fold_claim(quote):
        return ()
    found = [*_differing(claim, quote, locale, reference)]
    found += [Contradiction("negation_differs", mine, theirs) for mine, theirs in one_sided(claim, quote, locale)]
    return tuple(sorted(found, key=lambda each: (each.in_claim, each.reason)))


def _differing(claim: str, quote: str, locale: str | None, reference: datetime | None) -> Iterator[Contradiction]:
    if reference is not None:
        reference = reference.replace(tzinfo=None)
    mine, theirs = mentions(claim, locale, reference), mentions(quote, locale, reference)
    numbers: list[Held[Amount]] = held_amounts(mine, theirs)
    dates: list[Held[Dated]] = held_dates(mine, theirs)
    for reason, held in (("number_differs", numbers), ("date_differs", dates)):
        for each in held:
            if each.standing == "differs" and each.other is not None:
                yield Contradiction(
                    "number_differs" if reason == "number_differs" else "date_differs",
                    (each.mention.start, each.mention.end),
                    (each.other.start, each.other.end),
                )
