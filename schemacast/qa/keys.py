"""What makes two questions the same request: the dimensions of the cache key, each a hash of its own.

An answer is reused only when every dimension matches: the sources, the question, the model, the conversation, the
policy, the versions of store, canonical text and passages, and, in the nine-dimension form, the part of the policy
that the verifier reads. Each is hashed apart, so that a record says which of them changed. All hashes are SHA-256
in hexadecimal, over UTF-8; structures are hashed as canonical JSON (sorted keys, no spaces, no escapes).
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Mapping, Sequence

DEDUP_MODES = ("equivalence_class", "strict")
"""How questions are told apart: by what they ask, or by every character."""

FIDELITY_MODES = ("strict", "equivalence_class")
"""How a look-up treats the other dedup mode's key: it is not tried, or tried after the own one missed."""

CANONICALIZATION_VERSION = "norm-v1"
"""The rules of `canonicalize`."""

_QUESTION_TRAILING_STRIP = ".?!,;:？！。、…"
_QUESTION_ARTICLE_STRIP = frozenset(("the", "a", "an"))
_VERIFIER_POLICY_FIELDS = (
    "allowed_source_roles",
    "answer_mode",
    "classifier_version",
    "deflection_check_enabled",
    "entity_policy",
    "format_collapse_check_enabled",
    "lazy_anchor_demote_min_pairs",
    "lazy_anchor_demote_threshold",
    "max_claims_per_answer",
    "max_evidence_per_claim",
    "max_pointers_per_claim",
    "min_citation_coverage",
    "min_claim_content_tokens",
    "proximity_n",
    "proximity_window",
    "subject_tokens_absent_threshold",
    "verifier_version",
    "warrant_check_enabled",
)


def canonicalize(text: str) -> str:
    """A text in NFC, every run of whitespace one space, none at its ends."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def canonical_question(question: str, *, mode: str = "equivalence_class") -> str:
    """What a question is deduplicated by.

    `strict` keeps every character that `canonicalize` keeps. `equivalence_class` also lowers case and drops trailing
    punctuation and standalone articles, so that `Who is THE Batman?` and `who is batman` are one. Raises ValueError
    for another mode.
    """
    if mode not in DEDUP_MODES:
        raise ValueError(f"{mode!r} is no dedup mode; known: {', '.join(DEDUP_MODES)}")
    canonical = canonicalize(question)
    if mode == "strict":
        return canonical
    previous = None
    while canonical != previous:  # dropping an article can leave punctuation at the end
        previous = canonical
        bare = canonicalize(canonical.lower()).rstrip(_QUESTION_TRAILING_STRIP + " ")
        canonical = " ".join(word for word in bare.split() if word not in _QUESTION_ARTICLE_STRIP)
    return canonical


def question_hash(question: str, *, mode: str = "equivalence_class") -> str:
    """The hash of a question's canonical form; see `canonical_question` for the modes."""
    return sha256_text(canonical_question(question, mode=mode))


def model_profile_hash(model_id: str, revision: str = "", quantization: str = "") -> str:
    """The hash of a model's identity."""
    return hash_json({"model_id": model_id, "revision": revision, "quantization": quantization})


def conversation_hash(messages: Sequence[Mapping[str, object]]) -> str:
    """The hash of all messages, in their order."""
    return hash_json([dict(message) for message in messages])


def governance_policy_hash(policy: Mapping[str, object]) -> str:
    """The hash of the whole policy: sampling, prompts and the verifier's part."""
    return hash_json(dict(policy))


def verifier_policy_hash(policy: Mapping[str, object]) -> str:
    """The hash of the part of the policy that the verifier reads; that of `{}` when there is none."""
    return hash_json({name: policy[name] for name in _VERIFIER_POLICY_FIELDS if name in policy})


def cache_key(
    source_root: str,
    question_hash_value: str,
    model_profile_hash_value: str,
    conversation_hash_value: str,
    governance_policy_hash_value: str,
    schema_version: str,
    canonicalization_version: str,
    chunking_version: str,
    verifier_policy_hash_value: str | None = None,
) -> str:
    """The hash of the eight dimensions joined by `|`; of nine when the verifier policy's hash is given."""
    dimensions = [
        source_root,
        question_hash_value,
        model_profile_hash_value,
        conversation_hash_value,
        governance_policy_hash_value,
        schema_version,
        canonicalization_version,
        chunking_version,
    ]
    if verifier_policy_hash_value is not None:
        dimensions.append(verifier_policy_hash_value)
    return sha256_text("|".join(dimensions))


def canonical_json(value: object) -> str:
    """A structure as JSON that is the same text for equal structures. Raises TypeError or ValueError if it is none."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def hash_json(value: object) -> str:
    """The hash of a structure's canonical JSON."""
    return sha256_text(canonical_json(value))


def sha256_text(text: str) -> str:
    """The hash of a text's UTF-8 bytes; lone surrogates, which a command line can bring, are hashed as such."""
    return hashlib.sha256(text.encode("utf-8", errors="surrogatepass")).hexdigest()
