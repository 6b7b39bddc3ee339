"""`locate` in a text of a megabyte against plain `str.find`, and in a short ticket.

Of a thousand quotes half are verbatim; the others are folded (case, spaces, typographic quotes) or have a
word that the text lacks. Each round looks all of them up in a text that was never folded before. The
ratio to `str.find` with the same quotes in the same run is in `extra_info`; it may be at most 5.

    pytest benchmarks/test_locate.py --benchmark-columns=median
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable
from itertools import count
from time import perf_counter
from typing import Any

import pytest

from schemacast.ground import TextSpan, locate

LENGTH = 1_000_000
QUOTES = 1_000
ALPHABETS = {
    "English": "eeeetttaaooiinnsshhrrddlucmfwypvbgkjqxz",
    "German": "eeeennnisrratdhulcgmobwfkzäöüß",
    "Vietnamese, decomposed": "nhtcigamuolkaáàảãạăắằẳẵặâấầẩẫậđeéèẻẽẹêếềểễệ",
    "Greek": "αιοσντερπκμληυωάέίόήύώςθφδγβχξζψ",
    "Russian": "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфё",
    "Arabic": "ابتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "Hindi": "कखगघचछजझटठडढणतथदधनपफबभमयरलवशषसहािीुूेैोौं्",
    "Hangul": "".join(chr(0xAC00 + 13 * index) for index in range(800)),
    "Han": "".join(chr(0x4E00 + 7 * index) for index in range(2500)),
    "Thai": "กขคงจฉชซญดตถทธนบปผฝพฟมยรลวศสหอฮะาิีึืุู่้",
}
UNSPACED = ("Han", "Thai")
TICKET = "Customer ACC-1 (“Müller GmbH”) raised ticket HD-2 on 2026-03-02: pump P7 draws 12.5 kW. " * 2


def _text(name: str, rng: random.Random) -> str:
    alphabet = ALPHABETS[name]
    words = ["".join(rng.choices(alphabet, k=rng.randint(2, 9))) for _ in range(20_000)]
    parts: list[str] = []
    length = 0
    while length < LENGTH:
        sentence = (("" if name in UNSPACED else " ").join(rng.choices(words, k=12))).capitalize()
        parts.append(sentence + rng.choice([". ", ", ", " – ", ".\n\n", ": “", "” "]))
        length += len(parts[-1])
    text = "".join(parts)
    return unicodedata.normalize("NFD", text) if "decomposed" in name else text


def _quotes(text: str, rng: random.Random) -> list[str]:
    quotes = []
    for index in range(QUOTES):
        start = rng.randrange(len(text) - 100)
        quote = text[start : start + rng.randint(12, 60)].strip() or text[:20]
        if index % 4 == 1:
            quote = f"“{unicodedata.normalize('NFC', quote.upper())}…”".replace(" ", "\n ")
        elif index % 4 == 3:
            middle = len(quote) // 2
            quote = quote[:middle] + quote[middle + 2 :]
        quotes.append(quote)
    return quotes


@pytest.mark.parametrize("name", ALPHABETS)
def test_a_thousand_quotes_in_a_megabyte(benchmark: Any, name: str) -> None:
    rng = random.Random(7)
    text = _text(name, rng)
    quotes = _quotes(text, rng)
    fresh = count()

    def unseen() -> tuple[tuple[str], dict[str, Any]]:
        return (f"{text} {next(fresh)}",), {}

    def look_up(source: str) -> int:
        return sum(locate(quote, source) is not None for quote in quotes)

    find_seconds = _seconds(lambda: [text.find(quote) for quote in quotes])
    found = benchmark.pedantic(look_up, setup=unseen, rounds=3)
    ratio = benchmark.stats.stats.median / find_seconds
    benchmark.extra_info["found"] = found
    benchmark.extra_info["ratio_to_find"] = round(ratio, 2)
    assert found >= QUOTES / 2
    assert ratio <= 5


def test_a_quote_near_its_owner_in_a_megabyte(benchmark: Any) -> None:
    rng = random.Random(7)
    text = _text("English", rng)
    word = text.split()[40]
    places = [TextSpan(start=start, end=start + 9) for start in range(1000, LENGTH, 10_000)]
    benchmark(lambda: [locate(word.upper(), text, near=place) for place in places])


def test_eight_quotes_in_a_short_ticket(benchmark: Any) -> None:
    quotes = ["ACC-1", "Müller GmbH", "HD-2", "2026-03-02", "pump p7", "12.5 kW", '"Muller GmbH"', "HD-3"]
    benchmark(lambda: [locate(quote, TICKET) for quote in quotes])


def test_a_short_ticket_never_seen_before(benchmark: Any) -> None:
    fresh = count()
    benchmark(lambda: locate("PUMP P7", f"{TICKET}{next(fresh)}"))


def _seconds(run: Callable[[], object]) -> float:
    """The fastest of three runs."""
    best = float("inf")
    for _ in range(3):
        start = perf_counter()
        run()
        best = min(best, perf_counter() - start)
    return best
