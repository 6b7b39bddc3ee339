"""Episodes from rows and frames: columns by name, absent values, zones, and clear errors."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import polars as pl
import pytest

from schemacast.episode_reader import episodes_from
from schemacast.errors import InputError

ROWS = [
    {"id": 7, "body": "HD-2 is open.", "sent": "2026-03-02T09:00:00", "team": "north", "score": 1.5},
    {"id": 8, "body": "It is closed.", "sent": None, "team": None, "score": float("nan")},
]


@pytest.mark.parametrize("make", [list, pd.DataFrame, pl.DataFrame, iter], ids=["list", "pandas", "polars", "iterator"])
def test_rows_of_every_kind_give_the_same_episodes(make: type) -> None:
    episodes = list(
        episodes_from(
            make(ROWS),
            source_id="id",
            text="body",
            reference_time="sent",
            timezone="Europe/Oslo",
            metadata=["team", "score"],
        )
    )
    assert [episode.source_id for episode in episodes] == ["7", "8"]
    assert episodes[0].text == "HD-2 is open."
    assert episodes[0].reference_time == datetime(2026, 3, 2, 9, tzinfo=ZoneInfo("Europe/Oslo"))
    assert episodes[0].metadata == {"team": "north", "score": 1.5}
    assert episodes[1].reference_time is None
    assert episodes[1].metadata == {}


def test_pandas_times_and_gaps_are_read_as_what_they_are() -> None:
    frame = pd.DataFrame(
        {
            "source_id": [1.0, 2.0],
            "text": ["a", "b"],
            "at": [pd.Timestamp("2026-03-02 10:00", tz="UTC"), pd.NaT],
            "n": pd.array([1, None], dtype="Int64"),
            "day": [date(2026, 3, 2), None],
        }
    )
    first, second = episodes_from(frame, reference_time="at", metadata=["n", "day"])
    assert first.source_id == "1"
    assert first.reference_time == datetime(2026, 3, 2, 10, tzinfo=UTC)
    assert first.metadata == {"n": 1, "day": "2026-03-02"}
    assert (second.reference_time, second.metadata) == (None, {})


def test_a_time_with_a_zone_keeps_it_and_one_without_stays_naive_when_no_zone_is_named() -> None:
    rows = [
        {"source_id": "a", "text": "t", "at": datetime(2026, 3, 2, 9)},
        {"source_id": "b", "text": "t", "at": "2026-03-02T09:00:00+09:00"},
        {"source_id": "c", "text": "t", "at": date(2026, 3, 2)},
    ]
    naive, zoned, day = episodes_from(rows, reference_time="at")
    assert naive.reference_time == datetime(2026, 3, 2, 9)
    assert zoned.reference_time is not None
    assert zoned.reference_time.utcoffset() is not None
    assert day.reference_time == datetime(2026, 3, 2)
    assert naive.moment("Asia/Tokyo") == datetime(2026, 3, 2, 9, tzinfo=ZoneInfo("Asia/Tokyo"))


def test_every_bad_row_of_a_list_is_reported() -> None:
    rows = [{"source_id": "a", "text": "t"}, {"source_id": "a", "text": "t"}, {"source_id": None, "text": "t"}]
    with pytest.raises(InputError) as raised:
        episodes_from([*rows, {"source_id": "b", "text": float("nan")}])
    assert [problem.line for problem in raised.value.problems] == [2, 3, 4]


def test_a_one_shot_iterator_is_read_as_it_is_consumed() -> None:
    taken = []

    def rows() -> Iterator[dict[str, str]]:
        for number in range(3):
            taken.append(number)
            yield {"source_id": str(number), "text": "t"}

    episodes = iter(episodes_from(rows()))
    assert taken == []
    assert next(episodes).source_id == "0"
    assert taken == [0]


def test_a_wrong_column_zone_or_kind_of_rows_says_what_is_right() -> None:
    rows = [{"source_id": "a", "body": "t"}]
    with pytest.raises(InputError, match="no column 'text'; known: body, source_id"):
        list(episodes_from(rows))
    with pytest.raises(InputError, match="no IANA time zone"):
        episodes_from(rows, text="body", timezone="Oslo")
    with pytest.raises(InputError, match="iterable of mappings or a data frame, not str"):
        episodes_from("text")
    with pytest.raises(InputError, match="row 1 is of type int"):
        list(episodes_from([1]))


def test_a_column_that_a_row_lacks_is_absent_there_and_one_that_all_lack_is_a_mistake() -> None:
    rows = [{"source_id": "a", "text": "t", "team": 1}, {"source_id": "b", "text": "t", "at": "2026-03-02T09:00:00"}]
    first, second = episodes_from(rows, reference_time="at", metadata=["team"])
    assert (first.reference_time, first.metadata, second.metadata) == (None, {"team": 1}, {})
    assert second.reference_time == datetime(2026, 3, 2, 9)
    with pytest.raises(InputError, match="no column 'tean'; did you mean 'team'"):
        episodes_from(rows, metadata=["tean"])
    with pytest.raises(InputError, match="no column 'at'"):
        list(episodes_from(iter(rows), reference_time="at"))


def test_a_column_that_stands_twice_in_a_frame_is_a_mistake() -> None:
    frame = pd.DataFrame([["a", "t", "u"]], columns=["source_id", "text", "text"])
    with pytest.raises(InputError, match="two columns 'text'"):
        episodes_from(frame)


@pytest.mark.parametrize(
    ("given", "read"),
    [
        (7, "7"),
        (7.0, "7"),
        (2.5, "2.5"),
        (1e300, "1e+300"),
        (np.int64(7), "7"),
        (Decimal("7.0"), "7"),
        (UUID(int=5), "00000000-0000-0000-0000-000000000005"),
        (np.str_("x"), "x"),
    ],
)
def test_an_id_of_any_kind_that_tables_have_becomes_its_text(given: object, read: str) -> None:
    (episode,) = episodes_from([{"source_id": given, "text": "t"}])
    assert episode.source_id == read


@pytest.mark.parametrize("given", [True, float("inf"), Decimal("NaN"), ["a"], b"\xff"])
def test_what_is_no_id_is_told_in_its_row(given: object) -> None:
    with pytest.raises(InputError, match="row:1: "):
        episodes_from([{"source_id": given, "text": "t"}])


def test_metadata_is_plain_json_whatever_a_frame_held() -> None:
    held = {"list": [1, float("nan"), None], "array": np.array([1.5, np.nan]), "deep": {"a": np.int64(1), "b": pd.NaT}}
    (episode,) = episodes_from([{"source_id": "a", "text": "t", "held": held}], metadata="held")
    assert episode.metadata == {"held": {"list": [1, None, None], "array": [1.5, None], "deep": {"a": 1}}}


@pytest.mark.parametrize("zone", ["Europe", "../etc/passwd", "", "Mars/Base"])
def test_what_is_no_time_zone_is_told(zone: str) -> None:
    with pytest.raises(InputError, match="no IANA time zone"):
        episodes_from([{"source_id": "a", "text": "t"}], timezone=zone)
