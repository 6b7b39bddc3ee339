"""Trace the claims of many texts: some at a time, each kept as it ends, and the files written when all have ended.

A text that fails does not stop the others. What every further text would meet (a wrong key, an endpoint or searcher
that stays away) ends the run once what is in flight has arrived; what was finished is kept, and the same command goes
on from there and asks nothing twice. A text whose attribution is known, under the same model, searcher and prompts,
is not traced again.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from schemacast.attribution.asking import Asker
from schemacast.attribution.claim import input_problem
from schemacast.attribution.claims_file import ClaimLine
from schemacast.attribution.flow import Trace, atrace
from schemacast.attribution.journal import Journal
from schemacast.attribution.node import GRACE_SECONDS
from schemacast.attribution.report_row import Row, failed_row, source_rows, trace_row
from schemacast.attribution.searching import Searcher
from schemacast.cast.flight import OUTAGES_IN_A_ROW
from schemacast.errors import ModelUnavailable, SchemaCastError, SearchError
from schemacast.llm.open import REPLAY
from schemacast.llm.protocol import ReplyType, Usage
from schemacast.schema.values import Json, scalar_to_json
from schemacast.threads import run_anywhere
from schemacast.version import __version__

__all__ = ["ManyReport", "trace_many"]

VERSION = 2
_NOTHING = ReplyType("nothing", {})
KEPT_FAILURES = 20


@dataclass(slots=True)
class ManyReport:
    """What a run did. `known` were finished before; `failures` are the first failed texts, with why."""

    texts: int
    known: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    attributions: Counter[str] = field(default_factory=Counter)
    requests: int = 0
    usage: Usage = field(default_factory=Usage)
    failures: list[tuple[str, str]] = field(default_factory=list)

    def add(self, requests: int, usage: Usage) -> None:
        """Count what a text took."""
        self.requests += requests
        self.usage += usage

    @property
    def failed(self) -> int:
        return self.statuses["failed"]

    def to_json(self) -> dict[str, Json]:
        """The counts, as the manifest has them."""
        return {
            "texts": {"read": self.texts, "known": self.known, **dict(sorted(self.statuses.items()))},
            "attributions": dict(sorted(self.attributions.items())),
            "usage": {
                "requests": self.requests,
                "input_tokens": self.usage.input_tokens,
                "output_tokens": self.usage.output_tokens,
            },
        }


class _Outages:
    """Whether something is away for good, or one text had no luck."""

    def __init__(self) -> None:
        self._ever = False
        self._in_a_row = 0

    def answered(self) -> None:
        self._ever, self._in_a_row = True, 0

    def is_one(self) -> bool:
        self._in_a_row += 1
        return not self._ever or self._in_a_row >= OUTAGES_IN_A_ROW


def trace_many(
    lines: Sequence[ClaimLine],
    *,
    out: str | Path,
    searcher: Searcher,
    searcher_name: str = "",
    make_asker: Callable[[Path], Asker],
    at_once: int = 8,
    ended: Callable[[Row], None] | None = None,
) -> ManyReport:
    """Trace the claims of `lines` and write `attributions.jsonl`, `sources.jsonl` and `manifest.json` into `out`.

    `make_asker` is given a folder for replies, for a model that keeps them nowhere else. `ended` is called with each
    line as it is finished. Works inside a running event loop too.

    Raises what ended the run early (ModelAccessError, ModelUnavailable, SearchError, InputError, KeyboardInterrupt);
    the files of an earlier run then stay as they were, and the next run goes on.
    """
    with Journal(Path(out)) as journal:
        asker = make_asker(journal.replies)
        run = _Run(lines, journal, searcher, asker, _common(asker, searcher, searcher_name), ended or _quiet)
        run_anywhere(lambda: run.run(at_once))
        return run.end()


class _Run:
    def __init__(
        self,
        lines: Sequence[ClaimLine],
        journal: Journal,
        searcher: Searcher,
        asker: Asker,
        common: list[Json],
        ended: Callable[[Row], None],
    ) -> None:
        self._lines = lines
        self._journal = journal
        self._searcher = searcher
        self._asker = asker
        self._ended = ended
        self._keys = [_hash([*common, line.text, line.source_url]) for line in lines]
        self._lines_of: dict[str, list[ClaimLine]] = {}
        for key, line in zip(self._keys, lines, strict=True):
            self._lines_of.setdefault(key, []).append(line)
        self._started = datetime.now(UTC)
        self._model, self._search = _Outages(), _Outages()
        self._waiting: Iterator[str] = iter(())
        self._stopped: SchemaCastError | None = None
        self.report = ManyReport(len(lines))

    async def run(self, at_once: int) -> None:
        todo = [key for key in self._lines_of if not self._journal.holds(key)]
        for key, lines in self._lines_of.items():
            if self._journal.holds(key):
                self.report.known += len(lines)
                row = self._journal.row(key)
                for line in lines:
                    self._ended({**row, **_own(line)})
        self._waiting = iter(todo)
        async with self._asker.used():
            workers = [asyncio.ensure_future(self._work()) for _ in range(min(at_once, len(todo)))]
            try:
                await self._until_ended(workers)
            finally:
                for worker in workers:
                    worker.cancel()
                await asyncio.gather(*workers, return_exceptions=True)
        if self._stopped is not None:
            raise self._stopped

    async def _work(self) -> None:
        """One text after another, until none is left or the run is stopped."""
        for key in self._waiting:
            try:
                await self._trace(key)
            except SchemaCastError as error:
                self._stopped = self._stopped or error
            if self._stopped is not None:
                return

    async def _until_ended(self, workers: Sequence[asyncio.Future[None]]) -> None:
        """Wait for the workers; once the run is stopped only for what is in flight, and not for long."""
        pending = set(workers)
        while pending:
            timeout = None if self._stopped is None else GRACE_SECONDS
            ended, pending = await asyncio.wait(pending, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
            for worker in ended:
                worker.result()
            if not ended:
                return

    async def _trace(self, key: str) -> None:
        line = self._lines_of[key][0]
        problem = input_problem(line.text)
        if problem:
            self._finished(key, failed_row(line.text, "bad_input", problem), [])
            return
        try:
            trace = await atrace(line.text, searcher=self._searcher, model=self._asker, source_url=line.source_url)
        except ModelUnavailable as error:
            self.report.add(error.requests, Usage(error.input_tokens, error.output_tokens))
            if self._model.is_one():
                raise
            self._finished(key, failed_row(line.text, "request_failed", str(error)), [])
            return
        self._model.answered()
        self.report.add(trace.requests, trace.usage)
        self._look_at_search(trace)
        self._finished(key, trace_row(line.text, trace), source_rows(trace))

    def _look_at_search(self, trace: Trace) -> None:
        """Raise what the search failed with when the next one would fail too."""
        error = trace.error
        if error is None or trace.reason != "search_failed":
            if trace.state.get("search_query") is not None:
                self._search.answered()
        elif (isinstance(error, SearchError) and not error.retryable) or self._search.is_one():
            raise error

    def _finished(self, key: str, row: Row, sources: list[Row]) -> None:
        self._journal.add(key, row, sources, keep=row["status"] != "failed")
        for line in self._lines_of[key]:
            self._ended({**row, **_own(line)})

    def end(self) -> ManyReport:
        """Write the files."""
        report = self.report
        for key, line in zip(self._keys, self._lines, strict=True):
            row = self._journal.row(key)
            report.statuses[row["status"]] += 1
            if row["status"] == "failed":
                if len(report.failures) < KEPT_FAILURES:
                    report.failures.append((line.id or f"line {line.number}", f"{row['reason']}: {row['message']}"))
            else:
                report.attributions[row["attribution"]["attribution"]] += 1
        manifest = {
            **report.to_json(),
            "model": self._asker.model.name,
            "version": __version__,
            "started": scalar_to_json(self._started),
            "finished": scalar_to_json(datetime.now(UTC)),
        }
        rows = ((key, _own(line)) for key, line in zip(self._keys, self._lines, strict=True))
        self._journal.finish(rows, manifest)
        return report


def _quiet(_: object) -> None:
    """For who does not listen."""


def _own(line: ClaimLine) -> Row:
    """What a text's line has of its own, when another one is the same text."""
    return {"id": line.id, "source_url": line.source_url}


def _common(asker: Asker, searcher: Searcher, name: str) -> list[Json]:
    """What decides an attribution besides its text: model, endpoint and parameters, prompts, searcher, and our
    version."""
    model = asker.model
    recorded = ""
    if model.name.startswith(REPLAY):
        with suppress(OSError), Path(model.name.removeprefix(REPLAY)).open("rb") as file:
            recorded = hashlib.file_digest(file, "sha256").hexdigest()
    asked = model.request_key([], _NOTHING)
    return [VERSION, __version__, model.name, asked, recorded, asker.templates.digest, name, searcher.state]


def _hash(parts: list[Json]) -> str:
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()
