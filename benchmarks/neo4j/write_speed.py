"""How long a write through the adapter takes, as a ratio to the fewest bare queries that could do it.

The graph: 100,000 nodes of five properties, 200,000 relationships of two. Bare is one `UNWIND … MERGE` per
batch of nodes and one per batch of relationships, with the same driver and batch size and a uniqueness
constraint on the id, as anyone would write it by hand. Both write to one server of its own, warmed up with a
smaller graph, each under labels of its own, in turn; the faster of two rounds counts. Processor seconds, of
this process and the server together, are shown beside the time, for machines that others work on too. Asserted:
a first write takes at most 1.25 times what bare queries take, and the same again at most half of our first write.

    python benchmarks/neo4j/write_speed.py [--nodes 100000] [--graphrag PYTHON --apoc JAR]

With `--graphrag`, an interpreter of an environment that has neo4j-graphrag, its writer is timed too. That one
needs a plugin in the server: `--apoc` is the jar (`org.neo4j.procedure:apoc-core`, classifier `core`).
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import neo4j
from schemacast_adapters.neo4j import writer

from schemacast.adapters import Counts, open_adapter
from schemacast.graph import Edge, Entity, Graph
from schemacast.schema.model import EdgeId, EdgeType, Key, KeyPart, Property, Schema, VertexType

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 2
FIRST_AT_MOST = 1.25
AGAIN_AT_MOST = 0.5
GRAPHRAG_AT_MOST = 1 / 3


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--graphrag", help="an interpreter that has neo4j-graphrag")
    parser.add_argument("--apoc", type=Path, help="the jar of the plugin that neo4j-graphrag needs")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        if options.apoc:
            (home / "plugins").mkdir(parents=True)
            shutil.copy(options.apoc, home / "plugins")
        script = [sys.executable, str(ROOT / "scripts" / "neo4j")]
        started = subprocess.run(
            [*script, "start", "--home", str(home), "--owner", str(os.getpid())],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        os.environ.update(line.removeprefix("export ").split("=", 1) for line in started.stdout.splitlines())
        try:
            server = json.loads((home / "server.json").read_text())["pid"]
            return measure(options.nodes, options.graphrag, Clock(server))
        finally:
            subprocess.run([*script, "stop", "--home", str(home)], check=True)


@dataclass(frozen=True)
class Spent:
    """What something took: seconds of time, and of the processor, here and in the server."""

    time: float
    processor: float


@dataclass(frozen=True)
class Clock:
    """Times work, and what the server's process spends on it."""

    server: int

    def __call__(self, work: Callable[[], object]) -> Spent:
        begin = time.perf_counter(), self._spent()
        work()
        return Spent(time.perf_counter() - begin[0], self._spent() - begin[1])

    def _spent(self) -> float:
        fields = Path(f"/proc/{self.server}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") + time.process_time()


def measure(nodes: int, graphrag: str | None, timed: Clock) -> int:
    uri = os.environ["NEO4J_URI"]
    auth = (os.environ["NEO4J_USERNAME"], os.environ["NEO4J_PASSWORD"])
    with neo4j.GraphDatabase.driver(uri, auth=auth) as driver:
        for _ in range(2):  # the server compiles what it runs often
            through_adapter(uri, "Warm", min(nodes, 20_000), timed)
            bare(driver, "WarmBare", min(nodes, 20_000), timed)
            for label in ("Warm", "WarmBare"):
                clear(driver, label)
        ours_all, theirs_all = [], []
        for turn in range(ROUNDS):
            theirs_all.append(bare(driver, f"Bare{turn}", nodes, timed))
            ours_all.append(through_adapter(uri, f"Ours{turn}", nodes, timed))
            clear(driver, f"Ours{turn}")
            clear(driver, f"Bare{turn}")
        ours, theirs = fastest(ours_all), fastest(theirs_all)
        rows = [("bare UNWIND … MERGE", *theirs), ("schemacast", *ours)]
        ratios = [
            ("first, to bare", ours[0], theirs[0], FIRST_AT_MOST),
            ("again, to our first", ours[1], ours[0], AGAIN_AT_MOST),
        ]
        if graphrag:
            spent = timed(lambda: with_graphrag(graphrag, nodes))
            rows.append(("neo4j-graphrag", spent, None))
            ratios.append(("first, to neo4j-graphrag", ours[0], spent, GRAPHRAG_AT_MOST))
    print(f"{nodes} nodes, {2 * nodes} relationships, batches of {writer.BATCH}; seconds (of the processor)")
    for name, first, again in rows:
        shown = f"again {again.time:6.2f} ({again.processor:.2f})" if again else ""
        print(f"  {name:24} first {first.time:6.2f} ({first.processor:.2f})   {shown}")
    for name, one, other, most in ratios:
        shown = f"{one.time / other.time:.2f} ({one.processor / other.processor:.2f})"
        print(f"  {name}: {shown}, at most {most:.2f}")
    return int(any(one.time > most * other.time for _, one, other, most in ratios))


