"""What a run has to do about each source, decided before anything is asked.

A source that is new, or whose own content changed, is cast. One whose cast key is known is skipped. Where only
what we bring has changed, stored replies are validated again if the request is still the same, which costs
nothing; else the source is stale, and is asked only with `recast`. A failure that brought no reply is tried
again by itself; any other outcome only when a person says so, under a new attempt. A withdrawn source stays so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from schemacast.cast.caster import Caster
from schemacast.episode import Episode
from schemacast.errors import UnknownNameError, UsageError
from schemacast.jobs.keys import CastKeys, content_key
from schemacast.jobs.options import JobOptions
from schemacast.llm.protocol import Model
from schemacast.workspace.episodes import PRUNED, Episodes, Row
from schemacast.workspace.file import WorkspaceFile
from schemacast.workspace.replies import Replies

Step = Literal["new", "changed", "waiting", "retried", "recast", "revalidated", "skipped", "stale", "withdrawn"]
CAST: frozenset[Step] = frozenset(("new", "changed", "waiting", "retried", "recast", "revalidated"))
"""The steps that lead to an outcome."""


@dataclass(frozen=True, slots=True)
class Decided:
    """What is to be done about one source; `attempt` and `may_ask` say how it may be asked."""

    step: Step
    content: str
    cast_key: str
    attempt: int = 0
    may_ask: bool = True


class Planner:
    """Decides about one episode after the other. Reads the workspace and changes nothing."""

    def __init__(self, file: WorkspaceFile, caster: Caster, model: Model, keys: CastKeys, options: JobOptions) -> None:
        self._episodes = Episodes(file)
        self._replies = Replies(file)
        self._caster = caster
        self._model = model
        self._keys = keys
        self._options = options
        self._retry = frozenset(options.retry)

    def decide(self, episode: Episode) -> tuple[Row | None, Decided]:
        """The source's row, None when it is new, and what is to be done."""
        content = content_key(episode)
        key = self._keys.key(episode, content)
        row = self._episodes.find(episode.source_id)
        if row is None:
            return row, Decided("new", content, key)
        if row.withdrawn and not row.pruned:
            return row, Decided("withdrawn", content, key)
        if row.content != content:
            return row, Decided("changed", content, key)
        if row.state == "waiting":
            return row, Decided("waiting", content, key, row.attempt)
        return row, self._decide_about_ended(row, episode, content, key)

    def _decide_about_ended(self, row: Row, episode: Episode, content: str, key: str) -> Decided:
        asked_for = bool(self._retry & {row.state, row.source_id})
        if asked_for or self._options.recast == "all":
            step: Step = "retried" if asked_for else "recast"
            return Decided(step, content, key, row.attempt + 1 if row.replied else row.attempt)
        if row.state == "failed" and self._comes_back(row, episode):
            return Decided("retried", content, key, row.attempt)
        if row.cast_key == key:
            return Decided("skipped", content, key)
        if self._options.recast == "changed":
            return Decided("recast", content, key, row.attempt)
        if self._still_answers(row, episode):
            return Decided("revalidated", content, key, row.attempt, may_ask=False)
        return Decided("stale", content, key)

    def _comes_back(self, row: Row, episode: Episode) -> bool:
        """Whether a failure is tried again without being asked to: it brought no reply."""
        if row.reason == "too_long":
            return not self._caster.is_too_long(episode)
        # What a reply was had for before the budget ended is at hand, and costs nothing again.
        return row.reason == "over_budget" or (row.reason == "request_failed" and not row.replied)

    def _still_answers(self, row: Row, episode: Episode) -> bool:
        """Whether the reply that is kept answers what would be asked now."""
        if row.request is None:
            return False
        request = self._caster.request(episode)
        if self._model.request_key(request.messages, request.reply_type) != row.request:
            return False
        return self._replies.holds(row.request, row.attempt)


class Plan:
    """The sources of one run, held in tables that last as long as the connection. `counts` by step."""

    def __init__(self, file: WorkspaceFile) -> None:
        self._file = file
        self._episodes = Episodes(file)
        self.counts: Counter[Step] = Counter()
        self.pruned: list[str] = []
        file.execute("CREATE TEMP TABLE seen (source_id TEXT PRIMARY KEY) WITHOUT ROWID")
        file.execute(
            "CREATE TEMP TABLE planned (number INTEGER PRIMARY KEY, episode INTEGER, cast_key TEXT, attempt INTEGER,"
            " may_ask INTEGER)"
        )

    @property
    def size(self) -> int:
        """How many sources are to be cast."""
        return sum(self.counts[step] for step in CAST)

    def saw(self, source_id: str) -> bool:
        """Whether an episode of that source came before in this run."""
        return self._file.value("SELECT 1 FROM seen WHERE source_id = ?", (source_id,)) is not None

    def take(self, episode: Episode, row: Row | None, decided: Decided) -> None:
        """Register what has been decided; part of a transaction of the caller's."""
        step = decided.step
        self.counts[step] += 1
        self._file.execute("INSERT OR IGNORE INTO seen VALUES (?)", (episode.source_id,))
        if row is not None and row.pruned and row.withdrawn:
            self._episodes.reinstate(row.source_id)
        if step not in CAST:
            if row is not None and step != "withdrawn" and row.stale != (step == "stale"):
                self._episodes.set_stale(row.id, step == "stale")
            return
        if row is None or step == "changed":
            ident = self._episodes.register(episode, decided.content)
        else:
            ident = row.id
            if decided.may_ask:
                self._episodes.wait_again(ident, attempt=decided.attempt)
        self._file.execute(
            "INSERT INTO planned (episode, cast_key, attempt, may_ask) VALUES (?, ?, ?, ?)",
            (ident, decided.cast_key, decided.attempt, decided.may_ask),
        )

    def next(self, after: int) -> tuple[int, Row, str, int, bool] | None:
        """The first planned source after a number: its number, row, cast key, attempt, whether it may be asked."""
        found = self._file.row(
            "SELECT number, episode, cast_key, attempt, may_ask FROM planned WHERE number > ? ORDER BY number LIMIT 1",
            (after,),
        )
        if found is None:
            return None
        return found[0], self._episodes.row(found[1]), found[2], found[3], bool(found[4])

    def prune(self, options: JobOptions) -> None:
        """Withdraw the sources that were not seen. Raises UsageError, changing nothing, when they are too many."""
        gone = [
            row[0]
            for row in self._file.rows(
                "SELECT source_id FROM episodes WHERE withdrawn IS NULL"
                " AND source_id NOT IN (SELECT source_id FROM seen)"
            )
        ]
        held = self._file.value("SELECT count(*) FROM episodes WHERE withdrawn IS NULL")
        if len(gone) > options.prune_limit * held:
            raise UsageError(
                f"--prune would retract {len(gone):,} of {held:,} sources ({100 * len(gone) / held:.0f}%), more than"
                f" {100 * options.prune_limit:g}%; if the episodes are right, raise --prune-limit"
            )
        for source_id in gone:
            self._episodes.withdraw(source_id, PRUNED, pruned=True)
        self.pruned = gone


def check_retry(file: WorkspaceFile, retry: Iterable[str]) -> None:
    """Raises UnknownNameError for a source id that the workspace does not have."""
    unknown = Episodes(file).unknown(name for name in retry if name not in ("failed", "partial"))
    if unknown:
        raise UnknownNameError(f"--retry: the workspace has no source {unknown[0]!r}")
