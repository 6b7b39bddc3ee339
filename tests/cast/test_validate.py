"""What the tables do not show: stances and mentions on records, messages, remarks, settings, caches."""

from __future__ import annotations

import gc
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfoNotFoundError

import pytest

from schemacast.cast import facts as facts_module
from schemacast.cast.reply import Reply
from schemacast.cast.validate import Validated, validate
from schemacast.episode import Episode
from schemacast.records import Stated
from schemacast.schema.load import load_schema, parse_schema

HELPDESK = Path(__file__).parent / "schemas" / "helpdesk.yaml"
SCHEMA = load_schema(HELPDESK)


def vertex(ref: str, type: str, quote: str, *props: tuple[str, Any], **more: Any) -> dict[str, Any]:
    listed = [{"name": name, "value": value} for name, value in props]
    return {"ref": ref, "type": type, "quote": quote, "props": listed, **more}


def read(text: str, *vertices: Any, locale: str | None = "en", timezone: str = "UTC", **more: Any) -> Validated:
    reply = Reply(vertices=list(vertices), **{name: more.pop(name) for name in ("edges", "unmapped") if name in more})
    episode = Episode.model_validate({"source_id": "e", "text": text, **more})
    return validate(reply, SCHEMA, episode, locale=locale, timezone=timezone, round=1)


def value(result: Validated, name: str) -> Any:
    stated = result.graph.records[0].props[name]
    assert isinstance(stated, Stated)
    return stated.value


def test_a_listed_stance_stands_on_the_record_and_the_relation() -> None:
    edge = {"relation": "HANDLES", "from": "k", "to": "t", "quote": "kari will handle HD-2", "stance": "PLANNED"}
    result = read(
        "kari will handle HD-2 for Acme, soon to be founded.",
        vertex("k", "Agent", "kari", ("handle", "kari")),
        vertex("t", "Ticket", "HD-2", ("number", "HD-2"), stance="asserted"),
        vertex("c", "Company", "Acme", ("name", "Acme"), stance="planned"),
        edges=[edge],
    )
    assert [record.stance for record in result.graph.records] == [None, None, "planned"]
    assert [relation.stance for relation in result.graph.relations] == ["planned"]


def test_a_mention_may_not_create() -> None:
    result = read("the escalation of HD-2", vertex("e", "Escalation", "the escalation", mention=True))
    assert [record.may_create for record in result.graph.records] == [False]


def test_a_removed_vertex_tells_what_else_was_wrong_with_it() -> None:
    bad = vertex("t", "Ticket", "nowhere", ("number", "HD-2"))
    bad["props"] += [{"name": "severity", "value": 9, "quote": "severity 9"}, 7]
    (finding,) = read("HD-2 has severity 9", bad).findings
    assert finding.finding == "quote_not_found"
    assert finding.item == bad
    assert finding.round == 1
    assert finding.message == (
        "t Ticket: the quote 'nowhere' is not in the text; also t Ticket.severity: 9 is more than 5; "
        "t Ticket: the property is the number 7"
    )


def test_a_refused_value_names_its_vertex_property_and_quote() -> None:
    result = read("ticket HD-2 is open", vertex("v1", "Ticket", "ticket HD-2", ("number", "HD-21")))
    assert [finding.message for finding in result.findings] == [
        "v1 Ticket.number: 'HD-21' is not in the quote 'ticket HD-2'",
        "v1 Ticket: nothing identifies it; it needs one of number, as the text gives it",
    ]
    assert result.kept.vertices == 1
    assert result.findings[0].item == {"name": "number", "value": "HD-21"}


def test_a_long_quote_is_shown_in_part() -> None:
    quote = "x " * 400
    (finding,) = read("HD-2", vertex("t", "Ticket", quote)).findings
    assert len(finding.message) < 250
    assert finding.quote == quote


def test_unmapped_texts_are_located_or_reported() -> None:
    result = read(
        "The printer is on fire. Linden left.",
        unmapped=[
            {"quote": "The PRINTER is on fire", "note": "an incident"},
            {"quote": "Lind", "note": None},
            {"quote": "the scanner", "note": ""},
            {"note": "no quote"},
            "is on fire",
            7,
        ],
    )
    assert [(item.quote, item.note, item.span.start) for item in result.unmapped] == [
        ("The printer is on fire", "an incident", 0),
        ("Linden", "", 24),
        ("is on fire", "", 12),
    ]
    assert [(finding.finding, finding.kind) for finding in result.findings] == [
        ("quote_not_found", "unmapped"),
        ("quote_not_found", "unmapped"),
        ("malformed", "unmapped"),
    ]
    assert not any(finding.repairable for finding in result.findings)


def test_only_what_a_model_can_mend_is_repairable() -> None:
    known = {"vertices": [{"ref": "me", "type": "Ticket", "properties": {"severity": "high"}}]}
    result = read("HD-2", vertex("t", "Ticket", "nowhere"), vertex("u", "Ghost", "HD-2"), known=known)
    assert [(finding.finding, finding.repairable) for finding in result.findings] == [
        ("value_type", False),
        ("unknown_type", False),
        ("quote_not_found", True),
    ]


