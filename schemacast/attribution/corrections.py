"""What is not left to the model in a classification, each rule with the sentence that tells of it.

1. A quote that equals the claim once both are folded is `direct`, whatever the model says.
2. A number, date or unit of the claim that the quote contradicts is never `direct`: it is a contradiction.
3. A negation on one side only is never `direct` or `paraphrase`: it is a contradiction.

Nothing here makes a source support a claim that the model does not see supported, but for the first rule.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from schemacast.attribution.models import Stated
from schemacast.attribution.plain_words import one_line
from schemacast.claims.contradictions import Contradiction, contradictions
from schemacast.claims.sentences import fold_claim

__all__ = ["Corrected", "corrected"]

Said = Literal["direct", "paraphrase", "contradiction", "none"]
LONGEST_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Corrected:
    """The classification that stands, None for a quote that says neither, and what was corrected, as a sentence."""

    attribution: Stated | None
    correction: str | None = None


def corrected(claim: str, quote: str, said: Said, *, reference: datetime | None = None) -> Corrected:
    """The model's classification after the three rules. `reference` is what relative dates are relative to."""
    if fold_claim(claim) == fold_claim(quote):
        why = None if said == "direct" else f"Corrected from {said} to direct: the quote is the claim itself."
        return Corrected("direct", why)
    if said == "none":
        return Corrected(None)
    if said == "contradiction":
        return Corrected("contradiction")
    found = contradictions(claim, quote, reference=reference)
    negated = [one for one in found if one.reason == "negation_differs"]
    differing = [one for one in found if one.reason != "negation_differs"]
    if negated:
        return Corrected(
            "contradiction", f"Corrected from {said} to contradiction: {_negation(negated[0], claim, quote)}."
        )
    if differing and said == "direct":
        what = "date" if differing[0].reason == "date_differs" else "number"
        return Corrected(
            "contradiction",
            f"Corrected from {said} to contradiction: the {what} differs, {_both(differing[0], claim, quote)}.",
        )
    return Corrected(said)


def _negation(one: Contradiction, claim: str, quote: str) -> str:
    return f"a negation stands on one side only, {_both(one, claim, quote)}"


def _both(one: Contradiction, claim: str, quote: str) -> str:
    mine, theirs = claim[slice(*one.in_claim)], quote[slice(*one.in_quote)]
    return f"“{one_line(mine, at_most=LONGEST_SHOWN)}” in the claim, “{one_line(theirs, at_most=LONGEST_SHOWN)}” in the quote"
