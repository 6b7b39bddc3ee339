"""Write the benchmark's graph with neo4j-graphrag's own writer, run by an interpreter that has it.

python benchmarks/neo4j/graphrag_writer.py NODES
"""

from __future__ import annotations

import asyncio
import os
import sys

import neo4j
from neo4j_graphrag.experimental.components.kg_writer import Neo4jWriter
from neo4j_graphrag.experimental.components.types import Neo4jGraph, Neo4jNode, Neo4jRelationship

BATCH = 2000


def main() -> None:
    nodes = int(sys.argv[1])
    made = [
        Neo4jNode(
            id=f"n{number}",
            label="Rag",
            properties={
                "code": f"C-{number}", "name": f"Customer number {number}", "city": f"City {number % 500}",
                "size": number % 1000, "score": number / 7,
            },
        )
        for number in range(nodes)
    ]  # fmt: skip
    links = [
        Neo4jRelationship(
            start_node_id=f"n{number % nodes}",
            end_node_id=f"n{(number * 7919 + number // nodes) % nodes}",
            type="RAG_TO",
            properties={"role": f"role {number % 20}", "weight": number % 100},
        )
        for number in range(2 * nodes)
    ]
    auth = (os.environ["NEO4J_USERNAME"], os.environ["NEO4J_PASSWORD"])
    with neo4j.GraphDatabase.driver(os.environ["NEO4J_URI"], auth=auth) as driver:
        writer = Neo4jWriter(driver, batch_size=BATCH)
        asyncio.run(writer.run(Neo4jGraph(nodes=made, relationships=links)))


if __name__ == "__main__":
    main()
