"""Whether an answer's evidence stands in its context: quotes first, then whole sentences, then names.

The first kind of evidence that an answer has classifies it; `verifier_method` says which. Every check is lexical:
`locate` finds a unit or does not, and a unit whose sentence says otherwise than the sentence it was found in (a number,
a date, a denial) is not verified, whatever words the two share. The functions here return plain dicts and keep to
the trichotomy; `qa.judge` is the stricter judgment that answers are stored and printed with.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Literal

from schemacast.claims.sentences import answer_sentences, without_citations
from schemacast.qa.extract import (
    MIN_QUOTE_CHARS,
    MIN_SPAN_CHARS,
    extract_claim_spans,
    extract_proper_nouns,
    extract_quotes,
    name_places,
    quote_places,
)
from schemacast.qa.lattice import evidence_map_by_evidence_id_local, verify_claim_lattice
from schemacast.qa.lattice_json import verify_claim_lattice_json
from schemacast.qa.located import Place, find_unit, said_otherwise, sentence_around

__all__ = [
    "ENTITY_POLICIES",
    "MIN_QUOTE_CHARS",
    "MIN_SPAN_CHARS",
    "VERIFIER_VERSION",
    "evidence_map_by_evidence_id_local",
    "extract_claim_spans",
    "extract_proper_nouns",
    "extract_quotes",
    "verify_claim_lattice",
    "verify_claim_lattice_json",
    "verify_quotes",
]

VERIFIER_VERSION = "verify-v1"
"""The rules of verification; part of the verifier's policy."""

ENTITY_POLICIES = ("proximity", "trichotomy", "hybrid", "off")
"""How names classify an answer: STRICT only where `proximity_n` of them stand together in the context; like any other
evidence; never above HYBRID; not at all."""

_AROUND = 600
"""How much of a sentence around its quote is held against the source; real ones are shorter."""

AuditMode = Literal["STRICT", "HYBRID", "UNGROUNDED"]


def verify_quotes(
    answer_text: str,
    context: str,
    *,
    entity_policy: str = "proximity",
    proximity_n: int = 3,
    proximity_window: int = 300,
) -> dict[str, object]:
    """Classify an answer by what of it stands in its context.

    Returns `n_quotes` (evidence units), `n_verified`, `audit_mode` (STRICT, HYBRID, UNGROUNDED), `unverified_quotes`
    and `verifier_method` (quote, span, entity, none). `entity_policy` is one of `ENTITY_POLICIES`; with `proximity`
    at least `proximity_n` names must stand within `proximity_window` characters of the context. Raises ValueError for
    another policy.
    """
    if entity_policy not in ENTITY_POLICIES:
        raise ValueError(f"{entity_policy!r} is no entity policy; known: {', '.join(ENTITY_POLICIES)}")
    quotes = _quoted(answer_text)
    if quotes:
        return _verdict("quote", [(quote, _holds(quote, beside, context)) for quote, beside in quotes])
    spans = [(span, _holds(span, span, context)) for span in extract_claim_spans(answer_text)]
    if any(held for _, held in spans):
        return _verdict("span", spans)
    if entity_policy != "off":
        names = _names(answer_text, context)
        places = [place for _, place in names if place is not None]
        if places:
            near = entity_policy == "trichotomy" or (
                entity_policy == "proximity" and _stand_together(places, proximity_n, proximity_window)
            )
            return _verdict("entity", [(name, place is not None) for name, place in names], cap=not near)
    return _verdict("none", spans)


def _quoted(answer_text: str) -> list[tuple[str, str]]:
    """Each quote that counts, with the sentence of the answer it stands in."""
    sentences = answer_sentences(answer_text)
    starts = [each.start for each in sentences]
    found = []
    for start, end in quote_places(answer_text):
        quote = answer_text[start:end].strip()
        if len(quote) < MIN_QUOTE_CHARS:
            continue
        touched = [each for each in sentences[max(0, bisect_right(starts, start) - 1) : bisect_left(starts, end)]
                   if each.end > start]  # fmt: skip
        beside = (
            answer_text[max(touched[0].start, start - _AROUND) : min(touched[-1].end, end + _AROUND)]
            if touched
            else quote
        )
        found.append((quote, without_citations(beside)))
    return found


def _holds(unit: str, beside: str, context: str) -> bool:
    """Whether a unit stands in the context, in a sentence that does not contradict the answer's."""
    place = find_unit(unit, context, beside=beside)
    if place is None:
        return False
    return not said_otherwise(beside, context[slice(*sentence_around(context, place))])


def _names(answer_text: str, context: str) -> list[tuple[str, Place | None]]:
    """Each name with its place in the context; None where the sentence around it contradicts the answer's."""
    found: dict[str, Place | None] = {}
    sentences = answer_sentences(answer_text)
    starts = [each.start for each in sentences]
    for start, end in name_places(answer_text):
        name = answer_text[start:end]
        if name in found:
            continue
        each = sentences[max(0, bisect_right(starts, start) - 1)] if sentences else None
        beside = answer_text[each.start : each.end] if each and each.start <= start < each.end else name
        beside = without_citations(beside)
        place = find_unit(name, context, beside=beside)
        if place is not None:
            otherwise = said_otherwise(beside, context[slice(*sentence_around(context, place))])
            place = None if otherwise else place
        found[name] = place
    return list(found.items())


def _stand_together(places: list[Place], least: int, window: int) -> bool:
    """Whether so many different names stand within one window of the context."""
    ordered = sorted(places)
    if len(ordered) < max(least, 1):
        return False
    return any(ordered[at + least - 1][1] - ordered[at][0] <= window for at in range(len(ordered) - max(least, 1) + 1))


def _verdict(method: str, units: list[tuple[str, bool]], *, cap: bool = False) -> dict[str, object]:
    verified = sum(held for _, held in units)
    mode: AuditMode = "UNGROUNDED" if not verified else "STRICT" if verified == len(units) and not cap else "HYBRID"
    return {
        "n_quotes": len(units),
        "n_verified": verified,
        "audit_mode": mode,
        "unverified_quotes": [unit for unit, held in units if not held],
        "verifier_method": method,
    }
