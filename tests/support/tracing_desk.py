"""What tests of tracing share: a searcher over texts at hand, and a model on loopback that answers each stage.

`Shelf` is a searcher as another author would write one. `Oracle` tells the server what to answer: one reply for
the claim, and for each source one about its relevance and one about its quote, by its title and text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import pytest
from loopback_model import Answer, Loopback, Seen

from schemacast.attribution import Asker, SearchResult

CLAIM = "Orvik AS has 6 ships."
TEXT = "People at the harbour say that Orvik AS has 6 ships, which is a lot."
CONTEXT = "Orvik AS has 6 ships"
STORY = (
    "Orvik AS has 6 ships and wants more, its chief executive Ada Lind said on Monday at the harbour of Hald. The line "
    "was founded in 1998 and has carried timber, salt and people along the coast since. A seventh ship is being built."
)


def source(
    name: str, text: str, *, url: str | None = None, date: str | None = None, raw: str | None = None, score: float = 0.5
) -> SearchResult:
    """A page of the web, titled by its name."""
    return SearchResult(
        url=url or f"https://{re.sub('[^a-z0-9]+', '-', name.lower())}.example/page",  # type: ignore[arg-type]
        title=name,
        content=text,
        raw_content=raw,
        score=score,
        published_date=datetime.fromisoformat(date) if date else None,
    )


@dataclass
class Shelf:
    """A searcher that finds what stands on it, or fails as told."""

    found: Sequence[SearchResult] = ()
    failure: Exception | None = None
    state: str = "shelf"
    queries: list[str] = field(default_factory=list)

    def search(self, query: str, *, limit: int) -> Sequence[SearchResult]:
        self.queries.append(query)
        if self.failure is not None:
            raise self.failure
        return self.found[:limit]


def claims(*listed: tuple[str, str] | str, nothing: str | None = None, note: str | None = None) -> dict[str, Any]:
    """A reply about the claims of a text: each a claim and its context, or one that is both."""
    made = [(one, one) if isinstance(one, str) else one for one in listed]
    return {
        "claims": [{"claim": claim, "context": context, "confidence": "high"} for claim, context in made],
        "nothing": nothing,
        "note": note,
    }


def relevant(quote: str | None, score: Any = 0.9, kind: Any = "primary", why: str = "It says so.") -> dict[str, Any]:
    """A reply about a source."""
    return {"relevance": score, "source_type": kind, "quote": quote, "explanation": why}


IRRELEVANT = relevant(None, 0.1, "unknown", "It is about something else.")


def compared(attribution: str, reasoning: str = "These words.") -> dict[str, str]:
    """A reply about a quote."""
    return {"attribution": attribution, "reasoning": reasoning}


@dataclass
class Oracle:
    """What the model answers: objects, texts, `Answer`s, or lists of these for the rounds of one question.

    `sources` and `quotes` are looked up by a text that the question holds: of a source its title, of a quote a part.
    """

    claim: Any = field(default_factory=lambda: claims((CLAIM, CONTEXT)))
    sources: Mapping[str, Any] = field(default_factory=dict)
    quotes: Mapping[str, Any] = field(default_factory=dict)
    otherwise: Any = field(default_factory=lambda: IRRELEVANT)
    asked: list[tuple[str, str]] = field(default_factory=list)

    def __call__(self, seen: Seen) -> Answer:
        messages = seen.body["messages"]
        system, user = messages[0]["content"], messages[1]["content"]
        if system.startswith("Find the factual claims"):
            stage, reply = "claim", self.claim
        elif system.startswith("A claim and the text of one source"):
            stage, reply = "relevance", self._of(self.sources, user, self.otherwise)
        else:
            stage, reply = "compare", self._of(self.quotes, user, compared("none"))
        self.asked.append((stage, seen.text))
        if isinstance(reply, list):
            number = (len(messages) - 2) // 2 or int("An earlier answer was" in user)
            reply = reply[min(number, len(reply) - 1)]
        return reply if isinstance(reply, Answer) else Answer(reply if isinstance(reply, str) else json.dumps(reply))

    def count(self, stage: str) -> int:
        """How many requests a stage took."""
        return sum(name == stage for name, _ in self.asked)

    @staticmethod
    def _of(replies: Mapping[str, Any], user: str, otherwise: Any) -> Any:
        title = re.search(r"<title \w+>\n(.*)\n</title", user)
        if title is not None and title[1] in replies:
            return replies[title[1]]
        return next((reply for part, reply in replies.items() if len(part) > 2 and part in user), otherwise)


@pytest.fixture
def loopback() -> Iterator[Loopback]:
    with Loopback() as server:
        yield server


def asker(server: Loopback, oracle: Oracle, **options: Any) -> Asker:
    """An asker whose model is on loopback and answers as the oracle says."""
    server.respond = oracle
    return Asker("openai/test", base_url=server.v1, **options)
