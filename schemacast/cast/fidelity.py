"""A value as its quote states it: our reader computes it, the model only says which is meant.

A text is taken from the quote in the source's own characters, a number, date or time is read by the
readers of `schemacast.language`, an enum value stands for itself or a listed form. Where the quote
does not state what the model gave, or may be read in more than one way, there is a refusal and never
a guess. What only a model can judge, booleans and summaries, is marked `judged`.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import NamedTuple

from schemacast.cast.dated import read_moment
from schemacast.cast.facts import PropertyFacts
from schemacast.cast.items import Plain, plain_text
from schemacast.cast.ledger import Refusal, shown
from schemacast.cast.listed import Choice, Mention, mention
from schemacast.cast.outcome import FixName
from schemacast.cast.place import standing, stands_cut
from schemacast.cast.quantities import read_quantity
from schemacast.records import Support
from schemacast.schema.model import Property
from schemacast.schema.values import Scalar, canonical_text

YES = frozenset(("true", "yes", "1", "ja", "oui", "vrai", "wahr", "sí", "si", "verdadero", "はい", "真"))
NO = frozenset(("false", "no", "0", "nein", "non", "faux", "falsch", "falso", "いいえ", "偽"))
VARIATION_SELECTORS = re.compile("[\ufe00-\ufe0f]")


@dataclass(frozen=True, slots=True)
class Setting:
    """What decides how a text is read: its locale, its zone, and the moment it speaks from."""

    locale: str | None
    zone: tzinfo
    reference: datetime | None


class Read(NamedTuple):
    """A value and where it stands in the text; a judged value stands nowhere but in its quote."""

    value: Scalar
    support: Support
    start: int
    end: int
    fix: tuple[FixName, str] | None = None


def read_value(facts: PropertyFacts, given: Plain, text: str, start: int, end: int, setting: Setting) -> Read | Refusal:
    """The value of a property from its quote, the characters `start` to `end` of `text`.

    `given` is the model's value. The quote must not cut a token.
    """
    prop = facts.prop
    if prop.type == "boolean":
        return _judge(given, start, end)
    if facts.listed is not None:
        read = _choose(facts, given, text, start, end, setting)
    elif prop.type == "string":
        read = _take(prop, given, text, start, end)
    else:
        read = _compute(prop, given, text, start, end, setting)
    if isinstance(read, Refusal):
        return read
    return breach(facts, read.value) or read


def _compute(prop: Property, given: Plain, text: str, start: int, end: int, setting: Setting) -> Read | Refusal:
    if prop.type in ("integer", "number"):
        number = read_quantity(prop, given, text, start, end, setting.locale)
        if isinstance(number, Refusal):
            return number
        return Read(number.value, "stated", number.start, number.end, number.fix)
    moment = read_moment(prop.type, given, text, start, end, setting.locale, setting.zone, setting.reference)
    if isinstance(moment, Refusal):
        return moment
    return Read(moment.value, "stated", moment.start, moment.end)


def breach(facts: PropertyFacts, value: Scalar) -> Refusal | None:
    """Why a value breaks its property's pattern or bounds, or None."""
    prop = facts.prop
    if facts.matches is not None and not facts.matches(canonical_text(value)):
        return Refusal("value_constraint", f"{shown(canonical_text(value))} does not match the pattern {prop.pattern}")
    if prop.minimum is not None and _below(value, prop.minimum):
        return Refusal("value_constraint", f"{canonical_text(value)} is less than {canonical_text(prop.minimum)}")
    if prop.maximum is not None and _below(prop.maximum, value):
        return Refusal("value_constraint", f"{canonical_text(value)} is more than {canonical_text(prop.maximum)}")
    return None


def _below(left: Scalar, right: Scalar) -> bool:
    if isinstance(left, int | float) and isinstance(right, int | float):
        return left < right
    if type(left) is type(right) and not isinstance(left, str):
        return bool(left < right)  # type: ignore[operator]
    # A partial date is compared by the part that is known.
    shorter = min(len(canonical_text(left)), len(canonical_text(right)))
    return canonical_text(left)[:shorter] < canonical_text(right)[:shorter]


