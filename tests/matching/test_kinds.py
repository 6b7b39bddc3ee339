"""Kinds read off values, and values as numbers and dates."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from schemacast.matching.kinds import as_date, as_number, read_kind
from schemacast.matching.model import FieldKind
from schemacast.schema.values import Scalar


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([], "name"),
        (["Ada Lind", "Per Hald"], "name"),
        (["1950-01-02", "1960", "1971-03"], "date"),
        (["19500102", "19601231"], "date"),
        (["12/03/1950", "1.4.2001"], "date"),
        (["(1995),", "1989."], "date"),
        ([date(1950, 1, 2)], "date"),
        (["12.50", "$ 8", "1,299.00"], "number"),
        (["7", "8", "12"], "number"),
        (["0473", "5012", "1200"], "code"),
        (["50123", "77120", "10012"], "code"),
        (["212/249-8484", "404-876-0676"], "code"),
        (["TS2000-17", "KX7714"], "code"),
        (["+40 876 761082", "+40 21 3070000", "+407612345"], "code"),
        (["+47 55 31 20 11", "55312011", "(55) 31-20-11"], "code"),
        (["020 7946 0018", "0117 496 0111"], "code"),
        (["1 234 567", "12 500 000", "800 000"], "number"),
        (["1,234,567", "$ 12,500,000.50"], "number"),
        (["+12 %", "+7.5 %"], "number"),
        (["+48.8566140", "-2.35222190"], "number"),
        ([True, False], "exact"),
        (["a long text about nothing much that goes on for many more words than any name"], "text"),
        (["1397 n. highland ave.", "624 s. la brea ave."], "name"),
    ],
)
def test_a_kind_is_read_off_the_values(values: list[Scalar], kind: FieldKind) -> None:
    assert read_kind(values) == kind


def test_one_stray_value_in_ten_changes_no_kind() -> None:
    assert read_kind([*(f"19{year}-01-01" for year in range(50, 68)), "unknown"]) == "date"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("1950-01-02", (1950, 1, 2)),
        ("1950-01-02T10:00:00Z", (1950, 1, 2)),
        ("1950-01", (1950, 1, 0)),
        ("02/01/1950", (1950, 1, 2)),
        ("1.2.50", (1950, 2, 1)),
        ("1.2.24", (2024, 2, 1)),
        (datetime(1950, 1, 2, tzinfo=UTC), (1950, 1, 2)),
        ("soon", None),
        ("", None),
        (3.5, None),
    ],
)
def test_a_value_as_a_date(value: Scalar, expected: tuple[int, int, int] | None) -> None:
    assert as_date(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("12.5 kg", 12.5),
        ("$1,299.00", 1299.0),
        ("-3", -3.0),
        (".5", 0.5),
        (7, 7.0),
        (True, None),
        ("seven", None),
        ("", None),
        ("9" * 400, None),
    ],
)
def test_a_value_as_a_number(value: Scalar, expected: float | None) -> None:
    assert as_number(value) == expected
