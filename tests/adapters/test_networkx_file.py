"""The graph file: what it looks like, and what happens when the disk or another process is in the way."""

from __future__ import annotations

import gc
import json
import multiprocessing
import os
import resource
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import networkx
import pytest

from schemacast.adapters import Counts, open_adapter
from schemacast.conformance_graphs import SCHEMA, edge, graph, person, ticket
from schemacast.errors import InputError, OutputError, SchemaCastError, UsageError
from schemacast.graph import Entity, Graph
from schemacast.schema.model import Property, VertexType

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs fork and its limits")


def write(path: Path, *items: Any) -> None:
    with open_adapter(f"networkx:{path}", SCHEMA) as store:
        store.prepare()
        store.write(graph(*items))


def in_a_process(work: Callable[[], None]) -> str:
    """Do some work in a process of its own; the message of the error it ends with, or nothing."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)

    def run() -> None:
        try:
            work()
            sender.send("")
        except SchemaCastError as error:
            sender.send(f"{type(error).__name__} {error.exit_code} {error}")
        except BaseException as error:  # noqa: BLE001 - whatever it is, the test shows it
            sender.send(f"unexpected {error!r}")

    process = context.Process(target=run)
    process.start()
    message: str = receiver.recv()
    process.join()
    return message


def test_the_file_is_what_networkx_reads_as_a_multigraph(tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    one, two = person(1), ticket(1, due="2024-03", labels=("a",))
    links = [edge(1, "HANDLES", one, two), edge(2, "CITES", one, two), edge(3, "REPORTS_TO", one, one)]
    write(path, one, two, *links)
    loaded = networkx.node_link_graph(json.loads(path.read_text(encoding="utf-8")), edges="edges")
    assert isinstance(loaded, networkx.MultiDiGraph)
    assert loaded.number_of_edges() == 3
    assert loaded.nodes[two.id] == {
        "type": "ConformanceTicket",
        "props": {"due_partial": "2024-03", "labels": ["a"], "number": "HD-1"},
        "aliases": [],
        "stance": None,
    }
    assert loaded.edges[one.id, two.id, links[0].id]["edge_id"] == list(links[0].edge_id)
    with open_adapter(f"networkx:{path}", SCHEMA) as store:
        live = store.graph  # type: ignore[attr-defined]
        assert networkx.utils.graphs_equal(live, loaded)
        assert live.graph == {"schema_ref": "conformance@1.0.0"}


def test_the_bytes_do_not_depend_on_the_order_of_writing(tmp_path: Path) -> None:
    items = [person(1, name="Østlund"), person(2), edge(1, "REPORTS_TO", person(1), person(2))]
    write(tmp_path / "a.json", *items)
    write(tmp_path / "b.json", items[1])
    write(tmp_path / "b.json", *reversed(items))
    content = (tmp_path / "a.json").read_bytes()
    assert content == (tmp_path / "b.json").read_bytes()
    assert "Østlund" in content.decode()
    data = json.loads(content)
    assert json.loads(json.dumps(graph(*items).to_json())) == data
    assert list(data) == sorted(data)


def test_a_second_write_of_the_same_does_not_touch_the_file(tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    write(path, person(1))
    before = path.stat()
    write(path, person(1))
    after = path.stat()
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)
    assert [each.name for each in tmp_path.iterdir()] == ["graph.json"]


def test_opening_makes_nothing_and_an_empty_graph_makes_a_file(tmp_path: Path) -> None:
    path = tmp_path / "new" / "graph.json"
    open_adapter(f"networkx:{path}", SCHEMA).close()
    assert not path.parent.exists()
    write(path)
    assert json.loads(path.read_text())["nodes"] == []


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00\xff\xfe",
        b"[]",
        b"{}",
        b"nodes",
        b"[" * 100_000,
        b'{"directed": true, "multigraph": true, "graph": {}, "nodes": [], "edges": []}',
        b'{"directed": false, "multigraph": true, "graph": {"schema_ref": "conformance@1"}, "nodes": [], "edges": []}',
        b'{"directed": true, "multigraph": true, "graph": {"schema_ref": "other@1.0.0"}, "nodes": [], "edges": []}',
        b'{"directed": true, "multigraph": true, "graph": {"schema_ref": "conformance@1"}, "nodes": [5], "edges": []}',
        b'{"directed": true, "multigraph": true, "graph": {"schema_ref": "conformance@1"}, "nodes": [{"id": "a"}], '
        b'"edges": []}',
        b'{"directed": true, "multigraph": true, "graph": {"schema_ref": "conformance@1.0.0"}, "edges": [], "nodes": '
        b'[{"id": "a", "type": "ConformanceTicket", "props": {"severity": 1}, "aliases": [5], "stance": null}]}',
        b'{"directed": true, "multigraph": true, "graph": {"schema_ref": "conformance@1"}, "nodes": [], "edges": '
        b'[{"source": "a", "target": "b", "key": "c", "props": {}, "stance": null, '
        b'"edge_id": ["ConformancePerson", "ConformancePerson", "REPORTS_TO"]}]}',
    ],
)
def test_a_file_that_is_no_graph_of_the_schema_is_named_in_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "graph.json"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        open_adapter(f"networkx:{path}", SCHEMA)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == content


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="is a folder; give the path of a file") as caught:
        open_adapter(f"networkx:{tmp_path}", SCHEMA)
    assert caught.value.exit_code == 2


def test_a_file_where_a_folder_should_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with open_adapter(f"networkx:{tmp_path / 'file' / 'graph.json'}", SCHEMA) as store:
        with pytest.raises(OutputError, match="cannot be written") as caught:
            store.prepare()
        assert caught.value.exit_code == 2


@posix
def test_a_disk_that_takes_no_more_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    write(path, person(1))
    before = path.read_bytes()

    def fill() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
        with open_adapter(f"networkx:{path}", SCHEMA) as store:
            try:
                store.write(graph(*(person(number) for number in range(1_000))))
            finally:
                assert list(store.read().entities) == [person(1).id]

    message = in_a_process(fill)
    assert message.startswith(f"OutputError 3 {path}: cannot be written: ")
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["graph.json"]


@posix
@pytest.mark.parametrize("prepare", [True, False])
@pytest.mark.parametrize("closed", ["folder", "file"])
def test_a_place_without_permission_exits_with_a_person_needed(tmp_path: Path, prepare: bool, closed: str) -> None:
    path = tmp_path / "closed" / "graph.json"
    if closed == "file":
        write(path, person(2))
        path.chmod(0o444)
    else:
        path.parent.mkdir()
    path.parent.chmod(0o777 if closed == "file" else 0o555)
    tmp_path.chmod(0o755)
    before = path.read_bytes() if closed == "file" else b""

    def work() -> None:
        if os.geteuid() == 0:
            os.setuid(65534)
        with open_adapter(f"networkx:{path}", SCHEMA) as store:
            if prepare:
                store.prepare()
            store.write(graph(person(1)))

    if os.geteuid() == 0:
        for folder in (tmp_path, *tmp_path.parents):
            if folder != Path("/") and folder.stat().st_uid == 0 and str(folder).startswith("/tmp/"):
                folder.chmod(folder.stat().st_mode | 0o055)
    assert in_a_process(work).startswith(f"OutputError 4 {path}: cannot be written: Permission denied")
    assert closed == "folder" or path.read_bytes() == before


@posix
def test_writers_in_several_processes_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    hub = person(0)
    write(path, hub)
    context = multiprocessing.get_context("fork")

    def work(number: int) -> None:
        with open_adapter(f"networkx:{path}", SCHEMA) as store:
            for step in range(10):
                other = person(100 * number + step)
                store.write(graph(other, edge(100 * number + step, "REPORTS_TO", other, hub)))

    processes = [context.Process(target=work, args=(number,)) for number in range(1, 5)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    with open_adapter(f"networkx:{path}", SCHEMA) as store:
        assert len(store.read().entities) == 41
        assert len(store.read().edges) == 40
    assert [each.name for each in tmp_path.iterdir()] == ["graph.json"]


def test_two_open_stores_see_each_others_writes_when_they_write(tmp_path: Path) -> None:
    address = f"networkx:{tmp_path / 'graph.json'}"
    with open_adapter(address, SCHEMA) as one, open_adapter(address, SCHEMA) as two:
        one.write(graph(person(1)))
        assert two.write(graph(person(1), person(2))).vertices == Counts(created=1, unchanged=1)
        assert one.remove([person(2).id]).vertices == Counts(removed=1)
        assert list(two.read().entities) == [person(1).id, person(2).id]
        assert two.write(graph()) == two.write(graph())
        assert list(two.read().entities) == [person(1).id]


def test_a_link_is_followed_and_the_mode_of_the_file_is_kept(tmp_path: Path) -> None:
    real, link = tmp_path / "real" / "graph.json", tmp_path / "graph.json"
    write(real, person(1))
    real.chmod(0o640)
    link.symlink_to(real)
    write(link, person(1), person(2))
    assert link.is_symlink()
    assert len(json.loads(real.read_text())["nodes"]) == 2
    assert real.stat().st_mode & 0o777 == 0o640


def test_what_the_schema_no_longer_declares_stays_until_its_entity_is_written_again(tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    one, two = person(1, name="Ada", city="Oslo"), person(2, city="Hald")
    write(path, one, two, ticket(1), edge(1, "HANDLES", one, ticket(1)), edge(2, "REPORTS_TO", one, two))
    kept = {name: each for name, each in SCHEMA.vertices[one.type].properties.items() if name != "city"}
    smaller = replace(
        SCHEMA,
        version="2.0.0",
        vertices={one.type: replace(SCHEMA.vertices[one.type], properties=kept)},
        edges={key: each for key, each in SCHEMA.edges.items() if key.relation == "REPORTS_TO"},
    )
    with open_adapter(f"networkx:{path}", smaller) as store:
        read = store.read()
        assert [dict(entity.props) for entity in read.entities.values()] == [
            {"handle": "h1", "name": "Ada"},
            {"handle": "h2"},
        ]
        assert len(read.edges) == 1
        changed = Graph(smaller.ref, {two.id: Entity(two.id, two.type, {"handle": "h2"})})
        assert store.write(changed).vertices == Counts(changed=1)
    nodes = {node["id"]: node["props"] for node in json.loads(path.read_text())["nodes"]}
    assert nodes[one.id] == {"handle": "h1", "name": "Ada", "city": "Oslo"}
    assert nodes[two.id] == {"handle": "h2"}
    assert len(nodes) == 3
    with open_adapter(f"networkx:{path}", smaller) as store:
        assert store.remove([ticket(1).id]).edges == Counts(removed=1)


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    store = open_adapter(f"networkx:{tmp_path / 'graph.json'}", SCHEMA)
    store.close()
    for call in (store.read, lambda: store.write(graph()), lambda: store.entities([])):
        with pytest.raises(UsageError, match="is closed"):
            call()


def test_a_key_whose_type_gains_a_property_reads_an_old_file(tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    write(path, person(1))
    person_type: VertexType = SCHEMA.vertices[person(1).type]
    grown = replace(person_type, properties={**person_type.properties, "new": Property("new")})
    newer = replace(SCHEMA, vertices={**SCHEMA.vertices, person_type.name: grown})
    with open_adapter(f"networkx:{path}", newer) as store:
        assert list(store.read().entities) == [person(1).id]


def test_a_value_of_another_type_than_declared_is_not_shown_and_stays_until_its_entity_is_written(
    tmp_path: Path,
) -> None:
    # A schema may change a property's type without changing its own version.
    path = tmp_path / "graph.json"
    one = ticket(1, severity=2)
    write(path, one)
    path.write_text(path.read_text().replace('"severity": 2', '"severity": "two"'))
    with open_adapter(f"networkx:{path}", SCHEMA) as store:
        assert "severity" not in store.read().entities[one.id].props
        store.write(graph(person(1)))
        assert '"severity": "two"' in path.read_text()
        store.write(graph(one))
        assert store.read().entities[one.id] == one
    assert '"severity": "two"' not in path.read_text()


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to every value of a JSON object but the whole."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, item in inner:
        yield (*path, name)
        yield from places(item, (*path, name))


@pytest.mark.parametrize("wrong", [None, True, 5, -1.5, "x", "\ud800", [], {}, [1]], ids=ascii)
def test_whatever_is_wrong_in_a_file_is_an_error_of_ours_and_leaves_it_as_it_was(tmp_path: Path, wrong: Any) -> None:
    path = tmp_path / "graph.json"
    one, two = person(1, aliases=("old",)), ticket(1, due="2024-03", labels=("a",))
    items = (one, two, edge(1, "HANDLES", one, two), edge(2, "CITES", one, two))
    write(path, *items)
    whole = path.read_text()
    for place in places(json.loads(whole)):
        changed = json.loads(whole)
        inner = changed
        for name in place[:-1]:
            inner = inner[name]
        inner[place[-1]] = wrong
        path.write_text(json.dumps(changed))
        before = path.read_bytes()
        told = None
        try:
            write(path, *items)
        except SchemaCastError as error:
            told = str(error)
        assert told is None or (told.startswith(str(path)) and "\n" not in told)
        assert told is None or path.read_bytes() == before
        assert [left.name for left in tmp_path.iterdir()] == ["graph.json"]


def test_looking_whether_a_file_can_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    with open_adapter(f"networkx:{tmp_path / 'new' / 'deep' / 'graph.json'}", SCHEMA) as store:
        store.prepare()
        assert list(tmp_path.iterdir()) == []
        store.write(graph(person(1)))
    assert (tmp_path / "new" / "deep" / "graph.json").exists()


def test_a_home_that_nobody_has_is_a_wrong_address() -> None:
    with pytest.raises(UsageError, match="nobody-of-this-name"):
        open_adapter("networkx:~nobody-of-this-name/graph.json", SCHEMA)


def test_a_write_leaves_the_search_for_garbage_as_it_was(tmp_path: Path) -> None:
    before = gc.isenabled(), gc.get_freeze_count()
    write(tmp_path / "graph.json", ticket(1))
    assert (gc.isenabled(), gc.get_freeze_count()) == before
    gc.freeze()  # as a server does before it forks
    try:
        write(tmp_path / "graph.json", ticket(2))
        assert gc.get_freeze_count() > before[1]
    finally:
        gc.unfreeze()
