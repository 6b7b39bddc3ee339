"""The three things that are not left to the model, by table and for any classification it may give."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemacast.attribution.corrections import corrected

SAID = ["direct", "paraphrase", "contradiction", "none"]
SAME = [
    ("Orvik AS has 6 ships.", "Orvik AS has 6 ships."),
    ("Orvik AS has 6 ships.", "“ORVIK as  has 6 ships”"),
    ("Ørvik har 6 skip", "Ørvik har 6 skip!"),
    ("Orvik AS does not have 6 ships.", "Orvik AS does not have 6 ships"),
    ("オルビク社は6隻の船を持つ。", "オルビク社は6隻の船を持つ"),
]
OTHER_NUMBER = [
    ("Orvik AS has 6 ships.", "Orvik AS has 60 ships."),
    ("Orvik AS has 6 ships.", "The fleet of Orvik AS counts seven ships."),
    ("The bridge is 6 km long.", "The bridge is 6 miles long."),
    ("The plant makes 5 MW.", "The plant makes 5 kW."),
    ("Prices rose by 6.2 percent.", "Prices rose by 2.6 percent."),
    ("Orvik was founded in 1998.", "Orvik was founded in 1989."),
    ("The vote was on 3 March 2026.", "The vote was on 4 March 2026."),
    ("It fell to -5 degrees.", "It fell to 5 degrees."),
    ("Orvik AS hat 6 Schiffe.", "Orvik AS hat sieben Schiffe."),
    ("Orvik a 6 navires.", "Orvik a sept navires."),
]
NEGATED = [
    ("Orvik AS has 6 ships.", "Orvik AS does not have 6 ships."),
    ("Orvik AS has 6 ships.", "It is false that Orvik AS has 6 ships."),
    ("Orvik AS has 6 ships.", "Ada Lind denied that Orvik AS has 6 ships."),
    ("Orvik AS never sold a ship.", "Orvik AS sold a ship."),
    ("Orvik AS hat 6 Schiffe.", "Orvik AS hat keine 6 Schiffe."),
    ("Orvik a 6 navires.", "Orvik n'a pas 6 navires."),
]
NEITHER = [
    ("Orvik AS has 6 ships.", "Orvik AS has six ships in its fleet."),
    ("The bridge is 6 km long.", "The bridge measures 6,000 m."),
    ("About 40 people came.", "41 people came."),
    ("Orvik AS has 6 ships.", "Orvik AS has 6 ships and 40 people."),
    ("Orvik did not sell.", "Orvik has not sold."),
]


@pytest.mark.parametrize(("claim", "quote"), SAME)
@pytest.mark.parametrize("said", SAID)
def test_a_quote_that_equals_the_claim_after_folding_is_always_direct(claim: str, quote: str, said: Any) -> None:
    found = corrected(claim, quote, said)
    assert found.attribution == "direct"
    assert (found.correction is None) is (said == "direct")
    assert said == "direct" or f"from {said} to direct" in str(found.correction)


@pytest.mark.parametrize(("claim", "quote"), OTHER_NUMBER)
@pytest.mark.parametrize("said", SAID)
def test_a_number_date_or_unit_that_the_quote_contradicts_is_never_direct(claim: str, quote: str, said: Any) -> None:
    found = corrected(claim, quote, said)
    assert found.attribution == (None if said == "none" else "contradiction")
    assert (found.correction is None) is (said in ("none", "contradiction"))
    if found.correction:
        assert "differs" in found.correction
        assert "in the claim" in found.correction


@pytest.mark.parametrize(("claim", "quote"), NEGATED)
@pytest.mark.parametrize("said", SAID)
def test_a_negation_on_one_side_only_is_never_direct_or_paraphrase(claim: str, quote: str, said: Any) -> None:
    found = corrected(claim, quote, said)
    assert found.attribution == (None if said == "none" else "contradiction")
    if said in ("direct", "paraphrase"):
        assert found.correction is not None
        assert f"Corrected from {said} to contradiction: a negation stands on one side only" in found.correction


@pytest.mark.parametrize(("claim", "quote"), NEITHER)
@pytest.mark.parametrize("said", SAID)
def test_what_no_rule_decides_is_the_models_to_say(claim: str, quote: str, said: Any) -> None:
    found = corrected(claim, quote, said)
    assert found.attribution == (None if said == "none" else said)
    assert found.correction is None


def test_a_correction_shows_both_sides() -> None:
    told = corrected("Orvik AS has 6 ships.", "The fleet of Orvik AS counts 60 ships.", "direct").correction
    assert told == ("Corrected from direct to contradiction: the number differs, “6” in the claim, “60” in the quote.")


def test_a_relative_date_is_read_from_the_day_the_source_was_published() -> None:
    claim, quote = "The ship sailed on 3 March 2026.", "The ship sailed yesterday."
    assert corrected(claim, quote, "direct", reference=datetime(2026, 3, 4, tzinfo=UTC)).attribution == "direct"
    assert corrected(claim, quote, "direct", reference=datetime(2026, 3, 9, tzinfo=UTC)).attribution == "contradiction"
    assert corrected(claim, quote, "direct").attribution == "direct"


@given(st.text(max_size=80), st.text(max_size=80), st.sampled_from(SAID))
def test_no_text_breaks_a_correction_and_it_never_invents_support(claim: str, quote: str, said: Any) -> None:
    found = corrected(claim, quote, said)
    supports = found.attribution in ("direct", "paraphrase")
    if supports and said in ("contradiction", "none"):
        assert "the quote is the claim itself" in str(found.correction)
    assert (found.correction is None) is (found.attribution == (None if said == "none" else said))


@pytest.mark.parametrize("said", ["none", "paraphrase", "contradiction"])
def test_a_question_in_a_source_is_not_the_claim_itself(said: Any) -> None:
    found = corrected("Orvik AS has 6 ships.", "Orvik AS has 6 ships?", said)
    assert found.attribution == (None if said == "none" else said)
