"""The files of a cast: one writer, so that every file of an output directory tells of the same run.

Lines stream to a hidden folder beside the target files while the cast runs; at its end the files are moved
into place together, replacing those of an earlier run. What is killed before that leaves the earlier files
as they were, and its hidden folder goes with the next cast. Of two casts into one folder the last one to end
stands, whole. Nothing but the manifest depends on when or how fast the cast ran.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Literal

from schemacast.cast.outcome import Outcome
from schemacast.errors import ModelError, OutputError, UnknownNameError, nearest
from schemacast.llm.protocol import Usage
from schemacast.schema.values import Json

try:
    import fcntl
except ImportError:  # Windows: there two casts into one folder are not kept apart
    fcntl = None  # type: ignore[assignment]

Table = Literal["groundings", "episodes", "quarantine", "unmapped"]

_TABLES: Mapping[str, Callable[[Outcome], Iterator[dict[str, Json]]]] = {
    "groundings": lambda outcome: iter(outcome.groundings),
    "episodes": lambda outcome: iter([outcome.to_json()]),
    "quarantine": lambda outcome: (finding.to_json(outcome.source_id) for finding in outcome.findings),
    "unmapped": lambda outcome: (
        {"source_id": outcome.source_id, **item.model_dump(mode="json")} for item in outcome.unmapped
    ),
}

KEPT_FAILURES = 20
HIDDEN, HELD = ".cast-", "held"
RECORDS = "records.jsonl"
GROUNDINGS = "groundings.jsonl"
STAGED = "staged.jsonl"
MANIFEST = "manifest.json"


def table_rows(table: str, outcome: Outcome) -> Iterator[dict[str, Json]]:
    """The rows that one outcome adds to `groundings`, `episodes`, `quarantine` or `unmapped`.

    Raises UnknownNameError for another table.
    """
    rows = _TABLES.get(table)
    if rows is None:
        raise UnknownNameError(f"no table {table!r}{nearest(table, _TABLES)}")
    return rows(outcome)


def line(item: object) -> str:
    """One object as a line of JSON: sorted keys, no ASCII escapes."""
    return json.dumps(item, ensure_ascii=False, sort_keys=True) + "\n"


@contextmanager
def disk_errors(what: str) -> Iterator[None]:
    """Turn an error of the file system into one line that says what to do."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise OutputError(f"{what}: {reason}; free some space and run again", exit_code=3) from error
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise OutputError(f"{what}: {reason}; choose a folder that you may write to", exit_code=4) from error
        if error.errno in (errno.ENOTDIR, errno.EEXIST, errno.EISDIR, errno.ENAMETOOLONG, errno.ELOOP):
            raise OutputError(f"{what}: {reason}; choose another folder", exit_code=2) from error
        raise OutputError(f"{what}: {reason}", exit_code=3) from error


