"""What is one thing and what is not, in small tables that a person can decide."""

from __future__ import annotations

import json
import time
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from schemacast.matching.match import match
from schemacast.matching.model import Field, FieldKind, Matching, Row, Weights


def by_name(*names: str | None, kind: FieldKind = "name", veto: bool | None = None) -> Matching:
    return match([Field("name", kind, veto)], [Row((name,)) for name in names])


def groups(*names: str, kind: FieldKind = "name") -> set[frozenset[str]]:
    """The clusters of distinct names."""
    found = by_name(*names, kind=kind)
    return {frozenset(names[row] for row in cluster) for cluster in found.clusters}


@pytest.mark.parametrize(
    ("names", "entities"),
    [
        (["Harbour Safety Circular HC-2023-052", "Harbour Safety Circular HC-2023-053"], 2),
        (["Northgate Terminal Building 11", "Northgate Terminal Building 12"], 2),
        (["DGQA", "DGQA"], 1),
        (["İzmir Liman İşletmesi", "İZMİR LİMAN İŞLETMESİ", "Işık AS", "İşik AS"], 3),
        (["C", "C++", "C#", ".NET", "Net"], 5),
        (["Orvik AS", "Brevik AS", "Orvik A/S", "Hald AS"], 3),
    ],
)
def test_the_agreed_cases_give_the_agreed_number_of_things(names: list[str], entities: int) -> None:
    assert len(by_name(*names).clusters) == entities


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Orvik AS", "Orvik A/S"),
        ("Orvik AS", "ORVIK ASA"),
        ("Orvik GmbH", "orvik gmbh"),
        ("Orvik S.p.A.", "Orvik SpA"),
        ("Dr. Ada Lind", "Ada Lind"),
        ("Lind, Ada", "Ada Lind"),
        ("Müller", "Muller"),
        ("O'Brien", "OBrien"),
        ("Smith & Sons", "Smith and Sons"),
        ("World War II", "World War 2"),
        ("Terminal 07", "Terminal 7"),
        ("Full Width", "Full Width"),
        ("Ada  Lind", "Ada\u00a0Lind"),
    ],
)
def test_two_ways_of_writing_one_name_are_equal(one: str, other: str) -> None:
    found = by_name(one, other)
    assert found.clusters == ((0, 1),)
    assert found.links[0].score == 1.0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Northgate Shipping", "Nortghate Shipping"),
        ("Чайковский", "Chaikovskii"),
        ("International Harbour Agency", "Internat. Harbour Agency"),
        ("Micro SD Cards", "MicroSD Cards"),
    ],
)
def test_names_that_are_nearly_one_are_together(one: str, other: str) -> None:
    assert by_name(one, other, "Brevik Rederi", "Hald Marine").clusters[0] == (0, 1)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Building 11", "Building 12"),
        ("Unit 052a", "Unit 052b"),
        ("Route A4", "Route A5"),
        ("Rocky II", "Rocky III"),
        ("Vol. 1, No. 2", "Vol. 1, No. 3"),
    ],
)
def test_numbers_and_codes_that_differ_inside_a_name_veto(one: str, other: str) -> None:
    found = by_name(one, other)
    assert found.clusters == ((0,), (1,))
    why = found.explain(0, 1)
    assert why.outcome == "vetoed"
    assert why.vetoes == ("name",)
    assert why.score == 0.0


@pytest.mark.parametrize(
    ("one", "other"),
    [("Northgate Terminal", "Northgate Terminal 2"), ("HC-2023-052", "HC 2023 052"), ("KDL-40L", "KDL40L")],
)
def test_a_number_on_one_side_only_or_written_in_parts_does_not_veto(one: str, other: str) -> None:
    assert by_name(one, other).explain(0, 1).vetoes == ()


def test_a_kind_read_off_the_values_vetoes_nothing_and_a_veto_can_be_switched() -> None:
    names = ("Northgate Terminal Building 11", "Northgate Terminal Building 12")
    assert by_name(*names, kind="auto").explain(0, 1).vetoes == ()
    assert by_name(*names, veto=False).explain(0, 1).vetoes == ()
    assert by_name(*names, kind="text", veto=True).explain(0, 1).vetoes == ("name",)


