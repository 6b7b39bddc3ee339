"""The lock of a job: one process at a time changes a workspace.

It is the operating system's, on a file of its own beside the workspace, so that it dies with its process
however that ends, and a file left behind means nothing. It is not on the workspace itself, because closing
a descriptor of a file would let go of the locks that SQLite holds on it. Readers do not need it.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from schemacast.errors import OutputError, WorkspaceLocked

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


PATIENCE = 0.3
"""Seconds that a job tries for the lock: longer than a look at it takes, and no more."""


class JobLock:
    """Held from entering to leaving. Raises WorkspaceLocked when another process holds it.

    `patience`: how long it is tried for, in seconds.
    """

    def __init__(self, workspace: Path, *, patience: float = PATIENCE) -> None:
        self._workspace = workspace
        self._patience = patience
        self._path = workspace.with_name(workspace.name + ".lock")
        self._descriptor: int | None = None

    def exists(self) -> bool:
        """Whether a job has ever held it."""
        return self._path.exists()

    def __enter__(self) -> Self:
        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            code = 4 if isinstance(error, PermissionError) else 3
            raise OutputError(f"{self._path}: cannot be made: {error.strerror or error}", exit_code=code) from error
        until = time.monotonic() + self._patience
        while True:
            try:
                _hold(descriptor)
            except OSError as error:
                if time.monotonic() < until:
                    time.sleep(0.02)
                    continue
                os.close(descriptor)
                raise WorkspaceLocked(
                    f"{self._workspace}: another job is using it; wait for its end, or see `schemacast status`"
                ) from error
            self._descriptor = descriptor
            return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _hold(descriptor: int) -> None:
    """Take the lock or raise OSError."""
    if sys.platform == "win32":
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_locked(workspace: Path) -> bool:
    """Whether a job holds the lock now. It is tried for, for an instant, which a job that begins waits out."""
    lock = JobLock(workspace, patience=0.0)
    if not lock.exists():
        return False
    try:
        with lock:
            return False
    except (WorkspaceLocked, OutputError):
        return True
