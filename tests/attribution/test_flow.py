"""The five nodes as one: by plain calls, from sync and async code, and in a real LangGraph."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from loopback_model import Answer, Loopback, error
from tracing_desk import CLAIM, TEXT, Oracle, Shelf, asker, claims, compared, relevant, source

from schemacast.attribution import (
    AttributionAssembler,
    ClaimExtractor,
    EvidenceFilter,
    GraphState,
    SourceAttribution,
    SourceComparer,
    SourceRetriever,
    arun,
    atrace,
    build_graph,
    run,
)
from schemacast.errors import InputError, ModelAccessError, SearchError, UnknownNameError, UsageError

REGISTER = "The register of Hald counts six ships of Orvik AS this year."
LETTER = "Dear all, Orvik AS has 60 ships. Yours, Ada Lind"
FOUND = [source("Register", REGISTER), source("Letter", LETTER), source("Menu", "Fish of the day and bread.")]


def oracle(**changed: Any) -> Oracle:
    fields: dict[str, Any] = {
        "sources": {"Register": relevant(REGISTER), "Letter": relevant("Orvik AS has 60 ships", kind="secondary")},
        "quotes": {REGISTER: compared("paraphrase"), "60 ships": compared("direct")},
    }
    return Oracle(**{**fields, **changed})


def check(result: SourceAttribution | None) -> None:
    assert result is not None
    assert (result.claim, result.attribution) == (CLAIM, "paraphrase")
    assert [one.attribution for one in result.evidence_list] == ["paraphrase", "contradiction"]
    assert "Corrected from direct to contradiction" in result.evidence_list[1].reasoning
    assert result.best_source is not None
    assert result.best_source.evidence.verbatim_quote == REGISTER
    texts = {one.title: one.text for one in FOUND}
    for one in result.evidence_list:
        span = one.evidence.span
        assert span is not None
        assert texts[one.evidence.source_title][span.start : span.end] == one.evidence.verbatim_quote


def test_run_traces_a_claim_and_asks_once_for_each_thing(loopback: Loopback) -> None:
    said = oracle()
    check(run(TEXT, searcher=Shelf(FOUND), model=asker(loopback, said)))
    assert [said.count(stage) for stage in ("claim", "relevance", "compare")] == [1, 3, 2]


def test_run_works_inside_a_running_loop_and_arun_in_it(loopback: Loopback) -> None:
    async def inside() -> tuple[SourceAttribution, SourceAttribution]:
        model = asker(loopback, oracle())
        return run(TEXT, searcher=Shelf(FOUND), model=model), await arun(TEXT, searcher=Shelf(FOUND), model=model)

    for result in asyncio.run(inside()):
        check(result)


def test_many_traces_at_once_in_one_loop_share_a_model_and_count_apart(loopback: Loopback) -> None:
    model = asker(loopback, oracle(), concurrency=4)

    async def inside() -> Any:
        return await asyncio.gather(*(atrace(TEXT, searcher=Shelf(FOUND), model=model) for _ in range(5)))

    traces = asyncio.run(inside())
    for trace in traces:
        check(trace.attribution)
        assert (trace.status, trace.requests, trace.usage.input_tokens) == ("ok", 6, 66)
    assert loopback.most_in_flight <= 4


def test_the_nodes_chained_by_plain_calls_give_the_same(loopback: Loopback) -> None:
    model = asker(loopback, oracle())
    nodes = [
        ClaimExtractor(model),
        SourceRetriever(Shelf(FOUND)),
        EvidenceFilter(model),
        SourceComparer(model),
        AttributionAssembler(),
    ]
    state: GraphState = {"input_text": TEXT}
    for node in nodes:
        state |= node(state)
    check(state["result"])


WRITES = {
    "extract": {"extracted_claim", "extraction_failed", "extraction_error"},
    "retrieve": {"search_results", "search_query"},
    "filter": {"evidence"},
    "compare": {"assessments"},
    "assemble": {"result"},
}


def test_a_langgraph_gives_the_same_each_node_writing_its_keys_alone(loopback: Loopback) -> None:
    graph = build_graph(searcher=Shelf(FOUND), model=asker(loopback, oracle()))
    check(graph.invoke({"input_text": TEXT})["result"])
    check(asyncio.run(graph.ainvoke({"input_text": TEXT}))["result"])
    written = {name: set(keys) for step in graph.stream({"input_text": TEXT}) for name, keys in step.items()}
    assert written == WRITES


def test_a_langgraph_skips_to_the_assembler_without_a_claim_and_keeps_every_error(loopback: Loopback) -> None:
    shelf = Shelf(FOUND)
    graph = build_graph(searcher=shelf, model=asker(loopback, oracle(claim=claims(nothing="opinion"))))
    result = graph.invoke({"input_text": TEXT})["result"]
    assert (result.attribution, result.summary) == (
        "not_found",
        "No claim was traced: the text holds opinion only, and no claim that a source could confirm or contradict.",
    )
    assert shelf.queries == []
    bad = oracle(sources={"Register": "?", "Letter": relevant("Orvik AS has 60 ships")}, quotes={"60 ships": "?"})
    state = build_graph(searcher=Shelf(FOUND), model=asker(loopback, bad)).invoke({"input_text": TEXT, "errors": ["0"]})
    assert state["errors"][0] == "0"
    assert len(state["errors"]) == 3


def test_the_nodes_mount_unchanged_in_a_graph_of_ones_own_with_a_checkpointer(loopback: Loopback) -> None:
    model = asker(loopback, oracle())
    graph = StateGraph(GraphState)
    nodes = {
        "extract": ClaimExtractor(model),
        "retrieve": SourceRetriever(Shelf(FOUND)),
        "filter": EvidenceFilter(model),
        "compare": SourceComparer(model),
        "assemble": AttributionAssembler(),
    }
    for name, node in nodes.items():
        graph.add_node(name, node)  # type: ignore[call-overload]
    for first, second in zip([START, *nodes], [*nodes, END], strict=True):
        graph.add_edge(first, second)
    compiled = graph.compile(checkpointer=InMemorySaver())
    check(compiled.invoke({"input_text": TEXT}, {"configurable": {"thread_id": "1"}})["result"])


@pytest.mark.parametrize("length", [9, 5_001])
def test_a_text_out_of_bounds_is_refused_before_anything_is_asked(loopback: Loopback, length: int) -> None:
    with pytest.raises(InputError, match=f"{length:,} characters; 10 to 5,000"):
        run("x" * length, searcher=Shelf(FOUND), model=asker(loopback, oracle()))
    assert loopback.requests == []


def test_what_is_no_text_is_refused(loopback: Loopback) -> None:
    for text in (None, b"Orvik AS has 6 ships.", 7):
        with pytest.raises(UsageError, match=f"is {type(text).__name__}, not str"):
            run(text, searcher=Shelf(FOUND), model=asker(loopback, oracle()))  # type: ignore[arg-type]
    assert loopback.requests == []


@pytest.mark.parametrize("length", [10, 5_000])
def test_a_text_just_within_them_is_traced(loopback: Loopback, length: int) -> None:
    text = ("6 ships" + "." * length)[:length]
    said = oracle(claim=claims(("6 ships", "6 ships")))
    assert run(text, searcher=Shelf(), model=asker(loopback, said)).claim == "6 ships"


def test_a_search_that_fails_is_not_taken_for_nothing_found(loopback: Loopback) -> None:
    shelf = Shelf(failure=SearchError("the index is away"))
    trace = asyncio.run(atrace(TEXT, searcher=shelf, model=asker(loopback, oracle())))
    assert (trace.status, trace.reason, trace.attribution.attribution) == ("failed", "search_failed", "not_found")
    assert isinstance(trace.error, SearchError)
    assert "the search failed: the index is away" in trace.attribution.summary


def test_when_no_source_could_be_looked_at_the_trace_has_failed(loopback: Loopback) -> None:
    trace = asyncio.run(atrace(TEXT, searcher=Shelf(FOUND), model=asker(loopback, oracle(sources={}, otherwise="?"))))
    assert (trace.status, trace.reason) == ("failed", "sources_failed")
    assert len(trace.errors) == 3


def test_when_some_sources_could_not_be_looked_at_it_is_partial(loopback: Loopback) -> None:
    said = oracle(sources={"Register": relevant(REGISTER), "Letter": "?"})
    trace = asyncio.run(atrace(TEXT, searcher=Shelf(FOUND), model=asker(loopback, said)))
    assert (trace.status, trace.reason, trace.attribution.attribution) == ("partial", None, "paraphrase")


def test_a_refused_request_for_the_claim_fails_the_trace(loopback: Loopback) -> None:
    trace = asyncio.run(atrace(TEXT, searcher=Shelf(FOUND), model=asker(loopback, oracle(claim=error(400, "odd")))))
    assert (trace.status, trace.reason, trace.attribution.attribution) == ("failed", "request_failed", "not_found")
    assert trace.requests == 1


def test_a_wrong_key_costs_one_request_and_is_raised(loopback: Loopback) -> None:
    with pytest.raises(ModelAccessError):
        run(TEXT, searcher=Shelf(FOUND), model=asker(loopback, oracle(claim=error(401, "bad key"))))
    assert len(loopback.requests) == 1


def test_the_source_of_the_input_is_left_out(loopback: Loopback) -> None:
    result = run(TEXT, searcher=Shelf(FOUND), model=asker(loopback, oracle()), source_url=str(FOUND[0].url))
    assert [one.evidence.source_title for one in result.evidence_list] == ["Letter"]
    with pytest.raises(UsageError, match="is no URL"):
        run(TEXT, searcher=Shelf(FOUND), model=asker(loopback, oracle()), source_url="here")


def test_a_searcher_may_be_named(loopback: Loopback) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'corpus'"):
        run(TEXT, searcher="corpsu", model=asker(loopback, oracle()))
    with pytest.raises(UsageError, match="workspace"):
        run(TEXT, searcher="corpus", model=asker(loopback, oracle()))


def test_an_asker_may_be_used_again_after_its_connections_were_closed(loopback: Loopback) -> None:
    model = asker(loopback, oracle())
    for _ in range(2):
        check(run(TEXT, searcher=Shelf(FOUND), model=model))


def test_templates_of_ones_own_are_used_and_broken_ones_refused(loopback: Loopback, tmp_path: Any) -> None:
    (tmp_path / "claim_user.j2").write_text("Look: {{ text }}", encoding="utf-8")
    check(run(TEXT, searcher=Shelf(FOUND), model=asker(loopback, oracle(), template=tmp_path)))
    assert loopback.requests[0].body["messages"][1]["content"].startswith("Look: <text ")
    (tmp_path / "claim_user.j2").write_text("Look!", encoding="utf-8")
    with pytest.raises(InputError, match="every block must stand in the message once"):
        run(TEXT, searcher=Shelf(FOUND), model=asker(loopback, oracle(), template=tmp_path))
    (tmp_path / "claim_user.j2").write_text("{{ nothing }}", encoding="utf-8")
    with pytest.raises(InputError, match=r"claim_user\.j2:1"):
        run(TEXT, searcher=Shelf(FOUND), model=asker(loopback, oracle(), template=tmp_path))
    with pytest.raises(InputError, match="no such folder"):
        asker(loopback, oracle(), template=tmp_path / "none")


def test_a_reply_of_another_protocol_and_dress_is_read(loopback: Loopback) -> None:
    reply = f'{{"claims": [{{"claim": "{CLAIM}", "context": "Orvik AS has 6 ships", "confidence": "high",}}],}}'
    fenced = Answer(f"Here it is:\n```json\n{reply}\n```")
    check(run(TEXT, searcher=Shelf(FOUND), model=asker(loopback, oracle(claim=fenced))))
