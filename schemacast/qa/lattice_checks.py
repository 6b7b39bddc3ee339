"""The checks of a claim lattice that look at the whole answer, not at one citation.

Each gives a violation, and a violation keeps an answer from being STRICT. They catch what single citations do not
show: a model that points at the same passage for everything, that lists more than it was asked, that speaks of
something other than the question, that adds a cause or a superlative of its own, or that fell out of the form.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from schemacast.claims.function_words import listed
from schemacast.claims.words import content_stems, language_of, stem, words
from schemacast.language.sentences import sentences
from schemacast.qa.evidence import EvidenceObject
from schemacast.qa.lattice_parse import NO_POINTER, ParsedClaim, deflects

VIOLATIONS = {
    "CITATION_MISMATCH": "a cited passage does not say the claim, or says otherwise",
    "CLAIM_COUNT_EXCEEDED": "the answer has more claims than allowed",
    "CONTEXT_DROPPED": "a claim leaves out what qualifies it in its source, or is cut out of a phrase",
    "CUT_REPLY": "the JSON of the answer breaks off",
    "DEFLECTION": "a claim cites evidence for saying that the sources hold no answer",
    "DOUBLE_QUOTE_IN_CLAIM": "the text of a JSON claim holds a double quotation mark",
    "EVIDENCE_OVERFLOW": "a JSON claim names more evidence ids than allowed",
    "FORMAT_COLLAPSE": "most of the answer is prose without pointers, or one claim is a paragraph",
    "LAZY_ANCHOR_DEMOTED": "so many citations share too few words with their claims that the answer is demoted",
    "NO_EVIDENCE_POINTER": "a claim cites nothing",
    "POINTER_OVERFLOW_TRIMMED": "a claim cited more passages than allowed; the first were verified",
    "QUOTE_NOT_FOUND": "a quote stands in no source",
    "SCHEMA_INVALID": "the answer, or a claim of it, does not have the form asked for",
    "SOURCE_ROLE_BLOCKED": "a cited passage has a role that is not allowed",
    "SUBJECT_TOKENS_ABSENT": "none of the question's words stands in what the answer cites",
    "UNKNOWN_EVIDENCE_ID": "a claim cites evidence that was not given",
    "UNSUPPORTED_PART": "a part of a claim stands in none of its sources",
    "WARRANT_MISSING": "a claim states a cause or an extreme that nothing it cites states",
}
"""Every violation and what it means."""

_CAUSES = listed("""
    because cause causes caused due therefore consequently hence thus thanks owing led resulted resulting
    triggered why reason reasons weil deshalb daher wegen aufgrund verursachte verursacht fuhrte dadurch
    folglich grund parce cause causa cause raison consequence entraine entrainee grace donc porque debido causa
    causo provoco motivo razon consecuencia ため により よって 原因 理由
""")
_EXTREMES = listed("""
    first last only best worst largest biggest smallest highest lowest oldest youngest newest longest shortest
    fastest greatest unique sole erste ersten einzige einzigen grosste grossten alteste altesten
    hochste meisten beste besten kleinste neueste premier premiere seul seule unique meilleur meilleure primer
    primera primero unico unica mejor mayor menor 最初 唯一 最大 最小 最高 最古
""")
_CLAIMS_FOR_COLLAPSE = 3
_SENTENCES_OF_A_PARAGRAPH = 4


@dataclass(frozen=True, slots=True)
class Pair:
    """A claim with one id it points at: the evidence, if there is any, and why the two do not go together."""

    claim: int
    pointer_id: str
    evidence: EvidenceObject | None
    problem: str | None


Violation = dict[str, object]


def violation(kind: str, detail: str, *, claim: int | None = None) -> Violation:
    """A violation as records keep it; `claim` counts from 0."""
    assert kind in VIOLATIONS
    return {"kind": kind, "claim": claim, "detail": detail}


def too_many_claims(claims: Sequence[ParsedClaim], most: int) -> list[Violation]:
    """More claims than an answer may have."""
    if len(claims) <= most:
        return []
    return [violation("CLAIM_COUNT_EXCEEDED", f"{len(claims)} claims, at most {most} are allowed")]


def lazy_anchors(pairs: Sequence[Pair], least: int, threshold: float) -> list[Violation]:
    """Whether the share of citations that have too few words in common with their claims demotes the answer."""
    lazy = sum(pair.problem == "coverage_too_low" for pair in pairs)
    if len(pairs) < least or lazy <= threshold * len(pairs):
        return []
    return [violation("LAZY_ANCHOR_DEMOTED", f"{lazy} of {len(pairs)} citations share too few words with their claims")]


def absent_subject(question: str | None, cited: Collection[EvidenceObject], threshold: int) -> list[Violation]:
    """Whether a question of at least `threshold` content words has none of them in what the answer cites."""
    if not question or not cited:
        return []
    language = language_of(question)
    asked = content_stems(question, language)
    present = {word.stem for each in cited for word in words(f"{each.title or ''} {each.span}")}
    if len(asked) < threshold or asked & present:
        return []
    return [violation("SUBJECT_TOKENS_ABSENT", f"none of {', '.join(sorted(asked))} stands in the cited evidence")]


def missing_warrants(claims: Sequence[ParsedClaim], cited: Mapping[int, Sequence[EvidenceObject]]) -> list[Violation]:
    """Claims of a cause or an extreme whose cited evidence states none of that kind."""
    found = []
    for number, claim in enumerate(claims):
        texts = [each.span for each in cited.get(number, ())]
        for name, listed_words in (("a cause", _CAUSES), ("an extreme", _EXTREMES)):
            said = unwarranted(claim.text, texts, listed_words)
            if said is not None:
                found.append(
                    violation("WARRANT_MISSING", f"{said!r} states {name} that its evidence does not", claim=number)
                )
    return found


def unwarranted(claim: str, texts: Sequence[str], listed_words: frozenset[str] | None = None) -> str | None:
    """The word of a claim that states a cause or an extreme when no word of that kind stands in the texts."""
    if not texts:
        return None
    for kind in (_CAUSES, _EXTREMES) if listed_words is None else (listed_words,):
        said = [word.folded for word in words(claim) if word.folded in kind]
        if said and not any(
            word.folded in kind or word.stem in map(stem, said) for text in texts for word in words(text)
        ):
            return said[0]
    return None


def deflections(claims: Sequence[ParsedClaim]) -> list[Violation]:
    """Claims that cite evidence for there being none."""
    return [
        violation("DEFLECTION", f"{claim.text[:80]!r} cites evidence for holding no answer", claim=number)
        for number, claim in enumerate(claims)
        if claim.pointer_ids and deflects(claim.text)
    ]


def format_collapse(claims: Sequence[ParsedClaim]) -> list[Violation]:
    """Whether the answer fell out of its form: mostly prose without pointers, or a paragraph as one claim."""
    bare = sum(claim.parse_status == NO_POINTER for claim in claims)
    if len(claims) >= _CLAIMS_FOR_COLLAPSE and 2 * bare > len(claims):
        return [violation("FORMAT_COLLAPSE", f"{bare} of {len(claims)} claims have no pointer")]
    for number, claim in enumerate(claims):
        if claim.pointer_ids and len(sentences(claim.text)) >= _SENTENCES_OF_A_PARAGRAPH:
            return [violation("FORMAT_COLLAPSE", "a paragraph stands as one claim", claim=number)]
    return []
