"""Where statements end: at sentences, and at the lines of logs, lists and tables, but not where prose is wrapped."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemacast.claims.statements import statements


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two.", ["One.", "Two."]),
        ("[10:02] Ada: a\n[10:04] Per: b", ["[10:02] Ada: a", "[10:04] Per: b"]),
        ("10:02 Ada: a\n10:04 Per: b", ["10:02 Ada: a", "10:04 Per: b"]),
        ("2024-05-01 up\n2024-05-02 down", ["2024-05-01 up", "2024-05-02 down"]),
        ("Ada: a\r\nPer: b", ["Ada: a", "Per: b"]),
        ("- 5 mg\n- 10 mg", ["- 5 mg", "- 10 mg"]),
        ("| a | 1 |\n| b | 2 |", ["| a | 1 |", "| b | 2 |"]),
        ("# Dose\n5 mg", ["# Dose\n5 mg"]),
        ("It sold two\nships in Hald", ["It sold two\nships in Hald"]),
        ("It left at\n12:30 for Hald", ["It left at\n12:30 for Hald"]),
        ("", []),
        (" \n ", []),
    ],
)
def test_a_statement_is_a_sentence_or_a_line_of_its_own(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in statements(text)] == expected


@given(st.text(alphabet="aB1: .\n\r\t-[]|#*。", max_size=60))
@settings(max_examples=100)
def test_statements_do_not_overlap_and_leave_out_only_whitespace(text: str) -> None:
    last, outside = 0, ""
    for start, end in statements(text):
        assert last <= start < end <= len(text)
        outside += text[last:start]
        last = end
    assert not (outside + text[last:]).strip()
