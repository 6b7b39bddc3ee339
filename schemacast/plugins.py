"""Parts that other packages bring, found by entry point: stores by the scheme of an address, searchers by name.

Ours are found the same way as anybody's. Two packages that claim one name are an error, since which one is meant
would otherwise depend on the order of the installation. What a package lacks to be loaded is told with its name.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from schemacast.errors import MissingPackageError, SchemaCastError, UnknownNameError, UsageError, nearest


def names_of(group: str) -> set[str]:
    """Every name that an installed package claims in a group."""
    return {entry.name for entry in claims(group)}


def find_plugin(group: str, name: str, *, kind: str) -> EntryPoint:
    """The entry point of a name; `kind` says in a message what was looked for (`adapter for the scheme`).

    Raises UnknownNameError when nobody has it, UsageError when several packages do.
    """
    found = {entry.value: entry for entry in claims(group) if entry.name == name}
    if not found:
        raise UnknownNameError(f"no {kind} {name!r}{nearest(name, names_of(group))}")
    if len(found) > 1:
        packages = ", ".join(sorted(package_of(entry) for entry in found.values()))
        raise UsageError(f"several packages bring the {kind} {name!r}: {packages}; keep one")
    return next(iter(found.values()))


@contextmanager
def loading(entry: EntryPoint, *, kind: str) -> Iterator[None]:
    """What goes wrong while an entry point is loaded, as MissingPackageError or UsageError."""
    what = f"the {kind} {entry.name!r} of {package_of(entry)} cannot be loaded"
    try:
        yield
    except SchemaCastError:
        raise
    except ImportError as error:
        missing = f"; install the package {error.name!r}" if error.name else ""
        raise MissingPackageError(f"{what}: {error}{missing}") from error
    except AttributeError as error:
        raise UsageError(f"{what}: {error}") from error


def package_of(entry: EntryPoint) -> str:
    """The package that brings an entry point, with its version."""
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value


def claims(group: str) -> tuple[EntryPoint, ...]:
    """Every entry point of a group, read again when a folder that packages are found in has changed.

    Reading them opens a file of every installed package, and a job opens its store many times.
    """
    folders = [(folder, _changed(folder)) for folder in sys.path]
    if group not in _read or _read[group][0] != folders:
        _read[group] = folders, tuple(entry_points(group=group))
    return _read[group][1]


_read: dict[str, tuple[list[tuple[str, int]], tuple[EntryPoint, ...]]] = {}


def _changed(folder: str) -> int:
    try:
        return Path(folder).stat().st_mtime_ns
    except OSError:
        return 0
