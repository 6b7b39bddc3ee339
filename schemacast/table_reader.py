"""Tables of records from files: CSV through the standard library, Parquet through pyarrow.

A row is read as its id and the values of the columns asked for, nothing else, so that a million rows pass as a
stream. Everything that can be wrong with such a file is one line that says where. The result goes out as a table of
two columns, in the form that the name of the file says.
"""

from __future__ import annotations

import csv
import os
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from schemacast.errors import InputError, MissingPackageError, OutputError, UsageError, nearest
from schemacast.frames import id_text, present

PARQUET = (".parquet", ".pq")
DELIMITERS = ",;\t|"
_QUOTED = re.compile('"[^"]*"')
Cells = tuple[Any, ...]


def read_table(path: str | Path, columns: Sequence[str], optional: Sequence[str] = ()) -> Iterator[tuple[int, Cells]]:
    """The rows of a table, each with its line (from 1, of Parquet its row) and its cells of the columns asked for.

    The cells of `columns` stand first, then those of the `optional` ones, of which a table may lack any; absent
    values are None. Raises InputError when the file cannot be read, lacks one of `columns`, or is damaged;
    MissingPackageError for Parquet without pyarrow.
    """
    source = Path(path)
    if source.suffix.lower() in PARQUET:
        yield from _read_parquet(source, columns, optional)
    else:
        yield from _read_csv(source, columns, optional)


def _read_csv(path: Path, columns: Sequence[str], optional: Sequence[str]) -> Iterator[tuple[int, Cells]]:
    csv.field_size_limit(sys.maxsize)
    reader: Any = None
    try:
        with path.open(encoding="utf-8-sig", newline="") as lines:
            first = lines.readline()
            if not first.strip():
                raise InputError(f"{path}: is empty; the first line names the columns")
            bare = _QUOTED.sub("", first)
            delimiter = max(DELIMITERS, key=lambda char: (bare.count(char), char == ","))
            lines.seek(0)
            reader = csv.reader(lines, delimiter=delimiter, strict=True)
            header = [name.strip() for name in next(reader)]
            places = _places(path, header, columns, optional)
            for row in reader:
                if len(row) > len(header):
                    raise InputError(
                        f"{path}:{reader.line_num}: has {len(row)} cells, and the table {len(header)} columns;"
                        " quote a cell that holds the separator"
                    )
                if len(row) < len(header):
                    if not row:
                        continue
                    row += [""] * (len(header) - len(row))
                yield reader.line_num, tuple([None if place < 0 else row[place].strip() or None for place in places])
    except UnicodeDecodeError as error:
        line = reader.line_num + 1 if reader is not None else 1
        raise InputError(
            f"{path}: is not UTF-8 (byte 0x{error.object[error.start]:02x} after line {line:,}); save it as UTF-8"
        ) from None
    except csv.Error as error:
        raise InputError(f"{path}:{reader.line_num}: is no CSV: {error}") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None


def _places(path: Path, header: list[str], columns: Sequence[str], optional: Sequence[str]) -> list[int]:
    """Where the columns stand, -1 for one that is absent. Raises InputError for one missing or doubled."""
    for name in (*columns, *optional):
        if header.count(name) > 1:
            raise InputError(f"{path}: has {header.count(name)} columns {name!r}; each needs a name of its own")
    for name in columns:
        if name not in header:
            raise InputError(f"{path}: has no column {name!r}{nearest(name, [each for each in header if each])}")
    return [header.index(name) if name in header else -1 for name in (*columns, *optional)]


