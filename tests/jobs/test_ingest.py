"""What a job does about each source, on small texts."""

from __future__ import annotations

import asyncio
import tracemalloc
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from job_desk import StoreAt, lines_schema, plain, texts
from line_model import LineModel

from schemacast import JobReport, Workspace, aingest, ingest, reinstate, retract
from schemacast.episode import ContextItem, Episode
from schemacast.errors import InputError, RequestFailed, UnknownNameError, UsageError, WorkspaceLocked
from schemacast.llm.protocol import Completion, Message, ReplyType, Tag
from schemacast.schema.load import parse_schema
from schemacast.schema.model import Schema
from schemacast.workspace.lock import JobLock

SCHEMA = lines_schema()
ORVIK = "v1 Customer account=orvik tier=gold"
BOTH = "v1 Customer account=orvik tier=tin\nv2 Customer account=hald\nv1 KNOWS v2"
Run = Callable[..., JobReport]


@pytest.fixture
def model() -> LineModel:
    return LineModel()


@pytest.fixture
def run(store: StoreAt, model: LineModel, tmp_path: Path) -> Run:
    """One more job on the same workspace and store."""

    def run(episodes: Iterable[Episode], schema: Schema = SCHEMA, **options: Any) -> JobReport:
        workspace = tmp_path / "work.db"
        return ingest(schema, episodes, to=store.address(), workspace=workspace, **{"model": model, **options})

    return run


def test_the_graph_of_a_job_is_that_of_a_cast_and_the_second_job_does_nothing(run: Run, store: StoreAt) -> None:
    report = run(texts(a=ORVIK, b=BOTH))
    assert (report.written.report.vertices.created, report.written.report.edges.created) == (2, 1)
    assert report.sources == {"new": 2}
    graph = store.read(SCHEMA)
    assert {entity.props["account"] for entity in graph.entities.values()} == {"orvik", "hald"}
    again = run(texts(a=ORVIK, b=BOTH))
    assert again.nothing_to_do
    assert again.sources == {"skipped": 2}
    assert store.read(SCHEMA) == graph


def test_only_a_changed_text_is_asked_again_and_a_deleted_one_is_pruned(
    run: Run, store: StoreAt, model: LineModel, tmp_path: Path
) -> None:
    ten = {f"s{number}": f"v1 Customer account=c{number}\nv2 Customer account=hub\nv1 KNOWS v2" for number in range(10)}
    run(texts(**ten))
    model.asked.clear()
    nine = {**ten, "s3": ten["s3"] + " tier=gold"}
    del nine["s7"]
    report = run(texts(**nine), prune=True)
    assert model.asked == ["s3"]
    assert report.pruned == ("s7",)
    fresh = StoreAt(tmp_path / "fresh")
    ingest(SCHEMA, texts(**nine), model=LineModel(), to=fresh.address(), workspace=tmp_path / "fresh.db")
    assert plain(store.read(SCHEMA), SCHEMA) == plain(fresh.read(SCHEMA), SCHEMA)


def test_pruning_more_than_the_limit_is_refused_and_changes_nothing(run: Run, store: StoreAt) -> None:
    run(texts(a=ORVIK, b=BOTH))
    before = store.read(SCHEMA)
    with pytest.raises(UsageError, match=r"1 of 2 sources \(50%\), more than 10%"):
        run(texts(a=ORVIK), prune=True)
    assert store.read(SCHEMA) == before
    assert run(texts(a=ORVIK), prune=True, prune_limit=0.5).pruned == ("b",)
    assert [entity.props["account"] for entity in store.read(SCHEMA).entities.values()] == ["orvik"]


def test_a_pruned_source_comes_back_with_its_file_and_a_retracted_one_does_not(
    run: Run, store: StoreAt, model: LineModel, tmp_path: Path
) -> None:
    run(texts(a=ORVIK, b=BOTH))
    run(texts(a=ORVIK), prune=True, prune_limit=1)
    assert run(texts(a=ORVIK, b=BOTH)).sources == {"skipped": 2}
    assert len(store.read(SCHEMA).entities) == 2
    retract(tmp_path / "work.db", ["b"], to=store.address(), reason="asked to")
    report = run(texts(a=ORVIK, b=BOTH + " tier=gold"))
    assert report.sources == {"skipped": 1, "withdrawn": 1}
    assert len(store.read(SCHEMA).entities) == 1
    assert model.asked == ["a", "b"]
    with Workspace(tmp_path / "work.db") as workspace:
        assert [(one["source_id"], one["why"]) for one in workspace.withdrawn()] == [("b", "asked to")]


