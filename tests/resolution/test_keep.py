"""Which value stands when episodes differ."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from itertools import permutations
from typing import Any

import pytest
from record_graphs import episode, evidence, record

from schemacast.records import Record, RecordGraph, Stated
from schemacast.resolution.resolve import resolve
from schemacast.schema.load import parse_schema

SCHEMA = parse_schema(
    """
name: test
vertices:
  T:
    key: id
    properties:
      id: string
      latest: string
      first: {type: string, keep: first}
      all: {type: string, keep: all}
      days: {type: date, keep: all}
      day: date
      opened: datetime
      first_day: {type: date, keep: first}
      list: [string]
      list_first: {type: [string], keep: first}
      list_all: {type: [string], keep: all}
"""
)


def at(day: int) -> datetime:
    return datetime(2026, 1, day, tzinfo=UTC)


def standing(name: str, *statements: tuple[datetime | None, Any]) -> Any:
    """The value that stands, which is the same in whatever order the episodes come."""
    graphs = [
        episode(f"m{number}", record("v", "T", id="1", **{name: value}), at=moment)
        for number, (moment, value) in enumerate(statements)
    ]
    found = []
    for order in permutations(graphs):
        (entity,) = resolve(SCHEMA, order).entities.values()
        found.append(entity.props[name])
    assert all(value == found[0] for value in found)
    return found[0]


def test_the_latest_value_is_that_of_the_latest_reference_time_and_none_sorts_first() -> None:
    assert standing("latest", (at(3), "b"), (at(5), "c"), (at(4), "a"), (None, "z")) == "c"
    assert standing("latest", (None, "a"), (None, "b")) == "b"


def test_reference_times_are_compared_as_instants_and_a_naive_one_is_in_the_zone_of_the_schema() -> None:
    tokyo = datetime(2026, 1, 2, 8, tzinfo=timezone(timedelta(hours=9)))
    assert standing("latest", (tokyo, "earlier"), (at(2), "later")) == "later"
    assert standing("latest", (at(2), "b"), (datetime(2026, 1, 2, 1), "naive, an hour later")) == "naive, an hour later"


def test_the_first_value_stands_with_keep_first() -> None:
    assert standing("first", (at(3), "b"), (at(2), "a"), (at(4), "c")) == "a"
    assert standing("first_day", (at(2), "2024"), (at(3), date(2024, 3, 2))) == "2024"


def test_all_values_stand_distinct_in_the_order_of_their_times() -> None:
    assert standing("all", (at(3), "b"), (at(2), "c"), (at(5), "c"), (at(4), "a")) == ("c", "b", "a")
    assert standing("all", (at(3), "b")) == ("b",)


def test_of_all_dates_the_full_ones_stand_first() -> None:
    assert standing("days", (at(2), "2024"), (at(3), date(2025, 1, 1)), (at(4), date(2024, 1, 1))) == (
        date(2025, 1, 1),
        date(2024, 1, 1),
        "2024",
    )


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ([date(2024, 3, 2), "2024-03"], date(2024, 3, 2)),
        ([date(2024, 3, 2), "2024"], date(2024, 3, 2)),
        ([date(2024, 3, 2), "2024-04"], "2024-04"),
        ([date(2024, 3, 2), "2025"], "2025"),
        (["2024-03", "2024"], "2024-03"),
        (["2024", date(2024, 3, 2)], date(2024, 3, 2)),
        ([date(2024, 3, 2), date(2024, 3, 5), "2024"], date(2024, 3, 5)),
        ([date(2024, 3, 2), "2024-04", "2024"], "2024-04"),
        ([date(2024, 4, 9), "2024-04", "2024"], date(2024, 4, 9)),
        ([date(2024, 3, 2), date(2025, 3, 2), "2024"], date(2024, 3, 2)),
    ],
)
def test_a_more_precise_date_wins_over_a_later_vaguer_one_that_it_agrees_with(
    statements: list[Any], expected: Any
) -> None:
    assert standing("day", *((at(number + 1), value) for number, value in enumerate(statements))) == expected


def test_a_datetime_is_kept_over_its_day_and_of_two_on_one_day_the_later_stated_stands() -> None:
    morning, noon = datetime(2026, 3, 2, 8, tzinfo=UTC), datetime(2026, 3, 2, 12, tzinfo=UTC)
    assert standing("opened", (at(1), noon), (at(2), morning), (at(3), "2026-03-02")) == morning
    assert standing("opened", (at(1), noon), (at(2), "2026-03-03")) == "2026-03-03"


def test_the_list_of_the_latest_episode_stands_and_all_is_the_union() -> None:
    statements = [(at(2), ("b", "a")), (at(1), ("c", "b")), (at(3), ("d", "d"))]
    assert standing("list", *statements) == ("d",)
    assert standing("list_first", *statements) == ("c", "b")
    assert standing("list_all", *statements) == ("c", "b", "a", "d")


def test_two_records_of_one_episode_join_their_lists_and_the_later_of_their_values_stands() -> None:
    mail = episode(
        "m",
        record("a", "T", id="1", list=("x",), latest="a", first="a"),
        record("b", "T", id="1", list=("y",), latest="b", first="b"),
    )
    (entity,) = resolve(SCHEMA, [mail]).entities.values()
    assert entity.props == {"id": "1", "list": ("x", "y"), "latest": "b", "first": "a"}


def test_within_an_episode_what_the_source_states_stands() -> None:
    def props(prefix: str, *, known: bool) -> dict[str, Any]:
        proof = evidence(None if known else 3)
        return {name: Stated(f"{prefix}", proof) for name in ("latest", "first")} | {
            "id": Stated("1", proof),
            "list": (Stated(prefix, proof),),
        }

    stated = Record("k", "T", evidence(None), props("known", known=True))
    read = Record("v", "T", evidence(3), props("text", known=False))
    for records in [(stated, read), (read, stated)]:
        graph = resolve(SCHEMA, [RecordGraph("m", "test@1.0.0", at(1), records)])
        (entity,) = graph.entities.values()
        assert entity.props == {"id": "1", "latest": "known", "first": "known", "list": ("known",)}


def test_what_a_store_held_counts_as_stated_before_everything() -> None:
    first = resolve(
        SCHEMA, [episode("m", record("v", "T", id="1", latest="a", first="a", all="b", list=("a",)), at=at(9))]
    )
    later = episode("n", record("v", "T", id="1", latest="c", first="c", all="a", list=("c",)))
    (entity,) = resolve(SCHEMA, [later], known=first).entities.values()
    assert entity.props == {"id": "1", "latest": "c", "first": "a", "all": ("b", "a"), "list": ("c",)}


def test_an_empty_list_states_nothing() -> None:
    graphs = [
        episode("m", record("v", "T", id="1", list=("a",)), at=at(1)),
        episode("n", record("v", "T", id="1", list=()), at=at(2)),
    ]
    (entity,) = resolve(SCHEMA, graphs).entities.values()
    assert entity.props["list"] == ("a",)
