"""The judgment that answers are stored and printed with, stricter than the functions of `verify`.

Every sentence that claims something must have a verified unit of its own, and what it says besides must be stated
by the sentence that the unit was found in; a list of names alone never makes an answer STRICT. What is not verified is
given with its place, what is verified with the characters that prove it. That the sources hold no answer is an
answer: ungrounded, without a violation.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence

from schemacast.claims.sentences import AnswerSentence, answer_sentences, fold_claim
from schemacast.qa.evidence import EvidenceObject
from schemacast.qa.extract import name_places, quote_places, within
from schemacast.qa.judge_lattice import judge_lattice
from schemacast.qa.judge_question import beside_the_question
from schemacast.qa.lattice_checks import Violation, violation
from schemacast.qa.lattice_parse import is_absent_answer
from schemacast.qa.located import find_unit, said_otherwise, sentence_around
from schemacast.qa.sentence_judgment import cited_numbers, judge_sentence
from schemacast.qa.unit import Unit
from schemacast.qa.verdict import NOT_IN_SOURCES, AnswerSpan, AuditMode, Citation, SourceText, Verdict, not_verified

__all__ = ["ANSWER_MODES", "NOT_IN_SOURCES", "AnswerSpan", "Citation", "SourceText", "Verdict", "judge"]

ANSWER_MODES = ("quote", "claim_lattice_pointer", "claim_lattice")
"""How a model is asked to cite: quotes with `[n]`, lines with `[En]`, or JSON."""

_VIOLATION_OF = {
    "CITATION_MISMATCH": "CITATION_MISMATCH",
    "UNKNOWN_EVIDENCE_ID": "UNKNOWN_EVIDENCE_ID",
    "NO_EVIDENCE_POINTER": "NO_EVIDENCE_POINTER",
}


def judge(
    answer: str,
    sources: Sequence[SourceText],
    *,
    answer_mode: str = "quote",
    question: str | None = None,
    policy: Mapping[str, object] | None = None,
    evidence_map: Sequence[EvidenceObject] | None = None,
) -> Verdict:
    """Judge an answer against the sources it was given, the n-th of which it cites as `[n]` or `En`.

    `policy` may hold parameters of `verify_claim_lattice` and `verify_claim_lattice_json` by name. In the lattice modes
    `evidence_map` is that of the prompt, in the order of `sources`; without it one is made of them. Raises
    ValueError for an unknown answer mode or an evidence map of another length.
    """
    if answer_mode not in ANSWER_MODES:
        raise ValueError(f"{answer_mode!r} is no answer mode; known: {', '.join(ANSWER_MODES)}")
    if answer_mode != "quote":
        return judge_lattice(answer, sources, answer_mode, question, dict(policy or {}), evidence_map)
    return _judge_quoted(answer, sources, question, dict(policy or {}))


def _judge_quoted(
    answer: str, sources: Sequence[SourceText], question: str | None, policy: Mapping[str, object]
) -> Verdict:
    sentences = _whole(answer)
    claiming = [each for each in sentences if _claims(answer, each, question, sources)]
    if not claiming:
        absent = is_absent_answer(answer)
        why = "the answer says that the sources hold none" if absent else "the answer claims nothing"
        return _verdict("none", (), (), why=why, absent=absent)
    quoted = bool(quote_places(answer))
    citing = [cited_numbers(answer[each.start : each.end]) for each in claiming]
    marked = quoted or any(citing)
    found: list[tuple[AnswerSentence, list[Unit]]] = []
    for sentence, cited in zip(claiming, citing, strict=True):
        units = judge_sentence(answer, sentence.start, sentence.end, sources, cited, question) if sources else []
        bare = not cited and not quote_places(answer[sentence.start : sentence.end])
        if not units or (marked and bare):
            text = answer[sentence.start : sentence.end]
            units = [Unit(sentence.start, sentence.end, text, "NO_EVIDENCE_POINTER", ("no_pointer",))]
        found.append((sentence, units))
    if not marked and not any(unit.verified for _, units in found for unit in units):
        return _by_names(answer, sources, claiming, policy)
    method = "quote" if quoted else "span"
    return _judged(answer, sources, question, method, found)


def _claims(answer: str, sentence: AnswerSentence, question: str | None, sources: Sequence[SourceText]) -> bool:
    """Whether a sentence claims something. A question does unless it is the one asked; a source's title does not."""
    text = answer[sentence.start : sentence.end]
    if sentence.kind == "question":
        return fold_claim(text) != fold_claim(question or "")
    titles = [sources[number - 1].title for number in cited_numbers(text) if 0 < number <= len(sources)]
    listed = bool(titles) and fold_claim(text) in [fold_claim(title) for title in titles if title]
    return sentence.kind == "claim" and not listed


