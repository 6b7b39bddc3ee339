"""Verification of one answer against 100 KB of context, in `str.find` for its quotes and sentences.

The context is prose of made-up words with numbers and names; the answer has eight sentences, half of them quoted,
most true, some with a changed number or in another case. Every round verifies another answer in another context. The
ratio of `verify_quotes` may be at most 20. `judge` also reads what each sentence states (names, numbers, dates,
denials) and holds it against the source's sentence; its ratio is printed only.

    pytest benchmarks/test_qa_verification.py -s --benchmark-columns=min
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Any

import pytest

from schemacast.claims.sentences import answer_sentences
from schemacast.qa.extract import extract_quotes
from schemacast.qa.judge import SourceText, judge
from schemacast.qa.verify import verify_quotes

LENGTH = 100_000
LIMIT = 20
ROUNDS, WARM_UP = 30, 5
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
    # Every round has a context and an answer of its own words, so that nothing is known from an earlier one.
    cases = [_case(number) for number in range(ROUNDS + WARM_UP)]
    find_seconds = min(_seconds(partial(_find, _units(answer), text)) for answer, text in cases[WARM_UP:])
    coming = iter(cases)
    verdicts: list[str] = []

    def verify(answer: str, context: str) -> None:
        if name == "judge":
            verdicts.append(judge(answer, [SourceText("s", context)]).audit_mode)
        else:
            verdicts.append(verify_quotes(answer, context)["audit_mode"])

    benchmark.pedantic(verify, setup=lambda: (next(coming), {}), rounds=ROUNDS, warmup_rounds=WARM_UP)
    ratio = benchmark.stats.stats.min / find_seconds
    benchmark.extra_info["ratio_to_find"] = round(ratio, 1)
    print(f"{name}: {ratio:.1f} times str.find")
    assert set(verdicts) == {"HYBRID"}
    if name == "verify_quotes":
        assert ratio <= LIMIT


def _case(number: int) -> tuple[str, str]:
    rng = random.Random(number)
    context = _context(rng)
    return _answer(context, rng), context


def _units(answer: str) -> list[str]:
    return extract_quotes(answer) + [answer[each.start : each.end] for each in answer_sentences(answer)]


def _find(units: list[str], context: str) -> None:
    for unit in units:
        context.find(unit)


def _seconds(run: Callable[[], object]) -> float:
    """The fastest of several runs."""
    best = float("inf")
    for _ in range(20):
        start = perf_counter()
        run()
        best = min(best, perf_counter() - start)
    return best
