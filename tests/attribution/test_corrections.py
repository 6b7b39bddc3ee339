"""The three things that are not left to the model, by table and for any classification it may give."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
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
    ("World War II ended in Hald.", "World War I ended in Hald."),
    ("King Harald V visited Hald.", "King Harald IV visited Hald."),
    ("Phase III of the trial ended.", "Phase II of the trial ended."),
    ("The G7 met in Hald.", "The G20 met in Hald."),
    ("Orvik makes a test for H5N1.", "Orvik makes a test for H1N1."),
    ("COVID-19 reached Hald.", "COVID-21 reached Hald."),
    ("Die A2 führt nach Hald.", "Die A46 führt nach Hald."),
    ("Orvik doubled its profit.", "Orvik tripled its profit."),
    ("The profit of Orvik halved.", "The profit of Orvik doubled."),
    ("Orvik verdoppelte den Gewinn.", "Orvik verdreifachte den Gewinn."),
    ("The plant opened in spring 2025.", "The plant opened in the autumn of 2025."),
    ("Das Werk öffnete im Herbst 2025.", "Das Werk öffnete im Frühjahr 2025."),
    ("Rome fell in 476 AD.", "Rome fell in 476 BC."),
    ("Rom fiel 476 v. Chr.", "Rom fiel 476 n. Chr."),
    ("Rome est tombée en 476.", "Rome est tombée en 476 av. J.-C."),
    ("At least 100 people came to Hald.", "At most 100 people came to Hald."),
    ("More than 100 people came.", "Fewer than 100 people came."),
    ("The plant in Hald makes 5 MW.", "The plant in Hald makes 5 mW."),
    ("A third of the members left Orvik.", "Two thirds of the members left Orvik."),
    ("The bill was passed 14 to 7.", "The bill was passed 7 to 14."),
    ("Orvik moved 20 of its 30 ships.", "Orvik moved 30 of its 20 ships."),
    ("The film won four awards.", "The film won 3 of the 8 awards that it was nominated for."),
    ("The mayor won 52 percent of the vote.", "The mayor won with 48 percent of the vote."),
    ("The meeting in Hald began at 3 pm.", "The meeting in Hald began at 3 am."),
    ("Turnover was €12 million.", "Turnover was $12 million."),
    ("委员会有十二艘船。", "委员会有二十艘船。"),
    ("オルビク社は6隻の船を持つ。", "オルビク社は7隻の船を持つ。"),
]
NEGATED = [
    ("Orvik AS has 6 ships.", "Orvik AS does not have 6 ships."),
    ("Orvik AS has 6 ships.", "It is false that Orvik AS has 6 ships."),
    ("Orvik AS has 6 ships.", "Ada Lind denied that Orvik AS has 6 ships."),
    ("Orvik AS never sold a ship.", "Orvik AS sold a ship."),
    ("Orvik AS hat 6 Schiffe.", "Orvik AS hat keine 6 Schiffe."),
    ("Orvik a 6 navires.", "Orvik n'a pas 6 navires."),
    ("Orvik AS has 6 ships.", "Orvik AS has no 6 ships."),
    ("Orvik AS has sold 6 ships.", "Orvik AS hasnt sold 6 ships."),
    ("El consejo aprobó el puente.", "El consejo nunca aprobó el puente."),
    ("Il consiglio ha approvato il ponte.", "Il consiglio non ha approvato il ponte."),
    ("O conselho não aprovou a ponte.", "O conselho aprovou a ponte."),
    ("De raad heeft de brug goedgekeurd.", "De raad heeft de brug niet goedgekeurd."),
    ("Rådet har godkjent broen.", "Rådet har ikke godkjent broen."),
    ("Совет утвердил мост.", "Совет не утвердил мост."),
    ("委员会批准了这座桥。", "委员会没有批准这座桥。"),
    ("理事会は橋を承認した。", "理事会は橋を承認しなかった。"),
    ("وافق المجلس على الجسر.", "لم يوافق المجلس على الجسر."),
    ("Orvik sold the ship.", "No, Orvik did not sell the ship."),
    ("Orvik sold the ship.", "Orvik has yet to sell the ship."),
    ("Orvik sold the ship.", "Orvik stopped short of selling the ship."),
    ("Orvik sold the ship.", "Orvik rarely sold the ship."),
    ("Orvik sold the ship.", "Orvik sold the ship. False!"),
    ("Orvik sold the ship.", "Ada Lind spoke. It is false that Orvik sold the ship."),
    ("Orvik ist insolvent.", "Dass Orvik insolvent ist, ist falsch."),
    ("The mayor resigned.", "Contrary to reports, the mayor did not resign."),
    ("The plant opened.", "The plant did not open."),
    ("Orvik stopped the sale of Brevik.", "Orvik did not stop the sale of Brevik."),
    ("Orvik sailed with cargo.", "Orvik sailed without cargo."),
]
AFFIRMED = [
    # what is denied is something else, or nothing; and numbers that stand beside the claim's are others' or the same
    ("The film won three awards.", "The film won 3 of the 8 awards that it was nominated for."),
    ("Der Film gewann drei Preise.", "Der Film gewann 3 von 8 Preisen."),
    ("The council approved it by 14 votes to 7.", "The vote was 14-7 in favour."),
    ("The council approved it by 14 votes to 7.", "Fourteen of 21 councillors were for it; seven were not."),
    ("The council approved the bridge.", "Without any debate the council approved the bridge."),
    ("The council approved the bridge.", "The council did not hesitate to approve the bridge."),
    ("The council approved the bridge.", "The council, which had not met since May, approved the bridge."),
    ("The council approved the bridge.", "Nobody was surprised when the council approved the bridge."),
    ("The council approved the bridge.", "No debate took place before the council approved the bridge."),
    ("De raad heeft de brug goedgekeurd.", "De raad heeft zonder debat de brug goedgekeurd."),
    ("Le conseil a approuvé le pont.", "Le conseil n'a pas hésité à approuver le pont."),
    ("The court did not grant the appeal.", "The court rejected the appeal."),
]
LESS = [
    # neither contradicts the claim, and neither states it
    ("The plant opened on 3 March 2026.", "The plant opened in March 2026.", "“3 March 2026” stands in the claim"),
    ("In 2025 Havgul carried 1.2 million people.", "Havgul carried 1.2 million people.", "“2025” stands in the claim"),
    ("Growth in Hald was 5%.", "Growth in Hald was 5.", "states it less sharply"),
    ("Orvik AS has 6 ships.", "Orvik AS has at least 6 ships.", "states it less sharply"),
    ("Orvik AS has 6 ships.", "The fleet of Orvik AS is large.", "does not state it"),
    ("Orvik sold two ships.", "Orvik sold two ships without telling Brevik.", "denied in the quote alone"),
    ("The drug of Orvik is not safe.", "The drug of Orvik is unsafe.", "denied in the claim alone"),
]
NEITHER = [
    ("Orvik AS has 6 ships.", "Orvik AS has six ships in its fleet."),
    ("The bridge is 6 km long.", "The bridge measures 6,000 m."),
    ("About 40 people came.", "41 people came."),
    ("Orvik AS has 6 ships.", "Orvik AS has 6 ships and 40 people."),
    ("Orvik did not sell.", "Orvik has not sold."),
    ("About 100 people came to Hald.", "98 people came to Hald."),
    ("100 people came to Hald.", "About 100 people came to Hald."),
    ("One of the ships of Orvik sank.", "A ship of Orvik sank."),
    ("World War II ended in Hald.", "World War II ended in Hald, when Harald V came."),
    ("Orvik doubled its profit.", "Profit at Orvik has doubled."),
    ("Vitamin C was found in Hald.", "In Hald Vitamin C was found by Harald V."),
    ("The plant opened in spring 2025.", "In spring 2025 the plant opened; it closed in winter 2026."),
    ("Rome fell in 476 BC.", "In 476 BC Rome fell."),
    ("The G7 met in Hald.", "In Hald the G20 and the G7 met."),
    ("Covid-19 reached Hald.", "COVID-19 reached Hald on the A2."),
    ("Orvik paid EUR5m to Brevik.", "Orvik paid EUR 5 million to Brevik."),
    ("The mayor won 52 percent of the vote.", "The mayor took 52% of the vote."),
    ("Rome fell in 476 AD.", "Rome fell in AD 476."),
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


@pytest.mark.parametrize(("claim", "quote"), AFFIRMED)
def test_what_only_seems_to_differ_leaves_a_paraphrase_one(claim: str, quote: str) -> None:
    assert corrected(claim, quote, "paraphrase").attribution == "paraphrase"


@pytest.mark.parametrize(("claim", "quote", "why"), LESS)
def test_a_quote_that_states_less_is_not_direct_and_contradicts_nothing(claim: str, quote: str, why: str) -> None:
    found = corrected(claim, quote, "direct")
    assert found.attribution == "paraphrase"
    assert found.correction is not None
    assert found.correction.startswith("Corrected from direct to paraphrase: ")
    assert why in found.correction
    for said in ("paraphrase", "contradiction", "none"):
        assert corrected(claim, quote, said).correction is None  # type: ignore[arg-type]


def test_a_score_the_other_way_round_is_not_direct() -> None:
    assert (
        corrected("The council approved it by 14 votes to 7.", "The vote was 7-14.", "direct").attribution != "direct"
    )


def test_a_correction_shows_both_sides() -> None:
    told = corrected("Orvik AS has 6 ships.", "The fleet of Orvik AS counts 60 ships.", "direct").correction
    assert told == ("Corrected from direct to contradiction: the number differs, “6” in the claim, “60” in the quote.")


def test_a_relative_date_is_read_from_the_day_the_source_was_published() -> None:
    claim, quote = "The ship sailed on 3 March 2026.", "The ship sailed yesterday."
    assert corrected(claim, quote, "direct", reference=datetime(2026, 3, 4, tzinfo=UTC)).attribution == "direct"
    assert corrected(claim, quote, "direct", reference=datetime(2026, 3, 9, tzinfo=UTC)).attribution == "contradiction"
    assert corrected(claim, quote, "direct").attribution == "paraphrase"  # which day that was it does not say


@given(st.text(max_size=80), st.text(max_size=80), st.sampled_from(SAID))
def test_no_text_breaks_a_correction_and_it_never_invents_support(claim: str, quote: str, said: Any) -> None:
    found = corrected(claim, quote, said)
    supports = found.attribution in ("direct", "paraphrase")
    if supports and said in ("contradiction", "none"):
        assert "the quote is the claim itself" in str(found.correction)
    assert (found.correction is None) is (found.attribution == (None if said == "none" else said))


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize(
    "quote", ["Orvik AS has 6 ships?", "Does Orvik AS have 6 ships?", "オルビク社は6隻の船を持ちますか。"]
)
def test_a_question_in_a_source_states_nothing(quote: str, said: Any) -> None:
    found = corrected("Orvik AS has 6 ships.", quote, said)
    assert found.attribution == ("contradiction" if said == "contradiction" else None)
    assert (found.correction is None) is (said in ("none", "contradiction"))


def test_a_statement_beside_a_question_still_states() -> None:
    quote = "Orvik AS has 6 ships. Is that a lot?"
    assert corrected("Orvik AS has 6 ships.", quote, "direct").attribution == "direct"


STATING = [
    "Orvik AS has {n} ships in Hald.",
    "In {y} Orvik sold {n} ships.",
    "The bridge of Hald cost {n} million crowns in {y}.",
    "Prices in Hald rose by {n}.5 percent.",
    "Ada Lind, {n}, has led Orvik since {y}.",
    "Section {n} of the act applies to Orvik.",
    "Orvik, worth ${n}bn, was bought by Brevik in May {y}.",
    "Im Jahr {y} verkaufte Orvik {n} Schiffe.",
    "Orvik a {n} navires depuis {y}.",
    "En {y} Orvik vendió {n} barcos.",
    "Orvik ha {n} navi dal {y}.",
    "奥维克公司有{n}艘船。",
    "オルビク社は{y}年に{n}隻を売った。",
    "The A{n} leads past Hald.",
]


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from(STATING),
    st.tuples(st.integers(2, 99), st.integers(1900, 2025)),
    st.tuples(st.integers(2, 99), st.integers(1900, 2025)),
)
def test_a_sentence_is_direct_for_itself_and_never_with_another_number_in_it(
    stating: str, one: tuple[int, int], other: tuple[int, int]
) -> None:
    claim, quote = (stating.format(n=n, y=y) for n, y in (one, other))
    assert corrected(claim, f"{claim} So it says.", "direct").attribution == "direct"
    found = corrected(claim, f"{quote} So it says.", "direct").attribution
    assert (found == "direct") is (claim == quote)