@pytest.mark.parametrize(
    ("field", "one", "other", "vetoes"),
    [
        (Field("country", "exact"), "NO", "SE", True),
        (Field("country", "exact", veto=False), "NO", "SE", False),
        (Field("born", "date"), date(1950, 1, 2), date(1951, 1, 2), False),
        (Field("born", "date", veto=True), date(1950, 1, 2), date(1951, 1, 2), True),
        (Field("price", "number"), 10.0, 20.0, False),
        (Field("part", "code", veto=True), "A-1", "A 1", False),
        (Field("part", "code", veto=True), "A-1", "A-2", True),
        (Field("account", "code", compared=False), "A-1", "A-2", True),
        (Field("account", "exact", compared=False), "A-1", None, False),
        (Field("mails", "exact", compared=False), ("a@x", "b@x"), ("b@x", "c@x"), False),
        (Field("mails", "exact", compared=False), ("a@x", "b@x"), ("c@x",), True),
    ],
)
def test_which_differing_values_veto(field: Field, one: object, other: object, vetoes: bool) -> None:
    rows = [Row(("Ada Lind", one)), Row(("Ada Lind", other))]  # type: ignore[arg-type]
    found = match([Field("name", "name"), field], rows)
    assert found.explain(0, 1).vetoes == ((field.name,) if vetoes else ())
    assert (len(found.clusters) == 2) is vetoes or not vetoes


def test_a_chain_of_likeness_never_joins_two_that_contradict() -> None:
    rows = [
        Row(("Northgate Harbour Agency", "K-1")),
        Row(("Northgate Harbour Agency", None)),
        Row(("Northgate Harbour Agencies", None)),
        Row(("Northgate Harbour Agency", "K-2")),
    ]
    found = match([Field("name", "name"), Field("key", "exact", compared=False)], rows)
    together = [cluster for cluster in found.clusters if len(cluster) > 1]
    assert together
    assert not any({0, 3} <= set(cluster) for cluster in found.clusters)


def test_rows_apart_are_two_things_and_their_partners_are_found() -> None:
    rows = [Row((name,), apart) for name in ("Orvik AS", "Brevik Rederi") for apart in ("left", "right")]
    found = match([Field("name", "name")], [*rows, Row(("Orvik Shipping",), "left")])
    assert found.clusters == ((0, 1), (2, 3), (4,))
    assert match([Field("name", "name")], [Row(("Orvik",), "left"), Row(("Orvik",), "left")]).clusters == ((0,), (1,))


def test_of_two_equal_rows_apart_neither_is_preferred_for_one_partner() -> None:
    rows = [Row(("Orvik AS",), "left"), Row(("Orvik AS",), "left"), Row(("Orvik AS",), "right")]
    found = match([Field("name", "name")], rows)
    assert found.clusters == ((0,), (1,), (2,))
    assert [each.row for each in found.candidates(2)] == [0, 1]
    assert found.explain(0, 1).outcome == "apart"


def test_a_persons_word_wins_over_likeness_and_over_vetoes() -> None:
    rows = [
        Row(("Building 11",), entity="e1"),
        Row(("Building 12",), entity="e1"),
        Row(("Ada Lind",), entity="e2"),
        Row(("Ada Lind",), not_with=frozenset({"e2"})),
    ]
    found = match([Field("name", "name")], rows)
    assert found.clusters == ((0, 1), (2,), (3,))
    assert found.explain(0, 1).outcome == "joined"
    assert match([Field("name", "name")], [*rows[:3], Row(("Ada Lind",))]).clusters == ((0, 1), (2, 3))


def test_a_split_by_groups_holds_through_others() -> None:
    rows = [
        Row(("Ada Lind",), groups=frozenset({"g"})),
        Row(("Ada Lind",)),
        Row(("Ada Lind",), not_with=frozenset({"g"})),
    ]
    found = match([Field("name", "name")], rows)
    assert not any({0, 2} <= set(cluster) for cluster in found.clusters)
    assert found.explain(0, 2).outcome == "split"


def test_any_of_several_values_may_agree() -> None:
    rows = [Row((("Ada Lind", "A. Nordmann"),)), Row((("Ada Nordmann", "Ada Lind"),)), Row(("Per Hald",))]
    assert match([Field("name", "name")], rows).clusters == ((0, 1), (2,))


def test_candidates_come_best_first_with_what_agrees_and_contradicts() -> None:
    names = ["Northgate Shipping", "Nortghate Shipping", "Northgate Holding Shipyard", "Brevik Rederi"]
    rows = [Row((name, country)) for name, country in zip(names, ["NO", "NO", "SE", "NO"], strict=True)]
    found = match([Field("name", "name"), Field("country", "exact")], rows)
    candidates = found.candidates(0)
    assert candidates[0].row == 1
    assert "name" in candidates[0].agrees
    second = next(each for each in candidates if each.row == 2)
    assert "country" in second.contradicts
    assert second.score == 0.0


def test_an_explanation_shows_every_field_and_what_it_adds() -> None:
    rows = [Row(("Northgate Shipping 7", date(1950, 1, 2))), Row(("Nortghate Shipping 7", None)), Row(("Hald", None))]
    why = match([Field("name", "name"), Field("born", "date")], rows).explain(1, 0)
    assert (why.a, why.b, why.outcome) == (0, 1, "same")
    assert [each.field for each in why.fields] == ["name", "name: numbers", "born"]
    name, numbers, born = why.fields
    assert name.level == "nearly equal"
    assert name.weight > 0
    assert (numbers.level, born.level, born.weight) == ("equal", "absent", 0.0)
    assert "words" in why.blocks


