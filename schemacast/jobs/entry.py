"""`ingest` and `aingest`: a job as a call.

The sync call works inside a running event loop too: the job then runs in a thread with a loop of its own. In
the main thread an interrupt stops the job in order; a second one ends it at once, which loses nothing but what
is in flight. An error that ended the job early is raised, after everything is safe.
"""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Literal

from schemacast.episode import Episode
from schemacast.jobs.job import Job
from schemacast.jobs.options import JobOptions, Price, Recast, parse_duration
from schemacast.jobs.report import JobReport
from schemacast.llm.protocol import Model
from schemacast.schema.model import Schema
from schemacast.schema.values import Json

Signals = tuple[signal.Signals, ...]


def ingest(
    schema: Schema,
    episodes: Iterable[Episode],
    *,
    model: str | Model,
    to: str,
    workspace: str | Path,
    base_url: str | None = None,
    cache: str | Path | None = None,
    replay_only: bool = False,
    concurrency: int = 8,
    template: str | Path | None = None,
    locale: str | None = None,
    max_text: int | None = None,
    model_options: Mapping[str, Json] | None = None,
    max_cost: float | None = None,
    price: Price | tuple[float, float] | None = None,
    max_time: float | str | None = None,
    wait: float = 300.0,
    retry: str | Sequence[str] = (),
    recast: Recast = "none",
    prune: bool = False,
    prune_limit: float = 0.1,
    existing: Literal["adopt", "refuse"] = "adopt",
) -> JobReport:
    """Cast what is new or changed in `episodes`, and bring the store at `to` up to date.

    The options are those of the command: `max_cost` in US dollars (needs `price`, dollars for a million tokens
    in and out), `max_time` in seconds or as `"2h30m"`, `wait` in seconds, `prune_limit` as a share. Stopping at a
    limit is no error: see `stopped` and `left` in the report.

    Raises UsageError, WorkspaceLocked, OutputError, StoreUnavailable, StoreConflict, ModelAccessError,
    ModelUnavailable, KeyboardInterrupt; what was done until then is kept.
    """
    options = make_options(
        base_url=base_url,
        cache=cache,
        replay_only=replay_only,
        concurrency=concurrency,
        template=template,
        locale=locale,
        max_text=max_text,
        model_options=model_options,
        max_cost=max_cost,
        price=price,
        max_time=max_time,
        wait=wait,
        retry=retry,
        recast=recast,
        prune=prune,
        prune_limit=prune_limit,
        existing=existing,
    )
    return _checked(run_job(Job(schema, episodes, model=model, to=to, workspace=workspace, options=options)))


async def aingest(
    schema: Schema,
    episodes: Iterable[Episode] | AsyncIterator[Episode],
    *,
    model: str | Model,
    to: str,
    workspace: str | Path,
    **options: Any,
) -> JobReport:
    """`ingest` for async code, with the same options. Cancelling it is safe; the next run goes on from there."""
    made = make_options(**options)
    return _checked(await Job(schema, episodes, model=model, to=to, workspace=workspace, options=made).run())


def make_options(
    *,
    cache: str | Path | None = None,
    template: str | Path | None = None,
    model_options: Mapping[str, Json] | None = None,
    price: Price | tuple[float, float] | None = None,
    max_time: float | str | None = None,
    retry: str | Sequence[str] = (),
    **options: Any,
) -> JobOptions:
    """The options of a job from what people pass. Raises UsageError, and TypeError for one that does not exist."""
    from schemacast.errors import UsageError

    try:
        seconds = parse_duration(max_time) if isinstance(max_time, str) else max_time
    except ValueError as error:
        raise UsageError(f"max_time: {error}") from None
    return JobOptions(
        cache=Path(cache) if cache else None,
        template=Path(template) if template else None,
        model_options=dict(model_options or {}),
        price=Price(*price) if isinstance(price, tuple) else price,
        max_time=seconds,
        retry=(retry,) if isinstance(retry, str) else tuple(retry),
        **options,
    )


def run_job(job: Job, *, signals: Signals = (signal.SIGINT,), said: Callable[[], None] | None = None) -> JobReport:
    """Run a job to its report, from sync code anywhere. `said` is called when a signal asks it to stop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        with asyncio.Runner() as runner:
            return runner.run(_with_signals(job, signals, said))
    return _in_thread(job)


async def _with_signals(job: Job, signals: Signals, said: Callable[[], None] | None) -> JobReport:
    with _stopping(job, signals, said):
        return await job.run()


@contextmanager
def _stopping(job: Job, signals: Signals, said: Callable[[], None] | None) -> Iterator[None]:
    """While it holds, the first signal stops the job in order and the second ends it at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    asked = False

    def stop() -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True
        job.interrupt()
        if said is not None:
            said()

    before = {each: signal.getsignal(each) for each in signals}
    handled: list[signal.Signals] = []
    with suppress(NotImplementedError):  # Windows; there an interrupt ends the job at once
        for each in signals:
            loop.add_signal_handler(each, stop)
            handled.append(each)
    try:
        yield
    finally:
        for each in handled:
            loop.remove_signal_handler(each)
            signal.signal(each, before[each])


def _in_thread(job: Job) -> JobReport:
    """Run a job in a thread with a loop of its own; an interrupt of the waiting thread stops the job in order."""
    result: Future[JobReport] = Future()

    def run() -> None:
        try:
            result.set_result(asyncio.run(job.run()))
        except BaseException as error:  # noqa: BLE001 (it is raised again in the caller's thread)
            result.set_exception(error)

    threading.Thread(target=run, name="schemacast", daemon=True).start()
    try:
        return result.result()
    except KeyboardInterrupt:
        job.interrupt()
        return result.result()


def _checked(report: JobReport) -> JobReport:
    if report.error is not None:
        raise report.error
    if report.stopped == "interrupted":
        raise KeyboardInterrupt
    return report
