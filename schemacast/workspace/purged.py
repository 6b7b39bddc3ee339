"""Erasing a source: its text, replies and findings, and the copies of its text in other episodes' context.

The name of a purged source stays, so that it does not come back by itself. An episode that had the text in
its context is kept without it: what it read there goes from its record graph and groundings, its replies and
findings go, since they may repeat it, and its source is cast again, without that context, by the next run
that is given it. The space is overwritten, not only freed.
"""

from __future__ import annotations

import json
from typing import Any

from schemacast.episode import Episode
from schemacast.workspace.decisions import Decisions
from schemacast.workspace.episodes import Episodes
from schemacast.workspace.file import WorkspaceFile

GONE = "purged"


def purge(file: WorkspaceFile, source_id: str) -> None:
    """Erase a withdrawn source; part of a transaction of the caller's."""
    ident: int = file.value("SELECT id FROM episodes WHERE source_id = ?", (source_id,))
    _forget_replies(file, ident)
    for table in ("texts", "records", "outcomes", "contexts", "mentions"):
        file.execute(f"DELETE FROM {table} WHERE episode = ?", (ident,))
    Decisions(file).forget(source_id)
    file.execute(
        "UPDATE episodes SET purged = 1, content = ?, state = 'empty', message = NULL, cast_key = NULL,"
        " request = NULL, placed = NULL WHERE id = ?",
        (GONE, ident),
    )
    for (other,) in list(file.rows("SELECT episode FROM contexts WHERE source_id = ?", (source_id,))):
        _take_out_of(file, other, source_id)


def overwrite(file: WorkspaceFile) -> None:
    """Leave nothing of what was erased in the file or its log."""
    file.execute("VACUUM")
    file.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def without_purged(file: WorkspaceFile, episode: Episode) -> Episode:
    """The episode without those texts in its context that were purged."""
    kept = tuple(item for item in episode.context if not _is_purged(file, item.source_id))
    return episode if len(kept) == len(episode.context) else episode.model_copy(update={"context": kept})


def _is_purged(file: WorkspaceFile, source_id: str) -> bool:
    return file.value("SELECT 1 FROM episodes WHERE source_id = ? AND purged", (source_id,)) is not None


def _take_out_of(file: WorkspaceFile, ident: int, source_id: str) -> None:
    """Erase the copy of a source's text that another episode has as context."""
    episodes = Episodes(file)
    episode = episodes.episode(ident)
    kept = tuple(item for item in episode.context if item.source_id != source_id)
    episodes.set_text(ident, episode.model_copy(update={"context": kept}))
    _forget_replies(file, ident)
    text = file.value("SELECT graph FROM records WHERE episode = ?", (ident,))
    if text is not None:
        graph = _without_evidence(json.loads(text), source_id)
        file.execute("UPDATE records SET graph = ? WHERE episode = ?", (json.dumps(graph, ensure_ascii=False), ident))
    found = file.value("SELECT groundings FROM outcomes WHERE episode = ?", (ident,))
    rows = [row for row in json.loads(found or "[]") if row["in_context"] != source_id]
    file.execute(
        "UPDATE outcomes SET groundings = ?, quarantine = '[]', unmapped = '[]' WHERE episode = ?",
        (json.dumps(rows, ensure_ascii=False), ident),
    )
    file.execute(
        "UPDATE episodes SET content = ?, cast_key = NULL, request = NULL, message = NULL, placed = NULL WHERE id = ?",
        (GONE, ident),
    )


def _forget_replies(file: WorkspaceFile, ident: int) -> None:
    """Erase the replies that only this source used."""
    file.execute(
        "DELETE FROM replies WHERE rowid IN (SELECT replies.rowid FROM uses JOIN replies USING (request, attempt)"
        " WHERE episode = ? AND NOT EXISTS (SELECT 1 FROM uses AS other WHERE other.request = uses.request"
        " AND other.attempt = uses.attempt AND other.episode <> uses.episode))",
        (ident,),
    )
    file.execute("DELETE FROM uses WHERE episode = ?", (ident,))


def _without_evidence(graph: dict[str, Any], source_id: str) -> dict[str, Any]:
    """A record graph without what was read in one context item."""

    def stays(evidence: dict[str, Any]) -> bool:
        return (evidence.get("span") or {}).get("context") != source_id

    def props(stated: dict[str, Any]) -> dict[str, Any]:
        kept: dict[str, Any] = {}
        for name, value in stated.items():
            if isinstance(value, list):
                rest = [one for one in value if stays(one["evidence"])]
                if rest:
                    kept[name] = rest
            elif stays(value["evidence"]):
                kept[name] = value
        return kept

    records = [{**item, "props": props(item["props"])} for item in graph["records"] if stays(item["evidence"])]
    refs = {item["ref"] for item in records}
    relations = [
        {**item, "props": props(item["props"])}
        for item in graph["relations"]
        if stays(item["evidence"]) and refs.issuperset((item["source"], item["target"]))
    ]
    return {**graph, "records": records, "relations": relations}