def _judged(
    answer: str,
    sources: Sequence[SourceText],
    question: str | None,
    method: str,
    found: Sequence[tuple[AnswerSentence, list[Unit]]],
) -> Verdict:
    violations: list[Violation] = []
    for number, (_, units) in enumerate(found):
        for unit in units:
            kind = _kind(unit)
            if kind is not None:
                violations.append(violation(kind, f"{', '.join(unit.reasons)}: {unit.text[:120]!r}", claim=number))
    citations = tuple(
        _citation(sentence, unit, sources) for sentence, units in found for unit in units if _proves(unit)
    )
    if question:
        violations += beside_the_question(question, answer, citations, sources)
    return _verdict(method, found, citations, answer=answer, violations=violations)


def _kind(unit: Unit) -> str | None:
    """The violation that a unit is, if it is not verified."""
    if unit.reasons == ("quote_not_found",):
        return "QUOTE_NOT_FOUND"
    if unit.status in _VIOLATION_OF:
        return _VIOLATION_OF[unit.status]
    if unit.status != "EVIDENCE_LINKED_PARTIAL":
        return None
    if "unknown_evidence_id" in unit.reasons:
        return "UNKNOWN_EVIDENCE_ID"
    return "UNSUPPORTED_PART" if unit.unsupported or "unsupported_part" in unit.reasons else "CONTEXT_DROPPED"


def _proves(unit: Unit) -> bool:
    return unit.status in ("EVIDENCE_LINKED", "EVIDENCE_LINKED_PARTIAL") and unit.place is not None


def _citation(sentence: AnswerSentence, unit: Unit, sources: Sequence[SourceText]) -> Citation:
    assert unit.number is not None
    assert unit.place is not None
    source = sources[unit.number - 1]
    start, end = unit.place
    return Citation(
        number=unit.number,
        source_id=source.source_id,
        char_start=source.offset + start,
        char_end=source.offset + end,
        quote=source.text[start:end],
        answer_start=unit.start,
        answer_end=unit.end,
        sentence_start=sentence.start,
        sentence_end=sentence.end,
    )


def _whole(answer: str) -> list[AnswerSentence]:
    """The sentences of an answer, those that one quote spans made one."""
    joined: list[AnswerSentence] = []
    quotes = quote_places(answer)
    for each in answer_sentences(answer):
        last = joined[-1] if joined else None
        spanning = quotes[bisect_left(quotes, (last.end, 0)) - 1] if last is not None and quotes else (0, 0)
        if last is not None and spanning[0] < last.end <= spanning[1] and each.start <= spanning[1]:
            joined[-1] = AnswerSentence(last.start, each.end, "claim")
        else:
            joined.append(each)
    return joined


def _by_names(
    answer: str, sources: Sequence[SourceText], claiming: Sequence[AnswerSentence], policy: Mapping[str, object]
) -> Verdict:
    """An answer of which no sentence is verified, by the names in it: HYBRID at most."""
    found: list[tuple[AnswerSentence, list[Unit]]] = []
    seen: set[str] = set()
    named = name_places(answer) if policy.get("entity_policy") != "off" else ()
    for sentence in claiming:
        units: list[Unit] = []
        for start, end in within(named, sentence.start, sentence.end):
            if answer[start:end] not in seen:
                seen.add(answer[start:end])
                units.append(_name(answer, start, end, sentence, sources))
        found.append((sentence, units))
    units = [unit for _, listed in found for unit in listed]
    bare = [
        (each, [Unit(each.start, each.end, answer[each.start : each.end], "NO_EVIDENCE_POINTER", ("no_pointer",))])
        for each in claiming
    ]
    violations = [violation("NO_EVIDENCE_POINTER", f"{unit.text[:120]!r}", claim=number)
                  for number, (_, [unit]) in enumerate(bare)]  # fmt: skip
    if not any(unit.verified for unit in units):
        return _verdict("none", bare, (), answer=answer, violations=violations)
    citations = tuple(
        _citation(sentence, unit, sources) for sentence, listed in found for unit in listed if _proves(unit)
    )
    return _verdict("entity", bare, citations, answer=answer, violations=violations, names=units)


