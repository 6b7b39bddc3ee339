"""A moment: the parts of a date and time that a text states, and no more.

Texts state moments in part: a year, a month, a day, an hour, a zone. A `Moment` keeps each part that
stands there and `None` for each that does not, so that nothing is filled in along the way; the
conversions turn it into a value of a property's type, or into the text of a partial one. A part that
the clocks of a zone decide (an hour that is skipped or doubled when they change) is never chosen.
`matches` compares a reading with what somebody claims it to be, on the parts that both state.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo


@dataclass(frozen=True, slots=True)
class Moment:
    """What one reading states; a part is None when it is not stated.

    `minute` is 0 where only an hour stands ("2 pm"). `offset` is from UTC; `zone` is an IANA name.
    `relative` says that parts were computed from the reference time ("yesterday", "2 March").
    """

    year: int | None = None
    month: int | None = None
    day: int | None = None
    hour: int | None = None
    minute: int | None = None
    second: int | None = None
    microsecond: int | None = None
    offset: timedelta | None = None
    zone: str | None = None
    relative: bool = False

    def as_date(self) -> date | str | None:
        """The date, `2024` or `2024-03` when only that is stated, None when no year is known."""
        if self.year is None:
            return None
        if self.month is None:
            return f"{self.year:04d}"
        if self.day is None:
            return f"{self.year:04d}-{self.month:02d}"
        return date(self.year, self.month, self.day)

    def as_time(self) -> time | None:
        """The time of day as stated, without its zone; None when none is stated."""
        if self.hour is None:
            return None
        return time(self.hour, self.minute or 0, self.second or 0, self.microsecond or 0)

    def as_datetime(self, zone: tzinfo) -> datetime | str | None:
        """The instant in UTC; text when it is known only in part; None when there is no such moment.

        A stated offset or zone wins over `zone`. Without a time the day is given as text
        (`2026-03-02`). A local time that occurs twice when the clocks go back is known only by its
        day; one that is skipped when they go forward never was, and gives None.
        """
        day = self.as_date()
        clock = self.as_time()
        if not isinstance(day, date):
            return day
        if clock is None:
            return day.isoformat()
        own = self._own_zone()
        if own is None and self.zone is not None:
            return day.isoformat()
        found = _instants(datetime.combine(day, clock), own or zone)
        if len(found) == 1:
            return found[0]
        return day.isoformat() if found else None

    def _own_zone(self) -> tzinfo | None:
        if self.offset is not None:
            return timezone(self.offset)
        return named_zone(self.zone) if self.zone is not None else None


@dataclass(frozen=True, slots=True)
class MomentReading:
    """A place in a text, and the moments it may mean: one is certain, several are ambiguous.

    `midnight` marks a word for midnight that names no side of a day, and so belongs to none.
    """

    start: int
    end: int
    values: tuple[Moment, ...]
    midnight: bool = False


def named_zone(name: str) -> tzinfo | None:
    """The zone that the tz database has under a name like Europe/Oslo; None for any other name."""
    import zoneinfo  # only here: few texts name a zone

    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return None


def matches(moment: Moment, claim: Moment, *, zone: tzinfo | None = None) -> bool:
    """Whether a reading can be what a claim means: the parts that both state are equal.

    At least one part must be stated by both. Offsets that both state are compared as instants.
    Where only one has an offset, its wall clock counts, and, when `zone` is given (that of the
    one without), its instant too: a claim in UTC matches a local time.
    """
    if _parts_agree(moment, claim) and (
        moment.offset == claim.offset or moment.offset is None or claim.offset is None or moment.hour is None
    ):
        return True
    first = _instant(moment, zone)
    second = _instant(claim, zone)
    if first is None or second is None:
        return False
    if moment.second is None or claim.second is None:
        first, second = first.replace(second=0, microsecond=0), second.replace(second=0, microsecond=0)
    return first == second


def _parts_agree(moment: Moment, claim: Moment) -> bool:
    shared = 0
    for mine, theirs in (
        (moment.year, claim.year),
        (moment.month, claim.month),
        (moment.day, claim.day),
        (moment.hour, claim.hour),
        (moment.minute, claim.minute),
        (moment.second, claim.second),
    ):
        if mine is None or theirs is None:
            continue
        if mine != theirs:
            return False
        shared += 1
    if moment.microsecond is not None and claim.microsecond is not None:
        return moment.microsecond == claim.microsecond and shared > 0
    return shared > 0


def _instant(moment: Moment, zone: tzinfo | None) -> datetime | None:
    if moment.hour is None or (moment.offset is None and moment.zone is None and zone is None):
        return None
    found = moment.as_datetime(zone or UTC)
    return found if isinstance(found, datetime) else None


def _instants(local: datetime, zone: tzinfo) -> list[datetime]:
    """The instants at which the clocks of a zone show a local time: one, two, or none."""
    found = []
    for fold in (0, 1):
        try:
            instant = local.replace(tzinfo=zone, fold=fold).astimezone(UTC)
            shown = instant.astimezone(zone).replace(tzinfo=None, fold=0)
        except OverflowError:
            continue
        if shown == local and instant not in found:
            found.append(instant)
    return found
