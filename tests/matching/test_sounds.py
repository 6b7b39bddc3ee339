"""Names in different scripts are heard: their consonants, as far as each script keeps them."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemacast.matching.match import match
from schemacast.matching.model import Field, Row
from schemacast.matching.sounds import CLASSES, ENOUGH, LONGEST, Heard, coarse, coded, script_of, sound_likeness, sounds

rows_of_sounds = st.text(alphabet=CLASSES, max_size=LONGEST)


def likeness(one: str, other: str) -> float:
    found = sound_likeness(coded(["".join(sounds(one))]), coded(["".join(sounds(other))]))
    return float(found[0])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Michael Gladis", "마이클 글래디스"),
        ("Leslie Howard", "לסלי הווארד"),
        ("William Randolph Hearst", "ויליאם רנדולף הרסט"),
        ("Vladimir Putin", "Владимир Путин"),
        ("Sherlock Holmes", "Шерлок Холмс"),
        ("Peter Recalde", "ピーター・リカルデ"),
        ("Sergio Buddle", "سيرجيو بادل"),
        ("Jeremy Bernblum", "ג'רמי ברנבלום"),
        ("Aristoteles", "Αριστοτέλης"),
        ("Владимир Путин", "블라디미르 푸틴"),
    ],
)
def test_one_name_in_two_scripts_sounds_alike(one: str, other: str) -> None:
    assert script_of(one) != script_of(other)
    assert likeness(one, other) >= 0.8


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Michael Gladis", "리처드 버턴"),
        ("Leslie Howard", "ויליאם רנדולף הרסט"),
        ("Peter Recalde", "クリストファー・ノーラン"),
        ("Vladimir Putin", "Дмитрий Медведев"),
    ],
)
def test_other_names_do_not(one: str, other: str) -> None:
    assert likeness(one, other) < 0.6


@pytest.mark.parametrize(
    ("text", "same_script"),
    [
        ("Ångström", "Smith"),
        ("αβγ", "Ωμέγα"),
        ("한국", "서울"),
        ("漢字", "中国"),
        ("ひらがな", "カタカナ"),
        ("😀", "plain"),
    ],
)
def test_letters_with_accents_and_signs_are_no_script_of_their_own(text: str, same_script: str) -> None:
    assert script_of(text) == script_of(same_script)


def test_what_kana_only_lengthen_is_not_heard() -> None:
    assert sounds("ピーター") == sounds("ピター")
    assert sounds("レッシュ") == sounds("レシュ")


@given(rows_of_sounds, rows_of_sounds)
def test_likeness_is_between_none_and_all_and_the_same_both_ways(one: str, other: str) -> None:
    there, back = sound_likeness(coded([one, other]), coded([other, one]))
    assert 0 <= there <= 1
    assert there == pytest.approx(back, abs=1e-6)


@given(rows_of_sounds)
def test_a_row_is_wholly_like_itself(row: str) -> None:
    assert sound_likeness(coded([row]), coded([row]))[0] == pytest.approx(1)


@given(st.lists(st.tuples(rows_of_sounds, rows_of_sounds), min_size=1, max_size=8))
def test_rows_beside_each_other_do_not_change_each_other(pairs: list[tuple[str, str]]) -> None:
    one, other = coded([pair[0] for pair in pairs]), coded([pair[1] for pair in pairs])
    together = sound_likeness(one, other)
    alone = [float(sound_likeness(one[[i]], other[[i]])[0]) for i in range(len(pairs))]
    assert np.allclose(together, alone, atol=1e-6)


@given(st.text(max_size=60))
def test_any_text_is_heard_as_known_sounds(text: str) -> None:
    for word in sounds(text):
        assert word
        assert set(word) <= set(CLASSES)
        assert set(coarse(word)) <= set("pmtsknr")


def test_a_field_is_heard_only_if_enough_of_it_is_in_another_script() -> None:
    plain = [f"name {number}" for number in range(2 * ENOUGH)]
    assert Heard.of(plain) is None
    assert Heard.of([*plain, "имя"]) is None
    assert Heard.of([*plain, "имя", "мия", "ямы"]) is not None
    assert Heard.of([]) is None


def test_a_table_of_names_in_several_scripts_finds_the_people_and_no_others() -> None:
    maker = random.Random(5)
    syllables = dict(zip("ba do ke li mu na se ti go ra".split(), "바도케리무나세티고라", strict=True))  # noqa: SIM905
    names = {tuple(tuple(maker.choices(list(syllables), k=3)) for _ in range(2)) for _ in range(120)}
    rows, truth = [], []
    for number, name in enumerate(sorted(names)):
        latin = " ".join("".join(word).capitalize() for word in name)
        hangul = " ".join("".join(syllables[each] for each in word) for word in name)
        rows += [Row((latin,)), Row((hangul,))]
        truth += [number, number]
    found = match([Field("name")], rows)
    right = sum(len(cluster) == 2 and truth[cluster[0]] == truth[cluster[1]] for cluster in found.clusters)
    assert right >= 0.85 * len(names)
    wrong = sum(len({truth[row] for row in cluster}) > 1 for cluster in found.clusters)
    assert wrong <= 0.1 * len(names)
