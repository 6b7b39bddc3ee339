"""Reading episodes from files: what is kept, what is refused, and that it is all found before the first one."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schemacast.episode import Episode, without_surrogates
from schemacast.episode_reader import read_episodes
from schemacast.errors import InputError
from schemacast.schema.load import parse_schema


def write(path: Path, *lines: str | bytes) -> Path:
    path.write_bytes(b"\n".join(line if isinstance(line, bytes) else line.encode() for line in lines))
    return path


def line(**fields: object) -> str:
    return json.dumps({"source_id": "a", "text": "t", **fields})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "episodes.jsonl"


def test_every_field_is_read(file: Path) -> None:
    write(
        file,
        json.dumps(
            {
                "source_id": "m-1",
                "text": "HD-2 is open.",
                "reference_time": "2026-03-02T09:00:00+01:00",
                "locale": "en",
                "metadata": {"url": "https://example.invalid/1", "tags": [1, None]},
                "context": [{"source_id": "m-0", "text": "Hello"}],
                "known": {
                    "vertices": [{"ref": "k1", "type": "Ticket", "properties": {"number": "HD-2"}, "label": "it"}],
                    "edges": [{"relation": "R", "from": "k1", "to": "k1", "properties": {}}],
                },
            }
        ),
    )
    (episode,) = read_episodes(file)
    assert episode.context[0].source_id == "m-0"
    assert episode.known.vertices[0].properties == {"number": "HD-2"}
    assert (episode.known.edges[0].source, episode.known.edges[0].target) == ("k1", "k1")
    assert episode.reference_time is not None
    assert episode.reference_time.isoformat() == "2026-03-02T09:00:00+01:00"


@pytest.mark.parametrize(
    "text",
    ["a\r\nb", "\ufeffa", "a\u2028b\u2029c\x85d", "a\rb", "  a  ", "a\tb\n\n", "\U0001f600", "e\u0301"],
)
def test_the_text_is_kept_character_for_character(file: Path, text: str) -> None:
    write(file, line(text=text), json.dumps({"source_id": "b", "text": text}, ensure_ascii=False))
    assert [episode.text for episode in read_episodes(file)] == [text, text]


def test_a_lone_surrogate_becomes_the_replacement_character_and_offsets_hold(file: Path) -> None:
    write(file, '{"source_id": "a", "text": "x\\ud800y \\ud83d\\ude00 z\\udc00"}')
    (episode,) = read_episodes(file)
    assert episode.text == "x\ufffdy \U0001f600 z\ufffd"


@given(st.text(alphabet=st.characters(), min_size=1))
def test_replacing_surrogates_keeps_length_and_every_other_character(text: str) -> None:
    clean = without_surrogates(text)
    assert len(clean) == len(text)
    clean.encode()
    assert all(a == b or (b == "\ufffd" and "\ud800" <= a <= "\udfff") for a, b in zip(text, clean, strict=True))


def test_a_byte_order_mark_before_the_first_line_and_blank_lines_are_skipped(file: Path) -> None:
    write(file, b"\xef\xbb\xbf" + line().encode(), "", "   ", line(source_id="b"), "")
    episodes = read_episodes(file)
    assert [episode.source_id for episode in episodes] == ["a", "b"]
    assert len(episodes) == 2


def test_every_bad_line_and_every_doubled_id_is_reported_in_one_go(file: Path) -> None:
    write(
        file,
        line(),
        "{",
        "[]",
        line(source_id="b", txt="x"),
        '{"source_id": "c"}',
        line(),
        b'{"source_id": "\xff", "text": "t"}',
        line(source_id="d", text=" \n"),
        line(source_id="e", reference_time="yesterday"),
        line(source_id="f", reference_time=0),
        line(source_id=7),
        line(source_id="g", part_of="x"),
        '{"source_id": "h", "text": "t", "text": "u"}',
        '{"source_id": "i", "text": "t", "metadata": {"n": NaN}}',
        line(source_id=""),
    )
    with pytest.raises(InputError) as raised:
        read_episodes(file)
    problems = {problem.line: problem.message for problem in raised.value.problems}
    assert sorted(problems) == [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    for number, part in {
        2: "is not JSON",
        3: "is no object",
        4: "did you mean 'text'?",
        5: "text is missing",
        6: "stands on line 1 already",
        7: "is not UTF-8",
        8: "text must not be blank",
        9: "is no ISO 8601",
        10: "must be ISO 8601 text",
        11: "source_id",
        12: "part_of is reserved",
        13: "text stands twice",
        14: "NaN is not JSON",
        15: "source_id must not be blank",
    }.items():
        assert part in problems[number], problems[number]
    assert all("\n" not in message for message in problems.values())


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b"", "holds no episode"),
        (b"\n\n", "holds no episode"),
        (b"\x00\x01\x02", "is not text"),
        ("\ufeff{}".encode("utf-16-le"), "is UTF-16"),
        (b"[" * 100_000, "nested too deeply"),
    ],
)
def test_a_file_that_is_no_episode_file_says_so(file: Path, content: bytes, part: str) -> None:
    file.write_bytes(content)
    with pytest.raises(InputError, match=part):
        read_episodes(file)


def test_a_missing_file_a_directory_and_a_forbidden_file_say_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_episodes(tmp_path / "none.jsonl")
    with pytest.raises(InputError, match="is a directory"):
        read_episodes(tmp_path)
    secret = write(tmp_path / "secret.jsonl", line())
    secret.chmod(0)
    if os.access(secret, os.R_OK):
        pytest.skip("this user may read everything")
    with pytest.raises(InputError, match="no permission"):
        read_episodes(secret)


def test_many_problems_are_summed_up_but_all_kept(file: Path) -> None:
    write(file, *["{"] * 50)
    with pytest.raises(InputError) as raised:
        read_episodes(file)
    assert len(raised.value.problems) == 50
    assert str(raised.value).splitlines()[-1] == "and 30 more"


def test_a_pipe_can_be_read_twice(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=write, args=(pipe, line(), line(source_id="b")))
    writer.start()
    episodes = read_episodes(pipe)
    writer.join()
    assert [episode.source_id for episode in episodes] == ["a", "b"]
    assert [episode.source_id for episode in episodes] == ["a", "b"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(st.lists(st.text(min_size=1).filter(str.strip), min_size=1, max_size=5))
def test_whatever_text_json_can_hold_comes_back(file: Path, texts: list[str]) -> None:
    lines = [json.dumps({"source_id": str(number), "text": text}) for number, text in enumerate(texts)]
    write(file, *lines)
    assert [episode.text for episode in read_episodes(file)] == [without_surrogates(text) for text in texts]


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "0001-01-01"])
def test_a_moment_that_has_no_time_in_some_zone_is_refused(tmp_path: Path, moment: str) -> None:
    path = tmp_path / "episodes.jsonl"
    path.write_text(json.dumps({"source_id": "a", "text": "b", "reference_time": moment}), encoding="utf-8")
    with pytest.raises(InputError, match="reference_time"):
        read_episodes(path)


@pytest.mark.parametrize(("locale", "read"), [("de_DE", "de_DE"), ("en-GB", "en-GB"), ("", None), (" ", None)])
def test_a_locale_as_systems_write_it_is_taken_and_a_blank_one_is_none(locale: str, read: str | None) -> None:
    assert Episode(source_id="a", text="b", locale=locale).locale == read


def test_a_locale_that_nothing_understands_is_told(tmp_path: Path) -> None:
    path = tmp_path / "episodes.jsonl"
    path.write_text('{"source_id": "a", "text": "b", "locale": "german"}', encoding="utf-8")
    with pytest.raises(InputError, match="locale 'german' is no locale"):
        read_episodes(path)


def test_a_field_that_is_null_is_absent_and_a_ref_may_be_a_number(tmp_path: Path) -> None:
    path = tmp_path / "episodes.jsonl"
    known = {
        "vertices": [{"ref": 1, "type": "Agent", "properties": None, "label": None}, {"ref": "2", "type": "Agent"}],
        "edges": [{"relation": "PEER", "from": 1, "to": 2, "properties": None}],
    }
    absent = dict.fromkeys(("reference_time", "locale", "metadata", "context"))
    lines = [{"source_id": "a", "text": "b", **absent, "known": known}, {"source_id": "c", "text": "d", "known": None}]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    first, second = read_episodes(path)
    assert (first.context, first.metadata, second.known.vertices) == ((), {}, ())
    assert [vertex.ref for vertex in first.known.vertices] == ["1", "2"]
    assert (first.known.edges[0].source, first.known.edges[0].target) == ("1", "2")


@pytest.mark.parametrize(
    ("field", "part"),
    [
        ('"text": null', "text: input should be a valid string"),
        ('"text": "b", "context": [{"source_id": "c", "text": "x"}, {"source_id": "c", "text": "y"}]', "two items"),
        ('"text": "b", "metadata": {"a": ' + "[" * 400 + "]" * 400 + "}", "metadata.a"),
        ('"text": "b", "known": {"vertices": [{"ref": true, "type": "Agent"}]}', "known.vertices.0.ref"),
    ],
)
def test_what_would_be_ambiguous_or_endless_is_told_in_a_line(tmp_path: Path, field: str, part: str) -> None:
    path = tmp_path / "episodes.jsonl"
    path.write_text(f'{{"source_id": "a", {field}}}', encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_episodes(path)
    assert part in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("later", ['{"source_id": "a", "te', '{"source_id": "a", "text": ""}\n', "", "\xff\n"])
def test_a_file_that_changes_after_it_was_checked_is_told(tmp_path: Path, later: str) -> None:
    path = tmp_path / "episodes.jsonl"
    path.write_text('{"source_id": "a", "text": "b"}\n{"source_id": "c", "text": "d"}\n', encoding="utf-8")
    episodes = read_episodes(path)
    path.write_bytes(later.encode("latin-1"))
    with pytest.raises(InputError, match="since it was checked; run again"):
        list(episodes)


def test_what_is_added_to_a_file_while_it_is_cast_is_left_for_the_next_cast(tmp_path: Path) -> None:
    path = tmp_path / "episodes.jsonl"
    path.write_text('{"source_id": "a", "text": "b"}\n', encoding="utf-8")
    episodes = read_episodes(path)
    with path.open("a", encoding="utf-8") as file:
        file.write('{"source_id": "a", "text": "b"}\n{"source')
    assert [episode.source_id for episode in episodes] == ["a"]
    assert len(episodes) == 1


def test_a_known_type_or_relation_that_the_given_schema_lacks_is_told_with_its_line(
    file: Path,
) -> None:
    schema = parse_schema(
        "name: s\nvertices:\n  Customer: {key: a, synonyms: [client], properties: {a: string}}\n"
        "edges: {KNOWS: {source: Customer, target: Customer, inverse: [known by]}}\n"
    )
    entity = {"ref": "k", "properties": {"a": "x"}}
    known = [
        {"vertices": [{**entity, "type": "Client"}], "edges": [{"relation": "known_by", "from": "k", "to": "k"}]},
        {"vertices": [{**entity, "type": "Custmer"}]},
        {"vertices": [{**entity, "type": "customer"}], "edges": [{"relation": "KNOW", "from": "k", "to": "k"}]},
    ]
    rows = [{"source_id": f"s{number}", "text": "Hi.", "known": one} for number, one in enumerate(known)]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert len(read_episodes(file)) == 3
    with pytest.raises(InputError) as raised:
        read_episodes(file, schema=schema)
    assert [(problem.line, problem.message) for problem in raised.value.problems] == [
        (2, "known: the schema has no vertex type 'Custmer'; did you mean 'Customer'?"),
        (3, "known: the schema has no relation 'KNOW'; did you mean 'KNOWS'?"),
    ]
