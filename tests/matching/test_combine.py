"""Two measures of a pair, what they say together, and the sum that an explanation shows."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from schemacast.matching.combine import MOST_AGAINST, MOST_FOR, Combined
from schemacast.matching.evidence import Scored
from schemacast.matching.learn import weigh
from schemacast.matching.match import match
from schemacast.matching.model import Field, Matching, Row
from schemacast.matching.rivals import LEAST_LEARNED, MOST_AHEAD, Rivals


def table(count: int, *, seed: int, linked: bool = False) -> list[Row]:
    """People with a name, a street and a year, every second one twice with a slip."""
    maker = random.Random(seed)
    syllables = "ba de fi go hu ka le mi no pu ra se ti vo".split()  # noqa: SIM905
    word = lambda n: "".join(maker.choices(syllables, k=n))  # noqa: E731
    streets = [f"{word(3)} street" for _ in range(20)]
    rows = []
    for number in range(count):
        values = (f"{word(2)} {word(3)}", maker.choice(streets), str(maker.randrange(1940, 2000)))
        rows.append(Row(values, apart="left" if linked else None))
        if number % 2:
            name = values[0][:-1] + maker.choice("aeiou")
            rows.append(Row((name, values[1], values[2]), apart="right" if linked else None))
    return rows


def scored(found: Matching) -> Scored:
    assert isinstance(found.evidence, Scored)
    return found.evidence


FIELDS = [Field("name"), Field("street"), Field("born")]


@pytest.mark.parametrize("count", [8, 60, 400])
def test_what_an_explanation_shows_adds_up_to_the_score(count: int) -> None:
    found = match(FIELDS, table(count, seed=count))
    for link in found.links[:40]:
        said = found.explain(link.a, link.b)
        if said.score in (0, 1) or not said.fields:
            continue
        total = said.prior + sum(each.weight for each in said.fields)
        assert 1 / (1 + math.exp(-total)) == pytest.approx(said.score, abs=1e-6)


def test_parts_of_every_pair_add_up_to_its_log_odds() -> None:
    evidence = scored(match(FIELDS, table(300, seed=1)))
    pairs = evidence.a, evidence.b
    rest, parts = evidence.combined.parts(evidence.compared, *pairs)
    whole = evidence.combined.compared(evidence.compared, *pairs)
    assert np.allclose(rest + np.sum(parts, axis=0), whole, atol=1e-6)


def test_learned_weights_speak_against_always_and_for_as_far_as_both_agree() -> None:
    combined = scored(match(FIELDS, table(300, seed=2))).combined
    weighed = np.asarray([-99.0, -3.0, 0.0, 1.0, 99.0])
    score = np.full(len(weighed), combined.shares.middle)

    def added(agreement: float) -> list[float]:
        told = Combined(combined.shares, combined.learned, agreement).logodds(score, weighed)
        return [float(each) for each in told]

    assert added(0.0) == [MOST_AGAINST, -3.0, 0.0, 0.0, 0.0]
    assert added(1.0) == [MOST_AGAINST, -3.0, 0.0, 1.0, MOST_FOR]


def test_agreement_is_what_both_find_of_what_either_finds() -> None:
    combined = scored(match(FIELDS, table(300, seed=3))).combined
    middle = combined.shares.middle
    score = middle + np.asarray([1.0, 1.0, -1.0, -1.0, 1.0])
    weighed = np.asarray([1.0, -1.0, 1.0, -1.0, 1.0])
    none, last = np.zeros(5, bool), np.asarray([False, False, False, False, True])
    assert Combined.of(combined.shares, combined.learned, score, weighed, none).agreement == 2 / 4
    assert Combined.of(combined.shares, combined.learned, score, weighed, last).agreement == 1 / 3
    assert Combined.of(combined.shares, combined.learned, score - 2, weighed - 2, none).agreement == 0


def test_agreement_and_calibration_are_kept_with_the_weights() -> None:
    rows = table(300, seed=4, linked=True)
    found = match(FIELDS, rows)
    assert 0 < found.weights.agreement <= 1
    assert found.weights.calibrated_by > 0
    again = match(FIELDS, rows, weights=found.weights)
    assert (again.clusters, again.links, again.weights) == (found.clusters, found.links, found.weights)


def test_a_pair_stands_out_by_its_distance_from_the_best_other_pair_of_either_row() -> None:
    evidence = scored(match(FIELDS, table(40, seed=5, linked=True)))
    rivals = Rivals(evidence.table, evidence.a, evidence.b)
    score = weigh(evidence.combined.learned, evidence.compared) / 20
    standing = rivals.standing(score, np.zeros(len(score)))
    for pair in range(len(score)):
        beside = [
            float(score[other])
            for other in range(len(score))
            if other != pair
            and rivals.rivalling[other]
            and (rivals.slot_a[pair] in slots(rivals, other) or rivals.slot_b[pair] in slots(rivals, other))
        ]
        ahead = float(score[pair]) - max(beside, default=-np.inf) if rivals.rivalling[pair] else 0.0
        assert standing[pair] - score[pair] == pytest.approx(np.clip(ahead, -MOST_AHEAD, MOST_AHEAD), abs=1e-9)


def slots(rivals: Rivals, pair: int) -> tuple[int, int]:
    return int(rivals.slot_a[pair]), int(rivals.slot_b[pair])


def test_without_clean_sources_no_pair_has_rivals() -> None:
    evidence = scored(match(FIELDS, table(40, seed=6)))
    rivals = Rivals(evidence.table, evidence.a, evidence.b)
    score = np.linspace(0, 1, len(evidence.a))
    assert np.array_equal(rivals.standing(score, np.full(len(score), LEAST_LEARNED)), score)
