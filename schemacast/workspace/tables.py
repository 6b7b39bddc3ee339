"""The tables of a workspace and how a file of an earlier version becomes one of this version.

`episodes` has one row a source, with the state of its last outcome; what is large (text, record graph,
groundings, findings) stands in tables of its own, so that changing a state rewrites nothing large. `replies`
are found by request key and attempt. `written` says what stands where: for each store and id the hash of
what it holds, an empty hash where a write was begun and its end is not known, NULL where it was removed.
`found` keeps what a store already held when this workspace first wrote to it. `passages` and `names` are what
texts and entities are found by; triggers note in `texts_changed` and `records_changed` which episodes these have
to be made anew for, whatever changed them, so that nothing is ever looked through as a whole to find out.
`decisions` say which entity each record of a type without a key is, `revisions` what a run found to be otherwise
than before, `verdicts` what people said, `weights` what was learned of a type. Migrations only ever append.
"""

from __future__ import annotations

APPLICATION_ID = 0x53434A31
"""Tells a workspace from any other SQLite file."""

_FIRST = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE schemas (
    sha TEXT PRIMARY KEY, ref TEXT NOT NULL, text TEXT NOT NULL, added TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE episodes (
    id INTEGER PRIMARY KEY,
    source_id TEXT NOT NULL UNIQUE,
    content TEXT NOT NULL,
    state TEXT NOT NULL,
    cast_key TEXT,
    request TEXT,
    reason TEXT,
    message TEXT,
    attempt INTEGER NOT NULL DEFAULT 0,
    replied INTEGER NOT NULL DEFAULT 0,
    stale INTEGER NOT NULL DEFAULT 0,
    withdrawn TEXT,
    why TEXT,
    pruned INTEGER NOT NULL DEFAULT 0,
    purged INTEGER NOT NULL DEFAULT 0,
    schema TEXT,
    model TEXT,
    ended TEXT,
    placed BLOB
);
CREATE INDEX episodes_by_state ON episodes (state);
CREATE TABLE texts (episode INTEGER PRIMARY KEY REFERENCES episodes ON DELETE CASCADE, body TEXT NOT NULL);
CREATE TABLE records (episode INTEGER PRIMARY KEY REFERENCES episodes ON DELETE CASCADE, graph TEXT NOT NULL);
CREATE TABLE outcomes (
    episode INTEGER PRIMARY KEY REFERENCES episodes ON DELETE CASCADE,
    summary TEXT NOT NULL, groundings TEXT NOT NULL, quarantine TEXT NOT NULL, unmapped TEXT NOT NULL
);
CREATE TABLE contexts (
    source_id TEXT NOT NULL, episode INTEGER NOT NULL REFERENCES episodes ON DELETE CASCADE,
    PRIMARY KEY (source_id, episode)
) WITHOUT ROWID;
CREATE TABLE replies (
    request TEXT NOT NULL, attempt INTEGER NOT NULL, reply TEXT NOT NULL, finish_reason TEXT NOT NULL, model TEXT,
    input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL, requests INTEGER NOT NULL, arrived TEXT NOT NULL
);
CREATE UNIQUE INDEX replies_by_request ON replies (request, attempt);
CREATE TABLE uses (
    episode INTEGER NOT NULL REFERENCES episodes ON DELETE CASCADE, request TEXT NOT NULL, attempt INTEGER NOT NULL,
    PRIMARY KEY (episode, request, attempt)
) WITHOUT ROWID;
CREATE INDEX uses_by_request ON uses (request, attempt);
CREATE TABLE decisions (
    source_id TEXT NOT NULL, ref TEXT NOT NULL, entity TEXT NOT NULL, by TEXT NOT NULL, score REAL NOT NULL,
    PRIMARY KEY (source_id, ref, by)
) WITHOUT ROWID;
CREATE TABLE mentions (
    entity TEXT NOT NULL, episode INTEGER NOT NULL REFERENCES episodes ON DELETE CASCADE, refs TEXT NOT NULL,
    PRIMARY KEY (entity, episode)
) WITHOUT ROWID;
CREATE INDEX mentions_by_episode ON mentions (episode);
CREATE TABLE stores (id INTEGER PRIMARY KEY, place TEXT NOT NULL UNIQUE, version INTEGER NOT NULL DEFAULT -1);
CREATE TABLE written (
    store INTEGER NOT NULL REFERENCES stores, kind INTEGER NOT NULL, id TEXT NOT NULL, hash BLOB,
    PRIMARY KEY (store, kind, id)
) WITHOUT ROWID;
CREATE TABLE found (
    store INTEGER NOT NULL REFERENCES stores, kind INTEGER NOT NULL, id TEXT NOT NULL, item TEXT NOT NULL,
    PRIMARY KEY (store, kind, id)
) WITHOUT ROWID;
CREATE TABLE runs (
    id INTEGER PRIMARY KEY, command TEXT NOT NULL, started TEXT NOT NULL, ended TEXT, stopped TEXT,
    model TEXT, store TEXT, planned INTEGER NOT NULL DEFAULT 0, done INTEGER NOT NULL DEFAULT 0,
    requests INTEGER NOT NULL DEFAULT 0, input_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0, cost REAL, seconds REAL NOT NULL DEFAULT 0
);
"""


def _noting(name: str, event: str, queue: str, episode: str) -> str:
    """A trigger that puts an episode into a queue. The conflict rule of whatever fires it would stand above its own."""
    return (
        f"CREATE TRIGGER {name} AFTER {event} BEGIN INSERT INTO {queue} SELECT {episode}"
        f" WHERE NOT EXISTS (SELECT 1 FROM {queue} WHERE episode = {episode}); END;"
    )


_TRIGGERS = "\n".join(
    (
        _noting("text_added", "INSERT ON texts", "texts_changed", "new.episode"),
        _noting("text_changed", "UPDATE ON texts", "texts_changed", "new.episode"),
        _noting("text_removed", "DELETE ON texts", "texts_changed", "old.episode"),
        _noting("episode_counts", "UPDATE OF withdrawn, purged ON episodes", "texts_changed", "new.id"),
        _noting("episode_removed", "DELETE ON episodes", "texts_changed", "old.id"),
        _noting("records_added", "INSERT ON records", "records_changed", "new.episode"),
        _noting("records_updated", "UPDATE ON records", "records_changed", "new.episode"),
        _noting("records_removed", "DELETE ON records", "records_changed", "old.episode"),
    )
)

_SECOND = f"""
CREATE TABLE passages (
    id INTEGER PRIMARY KEY, episode INTEGER NOT NULL, number INTEGER NOT NULL,
    char_start INTEGER NOT NULL, char_end INTEGER NOT NULL, text TEXT NOT NULL
);
CREATE INDEX passages_by_episode ON passages (episode);
CREATE TABLE indexed (
    episode INTEGER PRIMARY KEY, root TEXT NOT NULL, title TEXT NOT NULL, metadata TEXT NOT NULL
);
CREATE TABLE names (
    name TEXT NOT NULL, episode INTEGER NOT NULL, ref TEXT NOT NULL, PRIMARY KEY (name, episode, ref)
) WITHOUT ROWID;
CREATE INDEX names_by_episode ON names (episode);
CREATE TABLE texts_changed (episode INTEGER PRIMARY KEY);
CREATE TABLE records_changed (episode INTEGER PRIMARY KEY);
{_TRIGGERS}
INSERT INTO texts_changed SELECT id FROM episodes;
INSERT INTO records_changed SELECT episode FROM records;
"""

_THIRD = """
CREATE TABLE answers (
    id INTEGER PRIMARY KEY AUTOINCREMENT, chain TEXT NOT NULL, cache_key TEXT NOT NULL, state TEXT NOT NULL,
    event INTEGER NOT NULL, record TEXT NOT NULL
);
CREATE UNIQUE INDEX answers_live ON answers (chain, cache_key) WHERE state = 'live';
CREATE TABLE audit_events (
    chain TEXT NOT NULL, seq INTEGER NOT NULL, at TEXT NOT NULL, kind TEXT NOT NULL, payload TEXT NOT NULL,
    prev TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (chain, seq)
) WITHOUT ROWID;
"""

_FOURTH = """
ALTER TABLE decisions ADD COLUMN decided TEXT;
CREATE TABLE revisions (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, type TEXT NOT NULL, entity TEXT NOT NULL, others TEXT NOT NULL,
    by TEXT NOT NULL, score REAL NOT NULL, decided TEXT NOT NULL
);
CREATE TABLE verdicts (
    number INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, type TEXT NOT NULL, sides TEXT NOT NULL,
    said TEXT NOT NULL, undone TEXT
);
CREATE TABLE weights (
    type TEXT PRIMARY KEY, signature TEXT NOT NULL, rows INTEGER NOT NULL, weights TEXT NOT NULL, learned TEXT NOT NULL
) WITHOUT ROWID;
"""

MIGRATIONS = (_FIRST, _SECOND, _THIRD, _FOURTH)
"""The script at position n makes a file of version n one of version n + 1."""

VERSION = len(MIGRATIONS)