def _lock(path: Path, *, wait: bool) -> int | None:
    """Hold a folder or file against other casts until the descriptor is closed; None when another one holds it.

    The lock is the operating system's and dies with its process. Where there is none, -1.
    """
    if fcntl is None:
        return -1
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        os.close(descriptor)
        return None
    except OSError:  # a file system without such locks
        os.close(descriptor)
        return -1
    return descriptor


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Only one cast at a time begins or ends in a folder."""
    descriptor = _lock(folder, wait=True)
    try:
        yield
    finally:
        _let_go(descriptor)


def _let_go(descriptor: int | None) -> None:
    if descriptor is not None and descriptor >= 0:
        os.close(descriptor)


class Tally:
    """The counts of a cast, kept while it runs. Its size does not grow with the number of episodes."""

    def __init__(self) -> None:
        self.statuses: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.findings: Counter[str] = Counter()
        self.fixes: Counter[str] = Counter()
        self.groundings = 0
        self.requests = 0
        self.usage = Usage()
        self.failures: list[tuple[str, str]] = []

    def add(self, outcome: Outcome) -> None:
        self.statuses[outcome.status] += 1
        if outcome.status == "failed" and len(self.failures) < KEPT_FAILURES:
            self.failures.append((outcome.source_id, f"{outcome.reason}: {outcome.message}"))
        if outcome.reason:
            self.reasons[outcome.reason] += 1
        if outcome.findings:
            self.findings.update(finding.finding for finding in outcome.findings)
        if outcome.fixes:
            self.fixes.update(fix.fix for fix in outcome.fixes)
        self.groundings += len(outcome.groundings)
        self.requests += outcome.requests
        self.usage += outcome.usage

    def add_unfinished(self, error: ModelError) -> None:
        """Count the requests of episodes that ended without an outcome, because every call was refused."""
        self.requests += error.requests
        self.usage += Usage(error.input_tokens, error.output_tokens)

    @property
    def read(self) -> int:
        return sum(self.statuses.values())

    def to_json(self) -> dict[str, Json]:
        statuses = {status: self.statuses[status] for status in ("ok", "empty", "partial", "failed")}
        return {
            "episodes": {"read": self.read, **statuses},
            "findings": dict(sorted(self.findings.items())),
            "fixes": dict(sorted(self.fixes.items())),
            "groundings": self.groundings,
            "usage": {
                "requests": self.requests,
                "input_tokens": self.usage.input_tokens,
                "output_tokens": self.usage.output_tokens,
            },
        }


class CastOutput:
    """Writes the files of one cast into a directory. A context manager: leaving it early writes nothing.

    Raises OutputError when the directory cannot be written.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.tally = Tally()
        self.started = datetime.now(UTC)
        self._files: dict[str, IO[str]] = {}
        self._created = False
        self._folder: Path | None = None
        self._hold: int | None = None
        self._more: list[str] = []

    def __enter__(self) -> CastOutput:
        try:
            with disk_errors(str(self.directory)):
                self._created = not self.directory.exists()
                self.directory.mkdir(parents=True, exist_ok=True)
                with _alone(self.directory):
                    self._sweep()
                    self._folder = Path(tempfile.mkdtemp(prefix=HIDDEN, dir=self.directory))
                    self._hold = _lock(self._folder / HELD, wait=False)
                for name in (RECORDS, STAGED, *(f"{table}.jsonl" for table in _TABLES)):
                    self._files[name] = (self._folder / name).open("w", encoding="utf-8", newline="\n")
        except BaseException:
            self.__exit__()
            raise
        return self

    def _sweep(self) -> None:
        """Remove what casts that were killed have left behind: the hidden folders that nobody holds."""
        for folder in self.directory.glob(f"{HIDDEN}*"):
            with suppress(OSError):
                descriptor = _lock(folder / HELD, wait=False)
                if descriptor is not None and descriptor >= 0:
                    shutil.rmtree(folder, ignore_errors=True)
                _let_go(descriptor)

    def __exit__(self, *_: object) -> None:
        for file in self._files.values():
            with suppress(OSError):
                file.close()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        _let_go(self._hold)
        self._hold = None
        if self._created:
            with suppress(OSError):
                self.directory.rmdir()

    def beside(self, name: str) -> Path:
        """Where to write one more file, which `finish` moves into place with the others."""
        if self._folder is None:
            raise OutputError(f"{self.directory}: is not open for writing")
        self._more.append(name)
        return self._folder / name

    def add(self, outcome: Outcome) -> None:
        """Write what one episode gave."""
        self.tally.add(outcome)
        with disk_errors(str(self.directory)):
            if outcome.graph is not None:
                self._files[RECORDS].write(line(outcome.graph.to_json()))
            for table, rows in _TABLES.items():
                file = self._files[f"{table}.jsonl"]
                for row in rows(outcome):
                    file.write(line(row))

    def lines(self, name: str) -> Iterator[dict[str, Any]]:
        """The objects that have been written so far to one of the files of lines."""
        if self._folder is None:
            raise OutputError(f"{self.directory}: is not open for writing")
        with disk_errors(str(self.directory)):
            self._files[name].flush()
            with (self._folder / name).open(encoding="utf-8") as written:
                for text in written:
                    yield json.loads(text)

    def stage(self, items: Iterator[Any]) -> None:
        """Write the staged records."""
        with disk_errors(str(self.directory)):
            for item in items:
                self._files[STAGED].write(line(item.to_json()))

    def finish(self, manifest: Mapping[str, Json]) -> None:
        """Write the manifest and move every file into place."""
        if self._folder is None:
            raise OutputError(f"{self.directory}: is not open for writing")
        with disk_errors(str(self.directory)):
            text = json.dumps(manifest, ensure_ascii=False, sort_keys=True, indent=2) + "\n"
            (self._folder / MANIFEST).write_text(text, encoding="utf-8")
            for file in self._files.values():
                file.close()
            with _alone(self.directory):
                for name in (*self._files, *self._more, MANIFEST):
                    (self._folder / name).replace(self.directory / name)
        self._created = False
