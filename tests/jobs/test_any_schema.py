"""Whatever a schema becomes between two runs, the store is what a fresh ingest under the new one would make it.

Keys change their properties and their kind, properties their type, edges their ends, their direction and their key,
types come and go. Where every source is cast again nothing but ids of `match` entities may differ. Without casting
again a run must come to its end, and leave the store as the workspace says.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from job_desk import StoreAt, plain, texts
from line_model import LineModel
from neo4j_server import Database

from schemacast import ingest, retract, sync
from schemacast.episode import Episode
from schemacast.errors import StoreConflict
from schemacast.schema.load import parse_schema
from schemacast.schema.model import Schema

TEXTS = {
    "s1": "v1 Customer account=A1 email=x@y tier=gold since=2026-03-02 size=3\nv2 Customer account=A2\n"
    "v1 KNOWS v2 tier=7",
    "s2": "v1 Customer account=A1 tier=tin size=7\nv2 Shift day=2026-03-02 part=late\nv1 WORKED v2\nv1 KNOWS v1",
    "s3": "v1 Customer email=x@y since=2026-03\nv2 Company name=Orvik country=NO\nv1 WORKS_AT v2 since=2026-03-02",
    "s4": "v1 Customer account=A2 email=z@y\nv2 Escalation tier=high\nv1 RAISED v2\nv3 Customer account=A1\n"
    "v1 KNOWS v3",
}  # fmt: skip
FORMS = {
    "account": ["string", "{type: string, match: code}"],
    "email": ["string", "[string]"],
    "tier": ["string", "{type: string, keep: first}", "{type: string, keep: all}", "[string]", "integer"],
    "since": ["date", "string", "datetime"],
    "size": ["integer", "string", "number", "{type: integer, minimum: 5}", "{type: number, unit: h}"],
}
KEYS = ["account", "email", "[account, email?]", "{match: [account]}", "minted", "{match: [tier, size]}"]
COMPANY = """\
  ProbeCompany:
    synonyms: [Company]
    key: {match: [name, country]}
    properties: {name: string, country: string}
"""
SHIFT = "  ProbeShift: {{synonyms: [Shift], {}key: [day, part?], properties: {{day: date, part: string}}}}\n"
ESCALATION = "  ProbeEscalation: {{synonyms: [Escalation], key: {}, properties: {{tier: string}}}}\n"
KNOWS = """\
  KNOWS:
    source: ProbeCustomer
    target: ProbeCustomer
    symmetric: {}
    key: [{}]
    properties: {{tier: {}}}
"""
WORKS_AT = "  WORKS_AT: {{source: ProbeCustomer, target: ProbeCompany, key: [{}], properties: {{since: date}}}}\n"


@st.composite
def schemas(draw: st.DrawFn) -> Schema:
    """A version of one schema: its names stay, what they mean may not."""

    def one_of(*values: str) -> str:
        return draw(st.sampled_from(values))

    key = one_of(*KEYS)
    properties = {}
    for name, forms in FORMS.items():
        form = one_of(*forms)
        if name in key:  # a part of a key is one value, and has no `keep`
            properties[name] = "string" if "[" in form or "keep" in form else form
        elif draw(st.integers(0, 4)):
            properties[name] = form
    other = next((name for name in ("account", "email") if name not in key and properties.get(name) == "string"), None)
    vertices = f"  ProbeCustomer:\n    synonyms: [Customer]\n    key: {key}\n"
    vertices += f"    alternates: [{other}]\n" if other and draw(st.booleans()) else ""
    vertices += "    properties: {" + ", ".join(f"{name}: {form}" for name, form in properties.items()) + "}\n"
    edges = KNOWS.format(one_of("true", "false"), one_of("", "tier?"), one_of("string", "integer"))
    if draw(st.integers(0, 3)):
        vertices, edges = vertices + COMPANY, edges + WORKS_AT.format(one_of("", "since?"))
    if draw(st.integers(0, 3)):
        vertices += SHIFT.format(one_of("within: WORKED, ", ""))
        edges += "  WORKED: {source: ProbeCustomer, target: ProbeShift}\n"
    if draw(st.integers(0, 3)):
        vertices += ESCALATION.format(one_of("minted", "tier"))
        edges += "  RAISED: {source: ProbeCustomer, target: ProbeEscalation}\n"
    version = draw(st.integers(1, 3))
    return parse_schema(f"name: lines\nversion: {version}.0.0\nvertices:\n{vertices}edges:\n{edges}")


EPISODES = [Episode(source_id=name, text=text) for name, text in TEXTS.items()]
histories = st.lists(st.tuples(schemas(), st.booleans()), min_size=2, max_size=4)


def check(versions: list[tuple[Schema, bool]], database: str | None = None) -> None:
    """One workspace through versions of its schema, each with whether every source is cast anew."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        store, fresh = StoreAt(path, database), StoreAt(path)
        for number, (schema, recast) in enumerate(versions):
            options: dict[str, Any] = {"recast": "all"} if recast else {}
            workspace = path / "work.db"
            ingest(schema, EPISODES, model=LineModel(), to=store.address(), workspace=workspace, wait=0, **options)
            assert sync(workspace, to=store.address(), check=True).same
            if recast or not number:
                name = f"fresh{number}"
                ingest(schema, EPISODES, model=LineModel(), to=fresh.address(name), workspace=path / f"{name}.db")
                assert plain(store.read(schema), schema) == plain(fresh.read(schema, name), schema)
        retract(path / "work.db", list(TEXTS), to=store.address())
        assert store.read(versions[-1][0]).entities == {}


