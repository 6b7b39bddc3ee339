"""The way from rows to clusters: pairs that share a key are compared, weighed, and put together best first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from schemacast.matching.blocks import candidate_pairs, keys_of
from schemacast.matching.caution import cautious
from schemacast.matching.cluster import clusters, unmet
from schemacast.matching.columns import Column, Floats, Ints, common
from schemacast.matching.combine import Combined
from schemacast.matching.compare import Compared, compare
from schemacast.matching.evidence import Scored, links_of
from schemacast.matching.halves import both
from schemacast.matching.learn import Learned, Line, Setting, learn, weigh
from schemacast.matching.model import Counts, Field, FieldWeights, LineWeights, Matching, Row, Weights
from schemacast.matching.rivals import Points, Rivals
from schemacast.matching.share import Shares
from schemacast.matching.table import Table, read_table
from schemacast.matching.veto import Vetoes
from schemacast.uncollected import uncollected

LEARNED_FROM = 500_000
"""Pairs are enough to learn weights from; of more, evenly spaced ones are taken."""
DRAWN = 200_000
DEFAULT_THRESHOLD = 0.5
TELLING = 3.0
"""Nats that two values drawn from a field must differ by, at the least, for the field to tell things apart."""
FILLED = 0.4


def match(
    fields: Sequence[Field], rows: Sequence[Row], *, threshold: float | None = None, weights: Weights | None = None
) -> Matching:
    """The rows as clusters of one thing each; rows in another order give the same clusters.

    `threshold` is the least probability of a link, 0.5 by default. With `weights` nothing is learned from these
    rows. Raises ValueError for a threshold outside 0 to 1, a row whose values do not fit the fields, or weights
    that were learned for other fields.
    """
    _check(fields, rows, threshold, weights)
    with uncollected():
        return _match(fields, rows, DEFAULT_THRESHOLD if threshold is None else threshold, weights)


def _match(fields: Sequence[Field], rows: Sequence[Row], least: float, weights: Weights | None) -> Matching:
    table = read_table(fields, rows, weights)
    vetoes = Vetoes(table)
    pairs = candidate_pairs(keys_of(table.columns, table.vocabulary, table.units), table.units, _sides(table))
    rivals = Rivals(table, pairs.a, pairs.b)
    compared = compare(table, pairs.a, pairs.b)
    vetoed = vetoes.pairs(pairs.a, pairs.b)
    alone = _alone(table.columns, compared) is not None
    learned, (shares, score) = both(
        lambda: _learn(table, compared, rivals) if weights is None else _stored(weights),
        lambda: Shares.of(table, compared, pairs.a, pairs.b, alone=alone),
    )
    weighed = weigh(learned, compared)
    if weights is None:
        combined = Combined.of(shares, learned, score, weighed, vetoed)
        points, found = rivals.calibration(score, weighed)
        weights = _weights(table, combined, compared, points, found)
    else:
        combined = Combined(shares, learned, weights.agreement)
    standing = rivals.standing(score, weighed)
    logodds = combined.logodds(standing, weighed)
    probability = rivals.calibrated(standing, logodds, weights.calibration, weights.calibrated_by)
    scored = Scored(table, vetoes, combined, pairs.a, pairs.b, compared, probability, vetoed)
    if not rivals.sides:
        scored = _asked_further(scored, least)
    scored.found = clusters(
        vetoes, scored.a, scored.b, log_odds(scored.probability) - log_odds(np.asarray(least)), scored.vetoed
    )
    links = links_of(scored, least)
    counts = Counts(
        rows=len(rows),
        units=table.units,
        blocks=pairs.blocks,
        skipped_blocks=pairs.skipped_blocks,
        skipped_rows=pairs.skipped_rows,
        compared=len(scored.a),
        vetoed=int(scored.vetoed.sum()),
        links=len(links),
        clusters=len(scored.found),
        cut_values=table.cut_values,
    )
    return Matching(scored.clusters_of_rows(), links, weights, counts, scored)


def _asked_further(scored: Scored, least: float) -> Scored:
    """The same with the pairs that no block brought together and that a cluster would hold."""
    table = scored.table
    for_it = (scored.probability >= least) & ~scored.vetoed
    a, b = unmet(table.units, scored.a[for_it], scored.b[for_it], scored.a, scored.b)
    if not len(a):
        return scored
    others = compare(table, a, b)
    logodds = scored.combined.compared(others, a, b)
    probability = 1 / (1 + np.exp(-np.clip(logodds, -60, 60)))
    at = np.searchsorted(scored.a * table.units + scored.b, a * table.units + b)  # either is in ascending order
    return Scored(
        table,
        scored.vetoes,
        scored.combined,
        np.insert(scored.a, at, a),
        np.insert(scored.b, at, b),
        [one.with_inserted(at, other) for one, other in zip(scored.compared, others, strict=True)],
        np.insert(scored.probability, at, probability),
        np.insert(scored.vetoed, at, scored.vetoes.pairs(a, b)),
    )


def _check(fields: Sequence[Field], rows: Sequence[Row], threshold: float | None, weights: Weights | None) -> None:
    if threshold is not None and not 0 < threshold < 1:
        raise ValueError(f"a threshold of {threshold!r}; it is a probability between 0 and 1")
    if not any(field.compared for field in fields):
        raise ValueError("no field is compared, so nothing could be found alike")
    for index, row in enumerate(rows):
        if len(row.values) != len(fields):
            raise ValueError(f"row {index} has {len(row.values)} values; there are {len(fields)} fields")
    if weights is not None and [each.name for each in weights.fields] != [field.name for field in fields]:
        learned_for = ", ".join(each.name for each in weights.fields) or "no fields"
        raise ValueError(f"the weights were learned for {learned_for}; the fields are others: learn them anew")


def _sides(table: Table) -> Ints | None:
    return table.apart if table.aparts else None


def log_odds(probability: Floats) -> Floats:
    return np.log(np.maximum(probability, 1e-12)) - np.log(np.maximum(1 - probability, 1e-12))


def _learn(table: Table, compared: list[Compared], rivals: Rivals) -> Learned:
    """Weights from candidates and from pairs drawn at random, the same ones for the same rows."""
    units = table.units
    apart = table.apart
    x, y = _drawn(units)
    allowed = (apart[x] != apart[y]) | (apart[x] < 0)
    x, y = x[allowed], y[allowed]
    sizes = np.bincount(apart[apart >= 0]).astype(np.float64)
    every_pair = units * (units - 1) / 2 - float((sizes * (sizes - 1) / 2).sum())
    step = max(-(-len(rivals.a) // LEARNED_FROM), 1)
    setting = Setting(
        units=max(units, 2),
        pairs=max(every_pair, 1.0) / step,
        share=1 / step,
        alone=_alone(table.columns, compared),
        identifying=sum(
            column.field.compared and column.kind in ("name", "code", "date") and _tells(column)
            for column in table.columns
        ),
        sides=rivals.sides,
        probability=lambda logodds: rivals.probability(logodds, step),
    )
    learned = learn([each.every(step) for each in compared], compare(table, x, y), setting)
    return cautious(learned, compared, setting)


def _drawn(units: int) -> tuple[Ints, Ints]:
    """Pairs of units drawn at random, always the same ones; all pairs where these are not many."""
    if units * (units - 1) // 2 <= DRAWN:
        x, y = np.triu_indices(units, 1)
        return x.astype(np.int64), y.astype(np.int64)
    x, y = np.random.default_rng(7).integers(0, units, (2, DRAWN))
    return x[x != y], y[x != y]


def _alone(columns: Sequence[Column], compared: Sequence[Compared]) -> int | None:
    """The line of the only field that tells things apart; None when there are several, or none."""
    telling = [column.field.name for column in columns if column.field.compared and _tells(column)]
    if len(telling) != 1:
        return None
    return next(index for index, each in enumerate(compared) if each.name == telling[0] and each.kind != "numbers")


def _tells(column: Column) -> bool:
    cells = len(column.cells.items)
    if not cells or float((column.cells.lengths() > 0).mean()) <= FILLED:
        return False
    counts = np.bincount(column.norm[column.cells.items]).astype(np.float64)
    return -float(np.log((counts * (counts - 1)).sum() / cells**2 + 1e-9)) > TELLING


def _weights(table: Table, combined: Combined, compared: Sequence[Compared], points: Points, found: int) -> Weights:
    lines: dict[str, list[LineWeights]] = {column.field.name: [] for column in table.columns}
    for line, each in zip(combined.learned.lines, compared, strict=True):
        centers = () if line.centers is None else tuple(line.centers.tolist())
        owner = each.name if each.kind != "numbers" else each.name.removesuffix(": numbers")
        lines[owner].append(LineWeights(each.name, tuple(line.ratios.tolist()), centers, line.most))
    fields = tuple(
        FieldWeights(
            column.field.name,
            column.kind,
            column.total,
            column.least,
            common(column, table.vocabulary),
            tuple(lines[column.field.name]),
        )
        for column in table.columns
    )
    return Weights(combined.learned.prior, fields, points, combined.agreement, found)


def _stored(weights: Weights) -> Learned:
    lines = [
        Line(np.asarray(line.ratios), np.asarray(line.centers) if line.centers else None, line.most)
        for field in weights.fields
        for line in field.lines
    ]
    return Learned(weights.prior, tuple(lines))
