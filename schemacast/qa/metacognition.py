"""What kind of question this is, decided before anything is retrieved or generated.

Detectors look for what makes a question ill-posed: words that date it, terms that exclude each other, a premise it
takes for granted, a document that no corpus has, a quantifier without bounds. Each finding is a status and a
constraint on the answer. Everything is a function of the question and the arguments: no model, no retrieval, no
clock. A finding labels; it blocks only what a policy names, since a wrong refusal costs more than a wrong label.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from typing import Literal

from schemacast.claims.words import content_words, language_of
from schemacast.language.scripts import is_unspaced
from schemacast.language.units import fold_word
from schemacast.qa.keys import canonicalize, hash_json, question_hash
from schemacast.qa.metacognition_words import (
    CONTRADICTORY,
    FALSE_PREMISES,
    OUT_OF_CORPUS,
    TEMPORAL,
    TURNOVER,
)
from schemacast.qa.quantifier import classify_question_quantifier

LogicalStatus = Literal[
    "well_formed",
    "under_specified",
    "false_premise_suspected",
    "contradictory_question",
    "out_of_corpus_risk",
    "stale_risk",
    "reference_frame_ambiguous",
    "broad_quantifier_unbounded",
]
Sensitivity = Literal["high", "medium", "low"]
PreflightResult = Literal["PREFLIGHT_OK", "PREFLIGHT_PARTIAL", "PREFLIGHT_BLOCKED"]

CLASSIFIER_VERSION = "metacognition-v0.1"

CLAIM_CAPS = {"ABSENT": 1, "SINGULAR": 3, "PROPORTIONAL": 4, "FEW": 5, "MANY": 8}
"""How many claims an answer to a question of this rung should need; broad ones get `MOST_CLAIMS`."""

MOST_CLAIMS = 12

DEFAULT_POLICY: dict[str, object] = {
    "quantifier_check_enabled": True,
    "temporal_check_enabled": True,
    "contradiction_check_enabled": True,
    "false_premise_check_enabled": True,
    "out_of_corpus_check_enabled": True,
    "block_on": (),
}
"""What `preflight_question` does unless its policy says otherwise; `block_on` names statuses that block."""

_LONGEST = 4_000


@dataclass(frozen=True, slots=True)
class QuestionState:
    """What is known of one question before it is answered. `preflight_policy_hash` hashes all that decided it."""

    raw_question: str
    question_hash: str
    logical_statuses: tuple[LogicalStatus, ...]
    question_shape: str
    quantifier_intensity: str | None
    quantifier_matched_token: str | None
    scope_bound_hint: str
    reference_frames: tuple[str, ...]
    temporal_sensitivity: Sensitivity
    temporal_matched_tokens: tuple[str, ...]
    contradiction_pairs: tuple[tuple[str, str], ...]
    false_premise_hints: tuple[dict[str, str], ...]
    corpus_requirement: str
    known_boundaries: tuple[str, ...]
    answer_constraints: dict[str, object]
    preflight_result: PreflightResult
    preflight_policy_hash: str
    classifier_version: str = CLASSIFIER_VERSION

    def to_dict(self) -> dict[str, object]:
        """The fields as JSON takes them: tuples as lists."""
        return {name: _listed(value) for name, value in asdict(self).items()}


def _listed(value: object) -> object:
    if isinstance(value, list | tuple):
        return [_listed(each) for each in value]
    return {name: _listed(each) for name, each in value.items()} if isinstance(value, dict) else value


def detect_temporal_sensitivity(question: str) -> tuple[Sensitivity, tuple[str, ...]]:
    """Whether the answer changes with time, and the words that say so, as the question writes them.

    `high` for a word of the present (`current`, `latest`, `today`) or a role that changes hands (`CEO`, `president`)
    asked for without a year; else `low`. `medium` is not given yet.
    """
    question = question[:_LONGEST]
    tokens = _found(question, TEMPORAL)
    if not re.search(r"(?<!\d)(?:1[0-9]|20)\d\d(?!\d)", question):
        tokens += [token for token in _found(question, TURNOVER) if token not in tokens]
    return ("high", tuple(tokens)) if tokens else ("low", ())


def detect_contradiction(question: str) -> tuple[tuple[str, str], ...]:
    """The pairs of terms that exclude each other and both stand in the question, as whole words of any case."""
    folded = _fold(question)
    return tuple(pair for pair in CONTRADICTORY if all(_phrase(word).search(folded) for word in pair))


def detect_false_premise(question: str) -> tuple[dict[str, str], ...]:
    """What the question takes for granted: dicts of `kind`, `presupposition`, `subject` and `predicate`.

    Hints, not verdicts: whether the premise holds is for the evidence to say.
    """
    question = canonicalize(question[:_LONGEST])
    hints: list[dict[str, str]] = []
    for premise in FALSE_PREMISES:
        match = premise.pattern.search(question)
        if match is None or any(hint["kind"] == premise.kind for hint in hints):
            continue
        subject, predicate = (match[name].strip(" ?!.,") for name in ("subject", "predicate"))
        if subject and predicate:
            hints.append(
                {
                    "kind": premise.kind,
                    "presupposition": premise.states.format(subject=subject, predicate=predicate),
                    "subject": subject,
                    "predicate": predicate,
                }
            )
    return tuple(hints)


def detect_out_of_corpus(question: str) -> bool:
    """Whether the question is about a private or uploaded document that no corpus has."""
    return any(pattern.search(_fold(question)) for pattern in OUT_OF_CORPUS)


def preflight_question(
    question: str,
    *,
    model_profile_id: str | None = None,
    corpus_profile: Mapping[str, object] | None = None,
    reference_frames: tuple[str, ...] = (),
    policy: Mapping[str, object] | None = None,
) -> QuestionState:
    """Classify a question before it is asked.

    `corpus_profile` tells the corpus's boundaries (`corpus_latest_timestamp`). `reference_frames` are those that
    retrieval found the question may be read in; more than one makes it ambiguous. `policy` switches detectors off
    and names the statuses that block; see `DEFAULT_POLICY`.
    """
    rules = {**DEFAULT_POLICY, **(policy or {})}
    quantifier = classify_question_quantifier(question) if rules["quantifier_check_enabled"] else {}
    temporal = detect_temporal_sensitivity(question) if rules["temporal_check_enabled"] else ("low", ())
    pairs = detect_contradiction(question) if rules["contradiction_check_enabled"] else ()
    premises = detect_false_premise(question) if rules["false_premise_check_enabled"] else ()
    outside = bool(rules["out_of_corpus_check_enabled"]) and detect_out_of_corpus(question)
    found: dict[LogicalStatus, bool] = {
        "under_specified": not _specified(question),
        "false_premise_suspected": bool(premises),
        "contradictory_question": bool(pairs),
        "out_of_corpus_risk": outside,
        "stale_risk": temporal[0] == "high",
        "reference_frame_ambiguous": len(reference_frames) > 1,
        "broad_quantifier_unbounded": bool(quantifier.get("is_broad"))
        and quantifier.get("scope_bound_hint") == "unbounded",
    }
    statuses: tuple[LogicalStatus, ...] = tuple(status for status, holds in found.items() if holds) or ("well_formed",)
    blocking = rules["block_on"]
    blocked = isinstance(blocking, list | tuple | set | frozenset) and any(status in blocking for status in statuses)
    result: PreflightResult = (
        "PREFLIGHT_BLOCKED" if blocked else "PREFLIGHT_OK" if statuses == ("well_formed",) else "PREFLIGHT_PARTIAL"
    )
    requirement = "private_document" if outside else "current_sources" if found["stale_risk"] else "any"
    constraints = _constraints(quantifier, found)
    boundaries = tuple(f"{name}={value}" for name, value in sorted((corpus_profile or {}).items()))
    digest = hash_json(
        {
            "classifier_version": CLASSIFIER_VERSION,
            "question": canonicalize(question),
            "model_profile_id": model_profile_id,
            "known_boundaries": boundaries,
            "reference_frames": reference_frames,
            "policy": {name: _plain(value) for name, value in sorted(rules.items())},
            "statuses": statuses,
            "result": result,
            "constraints": constraints,
        }
    )
    intensity, token = quantifier.get("intensity"), quantifier.get("matched_token")
    return QuestionState(
        raw_question=question,
        question_hash=question_hash(question),
        logical_statuses=statuses,
        question_shape=str(quantifier.get("operational_shape", "unclassified")),
        quantifier_intensity=None if intensity is None else str(intensity),
        quantifier_matched_token=None if token is None else str(token),
        scope_bound_hint=str(quantifier.get("scope_bound_hint", "unknown")),
        reference_frames=tuple(reference_frames),
        temporal_sensitivity=temporal[0],
        temporal_matched_tokens=temporal[1],
        contradiction_pairs=pairs,
        false_premise_hints=premises,
        corpus_requirement=requirement,
        known_boundaries=boundaries,
        answer_constraints=constraints,
        preflight_result=result,
        preflight_policy_hash=digest,
    )


def _constraints(quantifier: Mapping[str, object], found: Mapping[LogicalStatus, bool]) -> dict[str, object]:
    """What an answer should keep to."""
    rung, count = str(quantifier.get("intensity")), quantifier.get("explicit_count")
    most = min(MOST_CLAIMS, max(1, count)) if isinstance(count, int) else CLAIM_CAPS.get(rung, MOST_CLAIMS)
    constraints: dict[str, object] = {"max_claims": most}
    if found["stale_risk"]:
        constraints["state_date_of_sources"] = True
    if found["false_premise_suspected"]:
        constraints["check_presupposition"] = True
    if found["reference_frame_ambiguous"]:
        constraints["name_reference_frame"] = True
    return constraints


def _specified(question: str) -> bool:
    """Whether a question names anything it is about."""
    return bool(content_words(question, language_of(question)))


def _plain(value: object) -> object:
    return sorted(map(str, value)) if isinstance(value, list | tuple | set | frozenset) else value


def _fold(text: str) -> str:
    return fold_word(canonicalize(text[:_LONGEST])).replace("’", "'")


def _found(question: str, phrases: tuple[str, ...]) -> list[str]:
    """The phrases that stand in the question, in its own characters where folding keeps their number."""
    plain = canonicalize(question)
    folded = _fold(question)
    shown = plain if len(plain) == len(folded) else folded
    places = sorted({match.span() for phrase in phrases for match in _phrase(phrase).finditer(folded)})
    kept: list[tuple[int, int]] = []
    for start, end in places:
        if kept and start < kept[-1][1]:
            kept[-1] = (kept[-1][0], max(end, kept[-1][1]))
        else:
            kept.append((start, end))
    return [shown[start:end] for start, end in kept]


@cache
def _phrase(phrase: str) -> re.Pattern[str]:
    escaped = re.escape(phrase).replace(r"\ ", r"\s+")
    return re.compile(escaped if is_unspaced(phrase[0]) else rf"(?<![^\W_]){escaped}(?![^\W_])")
