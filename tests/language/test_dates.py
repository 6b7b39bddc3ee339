"""What dates and times are read out of text: the table, and what must hold for every text."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from schemacast.language.calendar_words import calendar_data
from schemacast.language.dates import Moment, matches, read_moments

REFERENCE = datetime(2026, 3, 5, 10, 30, tzinfo=timezone(timedelta(hours=1)))
TABLE = yaml.safe_load((Path(__file__).parent / "tables" / "dates.yaml").read_text(encoding="utf-8"))
LOCALES = st.sampled_from([None, "en", "en-US", "en-GB", "de", "fr", "es", "ja", "pl", "xx-!", "und"])
WORDS = [
    "2", "03", "2026", "'26", ".", "-", "/", ":", ",", " ", " ", "T", "Z", "+01:00", "st", "March", "märz", "Mar",
    "mars", "de", "at", "um", "Uhr", "h", "pm", "Monday", "lundi", "last", "next", "days", "ago", "three", "vor",
    "Tagen", "hier", "avant", "il y a", "hace", "pasado", "昨日", "年", "月", "日", "月曜日", "前", "午後", "時",
    "令和", "三", "来月", "去年", "先週の", "1000", "CET", "\u0308", "\n",
]  # fmt: skip
ROWS = [
    pytest.param(row["text"], group.get("locale"), group.get("reference", REFERENCE), row["reads"], id=row["text"])
    for group in TABLE
    for row in group["rows"]
]


def shown(moment: Moment) -> str:
    day = ""
    if moment.month is not None or moment.year is not None:
        day = "-" if moment.year is None else f"{moment.year:04d}"
        day += "".join(f"-{part:02d}" for part in (moment.month, moment.day) if part is not None)
    if moment.hour is None:
        return day
    clock = f"T{moment.hour:02d}:{moment.minute:02d}"
    if moment.second is not None:
        clock += f":{moment.second:02d}"
    if moment.microsecond is not None:
        clock += f".{moment.microsecond:06d}"
    if moment.offset is not None:
        clock += datetime(2000, 1, 1, tzinfo=timezone(moment.offset)).isoformat()[-6:]
    return day + clock + (f"[{moment.zone}]" if moment.zone else "")


def only(text: str, locale: str | None = "en", reference: datetime | None = REFERENCE) -> Moment:
    (reading,) = read_moments(text, locale=locale, reference=reference)
    (moment,) = reading.values
    return moment


@pytest.mark.parametrize(("text", "locale", "reference", "reads"), ROWS)
def test_each_row_of_the_table_reads_as_it_says(text, locale, reference, reads):
    readings = read_moments(text, locale=locale, reference=reference)
    found = [(text[reading.start : reading.end], " or ".join(map(shown, reading.values))) for reading in readings]
    assert found == list(dict(reads).items())


@pytest.mark.parametrize("locale", ["de", "de-DE", "de_DE.UTF-8", "DE-at", "en-Latn-GB", "en_GB"])
def test_a_locale_may_be_written_in_every_usual_way(locale):
    assert only("03/04/2001", locale) == Moment(2001, 4, 3)


def test_the_reference_counts_by_its_own_wall_clock():
    late = datetime(2026, 3, 5, 23, 30, tzinfo=timezone(timedelta(hours=-5)))
    assert only("today", "en", late).as_date() == date(2026, 3, 5)
    assert only("today", "en", late.astimezone(UTC)).as_date() == date(2026, 3, 6)


def test_hours_are_not_counted_from_a_reference_that_is_only_a_date():
    assert read_moments("2 hours ago", locale="en", reference=datetime(2026, 3, 5)) == []
    assert only("2 hours ago", "en", datetime(2026, 3, 5, 1)).as_date() == date(2026, 3, 4)


def test_counting_past_the_ends_of_the_calendar_gives_no_reading():
    for reference in (datetime(1, 1, 1, 1), datetime(9999, 12, 31, 1)):
        for text in (
            "yesterday and tomorrow",
            "99999 days ago",
            "1000 years ago",
            "last month, next month",
            "2 March, Monday",
        ):
            read_moments(text, locale="en", reference=reference)
    assert read_moments("yesterday", locale="en", reference=datetime(1, 1, 1, 1)) == []
    assert read_moments("1000 years ago", locale="en", reference=datetime(999, 1, 1, 1)) == []


def test_accents_written_apart_are_read_and_offsets_are_those_of_the_text():
    text = "nächste: 2. März 2026, übermorgen".replace("ä", "a\u0308").replace("ü", "u\u0308")
    readings = read_moments(text, locale="de", reference=REFERENCE)
    assert [text[reading.start : reading.end] for reading in readings] == ["2. Ma\u0308rz 2026", "u\u0308bermorgen"]


def test_partial_dates_stay_text():
    assert only("2024").as_date() == "2024"
    assert only("March 2024").as_date() == "2024-03"
    assert only("2 March 2024").as_date() == date(2024, 3, 2)
    assert only("2 March 2024").as_datetime(UTC) == "2024-03-02"
    assert only("2024").as_datetime(UTC) == "2024"
    assert only("14:02").as_date() is None
    assert only("14:02").as_datetime(UTC) is None
    assert only("14:02").as_time() == time(14, 2)
    assert only("2 March 2024").as_time() is None
    assert only("2 March", reference=None).as_date() is None


def test_a_stated_offset_or_zone_wins_over_the_given_one():
    berlin = ZoneInfo("Europe/Berlin")
    assert only("2026-03-02 14:02").as_datetime(berlin) == datetime(2026, 3, 2, 13, 2, tzinfo=UTC)
    assert only("2026-03-02T14:02Z").as_datetime(berlin) == datetime(2026, 3, 2, 14, 2, tzinfo=UTC)
    assert only("2026-03-02 14:02 Asia/Tokyo").as_datetime(berlin) == datetime(2026, 3, 2, 5, 2, tzinfo=UTC)


def test_a_local_time_that_is_doubled_is_its_day_and_one_that_is_skipped_is_none():
    berlin = ZoneInfo("Europe/Berlin")
    assert only("2026-10-25 02:30").as_datetime(berlin) == "2026-10-25"
    assert only("2026-03-29 02:30").as_datetime(berlin) is None
    assert only("2026-03-29T02:30+01:00").as_datetime(berlin) == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)
    assert only("0001-01-01T00:00:00+01:00").as_datetime(UTC) is None


def test_a_claim_matches_on_the_parts_that_both_state():
    stated = only("on 2 March 2026 at 14:02")
    assert matches(stated, only("2026-03-02T14:02:00"))
    assert matches(stated, only("2026-03-02"))
    assert matches(stated, only("2 March", reference=None))
    assert matches(stated, only("14:02"))
    assert matches(stated, only("2026-03-02T14:02:00Z"))
    assert not matches(stated, only("2026-03-03T14:02:00"))
    assert not matches(stated, only("2026-03-02 14:03"))
    assert not matches(only("2024"), only("14:02"))
    assert not matches(only("14:02:30"), only("14:02:31"))


def test_a_claim_with_another_offset_matches_when_it_is_the_same_instant():
    stated = only("2026-03-02T14:02+01:00")
    assert matches(stated, only("2026-03-02T13:02:00Z"))
    assert not matches(stated, only("2026-03-02T14:02:00Z"))
    local = only("2026-03-02 14:02")
    assert not matches(local, only("2026-03-02T13:02:00Z"))
    assert matches(local, only("2026-03-02T13:02:00Z"), zone=ZoneInfo("Europe/Berlin"))


DATES = st.dates(min_value=date(1000, 1, 1), max_value=date(2199, 12, 31))
FORMS = {
    "de": "{d.day}. {month} {d.year}",
    "fr": "le {d.day} {month} {d.year}",
    "es": "el {d.day} de {month} de {d.year}",
    "en": "{month} {d.day}, {d.year}",
    "it": "{d.day} {month} {d.year}",
    "pl": "{d.day} {month} {d.year}",
    "tr": "{d.day} {month} {d.year}",
    "ru": "{d.day} {month} {d.year}",
    "el": "{d.day} {month} {d.year}",
}


@given(d=DATES, language=st.sampled_from(sorted(FORMS)), known=st.booleans(), upper=st.booleans())
@settings(max_examples=100, deadline=None)
def test_a_date_written_with_its_month_is_read_back(d, language, known, upper):
    month = calendar_data()["months"][language][0][d.month - 1][0]
    text = FORMS[language].format(d=d, month=month)
    if upper and language != "tr":
        text = text.upper()
    readings = read_moments(text, locale=language if known else None, reference=None)
    values = [moment.as_date() for reading in readings for moment in reading.values]
    assert d in values
    assert not known or values == [d]


@given(d=DATES, order=st.sampled_from(["{0:%d.%m.}{1}", "{0.day}/{0.month}/{1}", "{0:%d-%m-}{1}"]))
@settings(max_examples=60, deadline=None)
def test_a_numeric_date_is_read_back_in_a_day_first_locale(d, order):
    assert only(f"am {order.format(d, d.year)} geliefert", "de").as_date() == d


@given(d=DATES, clock=st.times(), reference=st.one_of(st.none(), st.datetimes(min_value=datetime(1500, 1, 1))))
@settings(max_examples=60, deadline=None)
def test_iso_text_is_read_back_alone_and_within_a_sentence(d, clock, reference):
    stamp = datetime.combine(d, clock, tzinfo=UTC)
    for text in (stamp.isoformat(), f"({stamp.isoformat()}) noted", f"{d.isoformat()} {clock.isoformat()} UTC"):
        assert only(text, None, reference).as_datetime(ZoneInfo("Asia/Tokyo")) == stamp
    assert only(f"{d.year}年{d.month}月{d.day}日", "ja", reference).as_date() == d


@given(text=st.one_of(st.text(max_size=60), st.lists(st.sampled_from(WORDS), max_size=14).map("".join)), locale=LOCALES)
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_without_error_and_every_reading_stands_in_it(text, locale):
    for reference in (None, REFERENCE, datetime(1, 1, 1, 12), datetime(9999, 12, 31, 12)):
        done = 0
        for reading in read_moments(text, locale=locale, reference=reference):
            assert done <= reading.start < reading.end <= len(text)
            assert reading.values
            assert len(set(reading.values)) == len(reading.values)
            done = reading.end
            for moment in reading.values:
                assert moment.as_date() is not None or moment.as_time() is not None or moment.month is not None
                moment.as_datetime(ZoneInfo("America/New_York"))
                assert matches(moment, moment)


@pytest.mark.parametrize(
    "piece",
    [
        "1",
        "1 ",
        "1.",
        "1/",
        "12:",
        "2024-",
        "march ",
        "last ",
        "il y a ",
        "one ",
        "月",
        "2月",
        "日前",
        "a\u0301\u0316",
        "Mo ",
    ],
)
def test_a_long_run_of_one_piece_is_read_in_bounded_work(piece):
    text = piece * 3000
    for reading in read_moments(text, locale=None, reference=REFERENCE):
        assert reading.end - reading.start < 80
