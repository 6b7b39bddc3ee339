"""What a run remembers depends on how many things there are, not on how many episodes speak of them."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

from record_graphs import episode, record, relation

from schemacast.records import RecordGraph
from schemacast.resolution.resolve import resolve
from schemacast.schema.load import parse_schema
from schemacast.schema.model import EdgeId

SCHEMA = parse_schema(
    """
name: test
vertices:
  Customer:
    key: account
    properties: {account: string, seen: datetime, name: string, nicks: {type: string, keep: all}}
  Shift: {within: WORKED, key: [day], properties: {day: date}}
edges:
  WORKED: {source: Customer, target: Shift, properties: {role: string}}
"""
)


def stream(episodes: int, *, customers: int) -> Iterator[RecordGraph]:
    worked = EdgeId("Customer", "Shift", "WORKED")
    for number in range(episodes):
        moment = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=number)
        account = f"A{number % customers}"
        yield episode(
            f"mail-{number}",
            record(
                "c",
                "Customer",
                account=account,
                seen=moment,
                name=f"name {number}",
                nicks=f"n{number // customers % 2}",
            ),
            record("s", "Shift", day=date(2026, 3, 1 + number // customers % 2)),
            relation(worked, "c", "s", role=f"role {number}"),
            at=moment,
        )


def peak(episodes: int) -> int:
    tracemalloc.start()
    graph = resolve(SCHEMA, stream(episodes, customers=100))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(graph.entities) == 300
    return most


def test_memory_does_not_grow_with_the_number_of_episodes() -> None:
    peak(400)  # what is made once: caches, interned names
    assert peak(4_000) < 1.25 * peak(800)
