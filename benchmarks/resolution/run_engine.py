"""Resolves a CSV with our engine: a whole process, from the file to the pairs of id and entity.

python run_engine.py RECORDS.csv OUT.csv
"""

from __future__ import annotations

import csv
import json
import sys
import time
from pathlib import Path

from schemacast.matching.match import match
from schemacast.matching.model import Field, Row


def main(source: str, out: str) -> None:
    with Path(source).open(encoding="utf-8", newline="") as file:
        lines = csv.reader(file)
        fields = [Field(name) for name in next(lines)[1:]]
        ids = []
        rows = []
        for number, *values in lines:
            ids.append(number)
            rows.append(Row(tuple([value or None for value in values])))
    started = time.perf_counter()
    matching = match(fields, rows)
    seconds = time.perf_counter() - started
    with Path(out).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("id", "entity"))
        for entity, cluster in enumerate(matching.clusters):
            writer.writerows((ids[row], entity) for row in cluster)
    counts = matching.counts
    print(json.dumps({"match_seconds": seconds, "compared": counts.compared, "skipped_rows": counts.skipped_rows}))


if __name__ == "__main__":
    main(*sys.argv[1:])