def test_what_only_a_retracted_source_supported_goes_and_values_fall_back(
    run: Run, store: StoreAt, tmp_path: Path
) -> None:
    run(texts(a=ORVIK, b=BOTH, c="v1 Customer account=orvik size=7"))
    report = retract(tmp_path / "work.db", ["b"], to=store.address())
    assert (report.written.report.vertices.removed, report.written.report.edges.removed) == (1, 1)
    (orvik,) = store.read(SCHEMA).entities.values()
    assert dict(orvik.props) == {"account": "orvik", "tier": "gold", "size": 7}
    assert retract(tmp_path / "work.db", ["b"], to=store.address()).unchanged == ("b",)


def test_a_reinstated_source_counts_again_and_no_model_is_asked(
    run: Run, store: StoreAt, model: LineModel, tmp_path: Path
) -> None:
    run(texts(a=ORVIK, b=BOTH))
    before = store.read(SCHEMA)
    retract(tmp_path / "work.db", ["a", "b"], to=store.address())
    assert store.read(SCHEMA).entities == {}
    assert reinstate(tmp_path / "work.db", ["a", "b"], to=store.address()).sources == ("a", "b")
    assert store.read(SCHEMA) == before
    assert len(model.asked) == 2


def test_an_unknown_source_retracts_nothing(run: Run, store: StoreAt, tmp_path: Path) -> None:
    run(texts(a=ORVIK))
    with pytest.raises(UnknownNameError, match="'zz'"):
        retract(tmp_path / "work.db", ["a", "zz"], to=store.address())
    assert len(store.read(SCHEMA).entities) == 1


def test_purging_erases_the_text_everywhere_and_the_source_stays_away(run: Run, store: StoreAt, tmp_path: Path) -> None:
    secret = "v1 Customer account=orvik email=secret@x.org"
    follow = Episode(source_id="b", text="v2 Customer account=hald", context=(ContextItem(source_id="a", text=secret),))
    run([*texts(a=secret), follow])
    workspace = tmp_path / "work.db"
    assert b"secret@x.org" in workspace.read_bytes()
    assert retract(workspace, ["a"], to=store.address(), purge=True).purged == 1
    everything = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert b"secret" not in everything
    assert run([*texts(a=secret), follow]).sources == {"changed": 1, "withdrawn": 1}
    assert b"secret" not in b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert run([*texts(a=secret), follow]).nothing_to_do
    reinstate(workspace, ["a"], to=store.address())
    assert run([*texts(a=secret), follow]).sources["new"] == 1


def test_a_failure_that_had_a_reply_is_asked_again_only_on_demand(run: Run, model: LineModel, store: StoreAt) -> None:
    model.broken = {"b"}
    report = run(texts(a=ORVIK, b=BOTH))
    assert report.tally.statuses == {"ok": 1, "failed": 1}
    with pytest.raises(RequestFailed, match="b: unreadable_reply"):
        report.raise_for_failures()
    assert report.raise_for_failures(at_most="50%") is report
    asked = len(model.asked)
    assert run(texts(a=ORVIK, b=BOTH)).nothing_to_do
    model.broken = set()
    assert run(texts(a=ORVIK, b=BOTH), retry="failed").sources == {"skipped": 1, "retried": 1}
    assert model.asked[asked:] == ["b"]
    assert len(store.read(SCHEMA).entities) == 2


def test_a_named_source_is_asked_again_under_a_new_attempt(run: Run, model: LineModel) -> None:
    run(texts(a=ORVIK, b=BOTH))
    report = run(texts(a=ORVIK, b=BOTH), retry=["a"])
    assert report.sources == {"skipped": 1, "retried": 1}
    assert model.asked == ["a", "b", "a"]
    with pytest.raises(UnknownNameError, match="no source 'zz'"):
        run(texts(a=ORVIK), retry=["zz"])


def test_a_new_schema_makes_sources_stale_until_they_are_recast(run: Run, model: LineModel, store: StoreAt) -> None:
    run(texts(a=ORVIK, b=BOTH))
    newer = lines_schema(version="1.1.0", alternates=False)
    report = run(texts(a=ORVIK, b=BOTH), newer)
    assert report.sources == {"stale": 2}
    assert len(store.read(newer).entities) == 2
    assert run(texts(a=ORVIK, b=BOTH), newer, recast="changed").sources == {"recast": 2}
    assert model.asked == ["a", "b", "a", "b"]
    assert run(texts(a=ORVIK, b=BOTH), newer).nothing_to_do


