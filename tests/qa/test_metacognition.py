"""Each detector of preflight, what it leaves alone, and what the state makes of their findings."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemacast.qa.keys import question_hash
from schemacast.qa.metacognition import (
    detect_contradiction,
    detect_false_premise,
    detect_out_of_corpus,
    detect_temporal_sensitivity,
    preflight_question,
)


@pytest.mark.parametrize(
    ("question", "tokens"),
    [
        ("Who is the current CEO of Orvik?", ("current", "CEO")),
        ("What is the latest price?", ("latest",)),
        ("Who is the president of Norway?", ("president",)),
        ("Wer ist derzeit Bürgermeister?", ("derzeit", "Bürgermeister")),
        ("Quel est actuellement le taux ?", ("actuellement",)),
        ("¿Quién es hoy el alcalde?", ("hoy", "alcalde")),
        ("現在の社長は誰？", ("現在", "社長")),
    ],
)
def test_words_of_the_present_and_roles_that_change_hands_make_a_question_sensitive(
    question: str, tokens: tuple[str, ...]
) -> None:
    assert detect_temporal_sensitivity(question) == ("high", tokens)


@pytest.mark.parametrize("question", ["Who was president in 1961?", "Who founded Orvik?", "What is snow?", ""])
def test_a_role_with_its_year_and_a_plain_fact_are_not_sensitive(question: str) -> None:
    assert detect_temporal_sensitivity(question) == ("low", ())


def test_both_terms_of_a_pair_contradict_and_one_does_not() -> None:
    assert detect_contradiction("Who is the UNMARRIED man's spouse?") == (("unmarried", "spouse"),)
    assert detect_contradiction("Why is it always late and sometimes not?") == (("always", "sometimes not"),)
    assert detect_contradiction("Who is the unmarried man?") == ()
    assert detect_contradiction("Is the spousebot unmarried?") == ()


@pytest.mark.parametrize(
    ("question", "kind", "subject", "predicate"),
    [
        ("When did Orvik stop selling ships?", "stopped_doing", "Orvik", "selling ships"),
        ("Why did the strike cause the collapse of Orvik?", "caused", "the strike", "the collapse of Orvik"),
        ("Does Orvik still sell ships?", "still_doing", "Orvik", "sell ships"),
        ("Why did Orvik regret the merger?", "regretted", "Orvik", "the merger"),
        ("Why did Orvik fail to deliver?", "failed_to", "Orvik", "deliver"),
    ],
)
def test_a_premise_is_named_with_its_subject_and_predicate(
    question: str, kind: str, subject: str, predicate: str
) -> None:
    [hint] = detect_false_premise(question)
    assert (hint["kind"], hint["subject"], hint["predicate"]) == (kind, subject, predicate)
    assert subject in hint["presupposition"]
    assert predicate in hint["presupposition"]


@pytest.mark.parametrize("question", ["Who leads Orvik?", "When was Orvik founded?", "Why was Orvik founded?", ""])
def test_a_question_without_a_premise_has_none(question: str) -> None:
    assert detect_false_premise(question) == ()


@pytest.mark.parametrize(
    "question",
    [
        *("What does my uploaded contract say?", "Summarize the file I attached", "Who wrote our internal notes?"),
        *("Was steht in meiner Datei?", "Que dit mon contrat ?", "¿Qué dice mi archivo?", "私のメモの内容は？"),
    ],
)
def test_a_document_of_the_askers_own_is_in_no_corpus(question: str) -> None:
    assert detect_out_of_corpus(question)


@pytest.mark.parametrize("question", ["What does the contract say?", "Who uploaded the first video?", "My name?", ""])
def test_a_document_of_others_may_be_in_the_corpus(question: str) -> None:
    assert not detect_out_of_corpus(question)


def test_a_plain_question_is_well_formed() -> None:
    state = preflight_question("Who founded Orvik?")
    assert state.logical_statuses == ("well_formed",)
    assert state.preflight_result == "PREFLIGHT_OK"
    assert state.question_hash == question_hash("Who founded Orvik?")
    assert (state.corpus_requirement, state.classifier_version) == ("any", "metacognition-v0.1")
    assert state.answer_constraints == {"max_claims": 3}


@pytest.mark.parametrize(
    ("question", "frames", "status"),
    [
        ("Who?", (), "under_specified"),
        ("When did Orvik stop selling ships?", (), "false_premise_suspected"),
        ("Is the bachelor's wife old?", (), "contradictory_question"),
        ("What does my uploaded file say?", (), "out_of_corpus_risk"),
        ("Who is the CEO of Orvik?", (), "stale_risk"),
        ("How old is Batman?", ("film", "comic"), "reference_frame_ambiguous"),
        ("Name all ships in the world", (), "broad_quantifier_unbounded"),
    ],
)
def test_each_finding_is_a_status_and_labels_without_blocking(
    question: str, frames: tuple[str, ...], status: str
) -> None:
    state = preflight_question(question, reference_frames=frames)
    assert status in state.logical_statuses
    assert state.preflight_result == "PREFLIGHT_PARTIAL"
    blocked = preflight_question(question, reference_frames=frames, policy={"block_on": [status]})
    assert blocked.preflight_result == "PREFLIGHT_BLOCKED"


@pytest.mark.parametrize(
    ("switch", "question"),
    [
        ("temporal_check_enabled", "Who is the current captain?"),
        ("contradiction_check_enabled", "Is the bachelor's wife old?"),
        ("false_premise_check_enabled", "When did Orvik stop selling ships?"),
        ("out_of_corpus_check_enabled", "What does my uploaded file say?"),
        ("quantifier_check_enabled", "Name all ships in the world"),
    ],
)
def test_a_policy_switches_a_detector_off(switch: str, question: str) -> None:
    assert preflight_question(question).logical_statuses != ("well_formed",)
    state = preflight_question(question, policy={switch: False})
    assert state.logical_statuses == ("well_formed",)
    assert state.preflight_policy_hash != preflight_question(question).preflight_policy_hash


def test_the_constraints_follow_from_the_findings() -> None:
    assert preflight_question("Name 5 ships").answer_constraints["max_claims"] == 5
    assert preflight_question("Name 500 ships").answer_constraints["max_claims"] == 12
    assert preflight_question("Who is the CEO?").answer_constraints["state_date_of_sources"] is True
    assert preflight_question("When did Orvik stop it?").answer_constraints["check_presupposition"] is True


def test_the_corpus_boundaries_and_every_argument_are_in_the_policy_hash() -> None:
    states = [
        preflight_question("Who leads Orvik?"),
        preflight_question("Who leads Brevik?"),
        preflight_question("Who leads Orvik?", model_profile_id="m"),
        preflight_question("Who leads Orvik?", corpus_profile={"corpus_latest_timestamp": "2003-05-16"}),
        preflight_question("Who leads Orvik?", reference_frames=("film",)),
    ]
    assert len({state.preflight_policy_hash for state in states}) == len(states)
    assert states[3].known_boundaries == ("corpus_latest_timestamp=2003-05-16",)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=80))
def test_a_state_is_the_same_each_time_and_goes_into_json(question: str) -> None:
    state = preflight_question(question)
    assert state == preflight_question(question)
    assert json.loads(json.dumps(state.to_dict()))["logical_statuses"] == list(state.logical_statuses)
