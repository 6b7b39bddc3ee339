"""What holds for any table: the order of rows, vetoes, weights, and input that is hostile or odd."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemacast.matching.match import match
from schemacast.matching.model import Field, Matching, Row, Weights

FIRST = ["Ada", "Per", "Kari", "Ola", "Åse", "Olga", "Иван", "محمد", "李", "José"]
LAST = ["Lind", "Lund", "Hald", "Nordmann", "Brevik", "Чайковский", "O'Brien", "Müller", "Building 1", "Building 2"]
FIELDS = [Field("name", "name"), Field("born", "date"), Field("country", "exact"), Field("key", compared=False)]

names = st.one_of(
    st.builds(lambda first, last: f"{first} {last}", st.sampled_from(FIRST), st.sampled_from(LAST)),
    st.text(max_size=12),
    st.none(),
)
rows = st.builds(
    Row,
    st.tuples(
        names,
        st.sampled_from([None, "1950-01-02", "1950-02-01", "1951", "no date"]),
        st.sampled_from([None, "NO", "SE"]),
        st.sampled_from([None, None, "k1", "k2"]),
    ),
    apart=st.sampled_from([None, None, None, "left", "right"]),
    entity=st.sampled_from([None, None, None, None, "e"]),
    not_with=st.sampled_from([frozenset(), frozenset(), frozenset({"e"})]),
)
tables = st.lists(rows, max_size=25)


def contents(table: list[Row], found: Matching) -> list[list[str]]:
    """The clusters as what their rows say, whatever their places."""
    return sorted(sorted(repr(table[row]) for row in cluster) for cluster in found.clusters)


@settings(max_examples=50, deadline=None)
@given(tables, st.randoms(use_true_random=False))
def test_rows_in_another_order_give_the_same_clusters(table: list[Row], shuffler: random.Random) -> None:
    shuffled = table.copy()
    shuffler.shuffle(shuffled)
    assert contents(table, match(FIELDS, table)) == contents(shuffled, match(FIELDS, shuffled))


@settings(max_examples=50, deadline=None)
@given(tables)
def test_every_row_is_in_one_cluster_and_no_cluster_holds_two_that_contradict(table: list[Row]) -> None:
    found = match(FIELDS, table)
    assert sorted(row for cluster in found.clusters for row in cluster) == list(range(len(table)))
    assert list(found.clusters) == sorted(found.clusters)
    for cluster in found.clusters:
        assert list(cluster) == sorted(cluster)
        for place, a in enumerate(cluster):
            for b in cluster[place + 1 :]:
                one, other = table[a], table[b]
                if one.entity is not None or other.entity is not None:
                    continue  # what a person put together may hold anything, and others join it by any of its rows
                assert found.explain(a, b).vetoes == ()
                assert one.apart is None or one.apart != other.apart


@settings(max_examples=50, deadline=None)
@given(tables)
def test_a_person_is_always_obeyed(table: list[Row]) -> None:
    found = match(FIELDS, table)
    cluster_of = {row: number for number, cluster in enumerate(found.clusters) for row in cluster}
    joined = [index for index, row in enumerate(table) if row.entity == "e"]
    assert len({cluster_of[index] for index in joined}) <= 1
    for index, row in enumerate(table):
        if row.not_with and row.entity is None and joined:
            assert cluster_of[index] != cluster_of[joined[0]]


@settings(max_examples=50, deadline=None)
@given(tables)
def test_the_weights_of_a_run_give_the_same_result_again(table: list[Row]) -> None:
    found = match(FIELDS, table)
    stored = Weights.from_json(found.weights.to_json())
    assert stored == found.weights
    again = match(FIELDS, table, weights=stored)
    assert again.clusters == found.clusters
    assert again.links == found.links
    assert again.weights == found.weights


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(max_size=10).filter(str.strip), min_size=1, max_size=12))
def test_equal_rows_are_always_in_one_cluster(values: list[str]) -> None:
    found = match([Field("name", "name")], [Row((value,)) for value in [*values, *values]])
    cluster_of = {row: number for number, cluster in enumerate(found.clusters) for row in cluster}
    assert all(cluster_of[index] == cluster_of[index + len(values)] for index in range(len(values)))


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(FIRST), st.sampled_from(LAST), st.sampled_from(["1950", "1971"]))
def test_equal_names_are_always_candidates(first: str, last: str, born: str) -> None:
    name = f"{first} {last}"
    table = [Row((name, "1901")), Row((name, born)), Row(("Someone Else", "1950"))]
    found = match([Field("name", "name"), Field("born", "date")], table)
    assert 1 in [each.row for each in found.candidates(0)]


def test_rows_without_any_value_stay_alone() -> None:
    assert match(FIELDS, [Row((None, None, None, None))] * 3).clusters == ((0,), (1,), (2,))
    assert match([Field("name")], [Row(("",)), Row(("",)), Row(((),))]).clusters == ((0,), (1,), (2,))


def test_ten_thousand_rows_of_one_name_cost_little_and_are_counted() -> None:
    table = [Row(("Ada Lind", f"{1900 + index % 120}-01-01")) for index in range(10_000)]
    began = time.monotonic()
    found = match([Field("name", "name"), Field("born", "date")], table)
    assert time.monotonic() - began < 20
    assert found.counts.rows == 10_000
    assert found.counts.units == 120
    apart = [Row(("Ada Lind", None), apart=str(index % 2)) for index in range(3_000)]
    found = match([Field("name", "name"), Field("born", "date")], apart)
    assert found.counts.skipped_rows >= 3_000
    assert found.counts.compared < 3_000 * 100


def test_one_value_shared_by_half_the_rows_is_bounded() -> None:
    maker = random.Random(5)
    table = [
        Row((f"{maker.choice(LAST)} {str(maker.random())[2:8]}", "Springfield" if index % 2 else None))
        for index in range(4_000)
    ]
    found = match([Field("name", "text"), Field("city", "name")], table)
    assert found.counts.compared < 4_000 * 120
    assert len(found.clusters) > 3_000


@pytest.mark.parametrize(
    "values",
    [
        ["x" * 100_000, "x" * 100_000 + "y", "word " * 20_000],
        ["12345", "12346", "99999", "12345"],
        ["👩‍🚀", "👩‍🚀🚀", "🚀", "—", "…"],
        ["שלום עולם", "العالم", "世界 World Мир", "世界"],
        ["\ud800 lone", "\x00", "\u202eevil", "a\u0301" * 50],
    ],
)
def test_odd_values_give_a_bounded_result(values: list[str]) -> None:
    for kind in ("name", "text", "code", "number", "date", "exact", "auto"):
        found = match([Field("v", kind)], [Row((value,)) for value in values])  # type: ignore[arg-type]
        assert sorted(row for cluster in found.clusters for row in cluster) == list(range(len(values)))
        assert found.explain(0, 1).a == 0


def test_values_of_a_cell_beyond_a_bound_are_counted() -> None:
    many = tuple(f"Name {index}" for index in range(20))
    found = match([Field("name", "name")], [Row((many,)), Row((many[:3],))])
    assert found.counts.cut_values == 12