def test_a_schema_that_asks_the_same_validates_the_stored_replies_again_for_nothing(
    run: Run, model: LineModel, store: StoreAt
) -> None:
    run(texts(a=ORVIK, b=BOTH))
    first = lines_schema(keep="first")
    report = run(texts(a=ORVIK, b=BOTH), first)
    assert report.sources == {"revalidated": 2}
    assert len(model.asked) == 2
    orvik = next(each for each in store.read(first).entities.values() if each.props["account"] == "orvik")
    assert orvik.props["tier"] == "gold"


def test_recasting_all_asks_about_everything_again(run: Run, model: LineModel) -> None:
    run(texts(a=ORVIK, b=BOTH))
    assert run(texts(a=ORVIK, b=BOTH), recast="all").sources == {"recast": 2}
    assert sorted(model.asked, key=str) == ["a", "a", "b", "b"]


def test_types_that_a_new_schema_lacks_are_left_out_of_the_graph(run: Run, store: StoreAt) -> None:
    run(texts(a="v1 Customer account=orvik tier=gold\nv2 Escalation tier=high\nv1 RAISED v2"))
    smaller = parse_schema(
        "name: lines\nvertices: {ProbeCustomer: {synonyms: [Customer], key: account, properties: {account: string}}}\n"
    )
    report = run(texts(a="v1 Customer account=orvik tier=gold\nv2 Escalation tier=high\nv1 RAISED v2"), smaller)
    assert report.written.left_out == {"ProbeEscalation": 1, "RAISED": 1, "tier": 1}
    (orvik,) = store.read(smaller).entities.values()
    assert dict(orvik.props) == {"account": "orvik"}


def test_a_property_whose_type_changes_takes_its_new_values_when_its_source_is_recast(run: Run, store: StoreAt) -> None:
    text = "name: lines\nversion: {}\nvertices:\n  ProbeCustomer:\n    synonyms: [Customer]\n    key: account\n"
    text += "    properties: {{account: string, size: {}}}\n"
    words, numbers = parse_schema(text.format("1.0.0", "string")), parse_schema(text.format("2.0.0", "integer"))
    run(texts(a="v1 Customer account=orvik size=7", b="v1 Customer account=hald size=big"), words)
    report = run(texts(a="v1 Customer account=orvik size=7", b="v1 Customer account=hald size=big"), numbers)
    assert report.sources == {"stale": 2}
    assert report.written.left_out == {"size": 2}
    assert all("size" not in entity.props for entity in store.read(numbers).entities.values())
    run(texts(a="v1 Customer account=orvik size=7", b="v1 Customer account=hald size=big"), numbers, recast="changed")
    sizes = {entity.props["account"]: entity.props.get("size") for entity in store.read(numbers).entities.values()}
    assert sizes == {"orvik": 7, "hald": None}


def test_two_sources_with_one_text_share_one_request(run: Run, model: LineModel, store: StoreAt) -> None:
    report = run(texts(a=ORVIK, b=ORVIK, c=ORVIK))
    assert (len(model.asked), report.tally.requests) == (1, 1)
    assert len(store.read(SCHEMA).entities) == 1


def test_a_budget_leaves_the_rest_for_the_next_run(run: Run, model: LineModel) -> None:
    many = texts(**{f"s{number}": f"v1 Customer account=c{number}" for number in range(30)})
    report = run(many, max_cost=0.01, price=(10.0, 10.0), concurrency=1)
    assert report.stopped == "max_cost"
    assert 0 < report.tally.read < 30
    assert report.cost is not None
    assert report.cost <= 0.01
    assert report.left == 30 - report.tally.read
    rest = run(many)
    assert rest.sources == {"skipped": report.tally.read, "waiting": report.left}
    assert len(model.asked) == 30
    with pytest.raises(UsageError, match="--price"):
        run(many, max_cost=1.0)


