"""Which sentences of an answer claim something, and which texts are the same."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemacast.claims import answer_sentences, claim_sentences, fold_claim


def kinds(answer: str) -> list[tuple[str, str]]:
    return [(answer[each.start : each.end], each.kind) for each in answer_sentences(answer)]


def test_framing_headings_and_questions_claim_nothing() -> None:
    answer = (
        "## Ships\nHere is what I found:\n- Orvik has 6 ships. [E1]\n- It moved.[2]\nWho leads it?\nI hope this helps!"
    )
    assert kinds(answer) == [
        ("Ships", "framing"),
        ("Here is what I found:", "framing"),
        ("Orvik has 6 ships. [E1]", "claim"),
        ("It moved.[2]", "claim"),
        ("Who leads it?", "question"),
        ("I hope this helps!", "framing"),
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        *("Here is what I found:", "According to the sources:", "The answer is as follows:", "Based on the context,"),
        *("Hier ist die Antwort:", "Voici la réponse :", "Aquí está la respuesta:"),
        "Let me know if you need anything else.",
    ],
)  # fmt: skip
def test_a_sentence_about_the_answer_is_framing(sentence: str) -> None:
    assert [kind for _, kind in kinds(sentence)] == ["framing"]


@pytest.mark.parametrize(
    "sentence",
    [
        "Here is what Orvik found:",
        "The answer is 6.",
        "The sources say that ships sank.",
        "Yes.",
        "Based on luck, it won.",
    ],
)
def test_one_name_number_or_other_word_makes_a_claim(sentence: str) -> None:
    assert "claim" in [kind for _, kind in kinds(sentence)]


def test_a_lead_in_is_cut_off_a_claim() -> None:
    assert kinds("Here is what I found: Orvik has 60 ships [1].") == [
        ("Here is what I found:", "framing"),
        ("Orvik has 60 ships [1].", "claim"),
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        *("Not in the sources.", "The sources do not say.", "I could not find this in the provided documents."),
        *("I don't know.", "Das steht nicht in den Quellen.", "Les sources ne le disent pas."),
        *("The answer is not in the sources.", "There is no information in the context."),
        *("The context does not contain the answer.", "Las fuentes no lo mencionan."),
        "No está en las fuentes.",
        "資料に記載がありません。",
    ],
)  # fmt: skip
def test_that_there_is_no_answer_is_an_absence(sentence: str) -> None:
    assert [kind for _, kind in kinds(sentence)] == ["absence"]


@pytest.mark.parametrize(
    "sentence", ["Orvik is not in the sources of the Rhine.", "The sources do not mention six ships."]
)
def test_an_absence_that_says_more_is_a_claim(sentence: str) -> None:
    assert [kind for _, kind in kinds(sentence)] == ["claim"]


def test_folding_ignores_what_locate_ignores() -> None:
    assert fold_claim("  “Orvik  HAS 6 ships.” [1]") == fold_claim("Orvik has 6 ships")
    assert fold_claim("Sales fell by −5 %") != fold_claim("Sales fell by 5 %")
    assert fold_claim("-5 degrees") == "-5 degrees"
    assert fold_claim("up 5%") == "up 5%"
    assert fold_claim(".5 percent voted") != fold_claim("5 percent voted")
    assert fold_claim("“-.5 degrees”") == "-.5 degrees"
    assert fold_claim("…5 people") == fold_claim("...5 people") == fold_claim("5 people")


@settings(max_examples=80, deadline=None)
@given(st.text(alphabet="aB. \n-[1]:?!#“”1", max_size=80))
def test_sentences_are_in_order_without_overlap_and_not_blank(answer: str) -> None:
    end = 0
    for each in answer_sentences(answer):
        assert end <= each.start < each.end <= len(answer)
        assert answer[each.start : each.end].strip()
        end = each.end
    assert set(claim_sentences(answer)) <= {(each.start, each.end) for each in answer_sentences(answer)}
