"""What governs an answer: the defaults of its policy, and the check of one that a caller gives.

The whole policy is hashed into the cache key, with the digest of the prompt's templates and the versions of the
rules that verify and classify, so that an answer is never reused under rules that it was not made by.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

from schemacast.errors import UsageError, nearest
from schemacast.qa.keys import DEDUP_MODES, FIDELITY_MODES, canonical_json
from schemacast.qa.metacognition import CLASSIFIER_VERSION, MOST_CLAIMS
from schemacast.qa.verify import VERIFIER_VERSION

AnswerMode = Literal["quote", "claim_lattice_pointer", "claim_lattice"]
ANSWER_MODES: tuple[AnswerMode, ...] = get_args(AnswerMode)

DEFAULT_POLICY: Mapping[str, Any] = {
    "answer_mode": "quote",
    "question_dedup": "equivalence_class",
    "temperature": 0.1,
    "top_p": 1.0,
    "max_tokens": 1024,
    "max_claims_per_answer": MOST_CLAIMS,
    "graph_evidence": True,
    "preflight": {},
    "model_options": {},
}
"""`preflight` goes to `preflight_question`; `model_options` are what the model itself was opened with."""


def make_policy(given: Mapping[str, Any] | None, prompt: str) -> dict[str, Any]:
    """The policy in full; `prompt` is the digest of the templates.

    Raises UsageError for a mode that does not exist or a value that is no JSON.
    """
    policy = {**DEFAULT_POLICY, **(given or {})}
    for name, known in (("answer_mode", ANSWER_MODES), ("question_dedup", DEDUP_MODES)):
        if policy[name] not in known:
            raise UsageError(f"policy: {name} is {policy[name]!r}{nearest(str(policy[name]), known)}")
    most = policy["max_claims_per_answer"]
    if isinstance(most, bool) or not isinstance(most, int) or most < 1:
        raise UsageError(f"policy: max_claims_per_answer is {most!r}; it has to be a whole number of 1 or more")
    policy |= {
        "prompt": prompt,
        "verifier_version": VERIFIER_VERSION,
        "classifier_version": CLASSIFIER_VERSION,
    }
    try:
        canonical_json(policy)
    except (TypeError, ValueError) as error:
        raise UsageError(f"policy: cannot be hashed as JSON: {error}") from None
    return policy


def checked_fidelity(fidelity: str | None) -> str:
    """How tolerant a look-up is; `equivalence_class` when nothing is said. Raises UsageError."""
    chosen = fidelity or "equivalence_class"
    if chosen not in FIDELITY_MODES:
        raise UsageError(f"fidelity is {chosen!r}{nearest(chosen, FIDELITY_MODES)}")
    return chosen


def other_mode(mode: str) -> str:
    """The dedup mode that is not this one."""
    return next(each for each in DEDUP_MODES if each != mode)