def test_a_text_that_alone_costs_more_than_the_budget_fails_and_holds_up_no_other(run: Run, model: LineModel) -> None:
    long = "v1 Customer account=big\n" + "Nothing more is said here. " * 3000
    some = texts(a=long, b=ORVIK, c=BOTH)
    report = run(some, max_cost=0.15, price=(10.0, 10.0), concurrency=1)
    assert report.stopped is None
    assert dict(report.tally.reasons) == {"over_budget": 1}
    assert report.tally.failures[0][1].startswith("over_budget: a request about it costs some $0.2")
    assert model.asked == ["b", "c"]
    # It brought no reply, so that a larger budget is all it takes.
    assert run(some, max_cost=1.0, price=(10.0, 10.0)).sources == {"retried": 1, "skipped": 2}
    assert model.asked == ["b", "c", "a"]


def test_a_budget_of_nothing_asks_nothing_and_fails_nothing(run: Run, model: LineModel) -> None:
    report = run(texts(a=ORVIK, b=BOTH), max_cost=0.0, price=(10.0, 10.0))
    assert (report.stopped, report.left, model.asked) == ("max_cost", 2, [])


def test_no_time_left_asks_nothing(run: Run, model: LineModel) -> None:
    report = run(texts(a=ORVIK, b=BOTH), max_time="0s")
    assert (report.stopped, report.left, model.asked) == ("max_time", 2, [])


def test_a_workspace_in_use_is_locked_for_jobs_but_not_for_readers(run: Run, store: StoreAt, tmp_path: Path) -> None:
    run(texts(a=ORVIK))
    workspace = tmp_path / "work.db"
    with JobLock(workspace):
        with pytest.raises(WorkspaceLocked):
            run(texts(a=ORVIK))
        with pytest.raises(WorkspaceLocked):
            retract(workspace, ["a"], to=store.address())
        with Workspace(workspace) as reader:
            assert reader.status().running
    with Workspace(workspace) as reader:
        assert not reader.status().running


def test_a_workspace_is_for_one_schema(run: Run) -> None:
    run(texts(a=ORVIK))
    with pytest.raises(UsageError, match="is for the schema 'lines', not 'other'"):
        run(texts(a=ORVIK), parse_schema("name: other\nvertices: {A: {key: a, properties: {a: string}}}"))


def test_a_doubled_source_is_refused(run: Run) -> None:
    with pytest.raises(InputError, match="two episodes have the source_id 'a'"):
        run([*texts(a=ORVIK), *texts(a=BOTH)])


def test_groundings_tell_where_an_entity_is_stated(run: Run, tmp_path: Path) -> None:
    run(texts(a=ORVIK, b=BOTH + "\nv3 Company name=Big country=NO\nv1 WORKS_AT v3"))
    with Workspace(tmp_path / "work.db") as workspace:
        rows = list(workspace.groundings(entity=("ProbeCustomer", "orvik")))
        assert {(row["source_id"], row["kind"], row["property"]) for row in rows} == {
            ("a", "vertex", None),
            ("a", "property", "account"),
            ("a", "property", "tier"),
            ("b", "vertex", None),
            ("b", "property", "account"),
            ("b", "property", "tier"),
            ("b", "edge", None),
        }
        assert {row["quote"] for row in rows if row["property"] == "tier"} == {"tier=gold", "tier=tin"}
        company = list(workspace.groundings(entity=("ProbeCompany", "Big|NO")))
        assert {row["source_id"] for row in company} == {"b"}
        assert {row["source_id"] for row in workspace.groundings(source="a")} == {"a"}
        assert len(list(workspace.groundings())) > len(rows)
        with pytest.raises(UnknownNameError, match="no ProbeCustomer in the graph has the key 'nobody'"):
            list(workspace.groundings(entity=("ProbeCustomer", "nobody")))
        with pytest.raises(UsageError, match="has 2 parts"):
            list(workspace.groundings(entity=("ProbeCompany", "Big|NO|x")))
        with pytest.raises(UnknownNameError, match="did you mean 'ProbeCustomer'"):
            list(workspace.groundings(entity=("ProbeCustmer", "x")))


def test_the_call_works_inside_a_running_loop_and_as_a_coroutine(run: Run, store: StoreAt, tmp_path: Path) -> None:
    async def inside() -> tuple[JobReport, JobReport]:
        first = run(texts(a=ORVIK))
        second = await aingest(
            SCHEMA, texts(a=ORVIK, b=BOTH), model=LineModel(), to=store.address(), workspace=tmp_path / "work.db"
        )
        return first, second

    first, second = asyncio.run(inside())
    assert (first.tally.read, second.tally.read) == (1, 1)


