"""The stricter judgment of a claim lattice: a linked claim must be stated by a passage it points at, in full.

`verify_claim_lattice` asks for a share of the words; here one sentence of a cited passage must hold all of them, in
the same roles and with its own qualifications. What is stated only in part stays linked in part and names the part.
Each verified claim carries the sentence that states it, as characters of the episode.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import cast

from schemacast.claims.support import Support, support
from schemacast.qa.evidence import EvidenceObject, build_evidence_map
from schemacast.qa.judge_question import beside_the_question
from schemacast.qa.keys import sha256_text
from schemacast.qa.lattice import verify_claim_lattice
from schemacast.qa.lattice_checks import Violation, violation
from schemacast.qa.lattice_json import parse_json_claims, verify_claim_lattice_json
from schemacast.qa.lattice_parse import ParsedClaim, is_absent_answer, parse_pointer_lines
from schemacast.qa.located import Place
from schemacast.qa.sentence_judgment import LEAST_SHARE, OTHER_STATEMENT, relevant, share_stated
from schemacast.qa.verdict import AnswerSpan, AuditMode, Citation, SourceText, Verdict, not_verified, reasons_of

Status = dict[str, object]


def judge_lattice(
    answer: str,
    sources: Sequence[SourceText],
    answer_mode: str,
    question: str | None,
    policy: Mapping[str, object],
    evidence_map: Sequence[EvidenceObject] | None,
) -> Verdict:
    """Judge an answer in pointer lines or JSON; see `judge`."""
    evidence = list(evidence_map) if evidence_map is not None else _evidence(sources)
    if len(evidence) != len(sources):
        raise ValueError(f"the evidence map has {len(evidence)} objects for {len(sources)} sources")
    in_json = answer_mode == "claim_lattice"
    found = _verified(answer, evidence, question, policy, in_json=in_json)
    claims = parse_json_claims(answer, len(answer))[0] if in_json else parse_pointer_lines(answer)
    statuses = [dict(status) for status in cast(list[Status], found["claim_statuses"])]
    violations = list(cast(list[Violation], found["violations"]))
    citations: list[Citation] = []
    unverified: list[AnswerSpan] = []
    by_id = {each.evidence_id: number for number, each in enumerate(evidence)}
    lost = 0
    for number, (claim, status) in enumerate(zip(claims, statuses, strict=True)):
        cited = [by_id[each] for each in cast(list[str], status["evidence_ids"])]
        start, end = _place(answer, claim)
        if status["status"] == "EVIDENCE_LINKED":
            held, at, window = _best(claim.text, [(index, sources[index]) for index in cited])
            if held.full or share_stated(claim.text, held) >= LEAST_SHARE:
                citations.append(_citation(sources[at], at + 1, held, window, (start, end)))
            if not held.full:
                lost += _downgrade(number, claim, status, held, violations, len(cited))
        if status["status"] != "EVIDENCE_LINKED":
            status["suggest"] = _suggestion(claim.text, sources, cited)
            unverified.append(_span(claim, status, start, end))
    if question:
        violations += beside_the_question(question, answer, citations, sources)
    total, verified = cast(int, found["n_quotes"]), cast(int, found["n_verified"]) - lost
    demoted = found["audit_mode"] == "UNGROUNDED"
    mode: AuditMode = (
        "UNGROUNDED" if demoted or not verified else "STRICT" if verified == total and not violations else "HYBRID"
    )
    absent = not claims and not in_json and is_absent_answer(answer)
    return Verdict(
        audit_mode=mode,
        verifier_method=cast(str, found["verifier_method"]),
        n_quotes=total,
        n_verified=verified,
        unverified_quotes=tuple(
            claim.text for claim, each in zip(claims, statuses, strict=True) if each["status"] != "EVIDENCE_LINKED"
        ),
        claim_statuses=tuple(statuses),
        violations=tuple(violations),
        citations=tuple(citations),
        unverified=tuple(unverified),
        why=_why(mode, unverified, violations, absent=absent),
        absent=absent,
        rendered_text=cast(str, found["rendered_text"]),
        evidence_id_pairs=tuple(tuple(each) for each in cast(list[list[str]], found["evidence_id_pairs"])),
        json_fixups=tuple(cast(list[str], found.get("json_fixups", []))),
        answer_mode=answer_mode,
    )


def _verified(
    answer: str, evidence: list[EvidenceObject], question: str | None, policy: Mapping[str, object], *, in_json: bool
) -> dict[str, object]:
    """What `verify` says, with the parameters that the policy holds."""
    function = verify_claim_lattice_json if in_json else verify_claim_lattice
    known = set(inspect.signature(function).parameters) - {"question"}
    chosen = {name: value for name, value in policy.items() if name in known}
    return function(answer, evidence, question=question, **chosen)  # type: ignore[arg-type]


def _evidence(sources: Sequence[SourceText]) -> list[EvidenceObject]:
    return build_evidence_map(
        [
            {
                "source_root": sha256_text(source.source_id),
                "document_uri": source.source_id,
                "title": source.title,
                "chunk_idx": 0,
                "chunk_root": sha256_text(f"{source.source_id}:{source.offset}:{source.text}"),
                "span": source.text,
                "source_role": source.source_role,
            }
            for source in sources
        ]
    )


def _best(claim: str, cited: Sequence[tuple[int, SourceText]]) -> tuple[Support, int, Place]:
    """The cited source that does most for a claim, and the part of it."""
    best: tuple[Support, int, Place] | None = None
    for index, source in cited:
        for window in relevant(source.text, claim):
            held = support(claim, source.text[slice(*window)], locale=source.locale, reference=source.reference)
            if best is None or _rank(held) < _rank(best[0]):
                best = held, index, window
    assert best is not None
    return best


def _rank(held: Support) -> tuple[bool, bool, int, int]:
    missing = sum(end - start for start, end in held.missing)
    return not held.full, held.sentence is None, missing, len(held.faults)


def _downgrade(
    number: int, claim: ParsedClaim, status: Status, held: Support, violations: list[Violation], pairs: int
) -> int:
    """Write into a linked claim's status what its passages lack; how many of its pairs are not verified after all."""
    if held.missing and not held.faults and not held.contradictions and share_stated(claim.text, held) >= LEAST_SHARE:
        part = ", ".join(claim.text[start:end] for start, end in held.missing)
        status |= {"status": "EVIDENCE_LINKED_PARTIAL", "reasons": ["unsupported_part"], "unsupported_part": part}
        violations.append(violation("UNSUPPORTED_PART", f"no cited passage states {part!r}", claim=number))
        return 0
    reasons = [*dict.fromkeys(each.reason for each in held.contradictions), *held.faults] or ["not_stated"]
    if not held.contradictions and held.sentence and not held.missing and not set(reasons) & OTHER_STATEMENT:
        status |= {"status": "EVIDENCE_LINKED_PARTIAL", "reasons": reasons}
        violations.append(violation("CONTEXT_DROPPED", f"{claim.text[:120]!r}", claim=number))
        return 0
    status |= {"status": "CITATION_MISMATCH", "reasons": reasons}
    violations.append(violation("CITATION_MISMATCH", f"{', '.join(reasons)}: {claim.text[:120]!r}", claim=number))
    return pairs


