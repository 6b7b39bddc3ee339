"""Episodes: the texts a graph is cast from, with what is already known about them.

An episode's text is the JSON string unchanged, line ends and byte-order mark included. The one
exception: a lone surrogate, which no UTF-8 file can hold, becomes U+FFFD, one character for one, so
that every offset holds. Files and rows are read by `schemacast.episode_reader`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
    model_validator,
)

from schemacast.language.tags import is_locale, locale_problem

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def without_surrogates(text: str) -> str:
    """The text with every lone surrogate replaced by U+FFFD; all offsets stay as they are."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join(REPLACEMENT if "\ud800" <= char <= "\udfff" else char for char in text)
    return text


def _clean_json(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return without_surrogates(value)
    if isinstance(value, list):
        return [_clean_json(item) for item in value]
    if isinstance(value, dict):
        return {without_surrogates(name): _clean_json(item) for name, item in value.items()}
    return value


def _named(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be blank")
    return text


def _plain_id(text: str) -> str:
    if any(char in text for char in "\r\n\0"):
        raise ValueError("must not hold line breaks or NUL")
    return text


def _iso_only(value: object) -> object:
    """A number would be taken for seconds since 1970; only ISO 8601 text, or a datetime, is a moment."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            raise ValueError(f"{value!r} is no ISO 8601 date and time") from None
    if not isinstance(value, datetime):
        raise ValueError("must be ISO 8601 text")
    if not datetime.min.year < value.year < datetime.max.year:
        raise ValueError(f"{value.isoformat()!r} has a year that cannot be told in every time zone")
    return value


def _each_once(items: tuple[ContextItem, ...]) -> tuple[ContextItem, ...]:
    """Evidence names a context item by its id alone."""
    seen: set[str] = set()
    for item in items:
        if item.source_id in seen:
            raise ValueError(f"has two items with the source_id {item.source_id!r}; each must be unique")
        seen.add(item.source_id)
    return items


def _language_tag(locale: str | None) -> str | None:
    if not locale or not locale.strip():
        return None
    if not is_locale(locale):
        raise ValueError(locale_problem(locale))
    return locale


Text = Annotated[str, AfterValidator(without_surrogates)]
Name = Annotated[str, AfterValidator(without_surrogates), AfterValidator(_named)]
SourceId = Annotated[Name, AfterValidator(_plain_id)]
JsonObject = Annotated[dict[str, JsonValue], AfterValidator(_clean_json)]


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, fields: Any) -> Any:
        """A field that is null is absent, as a program that knows no absent fields writes it."""
        if isinstance(fields, Mapping):
            if isinstance(fields, dict) and not any(value is None for value in fields.values()):
                return fields
            optional = {name for name, field in cls.model_fields.items() if not field.is_required()}
            return {name: value for name, value in fields.items() if value is not None or name not in optional}
        return fields


class ContextItem(_Frozen):
    """An earlier text of the same thread: it tells what the episode refers to, and states nothing itself."""

    source_id: SourceId
    text: Text


def _as_ref(ref: object) -> object:
    """A ref given as a number is the same ref as its text, here as in a reply."""
    return str(ref) if isinstance(ref, int) and not isinstance(ref, bool) else ref


Ref = Annotated[Name, BeforeValidator(_as_ref)]


class KnownEntity(_Frozen):
    """A vertex that the source itself states in structured form."""

    ref: Ref
    type: Name
    properties: JsonObject = {}
    label: Text | None = None


class KnownRelation(_Frozen):
    """An edge between known entities that the source itself states."""

    relation: Name
    source: Annotated[Ref, Field(alias="from")]
    target: Annotated[Ref, Field(alias="to")]
    properties: JsonObject = {}


class Known(_Frozen):
    """What the source states in structured form."""

    vertices: tuple[KnownEntity, ...] = ()
    edges: tuple[KnownRelation, ...] = ()


class Episode(_Frozen):
    """One text to cast.

    `reference_time` resolves relative dates; without a zone it is in the schema's default time zone.
    `locale` is a BCP 47 tag. `metadata` is never shown to a model.
    """

    source_id: SourceId
    text: Annotated[Text, AfterValidator(_named)]
    reference_time: Annotated[datetime, BeforeValidator(_iso_only)] | None = None
    locale: Annotated[str | None, AfterValidator(_language_tag)] = None
    metadata: JsonObject = {}
    context: Annotated[tuple[ContextItem, ...], AfterValidator(_each_once)] = ()
    known: Known = Known()

    def moment(self, timezone: str) -> datetime | None:
        """The reference time with a zone: its own, else `timezone` (an IANA name)."""
        if self.reference_time is None or self.reference_time.tzinfo is not None:
            return self.reference_time
        return self.reference_time.replace(tzinfo=ZoneInfo(timezone))
