"""Dates, datetimes and times as a quote states them, part by part.

The quote's sentence is read whole, so that what stands beside the quote counts, and the readings inside
the quote are the only candidates. The model's value picks one: the one that agrees with it in most of
the parts that both state. What the text leaves out stays out: a day without a time is a partial
datetime, whatever time the model gave.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo
from functools import lru_cache
from typing import NamedTuple

from schemacast.cast.items import Plain, plain_text
from schemacast.cast.ledger import Refusal, shown
from schemacast.cast.place import neighbourhood, stands_cut
from schemacast.language.dates import MomentReading, read_moments
from schemacast.language.moments import Moment, matches
from schemacast.schema.values import Scalar, canonical_text

ISO = re.compile(
    r"(?:(\d{4})(?:-(\d\d)(?:-(\d\d))?)?)?"
    r"(?:(?:(?<=\d)[T ]|^)(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?\s*(Z|[+-]\d\d:?\d\d)?)?"
)
PARTS = ("year", "month", "day", "hour", "minute", "second")


class DatedRead(NamedTuple):
    """A moment's value and where it stands in the text."""

    value: Scalar
    start: int
    end: int


def read_moment(
    kind: str,
    given: Plain,
    text: str,
    start: int,
    end: int,
    locale: str | None,
    zone: tzinfo,
    reference: datetime | None,
) -> DatedRead | Refusal:
    """The date, datetime or time (`kind`) that the quote `text[start:end]` states and `given` means.

    A local time is in `zone`; `reference` resolves relative dates.
    """
    words = plain_text(given).strip()
    if reference is not None:  # its wall clock is what counts; as a key, an instant is equal in every zone
        reference = reference.replace(tzinfo=None)
    claims = _claims(words, locale, reference)
    if not claims:
        return Refusal("value_type", f"{shown(words)} is no {kind}")
    first, last = neighbourhood(text, start, end)
    readings = [
        reading
        for reading in _readings(text[first:last], locale, reference)
        if start <= first + reading.start and first + reading.end <= end
    ]
    ranked = sorted(
        ((_agreement(reading, claims, zone), -index) for index, reading in enumerate(readings)), reverse=True
    )
    best = readings[-ranked[0][1]] if ranked and ranked[0][0] else None
    quote = text[start:end]
    if best is None:
        if stands_cut(words, text, start, end) and not readings:
            return Refusal("value_type", f"{shown(words)} in the quote {shown(quote)} is no {kind}")
        return Refusal("value_not_in_quote", f"{shown(words)} is not what the quote {shown(quote)} says")
    if kind == "datetime":
        best = _joined(best, readings, claims)
    values = {_value(kind, moment, zone) for moment in best.values}
    where = shown(text[first + best.start : first + best.end])
    if len(values) > 1:
        several = " or ".join(sorted(canonical_text(value) for value in values if value is not None)[:4])
        return Refusal("value_ambiguous", f"{where} may be {several}, and nothing says which")
    value = values.pop()
    if value is None:
        return Refusal("value_type", f"{where} states no {kind}")
    return DatedRead(value, first + best.start, first + best.end)


def _value(kind: str, moment: Moment, zone: tzinfo) -> Scalar | None:
    if kind == "date":
        return moment.as_date()
    if kind == "time":
        return moment.as_time()
    return moment.as_datetime(zone)


def _agreement(reading: MomentReading, claims: tuple[Moment, ...], zone: tzinfo) -> int:
    """How many parts a reading shares with what the model means; 0 when it cannot be that."""
    return max(
        (
            1 + sum(1 for part in PARTS if getattr(moment, part) is not None and getattr(claim, part) is not None)
            for moment in reading.values
            for claim in claims
            if matches(moment, claim, zone=zone)
        ),
        default=0,
    )


def _joined(best: MomentReading, readings: list[MomentReading], claims: tuple[Moment, ...]) -> MomentReading:
    """The quote's only day with its only time of day, which stand apart, when the model's value has both."""
    days = [each for each in readings if all(moment.day is not None and moment.hour is None for moment in each.values)]
    times = [
        each for each in readings if all(moment.year is None and moment.hour is not None for moment in each.values)
    ]
    if len(days) != 1 or len(times) != 1 or best not in (days[0], times[0]) or times[0].midnight:
        return best
    if len(days[0].values) != 1 or len(times[0].values) != 1:
        return best
    if all(claim.year is None or claim.hour is None for claim in claims):
        return best
    day, clock = days[0].values[0], times[0].values[0]
    moment = replace(clock, year=day.year, month=day.month, day=day.day, relative=day.relative)
    if not any(matches(moment, claim) for claim in claims):
        return best
    return MomentReading(min(days[0].start, times[0].start), max(days[0].end, times[0].end), (moment,))


@lru_cache(maxsize=128)
def _readings(text: str, locale: str | None, reference: datetime | None) -> tuple[MomentReading, ...]:
    return tuple(read_moments(text, locale=locale, reference=reference))


@lru_cache(maxsize=1024)
def _claims(words: str, locale: str | None, reference: datetime | None) -> tuple[Moment, ...]:
    """What the model's value may mean: ISO 8601 as it is asked for, else whatever a text may write."""
    found = ISO.fullmatch(words)
    if found is None or not (found[1] or found[4]):
        return tuple(moment for reading in _readings(words, locale, reference) for moment in reading.values)
    year, month, day, hour, minute, second = (int(part) if part else None for part in found.groups()[:6])
    if not (0 <= (month or 1) - 1 < 12 and 1 <= (day or 1) <= 31 and (hour or 0) < 24 and (minute or 0) < 60):
        return ()
    return (Moment(year, month, day, hour, minute, second, offset=_offset(found[7])),)


def _offset(text: str | None) -> timedelta | None:
    if text is None:
        return None
    if text == "Z":
        return timedelta()
    sign = -1 if text[0] == "-" else 1
    return sign * timedelta(hours=int(text[1:3]), minutes=int(text[-2:]))
