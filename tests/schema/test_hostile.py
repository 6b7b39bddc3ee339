"""Files that are no schema, or mean harm: one clear error, soon."""

from __future__ import annotations

import os
import time
from itertools import pairwise
from pathlib import Path

import pytest

from schemacast.errors import SchemaError
from schemacast.schema.load import load_schema, parse_schema

V = "vertices: {V: {key: minted}}\n"
LETTERS = "abcdefghij"


def bomb(item: str, row: str) -> str:
    """Ten lines, each holding the one before ten times."""
    lines = [f"x-a: &a {item}"]
    for before, name in pairwise(LETTERS):
        lines.append(f"x-{name}: &{name} " + row.replace("@", f"*{before}"))
    return "\n".join(lines) + "\n" + V


HOSTILE = [
    ("expanding lists", bomb("[1, 2]", "[" + ", ".join("@" * 10) + "]"), "expands to more than"),
    (
        "expanding mappings",
        bomb("{k: 1}", "{" + ", ".join(f"k{number}: @" for number in range(10)) + "}"),
        "expands to more than",
    ),
    ("expanding merges", bomb("{k: 1}", "{<<: [" + ", ".join("@" * 10) + "], k: 2}"), "expands to more than"),
    ("a list in itself", "x-a: &a [*a]\n" + V, r"\*a stands inside &a"),
    ("a mapping in itself", "&a {vertices: *a}", r"\*a stands inside &a"),
    ("a merge of itself", "vertices: &a {V: {key: minted}, <<: *a}", r"\*a stands inside &a"),
    ("an unknown alias", "vertices: *a", "there is no anchor &a"),
    ("deep lists", "[" * 1_900_000, "nest"),
    ("deep lists over lines", "[\n" * 900_000, "nested more than"),
    ("deep mappings", "{a: " * 450_000, "nested more than"),
    ("deep blocks", "- " * 900_000, "nested more than"),
    ("deep keys", "? " * 900_000, "nested more than"),
    ("deep json", '{"a":' * 350_000, "nested more than"),
    ("deep by aliases", "x-0: &a0 [1]\n" + "".join(f"x-{n}: &a{n} [*a{n - 1}]\n" for n in range(1, 90)) + V, "nested"),
    ("too many items", "vertices:\n" + "  V: {key: minted}\n" * 60_000, "expands to more than"),
    ("a python object", "vertices: !!python/object/apply:os.system [echo]", "tags such as '!!python/object"),
    ("a custom tag", "vertices: {V: !mine {key: minted}}", "tags such as '!mine'"),
    ("a tag on a scalar", "version: !!float 1\n" + V, "tags such as '!!float'"),
    ("two documents", V + "---\n" + V, "a second document begins here"),
    ("a list as key", "vertices: {[a]: {key: minted}}", "a key must be plain text"),
    ("a merge of text", "vertices: {V: {key: minted, <<: no}}", "`<<` takes a mapping"),
    ("a tab", "vertices:\n\tV: 1", "with spaces, not with a tab"),
    ("a colon in a text", V + "description: one: two", "a text with `: ` in it must be quoted"),
    ("a text with an at", V + "description: @home", "begins with '@' must be quoted"),
    ("an open quote", V + "description: 'a", "not readable as YAML"),
    ("a bell", V + "description: '\x07'", r"the character U\+0007"),
    ("half a pair", V + "description: '\ud800'", r"the character U\+D800"),
    ("only a comment", "# nothing\n", "the file is empty"),
    ("only null", "null", "the file is empty"),
    ("blanks", " \n" * 900_000, "the file is empty"),
    ("unknown fields", V + "".join(f"kay{number}: 1\n" for number in range(30_000)), "and 29,500 more mistakes"),
    ("one long word", V + "x" * 1_900_000, "not readable as YAML"),
    ("quadratic repeats", V.replace("minted", "a, properties: {a: {pattern: '(\\w{1,99}){1,99}'}}"), "too many poss"),
    (
        "many bad patterns",
        "vertices: {V: {key: minted, properties: {"
        + ", ".join(f"p{n}: {{pattern: '(\\w{{1,100}}){{1,{n + 50}}}'}}" for n in range(900))
        + "}}}",
        "more mistakes|too many",
    ),
]


