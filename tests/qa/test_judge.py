"""The stricter judgment: a unit for every claim, residue that is stated too, spans that prove, places that do not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemacast.qa.evidence import build_evidence_map
from schemacast.qa.extract import quote_places
from schemacast.qa.judge import ANSWER_MODES, NOT_IN_SOURCES, SourceText, Verdict, judge

MOVE = "Orvik moved to Hald. Ada Lind, who succeeded Per Holm, leads Orvik AS."
FLEET = (
    "Orvik has 6 ships. In 2020 Orvik sold two ships to Brevik. The captain of Orvik sold two boats. "
    "Orvik may buy Brevik. Orvik did not sink. The pump draws 6 kW."
)
SOURCES = [SourceText("s1", MOVE), SourceText("s2", FLEET, title="Annual report of Orvik", offset=100)]


def lattice(line: str, mode: str = "claim_lattice_pointer") -> Verdict:
    return judge(line, SOURCES, answer_mode=mode)


STRICT = [
    '"Orvik has 6 ships" [2].',
    'The texts say that "Orvik has 6 ships" [2].',
    'According to the annual report, "Orvik has 6 ships" [2].',
    'Orvik "has 6 ships" [2].',
    'Orvik is led by "Ada Lind" [1].',
    "Orvik has 6 ships [2].",
    "Orvik has six ships [2].",
    "Orvik sold two ships to Brevik in 2020 [2].",
    "Ada Lind leads Orvik AS [1]. Orvik has 6 ships [2].",
    "Here is what I found:\n- Orvik has 6 ships. [2]\n- Orvik moved to Hald. [1]\nI hope this helps!",
    "Orvik has 6 ships.",
    '"Orvik has 6 ships" [2] and "Orvik moved to Hald" [1].',
    "Orvik has 6 ships\n[2]",
    "Orvik has 6 ships [2].\n\nSources:\n[2] Annual report of Orvik",
    "Ada Lind [1].",
    "Orvik did not sink [2].",
    "The pump draws 6000 W [2].",
    '"In 2020 Orvik sold two ships to Brevik. The captain of Orvik sold two boats." [2]',
]
NOT_STRICT = [
    ("a changed number", "Orvik has 60 ships [2]."),
    ("a changed unit", "The pump draws 6 MW [2]."),
    ("a changed date", "Orvik sold two ships to Brevik in 2021 [2]."),
    ("a denial added", "Orvik did not sell two ships to Brevik in 2020 [2]."),
    ("a denial dropped", 'Orvik "sink" [2]. Orvik did sink [2].'),
    ("a swapped citation", '"Orvik has 6 ships" [1].'),
    ("a tail added in the sentence", 'Orvik "has 6 ships", the largest fleet in Norway [2].'),
    ("a tail added behind the sentence", 'Orvik "has 6 ships" [2]. It is the largest fleet.'),
    ("true but uncited", '"Orvik has 6 ships" [2]. Orvik moved to Hald.'),
    ("names alone", "Ada Lind and Per Holm met at Orvik AS."),
    ("an elided middle", '"Orvik has … ships" [2].'),
    ("an elided middle with dots", '"In 2020 Orvik sold ... to Brevik" [2].'),
    ("an elided middle without a mark", '"Orvik sold ships to Brevik" [2].'),
    ("another subject", 'Brevik "has 6 ships" [2].'),
    ("roles swapped", "Brevik sold two ships to Orvik in 2020 [2]."),
    ("roles swapped in the passive", "Ada Lind is led by Orvik AS [1]."),
    ("a subject out of an insertion", "Per Holm leads Orvik AS [1]."),
    ("a phrase cut", "Orvik sold two boats [2]."),
    ("a phrase cut in a quote", '"Orvik sold two boats" [2].'),
    ("a hedge dropped", "Orvik buys Brevik [2]."),
    ("a hedge dropped around a quote", 'Orvik will "buy Brevik" [2].'),
    ("another number beside the quote", 'Orvik has 60 ships: "Orvik has 6 ships" [2].'),
    ("an unknown source", "Orvik has 6 ships [7]."),
    ("an unknown source beside a known one", "Orvik has 6 ships [2][9]."),
    ("citations exchanged within a sentence", '"Orvik has 6 ships" [1] and "Orvik moved to Hald" [2].'),
    ("two quotes that the model connects", '"Orvik has 6 ships" [2] because "Orvik moved to Hald" [1].'),
    ("a claim in a heading", "## Orvik has 60 ships\nOrvik has 6 ships [2]."),
    ("a claim in a question", "Did you know that Orvik has 60 ships? Orvik has 6 ships [2]."),
    ("two pieces of two sentences", "Ada Lind has 6 ships [2]."),
]


@pytest.mark.parametrize("answer", STRICT)
def test_an_answer_whose_every_claim_is_stated_is_strict(answer: str) -> None:
    found = judge(answer, SOURCES)
    assert found.audit_mode == "STRICT", found.why
    assert found.n_verified == found.n_quotes > 0
    assert found.unverified == found.unverified_quotes == found.violations == ()


@pytest.mark.parametrize(("what", "answer"), NOT_STRICT)
def test_an_answer_with_a_flaw_is_not_strict(what: str, answer: str) -> None:
    found = judge(answer, SOURCES)
    assert found.audit_mode != "STRICT", what
    assert found.violations
    assert found.why


@pytest.mark.parametrize(
    "answer", [each for each in STRICT if '"' not in each and "[" in each and "Sources" not in each]
)
def test_the_same_claims_are_strict_as_a_lattice(answer: str) -> None:
    assert lattice(answer.replace("[", "[E")).audit_mode == "STRICT"


@pytest.mark.parametrize(
    ("what", "answer"), [each for each in NOT_STRICT if '"' not in each[1] and each[1].count("[") == 1]
)
def test_the_same_flaws_show_in_a_lattice(what: str, answer: str) -> None:
    assert lattice(answer.replace("[", "[E")).audit_mode != "STRICT", what
    claims = [{"text": answer.split(" [")[0], "evidence_ids": ["E" + answer.split("[")[1][0]]}]
    assert lattice(json.dumps({"claims": claims}), "claim_lattice").audit_mode != "STRICT", what


def test_every_citation_is_a_span_of_the_episode_with_its_own_characters() -> None:
    for answer in STRICT:
        found = judge(answer, SOURCES)
        assert found.citations
        for cited in found.citations:
            source = SOURCES[cited.number - 1]
            assert cited.source_id == source.source_id
            start, end = cited.char_start - source.offset, cited.char_end - source.offset
            assert 0 <= start < end <= len(source.text)
            assert cited.quote == source.text[start:end]
            assert cited.sentence_start <= cited.answer_start < cited.answer_end <= cited.sentence_end <= len(answer)


def test_what_only_another_source_holds_is_a_mismatch_that_names_it() -> None:
    found = judge("Orvik has 6 ships [1].", SOURCES)
    assert found.audit_mode == "UNGROUNDED"
    [status] = found.claim_statuses
    assert (status["status"], status["suggest"]) == ("CITATION_MISMATCH", 2)
    assert found.unverified[0].suggest == 2
    quoted = judge('"Orvik has 6 ships" [1].', SOURCES)
    assert (quoted.unverified[0].status, quoted.unverified[0].suggest) == ("CITATION_MISMATCH", 2)
    assert quoted.unverified[0].reasons == ("not_in_cited_source",)
    assert lattice("Orvik has 6 ships [E1]").unverified[0].suggest == 2


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("Orvik has 60 ships [2].", "number_differs"),
        ("Orvik sold two ships to Brevik in 2021 [2].", "date_differs"),
        ("Orvik never sold two ships to Brevik [2].", "negation_differs"),
    ],
)
def test_a_contradicted_claim_is_a_mismatch_with_its_reason(answer: str, reason: str) -> None:
    [status] = judge(answer, SOURCES).claim_statuses
    assert (status["status"], status["reasons"]) == ("CITATION_MISMATCH", [reason])
    [status] = lattice(answer.replace("[2]", "[E2]")).claim_statuses
    assert (status["status"], status["reasons"]) == ("CITATION_MISMATCH", [reason])


def test_a_claim_supported_in_part_names_the_part_that_is_not() -> None:
    answer = "Orvik, hurt by steel prices, sold two ships [2]."
    found = judge(answer, SOURCES)
    assert found.audit_mode == "HYBRID"
    [span] = found.unverified
    assert (span.status, span.unsupported_part) == ("EVIDENCE_LINKED_PARTIAL", "hurt by steel prices")
    assert answer[span.start : span.end] == "hurt by steel prices"
    assert lattice(answer.replace("[2]", "[E2]")).claim_statuses[0]["unsupported_part"] == "hurt by steel prices"


def test_that_the_sources_hold_no_answer_is_an_answer() -> None:
    for mode in ("quote", "claim_lattice_pointer"):
        found = judge(NOT_IN_SOURCES, SOURCES, answer_mode=mode)
        assert (found.audit_mode, found.absent, found.violations, found.citations) == ("UNGROUNDED", True, (), ())
    assert not judge("", SOURCES).absent
    assert not judge("Orvik has 6 ships [2].", SOURCES).absent


def test_names_alone_are_hybrid_with_their_places() -> None:
    found = judge("Ada Lind and Per Holm met.", SOURCES)
    assert (found.audit_mode, found.verifier_method) == ("HYBRID", "entity")
    assert [cited.quote for cited in found.citations] == ["Ada Lind", "Per Holm"]
    assert judge("Ada Lind and Per Holm met.", SOURCES, policy={"entity_policy": "off"}).audit_mode == "UNGROUNDED"


def test_an_answer_about_something_else_than_the_question_is_not_strict() -> None:
    assert judge('"Ada Lind" [1].', SOURCES, question="Who leads Orvik?").audit_mode == "STRICT"
    found = judge('"Ada Lind" [1].', SOURCES, question="Who leads Brevik?")
    assert found.audit_mode == "HYBRID"
    assert [each["kind"] for each in found.violations] == ["SUBJECT_TOKENS_ABSENT"]
    two = [SourceText("s", "Ada Lind leads Orvik. Per Holm leads Brevik.")]
    assert judge('"Per Holm" [1].', two, question="Who leads Brevik?").audit_mode == "STRICT"
    assert judge('"Ada Lind" [1].', two, question="Who leads Brevik?").audit_mode == "HYBRID"


def test_of_several_occurrences_the_one_that_the_sentence_speaks_of_is_cited() -> None:
    text = "Ada Lind was born in Oslo. In 1990 Ada Lind founded Orvik."
    [cited] = judge('Orvik was founded by "Ada Lind" [1].', [SourceText("s", text)]).citations
    assert cited.char_start == text.rindex("Ada Lind")


def test_a_claim_is_found_in_a_long_source() -> None:
    long = "Nothing happened in the harbour that day. " * 400
    sources = [SourceText("s", long + FLEET + " " + long)]
    found = judge("Orvik sold two ships to Brevik in 2020 [1].", sources)
    assert found.audit_mode == "STRICT"
    assert found.citations[0].quote == "In 2020 Orvik sold two ships to Brevik."
    assert judge("Orvik has 60 ships [1].", sources).claim_statuses[0]["reasons"] == ["number_differs"]


def test_the_policy_reaches_the_verifiers() -> None:
    answer = "Orvik has 6 ships [E2, E1]"
    assert judge(answer, SOURCES, answer_mode="claim_lattice_pointer").audit_mode != "UNGROUNDED"
    strict = judge(answer, SOURCES, answer_mode="claim_lattice_pointer", policy={"min_citation_coverage": 0.9})
    assert strict.n_verified < strict.n_quotes


def test_the_evidence_map_of_the_prompt_is_the_one_that_ids_are_of() -> None:
    chunks = [
        {"source_root": s.source_id, "document_uri": s.source_id, "chunk_idx": 3, "chunk_root": "c", "span": s.text}
        for s in SOURCES
    ]
    built = build_evidence_map(chunks)
    found = judge("Orvik has 6 ships [E2]", SOURCES, answer_mode="claim_lattice_pointer", evidence_map=built)
    assert found.evidence_id_pairs == ((built[1].evidence_id,),)
    with pytest.raises(ValueError, match="the evidence map has 1 objects for 2 sources"):
        judge("x", SOURCES, answer_mode="claim_lattice_pointer", evidence_map=built[:1])


def test_an_unknown_answer_mode_is_refused() -> None:
    with pytest.raises(ValueError, match="'prose' is no answer mode; known: quote, claim_lattice_pointer"):
        judge("x", SOURCES, answer_mode="prose")


def test_without_sources_nothing_is_verified() -> None:
    assert judge("Orvik has 6 ships [1].", []).audit_mode == "UNGROUNDED"
    assert judge("Orvik has 6 ships [E1]", [], answer_mode="claim_lattice_pointer").audit_mode == "UNGROUNDED"


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet='"[]12E., \nOrvikhasships6–“”', max_size=80), st.sampled_from(ANSWER_MODES))
def test_any_answer_has_a_verdict_that_goes_into_json(answer: str, mode: str) -> None:
    found = judge(answer, SOURCES, answer_mode=mode)
    assert json.loads(json.dumps(found.to_dict()))["audit_mode"] == found.audit_mode
    assert 0 <= found.n_verified <= found.n_quotes
    for span in found.unverified:
        assert 0 <= span.start <= span.end <= len(answer)
    if found.audit_mode == "STRICT":
        assert found.citations
        assert not found.unverified
        assert not found.violations


CASES = Path(__file__).with_name("verdict_cases.jsonl")


@pytest.mark.parametrize(
    "line", CASES.read_text(encoding="utf-8").splitlines(), ids=lambda line: json.loads(line)["id"]
)
def test_a_reported_case_has_its_verdict(line: str) -> None:
    case = json.loads(line)
    sources = [SourceText(name, text) for name, text in sorted(case["sources"].items())]
    [status] = judge(case["answer"], sources).claim_statuses
    for name, expected in case["expected"].items():
        assert status[name] == expected


def test_why_names_the_first_of_several_and_shows_that_it_is_cut() -> None:
    long = "Orvik has 60 ships, " + "and 60 more ships, " * 6 + "so they say"
    why = judge(f"{long} [2]. The pump draws 7 kW [2].", SOURCES).why
    assert why.startswith(f"'{long[:79]}…' and 1 more are not verified: ")
    assert judge("The pump draws 7 kW [2].", SOURCES).why == "'The pump draws 7 kW.' is not verified: number differs"


def test_an_answer_of_thousands_of_sentences_is_judged_in_one_pass_over_its_quotes() -> None:
    quote_places.cache_clear()
    said = '"Orvik has 6 ships" [1]. Orvik has 6 ships [1]. ' * 2_000
    verdict = judge(said, [SourceText("s", "Orvik has 6 ships.")])
    assert (verdict.audit_mode, verdict.n_verified) == ("STRICT", 4_000)
    assert quote_places.cache_info().misses < 20
