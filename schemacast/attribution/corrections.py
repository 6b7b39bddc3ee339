"""What is not left to the model in a classification, each rule with the sentence that tells of it.

1. A quote that equals the claim once both are folded is `direct`, whatever the model says; a question is not, nor is
   another unit that only folding makes the same (`5 mW`, `5 MW`).
2. A number, date or unit of the claim that the quote contradicts is never `direct`: it is a contradiction. Neither is
   it a paraphrase, since another number is another meaning; rounding that either side says ("about 40") differs not.
   One that the quote does not state, or less sharply ("in March"), leaves no more than a paraphrase.
3. A negation on one side only is never `direct` or `paraphrase`: it is a contradiction. One that stands in another
   clause and denies something else leaves no more than a paraphrase.

Only the first rule makes a source support a claim that the model does not see supported.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from schemacast.attribution.checkable import only_asks
from schemacast.attribution.differing import differing_values, excused, other_units, unstated
from schemacast.attribution.models import Stated
from schemacast.attribution.plain_words import one_line
from schemacast.claims.contradictions import Contradiction, Reason, contradictions
from schemacast.claims.sentences import asks, fold_claim

__all__ = ["Corrected", "corrected"]

Said = Literal["direct", "paraphrase", "contradiction", "none"]
LONGEST_SHOWN = 60
_WHY: dict[Reason, str] = {
    "number_differs": "the number differs",
    "date_differs": "the date differs",
    "negation_differs": "a negation stands on one side only",
}


@dataclass(frozen=True, slots=True)
class Corrected:
    """The classification that stands, None for a quote that says neither, and what was corrected, as a sentence."""

    attribution: Stated | None
    correction: str | None = None


def corrected(claim: str, quote: str, said: Said, *, reference: datetime | None = None) -> Corrected:
    """The model's classification after the three rules. `reference` is what relative dates are relative to."""
    folded = fold_claim(claim)
    same = bool(folded) and folded == fold_claim(quote)
    unit = other_units(claim, quote) if same else None
    if same and unit is None and (not asks(quote) or asks(claim)):
        why = None if said == "direct" else f"Corrected from {said} to direct: the quote is the claim itself."
        return Corrected("direct", why)
    if said == "none":
        return Corrected(None)
    if said == "contradiction":
        return Corrected("contradiction")
    if only_asks(quote) and not only_asks(claim):
        return Corrected(None, f"Corrected from {said} to none: the quote asks, and states nothing.")
    found = [
        *(each for each in contradictions(claim, quote, reference=reference) if not excused(each, claim, quote)),
        *differing_values(claim, quote),
        *([unit] if unit is not None else ()),
    ]
    if not found:
        why = unstated(claim, quote, reference) if said == "direct" else None
        return (
            Corrected(said) if why is None else Corrected("paraphrase", f"Corrected from direct to paraphrase: {why}.")
        )
    first = min(found, key=lambda one: (one.reason != "negation_differs", one.in_claim))
    why = f"Corrected from {said} to contradiction: {_WHY[first.reason]}, {_both(first, claim, quote)}."
    return Corrected("contradiction", why)


def _both(one: Contradiction, claim: str, quote: str) -> str:
    mine = one_line(claim[slice(*one.in_claim)], at_most=LONGEST_SHOWN)
    theirs = one_line(quote[slice(*one.in_quote)], at_most=LONGEST_SHOWN)
    return f"“{mine}” in the claim, “{theirs}” in the quote"
