"""Taking texts back: sources are withdrawn in the workspace first, then the store is brought up to date.

What only these sources supported goes, and nothing else: the graph is resolved without them, so that a value
falls back to the next one that its property keeps, and an entity or edge goes when nothing supports it. When
the store cannot be reached, the withdrawal stands, and the next job of any kind completes it there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from schemacast.corpus.index import drop_words, forget
from schemacast.errors import UnknownNameError, UsageError
from schemacast.jobs.report import RetractReport
from schemacast.jobs.writing import StoreWriter
from schemacast.qa.store import erase_answers
from schemacast.schema.model import Schema
from schemacast.workspace.episodes import Episodes
from schemacast.workspace.file import WorkspaceFile
from schemacast.workspace.lock import JobLock
from schemacast.workspace.purged import overwrite, purge
from schemacast.workspace.runs import Run
from schemacast.workspace.schemas import present_schema

SHOWN = 5


def retract(
    workspace: str | Path, source_ids: Iterable[str], *, to: str, purge: bool = False, reason: str | None = None
) -> RetractReport:
    """Withdraw sources, and remove from the store at `to` what only they supported.

    They stay withdrawn until `reinstate`, whatever a later ingest is given. `purge` also erases their texts,
    replies and findings, and their copies in other episodes' context. Withdrawing twice is no error.

    Raises UnknownNameError, changing nothing, when the workspace has never seen one of them; WorkspaceLocked,
    OutputError, StoreUnavailable, StoreConflict.
    """

    def withdraw(file: WorkspaceFile, source_id: str) -> bool:
        changed = Episodes(file).withdraw(source_id, reason)
        if purge:
            changed = _purge(file, source_id) or changed
        return changed

    return _change("retract", workspace, source_ids, to, withdraw, erase=purge)


def reinstate(workspace: str | Path, source_ids: Iterable[str], *, to: str) -> RetractReport:
    """Let withdrawn sources count again, with what they gave before; no model is asked.

    One that was purged is as if never seen: a later ingest casts it anew. Raises like `retract`.
    """

    def put_back(file: WorkspaceFile, source_id: str) -> bool:
        return Episodes(file).reinstate(source_id)

    return _change("reinstate", workspace, source_ids, to, put_back, erase=False)


def _purge(file: WorkspaceFile, source_id: str) -> bool:
    """Erase a source; whether there was anything to erase."""
    row = Episodes(file).find(source_id)
    if row is None or row.purged:
        return False
    purge(file, source_id)
    forget(file, row.id)
    erase_answers(file, source_id)
    file.touched()
    return True


def _change(
    command: str,
    workspace: str | Path,
    source_ids: Iterable[str],
    to: str,
    change: Callable[[WorkspaceFile, str], bool],
    *,
    erase: bool,
) -> RetractReport:
    names = tuple(dict.fromkeys(source_ids))
    if not names:
        raise UsageError(f"{command}: no source is named")
    with WorkspaceFile(workspace) as file, JobLock(file.path):
        schema, sha = present_schema(file)
        _check_known(file, names)
        with Run(file, command, model=None, store=to, planned=len(names)) as run:
            with file.transaction(durable=True):
                changed = tuple(name for name in names if change(file, name))
                if erase:
                    drop_words(file)
            if erase:
                overwrite(file)
            report = _write(file.path, schema, sha, to, changed, names, erase=erase)
            run.end(None)
    return report


def _write(
    path: Path, schema: Schema, sha: str, to: str, changed: tuple[str, ...], names: tuple[str, ...], *, erase: bool
) -> RetractReport:
    writer = StoreWriter(path, schema, sha, to)
    try:
        written = writer.write()
    finally:
        writer.close()
    unchanged = tuple(name for name in names if name not in set(changed))
    return RetractReport(to, changed, unchanged, len(changed) if erase else 0, written)


def _check_known(file: WorkspaceFile, names: tuple[str, ...]) -> None:
    unknown = Episodes(file).unknown(names)
    if unknown:
        shown = ", ".join(repr(name) for name in unknown[:SHOWN])
        more = f" and {len(unknown) - SHOWN:,} more" if len(unknown) > SHOWN else ""
        raise UnknownNameError(f"{file.path}: has no source {shown}{more}; nothing was changed")
