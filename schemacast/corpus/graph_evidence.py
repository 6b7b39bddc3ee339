"""What the graph holds about the things that a text speaks of, as spans of the sources it was read from.

The entities that a text names contribute their edges, properties and mentions, each with the grounding that it
was read at, so that an answer over the graph cites the same characters as the graph. An edge is found from
either of its ends, whichever way the text reads it, and is told in the direction it is stored in. An edge
between two named entities comes first, then what the text asks for by the name of a relation or property. A
grounding that its source's present text does not bear out (the text changed and was not cast again) is left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from schemacast.corpus.names import entities_of, named_in
from schemacast.corpus.search import bring_up_to_date, opened
from schemacast.corpus.terms import words_of
from schemacast.schema.model import EdgeId, Schema
from schemacast.workspace.file import WorkspaceFile
from schemacast.workspace.mentions import Mentions
from schemacast.workspace.reader import Workspace
from schemacast.workspace.schemas import present_schema

LIMIT = 12
EPISODES_OF_ENTITY = 100
"""Episodes of one entity that are looked into, the latest first."""
MOST_ENTITIES = 12
_SAME_STEM = 4
"""Letters that two words must begin with alike to be of one stem: `employs`, `employed`."""


@dataclass(frozen=True, slots=True)
class GraphEvidence:
    """One fact of the graph and where it was read: characters of a source, which are `quote`.

    `kind` is `edge`, `property` or `vertex`. `statement` tells the fact in a line (`Person Ada WORKS_AT Company
    Orvik`), in the direction it is stored in. `entities` are ids; for an edge its source and target, as far as
    they are placed. `score` is higher for what the text rather asks for; `asked`: the text has a word of the
    relation's or property's name.
    """

    source_id: str
    char_start: int
    char_end: int
    quote: str
    kind: str
    statement: str
    entities: tuple[str, ...]
    score: float
    asked: bool = False
    edge: EdgeId | None = None


def graph_evidence(
    workspace: WorkspaceFile | Workspace | str | Path, text: str, *, limit: int = LIMIT
) -> list[GraphEvidence]:
    """What the graph holds about the entities that `text` names, best first, at most `limit`, each span once.

    Empty for a workspace without a graph. Raises like `search`.
    """
    with opened(workspace) as file:
        bring_up_to_date(file)
        if file.meta("schema_sha") is None:
            return []
        named = entities_of(file, named_in(file, text))
        about = dict(sorted(named.items(), key=lambda item: (-item[1], item[0]))[:MOST_ENTITIES])
        if not about:
            return []
        asked = _Asked(about, frozenset(words_of(text)), present_schema(file)[0])
        best: dict[tuple[str, int, int], GraphEvidence] = {}
        for ident, refs in _episodes(file, about).items():
            for one in _evidence(file, ident, refs, asked):
                place = (one.source_id, one.char_start, one.char_end)
                if place not in best or one.score > best[place].score:
                    best[place] = one
    found = sorted(best.values(), key=lambda one: (-one.score, one.source_id, one.char_start, one.char_end))
    return found[:limit]


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a text is about: entities with the weight of their names, and its words."""

    entities: Mapping[str, int]
    words: frozenset[str]
    schema: Schema

    def score(self, row: Mapping[str, Any], ends: tuple[str, ...]) -> tuple[float, bool]:
        """How much a text asks for what a grounding says, and whether it does so by name."""
        score = max((self.entities[end] for end in ends if end in self.entities), default=0) / 10
        kind, edge = self.schema.vertices.get(row["vertex"]), None
        declared = kind.properties.get(row["property"]) if kind and row["property"] else None
        if row["edge"] is not None:
            edge = self.schema.edges[EdgeId(*row["edge"])]
            both = len({end for end in ends if end in self.entities}) > 1
            score += 2.0 if both else 1.0
            asked = self._has_a_word_of(edge.id.relation, *edge.synonyms, *edge.inverse)
        elif kind is not None and declared is not None:
            score += 0.0 if declared.name in kind.identifying else 0.5
            asked = self._has_a_word_of(declared.name, *declared.synonyms)
        else:
            asked = kind is not None and self._has_a_word_of(kind.name, *kind.synonyms)
        return score + asked, asked

    def _has_a_word_of(self, *names: str) -> bool:
        """Whether the text has a word of one of the names, by its stem."""
        stems = {word[:_SAME_STEM] for name in names for word in words_of(name) if len(word) >= _SAME_STEM}
        return any(word[:_SAME_STEM] in stems for word in self.words)


