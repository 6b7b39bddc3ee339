"""The text of a schema file, or one clear reason why there is none.

Size is checked before anything is read, and no more than the limit is ever read, so that a huge file
or an endless device costs nothing. A schema is UTF-8; a byte-order mark is dropped, UTF-16 is named
as such, and bytes that are no text are refused with their line rather than guessed at.
"""

from __future__ import annotations

import codecs
import re
from pathlib import Path
from typing import NoReturn

from schemacast.errors import nearest
from schemacast.schema.nodes import stop

MAX_BYTES = 2_000_000
UNREADABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def read_source(path: Path) -> str:
    """The text of the file; raises SchemaError when it cannot be had."""
    file = str(path)
    try:
        if path.is_dir():
            stop(file, 0, 0, "is a directory; name the schema file in it")
        if path.stat().st_size > MAX_BYTES:
            _too_large(file, path.stat().st_size)
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        stop(file, 0, 0, f"there is no such file{_neighbour(path)}")
    except PermissionError:
        stop(file, 0, 0, "may not be read; check its permissions")
    except (OSError, ValueError) as error:
        stop(file, 0, 0, f"cannot be read: {getattr(error, 'strerror', None) or error}")
    if len(data) > MAX_BYTES:
        _too_large(file, None)
    text = _decode(data, file)
    check_text(text, file=file)
    return text


def check_text(text: str, *, file: str) -> None:
    """Raise SchemaError for a text that is too long, or has characters that no text file has."""
    if len(text) > MAX_BYTES:
        _too_large(file, len(text))
    if found := UNREADABLE.search(text):
        line = text.count("\n", 0, found.start()) + 1
        column = found.start() - text.rfind("\n", 0, found.start())
        name = "a NUL byte" if found[0] == "\0" else f"the character U+{ord(found[0]):04X}"
        stop(file, line, column, f"has {name}; it is no text file, or a damaged one")


def _too_large(file: str, size: int | None) -> NoReturn:
    shown = f"is {size / 1e6:,.1f} MB" if size else "is larger than that"
    stop(file, 0, 0, f"{shown}; a schema file may have {MAX_BYTES / 1e6:.0f} MB at most")


def _decode(data: bytes, file: str) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        stop(file, 0, 0, "is UTF-16; save it as UTF-8")
    try:
        return data.removeprefix(codecs.BOM_UTF8).decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        if b"\0" in data:
            stop(file, line, 0, "is a binary file, not a schema")
        stop(file, line, 0, f"is not UTF-8 (byte 0x{data[error.start]:02X}); save it as UTF-8")


def _neighbour(path: Path) -> str:
    try:
        names = [entry.name for entry in path.parent.iterdir() if entry.suffix in (".yaml", ".yml", ".json")]
    except OSError:
        return ""
    return nearest(path.name, names[:200])
