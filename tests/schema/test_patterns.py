"""A pattern matches the whole value, in time linear in the value, or is refused."""

from __future__ import annotations

import time

import pytest

from schemacast.schema.patterns import PatternError, compile_pattern


@pytest.mark.parametrize(
    ("pattern", "good", "bad"),
    [
        (r"HD-\d+", ["HD-2", "HD-٣"], ["HD-", "xHD-2", "HD-2 ", "HD-2\n", "hd-2"]),
        ("a|ab", ["a", "ab"], ["b", "abb"]),
        ("^a$", ["a"], ["a\n", "\na"]),
        ("(?i)hd", ["hd", "HD"], ["hdx"]),
        (r"[\w.\-]+", ["1.2-rc", "ønsker", "名前"], ["a b", ""]),
        ("", [""], ["a"]),
        (".*", ["", "abc"], ["a\nb"]),
    ],
)
def test_a_pattern_is_about_the_whole_value(pattern: str, good: list[str], bad: list[str]) -> None:
    matches = compile_pattern(pattern)
    assert [value for value in good if not matches(value)] == []
    assert [value for value in bad if matches(value)] == []


@pytest.mark.parametrize("pattern", ["(a+)+", "(a|a)*", "(a|aa)+", "(.*a){12}", "(a*)*b", "a*a*a*a*a*a*b"])
def test_a_pattern_that_would_backtrack_takes_no_time(pattern: str) -> None:
    matches = compile_pattern(pattern)
    start = time.process_time()
    assert not matches("a" * 500_000 + "!")
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    ("pattern", "part"),
    [
        ("(", "unclosed group"),
        ("a)|(b", "unopened group"),
        ("*a", "repetition operator missing"),
        ("[b-a]", "invalid character class range"),
        ("(?<=a)b", "look-around.* linear time"),
        (r"(a)\1", "backreferences .* linear time"),
        (r"(\w{1,99}){1,99}", "too many possibilities"),
        ("a" * 3000, "3000 characters long"),
        (r"a\Z", "unrecognized escape"),
    ],
)
def test_a_pattern_that_cannot_be_kept_fast_is_refused(pattern: str, part: str) -> None:
    with pytest.raises(PatternError, match=part) as caught:
        compile_pattern(pattern)
    assert "\n" not in str(caught.value)


def test_a_pattern_is_compiled_once() -> None:
    assert compile_pattern(r"x\d") is compile_pattern(r"x\d")
