"""Quotes, then sentences, then names: what is extracted, what verifies, and each branch of the trichotomy."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemacast.qa.verify import (
    ENTITY_POLICIES,
    MIN_QUOTE_CHARS,
    MIN_SPAN_CHARS,
    extract_claim_spans,
    extract_proper_nouns,
    extract_quotes,
    verify_quotes,
)

CONTEXT = (
    "Orvik AS was founded in 1960 by Ada Lind. Orvik has 6 ships. In 2020 Orvik Shipping sold two ships to Brevik "
    "Lines. Per Holm is not the director. The pump draws 6 kW. It is not true that Hald Yard burned down."
)
KEYS = {"n_quotes", "n_verified", "audit_mode", "unverified_quotes", "verifier_method"}


def test_quotes_are_paired_in_the_order_of_their_marks() -> None:
    assert extract_quotes('The "title one" prose between "quote two" end') == ["title one", "quote two"]
    assert extract_quotes("“curly quote” and „deutsches Zitat“ and « guillemets » and 「日本語の引用」") == [
        *("curly quote", "deutsches Zitat", "guillemets", "日本語の引用"),
    ]
    assert extract_quotes('an "open one') == []
    assert extract_quotes('one "whole" and "open') == ["whole"]


def test_a_quote_shorter_than_the_least_length_is_none() -> None:
    assert extract_quotes(f'"{"x" * (MIN_QUOTE_CHARS - 1)}" and "{"y" * MIN_QUOTE_CHARS}"') == ["y" * MIN_QUOTE_CHARS]


def test_claim_spans_lose_their_bullets_framing_and_citations() -> None:
    answer = (
        "Here is what I found:\n- Orvik has 6 ships. [1]\n* According to the text, it was founded in 1960.\n"
        "2. Based on the sources: Ada Lind leads Orvik.\n\n## Ships\nI hope this helps!"
    )
    assert extract_claim_spans(answer) == ["Orvik has 6 ships.", "it was founded in 1960.", "Ada Lind leads Orvik."]


def test_a_span_shorter_than_the_least_length_is_none() -> None:
    assert extract_claim_spans("It sank.\nOrvik moved to Hald.") == ["Orvik moved to Hald."]
    assert len("It sank.") < MIN_SPAN_CHARS


def test_names_have_several_words_and_each_stands_once() -> None:
    answer = "However, Keanu Reeves played Thomas A. Anderson. Keanu Reeves met Ludwig van Beethoven in Oslo."
    assert extract_proper_nouns(answer) == ["Keanu Reeves", "Thomas A. Anderson", "Ludwig van Beethoven"]
    assert extract_proper_nouns("Based on this, Oslo is nice. The Bank of Norway agreed.") == ["Bank of Norway"]


@pytest.mark.parametrize(
    ("answer", "mode", "method", "verified", "total"),
    [
        ('The text says "Orvik has 6 ships".', "STRICT", "quote", 1, 1),
        ('"Orvik has 6 ships" and "Orvik has 9 boats"', "HYBRID", "quote", 1, 2),
        ('"Orvik has 60 ships"', "UNGROUNDED", "quote", 0, 1),
        ("Orvik has 6 ships.\nThe pump draws 6 kW.", "STRICT", "span", 2, 2),
        ("Orvik has 6 ships.\nThe pump draws 6 MW.", "HYBRID", "span", 1, 2),
        ("Ada Lind, Orvik Shipping and Brevik Lines knew each other.", "STRICT", "entity", 3, 3),
        ("Ada Lind and Tove Berg knew each other.", "HYBRID", "entity", 1, 2),
        ("Tove Berg likes boats.", "UNGROUNDED", "none", 0, 1),
        ("Not in the sources.", "UNGROUNDED", "none", 0, 0),
        ("", "UNGROUNDED", "none", 0, 0),
    ],
)
def test_each_kind_of_evidence_is_classified(answer: str, mode: str, method: str, verified: int, total: int) -> None:
    found = verify_quotes(answer, CONTEXT)
    assert set(found) == KEYS
    assert (found["audit_mode"], found["verifier_method"]) == (mode, method)
    assert (found["n_verified"], found["n_quotes"]) == (verified, total)
    unverified = found["unverified_quotes"]
    assert isinstance(unverified, list)
    assert len(unverified) == total - verified


def test_a_quote_is_found_as_locate_finds_it_but_never_inside_a_word_or_number() -> None:
    assert verify_quotes('"ORVIK has  6 ships."', CONTEXT)["audit_mode"] == "STRICT"
    assert verify_quotes('"ounded in 1960"', CONTEXT)["audit_mode"] == "UNGROUNDED"
    assert verify_quotes('"in 196"', CONTEXT)["audit_mode"] == "UNGROUNDED"
    assert verify_quotes('"Orvik has … ships"', CONTEXT)["audit_mode"] == "UNGROUNDED"


@pytest.mark.parametrize(
    "answer",
    [
        'Orvik has 60 ships: "Orvik has 6 ships"',
        'In 2021, "Orvik Shipping sold two ships"',
        'Per Holm is "the director"',
        'Indeed "Hald Yard burned down"',
    ],
)
def test_a_quote_whose_sentence_is_contradicted_by_its_source_is_not_verified(answer: str) -> None:
    assert verify_quotes(answer, CONTEXT)["audit_mode"] == "UNGROUNDED"


def test_names_in_a_contradicted_sentence_are_not_verified() -> None:
    assert verify_quotes("Orvik Shipping gave Brevik Lines three ships.", CONTEXT)["audit_mode"] == "UNGROUNDED"
    assert verify_quotes("Orvik Shipping gave Brevik Lines two ships.", CONTEXT)["audit_mode"] == "HYBRID"


def test_the_entity_policy_decides_what_names_alone_can_be() -> None:
    answer = "Ada Lind, Orvik Shipping and Brevik Lines knew each other."
    modes = {policy: verify_quotes(answer, CONTEXT, entity_policy=policy)["audit_mode"] for policy in ENTITY_POLICIES}
    assert modes == {"proximity": "STRICT", "trichotomy": "STRICT", "hybrid": "HYBRID", "off": "UNGROUNDED"}


def test_proximity_asks_for_so_many_names_in_so_small_a_window() -> None:
    answer = "Ada Lind, Orvik Shipping and Brevik Lines knew each other."
    assert verify_quotes(answer, CONTEXT, proximity_n=4)["audit_mode"] == "HYBRID"
    assert verify_quotes(answer, CONTEXT, proximity_window=20)["audit_mode"] == "HYBRID"
    apart = CONTEXT.replace(" In 2020", " filler" * 100 + ". In 2020")
    assert verify_quotes(answer, apart)["audit_mode"] == "HYBRID"
    assert verify_quotes(answer, apart, proximity_window=2000)["audit_mode"] == "STRICT"
    assert verify_quotes("Ada Lind knew it.", CONTEXT, entity_policy="trichotomy")["audit_mode"] == "STRICT"


def test_an_unknown_policy_is_refused() -> None:
    with pytest.raises(ValueError, match="'loose' is no entity policy; known: proximity"):
        verify_quotes("x", "y", entity_policy="loose")


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=80), st.text(max_size=80))
def test_the_counts_and_the_mode_always_agree(answer: str, context: str) -> None:
    found = verify_quotes(answer, context)
    total, verified = found["n_quotes"], found["n_verified"]
    assert isinstance(total, int)
    assert isinstance(verified, int)
    assert 0 <= verified <= total
    assert (found["audit_mode"] == "UNGROUNDED") == (verified == 0)
    if found["audit_mode"] == "STRICT":
        assert verified == total > 0


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(CONTEXT) - 12), st.integers(8, 40))
def test_whole_words_cut_from_the_context_verify_as_a_quote(start: int, length: int) -> None:
    start = CONTEXT.find(" ", start) + 1
    end = CONTEXT.rfind(" ", start, start + length)
    quote = CONTEXT[start:end]
    if len(quote) >= MIN_QUOTE_CHARS and "not" not in CONTEXT[max(0, start - 60) : end + 30]:
        assert verify_quotes(f'"{quote}"', CONTEXT)["audit_mode"] == "STRICT"
