"""Where a Neo4j server is, who we are there, and what its errors mean to a caller.

The address is `<scheme>://host:port/database`, the scheme being one of the driver's own; the database may be
left out. Credentials come from `NEO4J_USERNAME` and `NEO4J_PASSWORD` and nowhere else, so that they stand in
no list of processes, log or message. Every error of the driver becomes one of ours here, by who can act on
it: retryable when the server is away or busy, a conflict when a login, permission or constraint stands in
the way.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, urlsplit

from schemacast.errors import SchemaCastError, StoreConflict, StoreError, StoreUnavailable, UsageError

if TYPE_CHECKING:
    import neo4j

CONNECT_SECONDS = 10.0
RETRY_SECONDS = 30.0
IDLE_SECONDS = 5.0
"""After so long without use a server is asked for a sign of life, and a connection too."""
_DEFAULT_PORT = 7687


class Address(NamedTuple):
    """A server's address as the driver takes it, and a database (None: the server's default one)."""

    uri: str
    database: str | None

    def __str__(self) -> str:
        return f"{self.uri}/{self.database}" if self.database else self.uri


def read_address(address: str) -> Address:
    """Take an address apart. Raises UsageError for one without a host, or with credentials in it."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise UsageError(f"the address of the Neo4j server cannot be read: {error}") from None
    if "@" in parts.netloc:
        raise UsageError("an address holds no credentials; set NEO4J_USERNAME and NEO4J_PASSWORD instead")
    if not host:
        raise UsageError(f"{address!r} names no host; write {parts.scheme or 'neo4j'}://host:port/database")
    database = unquote(parts.path.strip("/"))
    if "/" in database or parts.fragment:
        raise UsageError(f"{address!r} names no database; write {parts.scheme}://host:port/database")
    shown = f"[{host}]" if ":" in host else host
    routing = f"?{parts.query}" if parts.query else ""
    return Address(f"{parts.scheme}://{shown}:{port or _DEFAULT_PORT}{routing}", database or None)


def credentials() -> tuple[str, str] | None:
    """Who we are, from the environment; None when no password is set, for a server without logins."""
    password = os.environ.get("NEO4J_PASSWORD")
    return (os.environ.get("NEO4J_USERNAME") or "neo4j", password) if password is not None else None


def connect(address: Address) -> neo4j.Driver:
    """A driver that has reached the server and was let in."""
    import neo4j

    with errors_of(address):
        driver = neo4j.GraphDatabase.driver(
            address.uri,
            auth=credentials(),
            connection_timeout=CONNECT_SECONDS,
            max_transaction_retry_time=RETRY_SECONDS,
            liveness_check_timeout=IDLE_SECONDS,
            notifications_min_severity="OFF",
            user_agent="schemacast",
        )
        try:
            with driver.session(database=address.database) as session:
                session.run("RETURN 1").consume()
        except BaseException:
            driver.close()
            raise
    return driver


@contextmanager
def errors_of(address: Address) -> Iterator[None]:
    """Turn what the driver raises inside into an error of ours that says where."""
    import neo4j.exceptions

    try:
        yield
    except SchemaCastError:
        raise
    except (neo4j.exceptions.Neo4jError, neo4j.exceptions.DriverError, OSError, ValueError) as error:
        raise as_ours(error, f"{address}: ") from error


def as_ours(error: Exception, where: str) -> SchemaCastError:
    """The error of ours that an error of the driver or server is to a caller."""
    import neo4j.exceptions

    reason = reason_of(error)
    if isinstance(error, neo4j.exceptions.Neo4jError):
        code = error.code or ""
        if ".Security." in code or "DatabaseNotFound" in code:
            if isinstance(error, neo4j.exceptions.AuthError):
                reason = f"{reason.rstrip('.')}; {_what_to_do()}"
            return StoreConflict(f"{where}{reason}")
        if ".Schema." in code or isinstance(error, neo4j.exceptions.ConstraintError):
            return StoreConflict(f"{where}{reason}")
        if code.startswith("Neo.TransientError") or error.is_retryable():
            return StoreUnavailable(f"{where}{reason}")
        return StoreError(f"{where}{reason}")
    if isinstance(error, neo4j.exceptions.ServiceUnavailable | neo4j.exceptions.SessionExpired | OSError):
        return StoreUnavailable(f"{where}cannot be reached: {reason}")
    if isinstance(error, neo4j.exceptions.ConfigurationError | ValueError):
        return UsageError(f"{where}{reason}")
    if isinstance(error, neo4j.exceptions.DriverError) and error.is_retryable():
        return StoreUnavailable(f"{where}{reason}")
    return StoreError(f"{where}{reason}")


def _what_to_do() -> str:
    """What helps against a login that the server refuses."""
    if os.environ.get("NEO4J_PASSWORD") is None:
        return "NEO4J_PASSWORD is not set: set it to the server's password, and NEO4J_USERNAME unless it is neo4j"
    return "check NEO4J_USERNAME and NEO4J_PASSWORD"


def reason_of(error: Exception) -> str:
    """What the driver or server says, on one line."""
    said = getattr(error, "message", None) or str(error) or type(error).__name__
    return " ".join(str(said).split())[:600]
