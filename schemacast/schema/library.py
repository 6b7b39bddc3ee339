"""The ready-made schemas, by name: `lib:helpdesk`.

They have two homes. In an installed wheel they are inside the package; in a checkout they lie beside
it, where people read them. Each is a file `NAME.yaml`, or `schema.yaml` in a folder of that name.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from schemacast.errors import UnknownNameError, nearest

if TYPE_CHECKING:
    from schemacast.schema.model import Schema

PREFIX = "lib:"
PACKAGE = Path(__file__).resolve().parent.parent
HOMES = (PACKAGE / "schemas", PACKAGE.parent / "schemas")


def library_names() -> tuple[str, ...]:
    """The names of the ready-made schemas, sorted."""
    return tuple(_files())


def _files() -> dict[str, Path]:
    for home in HOMES:
        if home.is_dir():
            files = {path.stem: path for path in home.glob("*.yaml")}
            files |= {path.parent.name: path for path in home.glob("*/schema.yaml")}
            if files:
                return dict(sorted(files.items()))
    return {}


def resolve_schema(path: str | Path) -> Path:
    """The file that a path or `lib:NAME` means; a path is not looked at.

    Raises UnknownNameError, which says what exists, for a ready-made schema there is none of.
    """
    if isinstance(path, Path) or not path.startswith(PREFIX):
        return Path(path)
    name = path.removeprefix(PREFIX)
    schemas = _files()
    if name not in schemas:
        there_are = ", ".join(schemas) or "none"
        close = nearest(name, schemas)
        hint = close if close.startswith("; did you mean") else ""
        raise UnknownNameError(f"there is no ready-made schema {name!r}{hint} (there are: {there_are})")
    return schemas[name]


def open_schema(path: str | Path) -> Schema:
    """The schema that a command was given: a path or `lib:NAME`. The same as `load_schema`."""
    from schemacast.schema.load import load_schema

    return load_schema(path)
