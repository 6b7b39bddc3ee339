"""Whether the claims of a lattice are linked to the evidence they point at.

A pair of claim and pointer is verified when the id is one that was given, its passage has an allowed role, and enough
of the claim's content words stand in the passage. A claim that says otherwise than what it cites (a number, a date, a
denial) is a mismatch whatever words they share. Pairs are what is counted; a claim without a pointer counts
as one that failed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from schemacast.claims.contradictions import contradictions
from schemacast.claims.statements import statements
from schemacast.claims.words import content_stems, language_of, words
from schemacast.qa.evidence import (
    SOURCE_ROLES,
    EvidenceObject,
    evidence_map_by_pointer_id,
    render_claim_lattice,
)
from schemacast.qa.lattice_checks import (
    Pair,
    Violation,
    absent_subject,
    deflections,
    format_collapse,
    lazy_anchors,
    missing_warrants,
    too_many_claims,
    violation,
)
from schemacast.qa.lattice_parse import INVALID, NO_POINTER, PARSED, ParsedClaim, deflects, parse_pointer_lines

CLAIM_STATUSES = {
    "EVIDENCE_LINKED": "every citation of the claim is verified",
    "EVIDENCE_LINKED_PARTIAL": "some of its citations are, or a part of the claim stands in none of them",
    "UNKNOWN_EVIDENCE_ID": "it cites evidence that was not given",
    "SOURCE_ROLE_BLOCKED": "what it cites has a role that is not allowed",
    "CITATION_MISMATCH": "what it cites does not say it, or says otherwise",
    "NO_EVIDENCE_POINTER": "it cites nothing",
    "SCHEMA_INVALID": "it does not have the form asked for",
}
"""Every status of a claim and what it means."""

REASONS = {
    "number_differs": "a number of the claim is another in what it cites; the unit is a part of it",
    "date_differs": "a date of the claim is another in what it cites",
    "negation_differs": "one of the two denies what the other states",
    "coverage_too_low": "too few of the claim's content words stand in what it cites",
    "unknown_evidence_id": "the id is none of those given",
    "source_role_blocked": "the role of the passage is not allowed",
    "deflection": "the claim says that there is no answer",
    "too_long": "the sentence is too long to be checked",
    "not_stated": "what is cited states less than half of it, or nothing",
    "not_in_cited_source": "the quote stands in another source than the one cited",
    "quote_not_found": "the quote stands in no source",
    "unsupported_part": "a part of the claim is not stated; the record names it",
    "order": "the words stand in the source in another order: another subject, object or place",
    "voice": "who acts and who is acted on have changed places",
    "tense": "the source speaks of another time",
    "weaker": "the source states a vaguer number or date",
    "left_out": "words of the source between those of the claim are left out",
    "begins_inside": "the claim begins inside a phrase of the source",
    "ends_inside": "the claim ends inside a phrase of the source",
    "qualifier_dropped": "a hedge, condition, report or qualification of the source is left out",
    "negation": "a denial of the source is left out",
    "double_quote": "the claim holds a double quotation mark",
    "too_many_evidence_ids": "the claim names more evidence than allowed",
    "no_object": "the claim is no object",
    "wrong_types": "the claim has no text or no list of ids",
    "empty_claim": "no text stands before the tag",
    "no_pointer": "the claim has no tag",
}
"""Why a claim is not linked."""

_STATUS_OF = {
    "coverage_too_low": "CITATION_MISMATCH",
    "number_differs": "CITATION_MISMATCH",
    "date_differs": "CITATION_MISMATCH",
    "negation_differs": "CITATION_MISMATCH",
    "deflection": "CITATION_MISMATCH",
    "source_role_blocked": "SOURCE_ROLE_BLOCKED",
    "unknown_evidence_id": "UNKNOWN_EVIDENCE_ID",
}
_WORST_FIRST = ("CITATION_MISMATCH", "SOURCE_ROLE_BLOCKED", "UNKNOWN_EVIDENCE_ID")


@dataclass(frozen=True, slots=True)
class LatticeRules:
    """The thresholds of a verification; `verify_claim_lattice` explains them."""

    allowed_source_roles: tuple[str, ...] = SOURCE_ROLES
    max_pointers_per_claim: int = 2
    min_citation_coverage: float = 0.3
    min_claim_content_tokens: int = 2
    lazy_anchor_demote_threshold: float = 0.5
    lazy_anchor_demote_min_pairs: int = 3
    max_claims_per_answer: int = 12
    subject_tokens_absent_threshold: int = 3
    warrant_check_enabled: bool = True
    deflection_check_enabled: bool = True
    format_collapse_check_enabled: bool = True


def verify_claim_lattice(
    answer_text: str,
    evidence_map: Sequence[EvidenceObject],
    *,
    allowed_source_roles: tuple[str, ...] = SOURCE_ROLES,
    max_pointers_per_claim: int = 2,
    min_citation_coverage: float = 0.3,
    min_claim_content_tokens: int = 2,
    lazy_anchor_demote_threshold: float = 0.5,
    lazy_anchor_demote_min_pairs: int = 3,
    max_claims_per_answer: int = 12,
    subject_tokens_absent_threshold: int = 3,
    question: str | None = None,
    warrant_check_enabled: bool = True,
    deflection_check_enabled: bool = True,
    format_collapse_check_enabled: bool = True,
) -> dict[str, object]:
    """Verify an answer in pointer lines (`Claim text. [E12]`).

    A claim cites at most `max_pointers_per_claim` passages, further ones are dropped and count as failed. Of its
    content words a share of `min_citation_coverage` must stand in a passage; of a claim with fewer than
    `min_claim_content_tokens` all must. When of at least `lazy_anchor_demote_min_pairs` citations more than
    `lazy_anchor_demote_threshold` share too few words, HYBRID becomes UNGROUNDED. A `question` of at least
    `subject_tokens_absent_threshold` content words must have one of them in what is cited.

    Returns `n_quotes` (pairs of claim and pointer), `n_verified`, `audit_mode`, `unverified_quotes` (the texts of
    claims that are not linked), `verifier_method` (`claim_lattice`), `claim_statuses` (each with `text`,
    `evidence_ids`, `pointer_ids`, `status`, `reasons`), `violations`, `rendered_text` and `evidence_id_pairs` (the
    evidence ids of each claim).
    """
    rules = LatticeRules(
        allowed_source_roles=tuple(allowed_source_roles),
        max_pointers_per_claim=max_pointers_per_claim,
        min_citation_coverage=min_citation_coverage,
        min_claim_content_tokens=min_claim_content_tokens,
        lazy_anchor_demote_threshold=lazy_anchor_demote_threshold,
        lazy_anchor_demote_min_pairs=lazy_anchor_demote_min_pairs,
        max_claims_per_answer=max_claims_per_answer,
        subject_tokens_absent_threshold=subject_tokens_absent_threshold,
        warrant_check_enabled=warrant_check_enabled,
        deflection_check_enabled=deflection_check_enabled,
        format_collapse_check_enabled=format_collapse_check_enabled,
    )
    claims, violations, dropped = _trimmed(parse_pointer_lines(answer_text), max_pointers_per_claim)
    return verdict(claims, evidence_map, rules, question, violations=violations, dropped=dropped)


def _trimmed(claims: list[ParsedClaim], most: int) -> tuple[list[ParsedClaim], list[Violation], int]:
    """The claims with at most so many pointers, the violations, and how many pointers were dropped."""
    kept: list[ParsedClaim] = []
    violations: list[Violation] = []
    dropped = 0
    for number, claim in enumerate(claims):
        over = len(claim.pointer_ids) - most
        if over > 0:
            dropped += over
            detail = f"{len(claim.pointer_ids)} pointers, the first {most} are verified"
            violations.append(violation("POINTER_OVERFLOW_TRIMMED", detail, claim=number))
            pointers = claim.pointer_ids[:most]
            claim = ParsedClaim(claim.text, pointers, claim.parse_status, claim.start, claim.end, claim.problems)
        kept.append(claim)
    return kept, violations, dropped


def verdict(
    claims: Sequence[ParsedClaim],
    evidence_map: Sequence[EvidenceObject],
    rules: LatticeRules,
    question: str | None,
    *,
    violations: Sequence[Violation] = (),
    dropped: int = 0,
) -> dict[str, object]:
    """The verdict on parsed claims; both answer forms end here."""
    pairs = [_pair(number, claim, pointer, evidence_map, rules)
             for number, claim in enumerate(claims) for pointer in claim.pointer_ids]  # fmt: skip
    pairs = _against_what_they_cite(claims, pairs)
    statuses = [_status(number, claim, pairs) for number, claim in enumerate(claims)]
    cited = {
        number: [pair.evidence for pair in pairs if pair.claim == number and pair.evidence is not None]
        for number in range(len(claims))
    }
    found = [*violations, *_per_claim(claims, statuses), *too_many_claims(claims, rules.max_claims_per_answer)]
    lazy = lazy_anchors(pairs, rules.lazy_anchor_demote_min_pairs, rules.lazy_anchor_demote_threshold)
    everything = {each.evidence_id: each for listed in cited.values() for each in listed}
    found += lazy + absent_subject(question, list(everything.values()), rules.subject_tokens_absent_threshold)
    if rules.warrant_check_enabled:
        found += missing_warrants(claims, cited)
    if rules.deflection_check_enabled:
        found += deflections(claims)
    if rules.format_collapse_check_enabled:
        found += format_collapse(claims)
    invalid = sum(claim.parse_status == INVALID and not claim.pointer_ids for claim in claims)
    bare = sum(claim.parse_status == NO_POINTER for claim in claims)
    total = len(pairs) + bare + dropped + invalid
    verified = sum(pair.problem is None for pair in pairs)
    return {
        "n_quotes": total,
        "n_verified": verified,
        "audit_mode": _audit_mode(total, verified, found, demoted=bool(lazy)),
        "unverified_quotes": [
            claim.text for claim, status in zip(claims, statuses, strict=True) if status["status"] != "EVIDENCE_LINKED"
        ],
        "verifier_method": "claim_lattice",
        "claim_statuses": statuses,
        "violations": found,
        "rendered_text": render_claim_lattice(
            [{"text": claim.text, "pointer_ids": claim.pointer_ids} for claim in claims],
            evidence_map_by_pointer_id(evidence_map),
        ),
        "evidence_id_pairs": [status["evidence_ids"] for status in statuses],
    }


def _pair(
    number: int, claim: ParsedClaim, pointer: str, evidence_map: Sequence[EvidenceObject], rules: LatticeRules
) -> Pair:
    """One citation, judged by itself."""
    found = resolve_pointer(evidence_map, pointer)
    if found is None:
        return Pair(number, pointer, None, "unknown_evidence_id")
    if found.source_role not in rules.allowed_source_roles:
        return Pair(number, pointer, found, "source_role_blocked")
    if claim.parse_status != PARSED:
        return Pair(number, pointer, found, claim.problems[0] if claim.problems else "empty_claim")
    if rules.deflection_check_enabled and deflects(claim.text):
        return Pair(number, pointer, found, "deflection")
    covered = _claim_textually_overlaps_evidence(claim.text, found.span, rules)
    return Pair(number, pointer, found, None if covered else "coverage_too_low")


def _claim_textually_overlaps_evidence(claim: str, span: str, rules: LatticeRules) -> bool:
    """Whether enough of a claim's content words stand in a passage."""
    wanted = content_stems(claim, language_of(claim))
    if not wanted:
        return False
    coverage = len(wanted & _stems(span)) / len(wanted)
    return coverage >= (rules.min_citation_coverage if len(wanted) >= rules.min_claim_content_tokens else 1)


