"""Verification of one answer against 100 KB of context, in `str.find` for its quotes and sentences.

The context is prose of made-up words with numbers and names; the answer has eight sentences, half of them quoted,
most true, some with a changed number or in another case. Every round verifies in a context that was never folded
before. The ratio may be at most 20.

    pytest benchmarks/test_qa_verification.py --benchmark-columns=min,median
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from itertools import count
from time import perf_counter
from typing import Any

import pytest

from schemacast.claims.sentences import answer_sentences
from schemacast.qa.extract import extract_quotes
from schemacast.qa.judge import SourceText, judge
from schemacast.qa.verify import verify_quotes

LENGTH = 100_000
LIMIT = 20
SYLLABLES = "ta re no mi ka so lu ve di pa ro ne fi gu ha ster bren vik dal holm".split()  # noqa: SIM905


def _context(rng: random.Random) -> str:
    words = ["".join(rng.choices(SYLLABLES, k=rng.randint(1, 4))) for _ in range(4_000)]
    parts: list[str] = []
    length = 0
    while length < LENGTH:
        subject = " ".join(rng.choices(words, k=2)).title()
        rest = " ".join(rng.choices(words, k=rng.randint(5, 14)))
        sentence = f"{subject} {rest} {rng.randint(2, 9000)} {rng.choice(words)} in {rng.randint(1900, 2020)}."
        parts.append(sentence + ("\n\n" if rng.random() < 0.1 else " "))
        length += len(parts[-1])
    return "".join(parts)


def _answer(context: str, rng: random.Random) -> str:
    sentences = [sentence for sentence in context.replace("\n\n", " ").split(". ") if len(sentence) > 40]
    chosen = rng.sample(sentences, 8)
    lines = [f'The text says: "{each}" [1].' for each in chosen[:4]] + [f"{each} [1]." for each in chosen[4:]]
    lines[3] = lines[3].upper()
    for changed in (1, 6):
        lines[changed] = re.sub(r" in \d", " in 9", lines[changed])
    return "\n".join(lines)


@pytest.mark.parametrize("name", ["verify_quotes", "judge"])
def test_one_answer_against_a_hundred_kilobytes(benchmark: Any, name: str) -> None:
    rng = random.Random(5)
    context = _context(rng)
    answer = _answer(context, rng)
    units = extract_quotes(answer) + [answer[each.start : each.end] for each in answer_sentences(answer)]
    find_seconds = _seconds(lambda: [context.find(unit) for unit in units])
    fresh = count()

    def unseen() -> tuple[tuple[str, str], dict[str, Any]]:
        # Neither the context nor the answer was met before: nothing is kept from an earlier round.
        number = next(fresh)
        return (answer.replace("says: ", "says:" + " " * number), f"{context} {number}"), {}

    def verify(answer: str, context: str) -> object:
        if name == "judge":
            return judge(answer, [SourceText("s", context)]).audit_mode
        return verify_quotes(answer, context)["audit_mode"]

    verdict = benchmark.pedantic(verify, setup=unseen, rounds=15, warmup_rounds=3)
    ratio = benchmark.stats.stats.min / find_seconds
    benchmark.extra_info["ratio_to_find"] = round(ratio, 2)
    assert verdict == "HYBRID"
    assert ratio <= LIMIT


def _seconds(run: Callable[[], object]) -> float:
    """The fastest of several runs."""
    best = float("inf")
    for _ in range(20):
        start = perf_counter()
        run()
        best = min(best, perf_counter() - start)
    return best
