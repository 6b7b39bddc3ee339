"""What a run over many texts has finished, in a folder beside its files, so that a killed run goes on from there.

Each finished text is one line under a key that hashes all that decides its attribution. A line is written whole
before it counts: one that was cut when the process died is not read, and its text is traced again, from the replies
that are kept. The files that people read are made of the journal at the end, in the order of the texts, and moved
into place together. The journal then keeps only what they are made of: what an earlier run wrote may repeat a source
that has been taken back since.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from schemacast.cast.output import disk_errors, line
from schemacast.errors import WorkspaceLocked
from schemacast.schema.values import Json
from schemacast.workspace.lock import JobLock

__all__ = ["ATTRIBUTIONS", "MANIFEST", "SOURCES", "Journal"]

HIDDEN = ".attribute"
REPLIES = "replies"
JOURNAL = "journal.jsonl"
ATTRIBUTIONS, SOURCES, MANIFEST = "attributions.jsonl", "sources.jsonl", "manifest.json"


class Journal:
    """The finished texts of a folder. A context manager that holds the folder against other runs.

    Raises OutputError when it cannot be written, WorkspaceLocked when another run uses it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._hidden = folder / HIDDEN
        self._file: IO[bytes] | None = None
        self._lock: JobLock | None = None
        self._places: dict[str, int] = {}
        self._end = 0

    @property
    def replies(self) -> Path:
        """Where the replies of a run are kept that has no other place for them."""
        return self._hidden / REPLIES

    def __enter__(self) -> Self:
        with disk_errors(str(self.folder)):
            self._hidden.mkdir(parents=True, exist_ok=True)
        lock = JobLock(self._hidden / JOURNAL)
        try:
            lock.__enter__()
        except WorkspaceLocked:
            raise WorkspaceLocked(f"{self.folder}: another run is writing to it; wait for its end") from None
        self._lock = lock
        try:
            with disk_errors(str(self.folder)):
                self._file = (self._hidden / JOURNAL).open("a+b")
                self._read()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()
        if self._lock is not None:
            self._lock.__exit__(None, None, None)
            self._lock = None

    def holds(self, key: str) -> bool:
        """Whether a text is finished."""
        return key in self._places

    def add(self, key: str, row: Mapping[str, Json], sources: Sequence[Mapping[str, Json]], *, keep: bool) -> None:
        """A text is finished; without `keep` only for this run: it failed, and the next run tries again."""
        entry = line({"key": key, "keep": keep, "row": dict(row), "sources": list(sources)}).encode()
        file = self._opened()
        with disk_errors(str(self.folder)):
            file.seek(0, os.SEEK_END)
            file.write(entry)
            file.flush()
        self._places[key] = self._end
        self._end += len(entry)

    def row(self, key: str) -> dict[str, Any]:
        """The line of a finished text."""
        row: dict[str, Any] = json.loads(self._raw(key))["row"]
        return row

    def finish(self, rows: Iterable[tuple[str, Mapping[str, Json]]], manifest: Mapping[str, Json]) -> None:
        """Write the files: each text's key with what its line has of its own, in order, and the manifest.

        The journal is cut down to these texts first, and can be used no more: a run that dies after that has the
        files of before, and the next one makes them of it.
        """
        with disk_errors(str(self.folder)):
            beside = Path(tempfile.mkdtemp(prefix="write-", dir=self._hidden))
            try:
                self._write(beside, rows)
                text = json.dumps(manifest, ensure_ascii=False, sort_keys=True, indent=2) + "\n"
                (beside / MANIFEST).write_text(text, encoding="utf-8")
                self._close()
                (beside / JOURNAL).replace(self._hidden / JOURNAL)
                for name in (SOURCES, ATTRIBUTIONS, MANIFEST):
                    (beside / name).replace(self.folder / name)
            finally:
                shutil.rmtree(beside, ignore_errors=True)

    def _write(self, folder: Path, rows: Iterable[tuple[str, Mapping[str, Json]]]) -> None:
        told: set[tuple[str, str]] = set()
        kept: set[str] = set()
        with (
            (folder / JOURNAL).open("wb") as journal,
            (folder / ATTRIBUTIONS).open("w", encoding="utf-8", newline="\n") as attributions,
            (folder / SOURCES).open("w", encoding="utf-8", newline="\n") as texts,
        ):
            for key, own in rows:
                raw = self._raw(key)
                entry = json.loads(raw)
                if entry["keep"] and key not in kept:
                    kept.add(key)
                    journal.write(raw)
                attributions.write(line({**entry["row"], **own}))
                for source in entry["sources"]:
                    which = source["source_id"], source["sha256"]
                    if which not in told:
                        told.add(which)
                        texts.write(line(source))

    def _raw(self, key: str) -> bytes:
        file = self._opened()
        with disk_errors(str(self.folder)):
            file.seek(self._places[key])
            return file.readline()

    def _read(self) -> None:
        """Find the lines that stand whole; a cut one at the end is taken off. What another run left beside goes too."""
        for left in self._hidden.glob("write-*"):
            shutil.rmtree(left, ignore_errors=True)
        file = self._opened()
        file.seek(0)
        for raw in file:
            if not raw.endswith(b"\n"):
                break
            with suppress(ValueError, KeyError, TypeError):
                entry = json.loads(raw)
                if entry["keep"]:
                    self._places[entry["key"]] = self._end
            self._end += len(raw)
        file.truncate(self._end)

    def _close(self) -> None:
        if self._file is not None:
            with suppress(OSError):
                self._file.close()
            self._file = None

    def _opened(self) -> IO[bytes]:
        assert self._file is not None, "the journal is used inside its with block, until it is finished"
        return self._file
