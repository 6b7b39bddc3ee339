"""The five nodes as one: chained by plain calls, or mounted in a LangGraph `StateGraph`.

    claim -> sources -> evidence -> assessments -> result
       └───────── no claim to trace ─────────────────^

`run` gives the attribution alone; `atrace` also how it came about. A request that fails for good drops what it was
about and says so. What every further request would meet (a wrong key, an endpoint that is away) is raised, because
"not found" would not be true.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from schemacast.attribution.asking import Asker
from schemacast.attribution.assemble import AttributionAssembler
from schemacast.attribution.claim import ClaimExtractor, input_problem
from schemacast.attribution.compare import SourceComparer
from schemacast.attribution.evidence import EvidenceFilter
from schemacast.attribution.models import SourceAttribution
from schemacast.attribution.node import Node
from schemacast.attribution.retrieve import SourceRetriever
from schemacast.attribution.searching import LIMIT, Searcher, open_searcher
from schemacast.attribution.state import GraphState
from schemacast.errors import InputError, MissingPackageError, ModelError, SchemaCastError, UsageError
from schemacast.llm.protocol import Model, Usage
from schemacast.threads import run_anywhere

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

__all__ = ["Trace", "arun", "atrace", "build_graph", "run"]

Status = Literal["ok", "partial", "failed"]
Reason = Literal["request_failed", "search_failed", "sources_failed"]


@dataclass(frozen=True, slots=True)
class Trace:
    """An attribution, and how it came about.

    `status` is `partial` when some sources could not be looked at, `failed` when nothing is known: `reason` then says
    what failed, and `error` holds the error when there is one that a caller can act on.
    """

    state: GraphState
    attribution: SourceAttribution
    status: Status
    reason: Reason | None
    error: SchemaCastError | None
    requests: int
    usage: Usage

    @property
    def errors(self) -> list[str]:
        """What went wrong on the way, a line each."""
        return self.state.get("errors", [])


def run(
    text: str, *, searcher: Searcher | str, model: str | Model | Asker, source_url: str | None = None
) -> SourceAttribution:
    """Trace the claim in `text` to the sources that state it. Works inside a running event loop too.

    `searcher` is an object with the members of `Searcher`, or the name of one that needs no workspace; `model` a
    name, as for a cast, a `Model`, or an `Asker` with options. `source_url` is where the text itself stands, which is
    no source for it.

    Raises InputError for a text that is too short or too long, UsageError, ModelAccessError, ModelUnavailable. A
    search that fails is no exception: the summary then says so.
    """
    return run_anywhere(lambda: arun(text, searcher=searcher, model=model, source_url=source_url))


async def arun(
    text: str, *, searcher: Searcher | str, model: str | Model | Asker, source_url: str | None = None
) -> SourceAttribution:
    """`run` for async code."""
    return (await atrace(text, searcher=searcher, model=model, source_url=source_url)).attribution


async def atrace(
    text: str, *, searcher: Searcher | str, model: str | Model | Asker, source_url: str | None = None
) -> Trace:
    """The attribution of a text with how it came about. Raises like `run`."""
    if not isinstance(text, str):
        raise UsageError(f"the text is {type(text).__name__}, not str")
    problem = input_problem(text)
    if problem:
        raise InputError(problem)
    searching = open_searcher(searcher) if isinstance(searcher, str) else searcher
    retriever = SourceRetriever(searching, source_url=source_url)
    asker = Asker.of(model).counting()
    extractor, evidence, comparer = ClaimExtractor(asker), EvidenceFilter(asker), SourceComparer(asker)
    state: GraphState = {"input_text": text, "errors": []}
    try:
        async with asker.used():
            state.update(await extractor.acall(state))
            if after_extraction(state) == "retrieve":
                for node in (retriever, evidence, comparer):
                    state.update(await node.acall(state))
            state.update(await AttributionAssembler().acall(state))
    except ModelError as stopped:  # it took more than the last request
        spent = asker.spent
        stopped.requests = spent.requests
        stopped.input_tokens, stopped.output_tokens = spent.usage.input_tokens, spent.usage.output_tokens
        raise
    result = state["result"]
    assert result is not None
    status, reason, error = _ended(state, extractor, retriever, evidence, comparer)
    return Trace(state, result, status, reason, error, asker.spent.requests, asker.spent.usage)


def _ended(
    state: GraphState,
    extractor: ClaimExtractor,
    retriever: SourceRetriever,
    evidence: EvidenceFilter,
    comparer: SourceComparer,
) -> tuple[Status, Reason | None, SchemaCastError | None]:
    if extractor.failure is not None:
        return "failed", "request_failed", extractor.failure
    if retriever.failure is not None:
        return "failed", "search_failed", retriever.failure
    nothing = not state.get("assessments")
    if nothing and ((evidence.examined and evidence.failed == evidence.examined) or comparer.failed):
        return "failed", "sources_failed", None
    return ("partial" if state.get("errors") else "ok"), None, None


def after_extraction(state: GraphState) -> Literal["retrieve", "assemble"]:
    """Where to go on after the first node: without a claim there is nothing to look for."""
    return "assemble" if state.get("extraction_failed") or state.get("extracted_claim") is None else "retrieve"


def build_graph(
    *, searcher: Searcher | str, model: str | Model | Asker, source_url: str | None = None, limit: int = LIMIT
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """The five nodes in a compiled LangGraph `StateGraph`, for `invoke`, `ainvoke` and `stream` with `{"input_text":
    …}`.

    Raises MissingPackageError without LangGraph, and what opening model and searcher raises.
    """
    try:
        from langchain_core.runnables import RunnableLambda
        from langgraph.graph import END, START, StateGraph
    except ImportError as error:
        raise MissingPackageError("build_graph needs LangGraph: pip install 'schemacast[langgraph]'") from error
    asker = Asker.of(model)
    searching = open_searcher(searcher) if isinstance(searcher, str) else searcher
    nodes: Mapping[str, Node] = {
        "extract": ClaimExtractor(asker),
        "retrieve": SourceRetriever(searching, source_url=source_url, limit=limit),
        "filter": EvidenceFilter(asker),
        "compare": SourceComparer(asker),
        "assemble": AttributionAssembler(),
    }
    graph = StateGraph(GraphState)
    for name, node in nodes.items():
        graph.add_node(name, RunnableLambda(node, afunc=node.acall, name=name))
    graph.add_edge(START, "extract")
    graph.add_conditional_edges("extract", after_extraction, ["retrieve", "assemble"])
    for first, second in (("retrieve", "filter"), ("filter", "compare"), ("compare", "assemble"), ("assemble", END)):
        graph.add_edge(first, second)
    return graph.compile()
