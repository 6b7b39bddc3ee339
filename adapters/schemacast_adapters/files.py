"""Files that are replaced whole or not at all, and the lock that keeps two writers apart.

A file is written beside its target under another name, flushed to the disk and moved into place, so
that whoever reads the target sees the old bytes or the new ones. The lock is the operating system's,
on the folder: it dies with its process and leaves nothing behind. Errors of the disk become one line.
"""

from __future__ import annotations

import errno
import os
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from schemacast.errors import OutputError, StoreUnavailable

try:
    import fcntl
except ImportError:  # Windows; there a change by another process is only detected, not prevented
    fcntl = None  # type: ignore[assignment]

LOCK_SECONDS = 10.0
_NEEDS_A_PERSON = (errno.EACCES, errno.EPERM, errno.EROFS)


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Turn an error of the disk into an OutputError of one line that names the file."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        if error.errno in _NEEDS_A_PERSON:
            raise OutputError(f"{path}: cannot be written: {reason}", exit_code=4) from error
        if error.errno in (errno.EISDIR, errno.ENOTDIR, errno.EEXIST, errno.ENAMETOOLONG, errno.ELOOP):
            raise OutputError(f"{path}: cannot be written: {reason}; give another path", exit_code=2) from error
        raise OutputError(f"{path}: cannot be written: {reason}; the file is as it was") from error


def replace_file(path: Path, content: Iterable[str]) -> None:
    """Write the pieces of `content` as the UTF-8 file at `path`, atomically.

    A link is followed; the mode of an old file is kept, and one that forbids writing is respected.

    Raises OutputError when the disk refuses; then the old file is as it was and nothing else is left.
    """
    with disk_errors(path):
        target = _permitted(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(prefix=f".{target.name[:80]}.", suffix=".tmp", dir=target.parent)
        temporary = Path(name)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
                file.writelines(content)
                file.flush()
                os.fsync(file.fileno())
            temporary.chmod(_mode(target))
            temporary.replace(target)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise
        _flush_folder(target.parent)


def _permitted(path: Path) -> Path:
    """The file behind a path. Moving another one into its place would not ask whether it may be written."""
    target = path.resolve()
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return target


def check_writable(path: Path) -> None:
    """See that the file at `path` could be made, and leave nothing behind. Raises OutputError when not."""
    with disk_errors(path):
        target = _permitted(path)
        missing = [folder for folder in target.parents if not folder.exists()]
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            descriptor, name = tempfile.mkstemp(prefix=f".{target.name[:80]}.", suffix=".tmp", dir=target.parent)
            os.close(descriptor)
            Path(name).unlink()
        finally:
            for folder in missing:
                with suppress(OSError):
                    folder.rmdir()


@contextmanager
def folder_lock(path: Path) -> Iterator[None]:
    """Hold the folder of `path` for one writer. Raises StoreUnavailable after ten seconds of waiting.

    Where the system or the file system has no such lock, nothing is held.
    """
    if fcntl is None:
        yield
        return
    with disk_errors(path):
        folder = path.resolve().parent
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY)
    try:
        _wait_for(descriptor, path)
        yield
    finally:
        os.close(descriptor)


def _wait_for(descriptor: int, path: Path) -> None:
    until = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise StoreUnavailable(f"{path}: another process is writing it; try again later") from None
            time.sleep(0.02)
        except OSError as error:
            if error.errno not in (errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS, errno.EINVAL):
                raise
            return
        else:
            return


def _mode(target: Path) -> int:
    try:
        return target.stat().st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def _flush_folder(folder: Path) -> None:
    """Make the move itself durable, where folders can be opened for that."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
