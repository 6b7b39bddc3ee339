"""What one text does for one claim: stated in full, in part, or with a fault that its words do not show."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemacast.claims.bounds import Interval, bound_of, interval, relation
from schemacast.claims.support import support

FULL = [
    ("Orvik sold two ships", "Orvik sold two ships to Brevik in 2020."),
    ("Orvik sold two ships in 2020", "In 2020, Orvik sold two ships."),
    ("Orvik sold 2 ships", "Orvik, a Norwegian company, sold two ships."),
    ("Ada Lind leads Orvik", "Ada Lind leads Orvik AS."),
    ("Orvik is led by Ada Lind", "Ada Lind leads Orvik AS."),
    ("Ada Lind led Orvik", "Orvik was led by Ada Lind."),
    ("Orvik sold trucks", "Orvik sold ships and trucks."),
    ("Orvik sold ships", "Orvik and Brevik sold ships."),
    ("The old crane weighs 85 tonnes", "The old crane, which weighs 85 tonnes, was not demolished."),
    ("The old crane was not demolished", "The old crane, which weighs 85 tonnes, was not demolished."),
    ("At least 30 ships sank", "No fewer than 30 ships sank."),
    ("Orvik verkaufte zwei Schiffe", "Orvik verkaufte 2020 zwei Schiffe an Brevik."),
    ("Orvik a vendu deux navires", "En 2020, Orvik a vendu deux navires."),
    ("Orvik vendió dos barcos", "En 2020, Orvik vendió dos barcos."),
    ("売上高は5%増加した", "売上高は5%増加した。"),
    ("Orvik sold two ships", "It rained. Orvik sold two ships. Nobody came."),
    ("Orvik verkaufte zwei Schiffe", "Orvik verkaufte zwei Schiffe an Brevik."),
    ("Ada leitet Orvik", "Ada leitet Orvik seit 2020."),
    ("Die Reederei besitzt 6 Schiffe", "Die Reederei besitzt sechs Schiffe."),
    ("Ada dirige Orvik", "Ada dirige Orvik depuis 2020."),
    ("Orvik possède 6 navires", "Orvik possède six navires."),
    ("Orvik tiene 6 barcos", "Orvik tiene seis barcos."),
    ("Ada dirige Orvik", "Ada dirige Orvik desde 2020."),
    ("オルビクは船を売った", "2020年、オルビクは船を売った。"),
    ("オルビクは船を6隻売った", "オルビクは船を六隻売った。"),
    ("Das Schiff wiegt 5 t", "Das Schiff wiegt 5000 kg."),
    ("Orvik wurde am 3. März 2020 gegründet", "Orvik wurde am 03.03.2020 gegründet."),
]
FAULTS = [
    ("voice", "Ada Lind is led by Orvik", "Ada Lind leads Orvik AS."),
    ("order", "Brevik sold Orvik to Hald", "Orvik sold Brevik to Hald."),
    ("order", "Orvik moved to Hald from Oslo", "Orvik moved to Oslo from Hald."),
    ("left_out", "Per Holm leads Orvik", "Ada Lind, who succeeded Per Holm, leads Orvik."),
    ("left_out", "Orvik sold Brevik", "Orvik sold ships to Brevik."),
    ("left_out", "The bank closed branches in Utrecht", "The bank closed branches but opened new ones in Utrecht."),
    ("begins_inside", "Orvik sold two ships", "The captain of Orvik sold two ships."),
    ("begins_inside", "Orvik sold ships", "Brevik said Orvik sold ships."),
    ("ends_inside", "Orvik sold ships", "Orvik sold ship models."),
    ("ends_inside", "Orvik sold ships", "Orvik sold ships or trucks."),
    ("ends_inside", "The vault is 12 metres", "The vault is 12 metres below street level."),
    ("tense", "Ada Lind is the director", "Ada Lind was the director."),
    ("qualifier_dropped", "Orvik sold two ships", "If Brevik agrees, Orvik sold two ships."),
    ("qualifier_dropped", "Ada Lind is the director", "Ada Lind is the former director."),
    ("qualifier_dropped", "ships were sold", "Some ships were sold."),
    ("weaker", "Orvik has 6 ships", "Orvik has about 6 ships."),
    ("weaker", "Orvik was founded on 3 May 1960", "Orvik was founded in 1960."),
]
MISSING = [
    ("hurt by steel prices", "Orvik, hurt by steel prices, sold two ships", "Orvik sold two ships."),
    ("and one truck", "Orvik sold two ships and one truck", "Orvik sold two ships."),
    ("only", "Orvik only sold ships", "Orvik sold ships."),
    ("All", "All ships sank", "Some ships sank."),
    ("leads", "Ada Lind leads Orvik", "Ada Lind led Orvik."),
    ("60", "Orvik has 60 ships", "Orvik moved to Hald with ships. Brevik has trucks."),
]

NOT_STATED = [
    ("6 ships sank", "5 of 6 ships sank."),
    ("The 6 ships sank", "One of the 6 ships sank."),
    ("Orvik was sold", "Orvik was to be sold."),
    ("Orvik was sold", "Orvik was almost sold."),
    ("Per leads Orvik", "Ada, not Per, leads Orvik."),
    ("Per leads Orvik", "Either Ada or Per leads Orvik."),
    ("Ada leads Orvik", "Either Ada or Per leads Orvik."),
    ("Ada leads Orvik", "Ada leads Orvik's rival."),
    ("Korea tested a missile", "North Korea tested a missile."),
    ("The price rose from 5 euros to 3", "The price rose to 5 euros from 3."),
    ("The price rose to 5 euros", "The price rose by 5 euros."),
    ("Ships survived", "Few ships survived."),
    ("Ships survived", "Ships rarely survived."),
    ("Orvik lost Brevik", "Orvik lost to Brevik."),
    ("Orvik sued Brevik", "Orvik was sued by Brevik."),
    ("Orvik sued", "Orvik was sued."),
    ("Orvik was sued", "Orvik sued."),
    ("Orvik burned down", "Orvik House burned down."),
    ("Orvik is profitable", "Orvik is not profitable."),
    ("Orvik is profitable", "Orvik is hardly profitable."),
    ("Orvik is profitable", "Orvik is far from profitable."),
    ("Orvik is profitable", "Orvik is profitable only in summer."),
    ("Orvik pays taxes", "Orvik pays taxes abroad only."),
    ("Ada is the director", "Ada is the director-general."),
    ("Ada is director", "Ada is co-director."),
    ("Orvik sells drugs", "Orvik sells anti-drugs."),
    ("Smoking causes cancer", "Smoking was said to cause cancer."),
    ("Orvik has ships", "Orvik has had ships."),
    ("Orvik has ships", "Orvik used to have ships."),
    ("Orvik employs Ada", "Orvik no longer employs Ada."),
    ("Orvik plans a merger", "Orvik plans against a merger."),
    ("The drug is safe", "The drug is considered safe."),
    ("The drug is safe", "The drug is as safe as water."),
    ("The drug is safe", "Is the drug safe?"),
    ("The drug is safe", "The drug is safe?"),
    ("Orvik sold ships", "Orvik sold ships?"),
    ("Ada Lind founded Orvik", "Ada Lind's father founded Orvik."),
    ("Ada Lind founded Orvik", "Ada Lind helped found Orvik."),
    ("Ada Lind founded Orvik", "Ada Lind co-founded Orvik."),
    ("Orvik has 6 ships", "Orvik has 6 ships under construction."),
    ("Orvik has 6 ships", "Orvik has 6 ships fewer than Brevik."),
    ("Orvik has 6 ships", "Orvik has 6 ships' worth of cargo."),
    ("Orvik grew 5 percent", "Orvik grew 5 percent slower than Brevik."),
    ("Orvik grew 5 percent", "Orvik grew less than 5 percent."),
    ("Orvik grew", "Orvik grew smaller."),
    ("Hald is in Norway", "Hald is near Norway."),
    ("Hald lies in Norway", "Hald lies outside Norway."),
    ("Ada lives in Hald", "Ada lives near Hald."),
    ("The ship left Hald", "The ship left for Hald."),
    ("The ship sailed to Hald", "The ship sailed from Hald."),
    ("Ada voted for Per", "Ada voted against Per."),
    ("Ada agreed with Per", "Ada agreed without Per."),
    ("Every ship sank", "Not every ship sank."),
    ("Ships sank", "Not all ships sank."),
    ("Ada and Per lead Orvik", "Ada or Per lead Orvik."),
    ("Ada bought Orvik for Per", "Ada bought Orvik from Per."),
    ("In 2020 Orvik sold ships", "Before 2020 Orvik sold ships."),
    ("Orvik sold ships in 2020", "Orvik sold ships bought in 2020."),
    ("Orvik sold ships in 2020", "Orvik, founded in 2020, sold ships."),
    ("Orvik sold 6 ships", "Orvik, with 6 employees, sold ships."),
    ("Orvik sold 6 ships in 2020", "Orvik sold ships in 2020 and has 6 employees."),
    ("Per sold ships", "Ada asked Per, who sold nothing, about ships."),
    ("Orvik sold ships in May", "Orvik sold ships in May or June."),
    ("Orvik sold ships", "Orvik, had it been rich, sold ships."),
    ("The mayor of Hald resigned", "The deputy mayor of Hald resigned."),
    ("Orvik is a bank", "Orvik is a bank robber."),
    ("Orvik is a bank", "Orvik owns a bank."),
    ("Orvik is big", "Orvik is too big."),
    ("Two thirds agreed", "Two thirds disagreed."),
    ("Ada likes Per", "Ada dislikes Per."),
    ("The ship is sinkable", "The ship is unsinkable."),
    ("It is legal", "It is illegal."),
    ("Orvik is a nonprofit", "Orvik is a profit."),
    ("Orvik wurde verkauft", "Orvik wurde fast verkauft."),
    ("Orvik verkaufte Schiffe", "Orvik wollte Schiffe verkaufen."),
    ("Orvik verkaufte Schiffe", "Der Kapitän von Orvik verkaufte Schiffe."),
    ("Orvik verkaufte Schiffe", "Orvik verkaufte keine Schiffe."),
    ("Orvik verkauft Schiffe", "Orvik verkaufte Schiffe."),
    ("Ada ist Direktorin", "Ada war Direktorin."),
    ("Ada ist Direktorin", "Ada ist ehemalige Direktorin."),
    ("Ada leitet Orvik", "Ada leitet Orvik nicht."),
    ("Ada leitet Orvik", "Ada soll Orvik leiten."),
    ("Ada leitet Orvik", "Laut Per leitet Ada Orvik."),
    ("Per leitet Orvik", "Ada, die Per ablöste, leitet Orvik."),
    ("Alle Schiffe sanken", "Einige Schiffe sanken."),
    ("Schiffe sanken", "Einige Schiffe sanken."),
    ("Orvik kaufte Brevik", "Brevik kaufte Orvik."),
    ("Orvik wurde von Brevik gekauft", "Brevik wurde von Orvik gekauft."),
    ("Der Umsatz stieg um 5 Prozent", "Der Umsatz stieg um mehr als 5 Prozent."),
    ("Der Umsatz stieg auf 5 Millionen", "Der Umsatz stieg um 5 Millionen."),
    ("Das Museum ist geöffnet", "Das Museum ist nur montags geöffnet."),
    ("Das Museum ist montags geöffnet", "Das Museum ist sonntags geöffnet."),
    ("Das Museum öffnete 1990", "Das Museum öffnete vor 1990."),
    ("Orvik a vendu des navires", "Orvik n'a vendu aucun navire."),
    ("Orvik a vendu des navires", "Orvik aurait vendu des navires."),
    ("Orvik a vendu des navires", "Orvik veut vendre des navires."),
    ("Orvik a vendu des navires", "Le capitaine d'Orvik a vendu des navires."),
    ("Ada dirige Orvik", "Ada dirigeait Orvik."),
    ("Ada dirige Orvik", "Ada a dirigé Orvik."),
    ("Ada est directrice", "Ada était directrice."),
    ("Ada est directrice", "Ada est l'ancienne directrice."),
    ("Ada dirige Orvik", "Selon Per, Ada dirige Orvik."),
    ("Per dirige Orvik", "Ada, qui a succédé à Per, dirige Orvik."),
    ("Tous les navires ont coulé", "Certains navires ont coulé."),
    ("Orvik a été vendu par Brevik", "Brevik a été vendu par Orvik."),
    ("Orvik a acheté Brevik", "Orvik a été acheté par Brevik."),
    ("Le chiffre a augmenté de 5 %", "Le chiffre a augmenté de plus de 5 %."),
    ("Le musée est ouvert", "Le musée est ouvert le lundi."),
    ("Orvik vendió barcos", "Orvik no vendió barcos."),
    ("Orvik vendió barcos", "Orvik quiere vender barcos."),
    ("Orvik vende barcos", "Orvik vendió barcos."),
    ("Ada dirige Orvik", "Ada dirigió Orvik."),
    ("Ada es directora", "Ada era directora."),
    ("Ada es directora", "Ada es la antigua directora."),
    ("Ada dirige Orvik", "Según Per, Ada dirige Orvik."),
    ("Todos los barcos se hundieron", "Algunos barcos se hundieron."),
    ("Orvik compró Brevik", "Brevik compró Orvik."),
    ("Orvik fue comprada por Brevik", "Brevik fue comprada por Orvik."),
    ("Los ingresos aumentaron un 5 %", "Los ingresos aumentaron más de un 5 %."),
    ("El museo está abierto", "El museo está abierto los lunes."),
    ("オルビクは船を売った", "オルビクは船を売る予定だ。"),
    ("オルビクは船を売った", "オルビクは船を売ったかもしれない。"),
    ("オルビクは船を売った", "オルビクの船長は船を売った。"),
    ("アダはオルビクの社長だ", "アダはオルビクの元社長だ。"),
    ("オルビクは6隻の船を持つ", "オルビクは約6隻の船を持つ。"),
    ("全ての船が沈んだ", "一部の船が沈んだ。"),
    ("船が沈んだ", "一部の船が沈んだ。"),
    ("オルビクがブレビクを買った", "ブレビクがオルビクを買った。"),
    ("オルビクは船を売った", "オルビクは船を売ったという。"),
    ("オルビクは船を買った", "オルビクは船を売った。"),
]


@pytest.mark.parametrize(("claim", "text"), FULL)
def test_what_a_sentence_states_is_supported_in_full(claim: str, text: str) -> None:
    found = support(claim, text)
    assert found.full, found
    assert found.sentence is not None
    start, end = found.sentence
    assert text[start:end].strip() == text[start:end]


@pytest.mark.parametrize(("fault", "claim", "text"), FAULTS)
def test_words_that_stand_otherwise_are_a_fault(fault: str, claim: str, text: str) -> None:
    found = support(claim, text)
    assert fault in found.faults
    assert not found.full


@pytest.mark.parametrize(("claim", "text"), NOT_STATED)
def test_a_sentence_that_only_resembles_a_claim_does_not_state_it(claim: str, text: str) -> None:
    assert not support(claim, text).full


@pytest.mark.parametrize(("part", "claim", "text"), MISSING)
def test_what_is_not_stated_is_a_place_of_the_claim(part: str, claim: str, text: str) -> None:
    found = support(claim, text)
    assert not found.full
    assert any(claim[start:end] in part and claim[start:end] for start, end in found.missing), found


def test_a_text_that_shares_no_word_supports_nothing() -> None:
    found = support("Orvik sold two ships", "Tides follow the moon.")
    assert (found.sentence, found.missing, found.full) == (None, ((0, 20),), False)
    assert not support("Orvik sold two ships", "").full


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60), st.text(max_size=60))
def test_the_places_are_inside_of_their_texts(claim: str, text: str) -> None:
    found = support(claim, text)
    assert all(0 <= start < end <= len(claim) for start, end in found.missing if claim)
    if found.sentence is not None:
        assert 0 <= found.sentence[0] < found.sentence[1] <= len(text)


@pytest.mark.parametrize(
    ("qualifier", "bound"),
    [
        *(("more than", "gt"), ("mindestens", "ge"), ("fewer than", "lt"), ("au plus", "le"), ("以上", "ge")),
        *(("about", "approx"), ("to", "tied"), (None, "exact"), ("something odd", "approx")),
    ],
)
def test_a_comparator_bounds_its_number(qualifier: str | None, bound: str) -> None:
    assert bound_of(qualifier) == bound


def test_a_denied_comparator_bounds_the_other_way() -> None:
    assert (bound_of("more than", "not"), bound_of("less than", "no")) == ("le", "ge")
    assert bound_of("more than", "with") == "gt"


@settings(max_examples=80)
@given(st.fractions(-9, 9), st.fractions(-9, 9), *[st.sampled_from(["exact", "gt", "ge", "lt", "le"])] * 2)
def test_the_relation_of_two_statements_is_that_of_their_values(one, other, mine, theirs) -> None:  # type: ignore[no-untyped-def]
    claimed, stated = interval(one, mine), interval(other, theirs)
    points = [other, one, (one + other) / 2, max(one, other) + 1, min(one, other) - 1]
    inside = [point for point in points if _in(point, stated)]
    assert {"implied": all, "excluded": lambda hits: not any(hits), "open": lambda hits: not all(hits)}[
        relation(claimed, stated)
    ]([_in(point, claimed) for point in inside])


def _in(point, values: Interval) -> bool:  # type: ignore[no-untyped-def]
    low = values.low is None or point > values.low or (point == values.low and not values.low_open)
    high = values.high is None or point < values.high or (point == values.high and not values.high_open)
    return low and high
