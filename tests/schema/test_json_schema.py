"""The JSON Schema that editors use takes what loads, and refuses what a person commonly gets wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest
import yaml

from schemacast.schema.json_schema import SHIPPED, json_schema
from schemacast.schema.load import load_schema, parse_schema

FILES = Path(__file__).parent / "files"
READY = Path(__file__).parents[2] / "schemas"


class CoreLoader(yaml.CSafeLoader):
    """YAML as editors read it (1.2): `NO` and dates are text."""


CoreLoader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith((":timestamp", ":bool"))]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
for letters, word in (("t", "true"), ("f", "false")):
    CoreLoader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(f"^{word}$"), list(letters))


def errors(text: str) -> list[str]:
    validator = jsonschema.Draft202012Validator(json_schema())
    return [error.message for error in validator.iter_errors(yaml.load(text, CoreLoader))]


def test_the_json_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(json_schema())


def test_the_shipped_file_is_what_is_generated() -> None:
    assert json.loads(SHIPPED.read_text("utf-8")) == json_schema()


@pytest.mark.parametrize(
    "file", sorted(FILES.glob("*.yaml")) + sorted(READY.glob("*.yaml")), ids=lambda path: path.stem
)
def test_what_loads_is_valid_and_so_is_what_is_dumped(file: Path) -> None:
    assert errors(file.read_text("utf-8")) == []
    assert errors(load_schema(file).to_yaml()) == []


@pytest.mark.parametrize(
    "text",
    [
        "vertices: {V: {key: a, properties: {a: }}}",
        "x-shared: [1]\nvertices: {V: {x-note: hi, key: minted, properties: {}}}",
        "vertices: {V: [{key: a}, {properties: {a: string, b: [date]}}]}\nedges: {}",
        "vertices: {V: {key: {match: a, threshold: 0.95}, properties: {a: string}}}",
        "vertices: {V: {key: {match: a}, alternates: [a, [a, b]], properties: {a: string, b: string}}}",
        "vertices: {V: {key: [a, b?], properties: {a: string, b: {enum: {NO: nope, SE: , DK: [d]}}}}}",
        "defaults: {locale: }\nvertices: {V: {key: minted}}\nedges: {R: [{source: V, target: V}]}",
    ],
)
def test_both_readers_take_the_odd_forms(text: str) -> None:
    assert errors(text) == []
    parse_schema(text)


@pytest.mark.parametrize(
    "text",
    [
        "edges: {}",
        "vertices: {}",
        "vertices: []",
        "vertices: {V: {keys: a}}",
        "vertices: {V: {key: {mach: a}}}",
        "vertices: {V: {key: a, properties: {a: text}}}",
        "vertices: {V: {key: a, properties: {a: {type: money}}}}",
        "vertices: {V: {key: a, properties: {a: [string, integer]}}}",
        "vertices: {V: {key: a, properties: {a: {required: yes}}}}",
        "vertices: {V: {key: a, properties: {a: {match: fuzzy}}}}",
        "vertices: {V: {key: {match: a, threshold: 90}, properties: {a: string}}}",
        "vertices: {V: {key: a, properties: {a: {enum: open}}}}",
        "vertices: {V: {key: stance, properties: {stance: string}}}",
        "vertices: {V: {key: _id, properties: {_id: string}}}",
        "vertices: {V: {key: a?, properties: {a?: string}}}",
        "vertices: {V: {key: minted, stances: [asserted]}}",
        "vertices: {V: {key: minted}}\nedges: {R: {source: V}}",
        "vertices: {V: {key: minted}}\nedges: {R: {source: [V], target: V}}",
        "vertices: {V: {key: minted}}\nexamples: [{text: hi}]",
        "vertices: {V: {key: minted}}\nexamples: [{text: hi, reply: {nodes: []}}]",
        "vertices: {V: {key: minted}}\ndefaults: {zone: UTC}",
    ],
)
def test_both_readers_refuse_common_mistakes(text: str) -> None:
    assert errors(text)
    with pytest.raises(Exception, match=":"):
        parse_schema(text)


def test_every_field_has_a_description_for_the_editor() -> None:
    schema = json_schema()
    definitions = schema["$defs"]
    assert isinstance(definitions, dict)
    for owner in ("vertex", "edge"):
        fields = definitions[owner]["properties"]  # type: ignore[index, call-overload]
        for name, field in fields.items():  # type: ignore[union-attr]
            assert "description" in field or name in ("key", "properties"), name  # type: ignore[operator]
