"""Each rung of the quantifier ladder, which of two wins, and what is no quantifier."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemacast.qa import quantifier
from schemacast.qa.quantifier import classify_question_quantifier

RUNGS = {
    "ABSENT": ["Which planets have no moons?", "Welche Schiffe haben keine Crew?", "Quel navire n'a aucun équipage ?"],
    "SINGULAR": [
        *("Who leads Orvik?", "What is Building 11?", "Who led Orvik in 2019?", "How many ships are there?"),
        *("Was there a 6 kW motor?", "Who has the most ships?", "Did it rain at all?", "Wie viele Schiffe hat Orvik?"),
    ],
    "PROPORTIONAL": ["Do most ships float?", "Is half of the fleet sold?", "La plupart des navires flottent-ils ?"],
    "SMALL_NUM_EXPLICIT": ["What are the top 3 ships?", "Name seven ships", "Nenne drei Schiffe", "Cita dos barcos"],
    "COMPARATIVE_BOUND": [
        "Which cities have at least 5 ships?",
        "Nomme au moins trois navires",
        "Who owns over 9 boats?",
    ],
    "FEW": ["Name some ships", "Can you give a few examples?", "Nenne einige Schiffe", "Algunos barcos?"],
    "MANY": ["What are the many uses of tar?", "Welche zahlreichen Häfen gibt es?"],
    "ALL": ["Which are all the ports?", "Is every ship old?", "Wo liegen alle Häfen?", "オルビクのすべての船は？"],
    "COMPREHENSIVE": ["Give me a complete list of ships", "tell me everything", "Liste complète des navires"],
    "OPEN_REQUEST": ["Tell me about tar", "Describe the port", "Explain tides", "Beschreibe den Hafen", "港を説明"],
}
CASES = [(rung, question) for rung, questions in RUNGS.items() for question in questions]


@pytest.mark.parametrize(("rung", "question"), CASES)
def test_a_question_stands_on_its_rung(rung: str, question: str) -> None:
    found = classify_question_quantifier(question)
    assert found["intensity"] == rung
    assert found["is_broad"] == (rung in ("ALL", "COMPREHENSIVE", "OPEN_REQUEST"))
    assert found["operational_shape"] == quantifier.OPERATIONAL_SHAPES[rung]
    assert isinstance(found["matched_token"], str)
    assert str(found["matched_token"]) in question


def test_the_ladder_has_ten_rungs_in_order() -> None:
    assert (
        *("SINGULAR", "ABSENT", "PROPORTIONAL", "SMALL_NUM_EXPLICIT", "COMPARATIVE_BOUND"),
        *("FEW", "MANY", "ALL", "COMPREHENSIVE", "OPEN_REQUEST"),
    ) == quantifier._RUNG_PRIORITY
    assert set(RUNGS) == set(quantifier._RUNG_PRIORITY) == set(quantifier.OPERATIONAL_SHAPES)


@pytest.mark.parametrize(
    ("question", "rung"),
    [
        ("tell me about all the planets", "OPEN_REQUEST"),
        ("complete list of all ships", "COMPREHENSIVE"),
        ("all of the many ships", "ALL"),
        ("some of the 3 ships", "FEW"),
        ("which 3 ships have no crew", "SMALL_NUM_EXPLICIT"),
    ],
)
def test_of_several_rungs_the_broader_one_wins(question: str, rung: str) -> None:
    assert classify_question_quantifier(question)["intensity"] == rung


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("top 3 ships", 3),
        ("seven ships", 7),
        ("at least 5 ships", 5),
        ("no more than 12 ships", 12),
        ("all ships", None),
    ],
)
def test_the_number_is_kept_where_a_number_bounds(question: str, count: int | None) -> None:
    assert classify_question_quantifier(question)["explicit_count"] == count


@pytest.mark.parametrize("question", ["", "   ", "\n", "???"])
def test_a_question_without_words_is_singular_without_a_token(question: str) -> None:
    found = classify_question_quantifier(question)
    assert (found["intensity"], found["matched_token"], found["explicit_count"]) == ("SINGULAR", None, None)


@pytest.mark.parametrize(
    ("question", "hint"),
    [
        ("List all the ships", "unknown"),
        ("List all the ships of Orvik", "bounded"),
        ("List all the ships in the report", "bounded"),
        ("Every ship in the world", "unbounded"),
        ("Who leads it?", "bounded"),
    ],
)
def test_the_scope_is_bounded_by_a_name_or_a_text(question: str, hint: str) -> None:
    assert classify_question_quantifier(question)["scope_bound_hint"] == hint


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=80))
def test_any_text_has_a_rung(question: str) -> None:
    found = classify_question_quantifier(question)
    assert found["intensity"] in quantifier._RUNG_PRIORITY
    assert found == classify_question_quantifier(question)


@pytest.mark.parametrize("question", ["Name the top 3 ships", "List the 3 ships of Orvik"])
def test_naming_a_number_of_things_is_no_request_for_all(question: str) -> None:
    found = classify_question_quantifier(question)
    assert (found["intensity"], found["explicit_count"], found["is_broad"]) == ("SMALL_NUM_EXPLICIT", 3, False)
    assert classify_question_quantifier("Name the ships of Orvik")["intensity"] == "ALL"
