"""Some six hundred claims over twenty-five texts in six languages, each with its right verdict: STRICT or not.

The false ones differ from the text by one thing: a number, a unit, a name, a role, a denial, a quantifier, a hedge, a
time, a word. `judged_texts.json` has the texts.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from schemacast.qa.judge import SourceText, judge

HERE = Path(__file__).parent
TEXTS = json.loads((HERE / "judged_texts.json").read_text(encoding="utf-8"))
CLAIMS = [json.loads(line) for line in (HERE / "judged_claims.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("row", CLAIMS, ids=lambda row: row["claim"])
def test_a_claim_is_strict_only_when_its_text_states_it(row: dict[str, str]) -> None:
    sources = [SourceText("s", TEXTS[row["text"]])]
    prose = judge(f"{row['claim']} [1].", sources)
    lattice = judge(f"{row['claim']}. [E1]", sources, answer_mode="claim_lattice_pointer")
    assert (prose.audit_mode == "STRICT", lattice.audit_mode == "STRICT") == (row["strict"],) * 2, prose.why
