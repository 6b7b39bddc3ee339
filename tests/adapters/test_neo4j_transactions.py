"""How many transactions a write takes: a number that grows with the batches, never with the items."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from neo4j_server import Database
from probe import SCHEMA, edge, graph, person, ticket

from schemacast.adapters import Counts, WriteReport, open_adapter

pytestmark = pytest.mark.neo4j

MOST = 40
"""Definitions aside, which a database is given once."""


class _Sent(logging.Handler):
    """Counts what the driver says it sends. The rows themselves are never formatted."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.messages: Counter[str] = Counter()

    def emit(self, record: logging.LogRecord) -> None:
        _, sent, message = str(record.msg).partition(" C: ")
        if sent:
            self.messages[message.split()[0]] += 1


@contextmanager
def sent_messages() -> Iterator[Counter[str]]:
    """The Bolt messages that go to the server within the block, by name."""
    wire, handler = logging.getLogger("neo4j.io"), _Sent()
    before, passed_on = wire.level, wire.propagate
    wire.addHandler(handler)
    wire.setLevel(logging.DEBUG)
    wire.propagate = False
    try:
        yield handler.messages
    finally:
        wire.removeHandler(handler)
        wire.setLevel(before)
        wire.propagate = passed_on


@pytest.mark.usefixtures("store")
def test_five_thousand_nodes_and_ten_thousand_edges_take_at_most_forty_transactions(database: Database) -> None:
    people = [person(f"p{number}", name=f"Name {number}") for number in range(2500)]
    tickets = [ticket(f"HD-{number}", severity=number % 5) for number in range(2500)]
    handled = [edge("PROBE_HANDLES", people[n], tickets[(n + step) % 2500]) for n in range(2500) for step in range(2)]
    known = [edge("PROBE_KNOWS", people[n], people[(n + step) % 2500]) for n in range(2500) for step in range(2)]
    whole = graph(*people, *tickets, *handled, *known)
    created = WriteReport(Counts(created=5000), Counts(created=10000))
    for expected in (created, WriteReport(Counts(unchanged=5000), Counts(unchanged=10000))):
        with sent_messages() as sent, open_adapter(database.address, SCHEMA) as store:
            store.prepare()
            assert store.write(whole) == expected
        # A query is one of a transaction that was begun, or one by itself: there are no more transactions than queries.
        assert 0 < sent["BEGIN"] <= sent["RUN"] <= MOST
