"""What a schema file means: short and long forms, scalars as written, defaults."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from pathlib import Path

import pytest

from schemacast.errors import SchemaError
from schemacast.schema.load import load_schema, parse_schema
from schemacast.schema.model import Defaults, EdgeId, EnumValue, Key, KeyPart, Property

FILES = Path(__file__).parent / "files"
READY = Path(__file__).parents[2] / "schemas"


def properties(text: str) -> dict[str, Property]:
    schema = parse_schema(f"vertices: {{V: {{key: minted, properties: {text}}}}}")
    return dict(schema.vertices["V"].properties)


def test_the_design_example_loads_as_it_reads() -> None:
    schema = load_schema(FILES / "helpdesk.yaml")
    assert schema.ref == "helpdesk@1.0.0"
    assert schema.defaults == Defaults("en", "UTC")
    assert schema.instructions == "A ticket number without its prefix is not a ticket.\n"
    assert list(schema.vertices) == ["Customer", "Agent", "Company", "Shift", "Escalation", "Ticket"]
    assert schema.vertices["Customer"].alternates == (("email",), ("name", "city"))
    assert schema.vertices["Customer"].synonyms == ("client",)
    assert schema.vertices["Company"].key == Key("match", (KeyPart("name"), KeyPart("country")))
    assert schema.vertices["Shift"].key == Key("plain", (KeyPart("day"), KeyPart("part", optional=True)))
    assert schema.vertices["Shift"].within == ("WORKED",)
    assert [edge.id for edge in schema.owners("Shift")] == [EdgeId("Agent", "Shift", "WORKED")]
    assert schema.vertices["Escalation"].key == Key("minted")
    assert not schema.vertices["Escalation"].properties["reason"].verbatim
    ticket = schema.vertices["Ticket"].properties
    assert ticket["number"] == Property("number", pattern=r"HD-\d+", required=True)
    assert ticket["severity"] == Property("severity", "integer", minimum=1, maximum=5)
    assert ticket["status"].enum == (EnumValue("open", ("new", "active")), EnumValue("closed", ("resolved", "fixed")))
    assert ticket["opened"] == Property("opened", "datetime")
    assert ticket["wait"] == Property("wait", "number", unit="h")
    assert ticket["labels"] == Property("labels", "string", many=True)
    assert schema.edges[EdgeId("Customer", "Ticket", "RAISED")].inverse == ("raised by",)
    assert schema.edges[EdgeId("Agent", "Ticket", "HANDLES")].key == (KeyPart("since", optional=True),)
    assert [edge.id.source for edge in schema.relations["WORKS_AT"]] == ["Agent", "Customer"]
    partners = schema.edges[EdgeId("Company", "Company", "PARTNERS")]
    assert partners.symmetric
    assert partners.stances == ("planned",)
    assert schema.examples[0].line == 8


@pytest.mark.parametrize("file", sorted(READY.glob("*.yaml")), ids=lambda path: path.stem)
def test_the_ready_made_schemas_load(file: Path) -> None:
    assert load_schema(file).name == file.stem


def test_names_and_values_are_text_as_written() -> None:
    schema = parse_schema("vertices:\n  Country:\n    properties: {code: {type: string, enum: [NO, SE, DK]}}\n")
    country = schema.vertices["Country"]
    assert [value.value for value in country.properties["code"].enum] == ["NO", "SE", "DK"]
    assert country.key == Key("match", (KeyPart("code"),))
    found = properties("{on: {synonyms: [1.10, 010, 14:02, yes, 0x1F]}, 3.10: string, x-ray: string}")
    assert list(found) == ["on", "3.10", "x-ray"]
    assert found["on"].synonyms == ("1.10", "010", "14:02", "yes", "0x1F")


def test_a_value_of_an_enum_or_a_bound_has_the_type_of_its_property() -> None:
    found = properties(
        "{a: {type: integer, enum: {1: one, 2: [two, deux]}}, b: {type: number, minimum: 1, maximum: '2.5'},"
        " c: {type: date, minimum: 2024-01-01}, d: {type: time, maximum: 14:02}, e: {type: boolean, enum: {true: ok}},"
        " f: {type: number, enum: [1.10]}, g: {enum: [1.10, true]}}"
    )
    assert found["a"].enum == (EnumValue(1, ("one",)), EnumValue(2, ("two", "deux")))
    assert (found["b"].minimum, found["b"].maximum) == (1.0, 2.5)
    assert isinstance(found["b"].minimum, float)
    assert found["c"].minimum == date(2024, 1, 1)
    assert found["d"].maximum == time(14, 2)
    assert found["e"].enum == (EnumValue(True, ("ok",)),)
    assert found["f"].enum == (EnumValue(1.1),)
    assert [value.value for value in found["g"].enum] == ["1.10", "true"]


def test_a_datetime_bound_is_in_the_default_zone_and_kept_in_utc() -> None:
    schema = parse_schema(
        "defaults: {timezone: Europe/Oslo}\nvertices: {V: {key: minted, properties:"
        " {at: {type: datetime, minimum: 2024-07-01T12:00, maximum: 2024-07-01T12:00Z}}}}"
    )
    found = schema.vertices["V"].properties["at"]
    assert found.minimum == datetime(2024, 7, 1, 10, tzinfo=UTC)
    assert found.maximum == datetime(2024, 7, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("key: a", "key: [a]"),
        ("key: {match: a}", "key: {match: [a]}"),
        ("key: {match: a, threshold: 0.90}", "key: {match: [a], threshold: .9}"),
        ("key: a, alternates: b", "key: [a], alternates: [[b]]"),
        ("key: a, synonyms: x", "key: a, synonyms: [x]"),
        ("key: a, stances: planned", "key: a, stances: [planned]"),
        ("", "key: {match: [a, b]}"),
        ("key: , description: ~, synonyms: null", ""),
    ],
)
def test_a_short_form_is_its_long_form(short: str, long: str) -> None:
    rest = "properties: {a: string, b: {type: string}, n: integer, s: {verbatim: false}, l: [string]}"
    read = [parse_schema(f"vertices: {{V: {{{form}{',' if form else ''} {rest}}}}}") for form in (short, long)]
    assert read[0] == read[1]


def test_a_type_given_in_several_parts_is_their_sum() -> None:
    parts = """\