def test_an_id_given_to_a_likeness_stands_when_its_founder_goes_or_changes(
    run: Run, store: StoreAt, tmp_path: Path
) -> None:
    run(texts(b="v1 Company name=Big country=NO"))
    (given,) = store.read(SCHEMA).entities
    run(texts(a="v1 Company name=BIG country=NO", b="v1 Company name=Big country=NO"))
    assert set(store.read(SCHEMA).entities) == {given}
    run(texts(a="v1 Company name=BIG country=NO", b="v1 Company name=Small country=NO"))
    graph = store.read(SCHEMA)
    assert len(graph.entities) == 2
    assert graph.entities[given].props["name"] == "BIG"
    retract(tmp_path / "work.db", ["a"], to=store.address())
    assert len(store.read(SCHEMA).entities) == 1


class Surrogates(LineModel):
    """A model whose replies hold lone surrogates, as they are and escaped, wherever it may write."""

    async def complete(self, messages: Sequence[Message], reply_type: ReplyType, tag: Tag) -> Completion:
        completion = await super().complete(messages, reply_type, tag)
        escaped = completion.text.replace('"v1"', '"v\\ud800"').replace('"country"', '"no\\udfffne"')
        return replace(completion, text=escaped + " \ud800")


def test_lone_surrogates_in_a_reply_stop_no_job(run: Run, store: StoreAt, tmp_path: Path) -> None:
    both = texts(
        a="v1 Company name=Big country=NO", b="v1 Customer account=orvik\nv2 Customer account=hald\nv1 KNOWS v2"
    )
    report = run(both, model=Surrogates())
    assert report.tally.statuses["failed"] == 0
    customers = store.read(SCHEMA).of_type("ProbeCustomer")
    assert {entity.props["account"] for entity in customers} == {"orvik", "hald"}
    assert run(both, model=Surrogates()).nothing_to_do
    with Workspace(tmp_path / "work.db") as workspace:
        assert list(workspace.groundings())


def test_texts_and_names_of_any_script_survive_a_job(run: Run, store: StoreAt, tmp_path: Path) -> None:
    odd = [
        Episode(
            source_id="naïve 日本 😀 'x' \"y\" %_;--", text="v1 Customer account=orvik tier=gold\n\u2028😀 naïve \x00"
        )
    ]
    assert run(odd).tally.statuses == {"ok": 1}
    assert run(odd).nothing_to_do
    assert retract(tmp_path / "work.db", [odd[0].source_id], to=store.address()).sources == (odd[0].source_id,)
    assert store.read(SCHEMA).entities == {}


def test_a_staged_record_is_tried_again_in_every_run_and_nothing_is_done_while_nobody_has_its_alternate(
    run: Run, store: StoreAt
) -> None:
    lone = {"a": "v1 Customer email=o@x size=3"}
    assert run(texts(**lone)).written.staged == {"unmatched": 1}
    assert run(texts(**lone)).nothing_to_do
    assert store.read(SCHEMA).entities == {}
    run(texts(**lone, b="v1 Customer account=orvik email=o@x"))
    (orvik,) = store.read(SCHEMA).entities.values()
    assert dict(orvik.props) == {"account": "orvik", "email": "o@x", "size": 3}
    # A second customer with that address: it is no longer told whom the first text means.
    report = run(texts(**lone, b="v1 Customer account=orvik email=o@x", c="v1 Customer account=hald email=o@x"))
    assert report.written.staged == {"ambiguous": 1}
    assert all("size" not in entity.props for entity in store.read(SCHEMA).entities.values())


@pytest.mark.slow
def test_memory_does_not_grow_with_the_texts(file_store: StoreAt, tmp_path: Path) -> None:
    line = "Nothing is said here that any type of the schema could be. " * 250

    def peak(count: int) -> int:
        """The most memory, in bytes, that a job of so many texts holds at once."""

        def many() -> Iterator[Episode]:
            for number in range(count):
                text = f"v1 Customer account=c{number % 9} tier=gold\n\n{line}{number}"
                yield Episode(source_id=f"s{number}", text=text)

        name = f"n{count}"
        tracemalloc.start()
        try:
            report = ingest(
                SCHEMA, many(), model=LineModel(), to=file_store.address(name), workspace=tmp_path / f"{name}.db"
            )
            most = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert report.tally.statuses == {"ok": count}
        return most

    assert peak(600) < 1.2 * peak(200)
