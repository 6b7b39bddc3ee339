"""Sets of records with the entities they stand for, read where they lie.

A set is a folder with `records.csv` (id, source, then the fields), `gold.csv` (id, entity_id) and `meta.json`, of which
only `fields`, `name_field` and `mode` are read. In a set of mode `linkage` two records of one source are different
things, which is said to every resolver alike.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

csv.field_size_limit(sys.maxsize)


@dataclass(frozen=True, slots=True)
class RecordSet:
    """Records in file order: their values by field, the source each came from, and the entity each stands for."""

    name: str
    fields: tuple[str, ...]
    name_field: str
    linkage: bool
    ids: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]
    sources: tuple[str, ...]
    entities: tuple[str, ...]


def read_set(folder: Path) -> RecordSet:
    """The set in a folder. Raises SystemExit where records and gold do not fit each other."""
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    fields = tuple(meta["fields"])
    records = list(_rows(folder / "records.csv"))
    gold = {row["id"]: row["entity_id"] for row in _rows(folder / "gold.csv")}
    ids = tuple(row["id"] for row in records)
    if set(ids) != set(gold) or len(set(ids)) != len(ids):
        raise SystemExit(f"{folder}: records.csv and gold.csv name other records")
    return RecordSet(
        name=folder.name,
        fields=fields,
        name_field=meta["name_field"],
        linkage=meta["mode"] == "linkage",
        ids=ids,
        values=tuple(tuple(row[field] for field in fields) for row in records),
        sources=tuple(row["source"] for row in records),
        entities=tuple(gold[each] for each in ids),
    )


def find_sets(folders: list[Path], only: list[str]) -> list[Path]:
    """The folders of sets in these folders (or that these folders are), by name; those named in `only`, if any."""
    found = [
        folder
        for given in folders
        for folder in ([given] if (given / "meta.json").exists() else sorted(given.iterdir()))
        if (folder / "meta.json").exists()
    ]
    unknown = set(only) - {folder.name for folder in found}
    if unknown or not found:
        raise SystemExit(f"no set {', '.join(sorted(unknown)) or 'at all'} in {', '.join(map(str, folders))}")
    return [folder for folder in found if not only or folder.name in only]


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)
