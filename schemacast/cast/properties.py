"""The properties of one vertex or edge, each from its own quote or its owner's.

A property is named, placed, widened, read and folded here; whether its owner stands is decided by
others. Only the value of a key may be found in a context item, because a text may refer to a thing by
"it" that an earlier text calls by its number, but what is said of that thing must be said in the text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from schemacast.cast.drafts import Found
from schemacast.cast.facts import OwnerFacts, PropertyFacts, VertexFacts
from schemacast.cast.fidelity import Setting, read_value
from schemacast.cast.items import Plain, PropItem, plain_text
from schemacast.cast.ledger import Ledger, Refusal, shown
from schemacast.cast.place import Place, Source, cuts, is_wide
from schemacast.errors import nearest
from schemacast.records import Stated
from schemacast.schema.values import canonical_text, fold_code

DIGITS = re.compile(r"\d+")
SEVERAL = re.compile(r"[;|、，；،\n]|,(?!\d)")
SHORTEST_NUMBER_KEY = 3
WORDS_OF_A_NAME = 2


@dataclass(slots=True)
class Owner:
    """The item whose properties are read: what messages call it, its place, and its ledger.

    `known` holds the values that the source itself states, which no property overrules.
    """

    name: str
    facts: OwnerFacts
    quote: str | None
    place: Place | None
    ledger: Ledger
    known: Mapping[str, list[Found]] | None = None


class PropertyReader:
    """Reads properties of one episode."""

    __slots__ = ("_setting", "_source")

    def __init__(self, source: Source, setting: Setting) -> None:
        self._source = source
        self._setting = setting

    def read(self, items: list[PropItem], owner: Owner) -> dict[str, list[Found]]:
        """What stands of an owner's properties, by declared name; the rest goes to its ledger."""
        props: dict[str, list[Found]] = {}
        for item in items:
            self._read_one(item, owner, props)
        return props

    def _read_one(self, item: PropItem, owner: Owner, props: dict[str, list[Found]]) -> None:
        where = f"{owner.name}.{item.name}" if item.name else owner.name
        if item.problem is not None:
            owner.ledger.find("malformed", "property", f"{where}: {item.problem}", item.raw, item.quote)
            return
        facts = owner.facts.property(item.name)
        if facts is None:
            near = nearest(item.name, owner.facts.names)
            message = f"{where}: no property has this name{near}"
            owner.ledger.find("undeclared_property", "property", message, item.raw, item.quote)
            return
        if owner.known is not None and facts.name in owner.known:
            owner.ledger.fix("known_stands", f"{where}: the source states it; {shown(item.value)} is not taken")
            return
        mended = Ledger(owner.ledger.round)
        found = self._found(item, facts, owner, mended)
        several = self._several(item, facts, owner) if facts.prop.many and isinstance(found, Refusal) else None
        for one, read, own in several or ((item, found, mended),):
            kept = read if isinstance(read, Refusal) else _folded(read, facts, props, own, where)
            if isinstance(kept, Refusal):
                owner.ledger.find(kept.finding, "property", f"{where}: {kept.reason}", one.raw, one.quote)
                continue
            if facts.name != item.name:
                owner.ledger.fix("name_mended", f"{where} is {facts.name}")
            owner.ledger.join(own)

    def _several(
        self, item: PropItem, facts: PropertyFacts, owner: Owner
    ) -> list[tuple[PropItem, Found | Refusal, Ledger]] | None:
        """Each of the values that stand in an item which a list cannot hold as one; None when that is none."""
        parts = _parts(item.value)
        if len(parts) < 2:
            return None
        read: list[tuple[PropItem, Found | Refusal, Ledger]] = []
        for part in parts:
            one = replace(item, value=part, raw={"name": item.name, "value": part, "quote": item.quote})
            own = Ledger(owner.ledger.round)
            if not read:
                own.fix("value_coerced", f"{owner.name}.{facts.name}: {shown(item.value)} holds {len(parts)} values")
            read.append((one, self._found(one, facts, owner, own), own))
        return read if any(isinstance(found, Found) for _, found, _ in read) else None

    def _found(self, item: PropItem, facts: PropertyFacts, owner: Owner, mended: Ledger) -> Found | Refusal:
        place = self._place(item, facts, owner, mended)
        if isinstance(place, Refusal):
            return place
        text = self._source.text_of(place)
        read = read_value(facts, item.value, text, place.start, place.end, self._setting)
        if isinstance(read, Refusal):
            return read
        if read.fix is not None:
            mended.fix(read.fix[0], f"{owner.name}.{facts.name}: {read.fix[1]}")
        span = read.start, read.end
        if is_wide(place):
            narrow = self._source.narrowed(place, [] if read.support == "judged" else [span])
            if narrow != place:
                length = place.end - place.start
                mended.fix("evidence_narrowed", f"{owner.name}.{facts.name}: the quote runs over {length} characters")
                place = narrow
                if read.support == "judged":
                    span = place.start, place.end
        return Found(read.value, read.support, place, span)

    def _place(self, item: PropItem, facts: PropertyFacts, owner: Owner, mended: Ledger) -> Place | Refusal:
        if item.quote is None or item.quote == owner.quote:
            if owner.place is None:
                return Refusal("quote_not_found", f"{shown(item.value)} has no quote")
            return owner.place
        place = self._source.find(item.quote, owner.place)
        where = f"{owner.name}.{facts.name}"
        if place is None and isinstance(owner.facts, VertexFacts) and owner.place is not None:
            place = self._source.find_in_context(item.quote)
            if place is not None:
                if facts.name not in owner.facts.key:
                    reason = f"the quote {shown(item.quote)} stands only in context, where only a key may be read"
                    return Refusal("quote_not_found", reason)
                if (own := _rival(plain_text(item.value), self._source.quote(owner.place))) is not None:
                    reason = f"{shown(item.value)} stands only in context, and the text's own words name {shown(own)}"
                    return Refusal("quote_not_found", reason)
                mended.fix("key_in_context", f"{where}: {shown(item.quote)} stands in {place.context}")
        if place is None:
            return Refusal("quote_not_found", f"the quote {shown(item.quote)} is not in the text")
        return mended_place(place, item.quote, where, self._source, mended)


