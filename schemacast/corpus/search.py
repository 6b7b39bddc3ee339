"""Find the passages that a text asks for, the best first.

SQLite's FTS5 ranks by BM25 over title, body and character pairs; what stands in a title says what the whole
source is about, which BM25 alone misses, so the first candidates are ranked again with a bonus for it. The
index and the sources are read in one statement: a source that was withdrawn or changed a moment ago, and that
the index still has, is never given out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from schemacast.corpus.index import is_made, passage_root, update
from schemacast.corpus.terms import Terms, terms, title_terms
from schemacast.errors import WorkspaceLocked
from schemacast.workspace.file import WorkspaceFile
from schemacast.workspace.reader import Workspace

TITLE_BONUS = 0.5
"""A passage whose title holds every word of the question scores so much more, as a share."""
TITLE_WEIGHT = 2.0
"""A word in a title counts as much as so many in a body."""
OVER_FETCH = 32
LIMIT = 8

_SEARCH = f"""
SELECT found.score, passages.id, source_id, number, char_start, char_end, passages.text, root, title, metadata
FROM (
    SELECT rowid AS id, rank AS score FROM passage_index
    WHERE passage_index MATCH ? AND rank MATCH 'bm25({TITLE_WEIGHT}, 1.0, 1.0)' ORDER BY rank LIMIT ?
) AS found
JOIN passages ON passages.id = found.id JOIN episodes ON episodes.id = passages.episode
JOIN indexed ON indexed.episode = passages.episode
WHERE withdrawn IS NULL AND NOT EXISTS (SELECT 1 FROM texts_changed WHERE texts_changed.episode = passages.episode)
"""


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage: characters `char_start` to `char_end` of a source, which are `text`.

    `number` counts the passages of the source from 0. `source_root` and `root` are the fingerprints of source
    and passage. `score` is higher for what fits better, and means nothing between two questions.
    """

    source_id: str
    char_start: int
    char_end: int
    text: str
    title: str
    score: float
    number: int
    source_root: str
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def root(self) -> str:
        return passage_root(self.source_root, self.char_start, self.char_end, self.text)


def search(
    workspace: WorkspaceFile | Workspace | str | Path,
    text: str,
    *,
    limit: int = LIMIT,
    over_fetch: int = OVER_FETCH,
    keywords: str | None = None,
) -> list[Hit]:
    """The passages of sources that count which `text` asks for, best first, at most `limit`.

    `over_fetch` candidates are ranked again by their titles; `keywords` are looked for besides. A text without
    a letter or digit finds nothing. The index is brought up to date first; while a job holds the workspace for
    longer than a person waits, what it has just added may be missing.
    Raises InputError for a workspace that is none, MissingPackageError when SQLite has no FTS5.
    """
    with opened(workspace) as file:
        bring_up_to_date(file)
        sought = terms(text, keywords=keywords)
        if limit < 1 or not sought.expression:
            return []
        fetch = max(over_fetch, limit)
        while True:
            rows = list(file.rows(_SEARCH, (sought.expression, fetch)))
            # What the statement leaves out must not leave a question without an answer.
            if len(rows) >= min(limit, fetch) or _matches(file, sought, fetch) < fetch:
                break
            fetch *= 4
        hits = [(_score(row[0], row[8], sought), row) for row in rows]
        hits.sort(key=lambda hit: (-hit[0], hit[1][2], hit[1][4]))
        return [_hit(score, row) for score, row in hits[:limit]]


def passages_at(file: WorkspaceFile, source_id: str, start: int, end: int) -> list[Hit]:
    """The passages of a source that counts which share a character with a span, in order; the score is 0."""
    rows = file.rows(
        "SELECT 0.0, passages.id, source_id, number, char_start, char_end, passages.text, root, title, metadata"
        " FROM episodes JOIN passages ON passages.episode = episodes.id JOIN indexed ON indexed.episode = episodes.id"
        " WHERE source_id = ? AND withdrawn IS NULL AND char_start < ? AND char_end > ? AND NOT EXISTS"
        " (SELECT 1 FROM texts_changed WHERE texts_changed.episode = passages.episode) ORDER BY number",
        (source_id, end, start),
    )
    return [_hit(0.0, row) for row in rows]


@contextmanager
def opened(workspace: WorkspaceFile | Workspace | str | Path) -> Iterator[WorkspaceFile]:
    """A workspace's file: the caller's own, or one for the time being."""
    if isinstance(workspace, WorkspaceFile):
        yield workspace
        return
    with WorkspaceFile(workspace.path if isinstance(workspace, Workspace) else workspace) as file:
        yield file


def bring_up_to_date(file: WorkspaceFile) -> None:
    """Index what is new; when a job does not let go of the workspace, the index stands as it is, once there is one."""
    try:
        update(file)
    except WorkspaceLocked:
        if not is_made(file):
            raise


def _matches(file: WorkspaceFile, sought: Terms, at_most: int) -> int:
    count: int = file.value(
        "SELECT count(*) FROM (SELECT 1 FROM passage_index WHERE passage_index MATCH ? LIMIT ?)",
        (sought.expression, at_most),
    )
    return count


def _score(rank: float, title: str, sought: Terms) -> float:
    """FTS5's rank is negative, the lower the better."""
    return -rank * (1 + TITLE_BONUS * sought.share_in(title_terms(title)))


def _hit(score: float, row: tuple[Any, ...]) -> Hit:
    _, _, source_id, number, start, end, text, root, title, metadata = row
    return Hit(source_id, start, end, text, title, score, number, root, json.loads(metadata))
