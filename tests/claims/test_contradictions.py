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
    ("Der Umsatz betrug 1,5 Millionen Euro", "Der Umsatz betrug 15 Millionen Euro"),
    ("It was built in the 19th century", "It was built in the 18th century"),
    ("The trial lasted two years", "The trial lasted 2 months"),
    ("The film lasts 1 h 30 min", "The film lasts 80 minutes"),
    ("He scored 3 goals in 2 games", "He scored 2 goals in 3 games"),
    ("Flight 370 carried 239 people", "Flight 370 carried 227 passengers"),
    ("Flight 371 carried 239 people", "Flight 370 carried 239 people"),
    ("Article 5 applies", "Article 6 applies"),
    ("Version 3.2 fixes it", "Version 3.3 fixes it"),
    ("He came first", "He came second"),
    ("He won twice", "He won three times"),
    ("She has one son", "She has two sons"),
    ("One of the ships sank", "Two of the ships sank"),
    ("The company employs around 400 people", "The company employs 4000 people"),
    ("More than 8 people fit", "At most 8 people fit"),
    ("船は6隻以上ある", "船は6隻未満である"),
    ("Room 12 is on floor 3", "Room 12 is on floor 4"),
    ("Number of employees: 45", "Number of employees: 54"),
    ("The EU has 27 members", "The EU has 28 members"),
    ("Ada, 45, leads Orvik", "Ada, 54, leads Orvik"),
    ("They paid 5 million euros for 3 ships", "They paid 3 million euros for 5 ships"),
    ("The port charges at up to 65 W", "The port charges at up to 45 W"),
    ("The port charges at up to 45 kW", "The port charges at up to 45 W"),
    ("Staff approve invoices above 100,000 kroner", "Staff approve invoices above 10,000 kroner"),
    ("The difference was significant (p < 0.1)", "The difference was significant (p < 0.01)"),
    ("The dough keeps at least two days", "The dough keeps up to two days"),
    ("Er bietet mindestens 4 Prozent", "Er bietet höchstens 4 Prozent"),
    ("It costs 40 euros a share", "It costs 40 cents a share"),
    ("Levels were four percent higher", "Levels were four times higher"),
]
DATES_DIFFER = [
    ("Sales rose in the second quarter", "Sales rose in the third quarter"),
    ("Sales rose in the first half", "Sales rose in the second half"),
    ("Sales rose in Q2", "Sales rose in the third quarter"),
    ("Der Umsatz stieg im zweiten Quartal", "Der Umsatz stieg im dritten Quartal"),
    ("Il travaille au deuxième trimestre", "Il travaille au troisième trimestre"),
    ("Die Werft streikt bis Montag", "Die Werft streikt ab Montag"),
    ("La piscine ferme à partir du 15 septembre 2021", "La piscine ferme jusqu'au 15 septembre 2021"),
    ("Orvik was founded in 1999", "Orvik was founded in 1998"),
    ("Orvik was founded on 4 March 2020", "Orvik was founded on 2020-03-03"),
    ("He was born in 1950 and died in 2001", "He was born in 2001 and died in 1950"),
    ("Orvik moved before 2001", "Orvik moved after 2001"),
    ("Orvik wurde am 4. März 2020 gegründet", "Orvik wurde am 3. März 2020 gegründet"),
    ("Orvik a été fondée le 4 mars 2020", "Orvik a été fondée le 3 mars 2020"),
    ("Orvik fue fundada el 4 de marzo de 2020", "Orvik fue fundada el 3 de marzo de 2020"),
    ("オルビクは2019年に設立された", "オルビクは2020年に設立された"),
    ("The meeting is at 14:02", "The meeting is at 15:02"),
    ("The meeting is on Monday", "The meeting is on Tuesday"),
    ("The meeting is in May", "The meeting is in June"),
    ("It happened in the 1990s", "It happened in the 1980s"),
    ("Sales fell in Q1 2024", "Sales fell in Q2 2024"),
    ("会議は3月3日に行われた", "会議は3月4日に行われた"),
    ("The 2020 budget was 5 million", "The 2021 budget was 5 million"),
    ("It opened on 5 March 2020", "It opened in April 2020"),
    ("It ran from 2001 to 2005", "It ran from 2001 to 2006"),
    ("It ran until 2005", "It ran from 2005"),
    ("In 2021 Orvik sold two ships", "Orvik sold two ships in 2020"),
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
    ("Nobody survived", "Some people survived"),
    ("It is impossible to swim", "It is possible to swim"),
    ("The deal was not announced", "The deal was announced"),
    ("The deal was unannounced", "The deal was announced"),
    ("He is no longer mayor", "He is mayor"),
    ("He refused to pay", "He paid"),
    ("The court denied the request", "The court granted the request"),
    ("Neither Ada nor Per came", "Ada and Per came"),
    ("None of the ships sank", "The ships sank"),
    ("Il n'y a aucun navire", "Il y a un navire"),
    ("Il ne vend plus de navires", "Il vend des navires"),
    ("Er hat kein Schiff", "Er hat ein Schiff"),
    ("Er bestritt, Schiffe verkauft zu haben", "Er hat Schiffe verkauft"),
    ("彼は船を売らなかった", "彼は船を売った"),
    ("He was not the first to land", "He was the first to land"),
    ("He did not deny the claim", "He denied the claim"),
    ("大部分员工不同意方案", "大部分员工同意方案"),
    ("公司去年盈利", "公司去年没有盈利"),
    ("他未出售船只", "他出售船只"),
]
NO_CONTRADICTION = [
    ("公司不仅出售船只", "公司出售船只"),
    ("利润不低于6百万", "利润至少6百万"),
    ("Sales rose in Q3", "Sales rose in the third quarter"),
    ("Orvik has 22 pillars", "Cracks were found in 14 of the 22 pillars"),
    ("It takes two days until Monday", "It takes two days until Monday at noon"),
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
    ("Umsatz: 1,5 Millionen Euro", "Umsatz: 1.500.000 Euro"),
    ("Le chiffre d'affaires était de 1,5 million d'euros", "Le chiffre d'affaires était de 1 500 000 euros"),
    ("Ingresos de mil millones", "Ingresos de 1.000.000.000"),
    ("The meeting is at 14:02", "The meeting is at 2:02 pm"),
    ("It happened in the 1990s", "It happened in 1994"),
    ("Ada was born on 03/04/2001", "Ada was born on 3 April 2001"),
    ("Ada was born on 3. März 2020", "Ada was born on 2020-03-03"),
    ("The trial lasted two years", "The trial lasted 24 months"),
    ("The film lasts 1 h 30 min", "The film lasts 90 minutes"),
    ("It weighs 2.5 t", "It weighs 2,500 kg"),
    ("It was -3 °C", "It was 3 degrees below zero"),
    ("It was 20 °C", "It was 68 °F"),
    ("A dozen ships sank", "12 ships sank"),
    ("Half of them left", "50% of them left"),
    ("The price doubled", "The price tripled"),
    ("The company employs around 400 people", "The company employs 405 people"),
    ("Up to 8 people fit", "At most 8 people fit"),
    ("Between 5 and 8 people fit", "5 to 8 people fit"),
    ("Few people survived", "Many people survived"),
    ("It is impossible to swim", "It is not possible to swim"),
    ("The deal wasn't announced", "The deal was not announced"),
    ("He didn't only sing, he danced", "He sang and danced"),
    ("No less than 6 ships sank", "At least six ships sank"),
    ("He is not unhappy", "He is happy"),
    ("There is no doubt that he sold it", "He sold it"),
    ("He never failed to pay", "He always paid"),
    ("He refused to pay", "He did not pay"),
    ("The court denied the request", "The court rejected the request"),
    ("The ship sank without a trace", "The ship sank"),
    ("Neither Ada nor Per came", "Ada and Per did not come"),
    ("Il ne vend que des navires", "Il vend des navires"),
    ("Er verkaufte nicht nur Schiffe", "Er verkaufte Schiffe"),
    ("Nadie murió", "Murieron dos personas"),
    ("No murió nadie", "Nadie murió"),
    ("船は6隻ある", "船は六隻ある"),
    ("He was 45 years old", "He was aged 45"),
    ("It rose 5 %", "It fell 5 %"),
    ("It costs 100 €", "It costs €100"),
    ("It costs 1.00 €", "It costs 1 €"),
    ("It opened in March 2020", "It opened on 5 March 2020"),
    ("It opened on 5 March 2020", "It opened in March 2020"),
    ("Orvik has 6 ships, not 60", "Orvik has 6 ships"),
    ("Orvik has 6 ships", "Orvik employs 40 people"),
    ("Orvik was founded in 1960", "Orvik merged in 1985"),
    ("Orvik was founded in 1960", "Ada founded Orvik. In 1985 it merged."),
    ("Orvik is 5 m long", "Orvik is 3 m wide"),
    ("Ada was born in 1950", "Ada moved to Hald in 1971 and died in 2001"),
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


@pytest.mark.parametrize(
    ("claim", "differs"),
    [
        ("Orvik earned 5 million euros in 2019.", False),
        ("Orvik earned 7 million euros in 2020.", False),
        ("Orvik earned 5 million euros in 2020.", True),
        ("In 2019, Orvik earned 7 million euros.", True),
    ],
)
def test_of_a_series_each_number_goes_with_its_own_date(claim: str, differs: bool) -> None:
    series = "Orvik earned 5 million euros in 2019 and 7 million euros in 2020."
    assert [each.reason for each in contradictions(claim, series)] == ["number_differs"] * differs


def test_of_a_german_series_each_date_goes_with_its_own_number() -> None:
    series = "Der Umsatz betrug 2019 5 Millionen Euro und 2020 7 Millionen Euro."
    assert contradictions("Der Umsatz betrug 2020 7 Millionen Euro.", series) == ()
    assert contradictions("Der Umsatz betrug 2020 5 Millionen Euro.", series) != ()
