"""Reading episodes from a JSON Lines file, or from the rows of a table.

A file is checked whole before its first episode is given out, so that a bad line or a doubled source
id costs no request; then it is streamed. A source that cannot be read twice (a pipe) is copied to a
temporary file first. Rows are taken by duck typing: mappings, a pandas frame, a Polars frame.
"""

from __future__ import annotations

import hashlib
import json
import math
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import ValidationError

from schemacast.episode import Episode
from schemacast.errors import InputError, Problem, nearest
from schemacast.frames import id_text, mappings, present

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from schemacast.schema.model import Schema

SHOWN_PROBLEMS = 20
RESERVED = {"part_of", "offset"}


class EpisodeFile(Iterable[Episode]):
    """The episodes of a JSON Lines file, checked; can be iterated more than once. `len()` counts them."""

    def __init__(self, path: Path, name: str, count: int, spool: IO[bytes] | None) -> None:
        self._path = path
        self._name = name
        self._count = count
        self._spool = spool

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Episode]:
        """The episodes as they were checked; InputError when the file is another one by now. What was added
        at its end since then is left for the next cast."""
        read = 0
        with _open(self._path, self._name) as lines:
            try:
                for _, line in _lines(lines):
                    if read == self._count:
                        return
                    episode = Episode.model_validate(json.loads(line))
                    read += 1
                    yield episode
            except (ValueError, RecursionError):
                raise InputError(f"{self._name}: has changed since it was checked; run again") from None
        if read < self._count:
            raise InputError(f"{self._name}: has lost episodes since it was checked; run again")


def read_episodes(path: str | Path, *, schema: Schema | None = None) -> EpisodeFile:
    """The episodes of a JSON Lines file, one object a line; blank lines are skipped.

    With a `schema` the types and relations of what sources state as `known` must be its own.

    Raises InputError that names every bad line and every doubled source id (the first 20 in its message,
    all in `problems`) when the file cannot be read or is wrong.
    """
    name = str(path)
    source = Path(path)
    spool: IO[bytes] | None = None
    with _open(source, name) as stream:
        if not stat.S_ISREG(source.stat().st_mode):
            spool = tempfile.NamedTemporaryFile(prefix="episodes-")  # noqa: SIM115 (lives as long as the EpisodeFile)
            shutil.copyfileobj(stream, spool)
            spool.flush()
            source = Path(spool.name)
    with _open(source, name) as stream:
        count = _check(stream, name, schema)
    return EpisodeFile(source, name, count, spool)


def _open(path: Path, name: str) -> IO[bytes]:
    try:
        if path.is_dir():
            raise InputError(f"{name}: is a directory; give a JSON Lines file of episodes")
        return path.open("rb")
    except FileNotFoundError:
        raise InputError(f"{name}: no such file; give a JSON Lines file of episodes") from None
    except PermissionError:
        raise InputError(f"{name}: no permission to read it") from None
    except OSError as error:
        raise InputError(f"{name}: cannot be read: {error.strerror or error}") from None


def _lines(stream: IO[bytes]) -> Iterator[tuple[int, str]]:
    """Line number and text of every line that is not blank. Only a line feed ends a line."""
    for number, raw in enumerate(stream, 1):
        if number == 1:
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        if raw.strip():
            yield number, raw.decode()


def _check(stream: IO[bytes], name: str, schema: Schema | None) -> int:
    """Count the episodes; raise InputError with every problem there is."""
    problems: list[Problem] = []
    first_line: dict[bytes, int] = {}
    number = 0
    for number, raw in enumerate(stream, 1):
        if number == 1:
            if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
                raise InputError(f"{name}: is UTF-16; save it as UTF-8")
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        if b"\0" in raw:
            raise InputError(f"{name}:{number}: is not text (it holds a NUL byte); give a JSON Lines file of episodes")
        if not raw.strip():
            continue
        try:
            episode = _read_line(raw)
        except ValueError as error:
            problems.append(Problem(name, number, 0, str(error)))
            continue
        digest = hashlib.blake2b(episode.source_id.encode(), digest_size=12).digest()
        before = first_line.setdefault(digest, number)
        if before != number:
            message = f"source_id {episode.source_id!r} stands on line {before} already; each must be unique"
            problems.append(Problem(name, number, 0, message))
        types, relations = (
            (each.type for each in episode.known.vertices),
            (each.relation for each in episode.known.edges),
        )
        if schema is not None and (unknown := schema.names.unknown(types, relations)):
            problems.append(Problem(name, number, 0, f"known: {unknown}"))
    if problems:
        raise InputError(_summary(problems), problems)
    if not first_line:
        raise InputError(f"{name}: holds no episode; each line is an object with source_id and text")
    return len(first_line)


def _summary(problems: Sequence[Problem]) -> str:
    shown = [str(problem) for problem in problems[:SHOWN_PROBLEMS]]
    if len(problems) > SHOWN_PROBLEMS:
        shown.append(f"and {len(problems) - SHOWN_PROBLEMS} more")
    return "\n".join(shown)