@pytest.mark.parametrize(("text", "part"), [row[1:] for row in HOSTILE], ids=[row[0] for row in HOSTILE])
def test_a_hostile_text_is_refused_soon(text: str, part: str) -> None:
    start = time.process_time()
    with pytest.raises(SchemaError, match=part):
        parse_schema(text)
    assert time.process_time() - start < 5  # generous: the slowest takes a tenth of it


@pytest.mark.parametrize("count", [400, 4000])
def test_long_chains_of_owners_are_followed_without_recursion(count: int) -> None:
    vertices = "".join(f"  V{n}: {{within: E{n}}}\n" for n in range(count))
    edges = "".join(f"  E{n}: {{source: V{n}, target: V{n + 1}}}\n" for n in range(count))
    schema = parse_schema(f"vertices:\n{vertices}  V{count}: {{key: minted}}\nedges:\n{edges}")
    assert len(schema.edges) == count


FILES = [
    ("empty", b"", "the file is empty"),
    ("binary", b"\x89PNG\r\n\x1a\n\x00\x00\xff", "is a binary file"),
    ("nul", b"vertices: \x00", "has a NUL byte"),
    ("latin", b"vertices: {}\ndescription: \xe5\n", ":2: is not UTF-8 \\(byte 0xE5\\)"),
    ("utf16", V.encode("utf-16"), "is UTF-16; save it as UTF-8"),
    ("large", b"#" * 2_000_001, "2.0 MB; a schema file may have 2 MB at most"),
]


@pytest.mark.parametrize(("content", "part"), [row[1:] for row in FILES], ids=[row[0] for row in FILES])
def test_a_file_that_is_no_text_is_refused_by_what_it_is(tmp_path: Path, content: bytes, part: str) -> None:
    file = tmp_path / "s.yaml"
    file.write_bytes(content)
    with pytest.raises(SchemaError, match=part) as caught:
        load_schema(file)
    assert str(caught.value).startswith(f"{file}:")
    assert "\n" not in str(caught.value)


def test_fifty_megabytes_are_refused_without_reading_them(tmp_path: Path) -> None:
    file = tmp_path / "s.yaml"
    with file.open("wb") as stream:
        stream.truncate(50_000_000)
    with pytest.raises(SchemaError, match=r"is 50\.0 MB"):
        load_schema(file)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs /dev/zero")
def test_an_endless_file_is_read_no_further_than_the_limit() -> None:
    with pytest.raises(SchemaError, match="may have 2 MB at most"):
        load_schema("/dev/zero")


def test_a_byte_order_mark_is_dropped_and_moves_no_column(tmp_path: Path) -> None:
    file = tmp_path / "s.yaml"
    file.write_bytes(b"\xef\xbb\xbf" + V.encode())
    assert load_schema(file).name == "s"
    file.write_bytes(b"\xef\xbb\xbfverson: 1\n" + V.encode())
    with pytest.raises(SchemaError, match=r"s\.yaml:1:1: "):
        load_schema(file)


def test_windows_line_ends_count_as_one() -> None:
    with pytest.raises(SchemaError, match=":2:1: "):
        parse_schema("version: 1\r\nverson: 1\r\n" + V)


def test_a_directory_and_a_missing_file_are_named(tmp_path: Path) -> None:
    (tmp_path / "helpdesk.yaml").write_text(V)
    with pytest.raises(SchemaError, match="is a directory; name the schema file in it"):
        load_schema(tmp_path)
    with pytest.raises(SchemaError, match=r"there is no such file; did you mean 'helpdesk.yaml'\?"):
        load_schema(tmp_path / "helpdsk.yaml")
    with pytest.raises(SchemaError, match="there is no such file"):
        load_schema(tmp_path / "no" / "such.yaml")
    with pytest.raises(SchemaError, match="cannot be read"):
        load_schema("a\0b")


@pytest.mark.skipif(os.geteuid() == 0 if hasattr(os, "geteuid") else True, reason="root may read everything")
def test_a_file_without_permission_is_named(tmp_path: Path) -> None:
    file = tmp_path / "s.yaml"
    file.write_text(V)
    file.chmod(0)
    with pytest.raises(SchemaError, match="check its permissions"):
        load_schema(file)