def _episodes(file: WorkspaceFile, about: Mapping[str, int]) -> dict[int, dict[str, str]]:
    """The episodes that speak of these entities, with the refs of their records there and what these are."""
    found: dict[int, dict[str, str]] = {}
    mentions = Mentions(file)
    for entity in about:
        for ident, refs in list(mentions.of(entity))[-EPISODES_OF_ENTITY:]:
            found.setdefault(ident, {}).update(dict.fromkeys(refs, entity))
    return found


def _evidence(file: WorkspaceFile, ident: int, refs: Mapping[str, str], asked: _Asked) -> Iterator[GraphEvidence]:
    """What an episode's groundings say about the entities behind `refs`."""
    row = file.row(
        "SELECT body, groundings, graph FROM texts JOIN outcomes USING (episode) JOIN records USING (episode)"
        " WHERE episode = ?",
        (ident,),
    )
    if row is None:
        return
    text, graph = json.loads(row[0])["text"], json.loads(row[2])
    placed = _placed(file, ident)
    labels = {record["ref"]: _label(record, asked.schema) for record in graph["records"]}
    for grounding in json.loads(row[1]):
        own = [ref for ref in (grounding["ref"], grounding["source_ref"], grounding["target_ref"]) if ref is not None]
        if grounding["in_context"] is not None or not any(ref in refs for ref in own):
            continue
        if not _is_known(grounding, asked.schema) or any(ref not in labels for ref in own):
            continue
        start, end = grounding["char_start"], grounding["char_end"]
        if text[start:end] != grounding["quote"]:
            continue
        ends = tuple(placed[ref] for ref in own if ref in placed)
        edge = None if grounding["edge"] is None else EdgeId(*grounding["edge"])
        statement = _statement(grounding, graph, labels)
        score, by_name = asked.score(grounding, ends)
        yield GraphEvidence(
            grounding["source_id"],
            start,
            end,
            text[start:end],
            grounding["kind"],
            statement,
            ends,
            score,
            by_name,
            edge,
        )


def _placed(file: WorkspaceFile, ident: int) -> dict[str, str]:
    """The entities that the records of an episode became, by ref."""
    rows = file.rows("SELECT entity, refs FROM mentions WHERE episode = ?", (ident,))
    return {ref: entity for entity, refs in rows for ref in json.loads(refs)}


def _is_known(grounding: Mapping[str, Any], schema: Schema) -> bool:
    """Whether the present schema has what a grounding is about."""
    if grounding["edge"] is not None:
        return EdgeId(*grounding["edge"]) in schema.edges
    return grounding["vertex"] in schema.vertices


def _label(record: Mapping[str, Any], schema: Schema) -> str:
    """A record's type and what it is called: what identifies it, else its first value."""
    kind = schema.vertices.get(record["type"])
    props = record["props"]
    keys = (kind.key.properties, *kind.alternates) if kind else ()
    stated = ([name for name in key if name in props] for key in keys)
    names = next((some for some in stated if some), list(props)[:1])
    values = " ".join(_shown(props[name]) for name in names)
    return f"{record['type']} {values}".rstrip()


def _statement(grounding: Mapping[str, Any], graph: Mapping[str, Any], labels: Mapping[str, str]) -> str:
    """The fact in a line, with the stance that it was read with."""
    if grounding["edge"] is not None:
        item = graph["relations"][grounding["item"]]
        told = f"{labels[grounding['source_ref']]} {grounding['edge'][2]} {labels[grounding['target_ref']]}"
    else:
        item = graph["records"][grounding["item"]]
        told = labels[grounding["ref"]]
    if item["stance"] is not None:
        told += f" ({item['stance']})"
    name = grounding["property"]
    return f"{told}: {name} = {_shown(item['props'][name])}" if name in item["props"] else told


def _shown(stated: Any) -> str:
    """A stated value, or several."""
    if isinstance(stated, list):
        return ", ".join(map(_shown, stated))
    value = stated["value"]
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
