"""What an ingest would do, in numbers, without asking, writing or making anything."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from schemacast.episode import Episode
from schemacast.jobs.job import make_caster
from schemacast.jobs.keys import CastKeys, schema_sha
from schemacast.jobs.model import CHARACTERS_A_TOKEN, Asking, JobModel, Spending
from schemacast.jobs.options import JobOptions
from schemacast.jobs.plan import CAST, Planner, Step
from schemacast.jobs.stop import Stop
from schemacast.llm.cache import ReplyCache
from schemacast.llm.open import look_at_model
from schemacast.llm.protocol import Tag
from schemacast.schema.model import Schema
from schemacast.schema.values import Json
from schemacast.workspace.file import WorkspaceFile
from schemacast.workspace.purged import without_purged
from schemacast.workspace.replies import Replies


@dataclass(frozen=True, slots=True)
class Forecast:
    """`sources` by what would be done about them; of `requests` that would be made at least, tokens and dollars.

    Repairs are not counted. `output_tokens` and `cost` are guesses from the replies that the workspace has, and
    None without any, or without a price.
    """

    read: int
    sources: dict[str, int]
    requests: int
    at_hand: int
    input_tokens: int
    output_tokens: int | None
    cost: float | None

    def to_json(self) -> dict[str, Json]:
        """The object that `--json` prints."""
        return {
            "read": self.read,
            "sources": {name: self.sources[name] for name in sorted(self.sources)},
            "requests": self.requests,
            "at_hand": self.at_hand,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "cost": self.cost,
        }


def forecast(
    schema: Schema, episodes: Iterable[Episode], *, model: str, workspace: str | Path, options: JobOptions
) -> Forecast:
    """Count what an ingest would do. A workspace that does not exist is not made."""
    if Path(workspace).is_file():
        with WorkspaceFile(workspace) as file:
            return _count(file, schema, episodes, model, options)
    with tempfile.TemporaryDirectory() as folder, WorkspaceFile(Path(folder) / "none", create=True) as file:
        return _count(file, schema, episodes, model, options)


def _count(
    file: WorkspaceFile, schema: Schema, episodes: Iterable[Episode], model: str, options: JobOptions
) -> Forecast:
    inner = look_at_model(model, base_url=options.base_url, options=options.model_options)
    replies = Replies(file)
    mean = replies.output_tokens_each()
    cache = ReplyCache(options.cache, create=False) if options.cache and options.cache.is_dir() else None
    job_model = JobModel(inner, replies, spending=Spending(None, None, mean), stop=Stop(), cache=cache)
    caster = make_caster(schema, job_model, options)
    planner = Planner(file, caster, job_model, CastKeys(caster, job_model, schema_sha(schema)), options)
    counts: Counter[Step] = Counter()
    requests = at_hand = characters = 0
    for given in episodes:
        episode = without_purged(file, given)
        decided = planner.decide(episode)[1]
        counts[decided.step] += 1
        if decided.step not in CAST or caster.is_too_long(episode):
            continue
        request = caster.request(episode)
        job_model.asking[episode.source_id] = Asking(decided.attempt)
        if job_model.holds(request.messages, request.reply_type, Tag(episode.source_id)):
            at_hand += 1
        else:
            requests += 1
            characters += sum(len(message["content"]) for message in request.messages) + len(request.reply_type.text)
        del job_model.asking[episode.source_id]
    tokens = characters // CHARACTERS_A_TOKEN
    output = None if mean is None else round(mean * requests)
    cost = options.price.cost(tokens, output or 0) if options.price else None
    return Forecast(
        counts.total(), {str(step): count for step, count in counts.items()}, requests, at_hand, tokens, output, cost
    )
