"""Time, memory and rightness of resolving many made-up records, beside Splink on the same records in the same run.

Each resolver reads the same CSV and writes pairs of id and entity, in a process of its own; its whole time counts, and
the memory of it and its children together. Sizes are given rising; between two of them the growth of time is printed
as it would be if the records had doubled.

    python benchmarks/resolution/scale.py [--kind people|companies] [--splink PYTHON] [RECORDS …]

PYTHON is an interpreter of an environment that has `splink` (5) and `duckdb`; both are no part of this project.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import resource
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import generate
from measures import rightness

HERE = Path(__file__).parent
MOST_TIMES_SPLINK, MOST_GIGABYTES, LEAST_F1, MOST_GROWTH = 1.4, 4.0, 0.98, 2.5


@dataclass(frozen=True, slots=True)
class Run:
    """One resolver over one size: seconds of the whole process, its seconds of CPU, gigabytes at most, rightness."""

    seconds: float
    cpu_seconds: float
    gigabytes: float
    precision: float
    recall: float
    f1: float
    said: dict[str, float]


def run(command: list[str], out: Path, things: list[int]) -> Run:
    """Run a resolver and measure it. Raises SystemExit with its last lines where it fails."""
    started, worked = time.perf_counter(), _cpu_of_children()
    process = subprocess.Popen([*command, str(out)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    peak = _Peak(process.pid)
    stdout, stderr = process.communicate()
    seconds = time.perf_counter() - started
    cpu_seconds = _cpu_of_children() - worked
    gigabytes = peak.stop() / 2**30
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}:\n{stderr[-2000:]}")
    with out.open(encoding="utf-8", newline="") as file:
        entity = {int(row["id"]): row["entity"] for row in csv.DictReader(file)}
    figures = rightness([entity[record] for record in range(len(things))], things)
    said = json.loads(stdout.splitlines()[-1])
    return Run(seconds, cpu_seconds, gigabytes, figures.precision, figures.recall, figures.f1, said)


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class _Peak(threading.Thread):
    """The most memory that a process and its children held at once, looked at ten times a second."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self.pid, self.most, self.ended = pid, 0, threading.Event()
        self.start()

    def run(self) -> None:
        while not self.ended.wait(0.1):
            self.most = max(self.most, sum(map(_held, _family(self.pid))))

    def stop(self) -> int:
        self.ended.set()
        self.join()
        return self.most


def _family(pid: int) -> list[int]:
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    except OSError:  # it has just ended
        return []
    return [pid, *(each for child in children for each in _family(int(child)))]


def _held(pid: int) -> int:
    """Bytes of a process, what it shares with others counted in part."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in text.splitlines() if line.startswith("Pss:"))


def show(name: str, kind: str, count: int, done: Run) -> None:
    print(
        f"{name:<8}{kind:<11}{count:>9}{done.seconds:>9.1f}{done.cpu_seconds:>9.1f}{done.gigabytes:>7.2f}"
        f"{done.precision:>8.4f}{done.recall:>8.4f}{done.f1:>8.4f}  {done.said}",
        flush=True,
    )


def verdict(kind: str, count: int, ours: Run, splink: Run | None, before: tuple[int, Run] | None) -> None:
    """Say how the limits were met."""
    parts = [f"F1 {ours.f1:.4f} (least {LEAST_F1})", f"{ours.gigabytes:.2f} GB (most {MOST_GIGABYTES})"]
    if splink:
        times, cpu_times = ours.seconds / splink.seconds, ours.cpu_seconds / splink.cpu_seconds
        parts.append(f"{times:.2f} times Splink (most {MOST_TIMES_SPLINK}), {cpu_times:.2f} times its CPU time")
    if before:
        doublings = math.log2(count / before[0])
        growth = (ours.seconds / before[1].seconds) ** (1 / doublings)
        parts.append(f"{growth:.2f} times as long per doubling (most {MOST_GROWTH})")
    print(f"        {kind} {count}: {', '.join(parts)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("records", nargs="*", type=int, default=[50_000, 100_000])
    parser.add_argument("--kind", choices=tuple(generate.FIELDS), action="append")
    parser.add_argument("--splink", metavar="PYTHON", help="an interpreter that has splink and duckdb")
    parser.add_argument("--only-splink", action="store_true", help="leave our engine out")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    print(f"{'':<19}{'records':>9}{'seconds':>9}{'CPU':>9}{'GB':>7}{'P':>8}{'R':>8}{'F1':>8}")
    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder, "records.csv"), Path(folder, "out.csv")
        for kind in args.kind or tuple(generate.FIELDS):
            before = None
            for count in sorted(args.records):
                things = generate.write(kind, count, source, seed=args.seed)
                splink = None
                if args.splink:
                    splink = run([args.splink, str(HERE / "run_splink.py"), kind, str(source)], out, things)
                    show("splink", kind, count, splink)
                if not args.only_splink:
                    ours = run([sys.executable, str(HERE / "run_engine.py"), str(source)], out, things)
                    show("ours", kind, count, ours)
                    verdict(kind, count, ours, splink, before)
                    before = (count, ours)


if __name__ == "__main__":
    main()