def fastest(rounds: list[tuple[Spent, Spent]]) -> list[Spent]:
    """Of each column the round that took least time."""
    return [min(column, key=lambda spent: spent.time) for column in zip(*rounds, strict=True)]


def through_adapter(uri: str, label: str, nodes: int, timed: Clock) -> tuple[Spent, Spent]:
    """What it takes: a first write, and the same again."""
    graph, schema = made(label, nodes)
    with open_adapter(uri, schema) as store:
        store.prepare()
        first = timed(lambda: check(store.write(graph), created=True))
        return first, timed(lambda: check(store.write(graph), created=False))


def check(report: Any, *, created: bool) -> None:
    name = "created" if created else "unchanged"
    assert report.vertices == Counts(**{name: report.vertices.created + report.vertices.unchanged}), report
    assert report.edges == Counts(**{name: report.edges.created + report.edges.unchanged}), report
    assert not report.refused
    assert not report.missing_ends


def made(label: str, nodes: int) -> tuple[Graph, Schema]:
    vertex = VertexType(
        label, Key("plain", (KeyPart("code"),)),
        properties=MappingProxyType({
            "code": Property("code"), "name": Property("name"), "city": Property("city"),
            "size": Property("size", "integer"), "score": Property("score", "number"),
        }),
    )  # fmt: skip
    link = EdgeType(
        EdgeId(label, label, f"{label}_TO"),
        properties=MappingProxyType({"role": Property("role"), "weight": Property("weight", "integer")}),
    )
    schema = Schema(f"speed-{label}", vertices={label: vertex}, edges={link.id: link})
    entities = {row["id"]: Entity(row["id"], label, row["props"]) for row in node_rows(nodes)}
    edges = {
        row["id"]: Edge(row["id"], link.id, row["source"], row["target"], row["props"]) for row in edge_rows(nodes)
    }
    return Graph(schema.ref, entities, edges, schema=schema), schema


def node_rows(nodes: int) -> Iterator[dict[str, Any]]:
    for number in range(nodes):
        props = {
            "code": f"C-{number}", "name": f"Customer number {number}", "city": f"City {number % 500}",
            "size": number % 1000, "score": number / 7,
        }  # fmt: skip
        yield {"id": ident(number), "props": props}


def edge_rows(nodes: int) -> Iterator[dict[str, Any]]:
    for number in range(2 * nodes):
        source, target = number % nodes, (number * 7919 + number // nodes) % nodes
        props = {"role": f"role {number % 20}", "weight": number % 100}
        yield {"id": ident(number + nodes), "source": ident(source), "target": ident(target), "props": props}


def ident(number: int) -> str:
    return f"{(number * 0x9E3779B97F4A7C15F39CC0605CEDC835) % 2**128:032x}"


def bare(driver: neo4j.Driver, label: str, nodes: int, timed: Clock) -> tuple[Spent, Spent]:
    """What it takes with one query per batch: a first write, and the same again."""
    vertices = sorted(node_rows(nodes), key=lambda row: row["id"])
    edges = sorted(edge_rows(nodes), key=lambda row: row["id"])
    driver.execute_query(f"CREATE CONSTRAINT IF NOT EXISTS FOR (n:{label}) REQUIRE n.id IS UNIQUE")
    write_nodes = f"UNWIND $rows AS row MERGE (n:{label} {{id: row.id}}) SET n += row.props"
    write_edges = f"""UNWIND $rows AS row
    MATCH (a:{label} {{id: row.source}}) MATCH (b:{label} {{id: row.target}})
    MERGE (a)-[r:{label}_TO]->(b) SET r += row.props"""

    def write() -> None:
        with driver.session() as session:
            for query, rows in ((write_nodes, vertices), (write_edges, edges)):
                for start in range(0, len(rows), writer.BATCH):
                    batch = rows[start : start + writer.BATCH]
                    session.execute_write(lambda tx, query, batch: tx.run(query, rows=batch).consume(), query, batch)

    return timed(write), timed(write)


def with_graphrag(python: str, nodes: int) -> None:
    """Write the graph with the other package, in its own interpreter; its start counts little."""
    subprocess.run([python, str(Path(__file__).with_name("graphrag_writer.py")), str(nodes)], check=True)


def clear(driver: neo4j.Driver, label: str) -> None:
    with driver.session() as session:
        session.run(f"MATCH (n:{label}) CALL (n) {{ DETACH DELETE n }} IN TRANSACTIONS OF 10000 ROWS").consume()


if __name__ == "__main__":
    sys.exit(main())
