"""The first node: the one claim of a text that is worth tracing.

The model lists the claims, each with the passage that states it; what counts is decided here. A passage has to stand
in the text, and a claim has to be one sentence that could be checked. It may not differ from its passage in a number, a
date or a negation, hold a number or date that the text lacks, or share no word with its passage. Of several the most
checkable is taken (a number and a name before one of them, then the model's order), and the others are named in the
notes. A text that only asks is not even sent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast, get_args

from schemacast.attribution.asking import Answer, Asker, BadAnswer, Question, object_of, reply_object
from schemacast.attribution.checkable import checkability, is_verifiable_claim, only_asks
from schemacast.attribution.models import LONGEST_INPUT, SHORTEST_INPUT, Confidence, ExtractedClaim, InputText
from schemacast.attribution.node import Node
from schemacast.attribution.plain_words import one_line, shown_line
from schemacast.attribution.state import GraphState, with_errors
from schemacast.claims.compare import Held, held_amounts, held_dates
from schemacast.claims.contradictions import contradictions
from schemacast.claims.mentions import Amount, Dated, mentions
from schemacast.claims.words import content_stems, language_of
from schemacast.errors import ModelError, RequestFailed
from schemacast.ground import locate
from schemacast.language.sentences import sentences
from schemacast.llm.protocol import Model, Tag
from schemacast.schema.values import Json

LONGEST_CLAIM = 1_000
LONGEST_NOTE = 500
MOST_OTHERS = 5
_TEXT: Json = {"type": "string"}
_OR_NULL: Json = {"anyOf": [_TEXT, {"type": "null"}]}
_NOTHING = {
    "opinion": "the text holds opinion only, and no claim that a source could confirm or contradict",
    "question": "the text asks, and claims nothing",
    "other": "the text holds no claim that a source could confirm or contradict",
}
REPLY = reply_object(
    "claims",
    {
        "claims": {
            "type": "array",
            "items": object_of(
                {
                    "claim": _TEXT,
                    "context": _TEXT,
                    "confidence": {"type": "string", "enum": list(get_args(Confidence))},
                }
            ),
        },
        "nothing": {"anyOf": [{"type": "string", "enum": list(_NOTHING)}, {"type": "null"}]},
        "note": _OR_NULL,
    },
)


class NoClaim(Exception):
    """There is no claim in the text; the message says why."""


class ClaimExtractor(Node):
    """`input_text` to `extracted_claim`, `extraction_failed` and `extraction_error`.

    `failure` is what the last call failed with; a text without a claim is no failure. Raises ModelUnavailable and
    ModelAccessError; whatever else goes wrong is the error of the extraction.
    """

    def __init__(self, model: str | Model | Asker) -> None:
        self._asker = Asker.of(model)
        self.failure: ModelError | None = None

    async def acall(self, state: GraphState) -> GraphState:
        given = state["input_text"]
        self.failure = None
        try:
            text = input_text(given)
            async with self._asker.used():
                claim = await self._asker.ask(question(text, item=given), lambda answer: _read(answer, text))
        except NoClaim as none:
            return _failed(str(none))
        except BadAnswer as bad:
            self.failure = bad
            return with_errors(state, _failed(f"no claim could be taken from the text: {bad}"), [f"claim: {bad}"])
        except RequestFailed as error:
            self.failure = error
            return with_errors(state, _failed(f"the model could not be asked for the claim: {error}"), [str(error)])
        return {"extracted_claim": claim, "extraction_failed": False, "extraction_error": None}


def input_problem(given: str) -> str | None:
    """What is wrong with the length of a text, whitespace collapsed; None when it can be traced."""
    length = len(" ".join(given.split()))
    if SHORTEST_INPUT <= length <= LONGEST_INPUT:
        return None
    return f"the text has {length:,} characters; {SHORTEST_INPUT} to {LONGEST_INPUT:,} can be traced"


def input_text(given: str) -> str:
    """The text as it is looked at: whitespace collapsed. Raises NoClaim when it is too short or long, or only asks."""
    problem = input_problem(given)
    if problem:
        raise NoClaim(problem)
    text = InputText(text=given).text
    if only_asks(text):
        raise NoClaim(_NOTHING["question"])
    return text


def question(text: str, *, item: str) -> Question:
    """What is asked about a text; `item` is the text as it was given, which replay files are addressed by."""
    return Question("claim", REPLY, {"text": text}, {}, Tag(item=item))


def _failed(why: str) -> GraphState:
    return {"extracted_claim": None, "extraction_failed": True, "extraction_error": why}


@dataclass(frozen=True, slots=True)
class _Candidate:
    claim: str
    context: str
    confidence: Confidence


def _read(answer: Answer, text: str) -> ExtractedClaim:
    listed = answer.get("claims")
    if not isinstance(listed, list):
        raise BadAnswer("the answer has no list of claims", "The answer has no list `claims`.")
    if not listed:
        nothing = answer.get("nothing")
        raise NoClaim(_NOTHING.get(nothing if isinstance(nothing, str) else "other", _NOTHING["other"]))
    problems: list[str] = []
    found = [one for item in listed if (one := _candidate(item, text, problems)) is not None]
    checkable = [one for one in found if is_verifiable_claim(one.claim)]
    if not checkable:
        if problems:
            raise BadAnswer(
                "; ".join(problems), " ".join(f"{problem[0].upper()}{problem[1:]}." for problem in problems)
            )
        raise NoClaim(
            "what the text claims has no number and no name, so that no source could confirm or contradict it"
        )
    taken, *_ = sorted(checkable, key=lambda one: -checkability(one.claim))
    others = [one.claim for one in found if one is not taken]
    return ExtractedClaim(
        claim=taken.claim,
        original_context=taken.context,
        extraction_confidence=taken.confidence,
        extraction_notes=_notes(others, answer.get("note")),
    )


def _candidate(item: Json, text: str, problems: list[str]) -> _Candidate | None:
    """A claim that the text does state; None, with the problem noted, for another."""
    said = item.get("claim") if isinstance(item, dict) else None
    if not isinstance(item, dict) or not isinstance(said, str):
        problems.append("a claim is no object with `claim`, `context` and `confidence`")
        return None
    claim = shown_line(said)
    context = item.get("context")
    span = locate(context, text) if isinstance(context, str) else None
    shown = one_line(claim, at_most=80)
    if not claim or span is None:
        problems.append(f"the context of the claim {shown!r} is not a passage of the text")
        return None
    if len(claim) > LONGEST_CLAIM:
        problems.append(f"the claim {shown!r} is longer than {LONGEST_CLAIM:,} characters")
        return None
    if len(sentences(claim)) != 1:
        problems.append(f"the claim {shown!r} is more than one sentence")
        return None
    stands = text[span.start : span.end]
    differs = contradictions(claim, stands)
    if differs:
        reasons = ", ".join(sorted({each.reason.replace("_", " ") for each in differs}))
        problems.append(f"the claim {shown!r} does not say what the text says there ({reasons})")
        return None
    added = _added(claim, stands, text)
    if added:
        problems.append(f"the claim {shown!r} says {added!r}, which the text does not")
        return None
    confidence = item.get("confidence")
    sure = cast(Confidence, confidence) if confidence in get_args(Confidence) else "low"
    return _Candidate(claim, stands, sure)


def _added(claim: str, context: str, text: str) -> str | None:
    """What a claim says that its text does not: a number or date of its own, or all of it."""
    mine = mentions(claim, None, None)
    theirs = mentions(text, None, None)
    held: list[Held[Amount] | Held[Dated]] = [*held_amounts(mine, theirs), *held_dates(mine, theirs)]
    for each in held:
        soft = isinstance(each.mention, Amount) and each.mention.soft
        if each.standing in ("absent", "differs") and not soft:
            return claim[each.mention.start : each.mention.end]
    language = language_of(f"{claim} {text}")
    said = content_stems(claim, language)
    return one_line(claim, at_most=80) if said and said.isdisjoint(content_stems(context, language)) else None


def _notes(others: list[str], note: Json) -> str | None:
    parts = [said] if (said := one_line(note, at_most=LONGEST_NOTE)) else []
    if others:
        named = "; ".join(one_line(each, at_most=200) for each in others[:MOST_OTHERS])
        more = f"; and {len(others) - MOST_OTHERS} more" if len(others) > MOST_OTHERS else ""
        parts.append(f"Other claims in the text, not traced: {named}{more}")
    return " ".join(parts) or None
