"""`Workspace`: a workspace for who wants to know what is in it. It changes nothing and needs no lock."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from schemacast.errors import UsageError
from schemacast.records import RecordGraph
from schemacast.schema.model import Schema
from schemacast.workspace.episodes import Episodes
from schemacast.workspace.file import WorkspaceFile
from schemacast.workspace.reread import StoredGraphs
from schemacast.workspace.schemas import present_schema
from schemacast.workspace.stated import all_groundings, groundings_of_entity, groundings_of_source
from schemacast.workspace.status import Status, read_status


class Workspace:
    """An open workspace. A context manager; jobs may go on meanwhile.

    Raises InputError for a file that is missing or is no workspace.
    """

    def __init__(self, path: str | Path) -> None:
        self._file = WorkspaceFile(path)

    @property
    def path(self) -> Path:
        """The file."""
        return self._file.path

    @property
    def schema(self) -> Schema:
        """The schema of the last ingest."""
        return present_schema(self._file)[0]

    def status(self) -> Status:
        """How things stand."""
        return read_status(self._file)

    def failed(self) -> Iterator[dict[str, Any]]:
        """The sources that failed: `source_id`, `reason`, `message`."""
        yield from self._listed("state = 'failed'")

    def stale(self) -> Iterator[dict[str, Any]]:
        """The sources whose request would be another today: `source_id`, `reason`, `message`."""
        yield from self._listed("stale")

    def withdrawn(self) -> Iterator[dict[str, Any]]:
        """The sources that were retracted: `source_id`, `withdrawn` (when), `why`, `purged`."""
        query = "SELECT source_id, withdrawn, why, purged FROM episodes WHERE withdrawn NOT NULL ORDER BY id"
        for source_id, when, why, purged in self._file.rows(query):
            yield {"source_id": source_id, "withdrawn": when, "why": why, "purged": bool(purged)}

    def record_graphs(self) -> Iterator[RecordGraph]:
        """What every source that counts says, as the present schema sees it."""
        schema, sha = present_schema(self._file)
        yield from StoredGraphs(Episodes(self._file), schema, sha)

    def groundings(
        self, *, entity: tuple[str, str] | None = None, source: str | None = None
    ) -> Iterator[dict[str, Any]]:
        """Where things are stated, as the objects of `groundings.jsonl`.

        All of them, those of a `source`, or those of an `entity`: its type and key (parts joined by `|`) or id;
        each then also has the id as `entity`. Raises UnknownNameError for a source or entity that is not there.
        """
        if entity is not None and source is not None:
            found = groundings_of_entity(self._file, self.schema, *entity)
            yield from (row for row in found if row["source_id"] == source)
        elif entity is not None:
            if len(entity) != 2:
                raise UsageError("an entity is given as its type and its key")
            yield from groundings_of_entity(self._file, self.schema, *entity)
        elif source is not None:
            yield from groundings_of_source(self._file, source)
        else:
            yield from all_groundings(self._file)

    def close(self) -> None:
        """Let go of the file; closing twice is fine."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _listed(self, condition: str) -> Iterator[dict[str, Any]]:
        query = f"SELECT source_id, reason, message FROM episodes WHERE withdrawn IS NULL AND {condition} ORDER BY id"
        for source_id, reason, message in self._file.rows(query):
            yield {"source_id": source_id, "reason": reason, "message": message}
