"""The full-text index of a workspace: made when it is first needed, then kept up to date source by source.

Triggers of the workspace note which episodes changed, so that an update costs what changed and nothing else.
It works in short transactions of its own, so that a job that runs meanwhile is never kept waiting for long, nor
waits for it. Withdrawn sources leave the index; a purged one is erased from it, down to its words. The index
holds no text: it is told the same words again to forget them. What does not depend on SQLite having FTS5 (the
tables of passages and names) stands in the workspace; the index itself is made here.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator
from typing import Any

from schemacast.corpus.names import names_of
from schemacast.corpus.passages import PASSAGES_VERSION, passages
from schemacast.corpus.terms import columns
from schemacast.errors import MissingPackageError
from schemacast.llm.request_key import utf8
from schemacast.schema.model import Schema
from schemacast.workspace.file import WorkspaceFile
from schemacast.workspace.lock import is_locked
from schemacast.workspace.schemas import present_schema

INDEX_VERSION = f"1:{PASSAGES_VERSION}"
TITLE_FIELDS = ("title", "subject", "headline", "name")
"""Members of an episode's metadata that may be its title, in this order; else its source id is."""
LONGEST_TITLE = 300
SOURCES_AT_ONCE = 50
CHARACTERS_AT_ONCE = 200_000
"""What is indexed in one transaction: a tenth of a second at most, or one source."""
SHORTEST_PAUSE = 0.05
"""Seconds between two of them while a job runs: whoever waits for the file asks for it so often."""

_CREATE = (
    "CREATE VIRTUAL TABLE IF NOT EXISTS passage_index USING fts5"
    "(title, body, pairs, content='', tokenize='porter unicode61 remove_diacritics 2')"
)


def update(file: WorkspaceFile) -> int:
    """Bring the index up to date; how many sources were looked at anew.

    Raises MissingPackageError when SQLite has no FTS5, WorkspaceLocked when another process does not let go.
    """
    _prepare(file)
    done = _work_off(file, "texts_changed", lambda ident: _replace(file, ident))
    _ask_for_names_of_another_schema(file)
    schemas: list[Schema] = []

    def rename(ident: int) -> int:
        if not schemas:
            schemas.append(present_schema(file)[0])
        return _rename(file, ident, schemas[0])

    _work_off(file, "records_changed", rename)
    return done


def _work_off(file: WorkspaceFile, queue: str, work: Callable[[int], int]) -> int:
    """Do the work of a queue, in transactions of limited size with pauses for a job that runs; how many there were."""
    done = 0
    while some := _queued(file, queue):
        began = time.monotonic()
        with file.transaction():
            characters = 0
            for ident in some:
                characters += work(ident)
                file.execute(f"DELETE FROM {queue} WHERE episode = ?", (ident,))
                done += 1
                if characters > CHARACTERS_AT_ONCE:
                    break
        if is_locked(file.path):
            time.sleep(max(SHORTEST_PAUSE, time.monotonic() - began))
    return done


def is_made(file: WorkspaceFile) -> bool:
    """Whether there is an index of today's form."""
    return file.meta("index") == INDEX_VERSION


def forget(file: WorkspaceFile, ident: int) -> None:
    """Take a purged source out of the index; part of a transaction of the caller's, which ends with `drop_words`."""
    if file.value("SELECT 1 FROM passages WHERE episode = ?", (ident,)) is not None:
        require_fts5(file)
        _remove(file, ident)
    # What other sources had read in their copies of its text may name things too.
    file.execute("DELETE FROM names WHERE episode = ? OR episode IN (SELECT episode FROM records_changed)", (ident,))


def drop_words(file: WorkspaceFile) -> None:
    """Leave no word of what was forgotten in the index: it keeps deleted ones until what holds them is merged."""
    if is_made(file):
        require_fts5(file)
        file.execute("INSERT INTO passage_index (passage_index) VALUES ('optimize')")


def require_fts5(file: WorkspaceFile, *, module: str = "fts5") -> None:
    """Raise MissingPackageError unless SQLite can search texts."""
    if file.value("SELECT 1 FROM pragma_module_list WHERE name = ?", (module,)) is None:
        raise MissingPackageError(
            f"the SQLite of this Python has no {module.upper()}, which searching texts needs; use a Python whose"
            " sqlite3 has it, such as those of python.org, conda-forge or uv"
        )


