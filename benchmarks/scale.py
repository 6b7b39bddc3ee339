"""Memory and time of a cast from files to files, as the number of episodes grows.

Each size is cast in a process of its own, with replies from a replay file, over 10,000 distinct entities.

    python benchmarks/scale.py [EPISODES …]        (20,000 and 100,000 unless given)
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SCHEMA = """
name: scale
vertices:
  Customer: {key: account, properties: {account: string}}
  Ticket: {key: number, properties: {number: string, severity: integer}}
edges:
  RAISED: {source: Customer, target: Ticket}
"""
ENTITIES = 10_000
MOST_MEGABYTES = 300


def episodes(count: int) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """An episode and its reply; half of the entities are customers, half are tickets."""
    numbers = random.Random(1)
    for n in range(count):
        account = f"ACC-{numbers.randrange(ENTITIES // 2)}"
        ticket = f"HD-{numbers.randrange(ENTITIES // 2)}"
        severity = n % 5 + 1
        text = f"Customer {account} raised {ticket} with severity {severity}. Mail {n}."
        vertices = [
            {"ref": "c", "type": "Customer", "quote": f"Customer {account}", "props": [prop("account", account)]},
            {
                "ref": "t",
                "type": "Ticket",
                "quote": f"{ticket} with severity {severity}",
                "props": [prop("number", ticket), prop("severity", severity)],
            },
        ]
        edges = [{"relation": "RAISED", "from": "c", "to": "t", "quote": f"{account} raised {ticket}", "props": []}]
        source_id = f"m-{n}"
        yield (
            {"source_id": source_id, "text": text, "reference_time": "2026-03-02T09:00:00Z"},
            {"source_id": source_id, "round": 0, "reply": {"vertices": vertices, "edges": edges, "unmapped": []}},
        )


def prop(name: str, value: object) -> dict[str, object]:
    return {"name": name, "value": value, "quote": None}


def measure(count: int, folder: Path) -> float:
    """Cast `count` episodes; prints seconds and the most memory, which it returns in megabytes."""
    (folder / "schema.yaml").write_text(SCHEMA, "utf-8")
    with (folder / "e.jsonl").open("w") as texts, (folder / "r.jsonl").open("w") as replies:
        for episode, reply in episodes(count):
            texts.write(json.dumps(episode) + "\n")
            replies.write(json.dumps(reply) + "\n")
    command = [sys.executable, "-m", "schemacast.cli.main", "cast", "--quiet"]
    command += ["--schema", str(folder / "schema.yaml"), "--episodes", str(folder / "e.jsonl")]
    command += ["--model", f"replay:{folder / 'r.jsonl'}", "--out", str(folder / "out")]
    started = time.perf_counter()
    subprocess.run(command, check=True)
    seconds = time.perf_counter() - started
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{count:>9,} episodes  {seconds:7.1f} s  {1e6 * seconds / count:6.0f} µs each  at most {most:5.0f} MB")
    return most


def main() -> None:
    sizes = [int(size) for size in sys.argv[1:]] or [20_000, 100_000]
    for size in sorted(sizes):
        with tempfile.TemporaryDirectory() as folder:
            if measure(size, Path(folder)) > MOST_MEGABYTES:
                sys.exit(f"more than {MOST_MEGABYTES} MB")


if __name__ == "__main__":
    main()
