"""One ingest from its lock to its report.

Lock, open, plan, cast and write at once, write in full, report. Whatever ends it early (a limit, an
interrupt, an endpoint or a store that stays away) ends it in order: what was cast until then is in the
workspace, and in the store when that can be reached. Nothing is kept in memory that grows with the episodes,
but for the graph that is being resolved.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path

from schemacast.adapters import adapter_entry
from schemacast.cast.caster import MAX_TEXT, Caster
from schemacast.cast.outcome import Outcome
from schemacast.cast.output import Tally
from schemacast.episode import Episode
from schemacast.errors import InputError, SchemaCastError
from schemacast.jobs.casting import Casting, Outage
from schemacast.jobs.keys import CastKeys, schema_sha
from schemacast.jobs.model import JobModel, Spending
from schemacast.jobs.options import JobOptions
from schemacast.jobs.plan import Plan, Planner, check_retry
from schemacast.jobs.report import JobReport
from schemacast.jobs.stop import Stop
from schemacast.jobs.store_side import StoreSide
from schemacast.jobs.writing import StoreWriter, Written
from schemacast.llm.cache import ReplyCache
from schemacast.llm.open import open_model
from schemacast.llm.protocol import Model
from schemacast.schema.model import Schema
from schemacast.threads import apart
from schemacast.workspace.episodes import Episodes
from schemacast.workspace.file import WorkspaceFile
from schemacast.workspace.lock import JobLock
from schemacast.workspace.purged import without_purged
from schemacast.workspace.replies import Replies
from schemacast.workspace.runs import Run
from schemacast.workspace.schemas import take_schema

BATCH = 200
"""How many episodes are registered in one commit."""


def _quiet(_: object) -> None:
    """Says nothing."""


class Job:
    """An ingest. `say` is told, in a line, what a person who watches should know; `ended` of every outcome."""

    def __init__(
        self,
        schema: Schema,
        episodes: Iterable[Episode] | AsyncIterator[Episode],
        *,
        model: str | Model,
        to: str,
        workspace: str | Path,
        options: JobOptions,
        say: Callable[[str], None] = _quiet,
        planned: Callable[[int], None] = _quiet,
        ended: Callable[[Outcome], None] = _quiet,
    ) -> None:
        self._schema = schema
        self._sha = schema_sha(schema)
        self._source = episodes
        self._to = to
        self._path = Path(workspace)
        self._options = options
        self._say = say
        self._planned = planned
        self._ended = ended
        self._given = model
        self._tally = Tally()
        self._read = 0
        self._stop = Stop()
        self._begun = time.monotonic()

    def interrupt(self) -> None:
        """Stop in order: nothing new is asked, what is in flight may arrive, what was cast is written."""
        self._stop.set("interrupted")

    async def run(self) -> JobReport:
        """Do it. What ended it early is in the report.

        Raises what keeps it from beginning: UsageError and its kinds, WorkspaceLocked, OutputError, StoreConflict.
        """
        self._begun = time.monotonic()
        adapter_entry(self._to)  # a mistyped address is told before a workspace is made
        with WorkspaceFile(self._path, create=True) as file, JobLock(self._path):
            model = self._open_model(file)
            try:
                return await self._run(file, model)
            finally:
                if isinstance(self._given, str):
                    await model.aclose()

    def _open_model(self, file: WorkspaceFile) -> JobModel:
        options = self._options
        given = self._given
        inner = (
            open_model(
                given,
                base_url=options.base_url,
                concurrency=options.concurrency,
                options=options.model_options,
                check=False,
            )
            if isinstance(given, str)
            else given
        )
        replies = Replies(file)
        self._spending = Spending(options.price, options.max_cost, replies.output_tokens_each())
        return JobModel(
            inner,
            replies,
            spending=self._spending,
            stop=self._stop,
            cache=ReplyCache(options.cache) if options.cache else None,
            replay_only=options.replay_only,
        )

    async def _run(self, file: WorkspaceFile, model: JobModel) -> JobReport:
        options = self._options
        take_schema(file, self._schema, self._sha)
        check_retry(file, options.retry)
        caster = make_caster(self._schema, model, options)
        plan = await self._plan(file, caster, model)
        self._planned(plan.size)
        writer = StoreWriter(self._path, self._schema, self._sha, self._to, existing=options.existing)
        side = StoreSide(writer, wait=options.wait, stop=self._stop, say=self._say)
        try:
            if not plan.size and not self._stop and await side.is_current():
                return self._report(plan, model, Written(), nothing=True)
            with Run(file, "ingest", model=model.name, store=self._to, planned=plan.size) as run:
                written = await self._cast_and_write(file, caster, model, plan, side, run)
                nothing = not (plan.size or plan.pruned or written.changed or written.refused or self._stop)
                report = self._report(plan, model, written, nothing=nothing, rewritten=writer.rewritten)
                run.end(report.stopped, self._tally, self._spending.cost)
                return report
        finally:
            await apart(writer.close)

    async def _plan(self, file: WorkspaceFile, caster: Caster, model: JobModel) -> Plan:
        """Look at every episode and register what is to be done."""
        planner = Planner(file, caster, model, CastKeys(caster, model, self._sha), self._options)
        plan = Plan(file)
        batch: list[Episode] = []
        async for episode in _asynchronous(self._source):
            batch.append(without_purged(file, episode))
            if len(batch) == BATCH:
                self._register(file, planner, plan, batch)
                batch = []
                await asyncio.sleep(0)
            if self._stop:
                break
        self._register(file, planner, plan, batch)
        if self._options.prune and not self._stop:
            with file.transaction():
                plan.prune(self._options)
        return plan

    def _register(self, file: WorkspaceFile, planner: Planner, plan: Plan, batch: list[Episode]) -> None:
        with file.transaction():
            for episode in batch:
                if plan.saw(episode.source_id):
                    raise InputError(f"two episodes have the source_id {episode.source_id!r}; each must be unique")
                row, decided = planner.decide(episode)
                plan.take(episode, row, decided)
                self._read += 1

    async def _cast_and_write(
        self, file: WorkspaceFile, caster: Caster, model: JobModel, plan: Plan, side: StoreSide, run: Run
    ) -> Written:
        options = self._options

        def ended(outcome: Outcome) -> None:
            self._tally.add(outcome)
            run.progress(self._tally, self._spending.cost)
            self._ended(outcome)

        casting = Casting(
            caster,
            model,
            plan,
            Episodes(file),
            schema_sha=self._sha,
            outage=Outage(options.wait, ever_answered=Replies(file).any(), say=self._say),
            stop=self._stop,
            ended=ended,
        )
        deadline = None
        if options.max_time is not None:
            left = options.max_time - (time.monotonic() - self._begun)
            deadline = asyncio.get_running_loop().call_later(max(0.0, left), self._stop.set, "max_time")
        task: asyncio.Task[None] | None = None
        try:
            await side.begin()
            task = asyncio.create_task(casting.run(options.concurrency))
            written = await side.run(task)
            await task
        except SchemaCastError as error:
            self._stop.fail(error)
            written = Written()
        finally:
            if deadline is not None:
                deadline.cancel()
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
        return written

    def _report(
        self, plan: Plan, model: JobModel, written: Written, *, nothing: bool = False, rewritten: bool = False
    ) -> JobReport:
        notes = list(model.notes)
        if rewritten:
            notes.append("the store lacked what had been written to it; everything was written again")
        left = plan.size - self._tally.read
        # A limit or an interrupt that came when all was done stopped nothing.
        stopped = self._stop.why if left or self._stop.why in ("error", "interrupted") else None
        return JobReport(
            workspace=str(self._path),
            store=self._to,
            model=model.name,
            read=self._read,
            sources={str(step): count for step, count in plan.counts.items()},
            pruned=tuple(plan.pruned),
            tally=self._tally,
            left=left,
            cost=self._spending.cost,
            written=written,
            seconds=time.monotonic() - self._begun,
            nothing_to_do=nothing,
            stopped=stopped,
            error=self._stop.error,
            notes=tuple(notes),
        )


def make_caster(schema: Schema, model: Model, options: JobOptions) -> Caster:
    """The caster of a job: its concurrency is the job's own."""
    return Caster(
        schema,
        model=model,
        template=options.template,
        locale=options.locale,
        max_text=MAX_TEXT if options.max_text is None else options.max_text,
    )


async def _asynchronous(episodes: Iterable[Episode] | AsyncIterator[Episode]) -> AsyncIterator[Episode]:
    if isinstance(episodes, AsyncIterator):
        async for episode in episodes:
            yield episode
    else:
        for episode in episodes:
            yield episode