x-named: &named {synonyms: [thing], properties: {name: string}}
vertices:
  A: [*named, {key: name, synonyms: [item], properties: {size: number}}]
"""
    whole = "vertices: {A: {key: name, synonyms: [thing, item], properties: {name: string, size: number}}}"
    assert parse_schema(parts) == parse_schema(whole)


def test_merge_keys_bring_what_is_not_stated() -> None:
    schema = parse_schema("""\
x-base: &base {type: string, description: base, match: name}
vertices:
  V: {key: a, properties: {a: {<<: *base, description: own}, b: {<<: [*base, {keep: all}]}}}
""")
    found = schema.vertices["V"].properties
    assert found["a"] == Property("a", description="own", match="name")
    assert found["b"] == Property("b", description="base", match="name", keep="all")


def test_what_is_identified_by_its_owner_alone_needs_no_key() -> None:
    schema = parse_schema(
        "vertices: {Loan: {within: [OF, TO]}, Book: {key: minted}, Reader: {key: minted}}\n"
        "edges: {OF: {source: Loan, target: Book}, TO: {source: Loan, target: Reader}}"
    )
    assert schema.vertices["Loan"].key == Key("plain")
    assert [edge.id.target for edge in schema.owners("Loan")] == ["Book", "Reader"]


def test_one_relation_may_join_several_pairs_with_their_own_properties() -> None:
    schema = parse_schema("""\
vertices: {Person: {key: n, properties: {n: string}}, Firm: {key: minted}, School: {key: minted}}
edges:
  WORKS_AT:
    - {source: Person, target: Firm, properties: {since: date}}
    - {source: Person, target: School, properties: {degree: string}}