def test_an_item_that_is_neither_vertex_nor_edge_is_reported() -> None:
    episode = Episode(source_id="e", text="HD-2")
    result = validate(Reply(malformed=[3, {"x": 1}]), SCHEMA, episode, locale=None, timezone="UTC")
    assert [(finding.finding, finding.kind, finding.item) for finding in result.findings] == [
        ("malformed", "reply", 3),
        ("malformed", "reply", {"x": 1}),
    ]


def test_the_episodes_locale_wins_over_the_one_given() -> None:
    item = vertex("t", "Ticket", "HD-2 waits 1.250 h", ("number", "HD-2"), ("wait", "1.250"))
    assert value(read("HD-2 waits 1.250 h", item, locale="en"), "wait") == 1.25
    episode = Episode(source_id="e", text="HD-2 waits 1.250 h", locale="de")
    result = validate(Reply(vertices=[item]), SCHEMA, episode, locale="en", timezone="UTC")
    assert value(result, "wait") == 1250.0


def test_a_reference_time_without_a_zone_is_in_the_zone_given() -> None:
    result = read("HD-2", reference_time="2026-03-02T00:30:00", timezone="Europe/Oslo")
    assert result.graph.reference_time is not None
    assert result.graph.reference_time.astimezone(UTC) == datetime(2026, 3, 1, 23, 30, tzinfo=UTC)
    item = vertex("t", "Ticket", "HD-2 since yesterday", ("number", "HD-2"), ("opened", "yesterday"))
    result = read("HD-2 since yesterday", item, reference_time="2026-03-02T00:30:00", timezone="Europe/Oslo")
    assert value(result, "opened") == "2026-03-01"


def test_a_local_time_that_the_clocks_skip_or_repeat_is_not_guessed() -> None:
    for day, expected in (("29 March 2026", "value_type"), ("25 October 2026", None)):
        text = f"HD-2 opened on {day} at 02:30"
        item = vertex(
            "t", "Ticket", text, ("number", "HD-2"), ("opened", f"2026-{'03-29' if '29' in day else '10-25'}")
        )
        result = read(text, item, timezone="Europe/Oslo")
        if expected is None:
            assert value(result, "opened") == "2026-10-25"
        else:
            assert [finding.finding for finding in result.findings] == [expected]


def test_an_unknown_zone_is_the_callers_mistake() -> None:
    with pytest.raises(ZoneInfoNotFoundError):
        read("HD-2", timezone="Mars/Base")


def test_a_value_does_not_cut_a_character_in_two() -> None:
    decomposed = "か\u3099き"  # a reader sees が, another syllable
    result = read(decomposed, vertex("c", "Company", decomposed, ("name", "か")))
    assert [finding.finding for finding in result.findings] == ["quote_cuts_token", "key_insufficient"]


def test_facts_are_built_once_a_schema_and_go_with_it() -> None:
    schema = load_schema(HELPDESK)
    first = facts_module.facts_of(schema)
    assert facts_module.facts_of(schema) is first
    assert facts_module.facts_of(load_schema(HELPDESK)) is not first
    place = id(schema)
    assert place in facts_module._facts
    del schema, first
    gc.collect()
    assert place not in facts_module._facts


def test_many_threads_may_validate_at_once() -> None:
    def one(number: int) -> Validated:
        code = f"HD-{number % 7}"
        return read(f"ticket {code}, severity 3", vertex("t", "Ticket", code, ("number", code), ("severity", 3)))

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(one, range(64)))
    assert results == [one(number) for number in range(64)]
    assert all(result.kept.vertices == 1 for result in results)


def test_a_property_called_like_a_field_of_ours_is_an_ordinary_name() -> None:
    schema = parse_schema(
        """
        name: odd
        vertices:
          Thing: {key: name, properties: {name: string, value: string, quote: string, type: string}}
        """
    )
    props = {"name": "Hald", "type": "mill", "quote": "Hald"}
    vertices = [{"ref": "a", "type": "Thing", "quote": "Hald mill", "props": props}]
    episode = Episode(source_id="e", text="Hald mill")
    result = validate(Reply(vertices=vertices), schema, episode, locale=None, timezone="UTC")
    assert set(result.graph.records[0].props) == {"name", "type", "quote"}


def test_vertices_that_share_a_quote_search_a_long_text_once() -> None:
    text = "田中さんは来た。" * 12_000
    started = time.process_time()
    result = read(text, *(vertex(f"v{i}", "Agent", "田中", ("handle", "田中")) for i in range(300)), locale="ja")
    assert time.process_time() - started < 10  # one search each took a minute
    assert [record.evidence["span"]["start"] for record in result.graph.records] == [8 * i for i in range(300)]
