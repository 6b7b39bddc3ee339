"""The file itself: opening, transactions, and SQLite's errors as ours.

The journal is a write-ahead log, so that readers and the one writer never wait for each other; what waits
does so for ten seconds at most. A commit is safe from the death of the process; those that say what leaves
for a store, or has arrived there, are also safe from a power cut. Every statement goes through `rows`,
`execute` or `transaction`, which are the only places where an error of SQLite becomes a line for a person.
"""

from __future__ import annotations

import os
import sqlite3
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

from schemacast.errors import InputError, OutputError, SchemaCastError, UsageError, WorkspaceLocked
from schemacast.workspace.tables import APPLICATION_ID, MIGRATIONS, VERSION

WAIT_SECONDS = 10.0
_PERSON = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH)
_FULL = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)


class WorkspaceFile:
    """One connection to a workspace, for one thread. A context manager.

    With `create` a missing file is made. Raises InputError for a file that is missing or is no workspace,
    OutputError when the disk refuses, WorkspaceLocked when another process does not let go of it.
    """

    def __init__(self, path: str | Path, *, create: bool = False) -> None:
        self.path = Path(path)
        self._depth = 0
        if not create and not self.path.is_file():
            raise InputError(f"{self.path}: no such workspace; `schemacast ingest` makes one")
        if self.path.exists() and not self.path.is_file():
            raise InputError(f"{self.path}: is no file; give the path of a workspace, or of a new file")
        if create:
            self._make_folder()
        with self._errors():
            self._connection = sqlite3.connect(
                f"file:{quote(os.fsencode(self.path.absolute()))}?mode={'rwc' if create else 'rw'}",
                uri=True,
                timeout=WAIT_SECONDS,
                isolation_level=None,
                check_same_thread=False,
            )
        try:
            self._prepare()
        except BaseException:
            self._connection.close()
            raise

    def _make_folder(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"{self.path.parent}: cannot be made: {error.strerror or error}", exit_code=2) from error

    def _prepare(self) -> None:
        with self._errors():
            version = self._connection.execute("PRAGMA user_version").fetchone()[0]
            if version == 0:
                self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.execute("PRAGMA foreign_keys = ON")
            self._connection.execute("PRAGMA cache_size = -32000")
        if version != VERSION:
            self._migrate()

    def _migrate(self) -> None:
        with self.transaction():
            version = self.value("PRAGMA user_version")
            mark = self.value("PRAGMA application_id")
            empty = self.value("SELECT count(*) FROM sqlite_master") == 0
            if mark != APPLICATION_ID and not empty:
                raise InputError(f"{self.path}: is no workspace; give the path of one, or of a new file")
            if version > VERSION:
                raise InputError(f"{self.path}: was written by a later version of schemacast; upgrade to open it")
            for script in MIGRATIONS[version:]:
                for statement in _statements(script):
                    self.execute(statement)
            if version == 0:
                self.set_meta("workspace", uuid.uuid4().hex)
                self.set_meta("version", "0")
            self.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            self.execute(f"PRAGMA user_version = {VERSION}")

    def close(self) -> None:
        """Let go of the file; closing twice is fine."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def transaction(self, *, durable: bool = False) -> Iterator[None]:
        """All or nothing; one within another is part of it. `durable`: on the disk before it counts."""
        if self._depth:
            yield
            return
        if durable:
            self.execute("PRAGMA synchronous = FULL")
        self.execute("BEGIN IMMEDIATE")
        self._depth += 1
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.rollback()
            raise
        finally:
            self._depth -= 1
            if durable:
                self._connection.execute("PRAGMA synchronous = NORMAL")

    def execute(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Run a statement; how many rows it changed."""
        try:
            return self._connection.execute(sql, values).rowcount
        except (sqlite3.Error, UnicodeEncodeError) as error:
            raise self._error(error) from error

    def many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement once for each row."""
        try:
            self._connection.executemany(sql, rows)
        except (sqlite3.Error, UnicodeEncodeError) as error:
            raise self._error(error) from error

    def rows(self, sql: str, values: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """The rows of a query, read as they are asked for."""
        with self._errors():
            cursor = self._connection.execute(sql, values)
        while True:
            with self._errors():
                batch = cursor.fetchmany(200)
            if not batch:
                return
            yield from batch

    def row(self, sql: str, values: Sequence[Any] = ()) -> tuple[Any, ...] | None:
        """The first row of a query."""
        try:
            found: tuple[Any, ...] | None = self._connection.execute(sql, values).fetchone()
        except (sqlite3.Error, UnicodeEncodeError) as error:
            raise self._error(error) from error
        return found

    def value(self, sql: str, values: Sequence[Any] = ()) -> Any:
        """The first value of the first row, None without one."""
        found = self.row(sql, values)
        return found[0] if found else None

    def meta(self, name: str) -> str | None:
        """A setting of the workspace."""
        value: str | None = self.value("SELECT value FROM meta WHERE name = ?", (name,))
        return value

    def set_meta(self, name: str, value: str) -> None:
        self.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))

    @property
    def id(self) -> str:
        """What marks in a store that something is supported by this workspace."""
        return str(self.meta("workspace"))

    @property
    def version(self) -> int:
        """Counts the changes of what the graph is a function of."""
        return int(self.meta("version") or 0)

    def touched(self) -> None:
        """What the graph is a function of has changed; part of the transaction that changes it."""
        self.execute("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE name = 'version'")

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, UnicodeEncodeError) as error:
            raise self._error(error) from error

    def _error(self, error: sqlite3.Error | UnicodeEncodeError) -> SchemaCastError:
        if isinstance(error, UnicodeEncodeError):  # from a command line or a program: what is read is UTF-8
            return UsageError(f"{error.object[:80]!a} is no valid Unicode; no name in a workspace is like that")
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return WorkspaceLocked(f"{self.path}: another process does not let go of it; try again later")
        if code in _FULL:
            return OutputError(f"{self.path}: cannot be written ({error}); free some space and run again", exit_code=3)
        if code in _PERSON:
            return OutputError(f"{self.path}: cannot be written ({error})", exit_code=4)
        if code == sqlite3.SQLITE_CANTOPEN:
            return OutputError(f"{self.path}: cannot be opened ({error})", exit_code=2)
        if code == sqlite3.SQLITE_NOTADB:
            return InputError(f"{self.path}: is no workspace; give the path of one, or of a new file")
        if code == sqlite3.SQLITE_CORRUPT:
            return InputError(f"{self.path}: is damaged ({error}); restore it from a copy")
        raise error


def _statements(script: str) -> Iterator[str]:
    """The statements of a script; that of a trigger has semicolons within."""
    statement = ""
    for part in script.split(";"):
        statement += part + ";"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
