"""What could be checked: no question, and a number or a proper noun."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemacast.attribution import is_verifiable_claim
from schemacast.attribution.checkable import is_question, only_asks

CHECKABLE = [
    "Orvik has 6 ships.",
    "Orvik has six ships",
    "the fleet grew by 12.5 percent",
    "Paris is the capital of France.",
    "Orvik sells ships",
    "Siemens won the contract",
    "iPhone sales fell",
    "NATO met",
    "He met Ada Lind.",
    "Die Reederei Orvik besitzt Schiffe.",
    "La flotte compte six navires",
    "オルビク社は船を持っている。",
    "Эльбрус выше.",
    "القاهرة عاصمة مصر",
    "Half of it was lost",
    "Beijing banned cars.",
    "Florence is large.",
    "Climate change is real, Ada Lind said.",
]
NOT_CHECKABLE = [
    "",
    "   ",
    "The economy is bad.",
    "Taxes are too high",
    "I think it is great",
    "You should vote",
    "people like dogs",
    "Dogs are better than cats.",
    "It's beautiful, and I'm sure of it",
    "This is the best of all.",
    "вода мокрая",
    "les gens sont fatigués",
    "Coffee is good for you.",
    "Unemployment fell.",
    "Climate change is real.",
    "Swimming keeps you fit.",
    "Happiness is all that counts.",
]
QUESTIONS = [
    "Does Orvik have 6 ships?",
    "Does Orvik have 6 ships",
    "Is Paris the capital of France",
    "Orvik has 6 ships?",
    "“Orvik has 6 ships?”",
    "¿Tiene Orvik 6 barcos?",
    "オルビクは6隻の船を持っていますか。",
    "هل لدى Orvik 6 سفن؟",
    "Orvik 有 6 艘船？",
]


@pytest.mark.parametrize("claim", CHECKABLE)
def test_a_claim_with_a_number_or_a_name_can_be_checked(claim: str) -> None:
    assert is_verifiable_claim(claim)


@pytest.mark.parametrize("claim", [*NOT_CHECKABLE, *QUESTIONS])
def test_a_question_or_a_claim_without_either_cannot(claim: str) -> None:
    assert not is_verifiable_claim(claim)


@pytest.mark.parametrize("text", QUESTIONS)
def test_a_question_is_told_from_a_statement(text: str) -> None:
    assert is_question(text)
    assert only_asks(f"{text.rstrip('?')}? Why?" if text.isascii() else text)


def test_a_text_with_a_statement_beside_its_question_does_not_only_ask() -> None:
    assert not only_asks("Did you know? Orvik has 6 ships.")
    assert not only_asks("")


@given(st.text(max_size=200))
def test_any_text_is_told_without_an_error_and_no_question_is_checkable(text: str) -> None:
    assert isinstance(is_verifiable_claim(text), bool)
    assert not is_verifiable_claim(f"{text}?")