def test_a_threshold_decides_how_sure_a_link_must_be() -> None:
    rows = [Row((name,)) for name in ("Northgate Shipping", "Northgate Shippers", "Hald", "Brevik")]
    fields = [Field("name", "name")]
    score = match(fields, rows).candidates(0)[0].score
    assert match(fields, rows, threshold=score - 0.05).clusters[0] == (0, 1)
    assert match(fields, rows, threshold=score + 0.05).clusters[0] == (0,)


@pytest.mark.parametrize("threshold", [0.0, 1.0, -1.0, 2.0, float("nan")])
def test_a_threshold_outside_its_range_is_refused(threshold: float) -> None:
    with pytest.raises(ValueError, match="threshold"):
        match([Field("name")], [Row(("a",))], threshold=threshold)


def test_rows_or_weights_that_do_not_fit_the_fields_are_refused() -> None:
    with pytest.raises(ValueError, match="row 1 has 2 values"):
        match([Field("name")], [Row(("a",)), Row(("a", "b"))])
    with pytest.raises(ValueError, match="learned for name"):
        match([Field("title")], [Row(("a",))], weights=by_name("a", "b").weights)
    with pytest.raises(ValueError, match="no field is compared"):
        match([Field("key", "exact", compared=False)], [Row(("a",))])


@pytest.mark.parametrize("data", [{}, {"version": 2}, {"version": 1, "prior": 0, "fields": [{}], "calibration": []}])
def test_what_is_no_weights_is_refused(data: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="weights"):
        Weights.from_json(data)


def test_weights_are_plain_json() -> None:
    weights = by_name("Orvik AS", "Brevik AS", "Orvik Shipping").weights
    assert Weights.from_json(json.loads(json.dumps(weights.to_json()))) == weights


def test_the_engine_knows_nothing_of_stores_and_files() -> None:
    folder = Path(__file__).resolve().parents[2] / "schemacast" / "matching"
    for module in folder.glob("*.py"):
        text = module.read_text(encoding="utf-8")
        for name in ("episode", "records", "graph", "workspace", "adapters", "llm"):
            assert f"schemacast.{name}" not in text, module


@pytest.mark.parametrize("kind", ["name", "code", "text", "auto"])
def test_values_of_a_hundred_thousand_signs_are_compared_in_little_time(kind: FieldKind) -> None:
    """Compared sign by sign to their ends, these would take minutes."""
    letters = np.random.default_rng(3).integers(97, 110, (60, 100_000), dtype=np.uint8)
    values = [bytes(row).decode() for row in letters]
    slipped = values[0][:90] + values[0][91:]
    began = time.process_time()
    found = by_name(*values, slipped, slipped + "x", kind=kind)
    assert time.process_time() - began < 10
    assert any({60, 61} <= set(cluster) for cluster in found.clusters)
    assert all(len(set(cluster) - {60, 61}) <= 1 for cluster in found.clusters)


def test_numbers_too_long_to_count_are_not_one() -> None:
    assert len(by_name("1" * 400, "2" * 400, "1" * 400, kind="number").clusters) == 2


GIVEN = "민서지현수영준하은도윤우진호성재승석태경희정미숙자옥순혜연아라나선주원규철상동용기찬종광병필명"
CALLED = "伟芳秀丽强磊军勇艳涛超兰刚桂辉玲华文志海波斌宇浩婷雪梅云飞鹏峰龙凤庆春生玉珍淑贞惠美佳"


@pytest.mark.parametrize(
    ("family", "given"), [("김이박최정강조윤장임", GIVEN), ("王李张刘陈杨黄赵吴周", CALLED)], ids=["Korean", "Chinese"]
)
def test_names_written_a_sign_a_syllable_are_not_one_for_looking_long_in_latin_letters(family: str, given: str) -> None:
    """A third of such people were found to be others while their names were compared letter by letter."""
    draw = np.random.default_rng(1)
    names = {"".join((draw.choice(list(family)), *draw.choice(list(given), 2))) for _ in range(600)}
    assert len(by_name(*sorted(names)).clusters) > 0.93 * len(names)


@pytest.mark.parametrize(
    ("one", "other"),
    [("王伟强", "王 伟强"), ("張偉強", "张伟强"), ("长江电子有限公司", "长江电子"), ("마이클", "Michael")],
)
def test_forms_of_one_such_name_are_one(one: str, other: str) -> None:
    apart = ["北方食品", "서울전자", "大阪商事", "Orvik", "Hald Marine", "Brevik Steel"]
    assert by_name(one, other, *apart).explain(0, 1).fields[0].similarity >= 0.6  # type: ignore[operator]
