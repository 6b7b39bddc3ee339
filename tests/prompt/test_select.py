"""Which part of a long schema is shown, and that every part is a schema of its own."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from schemacast.cast.reply_type import reply_type
from schemacast.cast.select import WHOLE_BELOW, select
from schemacast.schema.load import parse_schema
from schemacast.schema.model import Schema
from schemacast.schema.sheet import sheet

FIRST = ("Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Ginkgo", "Hazel", "Ivory", "Juniper")
SECOND = (
    *("Pump", "Valve", "Motor", "Crane", "Drill", "Engine", "Boiler", "Filter", "Sensor", "Turbine"),
    *("Winch", "Gasket", "Rotor", "Clamp", "Hoist", "Press", "Lathe", "Mixer", "Chute", "Hopper"),
)
WORDS = [f"{first}{second}" for first in FIRST for second in SECOND]


def big() -> Schema:
    """Two hundred types; each third is identified inside the one before it."""
    vertices, edges = [], []
    for number, name in enumerate(WORDS):
        within = f"within: HOLDS_{number}, " if number % 3 == 2 else ""
        vertices.append(
            f"  {name}: {{{within}key: [code, line?], alternates: [serial], synonyms: [gadget{number}], "
            f"properties: {{code: {{type: string, pattern: 'Q{chr(65 + number % 26)}X{number}-\\d+'}}, line: string, "
            f"serial: string, colour{number}: string, mode: {{type: string, enum: {{run: [running]}}}}}}}}\n"
        )
        if number:
            edges.append(f"  HOLDS_{number}: {{source: {WORDS[number - 1]}, target: {name}}}\n")
        if number % 10 == 0 and number:
            edges.append(f"  FEEDS_{number}: {{source: {WORDS[0]}, target: {name}}}\n")
    return parse_schema(f"name: big\nvertices:\n{''.join(vertices)}edges:\n{''.join(edges)}")


BIG = big()
FULL = sheet(BIG)


def check(part: Schema) -> None:
    assert part.name == BIG.name
    assert part.version == BIG.version
    for name, vertex in part.vertices.items():
        assert vertex == BIG.vertices[name]
        assert [edge.id for edge in part.owners(name)] == [edge.id for edge in BIG.owners(name)]
    for key in BIG.edges:
        assert (key in part.edges) == (key.source in part.vertices and key.target in part.vertices)
    assert list(part.vertices) == [name for name in BIG.vertices if name in part.vertices]
    assert parse_schema(part.to_yaml()) == part


def test_a_schema_with_a_short_sheet_is_never_sliced() -> None:
    small = parse_schema("name: t\nvertices: {Town: {key: name, properties: {name: string}}}\n")
    assert select(small, "anything").schema is small
    assert not select(small, "anything").why


def test_a_long_schema_is_cut_to_a_valid_one_that_holds_what_the_text_names() -> None:
    assert len(FULL) > 4 * WHOLE_BELOW
    chosen = select(BIG, "The hazel pump is leaking, gadget7 was moved and QLX11-204 is running.")
    check(chosen.schema)
    assert {"HazelPump", WORDS[7], WORDS[11]} <= set(chosen.schema.vertices)
    assert len(sheet(chosen.schema)) <= 4 * WHOLE_BELOW
    assert len(chosen.schema.vertices) < len(BIG.vertices)
    assert set(chosen.why) == set(chosen.schema.vertices)
    assert chosen.why["HazelPump"] == "the text says 'HazelPump'"
    assert "HOLDS_11" in chosen.why[WORDS[10]]


def test_a_text_that_names_nothing_still_gets_as_much_as_fits() -> None:
    chosen = select(BIG, "???")
    check(chosen.schema)
    assert WORDS[0] in chosen.schema.vertices
    assert 3 * WHOLE_BELOW < len(sheet(chosen.schema)) <= 4 * WHOLE_BELOW


def test_what_a_text_names_outright_is_kept_at_any_length() -> None:
    chosen = select(BIG, " ".join(f"gadget{number}" for number in range(150)))
    check(chosen.schema)
    assert set(WORDS[:150]) <= set(chosen.schema.vertices)
    everything = select(BIG, " ".join(f"gadget{number}" for number in range(200)))
    assert everything.schema is BIG


def test_the_slice_is_the_same_object_for_the_same_types_and_the_same_for_the_same_text() -> None:
    one, two = select(BIG, "the hazel pump"), select(BIG, "A hazel pump!")
    assert one.schema is two.schema
    assert reply_type(one.schema) is reply_type(two.schema)
    again = select(big(), "the hazel pump")
    assert sheet(again.schema) == sheet(one.schema)
    assert again.why == one.why


def test_types_asked_for_are_kept_whatever_the_text_says() -> None:
    assert WORDS[199] not in select(BIG, "the hazel pump").schema.vertices
    assert WORDS[199] in select(BIG, "the hazel pump", keep=[WORDS[199], "Nothing"]).schema.vertices


def test_a_phrase_that_would_name_half_the_schema_names_nothing() -> None:
    assert select(BIG, "running").schema is select(BIG, "it runs").schema
    assert len(select(BIG, "running").schema.vertices) < 100


def test_names_in_scripts_without_spaces_are_found() -> None:
    entries = "".join(
        f"  T{number}: {{key: k, synonyms: [{word}], properties: {{k: string, {'p' * 50}{number}: string}}}}\n"
        for number, word in enumerate([*(f"装置{chr(0x4E00 + n)}" for n in range(150)), "ポンプ"])
    )
    schema = parse_schema(f"name: ja\nvertices:\n{entries}")
    assert len(sheet(schema)) > 4 * WHOLE_BELOW
    chosen = select(schema, "第二ポンプが停止した。")
    assert "T150" in chosen.schema.vertices
    assert len(chosen.schema.vertices) < 151


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.sampled_from([*WORDS, "gadget3", "colour9", "running", "the", "of"]), max_size=30), st.text(max_size=30)
)
def test_every_slice_is_a_valid_schema(words: list[str], noise: str) -> None:
    chosen = select(BIG, " ".join([*words, noise])).schema
    assert set(words) & set(WORDS) <= set(chosen.vertices)
    for name in chosen.vertices:
        assert [edge.id for edge in chosen.owners(name)] == [edge.id for edge in BIG.owners(name)]
