"""A text as the words it is compared by."""

from __future__ import annotations

import pytest

from schemacast.matching.words import LONGEST, code, latin, name_words, skeleton, turkish, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Orvik A/S", ["orvik"]),
        ("S.p.A.", ["spa"]),
        ("J.R.R. Tolkien", ["j", "r", "r", "tolkien"]),
        ("Dr. Ada Lind", ["ada", "lind"]),
        ("C++ and C#", ["c++", "and", "c#"]),
        (".NET 8", [".net", "8"]),
        ("AT&T", ["at", "and", "t"]),
        ("O'Brien", ["obrien"]),
        ("Jean-Pierre", ["jean", "pierre"]),
        ("World War II", ["world", "war", "2"]),
        ("Xi Jinping", ["xi", "jinping"]),
        ("Chapter XIV", ["chapter", "14"]),
        ("Room 007", ["room", "7"]),
        ("Møller Straße", ["moller", "strasse"]),
        ("Москва", ["moskva"]),
        ("北京", ["bei", "jing"]),
        ("ＡＢＣ", ["abc"]),
        ("", []),
        ("🚀 —", []),
        ("\ud800", []),
    ],
)
def test_a_name_is_its_words_in_plain_letters(text: str, expected: list[str]) -> None:
    assert name_words(text) == expected


def test_a_text_keeps_the_words_that_a_name_drops() -> None:
    assert words("Dr. Lind of Orvik AS") == ["dr", "lind", "of", "orvik", "as"]


def test_a_very_long_value_is_read_in_part() -> None:
    assert len(latin("x" * (LONGEST * 3))) == LONGEST


@pytest.mark.parametrize(("text", "expected"), [("HC-2023/052", "hc2023052"), ("007", "007"), ("A 1", "a1"), ("—", "")])
def test_a_code_is_its_letters_and_digits(text: str, expected: str) -> None:
    assert code(text) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("tchaikovsky", "chaikovskii"),
        ("carl", "karl"),
        ("catherine", "katherine"),
        ("stephen", "steven"),
        ("lee", "li"),
    ],
)
def test_spellings_that_sound_alike_share_a_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


def test_other_words_have_other_skeletons() -> None:
    assert skeleton("lind") != skeleton("lund" + "berg")
    assert skeleton("orvik") != skeleton("brevik")


@pytest.mark.parametrize(
    ("text", "expected"), [("İzmir", "izmir"), ("Işık", "ışık"), ("Isik", None), ("İ", "i"), ("I", None)]
)
def test_only_letters_of_turkish_spelling_make_a_spelling_of_its_own(text: str, expected: str | None) -> None:
    found = turkish(text)
    assert found == (None if expected is None else found)
    assert (found is None) is (expected is None)
    if expected is not None and "ı" not in expected:
        assert found == expected