def _read_parquet(path: Path, columns: Sequence[str], optional: Sequence[str]) -> Iterator[tuple[int, Cells]]:
    pyarrow, parquet = _pyarrow(path)
    try:
        with parquet.ParquetFile(path) as file:
            places = _places(path, file.schema_arrow.names, columns, optional)
            names = [name for name, place in zip((*columns, *optional), places, strict=True) if place >= 0]
            number = 0
            for batch in file.iter_batches(columns=list(dict.fromkeys(names))):
                held = {name: batch.column(name).to_pylist() for name in batch.schema.names}
                absent = [None] * batch.num_rows
                for cells in zip(*(held.get(name, absent) for name in (*columns, *optional)), strict=True):
                    number += 1
                    yield number, tuple(plain_cell(cell) for cell in cells)
    except pyarrow.ArrowException as error:
        raise InputError(f"{path}: is no Parquet file: {str(error).splitlines()[0]}") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None


def plain_cell(cell: Any) -> Any:
    """The value of a cell, None for one that is absent or blank."""
    value = present(cell)
    return (value.strip() or None) if isinstance(value, str) else value


def _pyarrow(path: Path) -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise MissingPackageError(
            f"{path}: Parquet needs the package pyarrow: pip install 'schemacast[parquet]', or give a CSV file"
        ) from None
    return pyarrow, parquet


def cell_id(where: str, line: int, cell: Any, seen: set[str]) -> str:
    """A row's id as text. Raises InputError, naming the row, for one that is empty or that another row has."""
    text = cell if isinstance(cell, str) else id_text(cell)
    if text is None or text == "":
        raise InputError(f"{where}{line}: has no id")
    text = str(text)
    if text in seen:
        raise InputError(f"{where}{line}: the id {text!r} is that of an earlier row")
    seen.add(text)
    return text


def write_pairs(path: str | Path, names: tuple[str, str], pairs: Iterable[tuple[str, str]]) -> None:
    """Write a table of two columns of text, whole or not at all. Raises OutputError when the disk refuses."""
    target = Path(path)
    parquet = target.suffix.lower() in PARQUET
    if parquet:
        _pyarrow(target)
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name}-", dir=target.parent)
    except OSError as error:
        raise OutputError(f"{target}: cannot be written: {error.strerror or error}", exit_code=2) from error
    try:
        os.close(handle)
        if parquet:
            _write_parquet(Path(temporary), names, pairs)
        else:
            with Path(temporary).open("w", encoding="utf-8", newline="") as lines:
                writer = csv.writer(lines, lineterminator="\n")
                writer.writerow(names)
                writer.writerows(pairs)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(target)
    except OSError as error:
        raise OutputError(f"{target}: cannot be written: {error.strerror or error}") from error
    finally:
        with suppress(OSError):
            Path(temporary).unlink()


def _write_parquet(path: Path, names: tuple[str, str], pairs: Iterable[tuple[str, str]]) -> None:
    pyarrow, parquet = _pyarrow(path)
    left, right = zip(*pairs, strict=True) if (pairs := list(pairs)) else ((), ())
    text = pyarrow.string()
    table = pyarrow.table({names[0]: pyarrow.array(left, text), names[1]: pyarrow.array(right, text)})
    parquet.write_table(table, path)


def check_table_name(path: str | Path) -> None:
    """Raises UsageError for a name that says another form than CSV and Parquet."""
    suffix = Path(path).suffix.lower()
    if suffix in (".xlsx", ".xls", ".ods", ".json", ".jsonl"):
        raise UsageError(f"{path}: a table is CSV or Parquet, not {suffix}; save it as one")


def check_target(path: str | Path, source: str | Path) -> None:
    """Raises, before the work is done, UsageError or OutputError where a result cannot go or its source stands."""
    check_table_name(path)
    target = Path(path)
    if target.is_dir():
        raise OutputError(f"{target}: cannot be written: is a directory; name a file", exit_code=2)
    if not target.parent.is_dir():
        raise OutputError(f"{target}: cannot be written: no such directory", exit_code=2)
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise OutputError(f"{target}: cannot be written: no permission", exit_code=4)
    if target.exists() and Path(source).exists() and target.samefile(source):
        raise UsageError(f"{target}: is the table itself; give the result a name of its own")
    if target.suffix.lower() in PARQUET:
        _pyarrow(target)