@settings(max_examples=12, deadline=None)
@given(histories)
def test_a_file_follows_its_schema(versions: list[tuple[Schema, bool]]) -> None:
    check(versions)


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(histories)
def test_a_file_follows_its_schema_through_very_many_changes(versions: list[tuple[Schema, bool]]) -> None:
    check(versions)


def customers(*properties: str, key: str = "account") -> Schema:
    return parse_schema(
        f"name: lines\nvertices:\n  ProbeCustomer:\n    synonyms: [Customer]\n    key: {key}\n"
        f"    properties: {{{', '.join(('account: string', *properties))}}}\n"
    )


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("size: number", "size: integer"),
        ("size: {type: number, unit: h}", "size: {type: number, unit: min}"),
        ("size: integer", "size: {type: integer, maximum: 5}"),
        ("size: string", "size: {type: string, pattern: '[a-z]+'}"),
        ("size: string", "size: {type: string, enum: [big, small]}"),
        ("size: {type: string, verbatim: false}", "size: string"),
        ("size: date", "size: string"),
        ("size: [string]", "size: string"),
    ],
)
def test_a_value_that_the_schema_would_no_longer_take_is_left_out_until_its_source_is_cast_again(
    tmp_path: Path, before: str, now: str
) -> None:
    value = "2026-03-02" if "date" in before else "7"
    some = texts(a=f"v1 Customer account=orvik size={value}")
    store, workspace = StoreAt(tmp_path), tmp_path / "work.db"

    def props(schema: Schema) -> dict[str, Any]:
        ingest(schema, some, model=LineModel(), to=store.address(), workspace=workspace)
        (entity,) = store.read(schema).entities.values()
        return dict(entity.props)

    assert "size" in props(customers(before))
    assert props(customers(now)) == {"account": "orvik"}
    assert "size" in props(customers(before))


@pytest.mark.neo4j
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(histories)
def test_a_database_follows_its_schema(database: Database, versions: list[tuple[Schema, bool]]) -> None:
    database.clear()
    check(versions, database.address)


def test_what_was_written_as_a_type_that_is_gone_is_taken_away_all_the_same(store: StoreAt, tmp_path: Path) -> None:
    both = parse_schema(
        "name: lines\nvertices:\n  ProbeCustomer: {synonyms: [Customer], key: account, properties: {account: string}}\n"
        "  ProbeEscalation: {synonyms: [Escalation], key: tier, properties: {tier: string}}\n"
        "edges: {RAISED: {source: ProbeCustomer, target: ProbeEscalation}}\n"
    )
    some = texts(a="v1 Customer account=orvik\nv2 Escalation tier=high\nv1 RAISED v2", b="v1 Customer account=hald")
    workspace = tmp_path / "work.db"
    ingest(both, some, model=LineModel(), to=store.address(), workspace=workspace)
    assert len(store.read(both).entities) == 3
    report = ingest(customers(), some, model=LineModel(), to=store.address(), workspace=workspace)
    assert (report.written.report.vertices.removed, report.written.report.edges.removed) == (1, 1)
    # Looked at with the schema that has the type: nothing of it has stayed behind.
    assert {entity.type for entity in store.read(both).entities.values()} == {"ProbeCustomer"}
    retract(workspace, ["a", "b"], to=store.address())
    assert store.read(both).entities == {}
    assert sync(workspace, to=store.address(), check=True).same


@pytest.mark.neo4j
def test_a_key_may_change_and_change_back_and_the_constraint_follows(database: Database, tmp_path: Path) -> None:
    database.drop_definitions()
    some = texts(a="v1 Customer account=orvik size=1", b="v1 Customer account=orvik size=2")

    def unique() -> bool:
        query = "SHOW CONSTRAINTS YIELD labelsOrTypes, properties WHERE labelsOrTypes = ['ProbeCustomer']"
        return ["account"] in [row["properties"] for row in database.run(f"{query} RETURN properties")]

    seen = []
    for key in ("account", "{match: [size]}", "minted", "account", "account"):
        schema = customers("size: integer", key=key)
        report = ingest(
            schema, some, model=LineModel(), to=database.address, workspace=tmp_path / "w.db", recast="all", wait=0
        )
        seen.append((report.written.entities, unique()))
    # Back to the key, the two that now share it go with the write, and the constraint comes with the next job.
    assert seen == [(1, True), (2, False), (2, False), (1, False), (1, True)]


@pytest.mark.neo4j
def test_a_constraint_of_someone_else_that_our_graph_breaks_is_named_with_the_record(
    database: Database, tmp_path: Path
) -> None:
    database.drop_definitions()
    database.run("CREATE CONSTRAINT probe_size FOR (x:ProbeCustomer) REQUIRE x.size IS UNIQUE")
    some = texts(a="v1 Customer account=orvik size=1", b="v1 Customer account=hald size=1")
    schema = customers("size: integer")
    try:
        with pytest.raises(StoreConflict, match=r"the record [0-9a-f]{32} is refused.*property `size` = 1"):
            ingest(schema, some, model=LineModel(), to=database.address, workspace=tmp_path / "w.db")
    finally:
        database.run("DROP CONSTRAINT probe_size")
    assert ingest(schema, some, model=LineModel(), to=database.address, workspace=tmp_path / "w.db").written.changed
