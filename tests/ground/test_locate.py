"""The rules of `locate`, one table each: what is found, where, and what is not."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from schemacast.ground import TextSpan, locate, locate_all

CASES = [json.loads(line) for line in (Path(__file__).parent / "cases.jsonl").read_text("utf-8").splitlines()]


def found(quote: str, text: str, near: TextSpan | None = None) -> str | None:
    span = locate(quote, text, near=near)
    return None if span is None else text[span.start : span.end]


def place(quote: str, text: str, near: tuple[int, int] | None = None) -> tuple[int, int] | None:
    span = locate(quote, text, near=None if near is None else TextSpan(start=near[0], end=near[1]))
    return None if span is None else (span.start, span.end)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_reported_failure_is_right_here(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    text = given["text"]
    if "quotes_in_order" in given:
        spans = locate_all(given["quotes_in_order"][0], text)
        assert [[span.start, span.end] for span in spans] == expected["spans"]
        return
    near = locate("Brevik", text) if "context" in given else None
    span = locate(given.get("quote") or given["model_reply_quote"], text, near=near)
    if expected.get("located", True):
        assert span == TextSpan(start=expected["start"], end=expected["end"])
    else:
        assert span is None


@pytest.mark.parametrize(
    "quote", ["", " ", "\n\t", "\u00a0\u3000", "\u200b", "\ufeff\u00ad \u200d", "\ufe0f", "\u3164"]
)
def test_a_blank_quote_is_nowhere(quote: str) -> None:
    assert locate(quote, f"a {quote} b {quote}") is None
    assert locate_all(quote, f"a {quote} b") == []


def test_nothing_is_in_an_empty_text() -> None:
    assert locate("a", "") is None
    assert locate("a", " \u200b\n") is None


def test_an_exact_occurrence_wins_over_a_folded_one_nearer() -> None:
    assert place("Hald", "Hald and HALD met", near=(9, 13)) == (0, 4)


def test_of_two_occurrences_the_nearest_by_the_gap_wins_and_a_tie_goes_to_the_earlier() -> None:
    text = "ab .. xy .. ab"
    assert place("ab", text) == (0, 2)
    assert place("ab", text, near=(6, 8)) == (0, 2)
    assert place("ab", text, near=(7, 8)) == (12, 14)
    assert place("AB", text, near=(7, 8)) == (12, 14)
    assert place("AB", text, near=(6, 8)) == (0, 2)


def test_occurrences_that_touch_or_overlap_near_are_equally_near() -> None:
    assert place("ab", "ab ab ab", near=(0, 8)) == (0, 2)
    assert place("ab ab", "x ab ab ab", near=(5, 7)) == (2, 7)


def test_where_near_is_an_exact_occurrence_it_is_taken_even_inside_a_word() -> None:
    assert place("Lind", "Lind Linden", near=(5, 9)) == (5, 9)
    assert place("aa", "aaaa", near=(1, 3)) == (1, 3)
    assert place("5", "5 and 15", near=(7, 8)) == (7, 8)


def test_near_may_point_anywhere() -> None:
    assert place("ab", "ab ab", near=(500, 600)) == (3, 5)
    assert place("AB", "ab ab", near=(500, 600)) == (3, 5)
    assert place("AB", "ab ab", near=(0, 0)) == (0, 2)


@pytest.mark.parametrize(
    ("quote", "text", "start"),
    [
        ("Lind", "Linden, then Lind", 13),
        ("lind", "Linden, then Lind", 13),
        ("5", "15 or 5.5 or 5", 13),
        ("12", "12.5 bar, 12 bar", 10),
        ("12.5", "−12.5 and 12.5", 10),
        ("1.25", "1.250 and 1.25", 10),
        ("250", "1\u00a0250 and 250", 10),
        ("HD-2", "HD-21 and HD-2", 10),
        ("3.1", "3.1.4 and 3.1", 10),
        ("Cafe", "Cafe\u0301s, Cafe", 8),
        ("5", "2.5 then v5", 10),
        ("5", "x5 then 5kW", 8),
        ("नम", "नमस्ते नम", 7),
        ("か", "か\u3099 か", 3),
    ],
)
def test_whole_words_and_numbers_win(quote: str, text: str, start: int) -> None:
    span = locate(quote, text)
    assert span is not None
    assert span.start == start


@pytest.mark.parametrize(("quote", "text"), [("Lind", "Linden"), ("LIND", "Linden"), ("2", "12.5"), ("12.5", "−12.5")])
def test_an_occurrence_inside_a_word_counts_when_there_is_no_other(quote: str, text: str) -> None:
    assert found(quote, text) is not None


def test_a_whole_word_far_away_wins_over_a_part_of_a_word_nearby() -> None:
    text = "Lind " + "x " * 5000 + "Linden"
    assert place("LIND", text, near=(len(text) - 6, len(text))) == (0, 4)
    assert place("Lind", text, near=(len(text) - 7, len(text))) == (0, 4)


@pytest.mark.parametrize("near", [None, (20_000, 20_004), (5_000, 5_001)])
@pytest.mark.parametrize("quote", ["Lind", "LIND"])
def test_a_whole_word_is_found_behind_thousands_of_parts_of_words(quote: str, near: tuple[int, int] | None) -> None:
    text = "Linden " * 3000 + "Lind " + "Linden " * 300
    assert place(quote, text, near) == (21_000, 21_004)


def test_scripts_without_spaces_have_no_words() -> None:
    assert place("京都", "東京都と京都") == (1, 3)
    assert place("서울", "서울에서 서울") == (0, 2)


@pytest.mark.parametrize(
    ("quote", "text", "expected"),
    [
        ("STRASSE", "in der Straße 5", "Straße"),
        ("straße", "STRASSE", "STRASSE"),
        ("ΟΔΟΣ", "η οδός εδώ", "οδός"),
        ("istanbul", "İSTANBUL ili", "İSTANBUL"),
        ("İstanbul", "istanbul", "istanbul"),
        ("ISPARTA", "ısparta", "ısparta"),
        ("ᾼ", "ᾳ x", "ᾳ"),
        ("ΑΙ", "ᾳ x", "ᾳ"),
        ("თბილისი", "ᲗᲑᲘᲚᲘᲡᲘ", "ᲗᲑᲘᲚᲘᲡᲘ"),
        ("ԵՒ", "և", "և"),
        ("oﬃce", "OFFICE", "OFFICE"),
        ("OFFICE", "oﬃce", "oﬃce"),
        ("fice", "oﬃce", None),
        ("off", "oﬃce", None),
        ("STRAS", "Straße", None),
        ("SE", "Straße", None),
        ("soeur", "ma sœur", "sœur"),
        ("لا", "ﻻ شيء", "ﻻ"),
        ("ABC１２", "ＡＢＣ12", "ＡＢＣ12"),
        ("カ゛".replace("゛", "\u3099"), "ｶﾞｽ", "ｶﾞ"),
    ],
)
def test_case_ligatures_and_width_are_folded_whole(quote: str, text: str, expected: str | None) -> None:
    assert found(quote, text) == expected


@pytest.mark.parametrize(
    ("quote", "text", "expected"),
    [
        ("Cafe", "CAFÉ", "CAFÉ"),
        ("Cafe", "CAFE\u0301", "CAFE\u0301"),
        ("CAFÉ", "cafe", "cafe"),
        ("CAFÉ?", "cafe\u0301.", "cafe\u0301"),
        ("Виктор Цой", "виктор цои", "виктор цои"),
        ("a = b", "A ≠ b", None),
        ("A ≠ B", "a = b", None),
        ("A ≠ B", "a =\u0338 b", "a =\u0338 b"),
        ("か", "が", None),
        ("X が", "x か\u3099", "x か\u3099"),
        ("X ハ", "x パ", None),
        ("X กา", "x ก่า", None),
        ("X क", "x क़", None),
        ("X क\u093c", "x \u0958", "x \u0958"),
        ("X क", "x क्", None),
        ("X ا", "x أ", None),
        ("X 가", "x 각", None),
        ("X 각", "x \u1100\u1161\u11a8", "x \u1100\u1161\u11a8"),
        ("X 가", "x \u1100\u1161\u11a8", None),
        ("Q\u0307\u0323", "q\u0323\u0307", "q\u0323\u0307"),
    ],
)
def test_accents_are_ignored_but_not_what_changes_the_letter_or_the_sign(
    quote: str, text: str, expected: str | None
) -> None:
    assert found(quote, text) == expected


@pytest.mark.parametrize("word", ["Café", "각하", "がく", "क़लम", "ệ", "≠", "Å", "ΐ", "שׁ", "ﬁ́", "\u1e9b\u0323"])
@pytest.mark.parametrize(("quote_form", "text_form"), [("NFC", "NFD"), ("NFD", "NFC")])
def test_canonically_equivalent_texts_match(word: str, quote_form: Any, text_form: Any) -> None:
    written = unicodedata.normalize(text_form, word)
    assert found(unicodedata.normalize(quote_form, word), f"x {written} y") == written


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("102", "10²"),
        ("1", "½"),
        ("1/2", "½"),
        ("2", "②"),
        ("m2", "m²"),
        ("tm", "™"),
        ("V", "Ⅴ"),
        ("o", "ø"),
        ("ae", "æ"),
        ("l", "ł"),
    ],
)
def test_characters_are_not_turned_into_others(quote: str, text: str) -> None:
    assert locate(quote, text) is None


@pytest.mark.parametrize(
    "space", ["\u00a0", "\u202f", "\u2009", "\u3000", "\t", "\r\n", " \n  ", "\n\n", "\u2028", "\u200b \u00ad "]
)
def test_a_run_of_whitespace_is_one_space(space: str) -> None:
    assert found("12 bar", f"at 12{space}bar.") == f"12{space}bar"
    assert found(f"12{space}bar", "at 12 bar.") == "12 bar"
    assert locate("12bar", f"at 12{space}bar.") is None


@pytest.mark.parametrize("quotes", ["“x y”", "„x y‟", "«x y»", "″x y″", '"x y"'])
def test_typographic_double_quotes_are_one(quotes: str) -> None:
    assert found('"X Y" z', f"a {quotes} z") == f"{quotes} z"


@pytest.mark.parametrize("mark", "‘’‚‛‹›′'")
def test_typographic_single_quotes_are_one(mark: str) -> None:
    assert found("Ada's Pump", f"ada{mark}s pump") == f"ada{mark}s pump"
    assert locate('Ada"s Pump', f"ada{mark}s pump") is None


@pytest.mark.parametrize("dash", "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d")
def test_dashes_are_one(dash: str) -> None:
    assert found("HD-2", f"x hd{dash}2") == f"hd{dash}2"
    assert found("-12.5", f"at {dash}12.5 °C") == f"{dash}12.5"


@pytest.mark.parametrize(
    "quote",
    [
        "“pump P7”",
        "pump P7…",
        "... pump P7.",
        "- pump P7",
        "• pump P7",
        "**pump P7**",
        "`pump P7`",
        "_pump P7_",
        "|pump P7|",
        "~~pump P7~~",
        "「pump P7」",
        "؟pump P7،",
        "(pump P7)!",
        "\u200b“ pump P7 ”\u200b",
    ],
)
def test_the_punctuation_around_a_quote_is_left_out(quote: str) -> None:
    assert found(quote, "then pump P7 failed") == "pump P7"
    assert found(quote, "then PUMP\nP7 failed") == "PUMP\nP7"


def test_punctuation_that_the_text_has_too_belongs_to_the_span() -> None:
    assert found("“PUMP”", 'the "pump" and the pump') == '"pump"'


def test_punctuation_inside_a_quote_is_not_left_out() -> None:
    assert locate("pump, P7", "pump P7") is None


@pytest.mark.parametrize("quote", ["-12.5", "−12.5", "(-12.5)", "“–12.5”", "12.5%", "12.5 and 3‰", "12.5%."])
def test_a_sign_before_a_digit_and_a_percent_after_one_are_not_stripped(quote: str) -> None:
    assert locate(quote, "12.5 and 3") is None


def test_only_punctuation_is_found_where_it_stands() -> None:
    assert place("…", "a … b") == (2, 3)
    assert locate("…", "a b") is None


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("the valve was open", "the valve was closed"),
        ("valve open", "valve was open"),
        ("open valve", "valve open"),
        ("was not open", "was open"),
        ("was open", "was not open"),
        ("13 bar", "12 bar"),
        ("QX9Z", "Unit K7"),
        ("board of Elling … objected", "board of Elling approved, Vestre objected"),
    ],
)
def test_there_is_no_distance(quote: str, text: str) -> None:
    assert locate(quote, text) is None


@pytest.mark.parametrize("char", "\u00ad\u200b\u200c\u200d\u2060\ufeff\u200e\u202a\u2066\ufe0f\u034f")
def test_invisible_characters_hide_nothing(char: str) -> None:
    assert found("Donau Pump", f"x Do{char}nau Pump y") == f"Do{char}nau Pump"
    assert found(f"Do{char}nau{char} Pump", "x Donau Pump y") == "Donau Pump"


@pytest.mark.parametrize(
    ("quote", "text", "expected"),
    [
        ("TEAM 👩\u200d🚀", "team 👩\u200d🚀 met", "team 👩\u200d🚀"),
        ("TEAM 👩🚀", "team 👩\u200d🚀 met", "team 👩\u200d🚀"),
        ("TEAM 👩", "team 👩\u200d🚀 met", None),
        ("OK ❤", "ok ❤\ufe0f!", "ok ❤\ufe0f"),
        ("OK 👍", "ok 👍🏽", None),
        ("GO 🇩", "go 🇩🇪", None),
        ("GO 🇩🇪", "go 🇩🇪🇫🇷", "go 🇩🇪"),
        ("🇪🇫 GO", "🇩🇪🇫🇷 go", None),
        ("SAY e", "say e\u0301\u0323.", "say e\u0301\u0323"),
        ("X น", "x นำ", None),
        ("CAF\u00c9", "cafe\u0301\u200d bar", "cafe\u0301\u200d"),
        ("CAF\u00c9", "cafe\u0301\u200b bar", "cafe\u0301"),
        ("BAR", "\u200b\ufeffbar", "bar"),
    ],
)
def test_a_folded_span_never_splits_what_a_reader_sees_as_one_character(
    quote: str, text: str, expected: str | None
) -> None:
    assert found(quote, text) == expected


def test_every_occurrence_at_the_deciding_level_is_given_in_order() -> None:
    text = "Lind, LIND, Linden, lind"
    assert [(span.start, span.end) for span in locate_all("Lind", text)] == [(0, 4)]
    assert [(span.start, span.end) for span in locate_all("“lInd”", text)] == [(0, 4), (6, 10), (20, 24)]
    assert [(span.start, span.end) for span in locate_all("nde", text)] == [(14, 17)]
    assert locate_all("Lund", text) == []


def test_offsets_hold_far_into_a_long_text() -> None:
    line = "Die Straße – „gut“ –  e\u0301tait\r\nﬁn\u00ad. "
    text = line * 3000 + "Das ENDE kommt"
    span = locate("das ende", text)
    assert span == TextSpan(start=len(line) * 3000, end=len(line) * 3000 + 8)
    near = TextSpan(start=len(line) * 1500, end=len(line) * 1500 + 3)
    assert found('DIE STRASSE - "GUT"', text, near) == "Die Straße – „gut“"
    assert place("die strasse", text, (near.start, near.end)) == (near.start, near.start + 10)


def test_absent_quotes_stay_absent_after_many_misses_and_present_ones_present() -> None:
    text = " ".join(f"w{number % 997}" for number in range(20_000))
    assert len(text) > 50_000
    for number in range(40):
        assert locate(f"w1 absent{number} w3", text) is None
    assert place("w1 w2 w3", text) == (3, 11)
    assert place("W1 W2 W3", text) == (3, 11)
    assert place("“1 W2 W3", text) == (4, 11)
    assert locate("W1 W4 W3", text) is None