def _name(answer: str, start: int, end: int, sentence: AnswerSentence, sources: Sequence[SourceText]) -> Unit:
    """A name against every source, contradicted when the sentence around it says otherwise."""
    name, beside = answer[start:end], answer[sentence.start : sentence.end]
    unit = Unit(start, end, name, "CITATION_MISMATCH", ("quote_not_found",))
    for number, source in enumerate(sources, start=1):
        place = find_unit(name, source.text, beside=beside)
        if place is None:
            continue
        stated = source.text[slice(*sentence_around(source.text, place))]
        otherwise = said_otherwise(beside, stated, locale=source.locale, reference=source.reference)
        if not otherwise:
            return Unit(start, end, name, "EVIDENCE_LINKED", (), number, place)
        reasons = tuple(dict.fromkeys(each.reason for each in otherwise))
        unit = Unit(start, end, name, "CITATION_MISMATCH", reasons, number, place)
    return unit


def _verdict(
    method: str,
    found: Sequence[tuple[AnswerSentence, list[Unit]]],
    citations: tuple[Citation, ...],
    *,
    answer: str = "",
    violations: Sequence[Violation] = (),
    names: Sequence[Unit] | None = None,
    why: str | None = None,
    absent: bool = False,
) -> Verdict:
    units = [unit for _, listed in found for unit in listed]
    counted = units if names is None else names
    partial = sum(unit.status == "EVIDENCE_LINKED_PARTIAL" for unit in counted)
    total = len(counted) + partial  # the part that is stated, and the part that is not
    verified = sum(unit.verified for unit in counted) + partial
    mode: AuditMode = "UNGROUNDED" if not verified else "STRICT" if verified == total and not violations else "HYBRID"
    if names is not None and mode == "STRICT":
        mode = "HYBRID"
    failed = [unit for unit in units if not unit.verified]
    return Verdict(
        audit_mode=mode,
        verifier_method=method,
        n_quotes=total,
        n_verified=verified,
        unverified_quotes=tuple(unit.text for unit in failed),
        claim_statuses=tuple(_status(answer, sentence, unit) for sentence, listed in found for unit in listed),
        violations=tuple(violations),
        citations=citations,
        unverified=tuple(_span(answer, unit) for unit in failed),
        why=why or explain(mode, method, failed, violations),
        absent=absent,
    )


def _status(answer: str, sentence: AnswerSentence, unit: Unit) -> dict[str, object]:
    parts = [answer[start:end] for start, end in unit.unsupported]
    return {
        "text": unit.text,
        "sentence": answer[sentence.start : sentence.end],
        "source": unit.number,
        "status": unit.status,
        "reasons": list(unit.reasons),
        "suggest": unit.suggest,
        "unsupported_part": ", ".join(parts) or None,
    }


def _span(answer: str, unit: Unit) -> AnswerSpan:
    if unit.unsupported:
        start, end = unit.unsupported[0][0], unit.unsupported[-1][1]
        part = ", ".join(answer[low:high] for low, high in unit.unsupported)
    else:
        start, end, part = unit.start, unit.end, None
    return AnswerSpan(start, end, answer[start:end], unit.status, unit.reasons, unit.suggest, part)


def explain(mode: str, method: str, failed: Sequence[Unit], violations: Sequence[Violation]) -> str:
    """One sentence on why an answer has its audit mode."""
    if mode == "STRICT":
        return "every sentence that claims something stands in a source"
    if method == "entity":
        return "only names of the answer stand in the sources"
    if failed:
        first = failed[0]
        reason = ", ".join(first.reasons).replace("_", " ") or first.status.replace("_", " ").lower()
        return not_verified(first.text, len(failed), reason, first.suggest)
    if violations:
        return f"{violations[0]['kind']}: {violations[0]['detail']}"
    return "nothing in the answer is verified"
