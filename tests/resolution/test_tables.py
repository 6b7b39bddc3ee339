"""A table in, two columns out."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas
import polars
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemacast.errors import InputError, MissingPackageError, UnknownNameError, UsageError
from schemacast.resolution.ids import founded_id
from schemacast.resolution.tables import resolve_table
from schemacast.schema.load import parse_schema
from schemacast.table_reader import read_table, write_pairs

SCHEMA = parse_schema(
    """
name: people
vertices:
  Person:
    key: {match: [name, city]}
    properties: {name: {type: string, match: name}, city: string, born: {type: date, match: date}, age: integer}
  Case: {key: number, properties: {number: string}}
  Note: {key: minted, properties: {text: string}}
  Room: {within: IN, key: {match: [name]}, properties: {name: {type: string, match: name}}}
  House: {key: name, properties: {name: string}}
edges: {IN: {source: Room, target: House}}
"""
)
ROWS: list[dict[str, Any]] = [
    {"id": 7, "name": "Ada Lind", "city": "Oslo", "born": date(1950, 3, 2), "age": 3, "note": "x"},
    {"id": 3, "name": "ADA LIND", "city": "Oslo", "born": None, "age": None, "note": "y"},
    {"id": 5, "name": "Bo Brun", "city": None, "born": None, "age": 3, "note": "z"},
    {"id": 6, "name": None, "city": "Oslo", "born": None, "age": 3, "note": "z"},
    {"id": 4, "name": " ", "city": "Oslo", "born": None, "age": 3, "note": "z"},
]
EXPECTED = {"7": "3", "3": "3", "5": "5", "6": "6", "4": "4"}


def founders(found: dict[str, str]) -> dict[str, str]:
    """By row the row that founded its entity."""
    made = {founded_id("people", "Person", "match", ident, None, 0): ident for ident in found}
    return {ident: made[entity] for ident, entity in found.items()}


def write(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


def as_csv(path: Path, rows: list[dict[str, Any]] = ROWS, delimiter: str = ",") -> Path:
    with path.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.DictWriter(lines, list(rows[0]), delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_rows_of_mappings_and_of_frames_and_files_are_resolved_alike(tmp_path: Path) -> None:
    frame = pandas.DataFrame(ROWS)
    frame.to_parquet(tmp_path / "t.parquet")
    tables: list[Any] = [ROWS, iter(ROWS), frame, polars.DataFrame(ROWS), tmp_path / "t.parquet"]
    tables += [as_csv(tmp_path / "t.csv"), str(as_csv(tmp_path / "s.csv", delimiter=";"))]
    tables.append(as_csv(tmp_path / "t.tsv", delimiter="\t"))
    for rows in tables:
        found = resolve_table(SCHEMA, rows, type="Person")
        assert founders(dict(found.entity_ids)) == EXPECTED
        assert (found.entities, found.counts.rows) == (4, 3)


def test_a_row_that_names_nothing_is_alone_whatever_else_it_says() -> None:
    rows = [{"id": f"r{number}", "name": "", "city": "Oslo"} for number in range(3)]
    assert resolve_table(SCHEMA, rows, type="Person").entities == 3


def test_rows_with_one_value_of_a_column_are_apart() -> None:
    rows = [{"id": f"r{number}", "name": "Ada Lind", "city": "Oslo", "list": number % 2} for number in range(4)]
    assert resolve_table(SCHEMA, rows, type="Person").entities == 1
    found = resolve_table(SCHEMA, rows, type="Person", distinct_within="list")
    ids = list(found.entity_ids.values())
    assert ids[0] != ids[2]
    assert ids[1] != ids[3]


def test_odd_cells_are_values(tmp_path: Path) -> None:
    rows = [
        {"id": "a", "name": "x" * 100_000, "city": Decimal("1.5"), "born": "not a date"},
        {"id": "b", "name": ("Ada", None), "city": float("nan"), "born": {"odd": 1}},
        {"id": "c", "name": "😀 ﷽ \u200f", "city": "\u202e", "born": "0000"},
    ]
    assert resolve_table(SCHEMA, rows, type="Person").entities == 3
    path = as_csv(tmp_path / "t.csv", [{**row, "name": str(row["name"])} for row in rows])
    assert resolve_table(SCHEMA, path, type="Person").entities == 3


def test_cells_of_no_kind_of_value_stand_as_their_text() -> None:
    cells = [Decimal("sNaN"), 10**400, ["Ada", ["Bo"]], [{"odd": 1}, None], [[]], b"\xff", object(), float("inf")]
    rows = [{"id": f"r{number}", "name": cell, "city": None} for number, cell in enumerate(cells)]
    assert (
        resolve_table(SCHEMA, [*rows, *({**row, "id": f"s{row['id']}"} for row in rows)], type="Person").entities == 9
    )
    schema = parse_schema("name: t\nvertices: {P: {key: {match: [n]}, properties: {n: {type: number, match: number}}}}")
    rows = [{"id": number, "n": value} for number, value in enumerate([10**400, 10**400 + 1, 10**400, 7, 7.0])]
    assert resolve_table(schema, rows, type="P").entities == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "t.csv: is empty"),
        ("id,nam,city\n1,a,b\n", "t.csv: has no column 'name'; did you mean 'nam'?"),
        ("nr,name,city\n1,a,b\n", "t.csv: has no column 'id'"),
        ("id,name,city,name\n1,a,b,c\n", "t.csv: has 2 columns 'name'"),
        ("id,name,city\n1,a,b\n1,c,d\n", "t.csv:3: the id '1' is that of an earlier row"),
        ("id,name,city\n1,a,b\n,c,d\n", "t.csv:3: has no id"),
        ("id,name,city\n1,a,b,c\n", "t.csv:2: has 4 cells, and the table 3 columns"),
        ('id,name,city\n1,"a,b\n', "t.csv:2: is no CSV"),
    ],
)
def test_a_bad_table_is_one_line_that_says_where(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path / "t.csv", text)
    with pytest.raises(InputError) as caught:
        resolve_table(SCHEMA, path, type="Person")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_table_that_is_not_utf_8_or_not_there_is_named(tmp_path: Path) -> None:
    latin = write(tmp_path / "t.csv", "id,name,city\n1,Åse,b\n", "latin-1")
    with pytest.raises(InputError, match=r"t\.csv: is not UTF-8 \(byte 0xc5 after line \d"):
        resolve_table(SCHEMA, latin, type="Person")
    with pytest.raises(InputError, match=r"none\.csv: cannot be read: No such file"):
        resolve_table(SCHEMA, tmp_path / "none.csv", type="Person")
    with pytest.raises(InputError, match=r"t\.parquet: is no Parquet file"):
        resolve_table(SCHEMA, write(tmp_path / "t.parquet", "id,name"), type="Person")
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        resolve_table(SCHEMA, tmp_path, type="Person")


def test_separators_inside_quoted_names_do_not_separate(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", 'id;"name";city;"a, b, c, d, e"\n1;"Ada; Lind";Oslo;x\n2;ADA LIND;Oslo;y\n')
    assert resolve_table(SCHEMA, path, type="Person").entities == 1


def test_a_byte_order_mark_and_short_rows_and_empty_lines_are_fine(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "\ufeffid,name,city\r\n1,Ada\r\n\r\n2,ADA,\r\n")
    assert resolve_table(SCHEMA, path, type="Person").entities == 1


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"type": "Persn"}, UnknownNameError, "did you mean 'Person'"),
        ({"type": "Case"}, UsageError, "a Case has the key number"),
        ({"type": "Note"}, UsageError, "a Note is minted"),
        ({"type": "Room"}, UsageError, "a Room is told within IN"),
        ({"type": "Person", "id": "nr"}, InputError, "no column 'nr'"),
        ({"type": "Person", "distinct_within": "lst"}, InputError, "no column 'lst'"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        resolve_table(SCHEMA, ROWS, **options)
    with pytest.raises(InputError, match="rows must be an iterable"):
        resolve_table(SCHEMA, 5, type="Person")
    assert resolve_table(SCHEMA, [], type="Person").entity_ids == {}


def test_parquet_without_its_package_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'schemacast\[parquet\]'"):
        list(read_table(tmp_path / "t.parquet", ("id",)))
    with pytest.raises(MissingPackageError, match=r"pip install 'schemacast\[parquet\]'"):
        write_pairs(tmp_path / "t.parquet", ("a", "b"), [])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["t.csv", "t.parquet"])
def test_pairs_are_written_whole_or_not_at_all(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    write_pairs(path, ("id", "entity_id"), [("a,\n\"b'", "1"), ("é😀", "2")])
    assert [cells for _, cells in read_table(path, ("id", "entity_id"))] == [("a,\n\"b'", "1"), ("é😀", "2")]
    held = path.read_bytes()

    def fails() -> Iterator[tuple[str, str]]:
        yield "a", "b"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_pairs(path, ("id", "entity_id"), fails())
    assert path.read_bytes() == held
    assert [each.name for each in tmp_path.iterdir()] == [name]


@settings(max_examples=50, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["Ada Lind", "Dr. Ada Lind", "Bo", "BO", "C++", ""]), st.sampled_from(["Oslo", "Hald", ""])
        ),
        max_size=8,
    ),
    st.randoms(use_true_random=False),
)
def test_the_order_of_rows_changes_nothing(cells: list[tuple[str, str]], random: Any) -> None:
    rows = [{"id": f"r{number}", "name": name, "city": city} for number, (name, city) in enumerate(cells)]
    found = dict(resolve_table(SCHEMA, rows, type="Person").entity_ids)
    assert list(found) == [row["id"] for row in rows]
    shuffled = list(rows)
    random.shuffle(shuffled)
    assert dict(resolve_table(SCHEMA, shuffled, type="Person").entity_ids) == found


def test_a_cell_that_is_no_number_is_compared_as_text_and_only_a_veto_tells_equal_names_apart(tmp_path: Path) -> None:
    rows = "id,name,born\n1,Ada Lind,1950\n2,ADA LIND,1981\n3,Ada Lind,c. 1950\n4,Ada Lind,\n5,Bo Brun,1950\n"
    path = write(tmp_path / "t.csv", rows)
    for more, entities in (("match: number", 2), ("veto: true", 4), ("match: number, veto: true", 4)):
        schema = parse_schema(f"""
name: people
vertices:
  Person:
    key: {{match: [name]}}
    properties: {{name: {{type: string, match: name}}, born: {{type: integer, {more}}}}}
""")
        assert resolve_table(schema, path, type="Person").entities == entities, more
