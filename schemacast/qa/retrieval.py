"""What a model is shown of the corpus: the sources of one answer, numbered, within a budget of characters.

Facts that the graph holds about what the question names come first, each as the very span it was read from, so that
citing one cites the same characters as the graph. Then come the passages that the full-text index finds, of
the best few documents; passages that follow each other are shown as one. Several workspaces are asked one by one
and their hits merged by score. The same corpus and question give the same sources in the same order.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from schemacast.corpus.graph_evidence import GraphEvidence, graph_evidence
from schemacast.corpus.index import passage_root, source_root, title_of
from schemacast.corpus.search import Hit, passages_at, search
from schemacast.corpus.terms import terms, title_terms, words_of
from schemacast.qa.merkle import merkle_root
from schemacast.workspace.file import WorkspaceFile

TOP_K = 8
OVER_FETCH = 32
MAX_CONTEXT_CHARS = 16_000
GRAPH_SPANS = 6
"""Facts of the graph that are shown at most."""
GRAPH_BONUS = 0.5
"""A passage around such a fact counts so much more, as a share."""
SECONDARY_SHARE = 0.5
"""A passage with so much of the best one's score is a secondary source; below, it is background."""

_QUALIFIED = re.compile(r"^(.*?)[ _]*\(([^()]+)\)$")


@dataclass(frozen=True, slots=True)
class Source:
    """One numbered source: characters `char_start` to `char_end` of an episode, which are `text`.

    `via`: found by its text, or through the graph, which then states `facts` of it. `source_root` is the fingerprint
    of the whole episode, `root` that of these characters. `role` is one of the contract's source roles.
    """

    source_id: str
    char_start: int
    char_end: int
    text: str
    title: str
    url: str | None
    source_root: str
    number: int
    score: float
    role: str = "unclassified"
    via: Literal["text", "graph"] = "text"
    facts: tuple[str, ...] = ()
    locale: str | None = None
    reference_time: datetime | None = None

    @property
    def root(self) -> str:
        return passage_root(self.source_root, self.char_start, self.char_end, self.text)

    @property
    def uri(self) -> str:
        """What the source is called where a person may follow it."""
        return self.url or self.source_id

    def to_json(self, n: int) -> dict[str, Any]:
        """What a record keeps of it: everything but its text."""
        return {
            "n": n,
            "source_id": self.source_id,
            "char_start": self.char_start,
            "char_end": self.char_end,
            "title": self.title,
            "document_uri": self.uri,
            "source_root": self.source_root,
            "chunk_idx": self.number,
            "chunk_root": self.root,
            "source_role": self.role,
            "score": round(self.score, 6),
            "via": self.via,
            "facts": list(self.facts),
        }

    def chunk(self) -> dict[str, object]:
        """The source as `build_evidence_map` takes it."""
        return {
            "source_root": self.source_root,
            "document_uri": self.uri,
            "title": self.title,
            "chunk_idx": self.number,
            "chunk_root": self.root,
            "span": self.text,
            "source_role": self.role,
        }


def retrieve(
    corpora: Sequence[WorkspaceFile],
    question: str,
    *,
    keywords: str | None = None,
    top_k: int = TOP_K,
    over_fetch: int = OVER_FETCH,
    max_context_chars: int = MAX_CONTEXT_CHARS,
    graph: bool = True,
) -> list[Source]:
    """The sources of an answer, in the order of their numbers. Raises like `search`."""
    facts: list[tuple[Source, WorkspaceFile]] = []
    room = max_context_chars
    for file in corpora if graph else ():
        for one in _asked_for(graph_evidence(file, question)):
            source = _fact(file, one)
            if source is not None and len(source.text) <= room and len(facts) < GRAPH_SPANS:
                facts.append((source, file))
                room -= len(source.text)
    found = [
        (hit, file)
        for file in corpora
        for hit in search(file, question, limit=over_fetch, over_fetch=over_fetch, keywords=keywords)
    ]
    hits = _with_those_of_facts(found, facts)
    chosen: dict[tuple[int, str], list[Hit]] = {}
    for hit, file in hits:
        place = (id(file), hit.source_id)
        if len(hit.text) <= room and (place in chosen or len(chosen) < top_k):
            chosen.setdefault(place, []).append(hit)
            room -= len(hit.text)
    files = {id(file): file for file in corpora}
    texts = [source for (at, _), some in chosen.items() for source in _joined(files[at], some)]
    texts.sort(key=lambda source: (-source.score, source.source_id, source.char_start))
    return with_roles([*(source for source, _ in facts), *texts], question, keywords)


def _with_those_of_facts(
    found: list[tuple[Hit, WorkspaceFile]], facts: list[tuple[Source, WorkspaceFile]]
) -> list[tuple[Hit, WorkspaceFile]]:
    """The hits, best first, with the passages around facts of the graph: a fact is understood by what is beside it."""
    best = max((hit.score for hit, _ in found), default=1.0)
    hits = {(id(file), hit.source_id, hit.number): (hit, file) for hit, file in found}
    raised: set[tuple[int, str, int]] = set()
    for source, file in facts:
        for hit in passages_at(file, source.source_id, source.char_start, source.char_end):
            place = (id(file), hit.source_id, hit.number)
            if place in raised:
                continue
            raised.add(place)
            held = hits.get(place)
            score = SECONDARY_SHARE * best if held is None else held[0].score * (1 + GRAPH_BONUS)
            hits[place] = (replace(hit, score=score), file)
    return sorted(hits.values(), key=lambda each: (-each[0].score, each[0].source_id, each[0].number))


