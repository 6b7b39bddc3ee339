"""What is not left to the model in a classification, each rule with the sentence that tells of it.

1. A quote that equals the claim once both are folded is `direct`, whatever the model says; a question does not.
2. A number, date or unit of the claim that the quote contradicts is never `direct`: it is a contradiction. Neither is
   it a paraphrase, since another number is another meaning; rounding that either side says ("about 40") differs not.
3. A negation on one side only is never `direct` or `paraphrase`: it is a contradiction.

Only the first rule makes a source support a claim that the model does not see supported.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

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
    if folded and folded == fold_claim(quote) and (not asks(quote) or asks(claim)):
        why = None if said == "direct" else f"Corrected from {said} to direct: the quote is the claim itself."
        return Corrected("direct", why)
    if said == "none":
        return Corrected(None)
    if said == "contradiction":
        return Corrected("contradiction")
    found = contradictions(claim, quote, reference=reference)
    if not found:
        return Corrected(said)
    first = min(found, key=lambda one: (one.reason != "negation_differs", one.in_claim))
    why = f"Corrected from {said} to contradiction: {_WHY[first.reason]}, {_both(first, claim, quote)}."
    return Corrected("contradiction", why)


def _both(one: Contradiction, claim: str, quote: str) -> str:
    mine = one_line(claim[slice(*one.in_claim)], at_most=LONGEST_SHOWN)
    theirs = one_line(quote[slice(*one.in_quote)], at_most=LONGEST_SHOWN)
    return f"“{mine}” in the claim, “{theirs}” in the quote"
