"""An ingest of many small texts, alone in its process, for a profiler to look at. See `test_ingest_cpu.py`.

python benchmarks/ingest_lines.py FOLDER STORE ENDPOINT EPISODES
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))


def episodes(path: Path, count: int) -> None:
    """Texts of two or three vertices with up to seven properties, and two edges."""
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            text = (
                f"v1 Customer account=c{number}{' size=7' if number % 3 == 0 else ''} tier=gold\n"
                f"v2 Customer account=hub{number % 97}\n"
                f"v1 KNOWS v2\nv3 Company name=Big{number % 500} country=NO\nv1 WORKS_AT v3"
            )
            file.write(json.dumps({"source_id": f"s{number}", "text": text}) + "\n")


def main(folder: Path, store: str, endpoint: str, count: int) -> None:
    """Run it and print what it took, as JSON."""
    from job_desk import lines_schema

    from schemacast import ingest, read_episodes

    episodes(folder / "episodes.jsonl", count)
    began, cpu = time.monotonic(), time.process_time()
    report = ingest(
        lines_schema(),
        read_episodes(folder / "episodes.jsonl"),
        model="openai/lines",
        base_url=endpoint,
        to=store,
        workspace=folder / "work.db",
    )
    took = {
        "ok": report.tally.statuses["ok"],
        "seconds": round(time.monotonic() - began, 1),
        "cpu": round(time.process_time() - cpu, 1),
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
    print(json.dumps(took))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4]))
