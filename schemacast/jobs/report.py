"""What jobs did, as objects for programs; the command line prints them for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from schemacast.adapters import Counts
from schemacast.cast.output import Tally
from schemacast.errors import RequestFailed, SchemaCastError, UsageError
from schemacast.jobs.stop import Why
from schemacast.jobs.writing import Written
from schemacast.schema.values import Json

MOST_REVISIONS = 1000


@dataclass(frozen=True, slots=True)
class JobReport:
    """What an ingest did.

    `sources` counts the episodes by what was to be done about them (new, changed, waiting, retried, recast,
    revalidated, skipped, stale, withdrawn); `tally` counts the outcomes of those that were cast; `left` are
    those that wait for another run. `cost` is in US dollars, None without a price. `stopped` says why the job
    ended early, `error` with what.
    """

    workspace: str
    store: str
    model: str
    read: int
    sources: Mapping[str, int]
    pruned: tuple[str, ...]
    tally: Tally
    left: int
    cost: float | None
    written: Written
    seconds: float
    nothing_to_do: bool = False
    stopped: Why | None = None
    error: SchemaCastError | None = None
    notes: tuple[str, ...] = ()

    @property
    def failed(self) -> int:
        """How many episodes failed, and how many entities or edges the store refused."""
        return self.tally.statuses["failed"] + self.written.refused

    def raise_for_failures(self, *, at_most: int | str = 0) -> Self:
        """Raise RequestFailed when more failed than `at_most`, a number or a share of the episodes (`"5%"`)."""
        if self.failed > allowed(at_most, self.read):
            causes = [f"{source_id}: {why}" for source_id, why in self.tally.failures]
            causes += [str(refusal) for refusal in self.written.refusals[:1]]
            first = f"; the first is {causes[0]}" if causes else ""
            raise RequestFailed(f"{self.failed:,} of {self.read:,} episodes failed or were refused{first}")
        return self

    def to_json(self) -> dict[str, Json]:
        """The object that `--json` prints and `--report` writes."""
        return {
            "workspace": self.workspace,
            "store": self.store,
            "model": self.model,
            "read": self.read,
            "sources": {name: self.sources[name] for name in sorted(self.sources)},
            "pruned": list(self.pruned),
            **self.tally.to_json(),
            "failures": [{"source_id": source_id, "why": why} for source_id, why in self.tally.failures],
            "left": self.left,
            "cost": self.cost,
            "graph": {"vertices": self.written.entities, "edges": self.written.edges},
            "written": write_to_json(self.written),
            "staged": dict(self.written.staged),
            "left_out": dict(self.written.left_out),
            **revisions_to_json(self.written),
            "seconds": round(self.seconds, 3),
            "nothing_to_do": self.nothing_to_do,
            "stopped": self.stopped,
            "error": None if self.error is None else str(self.error),
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class RetractReport:
    """What a retraction, or its opposite, did. `unchanged` sources were in that state already."""

    store: str
    sources: tuple[str, ...]
    unchanged: tuple[str, ...]
    purged: int = 0
    written: Written = field(default_factory=Written)

    def raise_for_failures(self, *, at_most: int = 0) -> Self:
        """Raise RequestFailed when the store refused more than `at_most` changes."""
        _raise_for_refusals(self.written, at_most)
        return self

    def to_json(self) -> dict[str, Json]:
        """The object that `--json` prints."""
        return {
            "store": self.store,
            "sources": list(self.sources),
            "unchanged": list(self.unchanged),
            "purged": self.purged,
            "graph": {"vertices": self.written.entities, "edges": self.written.edges},
            "written": write_to_json(self.written),
            **revisions_to_json(self.written),
        }


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What a sync wrote, or, of a check, how a store differs from what the workspace says.

    `missing` ids are not in the store, `different` ones hold something else, `surplus` ones were removed. `names`
    tells type and key of the first hundred of each.
    """

    store: str
    written: Written = field(default_factory=Written)
    missing: tuple[str, ...] = ()
    different: tuple[str, ...] = ()
    surplus: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def same(self) -> bool:
        """Whether a check found no difference."""
        return not (self.missing or self.different or self.surplus)

    def raise_for_failures(self, *, at_most: int = 0) -> Self:
        """Raise RequestFailed when the store refused, or differs in, more than `at_most` things."""
        differing = len(self.missing) + len(self.different) + len(self.surplus)
        if differing > at_most:
            raise RequestFailed(f"{self.store} differs from the workspace in {differing:,} of its entities and edges")
        _raise_for_refusals(self.written, at_most)
        return self

    def to_json(self) -> dict[str, Json]:
        """The object that `--json` prints."""
        return {
            "store": self.store,
            "graph": {"vertices": self.written.entities, "edges": self.written.edges},
            "written": write_to_json(self.written),
            "missing": list(self.missing),
            "different": list(self.different),
            "surplus": list(self.surplus),
        }


def allowed(at_most: int | str, of: int) -> float:
    """A number of failures, or a share of `of` in percent. Raises UsageError for anything else."""
    try:
        if isinstance(at_most, str):
            return of * float(at_most.removesuffix("%")) / 100 if at_most.endswith("%") else int(at_most)
    except ValueError:
        raise UsageError(f"at_most is {at_most!r}; give a number, or a share such as '5%'") from None
    return at_most


def write_to_json(written: Written) -> dict[str, Json]:
    """What a write did, as JSON; of many refusals the first hundred."""
    report = written.report
    return {
        "vertices": _counts(report.vertices),
        "edges": _counts(report.edges),
        "refused": [refusal.to_json() for refusal in written.refusals],
        "refusals": len(report.refused),
        "missing_ends": report.missing_ends,
    }


def revisions_to_json(written: Written) -> dict[str, Json]:
    """What was found to be otherwise than before, as JSON; of many the first thousand."""
    kinds = Counter(each.kind for each in written.revisions)
    return {
        "merges": kinds["merge"],
        "splits": kinds["split"],
        "revisions": [each.to_json() for each in written.revisions[:MOST_REVISIONS]],
        "loops_left_out": dict(written.loops),
        "outgrown": dict(written.outgrown),
    }


def _counts(counts: Counts) -> dict[str, Json]:
    return {
        "created": counts.created,
        "changed": counts.changed,
        "unchanged": counts.unchanged,
        "removed": counts.removed,
        "adopted": counts.adopted,
        "kept": counts.kept,
    }


def _raise_for_refusals(written: Written, at_most: int) -> None:
    if written.refused > at_most:
        first = next((f"; the first is {each}" for each in written.refusals), "")
        raise RequestFailed(f"the store refused {written.refused:,} of the entities and edges{first}")
