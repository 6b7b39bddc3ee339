"""The task and the asset in the documentation hold up to the type checker, as far as our own interface goes."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "schedulers.md").read_text("utf-8")
PROGRAMS = re.findall(r"^```python (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def check(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    program = folder / "program.py"
    program.write_text(code, encoding="utf-8")
    # The schedulers themselves are not installed: what they decorate is unknown, what we offer is checked.
    options = ["--strict", "--ignore-missing-imports", "--allow-untyped-decorators", "--allow-any-unimported"]
    command = [sys.executable, "-m", "mypy", *options, "--config-file", "", str(program)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


@pytest.mark.slow
def test_the_programs_of_the_page_are_type_checked(tmp_path: Path) -> None:
    assert [name for name, _ in PROGRAMS] == ["airflow_tickets.py", "dagster_tickets.py"]
    for _, code in PROGRAMS:
        done = check(code, tmp_path)
        assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_a_mistake_in_such_a_program_would_be_found(tmp_path: Path) -> None:
    code = PROGRAMS[0][1].replace('max_time="6h"', 'max_tim="6h"').replace("report.left", "report.rest")
    done = check(code, tmp_path)
    assert 'Unexpected keyword argument "max_tim"' in done.stdout
    assert 'has no attribute "rest"' in done.stdout
