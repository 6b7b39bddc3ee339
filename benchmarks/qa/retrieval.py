"""Retrieval over many passages against the bare FTS5 query: the same words, ranks and limit, without ours.

    python benchmarks/qa/retrieval.py [PASSAGES]

The ratio of the medians may be at most 2. Questions are of one to a dozen words, rare and frequent; the index is
up to date, as it is in all but the first question after an ingest.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter

from schemacast.corpus.index import update
from schemacast.corpus.search import OVER_FETCH, TITLE_WEIGHT, search
from schemacast.corpus.terms import terms
from schemacast.workspace.file import WorkspaceFile

PASSAGES = 100_000
QUESTIONS = 200
ROUNDS = 5
BARE = (
    f"SELECT rowid, rank FROM passage_index WHERE passage_index MATCH ? AND rank MATCH 'bm25({TITLE_WEIGHT}, 1.0, 1.0)'"
    " ORDER BY rank LIMIT ?"
)


def fill(file: WorkspaceFile, count: int, rng: random.Random) -> list[str]:
    """Sources of ten passages each, of words as frequent as in a language; the words, frequent ones first."""
    words = ["".join(rng.choices("eeettaaooinshrdlucmfwypvbgk", k=rng.randint(3, 9))) for _ in range(30_000)]
    weights = [1 / (rank + 3) for rank in range(len(words))]
    with file.transaction():
        for ident in range(1, count // 10 + 1):
            text = "\n\n".join(" ".join(rng.choices(words, weights, k=80)).capitalize() + "." for _ in range(10))
            body = {"source_id": f"s{ident}", "text": text, "metadata": {"title": " ".join(rng.choices(words, k=3))}}
            file.execute(
                "INSERT INTO episodes (id, source_id, content, state) VALUES (?, ?, '', 'ok')", (ident, f"s{ident}")
            )
            file.execute("INSERT INTO texts VALUES (?, ?)", (ident, json.dumps(body)))
    return words


def timed(run: Callable[[str], object], questions: list[str]) -> float:
    """The median over questions of the fastest of some rounds, in seconds."""
    best = [float("inf")] * len(questions)
    for _ in range(ROUNDS):
        for number, question in enumerate(questions):
            start = perf_counter()
            run(question)
            best[number] = min(best[number], perf_counter() - start)
    return statistics.median(best)


def ask_bare(file: WorkspaceFile, expressions: dict[str, str], question: str) -> object:
    """The query alone, its expression made before."""
    return list(file.rows(BARE, (expressions[question], OVER_FETCH)))


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else PASSAGES
    rng = random.Random(7)
    with tempfile.TemporaryDirectory() as folder, WorkspaceFile(Path(folder) / "w.db", create=True) as file:
        words = fill(file, count, rng)
        start = perf_counter()
        update(file)
        print(f"{file.value('SELECT count(*) FROM passages'):,} passages indexed in {perf_counter() - start:.1f} s")
        for name, pool in (("rare words", words[1_000:]), ("frequent words", words[:300]), ("both", words[:10_000])):
            questions = [" ".join(rng.choices(pool, k=rng.randint(1, 12))) for _ in range(QUESTIONS)]
            bare = timed(partial(ask_bare, file, {each: terms(each).expression for each in questions}), questions)
            ours = timed(partial(search, file), questions)
            print(f"{name}: bare {bare * 1000:.2f} ms, search {ours * 1000:.2f} ms, ratio {ours / bare:.2f}")


if __name__ == "__main__":
    main()