""")
    assert [tuple(edge.properties) for edge in schema.relations["WORKS_AT"]] == [("since",), ("degree",)]


def test_ordinary_names_are_ordinary() -> None:
    assert list(properties("{id: string, labels: [string], type: string, source: string, key: date}")) == [
        "id",
        "labels",
        "type",
        "source",
        "key",
    ]


def test_a_synonym_may_serve_two_relations_whose_ends_differ() -> None:
    schema = parse_schema("""\
vertices: {A: {key: minted}, B: {key: minted}}
edges:
  GAVE: {source: A, target: B, synonyms: passed, inverse: got}
  GOT: {source: A, target: B}
  PASSED: {source: B, target: A}
""")
    assert [match.edge.id.relation for match in schema.names.relation("passed")] == ["PASSED", "GAVE"]


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("/x/desk.yaml", "desk"),
        ("my desk (2).yml", "my-desk-2"),
        ("<text>", "schema"),
        (".yaml", "yaml"),
        ("å.json", "å"),
    ],
)
def test_a_schema_without_a_name_has_its_files(file: str, name: str) -> None:
    text = '{"vertices": {"V": {"key": "minted"}}}'
    assert parse_schema(text, file=file).name == name
    assert parse_schema(text, file=file).version == "1.0.0"


def test_json_means_the_same_as_yaml() -> None:
    yaml = (
        "vertices: {V: {key: a, properties: {a: {required: true, enum: [x, '1']}}}}\nexamples: [{text: 😀, reply: {}}]"
    )
    json = (
        '{"vertices": {"V": {"key": "a", "properties": {"a": {"required": true, "enum": ["x", 1]}}}},\n'
        '"description": null, "examples": [{"text": "\\ud83d\\ude00", "reply": {}}]}'
    )
    assert parse_schema(json) == parse_schema(json, file="schema.json") == parse_schema(yaml)


def test_json_keeps_positions() -> None:
    with pytest.raises(SchemaError) as caught:
        parse_schema(
            '{"vertices":\n  {"V": {"kay": "a",\n "key": "minted"},\n  "V": {"key": "minted"}}}', file="s.json"
        )
    assert [(problem.line, problem.column) for problem in caught.value.problems] == [(2, 10), (4, 3)]


@pytest.mark.parametrize(
    ("text", "place", "part"),
    [
        ("", "", "empty"),
        ("{", "1:2", "a key in double quotes"),
        ('{"a": }', "1:7", "expected a value"),
        ('{"a" 1}', "1:6", "expected a colon"),
        ('{"a": 1 2}', "1:9", "a comma or '}'"),
        ('{"a": 1,}', "1:9", "a key in double quotes"),
        ('{"a": "x', "1:7", "Unterminated string"),
        ('{"a": 1} x', "1:10", "more text after"),
        ('{"a": "\\ud800"}', "1:15", "surrogate"),
        ("{a: 1}", "1:2", "a key in double quotes"),
    ],
)
def test_wrong_json_is_refused_at_its_place(text: str, place: str, part: str) -> None:
    with pytest.raises(SchemaError, match=part) as caught:
        parse_schema(text, file="s.json")
    assert str(caught.value).startswith(f"s.json:{place}")


def test_an_example_reply_keeps_texts_as_written() -> None:
    schema = parse_schema(
        "vertices: {V: {key: minted}}\nexamples: [{text: t, reply: {vertices:"
        " [{ref: 1, mention: true, stance: ~, quote: NO, props: [{name: n, value: 1.10}, {name: m, value: 'true'}]}]}}]"
    )
    assert schema.examples[0].reply == {
        "vertices": [
            {
                "ref": "1",
                "mention": True,
                "stance": None,
                "quote": "NO",
                "props": [{"name": "n", "value": "1.10"}, {"name": "m", "value": "true"}],
            }
        ]
    }
