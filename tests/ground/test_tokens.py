"""What is one token, and what a span may not cut."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemacast.language.tokens import cuts_token, inside_token, tokens, widen

TABLE = [
    ("HD-2 vs HD-21", "HD|2|vs|HD|21"),
    ("−12.5 °C", "−12.5|C"),
    ("1.250 kg", "1.250|kg"),
    ("release 3.1.4, 3.1.4rc1 and 1.1.1d", "release|3.1.4|3.1.4rc1|and|1.1.1d"),
    ("at 10:30:15 on 2026-03-02", "at|10:30:15|on|2026|03|02"),
    ("3:1 and 10:300", "3|1|and|10|300"),
    ("1\u00a0250,00 or 1\u202f250\u202f000", "1\u00a0250,00|or|1\u202f250\u202f000"),
    ("1 250 plain", "1|250|plain"),
    ("12\u00a0kg, 5\u00a01250", "12|kg|5|1250"),
    ("10^6 1e5 2.5E-3 10² 10⁻³ 1.5×10^6", "10^6|1e5|2.5E-3|10²|10⁻³|1.5×10^6"),
    ("5kW 12,5mm 30min 10am 3x 2nd 5m²", "5|kW|12,5|mm|30|min|10|am|3|x|2|nd|5|m²"),
    ("14h30 7zip 3M 4G 5B", "14h30|7zip|3M|4G|5B"),
    ("v3.1 V8 (v2) av2 v", "v|3.1|V|8|v|2|av2|v"),
    ("#42 K7 A320neo Py3.11", "42|K7|A320neo|Py3.11"),
    ("0,5 1.250,00 1,250.00 1,234,567.89 12,34,567", "0,5|1.250,00|1,250.00|1,234,567.89|12,34,567"),
    ("1,2,3 80,443,8080 3.5,4.5", "1|2|3|80|443|8080|3.5|4.5"),
    ("1'250'000 1’250 1_000", "1'250'000|1’250|1_000"),
    ("-5 +5 ±3 –7 -$5 -.5 (-4)", "-5|+5|±3|–7|-$5|-.5|-4"),
    ("10-15, 10–15, 5%-10%, 5°-7°, T-34, --5", "10|15|10|15|5|10|5|7|T|34|5"),
    (".5 <.001 see.5 ...5", ".5|.001|see|5|5"),
    ("1½ ½", "1½|½"),
    ("well-known don't l'eau snake_case", "well|known|don|t|l|eau|snake|case"),
    ("Cafe\u0301 क़िला नमस्ते שָׁלוֹם", "Cafe\u0301|क़िला|नमस्ते|שָׁלוֹם"),
    ("Do\u00adnau می\u200cخواهم", "Do\u00adnau|می\u200cخواهم"),
    ("१२.५ ٣٫٥ １２", "१२.५|٣٫٥|１２"),
    ("Т-34 и ΔP", "Т|34|и|ΔP"),
    ("患者5人、温度−5度、3.5kWのP7", "5|−5|3.5|kW|P7"),
    ("서울에서 3월 5일", "3|5"),
    ("อุณหภูมิ 12.5 องศา ๓", "12.5|๓"),
    ("", ""),
    (" .,- ", ""),
]


@pytest.mark.parametrize(("text", "expected"), TABLE, ids=[text for text, _ in TABLE])
def test_the_tokens_of_a_text(text: str, expected: str) -> None:
    assert "|".join(text[start:end] for start, end in tokens(text)) == expected


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("5", "15"),
        ("1.25", "1.250"),
        ("12.5", "−12.5"),
        ("Lind", "Linden"),
        ("3.1", "3.1.4"),
        ("1", "1½"),
        ("10", "10²"),
    ],
)
def test_a_value_that_is_part_of_a_token_cuts_it(value: str, text: str) -> None:
    start = text.index(value)
    assert cuts_token(text, start, start + len(value))
    assert widen(text, start, start + len(value)) == (0, len(text))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("HD-2", "(HD-2)"),
        ("5", "5kW"),
        ("kW", "5kW"),
        ("3.1", "v3.1"),
        ("v3.1", "v3.1"),
        ("15", "10-15"),
        ("京", "東京"),
        ("서울", "서울에서"),
        ("5", "5人"),
    ],
)
def test_a_value_on_the_boundaries_of_tokens_cuts_none(value: str, text: str) -> None:
    start = text.index(value)
    assert not cuts_token(text, start, start + len(value))
    assert widen(text, start, start + len(value)) == (start, start + len(value))


def test_widening_takes_both_ends_to_whole_tokens() -> None:
    assert widen("see Linden at 12.50 now", 7, 16) == (4, 19)
    assert widen("see Linden", 4, 10) == (4, 10)
    assert widen("ab", 1, 1) == (0, 2)


def test_a_list_of_tokens_is_the_callers_own() -> None:
    tokens("a b").clear()
    assert len(tokens("a b")) == 2


@pytest.mark.parametrize(
    "text",
    [
        "1," * 50_000,
        "1.1" * 50_000,
        "11,22" * 20_000,
        "1'111" * 20_000,
        "a\u0301" * 50_000,
        "-" * 100_000,
        "5e" * 50_000,
    ],
)
def test_hostile_texts_are_read_in_linear_time(text: str) -> None:
    spans = tokens(text)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))


PIECES = st.sampled_from(
    [
        *"aZ5801.,:-−+ \n\r\t!\"#%&()/;<=>?@[\\]`{|}~'’vVeE^*²½é\u0301\u00a0\u00ad\u200b東가นक\u094d_$",
        "kW",
        "10",
        "×10^",
        "123",
        " ",
        "v3.1",
        "5m",
    ]
)


@given(st.lists(PIECES, max_size=20).map("".join))
@settings(max_examples=300, deadline=None)
def test_looking_around_a_place_agrees_with_reading_the_whole_text(text: str) -> None:
    spans = tokens(text)
    for index in range(-1, len(text) + 2):
        assert inside_token(text, index) == any(start < index < end for start, end in spans)


@given(st.lists(PIECES, min_size=1, max_size=20).map("".join), st.data())
@settings(max_examples=200, deadline=None)
def test_a_widened_span_holds_the_span_and_cuts_nothing(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    wide = widen(text, start, end)
    assert wide[0] <= start < end <= wide[1]
    assert not cuts_token(text, *wide)
    assert cuts_token(text, start, end) == (wide != (start, end))


@given(st.lists(PIECES, max_size=20).map("".join), st.integers(0, 40), st.integers(0, 40))
@settings(max_examples=100, deadline=None)
def test_a_span_is_widened_by_the_tokens_that_go_on_across_its_ends(text: str, one: int, other: int) -> None:
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    low = min([start, *(first for first, last in tokens(text) if first < start < last)])
    high = max([end, *(last for first, last in tokens(text) if first < end < last)])
    assert widen(text, start, end) == (low, high)
    assert cuts_token(text, start, end) == ((low, high) != (start, end))
