"""Addresses, credentials, and what a server that is away or says no looks like to a caller."""

from __future__ import annotations

import socket
import subprocess
import sys
from importlib.metadata import entry_points

import pytest
from neo4j_server import Database
from probe import SCHEMA
from schemacast_adapters.neo4j.address import Address, credentials, read_address

from schemacast.adapters import open_adapter
from schemacast.errors import StoreConflict, StoreUnavailable, UsageError

SCHEMES = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_scheme_of_the_driver_is_an_address(scheme: str) -> None:
    assert read_address(f"{scheme}://graph.example:7688/sales") == Address(f"{scheme}://graph.example:7688", "sales")
    (entry,) = entry_points(group="schemacast.adapters", name=scheme)
    assert entry.value == "schemacast_adapters.neo4j:Neo4jAdapter"


@pytest.mark.parametrize(
    ("address", "read"),
    [
        ("neo4j://host", Address("neo4j://host:7687", None)),
        ("neo4j://host:1/", Address("neo4j://host:1", None)),
        ("bolt://[::1]:7687/db", Address("bolt://[::1]:7687", "db")),
        ("neo4j://host/my%20db", Address("neo4j://host:7687", "my db")),
        ("neo4j://host/db?policy=eu", Address("neo4j://host:7687?policy=eu", "db")),
    ],
)
def test_port_and_database_may_be_left_out(address: str, read: Address) -> None:
    assert read_address(address) == read


@pytest.mark.parametrize("address", ["neo4j:///db", "neo4j://host:port/db", "neo4j://host/a/b", "neo4j://[::1"])
def test_an_address_that_names_no_server_is_a_usage_error(address: str) -> None:
    with pytest.raises(UsageError):
        open_adapter(address, SCHEMA)


def test_credentials_in_an_address_are_refused_and_never_shown() -> None:
    with pytest.raises(UsageError, match="NEO4J_PASSWORD") as caught:
        open_adapter("neo4j://ada:s3cret@host/db", SCHEMA)
    assert "s3cret" not in str(caught.value)


def test_credentials_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NEO4J_USERNAME", raising=False)
    monkeypatch.delenv("NEO4J_PASSWORD", raising=False)
    assert credentials() is None
    monkeypatch.setenv("NEO4J_PASSWORD", "p")
    assert credentials() == ("neo4j", "p")
    monkeypatch.setenv("NEO4J_USERNAME", "ada")
    assert credentials() == ("ada", "p")


def test_a_server_that_is_away_is_unavailable_and_retryable() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    with pytest.raises(StoreUnavailable, match=f"bolt://127.0.0.1:{port}") as caught:
        open_adapter(f"bolt://127.0.0.1:{port}", SCHEMA)
    assert caught.value.retryable
    assert caught.value.exit_code == 3
    assert "\n" not in str(caught.value)


def test_listing_or_importing_the_package_loads_no_driver() -> None:
    code = "import schemacast, schemacast.adapters, schemacast.cli.main, sys; assert 'neo4j' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.neo4j
def test_a_wrong_password_needs_a_person_and_is_not_shown(
    database: Database, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NEO4J_PASSWORD", "wr0ng-word")
    with pytest.raises(StoreConflict, match="NEO4J_PASSWORD") as caught:
        open_adapter(database.address, SCHEMA)
    assert caught.value.exit_code == 4
    assert "wr0ng-word" not in str(caught.value) + repr(caught.value.__cause__) + "".join(capsys.readouterr())


@pytest.mark.neo4j
def test_a_password_that_is_not_set_is_asked_for_in_one_line(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NEO4J_PASSWORD", raising=False)
    with pytest.raises(StoreConflict, match="NEO4J_PASSWORD is not set: set it to the server's password") as caught:
        open_adapter(database.address, SCHEMA)
    assert "\n" not in str(caught.value)


@pytest.mark.neo4j
def test_a_database_that_does_not_exist_is_named(database: Database) -> None:
    with pytest.raises(StoreConflict, match="nowhere") as caught:
        open_adapter(f"{database.address}/nowhere", SCHEMA)
    assert caught.value.exit_code == 4


@pytest.mark.neo4j
def test_one_database_is_one_place_by_whatever_address(database: Database) -> None:
    with (
        open_adapter(database.address, SCHEMA) as one,
        open_adapter(f"{database.address.replace('bolt:', 'neo4j:')}/neo4j", SCHEMA) as two,
    ):
        assert getattr(one, "place", None) == getattr(two, "place", None) is not None


@pytest.mark.neo4j
def test_a_closed_store_says_so(database: Database) -> None:
    store = open_adapter(database.address, SCHEMA)
    store.close()
    with pytest.raises(UsageError, match="closed"):
        store.read()
