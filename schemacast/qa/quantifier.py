"""How many claims a question asks for: the rung of its strongest quantifier.

The ladder estimates the length of an answer and how hard it will be to keep its form; it is no theory of
quantifiers. Of several rungs the one farther from SINGULAR wins (`tell me about all the planets` is an open request).
Words are matched whole and folded, in five languages; numbers that date, measure or name something bound nothing.
Pure: no model, no retrieval, no I/O.
"""

from __future__ import annotations

import re
from functools import cache

from schemacast.claims.mentions import Amount, mentions
from schemacast.language.scripts import is_unspaced
from schemacast.language.units import fold_word
from schemacast.qa.quantifier_words import ANCHORED, NOT_QUANTIFIERS, RUNG_WORDS, UNBOUNDED

CLASSIFIER_VERSION = "quantifier-v1"
"""The rules of this classifier; part of the verifier's policy."""

_RUNG_PRIORITY = (
    "SINGULAR",
    "ABSENT",
    "PROPORTIONAL",
    "SMALL_NUM_EXPLICIT",
    "COMPARATIVE_BOUND",
    "FEW",
    "MANY",
    "ALL",
    "COMPREHENSIVE",
    "OPEN_REQUEST",
)
"""From the narrowest question to the broadest; of several rungs the last one wins."""

BROAD_RUNGS = frozenset(("ALL", "COMPREHENSIVE", "OPEN_REQUEST"))
OPERATIONAL_SHAPES = {
    "ABSENT": "universal_negation",
    "SINGULAR": "single_fact",
    "PROPORTIONAL": "descriptive_fraction",
    "SMALL_NUM_EXPLICIT": "bounded_enumeration",
    "COMPARATIVE_BOUND": "threshold_enumeration",
    "FEW": "small_sample",
    "MANY": "large_sample",
    "ALL": "universal_enumeration",
    "COMPREHENSIVE": "exhaustive_request",
    "OPEN_REQUEST": "open_enumeration",
}
_LONGEST = 4_000
"""What a question says, it says at its beginning."""


def classify_question_quantifier(question: str) -> dict[str, object]:
    """The rung of a question, as a dict.

    `intensity` (the rung), `matched_token` (as the question writes it, None when nothing matched), `explicit_count`
    (int for the two rungs that have a number, else None), `is_broad`, `operational_shape`, `scope_bound_hint`
    (`bounded`, `unbounded` or `unknown`) and `classifier_version`. A blank question is SINGULAR.
    """
    question = question[:_LONGEST]
    found = _matches(question)
    rung = max(found, key=_RUNG_PRIORITY.index, default="SINGULAR")
    token, count = found.get(rung, (None, None))
    broad = rung in BROAD_RUNGS
    return {
        "intensity": rung,
        "matched_token": token,
        "explicit_count": count,
        "is_broad": broad,
        "operational_shape": OPERATIONAL_SHAPES[rung],
        "scope_bound_hint": _scope(question) if broad else "bounded",
        "classifier_version": CLASSIFIER_VERSION,
    }


_NAMING = ("list", "name")
"""Verbs that ask for all of something unless the question says how many."""


def _matches(question: str) -> dict[str, tuple[str | None, int | None]]:
    """Each rung that matches, with its token and number."""
    folded, origins = _folded(question)
    blanked = _blank(folded)
    found: dict[str, tuple[str | None, int | None]] = {}
    for rung in _RUNG_PRIORITY:
        match = _pattern(rung).search(folded if rung == "SINGULAR" else blanked)
        if match is not None:
            found[rung] = (question[origins[match.start()] : origins[match.end() - 1] + 1], None)
    for amount in mentions(question, None, None).amounts:
        counted = _counted(question, amount)
        if counted is not None and counted not in found:
            found[counted] = (question[amount.start : amount.end], int(amount.values[0]))
            if fold_word((found.get("ALL", ("", None))[0] or "").split(" ")[0]) in _NAMING:
                del found["ALL"]  # `name the top 3 ships` asks for three
    return found


def _counted(question: str, amount: Amount) -> str | None:
    """The rung of a number that says how many are asked for."""
    whole = len(amount.values) == 1 and amount.values[0].denominator == 1 and amount.values[0] >= 0
    if not whole or amount.kind != "amount" or amount.unit is not None or amount.soft:
        return None
    if amount.bound in ("gt", "ge", "lt", "le"):
        return "COMPARATIVE_BOUND"
    asked = question[max(0, amount.start - 24) : amount.start].split()
    named = bool(asked) and fold_word(asked[-1]) in ("top", "first", "last", "erste", "ersten", "premiers", "primeros")
    return "SMALL_NUM_EXPLICIT" if amount.place.after or named else None


def _folded(question: str) -> tuple[str, list[int]]:
    """The question folded character by character, and where each folded character came from."""
    parts: list[str] = []
    origins: list[int] = []
    for at, char in enumerate(question):
        piece = fold_word(char).replace("’", "'")
        parts.append(piece)
        origins += [at] * len(piece)
    return "".join(parts), origins


def _blank(folded: str) -> str:
    """The question without the phrases whose words are no quantifiers (`at all`, `how many`)."""
    return _excluded().sub(lambda match: "\x00" * len(match.group()), folded)


@cache
def _excluded() -> re.Pattern[str]:
    return _words(NOT_QUANTIFIERS)


@cache
def _pattern(rung: str) -> re.Pattern[str]:
    return _words(RUNG_WORDS.get(rung, ()))


def _words(phrases: tuple[str, ...]) -> re.Pattern[str]:
    """Any of the phrases as whole words; in scripts without spaces anywhere."""
    listed = sorted(phrases, key=len, reverse=True)
    spaced = "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in listed if not is_unspaced(phrase[0]))
    unspaced = "|".join(re.escape(phrase) for phrase in listed if is_unspaced(phrase[0]))
    parts = [rf"(?<![^\W_])(?:{spaced})(?![^\W_])"] * bool(spaced) + [f"(?:{unspaced})"] * bool(unspaced)
    return re.compile("|".join(parts) or r"(?!)")


def _scope(question: str) -> str:
    """Whether a broad question is bounded by something it names, unbounded by its own words, or neither."""
    folded, _ = _folded(question)
    if _words(UNBOUNDED).search(folded):
        return "unbounded"
    named = re.search(r"(?<=[^\W_][ ,])(?:[A-ZÀ-Þ][\w-]*|\d{4})(?![^\W_])", question)
    return "bounded" if named or _words(ANCHORED).search(folded) else "unknown"
