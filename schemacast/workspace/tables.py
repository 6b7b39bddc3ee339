"""The tables of a workspace and how a file of an earlier version becomes one of this version.

`episodes` has one row a source, with the state of its last outcome; what is large (text, record graph,
groundings, findings) stands in tables of its own, so that changing a state rewrites nothing large. `replies`
are found by request key and attempt. `written` says what stands where: for each store and id the hash of
what it holds, an empty hash where a write was begun and its end is not known, NULL where it was removed.
`found` keeps what a store already held when this workspace first wrote to it. `decisions` say which entity each
record of a type without a key is, `revisions` what a run found to be otherwise than before, `verdicts` what
people said, `weights` what was learned of a type. Migrations only ever append.
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

_LIKENESS = """
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

MIGRATIONS = (_FIRST, _LIKENESS)
"""The script at position n makes a file of version n one of version n + 1."""

VERSION = len(MIGRATIONS)
