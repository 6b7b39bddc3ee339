"""After any history of ingests, changes and retractions the store is what a fresh ingest of the rest would make it.

Schemas, texts, their order and the steps are drawn at random; ids of `match` entities may differ, since an id
outlives the record that brought it.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from job_desk import StoreAt, lines_schema, plain
from line_model import LineModel
from neo4j_server import Database

from schemacast import ingest, reinstate, retract, sync
from schemacast.episode import Episode
from schemacast.schema.model import Schema

SOURCES = ["s1", "s2", "s3", "s4"]
VALUES = {
    "Customer": {
        "account": ["A1", "A2"],
        "email": ["x@y", "z@y"],
        "tier": ["gold", "tin"],
        "since": ["2026-03-02", "2026-03", "2026-04-01"],
        "size": ["3", "7"],
    },
    "Company": {"name": ["Orvik", "ORVIK", "Orvik_AS", "Hald"], "country": ["NO", "SE"], "tier": ["gold", "tin"]},
    "Shift": {"day": ["2026-03-02", "2026-03-03"], "part": ["late"], "size": ["3", "7"]},
    "Escalation": {"tier": ["high"]},
}
RELATIONS = [
    ("Customer", "WORKED", "Shift"),
    ("Customer", "RAISED", "Escalation"),
    ("Customer", "KNOWS", "Customer"),
    ("Company", "PARTNERS", "Company"),
    ("Customer", "WORKS_AT", "Company"),
]
schemas = st.builds(
    lines_schema,
    keep=st.sampled_from(["latest", "first", "all"]),
    alternates=st.booleans(),
    edge_key=st.booleans(),
)


@st.composite
def texts(draw: st.DrawFn) -> str:
    kinds = draw(st.lists(st.sampled_from(sorted(VALUES)), min_size=1, max_size=4))
    lines = []
    for number, kind in enumerate(kinds):
        names = draw(st.sets(st.sampled_from(sorted(VALUES[kind])), min_size=1))
        stated = [f"{name}={draw(st.sampled_from(VALUES[kind][name]))}" for name in sorted(names)]
        lines.append(" ".join([f"v{number}", kind, *stated]))
    for source, relation, target in RELATIONS:
        sources = [number for number, kind in enumerate(kinds) if kind == source]
        targets = [number for number, kind in enumerate(kinds) if kind == target]
        if sources and targets and draw(st.booleans()):
            since = " since=2026-03-02" if relation == "RAISED" and draw(st.booleans()) else ""
            lines.append(f"v{draw(st.sampled_from(sources))} {relation} v{draw(st.sampled_from(targets))}{since}")
    return "\n".join(lines)


episodes = st.builds(
    lambda text, month: {"text": text, "reference_time": f"2026-0{month}-01T00:00:00Z"}, texts(), st.integers(1, 3)
)
some_sources = st.lists(st.sampled_from(SOURCES), min_size=1, unique=True)
steps = st.one_of(
    st.tuples(
        st.just("ingest"),
        st.dictionaries(st.sampled_from(SOURCES), episodes, min_size=1),
        st.randoms(use_true_random=False),
    ),
    st.tuples(st.just("retract"), some_sources, st.booleans()),
    st.tuples(st.just("reinstate"), some_sources, st.none()),
    st.tuples(st.just("sync"), st.none(), st.none()),
)


@dataclass
class History:
    """A workspace with its store, and what it should know by now."""

    folder: Path
    schema: Schema
    store: StoreAt
    texts: dict[str, dict[str, Any]] = field(default_factory=dict)
    withdrawn: set[str] = field(default_factory=set)
    purged: set[str] = field(default_factory=set)

    @property
    def workspace(self) -> Path:
        return self.folder / "work.db"

    def ingest(self, given: dict[str, dict[str, Any]], random: Any) -> None:
        order = list(given)
        random.shuffle(order)
        made = [Episode(source_id=name, **given[name]) for name in order]
        ingest(self.schema, made, model=LineModel(), to=self.store.address(), workspace=self.workspace)
        self.texts.update({name: item for name, item in given.items() if name not in self.withdrawn})

    def retract(self, names: list[str], purge: bool) -> None:
        known = [name for name in names if name in self.texts]
        if known:
            retract(self.workspace, known, to=self.store.address(), purge=purge)
            self.withdrawn.update(known)
            self.purged.update(known if purge else ())

    def reinstate(self, names: list[str]) -> None:
        known = [name for name in names if name in self.texts]
        if known:
            reinstate(self.workspace, known, to=self.store.address())
            for name in known:
                self.withdrawn.discard(name)
                if name in self.purged:
                    self.purged.discard(name)
                    del self.texts[name]

    def take(self, step: tuple[Any, ...]) -> None:
        kind, first, second = step
        if kind == "ingest":
            self.ingest(first, second)
        elif self.texts and kind == "retract":
            self.retract(first, second)
        elif self.texts and kind == "reinstate":
            self.reinstate(first)
        elif self.texts and kind == "sync":
            sync(self.workspace, to=self.store.address())

    def fresh(self) -> dict[str, Any]:
        """What a new workspace makes of what remains."""
        rest = [Episode(source_id=name, **item) for name, item in self.texts.items() if name not in self.withdrawn]
        other = StoreAt(self.folder)
        if rest:
            ingest(self.schema, rest, model=LineModel(), to=other.address("fresh"), workspace=self.folder / "fresh.db")
        return plain(other.read(self.schema, "fresh"), self.schema)


def check(history: list[tuple[Any, ...]], schema: Schema, database: str | None) -> None:
    """Live through a history, and compare its store with a fresh one."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        made = History(path, schema, StoreAt(path, database))
        for step in history:
            made.take(step)
        if made.texts:
            assert plain(made.store.read(schema), schema) == made.fresh()
            assert sync(made.workspace, to=made.store.address(), check=True).same


histories = st.lists(steps, min_size=1, max_size=7)


@settings(max_examples=40, deadline=None)
@given(schema=schemas, history=histories)
def test_a_file_equals_a_fresh_ingest_of_what_remains(schema: Schema, history: list[tuple[Any, ...]]) -> None:
    check(history, schema, None)


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(schema=schemas, history=histories)
def test_a_file_equals_a_fresh_ingest_after_very_many_histories(schema: Schema, history: list[tuple[Any, ...]]) -> None:
    check(history, schema, None)


@pytest.mark.neo4j
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(schema=schemas, history=histories)
def test_a_database_equals_a_fresh_ingest_of_what_remains(
    database: Database, schema: Schema, history: list[tuple[Any, ...]]
) -> None:
    database.clear()
    check(history, schema, database.address)