def _suggestion(claim: str, sources: Sequence[SourceText], cited: Sequence[int]) -> int | None:
    """The number of a source, not cited, that states a claim in full."""
    for index, source in enumerate(sources):
        if index not in cited and _best(claim, [(index, source)])[0].full:
            return index + 1
    return None


def _citation(source: SourceText, number: int, held: Support, window: Place, place: Place) -> Citation:
    assert held.sentence is not None
    start, end = window[0] + held.sentence[0], window[0] + held.sentence[1]
    return Citation(
        number=number,
        source_id=source.source_id,
        char_start=source.offset + start,
        char_end=source.offset + end,
        quote=source.text[start:end],
        answer_start=place[0],
        answer_end=place[1],
        sentence_start=place[0],
        sentence_end=place[1],
    )


def _place(answer: str, claim: ParsedClaim) -> Place:
    """Where a claim stands in the answer; in JSON where its text does, if it does as it is."""
    if claim.end:
        return claim.start, claim.end
    at = answer.find(claim.text) if claim.text else -1
    return (at, at + len(claim.text)) if at >= 0 else (0, 0)


def _span(claim: ParsedClaim, status: Status, start: int, end: int) -> AnswerSpan:
    part = status.get("unsupported_part")
    reasons = tuple(cast(list[str], status["reasons"]))
    suggest = cast("int | None", status.get("suggest"))
    return AnswerSpan(
        start, end, claim.text, str(status["status"]), reasons, suggest, None if part is None else str(part)
    )


def _why(mode: str, unverified: Sequence[AnswerSpan], violations: Sequence[Violation], *, absent: bool) -> str:
    if absent:
        return "the answer says that the sources hold none"
    if mode == "STRICT":
        return "every claim is stated by a passage it points at"
    if unverified:
        first = unverified[0]
        reason = next(reasons_of(unverified, violations))
        if not first.text:
            return reason
        return not_verified(first.text, len(unverified), reason, first.suggest)
    return f"{violations[0]['kind']}: {violations[0]['detail']}" if violations else "the answer claims nothing"
