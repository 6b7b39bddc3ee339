"""Known entities and edges: what the source states in structured form, as drafts like any other.

Their values are typed by the schema, never read from the text, and their evidence is `{"known": true}`.
What the schema does not declare, or cannot hold as its type, is a finding and costs nothing else. Where
known and text differ, known stands: a reply that gives a known ref a property which known already has is
overruled. A reply that gives a known ref another type or another key means another thing by that ref, so
neither it nor the edges it draws to that ref are taken.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, tzinfo

from schemacast.cast.drafts import Draft, EdgeDraft, Found
from schemacast.cast.ends import edge_between
from schemacast.cast.facts import EdgeFacts, PropertyFacts, SchemaFacts, VertexFacts
from schemacast.cast.fidelity import breach, clean
from schemacast.cast.items import Plain, plain_text
from schemacast.cast.ledger import Ledger, Refusal, shown
from schemacast.cast.outcome import ItemKind
from schemacast.episode import Known, KnownRelation
from schemacast.errors import nearest
from schemacast.schema.model import PropertyType
from schemacast.schema.values import Json, Scalar, canonical_text, fold_code

PARTIAL = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")
WHOLE = re.compile(r"[+-]?\d{1,4000}")
NOWHERE = (0, 0)


def read_known(
    known: Known, facts: SchemaFacts, ledger: Ledger, zone: tzinfo
) -> tuple[dict[str, Draft], list[EdgeDraft]]:
    """The known vertices by ref, and the known edges; what cannot be taken goes to the ledger."""
    drafts: dict[str, Draft] = {}
    for entity in known.vertices:
        item: Json = {"ref": entity.ref, "type": entity.type, "properties": dict(entity.properties)}
        ref = entity.ref.strip()
        where = f"known {ref} {entity.type}"
        if ref in drafts:
            ledger.find("duplicate_ref", "vertex", f"{where}: another known entity has this ref", item)
            continue
        found = facts.vertex(entity.type)
        if found is None:
            near = nearest(entity.type, facts.vertex_types)
            ledger.find("unknown_type", "vertex", f"{where}: no type has this name{near}", item)
            continue
        props = _props(found, entity.properties, f"known {ref} {found.name}", ledger, zone)
        drafts[ref] = Draft(ref, found, None, props)
    edges = [draft for edge in known.edges if (draft := _edge(edge, facts, drafts, ledger, zone)) is not None]
    return drafts, edges


def same_entity(draft: Draft, facts: VertexFacts, keys: Mapping[str, list[str]]) -> bool:
    """Whether what a reply says of a known ref can be that entity: its type, and each key value both give."""
    if draft.facts is not facts:
        return False
    for name, words in keys.items():
        known = [fold_code(canonical_text(found.value)) for found in draft.props.get(name, ())]
        if name in facts.key and known and not any(fold_code(word) in known for word in words):
            return False
    return True


def _edge(
    edge: KnownRelation, facts: SchemaFacts, drafts: dict[str, Draft], ledger: Ledger, zone: tzinfo
) -> EdgeDraft | None:
    item: Json = {
        "relation": edge.relation,
        "from": edge.source,
        "to": edge.target,
        "properties": dict(edge.properties),
    }
    where = f"known {edge.source} {edge.relation} {edge.target}"
    source, target = drafts.get(edge.source.strip()), drafts.get(edge.target.strip())
    if source is None or target is None:
        missing = edge.source if source is None else edge.target
        ledger.find("dangling_ref", "edge", f"{where}: no known entity has the ref {shown(missing)}", item)
        return None
    found = edge_between(edge.relation, source.facts.name, target.facts.name, facts)
    if isinstance(found, Refusal):
        ledger.find(found.finding, "edge", f"{where}: {found.reason}", item)
        return None
    if found.swapped:
        source, target = target, source
    edge_facts = facts.edge(found.type)
    return EdgeDraft(edge_facts, source, target, None, _props(edge_facts, edge.properties, where, ledger, zone))


def _props(
    facts: VertexFacts | EdgeFacts, properties: Mapping[str, Json], where: str, ledger: Ledger, zone: tzinfo
) -> dict[str, list[Found]]:
    kept: dict[str, list[Found]] = {}
    for name, given in properties.items():
        if given is None:
            continue
        kind: ItemKind = "property"
        item: Json = {"name": name, "value": given}
        found = facts.property(name)
        if found is None:
            near = nearest(name, facts.names)
            ledger.find("undeclared_property", kind, f"{where}.{name}: no property has this name{near}", item)
            continue
        if found.name in kept:
            ledger.find("duplicate_property", kind, f"{where}.{name}: {found.name} is given twice", item)
            continue
        values = given if isinstance(given, list) else [given]
        if len(values) > 1 and not found.prop.many:
            ledger.find("value_type", kind, f"{where}.{name}: {found.name} holds one value, not a list", item)
            continue
        for one in values:
            value = typed(found, one, zone)
            if isinstance(value, Refusal):
                ledger.find(value.finding, kind, f"{where}.{found.name}: {value.reason}", item)
            elif value not in [each.value for each in kept.get(found.name, ())]:
                kept.setdefault(found.name, []).append(Found(value, "stated", None, NOWHERE))
    return kept


def typed(facts: PropertyFacts, given: Json, zone: tzinfo) -> Scalar | Refusal:
    """A JSON value as its property's type. A datetime without a zone is in `zone`."""
    prop = facts.prop
    if not isinstance(given, str | int | float) or (isinstance(given, float) and not math.isfinite(given)):
        return Refusal("value_type", f"{shown(given)} is no {prop.type}")
    if facts.listed is not None:
        choice = facts.listed.choose(plain_text(given))
        if choice is not None:
            return choice.value
        allowed = ", ".join(canonical_text(each.value) for each in facts.listed.choices[:12])
        return Refusal("value_constraint", f"{shown(given)} is none of {allowed}")
    value = _typed(prop.type, given, zone)
    if value is None or value == "":
        return Refusal("value_type", f"{shown(given)} is no {prop.type}")
    return breach(facts, value) or value


def _typed(kind: PropertyType, given: Plain, zone: tzinfo) -> Scalar | None:
    """The value, or None when it is none of this type."""
    if kind == "string":
        return clean(plain_text(given)) if not isinstance(given, bool) else None
    if kind == "boolean":
        if isinstance(given, bool):
            return given
        return {"true": True, "false": False}.get(given.strip().casefold()) if isinstance(given, str) else None
    if isinstance(given, bool):
        return None
    try:
        if kind == "integer":
            return _integer(given)
        if kind == "number":
            number = float(given)
            return number if math.isfinite(number) else None
        return _dated(kind, given.strip(), zone) if isinstance(given, str) else None
    except (ValueError, OverflowError):
        return None


def _integer(given: str | int | float) -> int | None:
    if isinstance(given, int):
        return given
    if isinstance(given, float):
        return int(given) if given.is_integer() else None
    return int(given) if WHOLE.fullmatch(given.strip()) else None


def _dated(kind: PropertyType, text: str, zone: tzinfo) -> Scalar | None:
    """A date, datetime or time in ISO 8601; what is given only in part stays text. Raises ValueError."""
    if kind == "time":
        return time.fromisoformat(text)
    part = PARTIAL.fullmatch(text)
    if part is not None:
        whole = date(int(part[1]), int(part[2] or 1), int(part[3] or 1))  # there must be such a day
        return whole if kind == "date" and part[3] else text
    moment = datetime.fromisoformat(text)
    if kind == "date":
        return moment.date()
    return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)
