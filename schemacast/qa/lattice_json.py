"""A claim lattice in JSON: `{"claims": [{"text": …, "evidence_ids": ["E1", …]}]}`.

The reply is read by the reader that casting uses, which mends what can be mended in one way and names it; what is
no such object is `SCHEMA_INVALID` and ungrounded. The checks are those of pointer lines, and two more: no
double quotation mark in a claim's text, since a model that quotes there has typed its evidence instead of pointing at
it, and no more evidence than allowed.
"""

from __future__ import annotations

from collections.abc import Sequence

from schemacast.llm.parse import JsonReading, UnreadableReply, read_json
from schemacast.qa.evidence import SOURCE_ROLES, EvidenceObject
from schemacast.qa.extract import QUOTE_MARKS
from schemacast.qa.lattice import LatticeRules, verdict
from schemacast.qa.lattice_checks import Violation, violation
from schemacast.qa.lattice_parse import INVALID, NO_POINTER, PARSED, ParsedClaim
from schemacast.schema.values import Json

JSON_FIXUPS = ("fence", "prose_trim", "curly_quotes", "trailing_comma", "other")
"""What may have been mended before the JSON could be read."""

_FIXUP_OF = {"fence": "fence", "preamble": "prose_trim", "epilogue": "prose_trim", "reasoning": "prose_trim",
             "trailing_comma": "trailing_comma"}  # fmt: skip
_STRAIGHT = str.maketrans("“”„‟", '""""')


def verify_claim_lattice_json(
    answer_json_text: str,
    evidence_map: Sequence[EvidenceObject],
    *,
    allowed_source_roles: tuple[str, ...] = SOURCE_ROLES,
    max_evidence_per_claim: int = 2,
    min_citation_coverage: float = 0.3,
    max_claims_per_answer: int = 12,
    subject_tokens_absent_threshold: int = 3,
    question: str | None = None,
    warrant_check_enabled: bool = True,
    deflection_check_enabled: bool = True,
) -> dict[str, object]:
    """Verify an answer in JSON. Parameters and result are those of `verify_claim_lattice`, and `json_fixups`:
    what had to be mended (`JSON_FIXUPS`), empty for plain JSON.
    """
    rules = LatticeRules(
        allowed_source_roles=tuple(allowed_source_roles),
        max_pointers_per_claim=max_evidence_per_claim,
        min_citation_coverage=min_citation_coverage,
        max_claims_per_answer=max_claims_per_answer,
        subject_tokens_absent_threshold=subject_tokens_absent_threshold,
        warrant_check_enabled=warrant_check_enabled,
        deflection_check_enabled=deflection_check_enabled,
        format_collapse_check_enabled=False,
    )
    claims, fixups, violations = parse_json_claims(answer_json_text, max_evidence_per_claim)
    return {**verdict(claims, evidence_map, rules, question, violations=violations), "json_fixups": fixups}


def parse_json_claims(answer_json_text: str, most: int) -> tuple[list[ParsedClaim], list[str], list[Violation]]:
    """The claims of a JSON answer, what was mended, and what is wrong with its form."""
    reading, fixups = _read(answer_json_text)
    listed = reading.value.get("claims") if reading is not None and isinstance(reading.value, dict) else None
    if reading is None or not isinstance(listed, list):
        return [], fixups, [violation("SCHEMA_INVALID", 'the answer is no JSON object with a list "claims"')]
    claims = [_claim(item, most) for item in listed]
    violations = [
        violation(kind, ", ".join(claim.problems), claim=number)
        for number, claim in enumerate(claims)
        for kind in _kinds(claim.problems)
    ]
    if reading.cut:
        violations.append(violation("CUT_REPLY", "the JSON breaks off; what was finished is verified"))
    return claims, fixups, violations


def _read(text: str) -> tuple[JsonReading | None, list[str]]:
    try:
        reading = read_json(text, _accepted)
    except UnreadableReply:
        straight = text.translate(_STRAIGHT)
        if straight == text:
            return None, []
        try:
            reading = read_json(straight, _accepted)
        except UnreadableReply:
            return None, []
        return reading, list(
            dict.fromkeys(["curly_quotes", *(_FIXUP_OF.get(each, "other") for each in reading.repaired)])
        )
    return reading, list(dict.fromkeys(_FIXUP_OF.get(each, "other") for each in reading.repaired))


def _accepted(value: Json) -> int:
    return 1 if isinstance(value, dict) and isinstance(value.get("claims"), list) else 0


def _claim(item: Json, most: int) -> ParsedClaim:
    """One item of the list, its form checked."""
    if not isinstance(item, dict):
        detail = 'a claim is no object with "text" and "evidence_ids"'
        return ParsedClaim("", (), INVALID, problems=("no_object",), detail=detail)
    text, ids = item.get("text"), item.get("evidence_ids")
    if not isinstance(text, str) or not isinstance(ids, list) or not all(isinstance(each, str) for each in ids):
        shown = text if isinstance(text, str) else ""
        return ParsedClaim(shown, (), INVALID, problems=("wrong_types",), detail=_wrong_fields(item))
    pointers = tuple(dict.fromkeys(str(each).strip().strip("[]") for each in ids))
    problems = []
    if not any(char.isalnum() for char in text):
        problems.append("empty_claim")
    if _has_manual_quote(text):
        problems.append("double_quote")
    if len(pointers) > most:
        problems.append("too_many_evidence_ids")
    if problems:
        return ParsedClaim(text, pointers, INVALID, problems=tuple(problems))
    return ParsedClaim(text, pointers, PARSED if pointers else NO_POINTER)


def _wrong_fields(item: dict[str, Json]) -> str:
    """Which fields a claim lacks or has as something else."""
    found = []
    if not isinstance(item.get("text"), str):
        found.append('a "text" that is no string' if "text" in item else 'no "text"')
    ids = item.get("evidence_ids")
    if not isinstance(ids, list) or not all(isinstance(each, str) for each in ids):
        found.append('"evidence_ids" that are no list of strings' if "evidence_ids" in item else 'no "evidence_ids"')
    return f"a claim has {' and '.join(found)}"


def _kinds(problems: tuple[str, ...]) -> list[str]:
    """The violations that problems of form are, besides `SCHEMA_INVALID`."""
    known = {"double_quote": "DOUBLE_QUOTE_IN_CLAIM", "too_many_evidence_ids": "EVIDENCE_OVERFLOW"}
    return [known[problem] for problem in problems if problem in known]


def _has_manual_quote(text: str) -> bool:
    """Whether a claim holds a double quotation mark of any kind."""
    return any(mark in text for mark in QUOTE_MARKS)