def _judge(given: Plain, start: int, end: int) -> Read | Refusal:
    if isinstance(given, bool):
        return Read(given, "judged", start, end)
    word = plain_text(given).strip().casefold()
    if word in YES or word in NO:
        return Read(word in YES, "judged", start, end)
    return Refusal("value_type", f"{shown(given)} is neither true nor false")


def _take(prop: Property, given: Plain, text: str, start: int, end: int) -> Read | Refusal:
    """A string in the source's characters, or the model's words when they need not be verbatim."""
    words = plain_text(given).strip()
    if not prop.verbatim:
        value = clean(words)
        return Read(value, "judged", start, end) if value else Refusal("value_not_in_quote", "the value is blank")
    found = standing(words, text, start, end)
    if found is None and isinstance(given, float):  # 3.0 may stand there as it is
        words = repr(given)
        found = standing(words, text, start, end)
    if found is None:
        return absent(words, text, start, end)
    value = clean(text[found[0] : found[1]])
    if not value:
        return absent(words, text, start, end)
    fix: tuple[FixName, str] | None = None
    if not isinstance(given, str):
        fix = "value_coerced", f"the {type(given).__name__} {words} is text"
    return Read(value, "stated", *found, fix)


def absent(words: str, text: str, start: int, end: int) -> Refusal:
    """Why a value that does not stand in its quote as whole tokens is refused."""
    quote = text[start:end]
    if stands_cut(words, text, start, end):
        return Refusal("quote_cuts_token", f"{shown(words)} is only a part of a word or number in {shown(quote)}")
    return Refusal("value_not_in_quote", f"{shown(words)} is not in the quote {shown(quote)}")


def clean(text: str) -> str:
    """A value as it is stored: whitespace runs are one space, invisible characters are dropped."""
    if not (text.isascii() and text.isprintable()):
        text = VARIATION_SELECTORS.sub("", text)
        text = "".join(char for char in text if char.isspace() or unicodedata.category(char) not in ("Cc", "Cf"))
    return " ".join(text.split())


def _choose(facts: PropertyFacts, given: Plain, text: str, start: int, end: int, setting: Setting) -> Read | Refusal:
    """An enum value: by its own text or a listed form in the quote, else as its type reads it."""
    prop, listed = facts.prop, facts.listed
    assert listed is not None
    words, quote = plain_text(given), text[start:end]
    choice = listed.choose(words)
    if prop.type != "string":
        found = choice and mention(Choice(choice.value, choice.forms[1:]), quote, listed.choices)
        if choice is not None and isinstance(found, Mention):
            return Read(choice.value, found.support, start + found.start, start + found.end)
        meant = given if choice is None else canonical_text(choice.value)
        read = _compute(prop, meant, text, start, end, setting)
        if isinstance(read, Read) and read.value not in [each.value for each in listed.choices]:
            return _unlisted(facts, canonical_text(read.value))
        return read
    if choice is None:
        spoken = listed.stated(words)
        if len(spoken) != 1:
            return _unlisted(facts, words)
        choice = spoken[0]
    hit = mention(choice, quote, listed.choices)
    if isinstance(hit, Mention):
        return Read(choice.value, hit.support, start + hit.start, start + hit.end)
    if not prop.verbatim:
        return Read(choice.value, "judged", start, end)
    if hit:
        return Refusal("quote_cuts_token", f"{shown(words)} is only a part of a word in {shown(quote)}")
    forms = " or ".join(shown(form.text) for form in choice.forms[:6])
    return Refusal("value_not_in_quote", f"neither {forms} is in the quote {shown(quote)}")


def _unlisted(facts: PropertyFacts, words: str) -> Refusal:
    assert facts.listed is not None
    allowed = ", ".join(canonical_text(choice.value) for choice in facts.listed.choices[:12])
    return Refusal("value_constraint", f"{shown(words)} is none of {allowed}")
