"""What is learned from tables whose truth is known: weights, probabilities and clusters."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemacast.matching.isotonic import rising
from schemacast.matching.match import match
from schemacast.matching.model import Field, Matching, Row

SYLLABLES = "ba de fi go hu ka le mi no pu ra se ti vo wu xa".split()  # noqa: SIM905
KINDS = {"first": "name", "last": "name", "city": "name", "born": "date", "phone": "code"}


def word(maker: random.Random, count: int) -> str:
    return "".join(maker.choice(SYLLABLES) for _ in range(count))


def misspelled(maker: random.Random, text: str) -> str:
    at = maker.randrange(len(text) - 1)
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]


def people(count: int, *, seed: int, noise: float) -> tuple[list[tuple[str | None, ...]], list[int]]:
    """Every third person stands there twice, the second time with slips; and which person each row is."""
    maker = random.Random(seed)
    firsts = [word(maker, 2) for _ in range(40)]
    lasts = [word(maker, 3) for _ in range(200)]
    cities = [word(maker, 3) for _ in range(15)]
    rows: list[tuple[str | None, ...]] = []
    truth = []
    for person in range(count):
        born = f"{maker.randrange(1940, 2000)}-{maker.randrange(1, 13):02}-{maker.randrange(1, 29):02}"
        values = [
            maker.choice(firsts),
            maker.choice(lasts),
            maker.choice(cities),
            born,
            str(maker.randrange(10**6, 10**7)),
        ]
        rows.append(tuple(values))
        truth.append(person)
        if person % 3 == 0:
            again: list[str | None] = list(values)
            for index, value in enumerate(values):
                if maker.random() < noise:
                    again[index] = None if maker.random() < 0.3 else misspelled(maker, value)
            rows.append(tuple(again))
            truth.append(person)
    return rows, truth


def rightness(found: Matching, truth: list[int]) -> tuple[float, float]:
    """Precision and recall over pairs."""
    pairs = {(a, b) for cluster in found.clusters for i, a in enumerate(cluster) for b in cluster[i + 1 :]}
    by_person: dict[int, list[int]] = {}
    for row, person in enumerate(truth):
        by_person.setdefault(person, []).append(row)
    true = {(rows[0], rows[1]) for rows in by_person.values() if len(rows) == 2}
    right = len(pairs & true)
    return right / max(len(pairs), 1), right / max(len(true), 1)


@pytest.mark.parametrize("noise", [0.1, 0.3])
def test_people_with_slips_are_found_without_any_setting(noise: float) -> None:
    rows, truth = people(1500, seed=1, noise=noise)
    found = match([Field(name) for name in KINDS], [Row(values) for values in rows])
    precision, recall = rightness(found, truth)
    assert precision > 0.98
    assert recall > 0.95
    assert {each.name: each.kind for each in found.weights.fields} == KINDS


def test_two_clean_sources_are_linked_one_to_one() -> None:
    rows, truth = people(1500, seed=2, noise=0.3)
    apart = ["right" if row and truth[row - 1] == truth[row] else "left" for row in range(len(rows))]
    found = match(
        [Field(name) for name in KINDS], [Row(values, side) for values, side in zip(rows, apart, strict=True)]
    )
    precision, recall = rightness(found, truth)
    assert precision > 0.98
    assert recall > 0.97
    assert all(len({apart[row] for row in cluster}) == len(cluster) for cluster in found.clusters)


def test_of_links_with_a_score_near_nine_in_ten_about_nine_in_ten_are_right() -> None:
    right = total = 0
    for seed in range(4):
        rows, truth = people(800, seed=seed, noise=0.75)
        found = match([Field(name) for name in KINDS], [Row(values) for values in rows])
        for link in found.links:
            if link.score < 0.97:
                total += 1
                right += truth[link.a] == truth[link.b]
    assert total > 20
    assert right / total > 0.65


def test_a_rare_value_shared_speaks_louder_than_a_common_one() -> None:
    rows, _ = people(900, seed=3, noise=0.2)
    rows = [(("bafi" if row % 3 else first), *rest) for row, (first, *rest) in enumerate(rows)]
    found = match([Field(name) for name in KINDS], [Row(values) for values in rows])
    common = next(i for i, row in enumerate(rows) if row[0] == "bafi")
    other_common = next(i for i, row in enumerate(rows) if row[0] == "bafi" and i > common)
    rare = next(i for i, row in enumerate(rows) if row[0] != "bafi")
    other_rare = next(i for i, row in enumerate(rows) if row[0] == rows[rare][0] and i > rare)
    shared_common = found.explain(common, other_common).fields[0]
    shared_rare = found.explain(rare, other_rare).fields[0]
    assert shared_common.level == shared_rare.level == "equal"
    assert shared_rare.weight > shared_common.weight + 1


def test_learned_weights_serve_new_rows() -> None:
    rows, _ = people(900, seed=4, noise=0.2)
    weights = match([Field(name) for name in KINDS], [Row(values) for values in rows]).weights
    new, truth = people(60, seed=5, noise=0.2)
    found = match([Field(name) for name in KINDS], [Row(values) for values in new], weights=weights)
    precision, recall = rightness(found, truth)
    assert precision > 0.95
    assert recall > 0.85
    assert found.weights == weights


@given(st.lists(st.tuples(st.floats(-10, 10), st.floats(0.1, 5)), min_size=1, max_size=12))
def test_the_rising_fit_never_falls_keeps_the_mean_and_leaves_what_rises(pairs: list[tuple[float, float]]) -> None:
    values, weights = (np.asarray(each) for each in zip(*pairs, strict=True))
    fit = rising(values, weights)
    assert (np.diff(fit) >= -1e-9).all()
    assert np.isclose((fit * weights).sum(), (values * weights).sum(), atol=1e-6)
    assert np.allclose(rising(np.sort(values), weights), np.sort(values))
    assert ((fit - values) ** 2 * weights).sum() <= ((values.mean() - values) ** 2 * weights).sum() + 1e-9