def whole_source(file: WorkspaceFile, root: str, question: str, *, max_context_chars: int) -> list[Source] | None:
    """One document as the only source: whole when there is room, else its passages that the question finds, and
    the first ones after them. None when no source that counts has this fingerprint."""
    name = file.value(
        "SELECT source_id FROM indexed JOIN episodes ON id = episode WHERE root = ? AND withdrawn IS NULL", (root,)
    )
    told = None if name is None else _episode(file, name)
    if told is None or source_root(name, told["text"]) != root:
        return None
    every = passages_at(file, name, 0, len(told["text"]))
    if len(told["text"]) <= max_context_chars and every:
        hit = replace(every[0], char_start=0, char_end=len(told["text"]), text=told["text"])
        return with_roles([_source(hit, told)], question, None)
    found = {hit.number: hit for hit in search(file, question, limit=200, over_fetch=200) if hit.source_id == name}
    room, some = max_context_chars, []
    for hit in sorted(every, key=lambda hit: (-found[hit.number].score if hit.number in found else 0.0, hit.number)):
        if len(hit.text) <= room:
            some.append(hit)
            room -= len(hit.text)
    return with_roles(_joined(file, some), question, None)


def context_root(sources: Sequence[Source]) -> str:
    """The Merkle root over the sorted fingerprints of the documents that sources are of."""
    return merkle_root(sorted({source.source_root for source in sources}))


def with_roles(sources: list[Source], question: str, keywords: str | None) -> list[Source]:
    """The sources with what each is to the question.

    Primary: a fact of the graph, the best passage, or one whose title names all that is asked about; secondary: with
    half of the best score or a title that names some of it; background: the rest.
    """
    sought = terms(question, keywords=keywords)
    best = max((source.score for source in sources if source.via == "text"), default=0.0)

    def role(source: Source) -> str:
        share = sought.share_in(title_terms(source.title))
        if source.via == "graph" or source.score == best or share == 1.0:
            return "primary_answer_source"
        if share > 0 or source.score >= SECONDARY_SHARE * best:
            return "secondary_context_source"
        return "background_source"

    return [replace(source, role=role(source)) for source in sources]


def reference_frames(sources: Sequence[Source], question: str) -> tuple[str, ...]:
    """What the question may be about, when titles of one name are told apart by what stands in parentheses."""
    frames: dict[str, dict[str, None]] = {}
    asked = set(words_of(question))
    for source in sources:
        match = _QUALIFIED.match(source.title)
        name = words_of(match[1]) if match else []
        if match and name and asked.issuperset(name):
            frames.setdefault(" ".join(name), {})[match[2]] = None
    return tuple(frame for some in frames.values() if len(some) > 1 for frame in sorted(some))


def _asked_for(found: list[GraphEvidence]) -> list[GraphEvidence]:
    """The facts that say more than that something is mentioned."""
    return [one for one in found if one.kind == "edge" or (one.kind == "property" and one.asked)]


def _fact(file: WorkspaceFile, one: GraphEvidence) -> Source | None:
    """A fact of the graph as a source; None when its text changed since."""
    at = passages_at(file, one.source_id, one.char_start, one.char_end)
    told = _episode(file, one.source_id)
    if not at or told is None or told["text"][one.char_start : one.char_end] != one.quote:
        return None
    hit = replace(at[0], char_start=one.char_start, char_end=one.char_end, text=one.quote)
    return replace(_source(hit, told), score=one.score, via="graph", facts=(one.statement,))


def _joined(file: WorkspaceFile, hits: list[Hit]) -> list[Source]:
    """The passages of one source, those that follow each other as one, with the better score."""
    told = _episode(file, hits[0].source_id) if hits else None
    if told is None:
        return []
    joined: list[Hit] = []
    last = -1
    for hit in sorted(hits, key=lambda hit: hit.number):
        if told["text"][hit.char_start : hit.char_end] != hit.text:
            continue  # changed a moment ago
        if joined and hit.number == last + 1:
            before = joined.pop()
            text = told["text"][before.char_start : hit.char_end]
            hit = replace(before, char_end=hit.char_end, text=text, score=max(before.score, hit.score))
            last += 1
        else:
            last = hit.number
        joined.append(hit)
    return [_source(hit, told) for hit in joined]


def _source(hit: Hit, told: dict[str, Any]) -> Source:
    url = hit.metadata.get("url")
    moment = told.get("reference_time")
    return Source(
        source_id=hit.source_id,
        char_start=hit.char_start,
        char_end=hit.char_end,
        text=hit.text,
        title=title_of(hit.source_id, dict(hit.metadata)),
        url=url if isinstance(url, str) else None,
        source_root=hit.source_root,
        number=hit.number,
        score=hit.score,
        locale=told.get("locale"),
        reference_time=datetime.fromisoformat(moment) if moment else None,
    )


def _episode(file: WorkspaceFile, source_id: str) -> dict[str, Any] | None:
    """A source that counts, as it was given."""
    body = file.value(
        "SELECT body FROM texts JOIN episodes ON id = episode WHERE source_id = ? AND withdrawn IS NULL", (source_id,)
    )
    return None if body is None else json.loads(body)
