"""What matching takes and gives: fields and rows in; clusters, links, weights and explanations out.

A row is a record as the matcher sees it: one value (or several, any of which may agree) for every
field, and what is known of it from elsewhere: what it cannot be one with, and what a person decided.
Rows are named by their position. Everything learned from the data is in `Weights`, so that a later
run can score new rows as the first run scored its own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from dataclasses import field as dataclass_field
from typing import Any, Literal, Protocol

from schemacast.schema.values import Json, Value

FieldKind = Literal["name", "text", "code", "number", "date", "exact", "auto"]
"""How the values of a field are compared; `auto` is read off the values."""


@dataclass(frozen=True, slots=True)
class Field:
    """A property that rows are compared by.

    `veto`: whether values that differ forbid a match; None is the kind's own rule (numbers and codes
    inside a `name`, and `exact` values, veto; the others do not). `compared=False` is for a field that
    only vetoes: a declared key or an alternate.
    """

    name: str
    kind: FieldKind = "auto"
    veto: bool | None = None
    compared: bool = True


@dataclass(frozen=True, slots=True)
class Row:
    """One record: `values` in the order of the fields, None where nothing is stated.

    A tuple of scalars holds several values of one thing; any pair of them may agree. Two rows with an
    equal `apart` are different things. Rows with an equal `entity` are together, because a person said
    so. A row is never with one whose `groups` (or `entity`) are among its `not_with`, unless a person
    put both into one `entity`.
    """

    values: tuple[Value | None, ...]
    apart: str | None = None
    entity: str | None = None
    groups: frozenset[str] = frozenset()
    not_with: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Link:
    """Two rows found to be one, `a` < `b`; `score` is the probability that they are."""

    a: int
    b: int
    score: float
    blocks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A row that another one might be one with, and the fields that speak for and against it."""

    row: int
    score: float
    agrees: tuple[str, ...] = ()
    contradicts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """One field of an explanation. `weight` is what it adds to the log-odds, in nats; 0 if not compared.

    `level` says in words how alike the values are (`equal`, `alike`, `differ`, `absent` and so on).
    """

    field: str
    kind: FieldKind
    a: Value | None
    b: Value | None
    similarity: float | None
    level: str
    weight: float


Outcome = Literal["same", "different", "vetoed", "unlike", "apart", "joined", "split"]
"""How a pair was decided.

`same`: in one cluster by their score or through others. `different`: alike enough to be candidates, but
in two clusters. `unlike`: no block brought them together. `vetoed`: values that never match. `apart`:
equal `apart`. `joined` and `split`: a person's decision.
"""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why two rows are or are not one: every field, what it adds, and the decision.

    `prior` and the weights of the fields add up to the pair's log-odds taken by itself; `prior` is what any two rows
    start from, less what these have in common with their other neighbours. Where rows of clean sources are linked,
    `score` also weighs how far the pair stands out among its rivals.
    """

    a: int
    b: int
    outcome: Outcome
    score: float
    prior: float
    fields: tuple[Comparison, ...]
    blocks: tuple[str, ...]
    vetoes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Counts:
    """What was done.

    `rows` were read, `units` of them differ. Of the `blocks` (rows that share a key) `skipped_blocks` were over
    the bound and not compared whole; their rows, counted once for every such block, are `skipped_rows`. `compared`
    pairs were scored, `vetoed` of them can never match. `cut_values` are values of a cell beyond the first eight.
    """

    rows: int = 0
    units: int = 0
    blocks: int = 0
    skipped_blocks: int = 0
    skipped_rows: int = 0
    compared: int = 0
    vetoed: int = 0
    links: int = 0
    clusters: int = 0
    cut_values: int = 0


@dataclass(frozen=True, slots=True)
class LineWeights:
    """What was learned of one line of comparison: a field, or the numbers inside its texts.

    `ratios` are log-likelihood ratios in nats, from the least alike level to the most; `centers` are what a
    level's values tell on average, so that a rarer value counts for more, up to `most`.
    """

    name: str
    ratios: tuple[float, ...]
    centers: tuple[float, ...] = ()
    most: float = 1e6


@dataclass(frozen=True, slots=True)
class FieldWeights:
    """What was learned of one field.

    `kind` is never `auto`. `rows` is how many values there were, `common` how many rows hold each of the more
    frequent words or values: what is not listed is rare, held by less than `least` rows.
    """

    name: str
    kind: FieldKind
    rows: int = 0
    least: int = 2
    common: Mapping[str, int] = dataclass_field(default_factory=dict)
    lines: tuple[LineWeights, ...] = ()


@dataclass(frozen=True, slots=True)
class Weights:
    """Everything learned from the data, so that a later run scores as the first did.

    `prior` is the log-odds of any two rows, `agreement` how far the weights find the same pairs as the share that
    agrees, from 0 to 1. `calibration` are the points (standing of a row's best pair, probability) between which the
    score of a best pair is interpolated, and `calibrated_by` how many pairs found they are drawn from; without points
    a score stands as it is.
    """

    prior: float = 0.0
    fields: tuple[FieldWeights, ...] = ()
    calibration: tuple[tuple[float, float], ...] = ()
    agreement: float = 0.0
    calibrated_by: int = 0

    def to_json(self) -> dict[str, Json]:
        """The weights as plain JSON values; `from_json` gives equal weights back."""
        data: dict[str, Json] = {"version": 1, **asdict(self)}
        for field in data["fields"]:  # type: ignore[union-attr]  # a tuple of dictionaries
            field["common"] = dict(sorted(field["common"].items()))  # type: ignore[index,call-overload,union-attr]
        plain: dict[str, Json] = json.loads(json.dumps(data))
        return plain

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Weights:
        """The weights that `to_json` wrote. Raises ValueError for anything else."""
        try:
            if data["version"] != 1:
                raise ValueError(f"weights of version {data['version']!r}; this release reads version 1")
            fields = tuple(_field_from_json(each) for each in data["fields"])
            points = tuple((float(x), float(y)) for x, y in data["calibration"])
            return cls(float(data["prior"]), fields, points, float(data["agreement"]), int(data["calibrated_by"]))
        except (KeyError, TypeError, IndexError) as error:
            raise ValueError(f"these are no weights: {error!r}") from error


def _field_from_json(data: Mapping[str, Any]) -> FieldWeights:
    lines = tuple(
        LineWeights(each["name"], tuple(each["ratios"]), tuple(each["centers"]), each["most"]) for each in data["lines"]
    )
    return FieldWeights(data["name"], data["kind"], data["rows"], data["least"], dict(data["common"]), lines)


class Evidence(Protocol):
    """What a matching keeps of its run, to answer questions about single rows and pairs."""

    def candidates(self, row: int, /) -> list[Candidate]:
        """Every row that was compared with this one, best first."""
        ...

    def explain(self, a: int, b: int, /) -> Explanation:
        """Why two rows are or are not one; they need not have been compared before."""
        ...


@dataclass(frozen=True, slots=True)
class Matching:
    """Rows as clusters: every row is in exactly one, rows and clusters in ascending order."""

    clusters: tuple[tuple[int, ...], ...]
    links: tuple[Link, ...]
    weights: Weights
    counts: Counts
    evidence: Evidence = dataclass_field(repr=False, compare=False)

    def candidates(self, row: int) -> list[Candidate]:
        """The rows that were compared with this one, best first, with what agrees and what contradicts."""
        return self.evidence.candidates(row)

    def explain(self, a: int, b: int) -> Explanation:
        """Why rows `a` and `b` are or are not one; any two rows may be asked for."""
        return self.evidence.explain(a, b)