def _parts(value: Plain) -> list[str]:
    """The values that a model joined in one text: `red, green; blue`. A comma inside a number joins nothing."""
    if not isinstance(value, str):
        return []
    return [part for part in map(str.strip, SEVERAL.split(value)) if part]


def _rival(value: str, quote: str) -> str | None:
    """What a vertex's own words call it where that is built like a key value and is another one: HD-3 for HD-2.

    Only codes can be told apart so, and only in a quote that does little but name the vertex: a whole sentence may
    name others too. Of plain numbers one of as many digits counts, if they are at least three.
    """
    if not DIGITS.search(value) or len(quote.split()) > WORDS_OF_A_NAME:
        return None
    if value.isdecimal():
        alike = rf"\d{{{len(value)}}}" if len(value) >= SHORTEST_NUMBER_KEY else "(?!)"
    else:
        alike = r"\d+".join(map(re.escape, DIGITS.split(value)))
    for found in re.finditer(alike, quote, re.IGNORECASE):
        if fold_code(found[0]) != fold_code(value) and not cuts(quote, *found.span()):
            return found[0]
    return None


def mended_place(place: Place, quote: str, where: str, source: Source, ledger: Ledger) -> Place:
    """The place widened to whole tokens; what differs from the model's quote is noted as fixes."""
    stands = source.quote(place)
    if stands != quote and stands != quote.strip():
        ledger.fix("quote_normalized", f"{where}: {shown(quote)} stands there as {shown(stands)}")
    wide = source.widened(place)
    if wide is not place:
        ledger.fix("evidence_widened", f"{where}: {shown(stands)} is a part of {shown(source.quote(wide))}")
    return wide


def _folded(
    found: Found, facts: PropertyFacts, props: dict[str, list[Found]], ledger: Ledger, where: str
) -> Found | Refusal:
    """Add a value to those of its property: an equal one folds, another one needs a list."""
    others = props.get(facts.name)
    if others is None:
        props[facts.name] = [found]
        return found
    text = canonical_text(found.value)
    if any(canonical_text(other.value) == text for other in others):
        ledger.fix("properties_folded", f"{where}: {shown(text)} is given more than once")
    elif facts.prop.many:
        others.append(found)
    else:
        return Refusal(
            "duplicate_property", f"it is {shown(canonical_text(others[0].value))} already, not {shown(text)}"
        )
    return found


def stated(props: dict[str, list[Found]], facts: OwnerFacts, source: Source) -> dict[str, Stated | tuple[Stated, ...]]:
    """The properties as a record or relation carries them, in the order they were first given."""
    return {
        name: tuple(_stated(found, source) for found in founds)
        if facts.names[name].many
        else _stated(founds[0], source)
        for name, founds in props.items()
    }


def _stated(found: Found, source: Source) -> Stated:
    return Stated(found.value, source.evidence(found.place), found.support)


def words_by_name(items: list[PropItem], facts: OwnerFacts) -> dict[str, list[str]]:
    """What a reply gives for each declared property, unread: enough to tell one thing from another."""
    words: dict[str, list[str]] = {}
    for item in items:
        if item.problem is None and (found := facts.property(item.name)) is not None:
            words.setdefault(found.name, []).append(plain_text(item.value))
    return words