@lru_cache(maxsize=64)
def _stems(span: str) -> frozenset[str]:
    return frozenset(word.stem for word in words(span))


def _against_what_they_cite(claims: Sequence[ParsedClaim], pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs, those of a claim that contradicts what it cites as a whole failed with the reason."""
    judged: list[Pair] = []
    reasons: dict[int, str | None] = {}
    for pair in pairs:
        if pair.problem is not None or pair.evidence is None:
            judged.append(pair)
            continue
        if pair.claim not in reasons:
            texts = [each.evidence.span for each in pairs
                     if each.claim == pair.claim and each.evidence is not None and each.problem is None]  # fmt: skip
            reasons[pair.claim] = _contradicted(claims[pair.claim].text, "\n\n".join(texts))
        judged.append(Pair(pair.claim, pair.pointer_id, pair.evidence, reasons[pair.claim]))
    return judged


def _contradicted(claim: str, cited: str) -> str | None:
    """Why a claim contradicts what it cites, if it does.

    A denial is also looked for in the one sentence that shares most with the claim: in a whole passage another may
    affirm something else of the same names.
    """
    found = contradictions(claim, cited)
    if not found:
        language = language_of(claim)
        wanted = content_stems(claim, language)
        ranked = sorted(
            ((len(wanted & _stems(cited[start:end])), start, end) for start, end in statements(cited)), reverse=True
        )
        if ranked and (len(ranked) == 1 or ranked[0][0] > ranked[1][0]):
            nearest = contradictions(claim, cited[ranked[0][1] : ranked[0][2]])
            found = tuple(each for each in nearest if each.reason == "negation_differs")
    return found[0].reason if found else None


def _status(number: int, claim: ParsedClaim, pairs: Sequence[Pair]) -> dict[str, object]:
    own = [pair for pair in pairs if pair.claim == number]
    problems = [pair.problem for pair in own if pair.problem is not None]
    if claim.parse_status == INVALID:
        status, reasons = INVALID, list(claim.problems)
    elif not own:
        status, reasons = NO_POINTER, ["no_pointer"]
    elif not problems:
        status, reasons = "EVIDENCE_LINKED", []
    else:
        reasons = list(dict.fromkeys(problems))
        worst = min((_STATUS_OF[problem] for problem in reasons), key=_WORST_FIRST.index)
        status = "EVIDENCE_LINKED_PARTIAL" if len(problems) < len(own) else worst
    return {
        "text": claim.text,
        "evidence_ids": [pair.evidence.evidence_id for pair in own if pair.evidence is not None],
        "pointer_ids": list(claim.pointer_ids),
        "status": status,
        "reasons": reasons,
    }


def _per_claim(claims: Sequence[ParsedClaim], statuses: Sequence[dict[str, object]]) -> list[Violation]:
    """A violation for each claim that is not linked."""
    found: list[Violation] = []
    for number, (claim, status) in enumerate(zip(claims, statuses, strict=True)):
        reasons = status["reasons"]
        assert isinstance(reasons, list)
        kinds = dict.fromkeys(_STATUS_OF.get(reason, str(status["status"])) for reason in reasons)
        found += [violation(kind, claim.detail or ", ".join(reasons), claim=number) for kind in kinds]
    return found


def _audit_mode(total: int, verified: int, violations: Sequence[Violation], *, demoted: bool) -> str:
    if not verified or demoted:
        return "UNGROUNDED"
    return "STRICT" if verified == total and not violations else "HYBRID"


def resolve_pointer(evidence_map: Sequence[EvidenceObject], pointer: str) -> EvidenceObject | None:
    """The evidence that an id names: a pointer id, or the content-addressed id itself."""
    by_pointer = evidence_map_by_pointer_id(evidence_map)
    return by_pointer.get(pointer) or evidence_map_by_evidence_id_local(evidence_map, pointer)


def evidence_map_by_evidence_id_local(evidence_map: Sequence[EvidenceObject], eid: str) -> EvidenceObject | None:
    """The evidence whose `evidence_id` is `eid`, or None."""
    return next((each for each in evidence_map if each.evidence_id == eid), None)
