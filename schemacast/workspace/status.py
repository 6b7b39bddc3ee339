"""How things stand in a workspace: counts for a person who asks in the middle of the night."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from schemacast.schema.values import Json
from schemacast.workspace.file import WorkspaceFile
from schemacast.workspace.journal import ADDRESS
from schemacast.workspace.lock import is_locked
from schemacast.workspace.runs import ASK


@dataclass(frozen=True, slots=True)
class RunStatus:
    """One job. `seconds_left` is at its present pace, None when it does not run or has no pace yet."""

    command: str
    started: str
    ended: str | None
    stopped: str | None
    planned: int
    done: int
    seconds: float
    seconds_left: float | None

    @property
    def per_minute(self) -> float | None:
        """Episodes a minute; None before a second has passed."""
        is_paced = self.command == "ingest" and self.seconds >= 1 and self.done
        return 60 * self.done / self.seconds if is_paced else None


@dataclass(frozen=True, slots=True)
class StoreStatus:
    """One store: whether it has all that the workspace says, as far as the workspace knows.

    `place` tells it from any other, `address` is how it was reached last.
    """

    place: str
    current: bool
    in_doubt: int
    address: str | None = None


@dataclass(frozen=True, slots=True)
class Status:
    """All of it. `states` counts the sources that count; `cost` is in US dollars, as priced at the time."""

    path: str
    schema: str | None
    running: bool
    states: Mapping[str, int]
    reasons: Mapping[str, int]
    stale: int
    withdrawn: int
    purged: int
    replies: int
    requests: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    graph: Mapping[str, int]
    staged: Mapping[str, int]
    last_run: RunStatus | None
    stores: tuple[StoreStatus, ...]

    @property
    def done(self) -> int:
        """How many sources ended in something that counts."""
        return sum(self.states.get(state, 0) for state in ("ok", "empty", "partial"))

    @property
    def waiting(self) -> int:
        """How many sources have still to be cast."""
        return self.states.get("waiting", 0)

    @property
    def failed(self) -> int:
        """How many sources failed."""
        return self.states.get("failed", 0)

    def to_json(self) -> dict[str, Json]:
        """The object that `status --json` prints."""
        made: dict[str, Json] = asdict(self)
        per_minute = self.last_run.per_minute if self.last_run else None
        return {**made, "done": self.done, "waiting": self.waiting, "failed": self.failed, "per_minute": per_minute}


def read_status(file: WorkspaceFile) -> Status:
    """How things stand now; reads only."""
    states = dict(file.rows("SELECT state, count(*) FROM episodes WHERE withdrawn IS NULL GROUP BY state"))
    reasons = dict(
        file.rows(
            "SELECT reason, count(*) FROM episodes WHERE withdrawn IS NULL AND state = 'failed' GROUP BY reason"
            " ORDER BY count(*) DESC, reason"
        )
    )
    stale, withdrawn, purged = file.row(
        "SELECT coalesce(sum(stale AND withdrawn IS NULL), 0), count(withdrawn), coalesce(sum(purged), 0) FROM episodes"
    ) or (0, 0, 0)
    replies, requests, tokens_in, tokens_out = file.row(
        "SELECT (SELECT count(*) FROM replies), coalesce(sum(requests), 0), coalesce(sum(input_tokens), 0),"
        " coalesce(sum(output_tokens), 0) FROM runs"
    ) or (0, 0, 0, 0)
    sha = file.meta("schema_sha")
    running = is_locked(file.path)
    return Status(
        path=str(file.path),
        schema=file.value("SELECT ref FROM schemas WHERE sha = ?", (sha,)),
        running=running,
        states=states,
        reasons=reasons,
        stale=stale,
        withdrawn=withdrawn,
        purged=purged,
        replies=replies,
        requests=requests,
        input_tokens=tokens_in,
        output_tokens=tokens_out,
        cost=file.value("SELECT sum(cost) FROM runs"),
        graph=json.loads(file.meta("graph") or "{}"),
        staged=json.loads(file.meta("staged") or "{}"),
        last_run=_last_run(file, running=running),
        stores=_stores(file),
    )


def _last_run(file: WorkspaceFile, *, running: bool) -> RunStatus | None:
    row = file.row(
        "SELECT command, started, ended, stopped, planned, done, seconds FROM runs WHERE command <> ? ORDER BY id DESC"
        " LIMIT 1",
        (ASK,),
    )
    if row is None:
        return None
    command, started, ended, stopped, planned, done, seconds = row
    left = (planned - done) * seconds / done if running and ended is None and done else None
    return RunStatus(command, started, ended, stopped, planned, done, seconds, left)


def _stores(file: WorkspaceFile) -> tuple[StoreStatus, ...]:
    rows = file.rows(
        "SELECT place, version, (SELECT count(*) FROM written WHERE store = stores.id AND hash = x'') FROM stores"
        " ORDER BY place"
    )
    return tuple(
        StoreStatus(place, version == file.version, doubts, file.meta(ADDRESS + place))
        for place, version, doubts in rows
    )
