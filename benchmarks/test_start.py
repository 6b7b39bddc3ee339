"""How long it takes to start: `schemacast --help` and `import schemacast` against an empty Python.

pytest benchmarks/test_start.py
"""

from __future__ import annotations

import subprocess
import sys
import time
from statistics import median
from typing import Any

import pytest

TURNS = 15
EMPTY = [sys.executable, "-c", "pass"]
HELP = [sys.executable, "-c", "import sys; from schemacast.cli.main import main; sys.exit(main())", "--help"]
IMPORT = [sys.executable, "-c", "import schemacast"]


def seconds(command: list[str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - started


@pytest.mark.parametrize(("command", "most"), [(HELP, 6.0), (IMPORT, 6.0)], ids=["help", "import"])
def test_start(benchmark: Any, command: list[str], most: float) -> None:
    # The two take turns, and the median of the ratios counts, so that a slow moment of the machine meets both.
    ratios: list[float] = []

    def turns() -> None:
        for _ in range(TURNS):
            empty = seconds(EMPTY)
            ratios.append(seconds(command) / empty)

    benchmark.pedantic(turns, rounds=1)
    benchmark.extra_info["times an empty Python"] = round(median(ratios), 2)
    print(f"{command[-1]}: {median(ratios):.2f} times an empty Python")
    assert median(ratios) <= most
