"""What is written loads back equal, over random valid schemas with the names and texts that files get wrong."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from pathlib import Path
from types import MappingProxyType

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schemacast.schema.dump import dump_schema
from schemacast.schema.load import load_schema, parse_schema
from schemacast.schema.model import (
    KEEPS,
    MATCH_KINDS,
    PROPERTY_TYPES,
    STANCES,
    Defaults,
    EdgeId,
    EdgeType,
    EnumValue,
    Example,
    Key,
    KeyPart,
    Property,
    Schema,
    VertexType,
)
from schemacast.schema.names import fold_name
from schemacast.schema.nodes import ScalarNode
from schemacast.schema.rules import name_problem, property_name_problem
from schemacast.schema.values import canonical_text

FILES = Path(__file__).parent / "files"
READY = Path(__file__).parents[2] / "schemas"
HOSTILE = [
    "NO",
    "ON",
    "yes",
    "null",
    "Null",
    "~",
    "true",
    "1.10",
    "010",
    "0x1F",
    "1e3",
    "14:02",
    "2024-01-01",
    "<<",
    "",
    "-",
    "--",
    "---",
    "...",
    ":",
    ":a",
    "a:",
    "#a",
    "a#",
    "a:b",
    "&",
    "*",
    "!",
    "|",
    ">",
    "'",
    '"',
    "%",
    "@",
    "`",
    "{a}",
    "[a]",
    "a,b",
    "=",
    "",
    "å",
    "名前",
    "नाम",
    "اسم",
    "name?",
    "x-name",
    ".inf",
    ".nan",
    "_",
    "\\",
    "\u200d",
    "minted",
    "match",
    "type",
    "id",
    "labels",
    "source",
]
TEXT_CHARS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
TEXTS = st.one_of(
    st.sampled_from(
        [
            *HOSTILE,
            " lead",
            "trail ",
            "a: b",
            "a\nb",
            "\n",
            " \n",
            "a\n",
            "a\n\n",
            "  a\n b",
            "\ta",
            "a\r\nb",
            "\x85",
            "\u2028",
            "\ufeff",
        ]
    ),
    st.text(TEXT_CHARS, max_size=40),
)


def is_name(text: str) -> bool:
    return name_problem(ScalarNode(text, True, 1, 1)) is None


NAMES = st.one_of(
    st.sampled_from([name for name in HOSTILE if is_name(name)]),
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12).filter(is_name),
)
PROPERTY_NAMES = NAMES.filter(lambda name: property_name_problem(name) is None and not name.endswith("_partial"))
FORMS = TEXTS.filter(lambda text: bool(text.strip()))


def distinct(names: st.SearchStrategy[str], *, least: int = 0, most: int = 4) -> st.SearchStrategy[list[str]]:
    return st.lists(names, min_size=least, max_size=most, unique_by=fold_name)


def folded_form(text: str) -> str:
    return " ".join(text.casefold().split())


VALUES = {
    "string": FORMS,
    "integer": st.integers(-(10**30), 10**30),
    "number": st.floats(allow_nan=False, allow_infinity=False),
    "boolean": st.booleans(),
    "date": st.dates(date(1, 1, 1)),
    "datetime": st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1)).map(lambda moment: moment.replace(tzinfo=UTC)),
    "time": st.times(time(0)),
}


@st.composite
def enums(draw: st.DrawFn, kind: str) -> tuple[EnumValue, ...]:
    values = draw(st.lists(VALUES[kind], max_size=4, unique_by=(lambda value: folded_form(str(value)), canonical_text)))
    taken = {folded_form(str(value)) for value in values} | {"true", "false"}
    result = []
    for value in values:
        forms = draw(st.lists(FORMS, max_size=2).map(tuple))
        fresh = tuple(form for form in forms if folded_form(form) not in taken)
        taken |= {folded_form(form) for form in fresh}
        result.append(EnumValue(value, fresh))
    return tuple(result) if kind != "datetime" else ()


@st.composite
def properties(draw: st.DrawFn, name: str, *, plain_key: bool = False, single: bool = False) -> Property:
    kind = draw(st.sampled_from(PROPERTY_TYPES))
    bounded = kind not in ("string", "boolean")
    low, high = sorted(draw(st.tuples(VALUES[kind], VALUES[kind]))) if bounded else (None, None)
    is_number = kind in ("integer", "number")
    return Property(
        name=name,
        type=kind,
        many=not single and draw(st.booleans()),
        description=draw(TEXTS),
        enum=draw(enums(kind)),
        pattern=draw(st.sampled_from([None, r"HD-\d+", "[^ ]*", "null", ""])) if kind == "string" else None,
        minimum=low if bounded and draw(st.booleans()) else None,
        maximum=high if bounded and draw(st.booleans()) else None,
        unit=draw(st.sampled_from([None, "kW", "%", "NO", "m/s"])) if is_number else None,
        required=not plain_key and draw(st.booleans()),
        verbatim=plain_key or kind != "string" or draw(st.booleans()),
        bound=is_number and draw(st.booleans()),
        match=draw(st.sampled_from([None, *MATCH_KINDS])),
        veto=draw(st.sampled_from([None, True, False])),
        keep="latest" if plain_key else draw(st.sampled_from(KEEPS)),
    )


@st.composite
def owned(draw: st.DrawFn, *, least: int = 0) -> tuple[tuple[str, ...], dict[str, Property]]:
    """The names of key properties, and all properties, some of them with synonyms."""
    names = draw(distinct(PROPERTY_NAMES, least=least, most=5))
    keys = tuple(names[: draw(st.integers(least, len(names)))])
    return keys, {name: draw(properties(name, plain_key=name in keys, single=name in keys)) for name in names}


@st.composite
def vertices(draw: st.DrawFn, name: str) -> VertexType:
    kind = draw(st.sampled_from(["plain", "match", "minted"]))
    keys, props = draw(owned(least=0 if kind == "minted" else 1))
    optional = draw(st.booleans())
    if kind == "plain":
        parts = tuple(KeyPart(key, optional and place > 0) for place, key in enumerate(keys))
    else:
        parts = tuple(KeyPart(key) for key in keys) if kind == "match" else ()
    if kind == "minted" and "minted" in props:
        kind, parts = "plain", (KeyPart("minted"),)
        props["minted"] = Property("minted")
    alternates = ((keys[0],), keys[1:3]) if len(keys) > 1 else ()
    stances = tuple(draw(st.lists(st.sampled_from(STANCES), unique=True, max_size=3)))
    limit = draw(st.sampled_from([None, 0.9, 0.001, 0.5])) if kind == "match" else None
    return VertexType(name, Key(kind, parts, limit), draw(TEXTS), (), alternates, (), stances, MappingProxyType(props))


@st.composite
def edge_types(draw: st.DrawFn, edge_id: EdgeId) -> EdgeType:
    keys, props = draw(owned())
    return EdgeType(
        edge_id,
        description=draw(TEXTS),
        symmetric=edge_id.source == edge_id.target and draw(st.booleans()),
        key=tuple(KeyPart(key, draw(st.booleans())) for key in keys),
        stances=tuple(draw(st.lists(st.sampled_from(STANCES), unique=True, max_size=2))),
        properties=MappingProxyType(props),
    )


REPLIES = st.fixed_dictionaries(
    {},
    optional={
        "vertices": st.lists(
            st.dictionaries(
                TEXTS,
                st.recursive(
                    TEXTS | st.booleans() | st.none(), lambda inner: st.lists(inner, max_size=2), max_leaves=3
                ),
                max_size=3,
            ),
            max_size=2,
        )
    },
)


@st.composite
def schemas(draw: st.DrawFn) -> Schema:
    """A valid schema of one to three vertex types and a few relations."""
    names = draw(distinct(NAMES, least=1, most=5))
    types = names[:3]
    drawn = {name: draw(vertices(name)) for name in types}
    synonyms = tuple(names[3:])
    first = drawn[types[0]]
    drawn[types[0]] = VertexType(
        first.name, first.key, first.description, synonyms, first.alternates, (), first.stances, first.properties
    )
    relations = draw(distinct(NAMES, most=3))
    ends = st.lists(st.tuples(st.sampled_from(types), st.sampled_from(types)), min_size=1, max_size=3, unique=True)
    ids = [EdgeId(source, target, relation) for relation in relations for source, target in draw(ends)]
    return Schema(
        name=draw(st.sampled_from(["helpdesk", "NO", "1.10", "null", "år-2", "a_b"])),
        version=draw(st.sampled_from(["1.0.0", "1.10", "010", "2", "1.0.0-rc.1"])),
        description=draw(TEXTS),
        instructions=draw(TEXTS),
        defaults=Defaults(
            draw(st.sampled_from([None, "no", "en-GB", "zh-Hant"])), draw(st.sampled_from(["UTC", "Europe/Oslo"]))
        ),
        examples=tuple(Example(text, reply) for text, reply in draw(st.lists(st.tuples(FORMS, REPLIES), max_size=2))),
        vertices=MappingProxyType(drawn),
        edges=MappingProxyType({edge_id: draw(edge_types(edge_id)) for edge_id in ids}),
    )


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(schemas())
def test_a_dumped_schema_loads_back_equal(schema: Schema) -> None:
    assert parse_schema(dump_schema(schema), file=f"{schema.name}.yaml") == schema


@pytest.mark.parametrize(
    "file", sorted(FILES.glob("*.yaml")) + sorted(READY.glob("*.yaml")), ids=lambda path: path.stem
)
def test_a_real_schema_loads_back_equal(file: Path) -> None:
    schema = load_schema(file)
    text = schema.to_yaml()
    assert parse_schema(text) == schema
    assert parse_schema(text).to_yaml() == text


def test_any_yaml_reader_sees_the_same_texts() -> None:
    names = ("NO", "1.10", "010", "14:02", "yes", "null", "2024-01-01", "<<")
    properties = {name: Property(name, description=name) for name in names}
    schema = Schema("s", vertices={"ON": VertexType("ON", Key("plain", (KeyPart("NO"),)), properties=properties)})
    read = yaml.safe_load(dump_schema(schema))
    assert list(read["vertices"]["ON"]["properties"]) == list(names)
    assert [found["description"] for found in read["vertices"]["ON"]["properties"].values()] == list(names)


def test_short_forms_are_used_where_they_say_the_same() -> None:
    text = load_schema(FILES / "helpdesk.yaml").to_yaml()
    for line in (
        "    key: account",
        "    alternates: [email, [name, city]]",
        "      account: string",
        "      name: {type: string, match: name}",
        "    key: minted",
        "      labels: [string]",
        "  RAISED: {source: Customer, target: Ticket, synonyms: opened, inverse: raised by}",
        "    key: since?",
    ):
        assert f"\n{line}\n" in text
    assert "timezone" not in text
    assert "required: false" not in text


def test_a_property_called_minted_as_key_stays_one() -> None:
    schema = Schema(
        "s",
        vertices={"V": VertexType("V", Key("plain", (KeyPart("minted"),)), properties={"minted": Property("minted")})},
    )
    assert parse_schema(dump_schema(schema), file="s.yaml").vertices["V"].key == schema.vertices["V"].key


def test_bounds_keep_their_type_and_zone() -> None:
    moment = datetime(2024, 3, 1, 12, tzinfo=UTC)
    properties = {"at": Property("at", "datetime", minimum=moment), "size": Property("size", "number", maximum=1e300)}
    schema = Schema("s", vertices={"V": VertexType("V", Key("minted"), properties=properties)})
    again = parse_schema(dump_schema(schema)).vertices["V"].properties
    assert again["at"].minimum == moment
    assert again["size"].maximum == 1e300


def test_a_text_of_several_lines_is_a_block() -> None:
    schema = Schema("s", instructions="One line.\nAnother.\n", vertices={"V": VertexType("V", Key("minted"))})
    assert "instructions: |\n  One line.\n  Another.\n" in dump_schema(schema)
