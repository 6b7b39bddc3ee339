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
