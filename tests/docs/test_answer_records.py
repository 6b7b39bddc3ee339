"""The page on records names everything that a record holds."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from asking_desk import fill

from schemacast.qa.audit import KINDS
from schemacast.qa.check import KEY_PARTS
from schemacast.qa.client import StubClient
from schemacast.qa.dag import LATTICE_STAGES, QUOTE_STAGES, REJECT_STAGES
from schemacast.qa.query import query

PAGE = (Path(__file__).parents[2] / "docs" / "answer-records.md").read_text(encoding="utf-8")
NAMED = set(re.findall(r"`([^`\s]+)`", PAGE))
ANSWERS = {
    "quote": '"Ada Lind leads Orvik" [1]. Nobody else does.',
    "claim_lattice_pointer": "Ada Lind leads Orvik. [E1]",
    "claim_lattice": json.dumps({"claims": [{"text": "Ada Lind leads Orvik.", "evidence_ids": ["E1"]}]}),
}


@pytest.mark.parametrize("mode", ANSWERS)
def test_every_member_of_a_record_is_named(mode: str, tmp_path: Path) -> None:
    result = query(
        question="Who leads Orvik?",
        qa_db=fill(tmp_path, {"a": "Ada Lind leads Orvik."}),
        chat_client=StubClient(ANSWERS[mode]),
        model_id="stub",
        policy={"answer_mode": mode},
    )
    assert set(result) - NAMED == set()
    for inner in (*result["sources"], *result["citations"], result["keys"]):
        assert set(inner) - NAMED == set()
    assert mode in NAMED


def test_every_stage_kind_and_dimension_is_named() -> None:
    assert {*QUOTE_STAGES, *LATTICE_STAGES, *REJECT_STAGES, *KINDS, *KEY_PARTS} - NAMED == set()
