"""Why records are one entity, and why others are not: `explain`.

The workspace is resolved again as every run does, and what was compared is kept this time. Each form under which
an entity is stated is shown against the form that it is most alike, property by property, and against the one
that it is least alike when something is against it; so are the forms of others that came near.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from schemacast.errors import UsageError
from schemacast.graph import By, Decision, Entity, Revision, Verdict
from schemacast.jobs.entity_records import EntityRecords, Held
from schemacast.jobs.resolving import explained
from schemacast.matching.model import Explanation
from schemacast.resolution.clusters import Matched
from schemacast.resolution.keys import plain_values
from schemacast.resolution.match_keys import SCOPE, MatchKey
from schemacast.schema.model import VertexType
from schemacast.schema.values import Json, Value, to_json
from schemacast.workspace.decisions import Decided, Decisions
from schemacast.workspace.file import WorkspaceFile
from schemacast.workspace.schemas import present_schema

MOST_FORMS = 20
MOST_NEAR = 5


@dataclass(frozen=True, slots=True)
class RecordShown:
    """A record of an entity: what it states, and by what it is one of its records."""

    source_id: str
    ref: str
    values: dict[str, Value]
    by: By | None
    score: float | None
    when: str | None

    def to_json(self) -> dict[str, Json]:
        """The object that `--json` prints."""
        return {
            "source_id": self.source_id,
            "ref": self.ref,
            "values": {name: to_json(value) for name, value in self.values.items()},
            "by": self.by,
            "score": self.score,
            "when": self.when,
        }


@dataclass(frozen=True, slots=True)
class Compared:
    """Two forms, `one` of the entity and `other` of it or of `entity`, and how they were compared."""

    one: str
    other: str
    entity: str | None
    explanation: Explanation

    def to_json(self) -> dict[str, Json]:
        """The object that `--json` prints."""
        said = self.explanation
        return {
            "one": self.one,
            "other": self.other,
            "entity": self.entity,
            "outcome": said.outcome,
            "score": round(said.score, 6),
            "prior": round(said.prior, 3),
            "blocks": list(said.blocks),
            "vetoes": [name for name in said.vetoes if name != SCOPE],
            "properties": [
                {
                    "property": each.field,
                    "kind": each.kind,
                    "level": each.level,
                    "similarity": None if each.similarity is None else round(each.similarity, 4),
                    "weight": round(each.weight, 3),
                }
                for each in said.fields
                if each.field != SCOPE
            ],
        }


@dataclass(frozen=True, slots=True)
class EntityShown:
    """One entity with its records, what its forms have in common, what came near, and what was said of it."""

    entity: Entity
    names: tuple[str, ...]
    records: tuple[RecordShown, ...]
    within: tuple[Compared, ...]
    near: tuple[Compared, ...]
    verdicts: tuple[tuple[Verdict, str | None], ...]
    revisions: tuple[Revision, ...]

    def to_json(self) -> dict[str, Json]:
        """The object that `--json` prints."""
        return {
            "entity": self.entity.id,
            "type": self.entity.type,
            "aliases": list(self.entity.aliases),
            "names": list(self.names),
            "records": [each.to_json() for each in self.records],
            "compared": [each.to_json() for each in self.within],
            "near": [each.to_json() for each in self.near],
            "verdicts": [
                {
                    "number": verdict.number,
                    "kind": verdict.kind,
                    "sides": [[f"{named.source_id}#{named.ref}" for named in side] for side in verdict.sides],
                    "when": verdict.when,
                    "undone": undone,
                }
                for verdict, undone in self.verdicts
            ],
            "revisions": [each.to_json() for each in self.revisions],
        }


def explain(workspace: str | Path, type: str, key: str) -> list[EntityShown]:
    """The entities of a type that have a key or id, and why their records are one.

    Raises UnknownNameError for a type or key that is not there, InputError for a file that is no workspace.
    """
    with WorkspaceFile(workspace) as file:
        schema, sha = present_schema(file)
        resolved = explained(file, schema, sha)
        entities = EntityRecords(resolved, schema, str(file.path))
        kind = entities.type(type)
        if kind.key.kind != "match":
            raise UsageError(f"a {kind.name} is told by its key; `schemacast groundings` shows where it is stated")
        ids = entities.find(kind, key)
        matched = resolved.resolver.matched.get(kind.name)
        decisions = Decisions(file)
        held = entities.of(kind, set(ids))
        shown = []
        for ident in ids:
            mine = [each for each in held if each.entity == ident]
            entity = resolved.graph.entities[ident]
            within, near = _compared(matched, ident, kind) if matched is not None else ((), ())
            shown.append(
                EntityShown(
                    entity,
                    resolved.graph.names.get(ident, ()),
                    tuple(_records(mine, resolved.graph.decisions, decisions.of(ident))),
                    within,
                    near,
                    tuple(_verdicts(decisions, kind, mine)),
                    tuple(each for each in decisions.revisions() if ident in (each.entity, *each.others)),
                )
            )
        return shown


def _records(held: Sequence[Held], made: Sequence[Decision], kept: Iterator[Decided]) -> Iterator[RecordShown]:
    by = {record: decision for decision in made for record in decision.records}
    since = {(row.source_id, row.ref): row.when for row in kept}
    for each in held:
        place = (each.source_id, each.record.ref)
        found = by.get(place)
        yield RecordShown(
            *place,
            plain_values(each.record.props),
            found.by if found else None,
            found.score if found else None,
            since.get(place),
        )


def _verdicts(decisions: Decisions, kind: VertexType, held: Sequence[Held]) -> Iterator[tuple[Verdict, str | None]]:
    """What people said that names one of these records."""
    mine = {(each.source_id, each.named.key) for each in held} | {(each.source_id, each.record.ref) for each in held}
    for verdict, undone in decisions.verdicts():
        named = [each for side in verdict.sides for each in side]
        if verdict.type == kind.name and any({(n.source_id, n.key), (n.source_id, n.ref)} & mine for n in named):
            yield verdict, undone


def _compared(matched: Matched, ident: str, kind: VertexType) -> tuple[tuple[Compared, ...], tuple[Compared, ...]]:
    """The forms of an entity against each other, and against the nearest of others."""
    mine = [row for row, each in enumerate(matched.rows) if each.id == ident][:MOST_FORMS]
    within = []
    for place, row in enumerate(mine[1:], 1):
        said = [matched.matching.explain(row, other) for other in mine[:place]]
        best, worst = max(said, key=_score), min(said, key=_score)
        told = [best, worst] if worst.score < best.score and _speaks_against(worst) else [best]
        within += [_shown(matched, row, each.a if each.b == row else each.b, each, kind) for each in told]
    nearest: dict[str, tuple[float, int, int]] = {}
    for row in mine:
        for candidate in matched.matching.candidates(row):
            other = matched.rows[candidate.row].id
            if other is not None and other != ident and candidate.score > nearest.get(other, (-1.0, 0, 0))[0]:
                nearest[other] = (candidate.score, row, candidate.row)
    best_near = sorted(nearest.values(), reverse=True)[:MOST_NEAR]
    near = [_shown(matched, row, other, matched.matching.explain(row, other), kind) for _, row, other in best_near]
    return tuple(within), tuple(near)


def _score(explanation: Explanation) -> float:
    return explanation.score


def _speaks_against(explanation: Explanation) -> bool:
    """Whether something that both rows state is against their being one."""
    return any(each.weight < 0 for each in explanation.fields)


def _shown(matched: Matched, row: int, other: int, said: Explanation, kind: VertexType) -> Compared:
    if said.outcome == "joined" and not (_is_spoken_of(matched, row) and _is_spoken_of(matched, other)):
        said = replace(said, outcome="same")  # together by an equal key or alternate; nobody had to say so
    return Compared(_form(matched, row, kind), _form(matched, other, kind), matched.rows[other].id, said)


def _is_spoken_of(matched: Matched, row: int) -> bool:
    """Whether a person joined a row with others."""
    held = matched.rows[row]
    return not isinstance(held, Entity) and held.spoken is not None and bool(held.spoken.joins)


def _form(matched: Matched, row: int, kind: VertexType) -> str:
    """What a row states of its key, in one line, and what else it is compared by."""
    names = MatchKey(kind).names
    stated = {name: value for name, value in zip(names, matched.values[row], strict=False) if value is not None}
    key = " | ".join(str(to_json(stated[name])) for name in kind.key.properties if name in stated) or "?"
    rest = (f"{name}={to_json(stated[name])}" for name in names[len(kind.key.properties) :] if name in stated)
    return ", ".join((key, *rest))
