"""Every rule's table of examples, accepted and refused, is what the validator does.

A table is a YAML file: the rule, the schema, and rows. A row has either a whole `reply`, or a
`property`, a `quote` and a `value`, which stand for a reply with one vertex of one property. What is
expected is what is kept, the findings, and where a row says so the fixes and the evidence.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from schemacast.cast.reply import read_reply
from schemacast.cast.validate import Validated, validate
from schemacast.episode import Episode
from schemacast.ground import quote_of, span_of
from schemacast.records import Stated
from schemacast.schema.load import load_schema, parse_schema
from schemacast.schema.model import Schema
from schemacast.schema.values import scalar_to_json

HERE = Path(__file__).parent
TABLES = sorted((HERE / "tables").glob("*.yaml"))
LANGUAGES = ("en", "de", "fr", "es", "ja")
TABLE_FIELDS = {"rule", "about", "schema", "property", "rows"}
ROW_FIELDS = {
    *("name", "lang", "locale", "text", "reference", "timezone", "context", "known", "schema"),
    *("property", "quote", "value", "is", "finding", "support", "fix", "evidence"),
    *("reply", "kept", "edges", "findings", "fixes", "quotes", "messages"),
}


class PlainLoader(yaml.SafeLoader):
    """Dates in a table are text, as they are in a reply."""


PlainLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


@dataclass(frozen=True)
class Row:
    table: str
    fields: dict[str, Any] = field(hash=False)

    def __str__(self) -> str:
        return f"{self.table} {self.fields['lang']}: {self.fields['name']}"


def rows() -> Iterator[Row]:
    for path in TABLES:
        table = yaml.load(path.read_text(encoding="utf-8"), PlainLoader)
        shared = {name: table[name] for name in ("schema", "property") if name in table}
        for fields in table["rows"]:
            yield Row(path.stem, shared | fields)


ROWS = list(rows())


@cache
def schema_named(name: str) -> Schema:
    return load_schema(HERE / "schemas" / f"{name}.yaml")


@cache
def schema_of_property(definition: str) -> Schema:
    thing = {"key": "minted", "properties": {"p": json.loads(definition)}}
    return parse_schema(json.dumps({"name": "one", "vertices": {"Thing": thing}}))


def result_of(row: Row) -> Validated:
    fields = row.fields
    if "reply" in fields:
        schema, reply = schema_named(fields["schema"]), fields["reply"]
    else:
        schema = schema_of_property(json.dumps(fields["property"]))
        quote = fields.get("quote", fields["text"])
        prop = {"name": "p", "value": fields["value"], "quote": quote}
        reply = {"vertices": [{"ref": "v1", "type": "Thing", "quote": fields["text"], "props": [prop]}]}
    episode = Episode.model_validate(
        {
            "source_id": "episode",
            "text": fields["text"],
            "context": fields.get("context", []),
            "known": fields.get("known", {}),
            "reference_time": datetime.fromisoformat(fields["reference"]) if "reference" in fields else None,
        }
    )
    return validate(
        read_reply(json.dumps(reply)),
        schema,
        episode,
        locale=fields.get("locale", fields.get("lang")),
        timezone=fields.get("timezone", "UTC"),
    )


def values(stated: Stated | tuple[Stated, ...]) -> Any:
    return [scalar_to_json(one.value) for one in stated] if isinstance(stated, tuple) else scalar_to_json(stated.value)


@pytest.mark.parametrize("row", [row for row in ROWS if "reply" not in row.fields], ids=str)
def test_a_value_is_read_from_its_quote_as_the_table_says(row: Row) -> None:
    result = result_of(row)
    fields = row.fields
    assert [finding.finding for finding in result.findings] == ([fields["finding"]] if "finding" in fields else [])
    (record,) = result.graph.records
    if "finding" in fields:
        assert not record.props
        assert "v1 Thing.p: " in result.findings[0].message
        return
    stated = record.props["p"]
    assert values(stated) == fields["is"]
    assert type(values(stated)) is type(fields["is"])
    first = stated[0] if isinstance(stated, tuple) else stated
    assert first.support == fields.get("support", "stated")
    if "evidence" in fields:
        assert quote_of(first.evidence) == fields["evidence"]
    if "fix" in fields:
        assert fields["fix"] in [fix.fix for fix in result.fixes]


@pytest.mark.parametrize("row", [row for row in ROWS if "reply" in row.fields], ids=str)
def test_a_reply_is_kept_as_the_table_says(row: Row) -> None:
    result, fields = result_of(row), row.fields
    assert sorted(finding.finding for finding in result.findings) == sorted(fields.get("findings", []))
    kept = {
        record.ref: {name: values(stated) for name, stated in record.props.items()} for record in result.graph.records
    }
    assert kept == fields["kept"]
    edges = [f"{edge.source} {edge.edge_id.relation} {edge.target}" for edge in result.graph.relations]
    assert edges == fields.get("edges", [])
    if "fixes" in fields:
        assert sorted(fix.fix for fix in result.fixes) == sorted(fields["fixes"])
    for message in fields.get("messages", []):
        assert any(message in finding.message for finding in result.findings), [f.message for f in result.findings]
    for place, expected in fields.get("quotes", {}).items():
        assert quoted(result, place) == expected


def quoted(result: Validated, place: str) -> Any:
    """`[start, quote]` of a record (`v1`), an edge (`0`) or a property of either (`v1.number`)."""
    owner, _, name = place.partition(".")
    found: Any = (
        result.graph.relations[int(owner)]
        if owner.isdigit()
        else next(record for record in result.graph.records if record.ref == owner)
    )
    evidence = found.props[name].evidence if name else found.evidence
    span = span_of(evidence)
    if span is None:
        return evidence
    return [span.start, quote_of(evidence), *([span.context] if span.context else [])]


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_a_table_is_well_formed_and_speaks_five_languages(path: Path) -> None:
    table = yaml.load(path.read_text(encoding="utf-8"), PlainLoader)
    assert set(table) <= TABLE_FIELDS
    assert table["rule"]
    assert table["about"].strip().endswith(".")
    for fields in table["rows"]:
        assert set(fields) <= ROW_FIELDS, fields["name"]
        assert fields["lang"] in LANGUAGES
    counts = {language: sum(fields["lang"] == language for fields in table["rows"]) for language in LANGUAGES}
    assert counts["en"] >= 8, counts
    assert all(counts[language] >= 2 for language in LANGUAGES), counts
    names = [(fields["lang"], fields["name"]) for fields in table["rows"]]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_what_is_kept_is_written_where_it_stands(row: Row) -> None:
    result = result_of(row)
    contexts = {item["source_id"]: item["text"] for item in row.fields.get("context", [])}
    for evidence in every_evidence(result):
        if evidence == {"known": True}:
            continue
        span = span_of(evidence)
        assert span is not None
        text = row.fields["text"] if span.context is None else contexts[span.context]
        assert 0 <= span.start < span.end <= len(text)
        assert text[span.start : span.end] == quote_of(evidence)


def every_evidence(result: Validated) -> Iterator[dict[str, Any]]:
    for item in (*result.graph.records, *result.graph.relations):
        yield item.evidence
        for stated in item.props.values():
            for one in stated if isinstance(stated, tuple) else (stated,):
                yield one.evidence
