"""Writes schemacast/language/calendar.json: month and weekday names, date orders and zone abbreviations.

The names and the order of day, month and year come from Unicode's CLDR through `babel`; the
abbreviations of zones with the offsets they have stood for since 1990 from the tz database. Both
are data that change slowly, so they are generated once and the package needs neither. Run it with
`uv run --with babel --with tzdata scripts/generate_calendar.py`.
"""

from __future__ import annotations

import json
import zoneinfo
from datetime import UTC, datetime, timedelta
from pathlib import Path

import babel
from babel import Locale, UnknownLocaleError
from babel.localedata import locale_identifiers

# Languages that write the Gregorian calendar with names, and spaces between words.
LANGUAGES = (
    "en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "nb", "nn", "fi", "is", "pl", "cs", "sk",
    "sl", "hr", "bs", "sr", "bg", "mk", "ru", "uk", "be", "ro", "hu", "el", "tr", "lt", "lv", "et",
    "sq", "ca", "gl", "eu", "ga", "cy", "af", "id", "ms", "sw", "he", "ar", "hy", "ka",
)  # fmt: skip
# Languages whose names are not in the table, but whose order of day, month and year is.
ORDER_ONLY = ("ja", "zh", "ko")
TARGET = Path(__file__).parent.parent / "schemacast" / "language" / "calendar.json"


def names(locale: Locale, kind: str, width: str) -> list[list[str]]:
    """The forms of each month or weekday (Monday first) at one width, inflected and alone, trimmed."""
    table = locale.months if kind == "months" else locale.days
    keys = range(1, 13) if kind == "months" else range(7)
    found = []
    for key in keys:
        forms = []
        for context in ("format", "stand-alone"):
            name = table[context][width][key].strip().rstrip(".").lower()
            if len(name) > 1 and not any(char.isdigit() for char in name) and name not in forms:
                forms.append(name)
        found.append(forms)
    return found


def order(locale: Locale) -> str:
    """`dmy`, `mdy` or `ymd`: how CLDR's short date of the locale is ordered."""
    pattern = str(locale.date_formats["short"].pattern)
    return "".join(sorted("dmy", key=pattern.lower().index))


def orders() -> dict[str, str]:
    """The order of each language, and of each territory that differs from its language."""
    found = {language: order(Locale.parse(language)) for language in (*LANGUAGES, *ORDER_ONLY)}
    for identifier in sorted(locale_identifiers()):
        try:
            locale = Locale.parse(identifier)
        except (UnknownLocaleError, ValueError):
            continue
        language, territory = locale.language, locale.territory
        if language not in found or not territory or not territory.isalpha() or locale.variant:
            continue
        if order(locale) != found[language] or language == "en":
            found[f"{language}-{territory}"] = order(locale)
    return found


def zones() -> dict[str, list[int]]:
    """Each abbreviation of letters with the offsets, in minutes, it has stood for since 1990."""
    found: dict[str, set[int]] = {}
    for name in sorted(zoneinfo.available_timezones()):
        zone = zoneinfo.ZoneInfo(name)
        moment = datetime(1990, 1, 15, tzinfo=UTC)
        while moment.year < 2027:
            local = moment.astimezone(zone)
            abbreviation, offset = local.tzname() or "", local.utcoffset() or timedelta()
            if abbreviation.isalpha() and abbreviation.isupper() and offset % timedelta(minutes=1) == timedelta():
                found.setdefault(abbreviation, set()).add(int(offset.total_seconds()) // 60)
            moment += timedelta(days=61)
    return {name: sorted(offsets) for name, offsets in sorted(found.items())}


def main() -> None:
    """Write the table, one language a line."""
    months = {}
    weekdays = {}
    for language in LANGUAGES:
        locale = Locale.parse(language)
        months[language] = [names(locale, "months", width) for width in ("wide", "abbreviated")]
        weekdays[language] = [names(locale, "days", width) for width in ("wide", "abbreviated")]
    parts = {
        "source": {"": f"Unicode CLDR through babel {babel.__version__}, and the tz database"},
        "months": months,
        "weekdays": weekdays,
        "orders": orders(),
        "zones": zones(),
    }
    lines = []
    for part, table in parts.items():
        rows = ",\n".join(f"  {json.dumps(key)}: {json.dumps(row, ensure_ascii=False)}" for key, row in table.items())
        lines.append(f'"{part}": {{\n{rows}\n}}')
    TARGET.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
