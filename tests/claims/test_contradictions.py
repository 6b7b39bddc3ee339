"""What a quote says otherwise than a claim, in pairs of sentences: numbers, dates, denials, and what is neither."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemacast.claims import contradictions

NUMBERS_DIFFER = [
    ("Orvik has 60 ships", "Orvik has 6 ships"),
    ("The motor draws 6 kW", "The motor draws 6 MW"),
    ("The motor draws 6 bar", "The motor draws 6 kW"),
    ("Orvik has 20 ships and 6 trucks", "Orvik has 6 ships and 20 trucks"),
    ("Building 12 has 6 floors", "Building 11 has 6 floors"),
    ("Orvik has more than 6 ships", "Orvik has fewer than 6 ships"),
    ("Orvik has more than 6 ships", "Orvik has 6 ships"),
    ("Orvik has 6 ships", "Orvik has more than 6 ships"),
    ("Sales rose by 5%", "Sales rose by 5 percentage points"),
    ("It costs $6", "It costs €6"),
    ("Orvik has 60 ships", "Orvik was founded in 1960. Brevik has 60 ships. Orvik has 6 ships."),
    ("The second ship sank", "The third ship sank"),
    ("Windows 11 needs 4 GB", "Windows 10 needs 4 GB"),
    ("The temperature fell to -5 °C", "The temperature fell to 5 °C"),
    ("Half of the ships sank", "A third of the ships sank"),
    ("Revenue was between 3 and 5 million", "Revenue was between 3 and 6 million"),
    ("Orvik besitzt 60 Schiffe", "Orvik besitzt sechs Schiffe"),
    ("Orvik possède soixante navires", "Orvik possède 6 navires"),
    ("Orvik tiene sesenta barcos", "Orvik tiene 6 barcos"),
    ("オルビクは船を60隻持っている", "オルビクは船を6隻持っている"),
]
DATES_DIFFER = [
    ("Orvik was founded in 1999", "Orvik was founded in 1998"),
    ("Orvik was founded on 4 March 2020", "Orvik was founded on 2020-03-03"),
    ("He was born in 1950 and died in 2001", "He was born in 2001 and died in 1950"),
    ("Orvik moved before 2001", "Orvik moved after 2001"),
    ("Orvik wurde am 4. März 2020 gegründet", "Orvik wurde am 3. März 2020 gegründet"),
    ("Orvik a été fondée le 4 mars 2020", "Orvik a été fondée le 3 mars 2020"),
    ("Orvik fue fundada el 4 de marzo de 2020", "Orvik fue fundada el 3 de marzo de 2020"),
    ("オルビクは2019年に設立された", "オルビクは2020年に設立された"),
]
ONE_DENIES = [
    ("Orvik did not sell ships", "Orvik sold ships"),
    ("Orvik never sold two ships", "Orvik sold two ships"),
    ("Orvik failed to deliver the tanker", "Orvik delivered the tanker"),
    ("Orvik denied selling the ship", "Orvik sold the ship"),
    ("The ship is unsafe", "The ship is safe"),
    ("Orvik sailed without cargo", "Orvik sailed with cargo"),
    ("It is not true that Orvik sold ships", "Orvik sold ships"),
    ("Orvik sold two ships", "Orvik denied that it sold two ships"),
    ("Orvik leased 3 trucks in Hald", "Orvik leased no trucks in Hald"),
    ("Orvik besitzt keine Schiffe", "Orvik besitzt Schiffe"),
    ("Orvik verkaufte die Schiffe nicht", "Orvik verkaufte die Schiffe"),
    ("Orvik n'a pas vendu ses navires", "Orvik a vendu ses navires"),
    ("Orvik no vendió barcos", "Orvik vendió barcos"),
    ("オルビクは船を持っていない", "オルビクは船を持っている"),
]
NO_CONTRADICTION = [
    ("Orvik has 6 ships", "Orvik has six ships"),
    ("The motor draws 6000 W", "The motor draws 6 kW"),
    ("Building 11 has 6 floors", "Building 11 has 6 floors and 11 rooms"),
    ("Orvik was founded on 3 March 2020", "Orvik was founded on March 3, 2020"),
    ("Orvik sold not only ships", "Orvik sold ships"),
    ("Orvik has no fewer than 6 ships", "Orvik has at least 6 ships"),
    ("Orvik has more than 5 ships", "Orvik has 6 ships"),
    ("Orvik failed to deliver the tanker", "Orvik did not deliver the tanker"),
    ("The ship is unsafe", "The ship is not safe"),
    ("Orvik sold two ships", "Orvik sold two ships without telling Brevik"),
    ("Orvik sold two ships", "Orvik, which has no trucks, sold two ships"),
    ("Orvik no vendió nada en 2020", "Orvik no vendió barcos en 2020"),
    ("Sales rose by 5%", "Sales rose by 5 percent"),
    ("Orvik earned 1.5 million euros", "Orvik earned 1,500,000 euros"),
    ("Orvik has 6 ships", "Orvik was founded in 1960. Brevik has 60 ships. Orvik has 6 ships."),
    ("The court rejected the appeal", "The court did not grant the appeal"),
    ("Orvik has 1.250 employees", "Orvik has 1,250 employees"),
    ("Orvik, with 40 workers, has 6 ships", "Orvik has 6 ships"),
    ("Orvik did not open until 1999", "Orvik opened in 1999"),
    ("Nobody was hurt", "No one was hurt"),
    ("Orvik moved to Hald", "It rained for 6 days in 1999 and nobody came"),
]


def reasons(claim: str, quote: str) -> set[str]:
    return {each.reason for each in contradictions(claim, quote)}


@pytest.mark.parametrize(("claim", "quote"), NUMBERS_DIFFER)
def test_a_number_that_the_quote_states_otherwise_is_a_contradiction(claim: str, quote: str) -> None:
    assert reasons(claim, quote) == {"number_differs"}
    assert reasons(quote.split(". ")[-1], claim) == {"number_differs"}


@pytest.mark.parametrize(("claim", "quote"), DATES_DIFFER)
def test_a_date_that_the_quote_states_otherwise_is_a_contradiction(claim: str, quote: str) -> None:
    assert reasons(claim, quote) == {"date_differs"}
    assert reasons(quote, claim) == {"date_differs"}


@pytest.mark.parametrize(("claim", "quote"), ONE_DENIES)
def test_a_denial_on_one_side_only_is_a_contradiction(claim: str, quote: str) -> None:
    assert reasons(claim, quote) == {"negation_differs"}
    assert reasons(quote, claim) == {"negation_differs"}


@pytest.mark.parametrize(("claim", "quote"), NO_CONTRADICTION)
def test_what_agrees_or_says_more_or_less_is_no_contradiction(claim: str, quote: str) -> None:
    assert contradictions(claim, quote) == ()


def test_a_contradiction_names_its_place_on_both_sides() -> None:
    claim, quote = "The pump draws 6 MW", "Since May the pump draws 6 kW."
    [found] = contradictions(claim, quote)
    assert claim[slice(*found.in_claim)] == "6 MW"
    assert quote[slice(*found.in_quote)] == "6 kW"
    [found] = contradictions("Orvik never sold ships", "In 2020 Orvik sold ships.")
    assert "Orvik never sold ships"[slice(*found.in_claim)] == "never"
    assert "In 2020 Orvik sold ships."[slice(*found.in_quote)] == "In 2020 Orvik sold ships"


def test_the_locale_decides_what_digits_mean() -> None:
    assert reasons("Es wiegt 1.250 kg", "Es wiegt 1250 kg") == set()
    assert [each.reason for each in contradictions("It weighs 1.250 kg", "It weighs 1250 kg", locale="en")] == [
        "number_differs"
    ]
    assert contradictions("Es wiegt 1.250 kg", "Es wiegt 1250 kg", locale="de") == ()


def test_relative_dates_are_counted_from_the_reference_time() -> None:
    claim, quote = "Orvik moved on 2 March 2026", "Orvik moved yesterday"
    assert contradictions(claim, quote, reference=datetime(2026, 3, 3, 9, tzinfo=UTC)) == ()
    [found] = contradictions(claim, quote, reference=datetime(2026, 3, 5, 9, tzinfo=UTC))
    assert found.reason == "date_differs"
    assert contradictions(claim, quote) == ()


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=120))
def test_no_text_contradicts_itself(text: str) -> None:
    assert contradictions(text, text) == ()


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=80), st.text(max_size=80))
def test_the_places_are_inside_of_their_texts(claim: str, quote: str) -> None:
    for found in contradictions(claim, quote):
        assert 0 <= found.in_claim[0] < found.in_claim[1] <= len(claim)
        assert 0 <= found.in_quote[0] < found.in_quote[1] <= len(quote)


@settings(max_examples=50, deadline=None)
@given(st.integers(2, 10**6), st.integers(2, 10**6))
def test_two_whole_numbers_of_the_same_thing_differ_or_are_equal(one: int, other: int) -> None:
    found = contradictions(f"Orvik has {one} sailing ships.", f"Orvik has {other} sailing ships.")
    assert [each.reason for each in found] == ([] if one == other else ["number_differs"])
