"""How well the matching engine resolves sets of records whose entities are known.

Every set goes through the one public function with the same settings: the fields of the set, each of kind `auto`, and,
for sets that link two clean sources, that records of one source differ. Nothing is tuned to a set and no label is
shown. Beside it stands what records with an equal normalised name give. The sets are no part of this project.

    python benchmarks/resolution/quality.py FOLDER … [--set NAME …] [--calibration] [--json FILE] [--errors N]
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
import unicodedata
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from measures import Rightness, labels, rightness
from sets import RecordSet, find_sets, read_set

from schemacast.matching.match import match
from schemacast.matching.model import Field, Matching, Row

BINS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0)
COLUMNS = "pair P    pair R    pair F1   B3 P      B3 R      B3 F1"


@dataclass(frozen=True, slots=True)
class Result:
    """One set: the engine's rightness and time, and that of equal normalised names."""

    name: str
    records: int
    seconds: float
    engine: Rightness
    exact: Rightness


def rows_of(records: RecordSet, *, distinct: bool) -> list[Row]:
    """The set as the matcher takes it; empty values are not stated."""
    return [
        Row(tuple(value or None for value in values), apart=source if distinct and records.linkage else None)
        for values, source in zip(records.values, records.sources, strict=True)
    ]


def same_name(records: RecordSet) -> list[str]:
    """A label per record: its name without case, accents and punctuation, or itself if it has none."""
    place = records.fields.index(records.name_field)
    found = []
    for record, values in zip(records.ids, records.values, strict=True):
        folded = unicodedata.normalize("NFKD", values[place]).casefold()
        kept = "".join(c for c in folded if c.isalnum() or c.isspace())
        found.append(" ".join(kept.split()) or f"#{record}")
    return found


def measure(folder: Path, args: argparse.Namespace, scored: Counter[tuple[int, bool]]) -> Result:
    """Resolve one set and count, by bins of score, which of the links were right."""
    records = read_set(folder)
    rows = rows_of(records, distinct=not args.without_distinct)
    started = time.perf_counter()
    matching = match([Field(name) for name in records.fields], rows)
    seconds = time.perf_counter() - started
    found = labels(matching.clusters, len(rows))
    for link in matching.links:
        at = max(n for n, low in enumerate(BINS) if link.score >= low)
        scored[at, records.entities[link.a] == records.entities[link.b]] += 1
    if args.errors:
        print_errors(records, matching, found, args.errors)
    return Result(
        folder.name,
        len(rows),
        seconds,
        rightness(found, records.entities),
        rightness(same_name(records), records.entities),
    )


def print_errors(records: RecordSet, matching: Matching, found: list[int], most: int) -> None:
    """Some pairs wrongly together, with their links' scores, and some wrongly apart, with the engine's reasons."""
    chosen = random.Random(1)
    together: dict[int, list[int]] = {}
    belong: dict[str, list[int]] = {}
    for row, (label, entity) in enumerate(zip(found, records.entities, strict=True)):
        together.setdefault(label, []).append(row)
        belong.setdefault(entity, []).append(row)
    wrong = [pair for group in together.values() for pair in _split(group, records.entities)]
    missed = [pair for group in belong.values() for pair in _split(group, found)]
    for title, pairs in (("wrongly together", wrong), ("wrongly apart", missed)):
        print(f"\n--- {records.name}: {title}, {min(most, len(pairs))} of {len(pairs)} groups")
        for a, b in chosen.sample(pairs, min(most, len(pairs))):
            why = matching.explain(a, b)
            weights = {each.field: f"{each.weight:+6.2f} {each.level}" for each in why.fields}
            print(f"{records.ids[a]} {records.ids[b]} {why.outcome}, score {why.score:.3f}, {', '.join(why.blocks)}")
            for field, one, other in zip(records.fields, records.values[a], records.values[b], strict=True):
                if one or other:
                    print(f"    {field:<14.14} {weights.get(field, ''):<16} {one:.80} | {other:.80}")
            if why.vetoes:
                print("    vetoed by", ", ".join(why.vetoes))


def _split(group: list[int], label: Sequence[Hashable]) -> list[tuple[int, int]]:
    """A pair for each part beyond the first that a group falls into by other labels."""
    first: dict[Hashable, int] = {}
    for row in group:
        first.setdefault(label[row], row)
    heads = list(first.values())
    return [(heads[0], other) for other in heads[1:]]


def line(name: str, figures: Rightness, rest: str = "") -> str:
    numbers = "".join(f"{figure:<10.3f}" for figure in asdict(figures).values())
    return f"{name:<24}{numbers}{rest}"


def mean(results: list[Rightness]) -> Rightness:
    """The mean of each figure over sets (so F1 is the mean of the sets' F1)."""
    return Rightness(
        *(sum(column) / len(results) for column in zip(*(asdict(r).values() for r in results), strict=True))
    )


def print_calibration(scored: Counter[tuple[int, bool]]) -> None:
    print("\nscore of a link      links   right")
    for at, low in enumerate(BINS[:-1]):
        right, wrong = scored[at, True], scored[at, False]
        high = BINS[at + 1]
        if at == len(BINS) - 2:
            right, wrong = right + scored[at + 1, True], wrong + scored[at + 1, False]
        if right + wrong:
            print(f"{low:.2f} to {high:.2f} {right + wrong:>12} {right / (right + wrong):>7.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--set", dest="only", action="append", default=[], help="only this set; may be repeated")
    parser.add_argument("--calibration", action="store_true", help="how many links of which score were right")
    parser.add_argument("--errors", type=int, default=0, metavar="N", help="show N errors of each kind per set")
    parser.add_argument("--without-distinct", action="store_true", help="do not say that a source's records differ")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    args = parser.parse_args()
    scored: Counter[tuple[int, bool]] = Counter()
    results = []
    print(f"{'':<24}{COLUMNS}     exact F1  exact B3  seconds  records")
    for folder in find_sets(args.folders, args.only):
        result = measure(folder, args, scored)
        results.append(result)
        rest = f"{result.exact.f1:<10.3f}{result.exact.b3_f1:<10.3f}{result.seconds:>7.1f}{result.records:>9}"
        print(line(result.name, result.engine, rest), flush=True)
    print(line("mean", mean([result.engine for result in results])))
    print(line("mean, equal names", mean([result.exact for result in results])))
    precise = sum(result.engine.precision >= 0.80 for result in results)
    below = [result.name for result in results if result.engine.f1 < result.exact.f1]
    print(f"precision at least 0.80 on {precise} of {len(results)}; below equal names: {', '.join(below) or 'none'}")
    if args.calibration:
        print_calibration(scored)
    if args.json:
        args.json.write_text(json.dumps([asdict(result) for result in results], indent=1), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