def _read_line(raw: bytes) -> Episode:
    """Raises ValueError with one line about the first thing that is wrong."""
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        raise ValueError(f"is not UTF-8 (byte {error.start + 1} of the line)") from None
    try:
        item = json.loads(text, object_pairs_hook=_object, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise ValueError(f"is not JSON: {error.msg} at column {error.colno}") from None
    except RecursionError:
        raise ValueError("is nested too deeply") from None
    return _episode(item)


def _episode(item: object) -> Episode:
    if not isinstance(item, Mapping):
        raise ValueError("is no object; each line is an object with source_id and text")
    try:
        return Episode.model_validate(item)
    except ValidationError as error:
        raise ValueError("; ".join(_explain(details) for details in error.errors()[:3])) from None


def episode_from_fields(fields: Mapping[str, Any]) -> Episode:
    """An episode from its fields. Raises InputError with one line about what is wrong."""
    try:
        return _episode(fields)
    except ValueError as error:
        raise InputError(str(error)) from None


def _explain(details: ErrorDetails) -> str:
    where = ".".join(str(part) for part in details["loc"])
    where = where if len(where) <= 100 else where[:99] + "…"
    kind = details["type"]
    if kind == "missing":
        return f"{where} is missing"
    if kind == "extra_forbidden":
        if where in RESERVED:
            return f"{where} is reserved for parts of long texts; leave it out"
        known = set(Episode.model_fields) if len(details["loc"]) == 1 else set()
        return f"{where} is no field of an episode{nearest(where, known)}"
    if kind == "value_error":
        return f"{where} {details['ctx']['error']}"
    message = details["msg"]
    return f"{where}: {message[0].lower()}{message[1:]}"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        doubled = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{doubled} stands twice in one object")
    return found


def _refuse_constant(text: str) -> object:
    raise ValueError(f"{text} is not JSON; leave the field out")


def episodes_from(
    rows: Any,
    *,
    source_id: str = "source_id",
    text: str = "text",
    reference_time: str | None = None,
    timezone: str | None = None,
    metadata: Sequence[str] = (),
) -> Iterable[Episode]:
    """Episodes from an iterable of mappings, a pandas frame or a Polars frame.

    `source_id`, `text`, `reference_time` and `metadata` name columns; `timezone` (an IANA name) is the zone
    of reference times that have none. None, NaN and NaT are absent, and so is a column that a row lacks while
    others have it. What can be read again (a frame, a list) is checked whole and comes back as a list; a one-shot
    iterator is read as it is consumed, and its first row has to have every column.

    Raises InputError for a row without id or text, a doubled id, a column that does not exist.
    """
    zone = _zone(timezone)
    columns = _Columns(
        source_id, text, reference_time, zone, (metadata,) if isinstance(metadata, str) else tuple(metadata)
    )
    records = mappings(rows)
    if isinstance(rows, Iterator):
        return _from_rows(records, columns)
    problems: list[Problem] = []
    episodes = list(_from_rows(records, columns, problems))
    if episodes or problems:
        columns.check()
    if problems:
        raise InputError(_summary(problems), problems)
    return episodes


def _zone(timezone: str | None) -> ZoneInfo | None:
    if timezone is None:
        return None
    try:
        return ZoneInfo(timezone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InputError(f"{timezone!r} is no IANA time zone; an example is 'Europe/Oslo'") from None


class _Columns:
    def __init__(
        self, source_id: str, text: str, reference_time: str | None, zone: ZoneInfo | None, metadata: tuple[str, ...]
    ) -> None:
        self.source_id = source_id
        self.text = text
        self.reference_time = reference_time
        self.zone = zone
        self.metadata = metadata
        self._wanted = [name for name in (source_id, text, reference_time, *metadata) if name is not None]
        self._seen: set[str] = set()

    def see(self, row: Mapping[str, Any]) -> None:
        """Take note of the columns that a row has."""
        self._seen.update(map(str, row))

    def check(self) -> None:
        """Raises InputError for a column that no row seen so far has."""
        for column in self._wanted:
            if column not in self._seen:
                raise InputError(f"no column {column!r}{nearest(column, self._seen)}")

    def episode(self, row: Mapping[str, Any]) -> Episode:
        fields: dict[str, Any] = {}
        identity = present(row.get(self.source_id))
        if identity is not None:
            fields["source_id"] = id_text(identity)
        body = present(row.get(self.text))
        if body is not None:
            fields["text"] = body
        moment = present(row.get(self.reference_time)) if self.reference_time else None
        if moment is not None:
            fields["reference_time"] = _moment(moment, self.zone)
        kept = {name: _json(value) for name in self.metadata if (value := present(row.get(name))) is not None}
        return _episode({**fields, "metadata": kept})


def _from_rows(
    rows: Iterable[Mapping[str, Any]], columns: _Columns, problems: list[Problem] | None = None
) -> Iterator[Episode]:
    """Raises at the first bad row, or collects them in `problems`."""
    seen: dict[str, int] = {}
    for number, row in enumerate(rows, 1):
        columns.see(row)
        if number == 1 and problems is None:
            columns.check()
        try:
            episode = columns.episode(row)
            before = seen.setdefault(episode.source_id, number)
            if before != number:
                raise ValueError(f"source_id {episode.source_id!r} stands in row {before} already; each must be unique")
        except ValueError as error:
            problem = Problem("row", number, 0, str(error))
            if problems is None:
                raise InputError(str(problem), [problem]) from None
            problems.append(problem)
            continue
        yield episode


def _moment(value: Any, zone: ZoneInfo | None) -> Any:
    if hasattr(value, "to_pydatetime"):
        value = value.to_pydatetime(warn=False)
    elif hasattr(value, "astype"):  # a numpy datetime64
        value = value.astype("datetime64[us]").item()
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return value
    elif isinstance(value, date) and not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day)
    if zone is not None and isinstance(value, datetime) and value.tzinfo is None:
        return value.replace(tzinfo=zone)
    return value


def _json(value: Any) -> Any:
    if hasattr(value, "tolist") and not isinstance(value, str | bytes):
        value = value.tolist()  # numpy's values and arrays
    if isinstance(value, str | int | bool) or (isinstance(value, float) and math.isfinite(value)):
        return value
    if isinstance(value, Mapping):
        return {str(name): _json(item) for name, item in value.items() if present(item) is not None}
    if isinstance(value, list | tuple):
        return [None if present(item) is None else _json(item) for item in value]
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
