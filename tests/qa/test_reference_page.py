"""The reference page lists every status, reason, violation, rung and constant with its meaning."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from schemacast.qa import dag, quantifier
from schemacast.qa.lattice import CLAIM_STATUSES, REASONS
from schemacast.qa.lattice_checks import VIOLATIONS

PAGE = (Path(__file__).parents[2] / "docs" / "qa-reference.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("listed", [CLAIM_STATUSES, REASONS, VIOLATIONS, quantifier.OPERATIONAL_SHAPES])
def test_every_name_stands_with_its_meaning(listed: dict[str, str]) -> None:
    for name, meaning in listed.items():
        assert f"| `{name}` | {meaning} |" in PAGE or f"| `{name}` | `{meaning}` |" in PAGE, name


def test_every_constant_has_its_value() -> None:
    rows = re.findall(r"^\| `qa\.(\w+)\.([A-Z_]+)` \| ([^|]+) \|", PAGE, re.MULTILINE)
    assert len(rows) > 8
    for module, name, shown in rows:
        value = getattr(importlib.import_module(f"schemacast.qa.{module}"), name)
        assert shown.strip() == (", ".join(value) if isinstance(value, tuple) else str(value)), name


def test_every_stage_of_a_run_is_named_in_order() -> None:
    for stages in (dag.QUOTE_STAGES, dag.LATTICE_STAGES, dag.REJECT_STAGES):
        assert ", ".join(stages) in PAGE