def source_root(source_id: str, text: str) -> str:
    """The fingerprint of a source: SHA-256, as hex, of a zero byte and the JSON of its id and text."""
    told = json.dumps([source_id, text], ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(b"\0" + utf8(told)).hexdigest()


def passage_root(root: str, start: int, end: int, text: str) -> str:
    """The fingerprint of a passage: like `source_root`, of its source's, its place and its text."""
    told = json.dumps([root, start, end, text], ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(b"\0" + utf8(told)).hexdigest()


def title_of(source_id: str, metadata: dict[str, Any]) -> str:
    """What a source is called."""
    for name in TITLE_FIELDS:
        value = metadata.get(name)
        if isinstance(value, str) and value.strip():
            return " ".join(value.split())[:LONGEST_TITLE]
    return source_id[:LONGEST_TITLE]


def _prepare(file: WorkspaceFile) -> None:
    """Make the index, anew when it is of another form."""
    if is_made(file):
        return
    require_fts5(file)
    with file.transaction():
        if is_made(file):
            return
        file.execute("DROP TABLE IF EXISTS passage_index")
        file.execute(_CREATE)
        for table in ("passages", "indexed", "names"):
            file.execute(f"DELETE FROM {table}")
        file.execute("INSERT OR IGNORE INTO texts_changed SELECT id FROM episodes")
        file.execute("INSERT OR IGNORE INTO records_changed SELECT episode FROM records")
        file.set_meta("index", INDEX_VERSION)


def _ask_for_names_of_another_schema(file: WorkspaceFile) -> None:
    """Which properties name something is the schema's to say."""
    sha = file.meta("schema_sha")
    if sha != file.meta("names_schema"):
        with file.transaction():
            file.execute("INSERT OR IGNORE INTO records_changed SELECT episode FROM records")
            file.set_meta("names_schema", sha or "")


def _queued(file: WorkspaceFile, queue: str) -> list[int]:
    return [row[0] for row in file.rows(f"SELECT episode FROM {queue} ORDER BY episode LIMIT {SOURCES_AT_ONCE}")]


def _replace(file: WorkspaceFile, ident: int) -> int:
    """Index a source as it stands now, or no longer; the characters that were indexed."""
    row = file.row(
        "SELECT source_id, body FROM episodes JOIN texts ON episode = id WHERE id = ? AND withdrawn IS NULL", (ident,)
    )
    if row is None:
        return _remove(file, ident)
    source_id, episode = row[0], json.loads(row[1])
    text, metadata = episode["text"], episode.get("metadata") or {}
    root, title = source_root(source_id, text), title_of(source_id, metadata)
    told = json.dumps(metadata, ensure_ascii=False)
    if file.row("SELECT root, title, metadata FROM indexed WHERE episode = ?", (ident,)) == (root, title, told):
        return 0
    removed = _remove(file, ident)
    file.execute("INSERT INTO indexed VALUES (?, ?, ?, ?)", (ident, root, title, told))
    for number, (start, end) in enumerate(passages(text)):
        passage = text[start:end]
        file.execute(
            "INSERT INTO passages (episode, number, char_start, char_end, text) VALUES (?, ?, ?, ?, ?)",
            (ident, number, start, end, passage),
        )
        rowid = file.value("SELECT last_insert_rowid()")
        file.execute(
            "INSERT INTO passage_index (rowid, title, body, pairs) VALUES (?, ?, ?, ?)", _row(rowid, title, passage)
        )
    return removed + len(text)


def _remove(file: WorkspaceFile, ident: int) -> int:
    """Take a source out of the index; the characters that it had there."""
    title = file.value("SELECT title FROM indexed WHERE episode = ?", (ident,))
    held = list(file.rows("SELECT id, text FROM passages WHERE episode = ?", (ident,)))
    for rowid, text in held:
        file.execute(
            "INSERT INTO passage_index (passage_index, rowid, title, body, pairs) VALUES ('delete', ?, ?, ?, ?)",
            _row(rowid, title, text),
        )
    file.execute("DELETE FROM passages WHERE episode = ?", (ident,))
    file.execute("DELETE FROM indexed WHERE episode = ?", (ident,))
    return sum(len(text) for _, text in held)


def _row(rowid: int, title: str, text: str) -> tuple[int, str, str, str]:
    """What the index is told of a passage, to keep it and, with the same words, to forget it."""
    body, pairs = columns(text)
    title_body, title_pairs = columns(title)
    return rowid, title_body, body, f"{pairs} {title_pairs}" if title_pairs else pairs


def _rename(file: WorkspaceFile, ident: int, schema: Schema) -> int:
    """Note the names by which the records of a source can be asked about; the characters that were read."""
    file.execute("DELETE FROM names WHERE episode = ?", (ident,))
    graph = file.value("SELECT graph FROM records WHERE episode = ?", (ident,))
    if graph is not None:
        file.many("INSERT OR IGNORE INTO names VALUES (?, ?, ?)", _names(json.loads(graph), ident, schema))
    return len(graph or "")


def _names(graph: dict[str, Any], ident: int, schema: Schema) -> Iterator[tuple[str, int, str]]:
    for record in graph["records"]:
        kind = schema.vertices.get(record["type"])
        if kind is not None:
            for name in names_of(record["props"], kind):
                yield name, ident, record["ref"]
