"""Asking for a repair: what is shown, what is not, and which round stands."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from schemacast.cast.outcome import REPAIRABLE, Finding, Kept
from schemacast.cast.repair import (
    MAX_ITEMS,
    better,
    reask_messages,
    repair_messages,
    same_findings,
)
from schemacast.llm.protocol import Message

ASKED: list[Message] = [{"role": "system", "content": "rules"}, {"role": "user", "content": "<text>x</text>"}]
LOST = Finding("quote_not_found", "edge", "not in the text", item={"relation": "R", "quote": "y"}, quote="y")
KEYLESS = Finding("key_insufficient", "vertex", "no number", item={"ref": "v1", "type": "Ticket"})
DENIED = Finding("not_asserted", "vertex", "negated", item={"ref": "v2"})


@dataclass(frozen=True)
class Round:
    kept: Kept
    findings: tuple[Finding, ...] = ()


def test_the_conversation_stays_and_the_findings_are_shown_by_kind() -> None:
    messages = repair_messages(ASKED, '{"vertices":[]}', [KEYLESS, LOST, DENIED, LOST])
    assert messages[:2] == ASKED
    assert messages[2] == {"role": "assistant", "content": '{"vertices":[]}'}
    shown = messages[3]["content"]
    assert messages[3]["role"] == "user"
    assert shown.count('- {"relation":"R","quote":"y"}: not in the text') == 1
    assert shown.count('- {"ref":"v1","type":"Ticket"}: no number') == 1
    assert "v2" not in shown
    assert shown.index("not in the text") < shown.index("no number")
    assert repair_messages(ASKED, "{}", [KEYLESS, LOST]) == repair_messages(ASKED, "{}", [KEYLESS, LOST])


@pytest.mark.parametrize("name", sorted(REPAIRABLE))
def test_every_finding_that_a_model_can_mend_has_its_advice(name: str) -> None:
    shown = repair_messages(ASKED, "{}", [Finding(name, "property", "why", item={"n": 1})])[-1]["content"]  # type: ignore[arg-type]
    assert '- {"n":1}: why' in shown
    assert len(shown.split("\n")) == 4


def test_what_a_model_cannot_mend_is_not_asked_about() -> None:
    with pytest.raises(ValueError, match="none of the findings"):
        repair_messages(ASKED, "{}", [DENIED])


def test_many_and_long_items_are_shown_in_part_each_on_one_line() -> None:
    many = [Finding("value_type", "property", f"line\n{n}", item={"value": "x" * 5000}) for n in range(200)]
    shown = repair_messages(ASKED, "{}", many)[-1]["content"]
    assert shown.count("\n- ") == MAX_ITEMS
    assert len(shown) < 40_000


def test_an_unreadable_reply_is_asked_for_anew_at_the_end_of_the_last_message() -> None:
    for reason in ("unreadable_reply", "schema_echo"):
        messages = reask_messages(ASKED, reason)
        assert messages[:1] == ASKED[:1]
        assert messages[1]["role"] == "user"
        assert messages[1]["content"].startswith("<text>x</text>\n\nAn earlier answer ")
    assert reask_messages(ASKED, "schema_echo") != reask_messages(ASKED, "unreadable_reply")


def test_the_same_findings_are_those_that_a_repair_was_to_mend() -> None:
    assert same_findings([LOST, KEYLESS, DENIED], [KEYLESS, LOST])
    assert not same_findings([LOST], [LOST, LOST])
    assert not same_findings([LOST], [KEYLESS])
    other = Finding("quote_not_found", "edge", "not in the text", item={"relation": "R", "quote": "z"}, quote="z")
    assert not same_findings([LOST], [other])


def test_the_round_with_more_items_stands_and_of_equal_ones_that_with_fewer_findings() -> None:
    assert better(Round(Kept(2, 1, 3), (LOST, LOST)), Round(Kept(2, 1, 2)))
    assert better(Round(Kept(1, 1, 1)), Round(Kept(2, 1, 0), (LOST,)))
    assert not better(Round(Kept(1, 0, 0)), Round(Kept(1, 0, 0)))
    assert not better(Round(Kept(1, 0, 0)), Round(Kept(1, 1, 0), (LOST,)))
