"""Which items of a reply stand, and with what evidence.

Vertices are read with their properties first, then edges, each through the same steps: shape, place,
tokens, values, width, relation to what the quote proves, stance, identity. A step mends what can be
meant only one way and removes the rest, saying why, and what it says of one item never touches
another. Nothing in a reply makes this raise. Counts add up: of each kind, the items a reply gives are
those kept, those with a finding (a property may have gone with its owner, in whose finding it
stands), and those that a `properties_folded` or `known_stands` fix names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, tzinfo
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from schemacast.cast.drafts import Draft, EdgeDraft, Found
from schemacast.cast.ends import edge_between
from schemacast.cast.facts import OwnerFacts, SchemaFacts, VertexFacts, facts_of
from schemacast.cast.fidelity import Setting
from schemacast.cast.items import EdgeItem, Malformed, VertexItem, read_edge, read_unmapped, read_vertex, ref_of
from schemacast.cast.known import read_known, same_entity
from schemacast.cast.ledger import Ledger, Refusal, shown
from schemacast.cast.outcome import Finding, Fix, ItemKind, Kept
from schemacast.cast.place import Place, Source, is_wide
from schemacast.cast.properties import Owner, PropertyReader, mended_place, stated, words_by_name
from schemacast.cast.related import edge_unrelated, occurrences, vertex_unrelated
from schemacast.episode import Episode
from schemacast.errors import nearest
from schemacast.ground import TextSpan, UnmappedText
from schemacast.records import Record, RecordGraph, Relation
from schemacast.schema.model import Schema
from schemacast.schema.values import Json

if TYPE_CHECKING:
    from schemacast.cast.reply import Reply


@dataclass(frozen=True, slots=True)
class Validated:
    """What stands of a reply, what was removed and why, and what was mended."""

    graph: RecordGraph
    unmapped: tuple[UnmappedText, ...]
    findings: tuple[Finding, ...]
    fixes: tuple[Fix, ...]
    kept: Kept


def validate(
    reply: Reply, schema: Schema, episode: Episode, *, locale: str | None, timezone: str, round: int = 0
) -> Validated:
    """Read a reply item by item against the episode it was given for.

    `locale` (BCP 47) holds where the episode has none; None leaves what only a locale decides ambiguous.
    `timezone` (an IANA name) is the zone of local times, and of a reference time without one. `round` is
    the repair round that the findings carry. Raises nothing for any reply; an unknown zone is the
    caller's mistake and raises `zoneinfo.ZoneInfoNotFoundError`.
    """
    return _Validation(reply, schema, episode, locale, timezone, round).run()


class _Validation:
    """One reply being read."""

    def __init__(
        self, reply: Reply, schema: Schema, episode: Episode, locale: str | None, timezone: str, round: int
    ) -> None:
        self.reply, self.schema, self.episode = reply, schema, episode
        self.facts: SchemaFacts = facts_of(schema)
        self.zone: tzinfo = UTC if timezone == "UTC" else ZoneInfo(timezone)
        reference = episode.reference_time
        if reference is not None and reference.tzinfo is None:
            reference = reference.replace(tzinfo=self.zone)
        self.source = Source(episode)
        self.reader = PropertyReader(self.source, Setting(episode.locale or locale, self.zone, reference))
        self.ledger = Ledger(round)
        self.drafts: dict[str, Draft] = {}
        self.edges: list[EdgeDraft] = []
        self.reference = reference
        self.refs: set[str] = set()
        self.removed: set[str] = set()
        self.conflicting: set[str] = set()
        self.kept_vertices = self.kept_edges = self.kept_properties = 0

    def run(self) -> Validated:
        """All steps, in order."""
        for raw in self.reply.malformed:
            self.ledger.find("malformed", "reply", "it is neither a vertex, an edge nor an unmapped text", raw)
        if self.episode.known.vertices or self.episode.known.edges:
            own = Ledger(self.ledger.round, known=True)
            self.drafts, self.edges = read_known(self.episode.known, self.facts, own, self.zone)
            self.ledger.join(own)
        self._vertices()
        for raw in self.reply.edges:
            self._edge(raw)
        unmapped = [found for raw in self.reply.unmapped if (found := self._unmapped(raw)) is not None]
        return Validated(
            graph=self._graph(),
            unmapped=tuple(unmapped),
            findings=tuple(self.ledger.findings),
            fixes=tuple(self.ledger.fixes),
            kept=Kept(self.kept_vertices, self.kept_edges, self.kept_properties),
        )

    def _vertices(self) -> None:
        shaped = [found for index, raw in enumerate(self.reply.vertices, 1) if (found := self._shape(raw, index))]
        quotes = [(facts.name, item.quote) for item, facts in shaped]
        shared = Counter(quotes) if len(set(quotes)) < len(quotes) else {}
        for item, facts in shaped:
            if item.ref in self.drafts:  # no reply vertex stands under a ref twice, so it is a known one
                self._known_vertex(item, facts)
            else:
                self._vertex(item, facts, shares_quote=shared.get((facts.name, item.quote), 1) > 1)

    def _shape(self, raw: Json, index: int) -> tuple[VertexItem, VertexFacts] | None:
        """Step 1 for a vertex. The ref of one that is removed is remembered, and free for another."""
        try:
            item = read_vertex(raw, index)
        except Malformed as problem:
            fields = raw if isinstance(raw, dict) else {}
            ref = ref_of(fields.get("ref"))
            self.removed.add(ref or "")
            self.ledger.find("malformed", "vertex", f"{ref or 'a vertex'}: {problem}", raw, _text(fields.get("quote")))
            return None
        facts = self.facts.vertex(item.type)
        if facts is None:
            self.removed.add(item.ref)
            message = f"{item.ref} {item.type}: no type has this name{nearest(item.type, self.facts.vertex_types)}"
            self.ledger.find("unknown_type", "vertex", message, raw, item.quote)
            return None
        if item.ref in self.refs:
            message = f"{item.ref} {facts.name}: another vertex has this ref, and stands"
            self.ledger.find("duplicate_ref", "vertex", message, raw, item.quote)
            return None
        self.refs.add(item.ref)
        return item, facts

    def _vertex(self, item: VertexItem, facts: VertexFacts, *, shares_quote: bool) -> None:
        """Steps 2 to 9 for a vertex and its properties."""
        own = self._own(item, facts)
        where = f"{item.ref} {facts.name}"
        owner = Owner(where, facts, item.quote, None, own)
        place = self._vertex_place(item, facts, shares_quote=shares_quote)
        if isinstance(place, Place):
            assert item.quote is not None
            owner.place = mended_place(place, item.quote, where, self.source, own)
        props = self.reader.read(item.props, owner)
        draft = Draft(item.ref, facts, owner.place, props, item.mention, item.stance)
        refusal = place if isinstance(place, Refusal) else self._vertex_refusal(draft, own)
        if refusal is not None:
            self.removed.add(item.ref)
            self.ledger.remove(refusal, "vertex", where, item.raw, item.quote, own)
            return
        if facts.needs_value and not any(name in props for name in facts.identifying):
            names = ", ".join(facts.identifying)
            message = f"{where}: nothing identifies it; it needs one of {names}, as the text gives it"
            own.find("key_insufficient", "vertex", message, item.raw, item.quote, kept=True)
        if not item.mention:
            _check_required(facts.required, props, own, "vertex", where, item)
        self.drafts[item.ref] = draft
        self._keep(own, props)
        self.kept_vertices += 1

    def _vertex_place(self, item: VertexItem, facts: VertexFacts, *, shares_quote: bool) -> Place | Refusal:
        if item.quote is None:
            return Refusal("quote_not_found", "it has no quote")
        if shares_quote:
            quote = item.quote.casefold()
            given = words_by_name(item.props, facts)
            holds = any(word.casefold() in quote for name in facts.identifying for word in given.get(name, ()))
            place = self.source.find_next(item.quote, facts.name, holds_key=holds)
        else:
            place = self.source.find(item.quote)
        return place or self._not_found(item.quote)

    def _not_found(self, quote: str) -> Refusal:
        where = "the text"
        if self.episode.context and (place := self.source.find_in_context(quote)) is not None:
            where = f"the text, only in context ({place.context})"
        return Refusal("quote_not_found", f"the quote {shown(quote)} is not in {where}")

    def _vertex_refusal(self, draft: Draft, own: Ledger) -> Refusal | None:
        """Steps 4, 5 and 8 for a vertex whose quote is located."""
        assert draft.place is not None
        if is_wide(draft.place):
            values = [
                found.span
                for founds in draft.props.values()
                for found in founds
                if found.support != "judged" and found.place is not None and found.place.context is None
            ]
            draft.place = self._narrowed(draft.place, values, f"{draft.ref} {draft.facts.name}", own)
        unrelated = vertex_unrelated(draft, self.source)
        if unrelated is not None:
            return Refusal("quote_unrelated", unrelated)
        return _not_asserted(draft.stance, draft.facts)

    def _known_vertex(self, item: VertexItem, facts: VertexFacts) -> None:
        """A reply vertex under a known ref: known stands, and takes what the text adds to it."""
        own = self._own(item, facts)
        where = f"{item.ref} {facts.name}"
        draft = self.drafts[item.ref]
        if not same_entity(draft, facts, words_by_name(item.props, facts)):
            refusal = Refusal("duplicate_ref", f"the ref is that of a known {draft.facts.name}, which this is not")
            self.conflicting.add(item.ref)
        elif item.stance is not None:
            refusal = Refusal("not_asserted", f"its stance is {item.stance}; the known entity stands as it is")
        else:
            place = self.source.find(item.quote) if item.quote is not None else None
            owner = Owner(where, facts, item.quote, place and self.source.widened(place), own, draft.props)
            added = self.reader.read(item.props, owner)
            own.fix("known_stands", f"{where}: the source states it")
            self._keep(own, added)
            draft.props |= added
            return
        self.ledger.remove(refusal, "vertex", where, item.raw, item.quote)

    def _edge(self, raw: Json) -> None:
        """All steps for an edge and its properties."""
        try:
            item = read_edge(raw)
        except Malformed as problem:
            fields = raw if isinstance(raw, dict) else {}
            self.ledger.find("malformed", "edge", f"an edge: {problem}", raw, _text(fields.get("quote")))
            return
        where = f"{item.source} {item.relation} {item.target}"
        draft = self._joined(item)
        if isinstance(draft, Refusal):
            self.ledger.remove(draft, "edge", where, raw, item.quote)
            return
        own = self._own(item, draft.facts)
        if draft.source.ref != item.source and draft.target.ref != item.target:
            relation = draft.facts.type.id
            own.fix("edge_reversed", f"{where} is {draft.source.ref} {relation.relation} {draft.target.ref}")
        owner = Owner(where, draft.facts, item.quote, None, own)
        place = self._edge_place(item, draft)
        if isinstance(place, Place):
            assert item.quote is not None
            owner.place = mended_place(place, item.quote, where, self.source, own)
        draft.place = owner.place
        draft.props = self.reader.read(item.props, owner)
        refusal = place if isinstance(place, Refusal) else self._edge_refusal(draft, where, own)
        if refusal is not None:
            self.ledger.remove(refusal, "edge", where, raw, item.quote, own)
            return
        _check_required(draft.facts.required, draft.props, own, "edge", where, item)
        self.edges.append(draft)
        self._keep(own, draft.props)
        self.kept_edges += 1

    def _joined(self, item: EdgeItem) -> EdgeDraft | Refusal:
        """Step 1 for an edge: its ends and its type."""
        ends = []
        for ref in (item.source, item.target):
            draft = self.drafts.get(ref)
            if ref in self.conflicting:
                return Refusal("endpoint_removed", f"{shown(ref)} is a known entity and another one in this reply")
            if draft is None and ref in self.removed:
                return Refusal("endpoint_removed", f"{shown(ref)} was removed")
            if draft is None:
                return Refusal("dangling_ref", f"no vertex has the ref {shown(ref)}")
            ends.append(draft)
        source, target = ends
        fit = edge_between(item.relation, source.facts.name, target.facts.name, self.facts)
        if isinstance(fit, Refusal):
            return fit
        if fit.swapped:
            source, target = target, source
        return EdgeDraft(self.facts.edge(fit.type), source, target, None, {}, item.stance)

    def _edge_place(self, item: EdgeItem, draft: EdgeDraft) -> Place | Refusal:
        if item.quote is None:
            return Refusal("quote_not_found", "it has no quote")
        return self.source.find(item.quote, draft.source.place or draft.target.place) or self._not_found(item.quote)

    def _edge_refusal(self, draft: EdgeDraft, where: str, own: Ledger) -> Refusal | None:
        """Steps 4, 5 and 8 for an edge whose quote is located."""
        assert draft.place is not None
        if is_wide(draft.place):
            values = [found.span for founds in draft.props.values() for found in founds if found.support != "judged"]
            values += [span for end in (draft.source, draft.target) for span in occurrences(end)]
            draft.place = self._narrowed(draft.place, values, where, own)
        unrelated = edge_unrelated(draft.place, (draft.source, draft.target), self.source)
        if unrelated is not None:
            return Refusal("quote_unrelated", unrelated)
        return _not_asserted(draft.stance, draft.facts)

    def _unmapped(self, raw: Json) -> UnmappedText | None:
        try:
            quote, note = read_unmapped(raw)
        except Malformed as problem:
            self.ledger.find("malformed", "unmapped", f"an unmapped text: {problem}", raw)
            return None
        place = self.source.find(quote) if quote else None
        if place is None:
            refusal = self._not_found(quote) if quote else Refusal("quote_not_found", "it has no quote")
            self.ledger.remove(refusal, "unmapped", "an unmapped text", raw, quote or None)
            return None
        place = self.source.widened(place)
        return UnmappedText(quote=self.source.quote(place), note=note, span=TextSpan(start=place.start, end=place.end))

    def _own(self, item: VertexItem | EdgeItem, facts: OwnerFacts) -> Ledger:
        """The ledger of one item, with what was mended in its shape."""
        own = Ledger(self.ledger.round)
        if isinstance(item, VertexItem):
            where, given = f"{item.ref} {facts.name}", item.type
        else:
            where, given = f"{item.source} {facts.name} {item.target}", item.relation
        for fix, message in item.mended:
            own.fix(fix, f"{where}: {message}")
        if given != facts.name:
            own.fix("name_mended", f"{where}: it was called {given}")
        return own

    def _narrowed(self, place: Place, values: list[tuple[int, int]], where: str, own: Ledger) -> Place:
        narrow = self.source.narrowed(place, values)
        if narrow != place:
            own.fix("evidence_narrowed", f"{where}: the quote runs over {place.end - place.start} characters")
        return narrow

    def _keep(self, own: Ledger, props: dict[str, list[Found]]) -> None:
        self.ledger.join(own)
        for founds in props.values():
            self.kept_properties += len(founds)

    def _graph(self) -> RecordGraph:
        evidence, source = self.source.evidence, self.source
        return RecordGraph(
            source_id=self.episode.source_id,
            schema_ref=self.schema.ref,
            reference_time=self.reference,
            records=tuple(
                [
                    Record(
                        ref=draft.ref,
                        type=draft.facts.name,
                        evidence=evidence(draft.place),
                        props=stated(draft.props, draft.facts, source),
                        may_create=not draft.mention,
                        stance=draft.stance,
                    )
                    for draft in self.drafts.values()
                ]
            ),
            relations=tuple(
                [
                    Relation(
                        edge_id=edge.facts.type.id,
                        source=edge.source.ref,
                        target=edge.target.ref,
                        evidence=evidence(edge.place),
                        props=stated(edge.props, edge.facts, source),
                        stance=edge.stance,
                    )
                    for edge in self.edges
                ]
            ),
        )


def _check_required(
    required: tuple[str, ...],
    props: Mapping[str, object],
    own: Ledger,
    kind: ItemKind,
    where: str,
    item: VertexItem | EdgeItem,
) -> None:
    """Say which required properties are missing. The item stands: it is true, and another text may add them."""
    missing = [name for name in required if name not in props]
    if missing:
        message = f"{where}: {', '.join(missing)} is required, and is not given or was removed; it is kept without"
        own.find("value_constraint", kind, message, item.raw, item.quote, kept=True)


def _not_asserted(stance: str | None, facts: OwnerFacts) -> Refusal | None:
    """Step 8: a stance that the type does not list."""
    if stance is None or stance in facts.stances:
        return None
    return Refusal("not_asserted", f"its stance is {shown(stance)}, which {facts.name} does not list")


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
